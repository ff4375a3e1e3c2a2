//! Values of options, from text.

use std::time::Duration;

use num_bigint::BigUint;

/// A number of any size such as `1000`, `10^18`, `1e18`.
pub(super) fn natural(text: &str) -> Result<BigUint, String> {
    grundy_rules::parse_number(text).map_err(|_| grundy::text::not_a_number(text))
}

/// A number such as `1000`, `10^6`, `1e6`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let wrong = || grundy::text::not_a_size(text);
    let (base, exponent) = match (text.split_once('^'), text.split_once('e')) {
        (Some((base, exponent)), _) => (base.parse().map_err(|_| wrong())?, exponent),
        (None, Some((factor, exponent))) => {
            let factor: u64 = factor.parse().map_err(|_| wrong())?;
            let power = 10u64.checked_pow(exponent.parse().map_err(|_| wrong())?);
            return power
                .and_then(|power| power.checked_mul(factor))
                .ok_or_else(wrong);
        }
        (None, None) => return text.parse().map_err(|_| wrong()),
    };
    u64::checked_pow(base, exponent.parse().map_err(|_| wrong())?).ok_or_else(wrong)
}

/// A time such as `20`, `20s`, `500ms`, `5m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let units = [
        ("ms", 1),
        ("s", 1000),
        ("m", 60_000),
        ("h", 3_600_000),
        ("", 1000),
    ];
    scaled(text, &units)
        .map(Duration::from_millis)
        .ok_or_else(|| grundy::text::not_a_time(text))
}

/// An amount of memory such as `500M`, `8G`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("K", 1 << 10),
        ("M", 1 << 20),
        ("G", 1 << 30),
        ("T", 1 << 40),
        ("", 1),
    ];
    scaled(text.trim_end_matches(['B', 'i']), &units)
        .ok_or_else(|| grundy::text::not_a_memory(text))
}

/// A natural number with the first of these units that it ends with.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    number.parse::<u64>().ok()?.checked_mul(*unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("5m"), Ok(Duration::from_mins(5)));
        assert_eq!(duration("20"), Ok(Duration::from_secs(20)));
        assert!(duration("1.5h").is_err());
        assert!(duration("").is_err());
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("17"), Ok(17));
        assert!(bytes("99999999999T").is_err());
        assert_eq!(size("1e6"), Ok(1_000_000));
        assert_eq!(size("10^6"), Ok(1_000_000));
        assert_eq!(size("7"), Ok(7));
        assert!(size("10^30").is_err());
        assert!(size("-1").is_err());
    }
}
