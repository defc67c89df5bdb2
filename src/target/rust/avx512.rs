//! What the AVX-512 functions of a field are rendered with.

use serde::Serialize;

/// More vectors in a group would save little: from here on the loads and the products decide.
const LARGEST_GROUP: u64 = 8;

/// How many terms are added before the carry-safe accumulators take over.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Avx512 {
    /// Elements that can be added in 32 bits, without reduction.
    sum_group: u64,
    /// Half of the products of two elements that can be added in 64 bits: pairs of vectors of 16
    /// lanes put two products into each lane of 64 bits.
    product_group: u64,
}

impl Avx512 {
    /// For a modulus below `2^31`, where both groups hold at least two.
    pub fn new(modulus: u32) -> Avx512 {
        let largest = u64::from(modulus) - 1;
        let terms = u64::from(u32::MAX) / largest;
        let products = u64::MAX / (largest * largest);
        Avx512 {
            sum_group: terms.min(LARGEST_GROUP),
            product_group: (products / 2).min(LARGEST_GROUP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_large_as_the_lanes_allow() {
        let groups = |modulus| {
            let Avx512 {
                sum_group,
                product_group,
            } = Avx512::new(modulus);
            (sum_group, product_group)
        };
        // 2^31 - 1, the largest modulus below 2^31.
        assert_eq!(groups(0x7fff_ffff), (2, 2));
        // Seven 32-bit terms fit here, and 49 / 2 products.
        assert_eq!(groups(613_566_757), (7, 8));
        // Around 2^32 / 3: three terms below, two above; 9 and 8 products.
        assert_eq!(groups(1_431_655_751), (3, 4));
        assert_eq!(groups(1_431_655_777), (2, 4));
        // Around 2^64 / 6: six products below.
        assert_eq!(groups(1_753_413_037), (2, 3));
        assert_eq!(groups(1_753_413_061), (2, 2));
        assert_eq!(groups(3), (8, 8));
    }

    #[test]
    fn a_full_group_does_not_leave_its_lane() {
        for modulus in [3, 5, 3329, 12289, 65537, 1 << 24, 0x7800_0001, 0x7fff_ffff] {
            let Avx512 {
                sum_group,
                product_group,
            } = Avx512::new(modulus);
            let largest = u64::from(modulus) - 1;
            assert!(sum_group * largest < 1 << 32);
            assert!(2 * u128::from(product_group) * u128::from(largest).pow(2) < 1 << 64);
            assert!(sum_group >= 2 && product_group >= 2);
        }
    }
}
