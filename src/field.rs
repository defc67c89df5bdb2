//! Everything that follows from a modulus, and nothing that depends on a target.

use num_bigint::BigUint;

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
    /// A proven generator of the multiplicative group: the user's, or the smallest, where the
    /// factorisation of `p - 1` is known.
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
