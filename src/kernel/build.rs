//! Building programs: operations with constants folded, carry chains, known maxima.
//!
//! The builder specialises while it builds: a limb of the modulus that is 0 removes its products,
//! 1 turns them into additions, and an addition whose sum cannot reach `2^word_bits` has no carry.

use num_bigint::BigUint;
use num_traits::Zero;

use super::accumulator::Accumulator;
use super::{Borrow, Carry, Flag, Half, Input, Modulus, Op, Operand, Program, Word};

/// A program under construction. Every word has a known maximum.
pub(super) struct Builder {
    program: Program,
    maxima: Vec<u64>,
    stem: &'static str,
}

/// The carry between two additions of a number, if there is one.
#[derive(Default)]
#[must_use = "a carry is propagated or dropped explicitly"]
pub(super) struct CarryChain(Option<Carry>);

/// The borrow between two subtractions of a number, if there is one.
#[derive(Default)]
#[must_use = "a borrow is propagated or dropped explicitly"]
pub(super) struct BorrowChain(Option<Borrow>);

impl Builder {
    pub fn new(word_bits: u32) -> Self {
        assert!((2..=64).contains(&word_bits), "words of 2 to 64 bits");
        Builder {
            program: Program {
                word_bits,
                inputs: Vec::new(),
                ops: Vec::new(),
                outputs: Vec::new(),
                stems: Vec::new(),
                flags: 0,
                notes: Vec::new(),
            },
            maxima: Vec::new(),
            stem: "t",
        }
    }

    pub fn word_bits(&self) -> u32 {
        self.program.word_bits
    }

    /// `2^word_bits - 1`.
    pub fn word_max(&self) -> u64 {
        u64::MAX >> (64 - self.word_bits())
    }

    /// The bits of so many words.
    pub fn bits_of(&self, words: usize) -> usize {
        self.word_bits() as usize * words
    }

    /// The words that numbers up to `max` need.
    pub fn words_of(&self, max: &BigUint) -> usize {
        usize::try_from(max.bits().div_ceil(u64::from(self.word_bits()))).expect("few words")
    }

    /// `2^(word_bits words)`.
    pub fn power(&self, words: usize) -> BigUint {
        BigUint::from(1u32) << self.bits_of(words)
    }

    /// The words of a constant, least significant first, without zeros at the top.
    pub fn constant(&self, value: &BigUint) -> Vec<Operand> {
        limbs(value, self.word_bits())
            .into_iter()
            .map(Operand::Constant)
            .collect()
    }

    /// An argument of `words` words with a value up to `max`. Words that are zero for every such
    /// value are the constant zero.
    pub fn input(&mut self, name: &'static str, words: usize, max: &BigUint) -> Vec<Operand> {
        let maxima = limbs(max, self.word_bits());
        assert!(
            maxima.len() <= words,
            "the maximum of input {name} has too many words"
        );
        self.stem = name;
        let words: Vec<Word> = (0..words)
            .map(|i| {
                // Only the highest limb is bounded by its own maximum.
                let limb_max = match maxima.len().checked_sub(i + 1) {
                    None => 0,
                    Some(0) => maxima[i],
                    Some(_) => self.word_max(),
                };
                self.word(limb_max)
            })
            .collect();
        self.stem = "t";
        let operands = words.iter().map(|word| match self.maxima[word.index()] {
            0 => Operand::ZERO,
            _ => Operand::Word(*word),
        });
        let operands = operands.collect();
        self.program.inputs.push(Input {
            name,
            words,
            #[cfg(test)]
            max: max.clone(),
        });
        operands
    }

    /// A residue: its words that are not always zero.
    pub fn residue(&mut self, name: &'static str, modulus: &Modulus) -> Vec<Operand> {
        let mut words = self.input(name, modulus.limbs, &(&modulus.p - 1u32));
        words.truncate(modulus.significant());
        words
    }

    /// A number of the given words, with the bound that their maxima give.
    pub fn number(&self, words: Vec<Operand>) -> Accumulator {
        let bound = self.value_max(&words);
        Accumulator::new(words, bound)
    }

    /// The largest value of a number of the given words.
    pub fn value_max(&self, words: &[Operand]) -> BigUint {
        self.value(words.iter().map(|word| self.max(*word)))
    }

    /// The number of the given words, least significant first.
    pub fn value(&self, words: impl DoubleEndedIterator<Item = u64>) -> BigUint {
        let bits = self.word_bits();
        if bits == 32 || bits == 64 {
            let digits = words.flat_map(|word| [word as u32, (word >> 32) as u32]);
            return BigUint::new(digits.step_by(if bits == 32 { 2 } else { 1 }).collect());
        }
        words
            .rev()
            .fold(BigUint::ZERO, |value, word| (value << bits) + word)
    }

    /// Words from here on are printed as `stem` and a number.
    pub fn stem(&mut self, stem: &'static str) {
        self.stem = stem;
    }

    /// A comment before the next operation.
    pub fn note(&mut self, note: impl Into<String>) {
        self.program
            .notes
            .push((self.program.ops.len(), note.into()));
    }

    /// The program, with `words` words of result.
    pub fn finish(mut self, mut outputs: Vec<Operand>, words: usize) -> Program {
        debug_assert!(outputs.iter().skip(words).all(|word| word.is_zero()));
        outputs.resize(words, Operand::ZERO);
        self.program.outputs = outputs;
        self.program
    }

    /// The largest value that the operand can have.
    pub fn max(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Word(word) => self.maxima[word.index()],
            Operand::Constant(value) => value,
        }
    }

    fn word(&mut self, max: u64) -> Word {
        self.word_named(self.stem, max)
    }

    fn word_named(&mut self, stem: &'static str, max: u64) -> Word {
        let word = Word(u32::try_from(self.maxima.len()).expect("fewer than 2^32 words"));
        self.maxima.push(max);
        self.program.stems.push(stem);
        word
    }

    fn flag(&mut self) -> u32 {
        self.program.flags += 1;
        self.program.flags - 1
    }

    /// The maximum of a sum, and whether it can leave the word.
    fn sum_max(&self, sum: u128) -> (u64, bool) {
        match u64::try_from(sum) {
            Ok(max) if max <= self.word_max() => (max, false),
            _ => (self.word_max(), true),
        }
    }

    /// `x + y + carry_in` and its carry, none where the sum always fits into a word.
    fn add_with(
        &mut self,
        x: Operand,
        y: Operand,
        carry_in: Option<Carry>,
    ) -> (Operand, Option<Carry>) {
        let flag_max = u128::from(carry_in.is_some());
        let (max, overflows) =
            self.sum_max(u128::from(self.max(x)) + u128::from(self.max(y)) + flag_max);
        match (x, y, carry_in) {
            (Operand::Constant(0), other, None) | (other, Operand::Constant(0), None) => {
                return (other, None);
            }
            (Operand::Constant(x), Operand::Constant(y), None) if !overflows => {
                return (Operand::Constant(x + y), None);
            }
            _ => {}
        }
        let sum = self.word(max);
        let carry_out = overflows.then(|| Carry(self.flag()));
        self.program.ops.push(Op::Add {
            sum,
            carry_out,
            x,
            y,
            carry_in,
        });
        (sum.into(), carry_out)
    }

    fn sub_with(
        &mut self,
        x: Operand,
        y: Operand,
        borrow_in: Option<Borrow>,
    ) -> (Operand, Option<Borrow>) {
        if y.is_zero() && borrow_in.is_none() {
            return (x, None);
        }
        let difference = self.word(self.word_max());
        let borrow_out = Some(Borrow(self.flag()));
        self.program.ops.push(Op::Sub {
            difference,
            borrow_out,
            x,
            y,
            borrow_in,
        });
        (difference.into(), borrow_out)
    }

    /// The low word of `x y`.
    pub fn mul_low(&mut self, x: Operand, y: Operand) -> Operand {
        let (x, y) = constant_last(x, y);
        match y {
            Operand::Constant(0) => return Operand::ZERO,
            Operand::Constant(1) => return x,
            Operand::Constant(minus_one) if minus_one == self.word_max() => return self.neg(x),
            Operand::Constant(factor) if factor.is_power_of_two() => {
                return self.shift_left(x, factor.trailing_zeros());
            }
            _ => {}
        }
        let max = u128::from(self.max(x)) * u128::from(self.max(y));
        let result = self.word(self.sum_max(max).0);
        self.program.ops.push(Op::Mul {
            half: Half::Low,
            result,
            x,
            y,
        });
        result.into()
    }

    /// `-x` modulo a word.
    pub fn neg(&mut self, x: Operand) -> Operand {
        let mut chain = BorrowChain::default();
        let difference = chain.sub(self, Operand::ZERO, x);
        chain.discard(self);
        difference
    }

    /// Both words of `x y`.
    pub fn mul_wide(&mut self, x: Operand, y: Operand) -> (Operand, Operand) {
        let (x, y) = constant_last(x, y);
        match y {
            Operand::Constant(0) => return (Operand::ZERO, Operand::ZERO),
            Operand::Constant(1) => return (x, Operand::ZERO),
            _ => {}
        }
        let max = u128::from(self.max(x)) * u128::from(self.max(y));
        if max <= u128::from(self.word_max()) {
            return (self.mul_low(x, y), Operand::ZERO);
        }
        let low = self.word(self.word_max());
        let high = self.word((max >> self.word_bits()) as u64);
        self.program.ops.push(Op::MulWide { low, high, x, y });
        (low.into(), high.into())
    }

    /// The low word of `x y + z + c`.
    pub fn mul_add2_low(&mut self, x: Operand, y: Operand, z: Operand, c: Operand) -> Operand {
        self.mul_add2_part(x, y, z, c, false).0
    }

    /// Both words of `x y + z + c`.
    pub fn mul_add2(
        &mut self,
        x: Operand,
        y: Operand,
        z: Operand,
        c: Operand,
    ) -> (Operand, Operand) {
        self.mul_add2_part(x, y, z, c, true)
    }

    fn mul_add2_part(
        &mut self,
        x: Operand,
        y: Operand,
        z: Operand,
        c: Operand,
        wants_high: bool,
    ) -> (Operand, Operand) {
        let (x, y) = constant_last(x, y);
        let (z, c) = constant_last(z, c);
        let addend = match y {
            Operand::Constant(0) => Some((z, c)),
            Operand::Constant(1) if c.is_zero() => Some((x, z)),
            _ => None,
        };
        if let Some((x, y)) = addend {
            let mut chain = CarryChain::default();
            let low = chain.add(self, x, y);
            if wants_high {
                return (low, chain.into_word(self));
            }
            chain.discard(self);
            return (low, Operand::ZERO);
        }
        let max = u128::from(self.max(x)) * u128::from(self.max(y))
            + u128::from(self.max(z))
            + u128::from(self.max(c));
        let low = self.word(self.sum_max(max).0);
        let high = self.word_named("c", (max >> self.word_bits()) as u64);
        self.program.ops.push(Op::MulAdd2 {
            low,
            high,
            x,
            y,
            z,
            c,
        });
        (low.into(), self.or_zero(high))
    }

    /// A word that is zero for every input is the constant zero.
    fn or_zero(&self, word: Word) -> Operand {
        match self.maxima[word.index()] {
            0 => Operand::ZERO,
            _ => word.into(),
        }
    }

    /// `x` where the flag is set, else `y`.
    pub fn select(&mut self, flag: Flag, x: Operand, y: Operand) -> Operand {
        if x == y {
            return x;
        }
        if y.is_zero() {
            return self.mask(flag, x);
        }
        let result = self.word(self.max(x).max(self.max(y)));
        self.program.ops.push(Op::Select { result, flag, x, y });
        result.into()
    }

    /// `x` where the flag is set, else 0.
    pub fn mask(&mut self, flag: Flag, x: Operand) -> Operand {
        if x.is_zero() {
            return x;
        }
        let result = self.word_named("m", self.max(x));
        self.program.ops.push(Op::Mask { result, flag, x });
        result.into()
    }

    /// `x` where there is a flag and it is set, else 0.
    pub fn mask_if(&mut self, flag: Option<Flag>, x: Operand) -> Operand {
        flag.map_or(Operand::ZERO, |flag| self.mask(flag, x))
    }

    pub fn shift_left(&mut self, x: Operand, by: u32) -> Operand {
        debug_assert!(by < self.word_bits());
        if by == 0 || x.is_zero() {
            return x;
        }
        let max = self.sum_max(u128::from(self.max(x)) << by).0;
        let result = self.word(max);
        self.program.ops.push(Op::ShiftLeft { result, x, by });
        result.into()
    }

    pub fn shift_right(&mut self, x: Operand, by: u32) -> Operand {
        debug_assert!(by < self.word_bits());
        let max = self.max(x) >> by;
        if by == 0 || x.is_zero() {
            return x;
        }
        if max == 0 {
            return Operand::ZERO;
        }
        let result = self.word(max);
        self.program.ops.push(Op::ShiftRight { result, x, by });
        result.into()
    }

    /// The low word of `(low + B high) >> by`, with `by` below the word size.
    pub fn funnel(&mut self, low: Operand, high: Operand, by: u32) -> Operand {
        if by == 0 {
            return low;
        }
        if high.is_zero() {
            return self.shift_right(low, by);
        }
        if low.is_zero() {
            return self.shift_left(high, self.word_bits() - by);
        }
        let result = self.word(self.word_max());
        self.program.ops.push(Op::Funnel {
            result,
            low,
            high,
            by,
        });
        result.into()
    }
}

impl CarryChain {
    pub fn is_pending(&self) -> bool {
        self.0.is_some()
    }

    /// `x + y` and the carry so far; the new carry stays in the chain.
    pub fn add(&mut self, b: &mut Builder, x: Operand, y: Operand) -> Operand {
        let (sum, carry) = b.add_with(x, y, self.0.take());
        self.0 = carry;
        sum
    }

    /// Both words of `low + B high + x y` and the carry so far; the new carry stays in the chain.
    pub fn mul_add(
        &mut self,
        b: &mut Builder,
        x: Operand,
        y: Operand,
        low: Operand,
        high: Operand,
    ) -> (Operand, Operand) {
        let (x, y) = constant_last(x, y);
        match y {
            Operand::Constant(0) => {
                let low = self.add(b, low, Operand::ZERO);
                return (low, self.add(b, high, Operand::ZERO));
            }
            Operand::Constant(1) => {
                let low = self.add(b, low, x);
                return (low, self.add(b, high, Operand::ZERO));
            }
            _ => {}
        }
        if self.0.is_none() && low.is_zero() && high.is_zero() {
            return b.mul_wide(x, y);
        }
        // The halves are linked by a carry even where it is zero: as a pair they are one
        // instruction of the hardware.
        let low = self.mul_add_part(b, Half::Low, x, y, low, true);
        let high = self.mul_add_part(b, Half::High, x, y, high, false);
        (low, high)
    }

    /// `half(x y) + addend` and the carry so far; the new carry stays in the chain.
    pub fn mul_add_half(
        &mut self,
        b: &mut Builder,
        half: Half,
        x: Operand,
        y: Operand,
        addend: Operand,
    ) -> Operand {
        self.mul_add_part(b, half, x, y, addend, false)
    }

    fn mul_add_part(
        &mut self,
        b: &mut Builder,
        half: Half,
        x: Operand,
        y: Operand,
        addend: Operand,
        linked: bool,
    ) -> Operand {
        let (x, y) = constant_last(x, y);
        match (half, y) {
            (_, Operand::Constant(0)) | (Half::High, Operand::Constant(1)) => {
                return self.add(b, addend, Operand::ZERO);
            }
            (Half::Low, Operand::Constant(1)) => return self.add(b, addend, x),
            _ => {}
        }
        let product = u128::from(b.max(x)) * u128::from(b.max(y));
        let part = match half {
            Half::Low => u128::from(b.sum_max(product).0),
            Half::High => product >> b.word_bits(),
        };
        if part == 0 {
            return self.add(b, addend, Operand::ZERO);
        }
        let carry_in = self.0.take();
        let flag_max = u128::from(carry_in.is_some());
        let (max, overflows) = b.sum_max(part + u128::from(b.max(addend)) + flag_max);
        let sum = b.word(max);
        if addend.is_zero() && carry_in.is_none() && !linked {
            b.program.ops.push(Op::Mul {
                half,
                result: sum,
                x,
                y,
            });
            return sum.into();
        }
        self.0 = (overflows || linked).then(|| Carry(b.flag()));
        b.program.ops.push(Op::MulAdd {
            half,
            sum,
            carry_out: self.0,
            x,
            y,
            addend,
            carry_in,
        });
        sum.into()
    }

    /// The carry as a word.
    pub fn into_word(mut self, b: &mut Builder) -> Operand {
        if self.is_pending() {
            self.add(b, Operand::ZERO, Operand::ZERO)
        } else {
            Operand::ZERO
        }
    }

    /// The carry as a flag.
    pub fn into_flag(self) -> Option<Carry> {
        self.0
    }

    /// Drops the carry: it is known to be zero, or the sum is meant modulo a power of the word.
    pub fn discard(self, b: &mut Builder) {
        let Some(carry) = self.0 else { return };
        let producer = b.program.ops.iter_mut().rev().find_map(|op| match op {
            Op::Add { carry_out, .. } | Op::MulAdd { carry_out, .. } => {
                (*carry_out == Some(carry)).then_some(carry_out)
            }
            _ => None,
        });
        *producer.expect("every carry has a producer") = None;
    }
}

impl From<Carry> for CarryChain {
    fn from(carry: Carry) -> Self {
        CarryChain(Some(carry))
    }
}

impl BorrowChain {
    /// `x - y` less the borrow so far; the new borrow stays in the chain.
    pub fn sub(&mut self, b: &mut Builder, x: Operand, y: Operand) -> Operand {
        let (difference, borrow) = b.sub_with(x, y, self.0.take());
        self.0 = borrow;
        difference
    }

    /// The borrow as a flag; `None` where nothing was subtracted.
    pub fn into_flag(self) -> Option<Borrow> {
        self.0
    }

    /// Drops the borrow: it is known to be zero, or the difference is meant modulo a power of the
    /// word.
    pub fn discard(self, b: &mut Builder) {
        let Some(borrow) = self.0 else { return };
        let producer = b.program.ops.iter_mut().rev().find_map(|op| match op {
            Op::Sub { borrow_out, .. } => (*borrow_out == Some(borrow)).then_some(borrow_out),
            _ => None,
        });
        *producer.expect("every borrow has a producer") = None;
    }
}

/// A constant factor or addend stands last.
fn constant_last(x: Operand, y: Operand) -> (Operand, Operand) {
    match x {
        Operand::Constant(_) => (y, x),
        Operand::Word(_) => (x, y),
    }
}

/// The words of a number, least significant first, without zeros at the top.
pub(super) fn limbs(value: &BigUint, word_bits: u32) -> Vec<u64> {
    let mask = BigUint::from(u64::MAX >> (64 - word_bits));
    let mut rest = value.clone();
    let mut words = Vec::new();
    while !rest.is_zero() {
        words.push(u64::try_from(&rest & &mask).expect("a word has at most 64 bits"));
        rest >>= word_bits;
    }
    words
}
