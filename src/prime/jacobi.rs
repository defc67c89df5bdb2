//! Quadratic residues.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

/// The Jacobi symbol `(a/n)` for odd `n`: 0 where the two have a common factor; for prime `n`
/// otherwise 1 where `a` is a square modulo `n` and -1 where it is not.
pub(super) fn jacobi(a: &BigUint, n: &BigUint) -> i32 {
    debug_assert!(n.bit(0), "Jacobi symbols need an odd second number");
    let (mut a, mut n) = (a % n, n.clone());
    let mut sign = 1;
    while !a.is_zero() {
        if let (Some(a), Some(n)) = (a.to_u64(), n.to_u64()) {
            return sign * jacobi_u64(a, n);
        }
        let twos = a.trailing_zeros().unwrap_or(0);
        a >>= twos;
        if flips(twos, low_bits(&a), low_bits(&n)) {
            sign = -sign;
        }
        let remainder = &n % &a;
        n = std::mem::replace(&mut a, remainder);
    }
    if n.is_one() { sign } else { 0 }
}

fn jacobi_u64(mut a: u64, mut n: u64) -> i32 {
    let mut sign = 1;
    a %= n;
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        if flips(u64::from(twos), a & 7, n & 7) {
            sign = -sign;
        }
        (a, n) = (n % a, a);
    }
    if n == 1 { sign } else { 0 }
}

/// Whether `(2^twos a / n) = -(n / a)` for odd `a` and `n`, of which only the lowest three bits
/// matter: `(2/n) = -1` for `n = 3, 5 (mod 8)`, and reciprocity.
fn flips(twos: u64, a: u64, n: u64) -> bool {
    let by_twos = twos % 2 == 1 && (n == 3 || n == 5);
    let by_reciprocity = a % 4 == 3 && n % 4 == 3;
    by_twos != by_reciprocity
}

fn low_bits(n: &BigUint) -> u64 {
    n.iter_u64_digits().next().unwrap_or(0) & 7
}

/// The smallest quadratic non-residue of an odd prime.
///
/// It is small: below `2 (ln p)^2` under the generalised Riemann hypothesis, and each candidate
/// costs one remainder of `p`.
pub(crate) fn smallest_nonresidue(p: &BigUint) -> BigUint {
    (2u32..)
        .map(BigUint::from)
        .find(|candidate| jacobi(candidate, p) == -1)
        .expect("half of all numbers below an odd prime are non-residues")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Euler's criterion, by counting squares.
    #[test]
    fn agrees_with_the_squares_of_every_small_prime() {
        for p in [3u32, 5, 7, 11, 13, 17, 19, 23, 97, 251, 257, 1009] {
            let squares: Vec<u32> = (1..p).map(|x| x * x % p).collect();
            for a in 0..2 * p {
                let expected = match a % p {
                    0 => 0,
                    residue if squares.contains(&residue) => 1,
                    _ => -1,
                };
                assert_eq!(jacobi(&a.into(), &p.into()), expected, "({a}/{p})");
            }
        }
    }

    #[test]
    fn smallest_nonresidues() {
        // The second line: p = 1 (mod 8) where 3, 5, ... are residues too (OEIS A000229).
        for (p, n) in [
            (3u32, 2u32),
            (5, 2),
            (7, 3),
            (23, 5),
            (71, 7),
            (311, 11),
            (479, 13),
            (1559, 17),
            (5711, 19),
            (10559, 23),
            (18191, 29),
            (31391, 31),
            (422231, 37),
            (701399, 41),
        ] {
            assert_eq!(smallest_nonresidue(&p.into()), n.into(), "{p}");
        }
    }

    proptest! {
        /// `(a/mn) = (a/m)(a/n)` and `(ab/n) = (a/n)(b/n)` across word boundaries.
        #[test]
        fn is_multiplicative(a in 0u128.., b in 0u128.., m in 0u128.., n in 0u64..) {
            let [a, b, m] = [a, b, m | 1].map(BigUint::from);
            let n = BigUint::from(n | 1);
            prop_assert_eq!(jacobi(&a, &(&m * &n)), jacobi(&a, &m) * jacobi(&a, &n));
            prop_assert_eq!(jacobi(&(&a * &b), &m), jacobi(&a, &m) * jacobi(&b, &m));
        }
    }
}
