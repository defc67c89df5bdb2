//! Folding digit by digit, for moduli that are a short sum and difference of powers of `2^d`
//! (J. Solinas, *Generalized Mersenne Numbers*, 1999).
//!
//! Modulo `p`, each power of `2^d` from `2^k` on is a sum of small multiples of those below. So a
//! long number is a sum and a difference of short ones, each made of the digits of the long one.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

use super::Folding;
use crate::kernel::accumulator::Accumulator;
use crate::kernel::build::{BorrowChain, Builder, CarryChain};
use crate::kernel::{Bound, Operand};

/// More digits than this in one place are not worth adding.
const MOST_TERMS: usize = 24;

/// What each digit of the folded number is.
pub(super) struct Digits {
    /// `d`, a word or half a word.
    bits: usize,
    /// Digits of the long number that are added.
    added: Vec<Vec<usize>>,
    /// Digits that are subtracted.
    subtracted: Vec<Vec<usize>>,
}

impl Digits {
    /// For numbers up to `max`.
    pub fn new(
        b: &Builder,
        folding: &Folding<'_>,
        bits: u32,
        max: &BigUint,
    ) -> Result<Self, Bound> {
        let d = bits as usize;
        let refused = |found: String| {
            Bound::new(
                format!(
                    "digits of {bits} bits, of which 2^{} mod p has few other than 0",
                    folding.bits
                ),
                found,
            )
        };
        if ![bits, 2 * bits].contains(&b.word_bits()) {
            return Err(refused(format!("words have {} bits", b.word_bits())));
        }
        if !folding.bits.is_multiple_of(d) {
            return Err(refused(format!(
                "{} is no multiple of {bits}",
                folding.bits
            )));
        }
        let count = folding.bits / d;
        let c = signed_digits(&folding.c, d);
        if c.len() > count {
            return Err(refused(format!("c has {} digits", c.len())));
        }
        let mut added: Vec<Vec<usize>> = (0..count).map(|i| vec![i]).collect();
        let mut subtracted = vec![Vec::new(); count];
        let mut power = c.clone();
        power.resize(count, BigInt::ZERO);
        for digit in count..usize::try_from(max.bits()).expect("few bits").div_ceil(d) {
            for (i, factor) in power.iter().enumerate() {
                let list = match factor.sign() {
                    Sign::Minus => &mut subtracted[i],
                    Sign::Plus | Sign::NoSign => &mut added[i],
                };
                let times = factor.magnitude().to_usize().unwrap_or(usize::MAX);
                if times > MOST_TERMS || list.len() + times > MOST_TERMS {
                    return Err(refused(format!(
                        "more than {MOST_TERMS} would be added in one place"
                    )));
                }
                list.extend(std::iter::repeat_n(digit, times));
            }
            // Times 2^d.
            let top = power.pop().unwrap_or_default();
            power.insert(0, BigInt::ZERO);
            for (sum, c) in power.iter_mut().zip(&c) {
                *sum += &top * c;
            }
        }
        Ok(Digits {
            bits: d,
            added,
            subtracted,
        })
    }

    /// The folded number, and what it is up to.
    pub fn fold(
        &self,
        b: &mut Builder,
        folding: &Folding<'_>,
        x: &Accumulator,
    ) -> (Accumulator, BigUint) {
        let subtracted_max = self.rows_max(&self.subtracted);
        // Never negative, with this multiple of p.
        let multiple = (&subtracted_max + folding.p - 1u32) / folding.p * folding.p;
        let max = self.rows_max(&self.added) + &multiple;

        b.note(format!("sum of rows of digits of {} bits", self.bits));
        let mut source = Source::new(x, self.bits, b.word_bits());
        let mut sum = self.sum(b, &mut source, &self.added);
        if !multiple.is_zero() {
            let multiple = Accumulator::new(b.constant(&multiple), multiple);
            sum.add(b, &multiple, 0, None);
            b.note("less the sum of the rows that are subtracted");
            let subtracted = self.sum(b, &mut source, &self.subtracted);
            let mut chain = BorrowChain::default();
            let words = b.words_of(&max);
            let difference = (0..words)
                .map(|i| chain.sub(b, sum.get(i), subtracted.get(i)))
                .collect();
            chain.discard(b);
            sum = Accumulator::new(difference, max.clone());
        }
        (sum, max)
    }

    /// The largest sum of the rows.
    fn rows_max(&self, lists: &[Vec<usize>]) -> BigUint {
        let digit_max = (BigUint::one() << self.bits) - 1u32;
        let lengths = lists.iter().map(Vec::len);
        let sum = lengths
            .rev()
            .fold(BigUint::zero(), |sum, length| (sum << self.bits) + length);
        sum * digit_max
    }

    /// The sum of all rows: row `r` has the `r`-th digit of each list.
    fn sum(&self, b: &mut Builder, source: &mut Source<'_>, lists: &[Vec<usize>]) -> Accumulator {
        let words = match source.halves {
            false => lists.iter().map(|list| source.whole_words(list)).collect(),
            true => {
                let words = lists.chunks(2);
                let pair = |pair: &[Vec<usize>]| {
                    let high = pair.get(1).map_or(&[][..], Vec::as_slice);
                    source.pairs(b, &pair[0], high)
                };
                words.map(pair).collect::<Vec<Vec<Operand>>>()
            }
        };
        let mut sum = Accumulator::new(Vec::new(), BigUint::zero());
        for row in 0..words.iter().map(Vec::len).max().unwrap_or(0) {
            let row = words
                .iter()
                .map(|word| word.get(row).copied().unwrap_or(Operand::ZERO))
                .collect();
            let row = b.number(row);
            sum.add(b, &row, 0, None);
        }
        sum
    }
}

/// The digits of a number, least significant first, none farther from zero than half of `2^bits`.
fn signed_digits(value: &BigUint, bits: usize) -> Vec<BigInt> {
    let radix = BigInt::one() << bits;
    let mut rest = BigInt::from(value.clone());
    let mut digits = Vec::new();
    while !rest.is_zero() {
        let mut digit = &rest % &radix;
        if &digit * 2 > radix {
            digit -= &radix;
        }
        rest = (rest - &digit) >> bits;
        digits.push(digit);
    }
    digits
}

/// The digits of the long number, put together to words.
struct Source<'a> {
    x: &'a Accumulator,
    /// Whether a word has two digits.
    halves: bool,
    bits: u32,
    /// Digits as numbers, and as numbers times `2^bits`, once they have been computed.
    low: Vec<(usize, Operand)>,
    high: Vec<(usize, Operand)>,
}

impl<'a> Source<'a> {
    fn new(x: &'a Accumulator, bits: usize, word_bits: u32) -> Self {
        let bits = u32::try_from(bits).expect("a digit of a word");
        Source {
            x,
            halves: bits < word_bits,
            bits,
            low: Vec::new(),
            high: Vec::new(),
        }
    }

    fn whole_words(&self, digits: &[usize]) -> Vec<Operand> {
        digits.iter().map(|digit| self.x.get(*digit)).collect()
    }

    /// Words of a low and a high digit from the two lists. Digits that follow each other in the
    /// long number are kept together.
    fn pairs(&mut self, b: &mut Builder, low: &[usize], high: &[usize]) -> Vec<Operand> {
        let mut low = low.to_vec();
        let mut high = high.to_vec();
        let mut words = Vec::new();
        low.retain(|digit| {
            let Some(next) = high.iter().position(|next| *next == digit + 1) else {
                return true;
            };
            high.remove(next);
            words.push(self.neighbours(b, *digit));
            false
        });
        for i in 0..low.len().max(high.len()) {
            let low = low
                .get(i)
                .map_or(Operand::ZERO, |digit| self.low(b, *digit));
            let high = high
                .get(i)
                .map_or(Operand::ZERO, |digit| self.high(b, *digit));
            let mut chain = CarryChain::default();
            words.push(chain.add(b, low, high));
            chain.discard(b);
        }
        words
    }

    /// A digit and the one above it.
    fn neighbours(&self, b: &mut Builder, digit: usize) -> Operand {
        let (word, next) = (self.x.get(digit / 2), self.x.get(digit / 2 + 1));
        match digit % 2 {
            0 => word,
            _ => b.funnel(word, next, self.bits),
        }
    }

    /// A digit as a number.
    fn low(&mut self, b: &mut Builder, digit: usize) -> Operand {
        if let Some((_, word)) = self.low.iter().find(|(known, _)| *known == digit) {
            return *word;
        }
        let word = self.x.get(digit / 2);
        let word = match digit % 2 {
            0 => {
                let shifted = b.shift_left(word, self.bits);
                b.shift_right(shifted, self.bits)
            }
            _ => b.shift_right(word, self.bits),
        };
        self.low.push((digit, word));
        word
    }

    /// A digit times `2^bits`.
    fn high(&mut self, b: &mut Builder, digit: usize) -> Operand {
        if let Some((_, word)) = self.high.iter().find(|(known, _)| *known == digit) {
            return *word;
        }
        let word = match digit % 2 {
            0 => self.x.get(digit / 2),
            _ => self.low(b, digit),
        };
        let word = b.shift_left(word, self.bits);
        self.high.push((digit, word));
        word
    }
}
