//! Primality, factors, quadratic residues and generators: the number theory that a prime field
//! rests on.
//!
//! Nothing here is random and nothing looks at a clock: the same question has the same answer on
//! every machine, and what could take long has a budget that is counted in word products.
//!
//! # What "prime" means here
//!
//! [`check`] answers *prime* for a number that has no factor in the table of small primes, is no
//! perfect square, and passes
//!
//! - the Baillie-PSW test: a strong probable-prime test to base 2 together with a strong Lucas test
//!   with Selfridge's parameters. No composite is known to pass it; below 2^64 it is known that
//!   none does (Feitsma and Galway's list of all base-2 pseudoprimes, none of them a strong Lucas
//!   pseudoprime);
//! - the Miller-Rabin test to the twelve prime bases from 3 to 41, which a composite made to pass
//!   one half of the above would have to pass as well.
//!
//! *Composite* is always certain.
//!
//! # Sources
//!
//! - R. Baillie, S. S. Wagstaff, "Lucas pseudoprimes", Math. Comp. 35 (1980): the strong Lucas test
//!   and Selfridge's choice of parameters ("method A").
//! - C. Pomerance, J. L. Selfridge, S. S. Wagstaff, "The pseudoprimes to 25·10^9", Math. Comp. 35
//!   (1980): the combination with the base-2 test.
//! - M. O. Rabin, "Probabilistic algorithm for testing primality", J. Number Theory 12 (1980).
//! - R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20 (1980).
//! - A. J. Menezes, P. C. van Oorschot, S. A. Vanstone, "Handbook of Applied Cryptography" (1996),
//!   2.149 (Jacobi symbols), 4.24 (Miller-Rabin), 4.80 (generators).

mod factor;
mod generator;
mod jacobi;
mod lucas;
mod rho;

use std::sync::LazyLock;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

pub(crate) use factor::{Factorization, factorize, find_factor};
pub(crate) use generator::{failing_prime, smallest_generator};
pub(crate) use jacobi::smallest_nonresidue;

/// The answer of [`check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Primality {
    Prime,
    Composite(Evidence),
    /// 0 and 1.
    Neither,
}

/// Why a number is composite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// It has this proper divisor.
    Factor(BigUint),
    /// It fails a test that every prime passes.
    FailedTest(FailedTest),
}

/// A test that a number fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailedTest {
    /// The strong probable-prime test to this base.
    Strong { base: u32 },
    /// The strong Lucas test with `P = 1` and this discriminant `D`.
    Lucas { discriminant: i64 },
}

/// Small primes are those below this bound.
const SMALL_PRIME_BOUND: u32 = 1 << 13;

/// All primes below [`SMALL_PRIME_BOUND`], ascending.
static SMALL_PRIMES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let bound = SMALL_PRIME_BOUND as usize;
    let mut composite = vec![false; bound];
    let mut primes = Vec::new();
    for n in 2..bound {
        if !composite[n] {
            primes.push(n as u32);
            composite[n..]
                .iter_mut()
                .step_by(n)
                .for_each(|multiple| *multiple = true);
        }
    }
    primes
});

/// The bases of the Miller-Rabin test after Baillie-PSW has passed.
const MILLER_RABIN_BASES: [u32; 12] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// Whether `n` is prime (see the [module](self) for what that means).
pub(crate) fn check(n: &BigUint) -> Primality {
    if *n < BigUint::from(2u32) {
        return Primality::Neither;
    }
    if let Some(prime) = smallest_small_factor(n) {
        let prime = BigUint::from(prime);
        return if prime == *n {
            Primality::Prime
        } else {
            Primality::Composite(Evidence::Factor(prime))
        };
    }
    if *n < BigUint::from(SMALL_PRIME_BOUND).pow(2) {
        return Primality::Prime;
    }
    match find_evidence(n) {
        Some(evidence) => Primality::Composite(evidence),
        None => Primality::Prime,
    }
}

/// Whether `n` is prime (see the [module](self) for what that means).
pub(crate) fn is_prime(n: &BigUint) -> bool {
    check(n) == Primality::Prime
}

/// The tests proper, for odd `n` without small factors.
fn find_evidence(n: &BigUint) -> Option<Evidence> {
    // A square has no discriminant of symbol -1: the search for one would not end.
    let root = n.sqrt();
    if &root * &root == *n {
        return Some(Evidence::Factor(root));
    }
    strong_test(n, 2)
        .or_else(|| lucas::strong_test(n))
        .or_else(|| {
            MILLER_RABIN_BASES
                .iter()
                .find_map(|&base| strong_test(n, base))
        })
}

/// The smallest prime below [`SMALL_PRIME_BOUND`] that divides `n`.
fn smallest_small_factor(n: &BigUint) -> Option<u32> {
    SMALL_PRIMES
        .iter()
        .copied()
        .find(|&prime| (n % prime).is_zero())
}

/// The strong probable-prime test of an odd `n > 2` that does not divide `base`: the sequence
/// `base^d, base^2d, base^4d, ..., base^(n-1)` (`d` odd) begins with 1 or contains -1. `None`:
/// passed.
fn strong_test(n: &BigUint, base: u32) -> Option<Evidence> {
    let one = BigUint::one();
    let minus_one = n - &one;
    let doublings = minus_one.trailing_zeros().unwrap_or(0);
    let mut power = BigUint::from(base).modpow(&(&minus_one >> doublings), n);
    if power == one {
        return None;
    }
    for _ in 0..doublings {
        if power == minus_one {
            return None;
        }
        let square = &power * &power % n;
        if square == one {
            // A square root of 1 that is neither 1 nor -1 splits n.
            return Some(Evidence::Factor(gcd(&power - &one, n.clone())));
        }
        power = square;
    }
    Some(Evidence::FailedTest(FailedTest::Strong { base }))
}

/// The inverse of an odd word modulo `2^64`, by Newton's iteration: an odd number is its own
/// inverse modulo 8, and each step doubles the number of correct bits (3, 6, 12, 24, 48, 96).
pub(crate) fn inverse_of_word(odd: u64) -> u64 {
    (0..5).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}

/// The greatest common divisor.
fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    loop {
        if let (Some(mut a), Some(mut b)) = (a.to_u64(), b.to_u64()) {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            return BigUint::from(a);
        }
        if b.is_zero() {
            return a;
        }
        let remainder = &a % &b;
        a = std::mem::replace(&mut b, remainder);
    }
}

#[cfg(test)]
mod tests;
