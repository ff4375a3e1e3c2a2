//! Arrays of numbers as strings: LEB128, deflated (RFC 1951, RFC 1950 wrapper), base64 (RFC 4648).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// How hard the encoder tries; the file is written once and read often.
const LEVEL: u8 = 9;

/// Writes numbers as a string.
pub fn pack(numbers: &[u64]) -> String {
    let mut bytes = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let mut rest = number;
        loop {
            let low = (rest & 0x7f) as u8;
            rest >>= 7;
            if rest == 0 {
                bytes.push(low);
                break;
            }
            bytes.push(low | 0x80);
        }
    }
    STANDARD.encode(compress_to_vec_zlib(&bytes, LEVEL))
}

/// Reads exactly `count` numbers from a string.
///
/// A string that would unfold into more is refused before it does, so that a small file cannot
/// take all memory.
pub fn unpack(text: &str, count: usize) -> Result<Vec<u64>, &'static str> {
    let packed = STANDARD.decode(text).map_err(|_| "not base64")?;
    let most = count.saturating_mul(10);
    let bytes = decompress_to_vec_zlib_with_limit(&packed, most)
        .map_err(|_| "not deflated, or too long")?;
    let mut numbers = Vec::with_capacity(count.min(bytes.len()));
    let mut bytes = bytes.into_iter();
    while let Some(first) = bytes.next() {
        let mut number = u64::from(first & 0x7f);
        let (mut byte, mut shift) = (first, 0);
        while byte & 0x80 != 0 {
            byte = bytes.next().ok_or("a number without end")?;
            shift += 7;
            let digit = u64::from(byte & 0x7f);
            if digit == 0 && byte & 0x80 == 0 {
                return Err("a number with a leading zero");
            }
            if shift > 63 || digit << shift >> shift != digit {
                return Err("a number of more than 64 bits");
            }
            number |= digit << shift;
        }
        if numbers.len() == count {
            return Err("more numbers than stated");
        }
        numbers.push(number);
    }
    if numbers.len() < count {
        return Err("fewer numbers than stated");
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX, 0];
        assert_eq!(unpack(&pack(&numbers), 8), Ok(numbers.to_vec()));
        assert_eq!(unpack(&pack(&[]), 0), Ok(vec![]));
    }

    #[test]
    fn damage_is_refused() {
        let good = pack(&[1, 2, 3]);
        assert!(unpack(&good, 2).is_err());
        assert!(unpack(&good, 4).is_err());
        assert!(unpack(&good[..good.len() - 4], 3).is_err());
        assert!(unpack("!", 0).is_err());
        // Ten million zeros in a few kilobytes: refused without unfolding them all.
        let bomb = STANDARD.encode(compress_to_vec_zlib(&vec![0; 10_000_000], 9));
        assert!(bomb.len() < 20_000);
        assert!(unpack(&bomb, 3).is_err());
        // 1 written with a leading zero, and a number of 71 bits.
        let raw = |bytes: &[u8]| STANDARD.encode(compress_to_vec_zlib(bytes, 9));
        assert!(unpack(&raw(&[0x81, 0x00]), 1).is_err());
        assert!(unpack(&raw(&[0xff; 10]), 1).is_err());
        let mut wide = [0xff; 10];
        wide[9] = 0x02;
        assert!(unpack(&raw(&wide), 1).is_err());
        wide[9] = 0x01;
        assert_eq!(unpack(&raw(&wide), 1), Ok(vec![u64::MAX]));
    }
}
