//! Reproducible operands, biased to where carries and corrections go wrong.

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `bound`, which is small.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    /// A value in `0 ..= max`: uniform, or made of extreme limbs, or near 0, `max` or a power of
    /// two.
    pub fn up_to(&mut self, max: &BigUint) -> BigUint {
        let bound = max + 1u32;
        let limbs = usize::try_from(max.bits().div_ceil(32)).expect("fits");
        match self.below(8) {
            0 => BigUint::from(self.below(4)).min(max.clone()),
            1 => max - BigUint::from(self.below(4)).min(max.clone()),
            2 => {
                let power = BigUint::one() << self.below(max.bits() + 1);
                let offset = BigUint::from(self.below(2));
                (power - offset) % bound
            }
            3..=5 => {
                let limbs: Vec<u32> = (0..limbs).map(|_| self.extreme_limb()).collect();
                BigUint::from_slice(&limbs) % bound
            }
            _ => {
                // 64 bits more than the bound hide the bias of the remainder.
                let limbs: Vec<u32> = (0..limbs + 2).map(|_| self.word() as u32).collect();
                BigUint::from_slice(&limbs) % bound
            }
        }
    }

    fn extreme_limb(&mut self) -> u32 {
        match self.below(6) {
            0 => 0,
            1 => 1,
            2 => 1 << 31,
            3 => u32::MAX,
            4 => u32::MAX - 1,
            _ => self.word() as u32,
        }
    }
}

/// The values up to `max` that every test begins with.
#[must_use]
pub fn edges(max: &BigUint) -> Vec<BigUint> {
    let mut edges = vec![
        BigUint::zero(),
        max.clone(),
        max >> 1u32,
        (max >> 1u32) + 1u32,
    ];
    edges.extend((0..max.bits().div_ceil(32)).flat_map(|limb| {
        let power = BigUint::one() << (32 * limb);
        [power.clone(), max - &power]
    }));
    for small in [1u32, 2, 3] {
        edges.push(BigUint::from(small));
        edges.push(max - small);
    }
    edges
}
