//! The strong Lucas probable-prime test.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::jacobi::jacobi;
use super::{Evidence, FailedTest};

/// The strong Lucas test of an odd `n > 1` that is not a square: `P = 1`, and `D` the first of 5,
/// -7, 9, -11, ... with `(D/n) = -1`. With `n + 1 = d 2^s` (`d` odd), a prime has `U_d = 0`, or
/// `V_(d 2^r) = 0` for some `r < s`. `None`: passed.
pub(super) fn strong_test(n: &BigUint) -> Option<Evidence> {
    let discriminant = match selfridge_discriminant(n) {
        Ok(discriminant) => discriminant,
        Err(factor) => return Some(Evidence::Factor(factor)),
    };
    let successor = n + 1u32;
    let doublings = successor.trailing_zeros().unwrap_or(0);
    let mut sequence = Sequence::at_one(n, discriminant);
    sequence.advance_to(&(successor >> doublings));
    if sequence.u.is_zero() {
        return None;
    }
    for _ in 0..doublings {
        if sequence.v.is_zero() {
            return None;
        }
        sequence.double();
    }
    Some(Evidence::FailedTest(FailedTest::Lucas { discriminant }))
}

/// The first `D` of 5, -7, 9, -11, ... with `(D/n) = -1`; or a proper factor of `n`, where one
/// turns up on the way.
fn selfridge_discriminant(n: &BigUint) -> Result<i64, BigUint> {
    let minus_one_is_square = (n % 4u32).is_one();
    let mut magnitude = 5u32;
    loop {
        let negative = magnitude % 4 == 3;
        let symbol = jacobi(&magnitude.into(), n);
        let factor = super::gcd(magnitude.into(), n.clone());
        if symbol == 0 && factor < *n {
            return Err(factor);
        }
        let sign = if negative && !minus_one_is_square {
            -1
        } else {
            1
        };
        if symbol * sign == -1 {
            return Ok(if negative {
                -i64::from(magnitude)
            } else {
                i64::from(magnitude)
            });
        }
        magnitude += 2;
    }
}

/// `U_k`, `V_k` and `Q^k` modulo `n` of the Lucas sequences with `P = 1`, `Q = (1 - D)/4`.
struct Sequence<'a> {
    n: &'a BigUint,
    /// `D` and `Q` modulo `n`.
    d: BigUint,
    q: BigUint,
    u: BigUint,
    v: BigUint,
    q_power: BigUint,
}

impl<'a> Sequence<'a> {
    fn at_one(n: &'a BigUint, discriminant: i64) -> Self {
        let q = residue((1 - discriminant) / 4, n);
        Sequence {
            n,
            d: residue(discriminant, n),
            u: BigUint::one(),
            v: BigUint::one(),
            q_power: q.clone(),
            q,
        }
    }

    /// From `k = 1` to `k = index`, from the index's second highest bit down.
    fn advance_to(&mut self, index: &BigUint) {
        for bit in (0..index.bits() - 1).rev() {
            self.double();
            if index.bit(bit) {
                self.increment();
            }
        }
    }

    /// `U_2k = U_k V_k`, `V_2k = V_k^2 - 2 Q^k`.
    fn double(&mut self) {
        let n = self.n;
        self.u = &self.u * &self.v % n;
        // Two times n keeps the difference from going below zero.
        self.v = (&self.v * &self.v + ((n - &self.q_power) << 1u32)) % n;
        self.q_power = &self.q_power * &self.q_power % n;
    }

    /// `U_(k+1) = (U_k + V_k)/2`, `V_(k+1) = (D U_k + V_k)/2`.
    fn increment(&mut self) {
        let n = self.n;
        let u = self.halve(&self.u + &self.v);
        self.v = self.halve((&self.d * &self.u + &self.v) % n);
        self.u = u;
        self.q_power = &self.q_power * &self.q % n;
    }

    /// `x/2` modulo `n`, reduced for `x < 2n`.
    fn halve(&self, x: BigUint) -> BigUint {
        let even = if x.bit(0) { x + self.n } else { x };
        let half = even >> 1u32;
        if half >= *self.n { half - self.n } else { half }
    }
}

/// A signed number modulo `n`.
fn residue(value: i64, n: &BigUint) -> BigUint {
    let magnitude = BigUint::from(value.unsigned_abs()) % n;
    if value < 0 && !magnitude.is_zero() {
        n - magnitude
    } else {
        magnitude
    }
}
