//! A generated field as the checks see it: through canonical integers.
//!
//! The checks are written once against this trait and compiled once, although there are hundreds
//! of generated types. It also lets a test put a wrong field in front of the checks.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::element::Operations;
use crate::model::Model;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
}

impl Binary {
    pub const ALL: [Binary; 3] = [Binary::Add, Binary::Sub, Binary::Mul];

    pub fn expected(self, model: &Model, a: &BigUint, b: &BigUint) -> BigUint {
        match self {
            Binary::Add => model.add(a, b),
            Binary::Sub => model.sub(a, b),
            Binary::Mul => model.mul(a, b),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    Neg,
    Double,
    Halve,
    Square,
    Cube,
}

impl Unary {
    pub const ALL: [Unary; 5] = [
        Unary::Neg,
        Unary::Double,
        Unary::Halve,
        Unary::Square,
        Unary::Cube,
    ];

    pub fn expected(self, model: &Model, a: &BigUint) -> BigUint {
        match self {
            Unary::Neg => model.neg(a),
            Unary::Double => model.add(a, a),
            Unary::Halve => model.halve(a),
            Unary::Square => model.mul(a, a),
            Unary::Cube => model.pow(a, &3u32.into()),
        }
    }
}

/// A slice function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slice {
    Add,
    Sub,
    Mul,
    Neg,
    ScalarMul,
    Sum,
    InnerProduct,
    MulAdd,
    ButterflyDif,
    ButterflyDit,
    Exp3,
    Exp5,
    Exp7,
    BatchInverse,
    AddAssign,
    SubAssign,
    MulAssign,
    Double,
    Halve,
    Square,
    Pow,
    NegInPlace,
    DoubleInPlace,
    HalveInPlace,
    SquareInPlace,
    Exp3InPlace,
    Exp5InPlace,
    Exp7InPlace,
    PowInPlace,
    ScalarMulInPlace,
    ScalarMulAdd,
    ButterflyDifScalar,
    ButterflyDitScalar,
    ToCanonical,
    FromCanonical,
}

impl Slice {
    pub const ALL: [Slice; 35] = [
        Slice::Add,
        Slice::Sub,
        Slice::Mul,
        Slice::Neg,
        Slice::ScalarMul,
        Slice::Sum,
        Slice::InnerProduct,
        Slice::MulAdd,
        Slice::ButterflyDif,
        Slice::ButterflyDit,
        Slice::Exp3,
        Slice::Exp5,
        Slice::Exp7,
        Slice::BatchInverse,
        Slice::AddAssign,
        Slice::SubAssign,
        Slice::MulAssign,
        Slice::Double,
        Slice::Halve,
        Slice::Square,
        Slice::Pow,
        Slice::NegInPlace,
        Slice::DoubleInPlace,
        Slice::HalveInPlace,
        Slice::SquareInPlace,
        Slice::Exp3InPlace,
        Slice::Exp5InPlace,
        Slice::Exp7InPlace,
        Slice::PowInPlace,
        Slice::ScalarMulInPlace,
        Slice::ScalarMulAdd,
        Slice::ButterflyDifScalar,
        Slice::ButterflyDitScalar,
        Slice::ToCanonical,
        Slice::FromCanonical,
    ];

    /// What `Pow` and `PowInPlace` raise to.
    pub const EXPONENT: u64 = 0b1_0110;
}

/// The arguments of a slice function, in the order in which it takes them: those that it writes
/// first. A scalar is a slice of one element.
pub type SliceArguments = Vec<Vec<BigUint>>;

/// How an element is kept in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Canonical,
    /// Times `2^(word bits * words)`.
    Montgomery,
}

/// What a generated field says about itself.
#[derive(Debug, Clone)]
pub struct Constants {
    pub modulus: BigUint,
    pub bits: u32,
    pub bytes: usize,
    pub size: usize,
    pub zero: BigUint,
    pub one: BigUint,
    pub default: BigUint,
    pub two_adicity: u32,
    pub two_adic_root: BigUint,
    pub nonresidue: BigUint,
    pub generator: Option<BigUint>,
    /// `((5 * 2 / 2)^2)^3` as a constant of the compiler.
    pub evaluated: BigUint,
}

/// A family of slice functions.
#[derive(Debug, Clone)]
pub struct Backend {
    /// The module they are in.
    pub name: &'static str,
    /// Whether this processor can run them.
    pub available: bool,
    pub functions: Vec<Slice>,
}

/// Every operation of a generated field. Arguments and results are canonical unless said
/// otherwise; lists of results are those of every way to write the operation.
pub trait TestField: Sync {
    /// `set::field`.
    fn name(&self) -> &str;
    /// The modulus as it was asked for, not as the generated code states it.
    fn model(&self) -> &Model;
    fn form(&self) -> Form;
    /// Bits and number of the stored words.
    fn words(&self) -> (u32, usize);
    /// Number of words that `new` takes, each of 64 bits.
    fn new_words(&self) -> usize;
    fn constants(&self) -> Constants;

    fn binary(&self, operation: Binary, a: &BigUint, b: &BigUint) -> Vec<BigUint>;
    fn unary(&self, operation: Unary, a: &BigUint) -> Vec<BigUint>;
    fn inverse(&self, a: &BigUint) -> Option<BigUint>;
    fn legendre(&self, a: &BigUint) -> i32;
    fn sqrt(&self, a: &BigUint) -> Option<BigUint>;
    fn is_zero(&self, a: &BigUint) -> bool;
    fn pow(&self, a: &BigUint, exponent: &[u64]) -> BigUint;
    fn pow_u64(&self, a: &BigUint, exponent: u64) -> BigUint;
    fn two_adic_root(&self, log2_order: u32) -> Option<BigUint>;
    fn sum(&self, a: &[BigUint]) -> Vec<BigUint>;
    fn product(&self, a: &[BigUint]) -> Vec<BigUint>;

    /// `new` of any words that fit.
    fn reduced(&self, value: &BigUint) -> BigUint;
    fn checked(&self, value: &BigUint) -> Option<BigUint>;
    fn from_u32(&self, value: u32) -> BigUint;
    fn from_u64(&self, value: u64) -> BigUint;
    fn from_stored(&self, stored: &BigUint) -> Option<BigUint>;
    fn to_stored(&self, a: &BigUint) -> BigUint;
    /// The bytes of the element in memory as one little-endian number.
    fn memory(&self, a: &BigUint) -> BigUint;
    /// `bytes` has exactly as many bytes as the field's elements.
    fn from_bytes(&self, bytes: &[u8]) -> Option<BigUint>;
    fn to_bytes(&self, a: &BigUint) -> Vec<u8>;
    fn from_uniform_bytes(&self, bytes: &[u8]) -> BigUint;
    fn parse(&self, text: &str) -> Result<BigUint, String>;
    fn display(&self, a: &BigUint) -> String;
    fn debug(&self, a: &BigUint) -> String;
    fn compare(&self, a: &BigUint, b: &BigUint) -> Ordering;
    /// Whether `==` holds, and whether the hashes are the same.
    fn equal(&self, a: &BigUint, b: &BigUint) -> (bool, bool);

    fn backends(&self) -> Vec<Backend>;
    /// Runs a slice function of `backends()[backend]`: the arguments after the call, and the
    /// value that it returns, if it does.
    ///
    /// # Panics
    ///
    /// Where the function panics, and if it writes outside its slices.
    fn slice(
        &self,
        backend: usize,
        function: Slice,
        arguments: SliceArguments,
    ) -> (SliceArguments, Option<BigUint>);
    /// A sum, or an inner product, of `length` times the same value.
    fn long_sum(&self, backend: usize, function: Slice, value: &BigUint, length: usize) -> BigUint;
    /// `Element::batch_inverse`: the values and nothing of the scratch.
    fn batch_inverse(&self, values: &[BigUint], scratch: usize) -> Vec<BigUint>;

    /// Compares packed elements with the portable slice functions, and the refusal of words that are
    /// not below the modulus: the number of cases, or the first difference.
    fn packed(&self, _backend: usize, _values: &[BigUint]) -> Result<u64, String> {
        Ok(0)
    }

    /// Compares `+`, `-`, `*` of all pairs of elements with machine integers; the number of cases,
    /// or the first difference. For moduli below 2^16.
    fn all_pairs(&self) -> Result<u64, String>;

    /// The functions on stored words, where an element is one of 32 bits.
    fn operations32(&self) -> Option<&Operations<u32>> {
        None
    }
}
