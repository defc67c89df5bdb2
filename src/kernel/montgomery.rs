//! Montgomery multiplication: `a b / R mod p` with `R = 2^(word_bits limbs)`.
//!
//! A reduction adds multiples of `p` that clear the low words one by one. Its number of steps
//! follows from `R`, that is from the stored form, also where `p` has fewer words.

use num_bigint::BigUint;

use super::accumulator::Accumulator;
use super::build::{BorrowChain, Builder, CarryChain};
use super::candidates::Operation;
use super::modular::{add_back, subtract_multiples};
use super::wide::{self, Product};
use super::{Bound, Flag, Modulus, Operand, Program};

/// How one low word `t` of the number is cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Digits {
    /// Add `q p` with the quotient digit `q = -t / p mod B`.
    Quotient,
    /// Add `t p'` with the multiple `p' = -1 mod B` of `p`: divided by `B`, that is the rest of
    /// the number plus `t (p' + 1) / B`. No quotient, no product with the lowest word. The last two
    /// digits use the quotient, so that the result stays below `p (1 + p / R + 1 / B)`.
    Scaled,
    /// For `p = 1 mod B`: subtract `t p`. With `Q = (p - 1) / B`, the number divided by `B` is the
    /// rest plus `t (B^(n - 1) - Q)` less `t B^(n - 1)`; the latter are subtracted together at the
    /// end, and `p` is added where the result is negative.
    Signed,
}

/// The structure of a Montgomery multiplication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Row by row with `x y + z + c`; products interleaved with the reduction.
    Rows,
    /// Chains of multiply-add; products interleaved with the reduction, which needs few registers.
    Interleaved(Digits),
    /// Chains of multiply-add; the whole product first, after some levels of Karatsuba.
    Separate { karatsuba: u32, digits: Digits },
}

impl Strategy {
    /// Every structure for machines with a carrying multiply-add, simple ones first.
    pub fn chains(modulus: &Modulus, operation: Operation) -> Vec<Strategy> {
        let mut strategies = Vec::new();
        let signed = is_one_modulo_a_word(modulus).then_some(Digits::Signed);
        for digits in signed.into_iter().chain([Digits::Scaled, Digits::Quotient]) {
            if operation == Operation::Mul {
                strategies.push(Strategy::Interleaved(digits));
            }
            for karatsuba in 0..=wide::max_karatsuba(modulus, operation) {
                strategies.push(Strategy::Separate { karatsuba, digits });
            }
        }
        strategies
    }

    /// The algorithm's name, for people.
    pub fn name(self, operation: Operation, modulus: &Modulus) -> String {
        let reduction = match self.digits() {
            Digits::Quotient => "REDC".to_string(),
            Digits::Scaled => format!("REDC with p scaled to -1 mod 2^{}", modulus.word_bits),
            Digits::Signed => format!("REDC by subtraction as p = 1 mod 2^{}", modulus.word_bits),
        };
        let product = match self {
            Strategy::Rows => Product::Rows,
            Strategy::Interleaved(_) => Product::Chains { karatsuba: 0 },
            Strategy::Separate { karatsuba, .. } => Product::Chains { karatsuba },
        };
        match (self, operation) {
            (_, Operation::Square) => format!("{product} square, {reduction}"),
            (Strategy::Separate { .. }, Operation::Mul) => {
                format!("{product} product, {reduction}")
            }
            (_, Operation::Mul) => format!("{product} product interleaved with {reduction}"),
        }
    }

    /// How low words are cleared.
    pub fn digits(self) -> Digits {
        match self {
            Strategy::Rows => Digits::Quotient,
            Strategy::Interleaved(digits) | Strategy::Separate { digits, .. } => digits,
        }
    }
}

/// Whether the quotient digit is the negated low word itself.
fn is_one_modulo_a_word(modulus: &Modulus) -> bool {
    (&modulus.p - 1u32).trailing_zeros() >= Some(u64::from(modulus.word_bits))
}

/// `a b / R mod p` for `a, b < p`.
pub(crate) fn mul(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let y = b.residue("b", modulus);
    let constants = Constants::new(&b, modulus, strategy.digits())?;
    let result = match strategy {
        Strategy::Rows => rows(&mut b, &constants, &x, &y),
        Strategy::Interleaved(_) => interleaved(&mut b, &constants, &x, &y),
        Strategy::Separate { karatsuba, .. } => {
            b.note("a b");
            let product = wide::product_words(&mut b, Product::Chains { karatsuba }, &x, &y);
            constants.redc(&mut b, product, &constants.product_max())
        }
    };
    Ok(b.finish(result, modulus.limbs))
}

/// `a^2 / R mod p` for `a < p`.
pub(crate) fn square(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let constants = Constants::new(&b, modulus, strategy.digits())?;
    let max = constants.product_max();
    let result = match strategy {
        Strategy::Rows => {
            let product = wide::square_words(&mut b, Product::Rows, &x);
            constants.redc_rows(&mut b, product, &max)
        }
        Strategy::Interleaved(_) => interleaved(&mut b, &constants, &x, &x),
        Strategy::Separate { karatsuba, .. } => {
            let product = wide::square_words(&mut b, Product::Chains { karatsuba }, &x);
            constants.redc(&mut b, product, &max)
        }
    };
    Ok(b.finish(result, modulus.limbs))
}

/// `x / R mod p` for a number `x` of `2 limbs` words below [`wide_limit`].
pub(crate) fn reduce(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    reduce_up_to(
        modulus,
        strategy,
        2 * modulus.limbs,
        &(wide_limit(modulus) - 1u32),
    )
}

/// `x / R mod p` for a product `x` of two numbers below `p`, in `2 limbs` words.
pub(crate) fn reduce_product(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    let max = (&modulus.p - 1u32).pow(2);
    reduce_up_to(modulus, strategy, 2 * modulus.limbs, &max)
}

/// `x / R mod p` for a number `x` of `limbs` words: out of Montgomery form where `x < p`.
pub(crate) fn reduce_residue(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    reduce_up_to(modulus, strategy, modulus.limbs, &(&modulus.p - 1u32))
}

/// `x / R mod p` for any number `x` of `limbs` words.
pub(crate) fn reduce_words(modulus: &Modulus, strategy: Strategy) -> Result<Program, Bound> {
    reduce_up_to(
        modulus,
        strategy,
        modulus.limbs,
        &(modulus.radix_power() - 1u32),
    )
}

/// What [`reduce`] accepts: numbers below `R p`.
pub(crate) fn wide_limit(modulus: &Modulus) -> BigUint {
    modulus.radix_power() * &modulus.p
}

fn reduce_up_to(
    modulus: &Modulus,
    strategy: Strategy,
    words: usize,
    max: &BigUint,
) -> Result<Program, Bound> {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.input("x", words, max);
    let constants = Constants::new(&b, modulus, strategy.digits())?;
    let result = match strategy {
        Strategy::Rows => constants.redc_rows(&mut b, x, max),
        _ => constants.redc(&mut b, x, max),
    };
    Ok(b.finish(result, modulus.limbs))
}

/// What a reduction knows about its modulus.
struct Constants<'a> {
    p: &'a BigUint,
    /// Number of digits: `R = B^digits`.
    steps: usize,
    /// Words of `p`.
    words: usize,
    digits: Digits,
    /// `-1 / p mod B`.
    neg_inv: Operand,
    p_words: Vec<Operand>,
    /// What a digit that is cleared without a quotient is multiplied by, one word higher: its words.
    factor: BigUint,
    factor_words: Vec<Operand>,
}

impl<'a> Constants<'a> {
    fn new(b: &Builder, modulus: &'a Modulus, digits: Digits) -> Result<Self, Bound> {
        let p = &modulus.p;
        let (steps, words) = (modulus.limbs, modulus.significant());
        let radix = b.power(1);
        let inverse = p
            .modinv(&radix)
            .expect("an odd modulus is a unit modulo a power of two");
        let neg_inv = &radix - inverse;
        let factor = match digits {
            Digits::Quotient => BigUint::ZERO,
            Digits::Scaled => (&neg_inv * p + 1u32) / &radix,
            Digits::Signed => {
                let bits = modulus.word_bits;
                if !is_one_modulo_a_word(modulus) {
                    return Err(Bound::new(
                        format!("p = 1 mod 2^{bits}"),
                        format!("p = {:#x} mod 2^{bits}", p % &radix),
                    ));
                }
                if steps != words {
                    return Err(Bound::new(
                        format!("R to be the first power of 2^{bits} above p"),
                        format!("R = 2^({bits} * {steps}), and p has {words} words"),
                    ));
                }
                b.power(words - 1) - (p >> modulus.word_bits)
            }
        };
        Ok(Constants {
            p,
            steps,
            words,
            digits,
            neg_inv: b.constant(&neg_inv)[0],
            p_words: b.constant(p),
            factor_words: b.constant(&factor),
            factor,
        })
    }

    /// The largest product of two residues.
    fn product_max(&self) -> BigUint {
        let max = self.p - 1u32;
        &max * &max
    }

    /// Whether step `i` clears its word with a quotient digit.
    fn has_quotient(&self, i: usize) -> bool {
        match self.digits {
            Digits::Quotient => true,
            Digits::Scaled => i + 2 >= self.steps,
            Digits::Signed => false,
        }
    }

    /// A bound on the number after a step, divided by `B`, from its bound before the step.
    fn step_max(&self, b: &Builder, i: usize, max: &BigUint) -> BigUint {
        if self.has_quotient(i) {
            (max + self.p * b.word_max()) >> b.word_bits()
        } else {
            (max >> b.word_bits()) + &self.factor * b.word_max()
        }
    }

    /// `x / R mod p` for a number of any length up to `max`, which is below `R p`: the low words
    /// are cleared in two chains, then the high words are added.
    fn redc(&self, b: &mut Builder, x: Vec<Operand>, max: &BigUint) -> Vec<Operand> {
        let n = self.steps;
        let low: Vec<Operand> = x.iter().take(n).copied().collect();
        let high: Vec<Operand> = x.iter().skip(n).copied().collect();
        let radix_power = b.power(n);
        let mut low_max = (&radix_power - 1u32).min(max.clone());

        let mut even = b.number(low);
        let mut odd = Accumulator::new(Vec::new(), BigUint::ZERO);
        let mut subtracted = Vec::new();
        for i in 0..n {
            b.note(format!("clear word {i}"));
            let during = if self.has_quotient(i) {
                &low_max + self.p * b.word_max()
            } else {
                self.step_max(b, i, &low_max) << b.word_bits()
            };
            for sum in [&mut even, &mut odd] {
                sum.cap(&(&during << b.bits_of(i)));
            }
            let mut carry = CarryChain::default();
            let (t, rest) = (even.take(i), odd.take(i));
            let t = carry.add(b, t, rest);
            self.clear(b, i, t, &mut even, &mut odd, carry);
            subtracted.push(t);
            low_max = self.step_max(b, i, &low_max);
            std::mem::swap(&mut even, &mut odd);
        }
        for sum in [&mut even, &mut odd] {
            sum.cap(&(&low_max * &radix_power));
        }
        even.add(b, &odd, 0, None);

        // The whole, from two sides: the parts added, and x plus the largest multiple of p.
        let high_max = max >> (n * b.word_bits() as usize);
        let mut result_max = low_max + high_max;
        if self.digits == Digits::Quotient {
            result_max = result_max.min((max + self.p * (&radix_power - 1u32)) / &radix_power);
        }
        even.cap(&(&result_max * &radix_power + &radix_power - 1u32));
        let high = b.number(high);
        even.add(b, &high, n, None);
        self.correct(b, &even, &result_max, &subtracted)
    }

    /// Clears the word `t` at `i`, which has been taken out of the two numbers. `carry` belongs to
    /// the word above.
    fn clear(
        &self,
        b: &mut Builder,
        i: usize,
        t: Operand,
        even: &mut Accumulator,
        odd: &mut Accumulator,
        carry: CarryChain,
    ) {
        if self.has_quotient(i) {
            b.stem("q");
            let q = b.mul_low(t, self.neg_inv);
            b.stem("t");
            odd.add_row(b, i + 1, &every_other(q, &self.p_words, 1), carry, None);
            even.put(b, i, t);
            even.add_row(
                b,
                i,
                &every_other(q, &self.p_words, 0),
                CarryChain::default(),
                None,
            );
            // The word is zero now.
            even.take(i);
        } else {
            odd.add_row(
                b,
                i + 1,
                &every_other(t, &self.factor_words, 0),
                carry,
                None,
            );
            let row = every_other(t, &self.factor_words, 1);
            even.add_row(b, i + 2, &row, CarryChain::default(), None);
        }
    }

    /// The result below `p` from the words of `sum` above the cleared ones.
    fn correct(
        &self,
        b: &mut Builder,
        sum: &Accumulator,
        max: &BigUint,
        subtracted: &[Operand],
    ) -> Vec<Operand> {
        let n = self.steps;
        if self.digits == Digits::Signed {
            b.note("less the words that were cleared by subtraction");
            b.stem("d");
            let mut chain = BorrowChain::default();
            let difference: Vec<Operand> = subtracted
                .iter()
                .enumerate()
                .map(|(i, t)| chain.sub(b, sum.get(n + i), *t))
                .collect();
            let top = sum.get(2 * n);
            if top != Operand::ZERO {
                chain.sub(b, top, Operand::ZERO);
            }
            let negative = chain.into_flag().map(Flag::Borrow);
            return add_back(b, &difference, negative, self.p);
        }
        let words = (max.bits() as usize).div_ceil(b.word_bits() as usize);
        subtract_multiples(b, sum.words(n, words), max, self.p)
    }

    /// `x / R mod p` for a number of any length up to `max`, which is below `R p`, row by row.
    fn redc_rows(&self, b: &mut Builder, mut x: Vec<Operand>, max: &BigUint) -> Vec<Operand> {
        let (n, words) = (self.steps, self.words);
        x.resize(n + words, Operand::ZERO);
        let mut top = CarryChain::default();
        for i in 0..n {
            b.note(format!("clear word {i}"));
            b.stem("q");
            let q = b.mul_low(x[i], self.neg_inv);
            b.stem("t");
            let mut carry = Operand::ZERO;
            for (j, p) in self.p_words.iter().enumerate() {
                (x[i + j], carry) = b.mul_add2(q, *p, x[i + j], carry);
            }
            x[i + words] = top.add(b, x[i + words], carry);
        }
        let result_max = (max + self.p * (b.power(n) - 1u32)) / b.power(n);
        let mut result = x.split_off(n);
        if result_max < b.power(words) {
            top.discard(b);
        } else {
            result.push(top.into_word(b));
        }
        subtract_multiples(b, result, &result_max, self.p)
    }
}

/// `x b_i` for every other word of `b`.
fn every_other(x: Operand, words: &[Operand], first: usize) -> Vec<(Operand, Operand)> {
    words
        .iter()
        .skip(first)
        .step_by(2)
        .map(|word| (x, *word))
        .collect()
}

/// The product interleaved with the reduction, in two chains.
fn interleaved(
    b: &mut Builder,
    constants: &Constants<'_>,
    x: &[Operand],
    y: &[Operand],
) -> Vec<Operand> {
    let n = constants.steps;
    let x_max = constants.p - 1u32;
    let mut even = Accumulator::new(Vec::new(), BigUint::ZERO);
    let mut odd = even.clone();
    let mut max = BigUint::ZERO;
    let mut subtracted = Vec::new();
    for i in 0..n {
        let y = y.get(i).copied().unwrap_or(Operand::ZERO);
        b.note(format!("a times word {i} of b"));
        max += &x_max * b.max(y);
        let during = if constants.has_quotient(i) {
            &max + constants.p * b.word_max()
        } else {
            constants.step_max(b, i, &max) << b.word_bits()
        };
        for sum in [&mut even, &mut odd] {
            sum.cap(&(&during << b.bits_of(i)));
        }
        // The odd number's lowest word joins the even one's.
        let mut carry = CarryChain::default();
        let (t, rest) = (even.take(i), odd.take(i));
        let t = carry.add(b, t, rest);
        even.put(b, i, t);
        odd.add_row(b, i + 1, &every_other(y, x, 1), carry, None);
        even.add_row(b, i, &every_other(y, x, 0), CarryChain::default(), None);
        b.note(format!("clear word {i}"));
        let t = even.take(i);
        constants.clear(b, i, t, &mut even, &mut odd, CarryChain::default());
        subtracted.push(t);
        max = constants.step_max(b, i, &max);
        std::mem::swap(&mut even, &mut odd);
    }
    for sum in [&mut even, &mut odd] {
        sum.cap(&(&max << b.bits_of(n)));
    }
    even.add(b, &odd, 0, None);
    constants.correct(b, &even, &max, &subtracted)
}

/// The product interleaved with the reduction, row by row. The sum stays below `2 p` after each
/// row, so that its carry needs no word of its own.
fn rows(b: &mut Builder, constants: &Constants<'_>, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let words = constants.words;
    let mut sum = vec![Operand::ZERO; words];
    let mut top = CarryChain::default();
    let mut max = BigUint::ZERO;
    for i in 0..constants.steps {
        let y = y.get(i).copied().unwrap_or(Operand::ZERO);
        b.note(format!("a times word {i} of b, clear the lowest word"));
        let mut carry = Operand::ZERO;
        for (j, x) in x.iter().enumerate() {
            (sum[j], carry) = b.mul_add2(*x, y, sum[j], carry);
        }
        b.stem("q");
        let q = b.mul_low(sum[0], constants.neg_inv);
        b.stem("t");
        let mut clearing = Operand::ZERO;
        for (j, p) in constants.p_words.iter().enumerate() {
            (sum[j], clearing) = b.mul_add2(q, *p, sum[j], clearing);
        }
        sum.push(top.add(b, carry, clearing));
        sum.remove(0);
        max += (constants.p - 1u32) * b.max(y);
        max = constants.step_max(b, i, &max);
        if max < b.power(words) {
            top.discard(b);
            top = CarryChain::default();
        }
    }
    if top.is_pending() {
        sum.push(top.into_word(b));
    }
    subtract_multiples(b, sum, &max, constants.p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::testing::{Random, check, check_all, moduli, tight};

    fn strategies(modulus: &Modulus) -> Vec<Strategy> {
        let mut strategies = Strategy::chains(modulus, Operation::Mul);
        strategies.push(Strategy::Rows);
        strategies
    }

    /// `x / R mod p`, as a function of `x`.
    fn division(modulus: &Modulus) -> impl Fn(BigUint) -> BigUint {
        let p = modulus.p.clone();
        let inverse = modulus.radix_power().modinv(&p).expect("p is odd");
        move |x| x * &inverse % &p
    }

    /// Runs `test` on every operation of every strategy that is offered.
    fn each_operation(
        modulus: &Modulus,
        mut test: impl FnMut(&Program, &dyn Fn(&[BigUint]) -> BigUint),
    ) {
        let divide = division(modulus);
        for strategy in strategies(modulus) {
            let Ok(program) = mul(modulus, strategy) else {
                continue;
            };
            test(&program, &|x| divide(&x[0] * &x[1]));
            let program = square(modulus, strategy).expect("offered as for mul");
            test(&program, &|x| divide(&x[0] * &x[0]));
            let program = reduce(modulus, strategy).expect("offered as for mul");
            test(&program, &|x| divide(x[0].clone()));
            let program = reduce_residue(modulus, strategy).expect("offered as for mul");
            test(&program, &|x| divide(x[0].clone()));
        }
    }

    #[test]
    fn named_moduli() {
        let mut random = Random::new(10);
        for word_bits in [32, 64] {
            for (_, modulus) in moduli(word_bits) {
                each_operation(&modulus, |program, expected| {
                    check(program, 10, &mut random, expected);
                });
            }
        }
    }

    #[test]
    fn every_length() {
        let mut random = Random::new(11);
        for bits in 2..=768 {
            // All strategies around the multiples of 32 bits up to eight words, else in turn; every
            // other modulus is 1 modulo a word, so that digits can be subtracted.
            let all = (bits + 1) % 32 < 3 && bits < 260;
            let mut p = random.odd(bits);
            if bits % 2 == 0 && bits > 64 {
                p = (p >> 64u32 << 64u32) + 1u32;
            }
            for word_bits in [32, 64] {
                let modulus = tight(&p, word_bits);
                if all {
                    each_operation(&modulus, |program, expected| {
                        check(program, 1, &mut random, expected);
                    });
                } else {
                    let strategies = strategies(&modulus);
                    let strategy = strategies[bits as usize / 2 % strategies.len()];
                    let Ok(program) = mul(&modulus, strategy) else {
                        continue;
                    };
                    check(&program, 1, &mut random, |x| {
                        division(&modulus)(&x[0] * &x[1])
                    });
                }
            }
        }
    }

    #[test]
    fn more_words_than_the_modulus_needs() {
        let mut random = Random::new(12);
        for (bits, word_bits, limbs) in [(65, 32, 4), (3, 32, 2), (70, 64, 3), (33, 8, 8)] {
            let modulus = Modulus {
                p: random.odd(bits),
                word_bits,
                limbs,
            };
            each_operation(&modulus, |program, expected| {
                check(program, 20, &mut random, expected)
            });
        }
    }

    #[test]
    fn tiny_words_exhaustively() {
        for (word_bits, max_bits) in [(2, 6), (3, 6), (4, 6)] {
            for p in (3u32..1 << max_bits).step_by(2) {
                let modulus = tight(&BigUint::from(p), word_bits);
                each_operation(&modulus, |program, expected| check_all(program, expected));
            }
        }
        // Two words of four bits, three of three: some moduli, strategies in turn.
        for (i, p) in [0xfbu32, 0xf1, 0x91, 0x81, 0x1ff, 0x1f9, 0x109, 0x101]
            .iter()
            .enumerate()
        {
            let modulus = tight(&BigUint::from(*p), if *p < 0x100 { 4 } else { 3 });
            let divide = division(&modulus);
            for strategy in strategies(&modulus).into_iter().skip(i % 3).step_by(3) {
                let Ok(program) = mul(&modulus, strategy) else {
                    continue;
                };
                check_all(&program, |x| divide(&x[0] * &x[1]));
            }
        }
    }

    #[test]
    fn subtraction_needs_p_to_be_1_modulo_a_word() {
        let refused = |p: u128, limbs| {
            let modulus = Modulus {
                p: BigUint::from(p),
                word_bits: 32,
                limbs,
            };
            let bound = mul(&modulus, Strategy::Interleaved(Digits::Signed)).unwrap_err();
            bound.to_string()
        };
        assert_eq!(
            refused((1 << 63) + 3, 2),
            "needs p = 1 mod 2^32, but p = 0x3 mod 2^32"
        );
        assert_eq!(
            refused((1 << 64) + 1, 4),
            "needs R to be the first power of 2^32 above p, but R = 2^(32 * 4), and p has 3 words"
        );
    }
}
