//! Folding for moduli next to a power of two: with `p = 2^k - c`, `2^k = c mod p`, so that the
//! part of a number above `2^k` is multiplied by `c` and added to the part below. Values are
//! canonical.
//!
//! However it is folded (see [`Fold`]), what is left of `x` is finished in one step. With
//! `x = h 2^k + l` and `q = h + 1`,
//!
//! ```text
//! x - q p = l + q c - 2^k   and   -p <= -c <= l + q c - 2^k < q c
//! ```
//!
//! so that where `q c <= p` for the largest `q`, one multiple `q p` and one addition of `p`, where
//! that was negative, leave the residue.

mod product;
mod sparse;

use std::fmt;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use self::sparse::Digits;
use super::accumulator::Accumulator;
use super::build::{BorrowChain, Builder, CarryChain};
use super::candidates::Operation;
use super::wide::{self, Product};
use super::{Bound, Flag, Modulus, Operand, Program};

/// Folding by products: as many as this.
const MOST_FOLDS: u32 = 4;

/// How a number of twice the length is brought near `2^k`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// The high part times `c`, until that is short: for small `c`.
    Product,
    /// For `c` with few digits, most of them 0, 1 or -1: a power of `2^digit` above `2^k` is a
    /// sum and difference of few below, so that digits are added in rows.
    Digits { bits: u32 },
}

/// The structure of a multiplication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// How products are computed.
    pub product: Product,
    pub fold: Fold,
}

impl Strategy {
    /// Every structure with the given ways to multiply, simple ones first.
    pub fn all(modulus: &Modulus, products: &[Product]) -> Vec<Strategy> {
        let digits = [modulus.word_bits, modulus.word_bits / 2];
        let digits = digits.map(|bits| Fold::Digits { bits });
        let folds = [Fold::Product].into_iter().chain(digits);
        folds
            .flat_map(|fold| {
                let strategy = move |product: &Product| Strategy {
                    product: *product,
                    fold,
                };
                products.iter().map(strategy)
            })
            .collect()
    }

    /// The algorithm's name, for people.
    pub fn name(self, operation: Operation, modulus: &Modulus) -> String {
        let product = self.product;
        let what = match operation {
            Operation::Square => "square",
            Operation::Mul => "product",
        };
        let congruence = congruence(&modulus.p);
        match self.fold {
            Fold::Product => format!("{product} {what}, folded by {congruence}"),
            Fold::Digits { bits } => {
                format!("{product} {what}, folded by {congruence} in digits of {bits} bits")
            }
        }
    }
}

/// `2^k = c` modulo `p`, with numbers for letters.
pub(crate) fn congruence(p: &BigUint) -> String {
    let (bits, c) = form(p);
    format!("2^{bits} = {}", Powers(&c))
}

/// `k` and `c` of `p = 2^k - c`.
fn form(p: &BigUint) -> (u64, BigUint) {
    let bits = p.bits();
    (bits, (BigUint::one() << bits) - p)
}

/// `a b mod p` for `a, b < p`.
pub(crate) fn mul(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let y = b.residue("b", modulus);
    b.note("a b");
    let product = wide::product_words(&mut b, strategy.product, &x, &y);
    let max = (&modulus.p - 1u32).pow(2);
    let result = reduction(&mut b, modulus, strategy, product, &max)?;
    Ok(b.finish(result, modulus.limbs))
}

/// `a^2 mod p` for `a < p`.
pub(crate) fn square(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let square = wide::square_words(&mut b, strategy.product, &x);
    let max = (&modulus.p - 1u32).pow(2);
    let result = reduction(&mut b, modulus, strategy, square, &max)?;
    Ok(b.finish(result, modulus.limbs))
}

/// `x mod p` for a number `x` of `2 limbs` words below [`wide_limit`].
pub(crate) fn reduce(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let max = wide_limit(modulus) - 1u32;
    reduce_up_to(modulus, strategy, 2 * modulus.limbs, &max)
}

/// `x mod p` for any number `x` of `limbs` words.
pub(crate) fn reduce_words(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let max = modulus.radix_power() - 1u32;
    reduce_up_to(modulus, strategy, modulus.limbs, &max)
}

/// What [`reduce`] accepts: numbers below `p^2`.
pub(crate) fn wide_limit(modulus: &Modulus) -> BigUint {
    &modulus.p * &modulus.p
}

fn reduce_up_to(
    modulus: &Modulus,
    strategy: Strategy,
    words: usize,
    max: &BigUint,
) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.input("x", words, max);
    let result = reduction(&mut b, modulus, strategy, x, max)?;
    Ok(b.finish(result, modulus.limbs))
}

/// The residue of a number up to `max`.
fn reduction(
    b: &mut Builder,
    modulus: &Modulus,
    strategy: Strategy,
    x: Vec<Operand>,
    max: &BigUint,
) -> Result<Vec<Operand>, Bound> {
    let folding = Folding::new(b, modulus, strategy.product);
    b.stem("f");
    let mut x = Accumulator::new(x, max.clone());
    let mut max = max.clone();
    match strategy.fold {
        Fold::Product => {
            for fold in 0.. {
                let Some(excess) = folding.excess(&max) else {
                    break;
                };
                if fold == MOST_FOLDS {
                    return Err(excess.after(&format!("{MOST_FOLDS} folds")));
                }
                (x, max) = product::fold(b, &folding, &x, &max);
            }
        }
        Fold::Digits { bits } => {
            let digits = Digits::new(b, &folding, bits, &max)?;
            (x, max) = digits.fold(b, &folding, &x);
            if let Some(excess) = folding.excess(&max) {
                return Err(excess.after("the sum of all rows"));
            }
        }
    }
    Ok(folding.finish(b, &x, &max))
}

/// A modulus as what folding knows about it.
struct Folding<'a> {
    p: &'a BigUint,
    /// `k`.
    bits: usize,
    c: BigUint,
    /// Words of `p`.
    words: usize,
    product: Product,
}

impl<'a> Folding<'a> {
    fn new(b: &Builder, modulus: &'a Modulus, product: Product) -> Self {
        let (bits, c) = form(&modulus.p);
        Folding {
            p: &modulus.p,
            bits: bits.to_usize().expect("a modulus in memory"),
            c,
            words: b.words_of(&modulus.p),
            product,
        }
    }

    /// The largest `q` for numbers up to `max`.
    fn quotient_max(&self, max: &BigUint) -> BigUint {
        (max >> self.bits) + 1u32
    }

    /// By how much numbers up to `max` are too large to be finished, if they are.
    fn excess(&self, max: &BigUint) -> Option<Excess> {
        let quotient = self.quotient_max(max);
        let product = &quotient * &self.c;
        (product > *self.p).then(|| Excess {
            bits: self.bits,
            c_bits: self.c.bits(),
            high_bits: (quotient - 1u32).bits(),
            factor_bits: (product / self.p).bits(),
        })
    }

    /// The words of `x` from bit `k` on.
    fn high(&self, b: &mut Builder, x: &Accumulator, max: &BigUint) -> Vec<Operand> {
        let (word, by) = self.position(b);
        let words = b.words_of(&(max >> self.bits));
        (word..word + words)
            .map(|i| b.funnel(x.get(i), x.get(i + 1), by))
            .collect()
    }

    /// The words of `x` below bit `k`.
    fn low(&self, b: &mut Builder, x: &Accumulator) -> Accumulator {
        let (word, bits) = self.position(b);
        let mut low = x.words(0, word);
        if bits > 0 {
            let by = b.word_bits() - bits;
            let shifted = b.shift_left(x.get(word), by);
            low.push(b.shift_right(shifted, by));
        }
        Accumulator::new(low, (BigUint::one() << self.bits) - 1u32)
    }

    /// Where bit `k` is: the word and the bit in it.
    fn position(&self, b: &Builder) -> (usize, u32) {
        let word_bits = b.word_bits() as usize;
        let bit = u32::try_from(self.bits % word_bits).expect("a bit of a word");
        (self.bits / word_bits, bit)
    }

    /// `x mod p` for `x` up to `max`, of which the quotient is known up to 1.
    fn finish(&self, b: &mut Builder, x: &Accumulator, max: &BigUint) -> Vec<Operand> {
        let (word, bit) = self.position(b);
        b.note(format!("q = (x >> {}) + 1", self.bits));
        b.stem("q");
        let mut chain = CarryChain::default();
        let mut one = Operand::Constant(1);
        let mut quotient = Vec::new();
        for high in self.high(b, x, max) {
            quotient.push(chain.add(b, high, one));
            one = Operand::ZERO;
        }
        let words = b.words_of(&self.quotient_max(max));
        if quotient.len() < words {
            let top = if quotient.is_empty() {
                one
            } else {
                chain.into_word(b)
            };
            quotient.push(top);
        } else {
            chain.discard(b);
        }

        b.note(format!("(x mod 2^{}) + q c", self.bits));
        b.stem("s");
        let low = self.low(b, x);
        let c = b.constant(&self.c);
        let power = BigUint::one() << self.bits;
        let sum_max = &power - 1u32 + self.quotient_max(max) * &self.c;
        let sum = product::add(b, self.product, low, &quotient, &c, &sum_max);

        b.note(format!(
            "less 2^{}, or less c where that is negative",
            self.bits
        ));
        b.stem("d");
        let mut chain = BorrowChain::default();
        let top = chain.sub(b, sum.get(word), Operand::Constant(1 << bit));
        let negative = Flag::Borrow(chain.into_flag().expect("something is subtracted"));
        let mut words = sum.words(0, self.words);
        if let Some(last) = words.get_mut(word) {
            *last = b.select(negative, *last, top);
        }
        let c: Vec<Operand> = c.into_iter().map(|limb| b.mask(negative, limb)).collect();
        b.stem("r");
        let mut chain = BorrowChain::default();
        let result = words
            .iter()
            .enumerate()
            .map(|(i, word)| chain.sub(b, *word, c.get(i).copied().unwrap_or(Operand::ZERO)))
            .collect();
        chain.discard(b);
        result
    }
}

/// How far `q c` is above `p`.
struct Excess {
    /// `k`.
    bits: usize,
    c_bits: u64,
    /// Of `q - 1`.
    high_bits: u64,
    /// Of `q c / p`.
    factor_bits: u64,
}

impl Excess {
    fn after(&self, what: &str) -> Bound {
        let Excess {
            bits,
            c_bits,
            high_bits,
            factor_bits,
        } = self;
        Bound::new(
            format!(
                "(h + 1) c <= p for c = 2^{bits} - p and the part h above 2^{bits} after {what}"
            ),
            format!(
                "c has {c_bits} bits and h up to {high_bits}, which is up to 2^{factor_bits} p"
            ),
        )
    }
}

/// A number as a sum of few powers of two, or else in hexadecimal.
struct Powers<'a>(&'a BigUint);

impl fmt::Display for Powers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST_TERMS: usize = 5;
        if let Some(small) = self.0.to_u16() {
            return write!(f, "{small}");
        }
        // As it is, or with its low bits as a decimal number.
        let low = self.0 & BigUint::from(u16::MAX);
        let terms = signed_bits(self.0);
        let rounded = signed_bits(&(self.0 - &low));
        let (terms, low) = if rounded.len() + 1 < terms.len() {
            (rounded, Some(low))
        } else {
            (terms, None)
        };
        if terms.len() > MOST_TERMS {
            return write!(f, "{:#x}", self.0);
        }
        for (i, (shift, negative)) in terms.iter().rev().enumerate() {
            match (i, negative) {
                (0, _) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            match shift {
                0 => f.write_str("1")?,
                _ => write!(f, "2^{shift}")?,
            }
        }
        low.map_or(Ok(()), |low| write!(f, " + {low}"))
    }
}

/// Powers of two, and whether they are subtracted, from the smallest on: no two of them are next to
/// each other.
fn signed_bits(value: &BigUint) -> Vec<(u64, bool)> {
    let mut terms = Vec::new();
    let mut rest = value.clone();
    let mut shift = 0;
    while let Some(zeros) = rest.trailing_zeros() {
        shift += zeros;
        rest >>= zeros;
        let negative = rest.bit(1);
        terms.push((shift, negative));
        if negative {
            rest += 1u32;
        } else {
            rest -= 1u32;
        }
    }
    terms
}

#[cfg(test)]
mod tests;
