//! Runs a program on words, with exact carries.

use super::{Flag, Half, Op, Operand, Program, Word};

impl Program {
    /// The outputs for the given inputs, each a slice of as many words as the input has.
    ///
    /// # Panics
    ///
    /// If the number of inputs, their lengths or the size of a word do not match the program.
    pub fn evaluate(&self, inputs: &[&[u64]]) -> Vec<u64> {
        let mut state = State {
            bits: self.word_bits,
            words: vec![0; self.stems.len()],
            flags: vec![false; self.flags as usize],
        };
        assert_eq!(inputs.len(), self.inputs.len(), "number of inputs");
        for (input, values) in self.inputs.iter().zip(inputs) {
            assert_eq!(
                input.words.len(),
                values.len(),
                "words of input {}",
                input.name
            );
            for (word, value) in input.words.iter().zip(*values) {
                assert_eq!(value & !state.mask(), 0, "a word of input {}", input.name);
                state.words[word.index()] = *value;
            }
        }
        for op in &self.ops {
            state.step(op);
        }
        self.outputs
            .iter()
            .map(|output| state.get(*output))
            .collect()
    }
}

struct State {
    bits: u32,
    words: Vec<u64>,
    flags: Vec<bool>,
}

impl State {
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn get(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Word(word) => self.words[word.index()],
            Operand::Constant(value) => value,
        }
    }

    fn flag(&self, flag: Option<Flag>) -> u128 {
        flag.map_or(0, |flag| u128::from(self.flags[flag.index()]))
    }

    /// Writes `value mod B`.
    fn set(&mut self, word: Word, value: u128) {
        self.words[word.index()] = value as u64 & self.mask();
    }

    fn step(&mut self, op: &Op) {
        let product = |x, y| u128::from(self.get(x)) * u128::from(self.get(y));
        let half = |half, value: u128| match half {
            Half::Low => value & u128::from(self.mask()),
            Half::High => value >> self.bits,
        };
        match *op {
            Op::Add { sum, x, y, .. } => {
                let flag = self.flag(op.flag_in());
                self.sum(
                    op,
                    sum,
                    u128::from(self.get(x)) + u128::from(self.get(y)) + flag,
                );
            }
            Op::MulAdd {
                half: which,
                sum,
                x,
                y,
                addend,
                ..
            } => {
                let flag = self.flag(op.flag_in());
                let product = half(which, product(x, y));
                self.sum(op, sum, product + u128::from(self.get(addend)) + flag);
            }
            Op::Sub {
                difference, x, y, ..
            } => {
                let x = u128::from(self.get(x));
                let y = u128::from(self.get(y)) + self.flag(op.flag_in());
                self.set(difference, x.wrapping_sub(y));
                if let Some(flag) = op.flag_out() {
                    self.flags[flag.index()] = x < y;
                }
            }
            Op::Mul {
                half: which,
                result,
                x,
                y,
            } => self.set(result, half(which, product(x, y))),
            Op::MulWide { low, high, x, y } => self.set_wide(low, high, product(x, y)),
            Op::MulAdd2 {
                low,
                high,
                x,
                y,
                z,
                c,
            } => {
                let value = product(x, y) + u128::from(self.get(z)) + u128::from(self.get(c));
                self.set_wide(low, high, value);
            }
            Op::Select { result, flag, x, y } => {
                let chosen = if self.flags[flag.index()] { x } else { y };
                self.set(result, u128::from(self.get(chosen)));
            }
            Op::Mask { result, flag, x } => {
                let value = if self.flags[flag.index()] {
                    self.get(x)
                } else {
                    0
                };
                self.set(result, u128::from(value));
            }
            Op::ShiftLeft { result, x, by } => self.set(result, u128::from(self.get(x)) << by),
            Op::ShiftRight { result, x, by } => self.set(result, u128::from(self.get(x)) >> by),
            Op::Funnel {
                result,
                low,
                high,
                by,
            } => {
                let pair = u128::from(self.get(low)) | u128::from(self.get(high)) << self.bits;
                self.set(result, pair >> by);
            }
        }
    }

    fn sum(&mut self, op: &Op, sum: Word, value: u128) {
        self.set(sum, value);
        if let Some(flag) = op.flag_out() {
            self.flags[flag.index()] = value >> self.bits != 0;
        }
    }

    fn set_wide(&mut self, low: Word, high: Word, value: u128) {
        self.set(low, value);
        self.set(high, value >> self.bits);
    }
}
