//! `fields.toml`: what the user may write, read with its spans. Knows no arithmetic.

use std::sync::Arc;

use num_bigint::BigUint;

use crate::diagnostic::{Source, Spanned};

/// A parsed `fields.toml`.
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) source: Arc<Source>,
    pub(crate) fields: Vec<FieldSpec>,
}

/// One `[[field]]` table with `[defaults]` applied, as written: nothing is verified yet beyond
/// syntax and names.
#[derive(Debug, Clone)]
pub struct FieldSpec {
    pub name: Spanned<String>,
    /// The modulus as the user wrote it, for headers.
    pub modulus_text: String,
    pub modulus: Spanned<BigUint>,
    /// `None`: every target that the field's shape has.
    pub targets: Option<Spanned<Vec<Spanned<Target>>>>,
    pub reduction: Spanned<Reduction>,
    pub generator: Option<Spanned<BigUint>>,
    pub factors: Option<Spanned<Vec<Spanned<BigUint>>>>,
    /// Whether generated code may use `std` to choose the instruction set at run time.
    pub std: bool,
}

/// A kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    Rust,
    Avx512,
    Cuda,
}

impl Target {
    pub const ALL: [Target; 3] = [Target::Rust, Target::Avx512, Target::Cuda];

    /// As written in `targets`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Rust => "rust",
            Target::Avx512 => "avx512",
            Target::Cuda => "cuda",
        }
    }
}

/// The user's wish for the reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    Auto,
    Montgomery,
    Barrett,
    Special,
}
