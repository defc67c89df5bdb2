//! Factorisation within a budget.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::rho::{self, Budget};
use super::{Evidence, Primality, SMALL_PRIMES, check};

/// What the rho method may cost in all, in word products: some milliseconds. It suffices to find
/// factors of up to about 27 bits in numbers of 256 bits.
const BUDGET: u64 = 1 << 21;

/// The same for each number of one word, where it always suffices: the smaller factor has at most
/// 32 bits and takes some 2^17 steps, of 5 word products each.
const BUDGET_FOR_WORD: u64 = 1 << 23;

/// A number as a product: `primes` (ascending, with exponents) times `rest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Factorization {
    pub primes: Vec<(BigUint, u32)>,
    /// 1 where the factorisation is complete; otherwise composite (or a product of composites)
    /// of factors that the budget did not suffice to find.
    pub rest: BigUint,
}

impl Factorization {
    pub(crate) fn is_complete(&self) -> bool {
        self.rest.is_one()
    }

    /// The primes without their exponents.
    pub(crate) fn distinct_primes(&self) -> Vec<BigUint> {
        self.primes.iter().map(|(prime, _)| prime.clone()).collect()
    }
}

/// The prime factors of `n > 0`, as far as the budget goes.
pub(crate) fn factorize(n: &BigUint) -> Factorization {
    let mut primes = BTreeMap::new();
    let cofactor = divide_by_small_primes(n.clone(), &mut primes);
    let mut budget = Budget::new(BUDGET);
    let mut rest = BigUint::one();
    let mut open = vec![cofactor];
    while let Some(n) = open.pop() {
        if n.is_one() {
            continue;
        }
        let factor = match check(&n) {
            Primality::Prime => {
                *primes.entry(n).or_insert(0) += 1;
                continue;
            }
            Primality::Composite(Evidence::Factor(factor)) => Some(factor),
            _ if n.bits() <= 64 => find_factor(&n),
            _ => rho::find_factor(&n, &mut budget),
        };
        match factor {
            Some(factor) => {
                open.push(&n / &factor);
                open.push(factor);
            }
            None => rest *= n,
        }
    }
    Factorization {
        primes: primes.into_iter().collect(),
        rest,
    }
}

/// A proper factor of an odd composite number, where the budget suffices to find one.
pub(crate) fn find_factor(n: &BigUint) -> Option<BigUint> {
    let budget = if n.bits() <= 64 {
        BUDGET_FOR_WORD
    } else {
        BUDGET
    };
    rho::find_factor(n, &mut Budget::new(budget))
}

/// Records the small primes of `n` and returns what is left.
fn divide_by_small_primes(mut n: BigUint, primes: &mut BTreeMap<BigUint, u32>) -> BigUint {
    for &prime in SMALL_PRIMES.iter() {
        while (&n % prime).is_zero() {
            n /= prime;
            *primes.entry(BigUint::from(prime)).or_insert(0) += 1;
        }
    }
    n
}
