//! A library without `std` that uses generated fields.

#![no_std]

/// The fields of `fields.toml`.
pub mod fields {
    include!(concat!(env!("OUT_DIR"), "/fieldgen/mod.rs"));
}

use fields::{BabyBear, Bn254Fr, Goldilocks};

/// The value of a polynomial at `x`, by Horner's rule; the coefficient of the lowest power comes
/// first.
#[must_use]
pub fn evaluate(coefficients: &[BabyBear], x: BabyBear) -> BabyBear {
    let step = |value: BabyBear, &coefficient: &BabyBear| value * x + coefficient;
    coefficients.iter().rev().fold(BabyBear::ZERO, step)
}

/// The quotient of two elements, where there is one.
#[must_use]
pub fn quotient(numerator: Bn254Fr, denominator: Bn254Fr) -> Option<Bn254Fr> {
    denominator.inverse().map(|inverse| numerator * inverse)
}

/// A constant that the compiler computes.
pub const SEVEN: Goldilocks = Goldilocks::new(7);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn horner() {
        let coefficients = [1, 2, 3].map(BabyBear::new);
        // 1 + 2 * 10 + 3 * 100
        assert_eq!(evaluate(&coefficients, BabyBear::new(10)), BabyBear::new(321));
    }

    #[test]
    fn division() {
        let (six, two) = (Bn254Fr::from(6u64), Bn254Fr::from(2u64));
        assert_eq!(quotient(six, two), Some(Bn254Fr::from(3u64)));
        assert_eq!(quotient(six, Bn254Fr::ZERO), None);
    }

    #[test]
    fn constants() {
        assert_eq!(SEVEN.to_canonical(), 7);
    }
}
