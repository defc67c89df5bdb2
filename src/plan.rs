//! Which algorithm each operation uses on each target, and why. The one place where a field's
//! shape decides; nothing here depends on a field's name.

use num_bigint::BigUint;
use num_traits::One;

use crate::config::{FieldSpec, Reduction, Target};
use crate::diagnostic::Diagnostic;
use crate::field::Field;

/// A field together with every choice that was made for it.
#[derive(Debug, Clone)]
pub struct Plan {
    pub field: Field,
    pub shape: Shape,
    pub stored: Stored,
    /// The targets to render, without duplicates.
    pub targets: Vec<Target>,
    /// Whether generated code may use `std` to choose the instruction set at run time.
    pub std: bool,
}

/// How products are reduced. Decides everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `p = 2^exponent - 1`, up to 64 bits: the high part is added to the low part.
    Mersenne { exponent: u32 },
    /// `p = 2^64 - 2^32 + 1`: `2^64 = 2^32 - 1` and `2^96 = -1`.
    Goldilocks,
    /// Montgomery's REDC.
    Montgomery,
    /// Barrett's quotient estimate, on canonical values.
    Barrett,
}

/// What an element is in memory, the same on every target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    pub word: WordSize,
    /// Number of words, little-endian.
    pub words: u32,
    pub form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordSize {
    U32,
    U64,
}

impl WordSize {
    pub fn bits(self) -> u32 {
        match self {
            WordSize::U32 => 32,
            WordSize::U64 => 64,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The value itself, below p.
    Canonical,
    /// The value times `R = 2^(word bits * words)` modulo p, below p.
    Montgomery,
}

impl Shape {
    /// The shape that the modulus has by itself, if any.
    fn special(modulus: &BigUint, bits: u32) -> Option<Shape> {
        if bits > 64 {
            return None;
        }
        let one = BigUint::one();
        if modulus + &one == &one << bits {
            return Some(Shape::Mersenne { exponent: bits });
        }
        let goldilocks = (&one << 64u32) - (&one << 32u32) + &one;
        (*modulus == goldilocks).then_some(Shape::Goldilocks)
    }

    fn form(self) -> Form {
        match self {
            Shape::Montgomery => Form::Montgomery,
            Shape::Mersenne { .. } | Shape::Goldilocks | Shape::Barrett => Form::Canonical,
        }
    }
}
