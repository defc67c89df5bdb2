//! Everything that follows from a modulus, and nothing that depends on a target.
//!
//! # Montgomery constants
//!
//! For words of `w` bits, `R = 2^(w limbs)` is the smallest power of the word size above `p`.
//! Montgomery's reduction of `T < p R` is `(T + (T neg_inv mod R) p) / R`, one word at a time
//! with the `neg_inv` of one word; with `inv` instead, the product is subtracted. `r` is 1 in
//! Montgomery form, a product with `r2` brings a value into it, and one with `r3` does so for the
//! inverse of a value that was in it (P. L. Montgomery, "Modular multiplication without trial
//! division", Math. Comp. 44 (1985); Handbook of Applied Cryptography, 14.32 and 14.36).
//!
//! # Barrett constants
//!
//! `mu = floor(2^shift / p)` with `shift = 2 bits`, which has `bits + 1` bits. For `x < 2^shift`,
//! and so for every product of two values below `p`,
//!
//! ```text
//! q = ((x >> (bits - 1)) * mu) >> (bits + 1)
//! ```
//!
//! is the quotient `floor(x / p)` or up to 2 less, so that `x - q p` lies below `3 p` (P. Barrett,
//! CRYPTO '86; Handbook, 14.42 to 14.44). The Handbook asks for a radix above 3; with radix 2:
//! the first shift drops less than 1 from a factor of at most `2^(bits + 1) - 1`, and so does the
//! division in `mu` (`p` is odd, hence above `2^(bits - 1)`). Before the last shift the product
//! therefore lacks less than `2 (2^(bits + 1) - 1) + 1 < 2 * 2^(bits + 1)`.
//!
//! # Roots and generators
//!
//! With `p - 1 = 2^s m` (`m` odd), `z^m` has order exactly `2^s` for every non-residue `z`: its
//! `2^(s-1)`-th power is `z^((p-1)/2) = -1` by Euler's criterion. So square roots and transforms
//! need no generator of the whole group, and none is claimed unless it is proven: `g` generates
//! the group exactly if `g^((p-1)/q)` is not 1 for every prime `q` of `p - 1` (Handbook, 4.80),
//! which needs all those primes.

mod factors;
mod generator;
mod group;
mod modulus;
mod text;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use crate::config::FieldSpec;
use crate::diagnostic::Diagnostic;
use crate::prime;

/// A prime field: its modulus and what follows from it.
#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    /// The modulus as the user wrote it.
    pub modulus_text: String,
    pub modulus: BigUint,
    pub bits: u32,
    /// The largest `s` with `2^s | p - 1`.
    pub two_adicity: u32,
    /// `(p - 1) / 2^two_adicity`.
    pub odd_part: BigUint,
    /// The smallest quadratic non-residue.
    pub nonresidue: BigUint,
    /// A proven generator of the multiplicative group: the user's, or the smallest, where all
    /// primes of `p - 1` are known and a short search finds it.
    pub generator: Option<BigUint>,
    /// The factorisation of `p - 1`, ascending, where it is complete and proven.
    pub factors: Option<Vec<(BigUint, u32)>>,
    /// `generator^odd_part` where a generator is known, else `nonresidue^odd_part`: of order
    /// `2^two_adicity`.
    pub two_adic_root: BigUint,
    pub word32: Montgomery,
    pub word64: Montgomery,
    pub barrett: Barrett,
}

/// Montgomery constants for one word size `w` (32 or 64 bits), with `R = 2^(w * limbs)`.
#[derive(Debug, Clone)]
pub struct Montgomery {
    /// `ceil(bits / w)`.
    pub limbs: u32,
    /// `w * limbs - bits`.
    pub spare_bits: u32,
    /// `R mod p`.
    pub r: BigUint,
    /// `R^2 mod p`.
    pub r2: BigUint,
    /// `R^3 mod p`.
    pub r3: BigUint,
    /// `p^-1 mod 2^w`.
    pub inv: u64,
    /// `-p^-1 mod 2^w`.
    pub neg_inv: u64,
}

/// Barrett constants: `mu = floor(2^shift / p)` with `shift = 2 * bits`.
#[derive(Debug, Clone)]
pub struct Barrett {
    pub shift: u32,
    pub mu: BigUint,
}

impl Field {
    /// Derives everything from the modulus, after verifying what the user claims about it.
    ///
    /// # Errors
    ///
    /// A modulus that is not an odd prime of at most 4096 bits; `factors` that are not the primes
    /// of `p - 1`; a `generator` that is none, or that cannot be verified.
    pub fn derive(spec: &FieldSpec) -> Result<Field, Vec<Diagnostic>> {
        if let Some(problem) = modulus::verify(spec) {
            return Err(vec![problem]);
        }
        let p = &spec.modulus.value;
        let group = group::derive(spec)?;
        let bits = bits(p);
        let order = p - 1u32;
        let two_adicity = order.trailing_zeros().unwrap_or(0);
        let odd_part = order >> two_adicity;
        let nonresidue = prime::smallest_nonresidue(p);
        let two_adic_root = group
            .generator
            .as_ref()
            .unwrap_or(&nonresidue)
            .modpow(&odd_part, p);
        Ok(Field {
            name: spec.name.value.clone(),
            modulus_text: spec.modulus_text.clone(),
            modulus: p.clone(),
            bits,
            two_adicity: two_adicity as u32,
            odd_part,
            nonresidue,
            generator: group.generator,
            factors: group.factors,
            two_adic_root,
            word32: Montgomery::new(p, 32),
            word64: Montgomery::new(p, 64),
            barrett: Barrett::new(p),
        })
    }

    /// `p - 1` as a product of powers of primes, `2^27 * 3 * 5`, where that is known.
    pub fn factors_text(&self) -> Option<String> {
        self.factors.as_deref().map(text::product)
    }
}

impl Montgomery {
    fn new(p: &BigUint, word_bits: u32) -> Self {
        let limbs = bits(p).div_ceil(word_bits);
        let r = (BigUint::one() << (word_bits * limbs)) % p;
        let r2 = &r * &r % p;
        let r3 = &r2 * &r % p;
        let lowest_word = p.iter_u64_digits().next().unwrap_or(0);
        let word_mask = u64::MAX >> (64 - word_bits);
        let inverse = prime::inverse_of_word(lowest_word);
        Montgomery {
            limbs,
            spare_bits: word_bits * limbs - bits(p),
            r,
            r2,
            r3,
            inv: inverse & word_mask,
            neg_inv: inverse.wrapping_neg() & word_mask,
        }
    }
}

impl Barrett {
    fn new(p: &BigUint) -> Self {
        let shift = 2 * bits(p);
        Barrett {
            shift,
            mu: (BigUint::one() << shift) / p,
        }
    }
}

/// The length of a verified modulus.
fn bits(p: &BigUint) -> u32 {
    p.bits().to_u32().expect("a modulus has at most 4096 bits")
}

#[cfg(test)]
mod tests;
