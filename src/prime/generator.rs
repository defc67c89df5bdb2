//! Generators of the multiplicative group.

use num_bigint::BigUint;
use num_traits::One;

use super::jacobi::jacobi;

/// How many numbers are tried before the search for a small generator ends.
///
/// Below 10^15 every prime has a generator below 600, and the smallest one grows like a power of
/// the logarithm; but a prime can be made on purpose so that it has no small one.
const CANDIDATES: u32 = 2000;

/// The work that the search may take, in word products of 64 bits.
const BUDGET: u64 = 1 << 30;

/// The smallest of the given primes `q` of `p - 1` for which `g^((p-1)/q) = 1`, so that `g` is
/// not a generator. `None`: there is no such prime, and where `primes` are all primes of `p - 1`,
/// `g` (which is not 0 modulo `p`) generates the multiplicative group.
pub(crate) fn failing_prime<'a>(
    g: &BigUint,
    p: &BigUint,
    primes: &'a [BigUint],
) -> Option<&'a BigUint> {
    let order = p - 1u32;
    let cofactor = primes.iter().fold(order, |order, prime| order / prime);
    failing_prime_of(&g.modpow(&cofactor, p), p, primes)
}

/// The same, given `power = g^((p-1) / product of the primes)`.
///
/// Halving the list costs `log2(primes)` exponentiations of full length in all, where one after
/// the other would cost as many as there are primes.
fn failing_prime_of<'a>(
    power: &BigUint,
    p: &BigUint,
    primes: &'a [BigUint],
) -> Option<&'a BigUint> {
    match primes {
        [] => None,
        [prime] => power.is_one().then_some(prime),
        _ => {
            let (low, high) = primes.split_at(primes.len() / 2);
            let raised_by = |primes: &[BigUint]| power.modpow(&primes.iter().product(), p);
            failing_prime_of(&raised_by(high), p, low)
                .or_else(|| failing_prime_of(&raised_by(low), p, high))
        }
    }
}

/// The smallest generator modulo the odd prime `p`, given all primes of `p - 1`; `None` where
/// the bounds on the search are met first.
pub(crate) fn smallest_generator(p: &BigUint, primes: &[BigUint]) -> Option<BigUint> {
    let mut budget = BUDGET;
    for candidate in (2..CANDIDATES)
        .map(BigUint::from)
        .take_while(|candidate| candidate < p)
    {
        // A square never generates: half of the candidates cost no exponentiation.
        if jacobi(&candidate, p) == -1 {
            budget = budget.checked_sub(test_cost(p, primes.len()))?;
            if failing_prime(&candidate, p, primes).is_none() {
                return Some(candidate);
            }
        }
    }
    None
}

/// What [`failing_prime`] takes at most, in word products.
fn test_cost(p: &BigUint, primes: usize) -> u64 {
    let words = p.bits().div_ceil(64);
    let multiplication = 2 * words * words + words;
    // A window of four bits: five multiplications for four bits of the exponent.
    let exponentiation = (p.bits() * 5).div_ceil(4) * multiplication;
    let levels = u64::from(primes.next_power_of_two().trailing_zeros());
    (levels + 1) * exponentiation
}
