//! Arithmetic in the lanes of vector registers, as data: straight-line programs whose operations
//! are one vector instruction each.
//!
//! What one lane of 64 bits does, all do: a program is written, and evaluated, for a single one.
//! It holds one element of 64 bits, or two of 32: the *even* one in its low half, the *odd* one in
//! its high half. Multiplication is what makes lanes of 64 bits of both, as the instruction takes
//! the low halves of two lanes to a product of 64 bits.
//!
//! Programs are in static single assignment form. Builders ([`word32`]) choose the
//! idioms of an instruction set and of a modulus while they build; no optimiser runs after them.

mod build;
#[cfg(test)]
mod evaluate;
pub(crate) mod print;
pub(crate) mod word32;

#[cfg(test)]
mod tests;

pub(crate) use build::Builder;

/// An instruction set with vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isa {
    /// 256 bits. Comparisons are signed, and make lanes of ones.
    Avx2,
    /// 512 bits, AVX-512F only. Comparisons make masks, by which any operation merges.
    Avx512,
}

/// The size of the elements that an operation works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    W32,
    W64,
}

impl Width {
    pub fn bits(self) -> u32 {
        match self {
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }
}

/// The result of one operation: its index in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value(usize);

/// A mask with a bit for each element: a value of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mask(usize);

/// The same number in every element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constant {
    /// As an expression of the generated code.
    pub text: String,
    /// What a lane of 64 bits holds.
    pub lane: u64,
}

/// An operation of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    /// Modulo `2^bits`, as is `Sub`.
    Add,
    Sub,
    /// Of unsigned numbers, as is `Max`; of 64 bits with AVX-512 only.
    Min,
    Max,
    And,
    /// `!x & y`.
    AndNot,
    /// The product of the even halves, 64 bits.
    MulEven,
    /// The same of signed numbers.
    MulEvenSigned,
    /// All ones where `x == y`, else 0. AVX2.
    Equal,
}

/// An operation of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    /// The odd half in both places.
    OddToEven,
    /// The even half in both places.
    EvenToOdd,
    ShiftLeft(u32),
    ShiftRight(u32),
    /// The value itself, about whose origin the compiler must know nothing.
    Hide,
}

/// An operation that leaves one half of each lane of `even_from` or `odd_from` in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Merge {
    /// The even half of `x` and the odd half of `y`.
    Blend,
    /// The odd half of `x` in the even place, beside the odd half of `y`. AVX-512.
    OddToEven,
    /// The even half of `y` in the odd place, beside the even half of `x`. AVX-512.
    EvenToOdd,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    Input,
    Splat(Constant),
    Unary(Unary, Width, Value),
    Binary(Binary, Width, Value, Value),
    Merge(Merge, Value, Value),
    /// The even half of `even`, and in the odd half `x - y`. AVX-512.
    SubOdd {
        even: Value,
        x: Value,
        y: Value,
    },
    /// Set where `x < y`, unsigned. AVX-512.
    Less(Width, Value, Value),
    /// Set where `x & y` is not 0. AVX-512.
    Test(Width, Value, Value),
    /// `x + y` where the mask is set, else `x`. AVX-512.
    AddWhere(Width, Mask, Value, Value),
    /// `x - y` where the mask is set, else 0. AVX-512.
    SubOrZero(Width, Mask, Value, Value),
    /// `x` where the mask is set, else `y`. AVX-512.
    Choose(Width, Mask, Value, Value),
}

impl Op {
    /// Whether the result is a mask.
    fn is_mask(&self) -> bool {
        matches!(self, Op::Less(..) | Op::Test(..))
    }

    /// The indices of the operations whose results it reads.
    fn operands(&self) -> Vec<usize> {
        match *self {
            Op::Input | Op::Splat(_) => Vec::new(),
            Op::Unary(_, _, x) => vec![x.0],
            Op::Binary(_, _, x, y) | Op::Merge(_, x, y) | Op::Less(_, x, y) | Op::Test(_, x, y) => {
                vec![x.0, y.0]
            }
            Op::SubOdd { even, x, y } => vec![even.0, x.0, y.0],
            Op::AddWhere(_, mask, x, y)
            | Op::SubOrZero(_, mask, x, y)
            | Op::Choose(_, mask, x, y) => vec![mask.0, x.0, y.0],
        }
    }

    /// Whether it is an instruction that every vector costs: constants are loaded once, before a
    /// loop.
    #[cfg(test)]
    fn is_instruction(&self) -> bool {
        !matches!(self, Op::Input | Op::Splat(_) | Op::Unary(Unary::Hide, ..))
    }
}

/// An argument of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// A vector.
    Vector(&'static str),
    /// A factor that many products share, prepared as vectors of these names.
    Factor(&'static [&'static str]),
}

/// A straight-line program over the lanes of vectors.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub isa: Isa,
    pub parameters: Vec<Parameter>,
    /// The values of the parameters come first.
    pub ops: Vec<Op>,
    pub outputs: Vec<Value>,
    /// What each result is called in print.
    names: Vec<String>,
    /// Comments for the reader, each before the operation of that index.
    notes: Vec<(usize, &'static str)>,
}

impl Program {
    /// Whether anything comes of each operation: a part of an operand that no product takes is
    /// neither printed nor counted.
    fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.ops.len()];
        for output in &self.outputs {
            used[output.0] = true;
        }
        for (index, op) in self.ops.iter().enumerate().rev() {
            if used[index] {
                for operand in op.operands() {
                    used[operand] = true;
                }
            }
        }
        used
    }

    /// The number of vector instructions.
    #[cfg(test)]
    pub fn instructions(&self) -> usize {
        let ops = self.ops.iter().zip(self.used());
        ops.filter(|(op, used)| *used && op.is_instruction())
            .count()
    }
}

/// A program with what a reader is told about it.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    pub name: &'static str,
    /// What it computes and for which operands, on lines of its own.
    pub doc: Vec<String>,
    pub program: Program,
}

/// How products are reduced, and in which form elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// Montgomery form, `R = 2^bits`.
    Montgomery,
    /// Canonical, of any shape: products are reduced by Montgomery's method, twice.
    Canonical,
    /// Canonical, `p = 2^exponent - 1`.
    Mersenne { exponent: u32 },
}
