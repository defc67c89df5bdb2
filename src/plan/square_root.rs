//! Square roots where p = 1 mod 4: how the logarithm in the group of order `2^s`, `s` the
//! two-adicity, is read off tables, digit by digit.
//!
//! The element `error` of that group is `g^e`, with `g` of order `2^s`. Let `e` be written in `n`
//! digits of `w` bits, shifted so that the highest ends at bit `n w`. The digits are found from the
//! lowest on: the power of `error` that leaves digit `i` and those below it, times the powers of `g`
//! that cancel those below, has order `2^w` and is looked up. The powers of `error` take one run of
//! squarings; the powers of `g` are tables, and depend only on how far two digits are apart.
//! P. Sarkar, "Computing Square Roots Faster than the Tonelli-Shanks/Bernstein Algorithm",
//! ePrint 2020/1407.

use super::Plan;

/// No larger table of a field is generated.
const LARGEST_TABLES: u64 = 64 << 10;

/// Digits are kept in bytes.
const LARGEST_DIGIT: u32 = 8;

/// The size of a table that costs as much as a multiplication, when it has to be fetched.
const BYTES_PER_MULTIPLICATION: u64 = 1 << 10;

/// How logarithms are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Logarithm {
    /// `w`
    pub digit_bits: u32,
    /// `n`
    pub digits: u32,
}

impl Logarithm {
    /// The fastest way for the plan's field, by the number of multiplications and the size of the
    /// tables.
    pub fn new(plan: &Plan) -> Logarithm {
        let element = u64::from(plan.stored.bits() / 8);
        Logarithm::fastest(plan.field.two_adicity, element)
    }

    fn fastest(two_adicity: u32, element_bytes: u64) -> Logarithm {
        (1..=LARGEST_DIGIT.min(two_adicity))
            .map(|digit_bits| Logarithm {
                digit_bits,
                digits: two_adicity.div_ceil(digit_bits),
            })
            .filter(|log| log.digit_bits == 1 || log.bytes(element_bytes) <= LARGEST_TABLES)
            .min_by_key(|log| {
                log.multiplications() + log.bytes(element_bytes) / BYTES_PER_MULTIPLICATION
            })
            .expect("digits of one bit are possible")
    }

    /// The tables of powers, one for each distance of two digits.
    pub fn bytes(self, element_bytes: u64) -> u64 {
        (u64::from(self.digits) << self.digit_bits) * element_bytes
    }

    /// Squarings and multiplications, those for the root included.
    pub fn multiplications(self) -> u64 {
        let n = u64::from(self.digits);
        (n - 1) * u64::from(self.digit_bits) + n * (n - 1) / 2 + n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_as_long_as_pays() {
        let digits = |two_adicity, element_bytes| {
            let log = Logarithm::fastest(two_adicity, element_bytes);
            (log.digit_bits, log.digits)
        };
        // One table, whose size is the group's.
        assert_eq!(digits(2, 8), (2, 1));
        assert_eq!(digits(6, 32), (6, 1));
        // BabyBear, Goldilocks, Pallas, Stark252.
        assert_eq!(digits(27, 4), (7, 4));
        assert_eq!(digits(32, 8), (8, 4));
        assert_eq!(digits(32, 32), (6, 6));
        assert_eq!(digits(192, 32), (6, 32));
    }

    #[test]
    fn tables_stay_small() {
        for two_adicity in 2..=1024 {
            for element_bytes in [4, 8, 32, 64] {
                let log = Logarithm::fastest(two_adicity, element_bytes);
                assert!(log.digits * log.digit_bits >= two_adicity);
                assert!((log.digits - 1) * log.digit_bits < two_adicity);
                assert!(log.digit_bits == 1 || log.bytes(element_bytes) <= LARGEST_TABLES);
            }
        }
    }
}
