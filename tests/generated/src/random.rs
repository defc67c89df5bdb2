//! A small seeded generator: the same numbers on every machine and in every run.

use num_bigint::BigUint;

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator whose whole future follows from `label`, so that a test does not change when
    /// another one draws more numbers.
    pub fn new(label: &str) -> Random {
        // FNV-1a
        let hash = label
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Random(hash)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; its tiny bias does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    /// A uniform number of up to `bits` bits.
    pub fn integer(&mut self, bits: u32) -> BigUint {
        let words = (0..bits.div_ceil(32))
            .map(|_| (self.word() >> 32) as u32)
            .collect();
        let excess = bits.div_ceil(32) * 32 - bits;
        BigUint::new(words) >> excess
    }
}
