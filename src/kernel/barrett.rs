//! Barrett's reduction of canonical values: the quotient by `p` from a product with a precomputed
//! reciprocal, a little too small, and as many subtractions as the exact bound of its error demands.
//!
//! For `x < p^2` and `p` of `b` bits in `n` words: with `m = floor(2^k / p)` and the top words
//! `h = floor(x / 2^s)` of `x`, the quotient estimate is `l = floor((h m - dropped) / 2^(k - s))`,
//! and
//!
//! ```text
//! x / p - l < 1 + e,   e = p^2 (1 / p - m / 2^k) + m / 2^(k - s) + dropped / 2^(k - s)
//! ```
//!
//! where the terms are what the rounding of `m`, of `h`, and the word products left out of `h m`
//! cost. So `x - l p < (1 + e) p`, and `ceil(e)` conditional subtractions of `p` give the result,
//! provided that `(1 + e) p` fits into the words in which `x - l p` is computed.

use num_bigint::BigUint;
use num_traits::One;

use super::build::{BorrowChain, Builder};
use super::candidates::Operation;
use super::modular::subtract_multiples;
use super::truncated::{self, Columns, dropped_max};
use super::wide::{self, Product};
use super::{Bound, Modulus, Operand, Program};

/// The structure of a Barrett reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// How products are computed.
    pub product: Product,
    /// The words in which the remainder is computed.
    pub remainder: Remainder,
}

/// The words in which `x - l p` is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remainder {
    /// As many as `p` has, which needs `(1 + e) p` to fit into them.
    Tight,
    /// One more: also for moduli without spare bits.
    Extended,
}

impl Strategy {
    /// Every structure with the given ways to multiply. One more word is of use only where the
    /// remainder does not fit without it.
    pub fn all(modulus: &Modulus, products: &[Product]) -> Vec<Strategy> {
        let of = |remainder| {
            products.iter().map(move |product| Strategy {
                product: *product,
                remainder,
            })
        };
        let mut strategies: Vec<Strategy> = of(Remainder::Tight).collect();
        if !strategies
            .iter()
            .all(|strategy| Reduction::new(modulus, *strategy).is_ok())
        {
            strategies.extend(of(Remainder::Extended));
        }
        strategies
    }

    /// The algorithm's name, for people.
    pub fn name(self, operation: Operation) -> String {
        let reduction = match self.remainder {
            Remainder::Tight => "Barrett",
            Remainder::Extended => "Barrett with one more word",
        };
        let product = self.product;
        match operation {
            Operation::Square => format!("{product} square, {reduction}"),
            Operation::Mul => format!("{product} product, {reduction}"),
        }
    }
}

/// `a b mod p` for `a, b < p`.
pub(crate) fn mul(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let y = b.residue("b", modulus);
    let reduction = Reduction::new(modulus, strategy)?;
    b.note("a b");
    let product = wide::product_words(&mut b, strategy.product, &x, &y);
    let result = reduction.reduce(&mut b, &product);
    Ok(b.finish(result, modulus.limbs))
}

/// `a^2 mod p` for `a < p`.
pub(crate) fn square(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let reduction = Reduction::new(modulus, strategy)?;
    let product = wide::square_words(&mut b, strategy.product, &x);
    let result = reduction.reduce(&mut b, &product);
    Ok(b.finish(result, modulus.limbs))
}

/// `x mod p` for a number `x` of `2 limbs` words below [`wide_limit`].
pub(crate) fn reduce(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let mut x = b.input("x", 2 * modulus.limbs, &(wide_limit(modulus) - 1u32));
    x.truncate(2 * modulus.significant());
    let result = Reduction::new(modulus, strategy)?.reduce(&mut b, &x);
    Ok(b.finish(result, modulus.limbs))
}

/// `x mod p` for any number `x` of `limbs` words, not more than `p` has.
pub(crate) fn reduce_words(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.input("x", modulus.limbs, &(modulus.radix_power() - 1u32));
    debug_assert!(modulus.radix_power() <= wide_limit(modulus));
    let result = Reduction::new(modulus, strategy)?.reduce(&mut b, &x);
    Ok(b.finish(result, modulus.limbs))
}

/// What [`reduce`] accepts: numbers below `p^2`.
pub(crate) fn wide_limit(modulus: &Modulus) -> BigUint {
    &modulus.p * &modulus.p
}

/// A reduction whose bounds hold for its modulus.
#[derive(Debug)]
pub(crate) struct Reduction<'a> {
    p: &'a BigUint,
    word_bits: u32,
    /// Words of `p`.
    words: usize,
    product: Product,
    /// `s`: the bits of `x` below `h`.
    shift: u32,
    /// `m`.
    reciprocal: BigUint,
    /// Products of words `h_i m_j` with `i + j` below this are left out.
    first_column: usize,
    /// Words that the remainder may have.
    remainder_words: usize,
    /// `e`, in units of `2^-k`.
    error: BigUint,
    /// `k`.
    reciprocal_shift: u32,
}

impl<'a> Reduction<'a> {
    /// The reduction with the fewest word products that keep the number of subtractions smallest.
    pub fn new(modulus: &'a Modulus, strategy: Strategy) -> Result<Self, Bound> {
        let p = &modulus.p;
        let words = modulus.significant();
        let word_bits = modulus.word_bits;
        let bits = u32::try_from(p.bits()).expect("a modulus of fewer than 2^32 bits");
        let total = word_bits * u32::try_from(words).expect("few words");
        // `h` has all bits of `x` from `s` on, in `n` words.
        let shift = (2 * bits).saturating_sub(total);
        let reciprocal_shift = shift + total;
        let reciprocal = (BigUint::one() << reciprocal_shift) / p;
        let remainder_words = match strategy.remainder {
            Remainder::Tight => words,
            Remainder::Extended => words + 1,
        };
        let mut reduction = Reduction {
            p,
            word_bits,
            words,
            product: strategy.product,
            shift,
            reciprocal,
            first_column: 0,
            remainder_words,
            error: BigUint::ZERO,
            reciprocal_shift,
        };
        reduction.error = reduction.error_of(0);
        let fewest = reduction.subtractions();
        for first_column in (1..words).rev() {
            let error = reduction.error_of(first_column);
            let found = Reduction {
                first_column,
                error,
                ..reduction
            };
            if found.subtractions() == fewest && found.excess().is_none() {
                return Ok(found);
            }
            reduction = found;
        }
        let error = reduction.error_of(0);
        let reduction = Reduction {
            first_column: 0,
            error,
            ..reduction
        };
        match reduction.excess() {
            None => Ok(reduction),
            Some(bound) => Err(bound),
        }
    }

    /// `e` in units of `2^-k`, where the columns below `first` are dropped: for Barrett's bound
    /// `p^2 (1/p - m/2^k) + (m + dropped) / 2^(k - s)`.
    fn error_of(&self, first: usize) -> BigUint {
        let rounding =
            self.p * ((BigUint::one() << self.reciprocal_shift) - self.p * &self.reciprocal);
        let dropped = dropped_max(self.word_bits, self.words, &self.reciprocal, first);
        let low_bits = if self.shift == 0 {
            BigUint::ZERO
        } else {
            self.reciprocal.clone()
        };
        rounding + ((low_bits + dropped) << self.shift)
    }

    /// `ceil(e)`: the number of conditional subtractions.
    pub fn subtractions(&self) -> BigUint {
        let unit = BigUint::one() << self.reciprocal_shift;
        (&self.error + &unit - 1u32) >> self.reciprocal_shift
    }

    /// The exclusive bound `(1 + e) p` on the remainder, rounded up.
    fn remainder_bound(&self) -> BigUint {
        let unit = BigUint::one() << self.reciprocal_shift;
        ((&unit + &self.error) * self.p + &unit - 1u32) >> self.reciprocal_shift
    }

    /// Which bound fails, and by how much.
    fn excess(&self) -> Option<Bound> {
        let space = BigUint::one() << (self.word_bits as usize * self.remainder_words);
        let bound = self.remainder_bound();
        if bound <= space {
            return None;
        }
        let bits = self.word_bits as usize * self.remainder_words;
        Some(Bound::new(
            format!(
                "(1 + e) p <= 2^{bits}, so that Barrett's remainder fits into {} words",
                self.remainder_words
            ),
            format!(
                "the quotient error is e = {}, so that (1 + e) p = {} 2^{bits}",
                decimal(&self.error, &(BigUint::one() << self.reciprocal_shift)),
                decimal(&bound, &space),
            ),
        ))
    }

    /// `x mod p` for the words of a number below `p^2`.
    fn reduce(&self, b: &mut Builder, x: &[Operand]) -> Vec<Operand> {
        let n = self.words;
        let wide_max = self.p * self.p - 1u32;
        let word = |i: usize| x.get(i).copied().unwrap_or(Operand::ZERO);

        b.note(format!("h = x >> {}", self.shift));
        b.stem("h");
        let (skip, by) = (
            (self.shift / self.word_bits) as usize,
            self.shift % self.word_bits,
        );
        let high: Vec<Operand> = (skip..skip + n)
            .map(|i| b.funnel(word(i), word(i + 1), by))
            .collect();

        b.note(format!(
            "quotient estimate: h times the reciprocal, its words from {n} on"
        ));
        b.stem("t");
        let reciprocal = b.constant(&self.reciprocal);
        let columns = Columns {
            first: self.first_column,
            ..Columns::ALL
        };
        let max = ((&wide_max >> self.shift) * &self.reciprocal).min(b.power(2 * n) - 1u32);
        let estimate = truncated::columns(b, self.product, &high, &reciprocal, columns, &max);
        // The estimate is at most x / p < p.
        let estimate = &estimate[n..(2 * n).min(estimate.len())];

        b.note("remainder: x less the estimate times p, as far as it can be other than zero");
        let p = b.constant(self.p);
        let remainder_max = self.remainder_bound() - 1u32;
        let remainder_words = b.words_of(&remainder_max);
        let columns = Columns {
            limit: Some(remainder_words),
            ..Columns::ALL
        };
        let multiple = truncated::columns(b, self.product, estimate, &p, columns, &wide_max);
        b.stem("r");
        let mut chain = BorrowChain::default();
        let remainder = (0..remainder_words)
            .map(|i| {
                chain.sub(
                    b,
                    word(i),
                    multiple.get(i).copied().unwrap_or(Operand::ZERO),
                )
            })
            .collect();
        chain.discard(b);
        subtract_multiples(b, remainder, &remainder_max, self.p)
    }
}

/// `numerator / denominator` to three digits after the point, rounded up.
fn decimal(numerator: &BigUint, denominator: &BigUint) -> String {
    let thousandths: BigUint = (numerator * 1000u32 + denominator - 1u32) / denominator;
    let text = format!("{thousandths:0>4}");
    let (whole, fraction) = text.split_at(text.len() - 3);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::testing::{Random, check, check_all, moduli, tight};

    const PRODUCTS: [Product; 3] = [
        Product::Rows,
        Product::Chains { karatsuba: 0 },
        Product::Chains { karatsuba: 1 },
    ];

    fn strategies() -> Vec<Strategy> {
        let of = |remainder| PRODUCTS.map(|product| Strategy { product, remainder });
        [of(Remainder::Tight), of(Remainder::Extended)].concat()
    }

    /// Checks every strategy whose bound holds; returns the names of the others.
    fn check_strategies(modulus: &Modulus, samples: usize, random: &mut Random) -> Vec<Bound> {
        let p = &modulus.p;
        let mut refused = Vec::new();
        for strategy in strategies() {
            match mul(modulus, strategy) {
                Ok(program) => check(&program, samples, random, |x| &x[0] * &x[1] % p),
                Err(bound) => {
                    refused.push(bound);
                    continue;
                }
            }
            let program = square(modulus, strategy).expect("the bound is that of mul");
            check(&program, samples, random, |x| &x[0] * &x[0] % p);
            let program = reduce(modulus, strategy).expect("the bound is that of mul");
            check(&program, samples, random, |x| &x[0] % p);
        }
        refused
    }

    #[test]
    fn named_moduli() {
        let mut random = Random::new(20);
        for word_bits in [32, 64] {
            for (name, modulus) in moduli(word_bits) {
                let refused = check_strategies(&modulus, 10, &mut random);
                // Only the tight remainder is refused, and only without a spare bit.
                let full = modulus.p.bits() % u64::from(word_bits) == 0;
                assert_eq!(
                    refused.len(),
                    if full { PRODUCTS.len() } else { 0 },
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn every_length() {
        let mut random = Random::new(21);
        let strategies = strategies();
        for bits in 2..=768 {
            let p = random.odd(bits);
            // All strategies around the multiples of 32 bits up to eight words, else in turn.
            let all = (bits + 1) % 32 < 3 && bits < 260;
            for word_bits in [32, 64] {
                let modulus = tight(&p, word_bits);
                if all {
                    check_strategies(&modulus, 1, &mut random);
                } else if let Ok(program) = mul(&modulus, strategies[bits as usize % 6]) {
                    check(&program, 1, &mut random, |x| &x[0] * &x[1] % &p);
                }
            }
        }
    }

    #[test]
    fn subtractions_follow_from_the_exact_error() {
        let tight = Strategy {
            product: Product::Chains { karatsuba: 0 },
            remainder: Remainder::Tight,
        };
        let modulus = |name| moduli(32).into_iter().find(|(n, _)| *n == name).unwrap().1;
        // e = 1.18: a quotient estimate that is 2 too small does occur.
        let modulus = modulus("bls12_381_fr");
        let reduction = Reduction::new(&modulus, tight).unwrap();
        assert_eq!(reduction.subtractions(), BigUint::from(2u32));
        let error = decimal(
            &reduction.error,
            &(BigUint::one() << reduction.reciprocal_shift),
        );
        assert!(error.starts_with("1.18"), "{error}");
    }

    #[test]
    fn remainders_that_do_not_fit_are_refused() {
        // Just below 2^255, where 1 + e may be more than 2: a published implementation counts the
        // subtractions only, and is wrong here.
        let mut random = Random::new(22);
        let tight_chains = Strategy {
            product: Product::Chains { karatsuba: 0 },
            remainder: Remainder::Tight,
        };
        let mut refused = 0;
        for _ in 0..40 {
            let p = (BigUint::one() << 255) - random.odd(200);
            let modulus = tight(&p, 32);
            check_strategies(&modulus, 3, &mut random);
            if let Err(bound) = Reduction::new(&modulus, tight_chains) {
                refused += 1;
                assert!(bound.to_string().starts_with(
                    "needs (1 + e) p <= 2^256, so that Barrett's remainder fits into 8 words, \
                     but the quotient error is e = 1."
                ));
            }
        }
        assert!((5..35).contains(&refused), "{refused} of 40 refused");
    }

    #[test]
    fn tiny_words_exhaustively() {
        for (word_bits, max_bits) in [(2, 6), (3, 6), (4, 6)] {
            for p in (3u32..1 << max_bits).step_by(2) {
                let modulus = tight(&BigUint::from(p), word_bits);
                for strategy in strategies() {
                    let Ok(program) = mul(&modulus, strategy) else {
                        continue;
                    };
                    check_all(&program, |x| &x[0] * &x[1] % p);
                    check_all(&square(&modulus, strategy).unwrap(), |x| &x[0] * &x[0] % p);
                    check_all(&reduce(&modulus, strategy).unwrap(), |x| &x[0] % p);
                }
            }
        }
    }
}
