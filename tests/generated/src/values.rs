//! Values at which field arithmetic goes wrong first, and random ones.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::model::Model;
use crate::random::Random;

/// About thirty values whose pairs are all tried.
pub fn core(model: &Model) -> Vec<BigUint> {
    let p = &model.modulus;
    let one = BigUint::one();
    let words = model.bits.div_ceil(64);
    let r32 = &one << (model.bits.div_ceil(32) * 32);
    let r64 = &one << (words * 64);
    let low_ones = (&one << 64u32) - &one;
    let mut values = vec![
        BigUint::zero(),
        one.clone(),
        BigUint::from(2u32),
        BigUint::from(3u32),
        p - 1u32,
        p - 2u32,
        (p - 1u32) >> 1,
        (p + 1u32) >> 1,
        // Half a word, one word and all but the top word, and their neighbours.
        &one << 16u32,
        (&one << 32u32) - 1u32,
        &one << 32u32,
        (&one << 32u32) + 1u32,
        low_ones.clone(),
        &one << 64u32,
        &low_ones << 64u32,
        (&one << (64 * (words - 1))) - 1u32,
        &one << (model.bits - 1),
        (&one << (model.bits - 1)) - 1u32,
        (&one << model.bits) - 1u32,
        // The Montgomery radix: what the stored words 1, R mod p and R^2 mod p stand for.
        r32.clone(),
        r64.clone(),
        &r64 * &r64,
        &r64 - 1u32,
        p - model.reduce(&r64),
    ];
    values.extend(model.inverse(&model.reduce(&r32)));
    values.extend(model.inverse(&model.reduce(&r64)));
    reduced(model, values)
}

/// The core, and all powers of two with their neighbours and all limb boundaries.
pub fn edges(model: &Model) -> Vec<BigUint> {
    let p = &model.modulus;
    let one = BigUint::one();
    let mut values = core(model);
    // Of a long modulus only the powers near limb boundaries: each costs three values.
    let step = |k: u32| model.bits <= 64 || matches!(k % 32, 0 | 1 | 15 | 31);
    for k in (0..model.bits + 1).filter(|k| step(*k)) {
        let power = model.reduce(&(&one << k));
        values.push(&power + 1u32);
        values.push(&power + p - 1u32);
        values.push(p - &power);
        values.push(power);
    }
    for limb in 0..model.bits.div_ceil(64) {
        // One word of all ones, and all ones from there upwards.
        values.push(((&one << 64u32) - 1u32) << (64 * limb));
        values.push((&one << model.bits) - (&one << (64 * limb)));
    }
    reduced(model, values)
}

fn reduced(model: &Model, values: Vec<BigUint>) -> Vec<BigUint> {
    let distinct: BTreeSet<BigUint> = values.iter().map(|value| model.reduce(value)).collect();
    distinct.into_iter().collect()
}

impl Random {
    /// A 32-bit limb of the kinds that carries are sensitive to.
    fn biased_limb(&mut self) -> u32 {
        match self.below(8) {
            0 | 1 => 0,
            2 | 3 => u32::MAX,
            4 => 1 << self.below(32),
            5 => u32::MAX << self.below(32),
            _ => self.word() as u32,
        }
    }

    /// A value below `modulus`: half of the time uniform, otherwise made of limbs that provoke
    /// carries, or close to the modulus.
    pub fn element(&mut self, modulus: &BigUint) -> BigUint {
        let bits = modulus.bits() as u32;
        match self.below(8) {
            0..=3 => self.integer(bits + 64) % modulus,
            4..=6 => {
                let limbs = (0..bits.div_ceil(32)).map(|_| self.biased_limb()).collect();
                BigUint::new(limbs) % modulus
            }
            _ => {
                let below = BigUint::from(self.below(1 << 20)) % modulus;
                if below.is_zero() {
                    below
                } else {
                    modulus - below
                }
            }
        }
    }

    pub fn elements(&mut self, modulus: &BigUint, count: usize) -> Vec<BigUint> {
        (0..count).map(|_| self.element(modulus)).collect()
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.word() as u8).collect()
    }
}
