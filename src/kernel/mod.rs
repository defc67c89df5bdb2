//! Multi-limb arithmetic as data: straight-line programs over words.
//!
//! A [`Program`] is built once and read by several readers: the evaluator runs it with exact
//! carries in tests, the [cost model](cost) counts it, the [printers](mod@print) write it as CUDA
//! and as Rust statements. The rules that keep all of them simple, and a proof possible:
//!
//! - **Static single assignment.** Every [`Word`] and every flag is written by exactly one
//!   operation, before it is read.
//! - **No hidden carry state.** A [`Carry`] and a [`Borrow`] are values of their own, of different
//!   types. A carry that is dropped is dropped explicitly: the operation has no `carry_out`.
//! - **No comparisons but borrows, no general bit operations.** Flags select and mask; shifts are
//!   by constants.
//! - **No optimiser.** Builders specialise for the modulus while they build (see [`build`]).
//!
//! Words have any size from 2 to 64 bits: 32 for CUDA, 64 for Rust, a few bits in exhaustive tests.

mod accumulator;
pub(crate) mod barrett;
mod build;
pub(crate) mod candidates;
pub(crate) mod cost;
#[cfg(test)]
mod evaluate;
pub(crate) mod lane;
pub(crate) mod modular;
pub(crate) mod montgomery;
pub(crate) mod print;
pub(crate) mod special;
pub(crate) mod truncated;
pub(crate) mod wide;

use std::fmt;

use num_bigint::BigUint;

/// A word: the index of one value of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(u32);

/// The carry of an addition: 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carry(u32);

/// The borrow of a subtraction: 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Borrow(u32);

/// A carry or a borrow, where either can stand: carries and borrows share one numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flag {
    Carry(Carry),
    Borrow(Borrow),
}

/// What an operation reads: a word, or a constant below `2^word_bits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    Word(Word),
    Constant(u64),
}

/// Half of a product of two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Low,
    High,
}

/// One operation. `B = 2^word_bits`; all values are integers in `0 .. B`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    /// `sum + B carry_out = x + y + carry_in`; modulo `B` without `carry_out`.
    Add {
        sum: Word,
        carry_out: Option<Carry>,
        x: Operand,
        y: Operand,
        carry_in: Option<Carry>,
    },
    /// `difference - B borrow_out = x - y - borrow_in`; modulo `B` without `borrow_out`.
    Sub {
        difference: Word,
        borrow_out: Option<Borrow>,
        x: Operand,
        y: Operand,
        borrow_in: Option<Borrow>,
    },
    /// One half of `x y`.
    Mul {
        half: Half,
        result: Word,
        x: Operand,
        y: Operand,
    },
    /// `low + B high = x y`.
    MulWide {
        low: Word,
        high: Word,
        x: Operand,
        y: Operand,
    },
    /// `sum + B carry_out = half(x y) + addend + carry_in`; modulo `B` without `carry_out`.
    MulAdd {
        half: Half,
        sum: Word,
        carry_out: Option<Carry>,
        x: Operand,
        y: Operand,
        addend: Operand,
        carry_in: Option<Carry>,
    },
    /// `low + B high = x y + z + c`, which never exceeds `B^2 - 1`.
    MulAdd2 {
        low: Word,
        high: Word,
        x: Operand,
        y: Operand,
        z: Operand,
        c: Operand,
    },
    /// `x` where the flag is set, else `y`.
    Select {
        result: Word,
        flag: Flag,
        x: Operand,
        y: Operand,
    },
    /// `x` where the flag is set, else 0.
    Mask {
        result: Word,
        flag: Flag,
        x: Operand,
    },
    /// `x 2^by mod B`.
    ShiftLeft { result: Word, x: Operand, by: u32 },
    /// `floor(x / 2^by)`.
    ShiftRight { result: Word, x: Operand, by: u32 },
    /// `floor((low + B high) / 2^by) mod B`, with `0 < by < word_bits`.
    Funnel {
        result: Word,
        low: Operand,
        high: Operand,
        by: u32,
    },
}

/// An argument of a program: a number of some words, least significant first.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    pub name: &'static str,
    pub words: Vec<Word>,
    /// The largest value the program is right for: what tests run it on.
    #[cfg(test)]
    pub max: BigUint,
}

/// A straight-line program over words of `word_bits` bits.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub word_bits: u32,
    pub inputs: Vec<Input>,
    pub ops: Vec<Op>,
    /// The result, least significant word first.
    pub outputs: Vec<Operand>,
    /// The stem of each word's printed name.
    stems: Vec<&'static str>,
    /// Number of carries and borrows.
    flags: u32,
    /// Comments for the reader of the printed program, each before the operation of that index.
    notes: Vec<(usize, String)>,
}

impl Op {
    /// The words it writes: one, or the low and the high half of a product.
    pub fn results(&self) -> (Word, Option<Word>) {
        match *self {
            Op::Add { sum, .. } | Op::MulAdd { sum, .. } => (sum, None),
            Op::Sub { difference, .. } => (difference, None),
            Op::MulWide { low, high, .. } | Op::MulAdd2 { low, high, .. } => (low, Some(high)),
            Op::Mul { result, .. }
            | Op::Select { result, .. }
            | Op::Mask { result, .. }
            | Op::ShiftLeft { result, .. }
            | Op::ShiftRight { result, .. }
            | Op::Funnel { result, .. } => (result, None),
        }
    }

    /// The words and constants it reads.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let (x, others) = match *self {
            Op::Add { x, y, .. }
            | Op::Sub { x, y, .. }
            | Op::Mul { x, y, .. }
            | Op::MulWide { x, y, .. }
            | Op::Select { x, y, .. }
            | Op::Funnel {
                low: x, high: y, ..
            } => (x, [Some(y), None, None]),
            Op::MulAdd { x, y, addend, .. } => (x, [Some(y), Some(addend), None]),
            Op::MulAdd2 { x, y, z, c, .. } => (x, [Some(y), Some(z), Some(c)]),
            Op::Mask { x, .. } | Op::ShiftLeft { x, .. } | Op::ShiftRight { x, .. } => {
                (x, [None; 3])
            }
        };
        std::iter::once(x).chain(others.into_iter().flatten())
    }

    /// The flag it adds or subtracts.
    pub fn flag_in(&self) -> Option<Flag> {
        match *self {
            Op::Add { carry_in, .. } | Op::MulAdd { carry_in, .. } => carry_in.map(Flag::Carry),
            Op::Sub { borrow_in, .. } => borrow_in.map(Flag::Borrow),
            _ => None,
        }
    }

    /// The flag it writes.
    pub fn flag_out(&self) -> Option<Flag> {
        match *self {
            Op::Add { carry_out, .. } | Op::MulAdd { carry_out, .. } => carry_out.map(Flag::Carry),
            Op::Sub { borrow_out, .. } => borrow_out.map(Flag::Borrow),
            _ => None,
        }
    }

    /// The flag it selects or masks by.
    pub fn selector(&self) -> Option<Flag> {
        match *self {
            Op::Select { flag, .. } | Op::Mask { flag, .. } => Some(flag),
            _ => None,
        }
    }
}

impl Word {
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Flag {
    fn index(self) -> usize {
        match self {
            Flag::Carry(Carry(i)) | Flag::Borrow(Borrow(i)) => i as usize,
        }
    }
}

impl Operand {
    pub const ZERO: Operand = Operand::Constant(0);

    fn is_zero(self) -> bool {
        self == Operand::ZERO
    }

    fn word(self) -> Option<Word> {
        match self {
            Operand::Word(word) => Some(word),
            Operand::Constant(_) => None,
        }
    }
}

impl From<Word> for Operand {
    fn from(word: Word) -> Self {
        Operand::Word(word)
    }
}

impl Program {
    /// How often each word is read, outputs included.
    fn word_uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.stems.len()];
        let read = self
            .ops
            .iter()
            .flat_map(Op::operands)
            .chain(self.outputs.iter().copied());
        for word in read.filter_map(Operand::word) {
            uses[word.index()] += 1;
        }
        uses
    }

    /// How often each flag is read.
    fn flag_uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.flags as usize];
        for op in &self.ops {
            for flag in op.flag_in().into_iter().chain(op.selector()) {
                uses[flag.index()] += 1;
            }
        }
        uses
    }
}

/// An odd modulus together with the words its residues are kept in.
#[derive(Debug, Clone)]
pub(crate) struct Modulus {
    pub p: BigUint,
    pub word_bits: u32,
    /// Words per residue: enough for `p`, possibly more (a 65-bit modulus kept in two u64 words has
    /// four u32 limbs, of which the highest is always zero and costs nothing).
    pub limbs: usize,
}

impl Modulus {
    /// Words of `p` itself: the others are always zero.
    pub fn significant(&self) -> usize {
        (self.p.bits() as usize).div_ceil(self.word_bits as usize)
    }

    /// `R = 2^(word_bits limbs)`.
    pub fn radix_power(&self) -> BigUint {
        BigUint::from(1u32) << (self.word_bits as usize * self.limbs)
    }
}

/// Why a strategy is not offered for a modulus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound {
    /// What has to hold.
    pub required: String,
    /// What holds instead, and by how much that misses.
    pub found: String,
}

impl Bound {
    fn new(required: String, found: String) -> Self {
        Bound { required, found }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs {}, but {}", self.required, self.found)
    }
}

#[cfg(test)]
mod testing;
