//! Nimbers as a field, held against their definition and the laws of a field.

use grundy::nimber::{
    Expected, NimFault, Nimber, mex, nim_expression, nim_inverse, nim_power, nim_product,
    nim_square, nim_square_root, nim_sum,
};
use num_bigint::BigUint;
use proptest::prelude::*;

fn product(a: u64, b: u64) -> Nimber {
    nim_product(&Nimber::from(a), &Nimber::from(b))
}

#[test]
fn products_are_least_excluded() {
    // a ⊗ b is the least number that is not a' ⊗ b ⊕ a ⊗ b' ⊕ a' ⊗ b' for any smaller a', b'.
    const SIZE: usize = 40;
    let mut table = vec![[0u64; SIZE]; SIZE];
    for a in 0..SIZE {
        for b in 0..SIZE {
            let smaller = (0..a).flat_map(|x| (0..b).map(move |y| (x, y)));
            table[a][b] = mex(smaller.map(|(x, y)| table[x][b] ^ table[a][y] ^ table[x][y]));
            assert_eq!(
                product(a as u64, b as u64),
                Nimber::from(table[a][b]),
                "{a} {b}"
            );
        }
    }
}

#[test]
fn published_products() {
    // CGSuite, GameTest: 8 times 1 to 16.
    let published = [8, 12, 4, 11, 3, 7, 15, 13, 5, 1, 9, 6, 14, 10, 2, 128];
    for (b, expected) in (1..).zip(published) {
        assert_eq!(product(8, b), Nimber::from(expected));
    }
}

#[test]
fn fermat_powers_are_special() {
    // F ⊗ F = F ⊕ F/2, and F times a smaller number is the ordinary product.
    for k in 0..12 {
        let power = BigUint::from(1u8) << (1u32 << k);
        let f = Nimber(power.clone());
        assert_eq!(nim_square(&f), Nimber(&power ^ (&power >> 1u8)));
        let smaller = Nimber(&power - 1u8);
        assert_eq!(nim_product(&f, &smaller), Nimber(&power * &smaller.0));
    }
}

fn nimber() -> impl Strategy<Value = Nimber> {
    let sizes = prop_oneof![Just(1usize), Just(2), Just(5), Just(9), Just(40)];
    sizes
        .prop_flat_map(|bytes| prop::collection::vec(any::<u8>(), bytes))
        .prop_map(|bytes| Nimber(BigUint::from_bytes_le(&bytes)))
}

fn sum(a: &Nimber, b: &Nimber) -> Nimber {
    nim_sum([a.clone(), b.clone()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nimbers_are_a_field(a in nimber(), b in nimber(), c in nimber()) {
        let ab = nim_product(&a, &b);
        prop_assert_eq!(&ab, &nim_product(&b, &a));
        prop_assert_eq!(nim_product(&ab, &c), nim_product(&a, &nim_product(&b, &c)));
        prop_assert_eq!(nim_product(&a, &sum(&b, &c)), sum(&ab, &nim_product(&a, &c)));
        prop_assert_eq!(nim_square(&a), nim_product(&a, &a));
        prop_assert_eq!(nim_square(&nim_square_root(&a)), a.clone());
        prop_assert_eq!(nim_square_root(&nim_square(&a)), a.clone());
        match nim_inverse(&a) {
            Some(inverse) => prop_assert_eq!(nim_product(&a, &inverse), Nimber::from(1)),
            None => prop_assert!(a.is_zero()),
        }
        prop_assert_eq!(nim_power(&a, &5u8.into()), nim_product(&a, &nim_square(&nim_square(&a))));
    }

    #[test]
    fn no_expression_breaks_the_reader(text in "[0-9+*/^() sqrt⊕]{0,20}") {
        let _ = nim_expression(&text);
    }
}

#[test]
fn expressions() {
    let value = |text: &str| nim_expression(text).map(|value| value.to_string());
    assert_eq!(value(" 3 * 5 "), Ok("15".to_owned()));
    assert_eq!(value("1 + 2 * 2"), Ok("2".to_owned()));
    assert_eq!(value("(1 + 2) * 2"), Ok("1".to_owned()));
    assert_eq!(value("sqrt(3)^2"), Ok("3".to_owned()));
    assert_eq!(value("*5 ⊕ *3"), Ok("6".to_owned()));
    assert_eq!(value("7^0"), Ok("1".to_owned()));
    let expected = |at, what| Err(NimFault::Expected { at, what });
    assert_eq!(value("3 *"), expected(3, Expected::Operand));
    assert_eq!(value("3 4"), expected(2, Expected::Operator));
    assert_eq!(value("(3"), expected(2, Expected::Closing));
    assert_eq!(value("3^x"), expected(2, Expected::Exponent));
    assert_eq!(value("1/(2+2)"), Err(NimFault::DivisionByZero(2)));
    assert_eq!(value(&"9".repeat(5000)), Err(NimFault::TooLarge(0)));
    assert!(matches!(
        value(&"(".repeat(5000)),
        Err(NimFault::TooLarge(_))
    ));
}
