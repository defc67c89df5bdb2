//! Pollard's rho in Brent's form, within a budget.

use num_bigint::BigUint;
use num_traits::One;

use super::gcd;

/// Work that may still be done, counted in products of two 64-bit words, so that the same
/// question gets the same answer on every machine.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new(word_products: u64) -> Self {
        Budget(word_products)
    }

    /// Takes `cost` out of the budget; `None` where less is left.
    fn charge(&mut self, cost: u64) -> Option<()> {
        self.0 = self.0.checked_sub(cost)?;
        Some(())
    }
}

/// How many differences are multiplied together before each gcd.
const BATCH: u64 = 256;

/// A proper factor of an odd composite number; `None` where the budget is spent first.
///
/// A prime factor `q` turns up after about `sqrt(q)` steps.
pub(super) fn find_factor(n: &BigUint, budget: &mut Budget) -> Option<BigUint> {
    let modulus = Modulus::new(n);
    let mut increment = 1;
    loop {
        let factor = walk(&modulus, increment, budget)?;
        if factor != *n {
            return Some(factor);
        }
        increment += 1;
    }
}

/// Walks from 2 by `x -> x^2 + increment` until two values agree modulo a factor of `n`, and
/// returns that factor. It is `n` itself where the walk closes its cycle modulo all prime factors
/// in one step; another increment then helps. `None`: the budget is spent.
fn walk(modulus: &Modulus, increment: u64, budget: &mut Budget) -> Option<BigUint> {
    let step_cost = modulus.multiplication_cost();
    let mut walker = Walker::new(modulus, increment);
    let mut product = modulus.residue(1);
    let mut difference = Vec::new();
    let mut length = 1;
    loop {
        let anchor = walker.position.clone();
        budget.charge(length * step_cost)?;
        (0..length).for_each(|_| walker.step());
        let mut walked = 0;
        while walked < length {
            let batch = BATCH.min(length - walked);
            budget.charge(batch * 2 * step_cost + modulus.gcd_cost())?;
            let batch_start = walker.position.clone();
            for _ in 0..batch {
                walker.step();
                walker.distance(&anchor, &mut difference);
                walker.multiply_into(&mut product, &difference);
            }
            let factor = modulus.common_factor(&product);
            if factor == modulus.value {
                // Several prime factors in one batch: go through it again, one gcd a step.
                walker.position = batch_start;
                return retrace(&mut walker, &anchor, budget);
            }
            if !factor.is_one() {
                return Some(factor);
            }
            walked += batch;
        }
        length *= 2;
    }
}

fn retrace(walker: &mut Walker, anchor: &[u64], budget: &mut Budget) -> Option<BigUint> {
    let modulus = walker.modulus;
    let mut difference = Vec::new();
    loop {
        budget.charge(modulus.multiplication_cost() + modulus.gcd_cost())?;
        walker.step();
        walker.distance(anchor, &mut difference);
        let factor = modulus.common_factor(&difference);
        if !factor.is_one() {
            return Some(factor);
        }
    }
}

/// A position of the walk, and room to compute the next one.
struct Walker<'a> {
    modulus: &'a Modulus,
    increment: u64,
    position: Vec<u64>,
    scratch: Vec<u64>,
}

impl<'a> Walker<'a> {
    fn new(modulus: &'a Modulus, increment: u64) -> Self {
        Walker {
            modulus,
            increment,
            position: modulus.residue(2),
            scratch: Vec::new(),
        }
    }

    /// `x^2/R + increment`: the division that Montgomery's multiplication brings does no harm, the
    /// map is still a quadratic polynomial.
    fn step(&mut self) {
        self.modulus
            .multiply(&self.position, &self.position, &mut self.scratch);
        std::mem::swap(&mut self.position, &mut self.scratch);
        self.modulus.add_small(&mut self.position, self.increment);
    }

    /// The distance between the position and `other`, in either direction.
    fn distance(&self, other: &[u64], distance: &mut Vec<u64>) {
        let (larger, smaller) = if is_below(&self.position, other) {
            (other, &self.position[..])
        } else {
            (&self.position[..], other)
        };
        distance.clear();
        distance.extend_from_slice(larger);
        subtract(distance, smaller);
    }

    /// `product * factor / R`: the powers of R have no factor in common with n.
    fn multiply_into(&mut self, product: &mut Vec<u64>, factor: &[u64]) {
        self.modulus.multiply(product, factor, &mut self.scratch);
        std::mem::swap(product, &mut self.scratch);
    }
}

/// An odd modulus for Montgomery multiplication in words of 64 bits, `R = 2^(64 words)`.
///
/// `BigUint` would divide and allocate in each of the many thousand steps.
struct Modulus {
    value: BigUint,
    words: Vec<u64>,
    /// `-n^-1` modulo `2^64`.
    neg_inv: u64,
}

impl Modulus {
    fn new(n: &BigUint) -> Self {
        let words = n.to_u64_digits();
        let neg_inv = super::inverse_of_word(words[0]).wrapping_neg();
        Modulus {
            value: n.clone(),
            words,
            neg_inv,
        }
    }

    fn residue(&self, value: u64) -> Vec<u64> {
        let mut residue = vec![0; self.words.len()];
        residue[0] = value;
        residue
    }

    fn multiplication_cost(&self) -> u64 {
        let words = self.words.len() as u64;
        2 * words * words + words
    }

    /// Euclid's algorithm takes some 40 divisions for each word of its operands; one of big
    /// integers takes as long as some tens of word products.
    fn gcd_cost(&self) -> u64 {
        let words = self.words.len() as u64;
        40 * words * (words + if words == 1 { 10 } else { 40 })
    }

    fn common_factor(&self, residue: &[u64]) -> BigUint {
        let digits = residue
            .iter()
            .flat_map(|&word| [word as u32, (word >> 32) as u32]);
        gcd(BigUint::new(digits.collect()), self.value.clone())
    }

    /// `product = a b / R` modulo `n`, for `a` and `b` below `n`.
    fn multiply(&self, a: &[u64], b: &[u64], product: &mut Vec<u64>) {
        product.clear();
        product.resize(self.words.len(), 0);
        // The running sum stays below 2n, so the word above the product is 0 or 1.
        let mut top = 0;
        for &digit in b {
            top = self.accumulate(product, top, a, digit);
        }
        if top != 0 || !is_below(product, &self.words) {
            subtract(product, &self.words);
        }
    }

    /// `sum = (sum + a digit + n quotient) / 2^64`, with the quotient that makes it divisible.
    /// Takes and returns the word above the sum.
    fn accumulate(&self, sum: &mut [u64], top: u64, a: &[u64], digit: u64) -> u64 {
        let length = sum.len();
        // Slices of one length spare the loop its bounds checks.
        let (a, n) = (&a[..length], &self.words[..length]);
        let (lowest, mut carry_a) = multiply_add(a[0], digit, sum[0], 0);
        let quotient = lowest.wrapping_mul(self.neg_inv);
        let (_, mut carry_n) = multiply_add(n[0], quotient, lowest, 0);
        for i in 1..length {
            let word;
            (word, carry_a) = multiply_add(a[i], digit, sum[i], carry_a);
            (sum[i - 1], carry_n) = multiply_add(n[i], quotient, word, carry_n);
        }
        let above = u128::from(top) + u128::from(carry_a) + u128::from(carry_n);
        sum[length - 1] = above as u64;
        (above >> 64) as u64
    }

    /// `a + small` modulo `n`, for `a` and `small` below `n`.
    fn add_small(&self, a: &mut [u64], small: u64) {
        let mut carry = small;
        for word in a.iter_mut() {
            let (sum, overflow) = word.overflowing_add(carry);
            *word = sum;
            carry = u64::from(overflow);
            if carry == 0 {
                break;
            }
        }
        if carry != 0 || !is_below(a, &self.words) {
            subtract(a, &self.words);
        }
    }
}

/// `a b + c + d` as its low and its high word.
fn multiply_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let value = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (value as u64, (value >> 64) as u64)
}

/// `a -= b`, of equal lengths, modulo `2^(64 words)`.
fn subtract(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (a, &b) in a.iter_mut().zip(b) {
        let (difference, borrow_b) = a.overflowing_sub(b);
        let (difference, borrow_in) = difference.overflowing_sub(u64::from(borrow));
        *a = difference;
        borrow = borrow_b || borrow_in;
    }
}

/// `a < b`, of equal lengths.
fn is_below(a: &[u64], b: &[u64]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(words: &[u64]) -> BigUint {
        words
            .iter()
            .rev()
            .fold(BigUint::ZERO, |value, &word| (value << 64u32) + word)
    }

    /// Words of `value`, as many as the modulus has.
    fn padded(value: &BigUint, modulus: &Modulus) -> Vec<u64> {
        let mut words = value.to_u64_digits();
        words.resize(modulus.words.len(), 0);
        words
    }

    proptest! {
        /// With moduli that leave no spare bit, too.
        #[test]
        fn multiplication(
            mut words in prop::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX)], 1..6),
            a in prop::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX)], 6),
            b in prop::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX)], 6),
            small in any::<u64>(),
        ) {
            words[0] |= 1;
            *words.last_mut().expect("a word") |= 1 << 63;
            let n = value(&words);
            let modulus = Modulus::new(&n);
            let [a, b] = [value(&a) % &n, value(&b) % &n];
            let mut product = Vec::new();
            modulus.multiply(&padded(&a, &modulus), &padded(&b, &modulus), &mut product);
            prop_assert!(value(&product) < n);
            let r = BigUint::one() << (64 * words.len());
            prop_assert_eq!(value(&product) * r % &n, &a * &b % &n);

            let small = small % words[words.len() - 1];
            let mut sum = padded(&a, &modulus);
            modulus.add_small(&mut sum, small);
            prop_assert_eq!(value(&sum), (a + small) % n);
        }
    }

    #[test]
    fn two_factors_in_one_batch_are_told_apart() {
        for (p, q) in [
            (3u32, 5u32),
            (5, 7),
            (7, 11),
            (101, 103),
            (8209, 8219),
            (3, 3),
        ] {
            let n = BigUint::from(p * q);
            let factor = find_factor(&n, &mut Budget::new(1 << 22)).expect("a factor");
            assert!([p.into(), q.into()].contains(&factor), "{n}: {factor}");
        }
    }

    #[test]
    fn no_step_is_taken_without_budget() {
        let n = BigUint::from(8209u32 * 8219);
        let mut needed = 1 << 22;
        find_factor(&n, &mut Budget::new(needed)).expect("a factor");
        while find_factor(&n, &mut Budget::new(needed)).is_some() {
            needed /= 2;
        }
        assert!(needed > 0 && needed < 1 << 20);
        assert_eq!(find_factor(&n, &mut Budget::new(0)), None);
    }
}
