//! Primes of given lengths and shapes.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::random::Random;

/// Miller-Rabin to the first 24 prime bases, after trial division. The bases decide all numbers
/// below 2^81; of longer ones no composite is known that passes by chance.
pub fn is_prime(n: &BigUint) -> bool {
    const BASES: [u32; 24] = [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89,
    ];
    for divisor in (2..2000u32).filter(|d| *d == 2 || d % 2 == 1) {
        if BigUint::from(divisor * divisor) > *n {
            return *n > BigUint::one();
        }
        if (n % divisor).is_zero() {
            return false;
        }
    }
    let minus_one = n - 1u32;
    let twos = minus_one.trailing_zeros().expect("n > 1");
    let odd = &minus_one >> twos;
    BASES.iter().all(|base| {
        let mut power = BigUint::from(*base).modpow(&odd, n);
        if power.is_one() || power == minus_one {
            return true;
        }
        (1..twos).any(|_| {
            power = &power * &power % n;
            power == minus_one
        })
    })
}

/// What a modulus looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Random,
    /// The largest below `2^bits`.
    High,
    /// The smallest above `2^(bits - 1)`.
    Low,
    /// Few bits set.
    Sparse,
    /// `c 2^k + 1` with `k` of half the length.
    TwoAdic,
}

impl Shape {
    pub const ALL: [Shape; 5] = [
        Shape::Random,
        Shape::High,
        Shape::Low,
        Shape::Sparse,
        Shape::TwoAdic,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Shape::Random => "random",
            Shape::High => "high",
            Shape::Low => "low",
            Shape::Sparse => "sparse",
            Shape::TwoAdic => "two_adic",
        }
    }
}

/// An odd prime of exactly `bits` bits, always the same for the same arguments. Of few bits there
/// is not every shape: then another prime of that length.
pub fn find(bits: u32, shape: Shape) -> BigUint {
    assert!(bits >= 2);
    let mut random = Random::new(&format!("{} {bits}", shape.name()));
    let one = BigUint::one();
    let top = &one << (bits - 1);
    let two = BigUint::from(2u32);
    match shape {
        Shape::High => {
            let mut candidate = (&one << bits) - &one;
            while !is_prime(&candidate) {
                candidate -= &two;
            }
            candidate
        }
        Shape::Low => {
            let mut candidate = &top + &one;
            while !is_prime(&candidate) {
                candidate += &two;
            }
            candidate
        }
        // With fewer bits there may be none.
        Shape::Sparse | Shape::TwoAdic if bits < 16 => find(bits, Shape::Random),
        Shape::Random | Shape::Sparse | Shape::TwoAdic => loop {
            let candidate = match shape {
                Shape::Sparse => {
                    let mut bit = || &one << random.below(u64::from(bits) - 1);
                    &top | bit() | bit() | bit() | &one
                }
                Shape::TwoAdic => {
                    let k = bits / 2;
                    ((random.integer(bits - k) << k) | &top) + &one
                }
                _ => random.integer(bits) | &top | &one,
            };
            if candidate.is_odd() && is_prime(&candidate) {
                return candidate;
            }
        },
    }
}
