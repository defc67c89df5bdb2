//! The keys of `[[field]]` and `[defaults]`: the one table that the reader and the JSON schema
//! are made from.

use super::{Reduction, Target};

/// A key of `[[field]]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Name,
    Modulus,
    Targets,
    Reduction,
    Generator,
    Factors,
    Std,
}

/// What a key's value may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A string that names files, modules and namespaces.
    Name,
    /// A string holding an expression, or a TOML integer.
    Number,
    /// A list of those.
    Numbers,
    /// A string, one of these.
    Choice(Vec<&'static str>),
    /// A list of strings, some of these.
    Choices(Vec<&'static str>),
    /// `true` or `false`.
    Flag,
}

impl Key {
    /// In the order that documentation lists them.
    pub const ALL: [Key; 7] = [
        Key::Name,
        Key::Modulus,
        Key::Targets,
        Key::Reduction,
        Key::Generator,
        Key::Factors,
        Key::Std,
    ];

    pub fn from_name(name: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Key::Name => "name",
            Key::Modulus => "modulus",
            Key::Targets => "targets",
            Key::Reduction => "reduction",
            Key::Generator => "generator",
            Key::Factors => "factors",
            Key::Std => "std",
        }
    }

    pub fn kind(self) -> Kind {
        match self {
            Key::Name => Kind::Name,
            Key::Modulus | Key::Generator => Kind::Number,
            Key::Factors => Kind::Numbers,
            Key::Targets => Kind::Choices(Target::ALL.map(Target::name).to_vec()),
            Key::Reduction => Kind::Choice(Reduction::ALL.map(Reduction::name).to_vec()),
            Key::Std => Kind::Flag,
        }
    }

    /// Every field must have it; it cannot have a default.
    pub fn is_required(self) -> bool {
        matches!(self, Key::Name | Key::Modulus)
    }

    /// What holds for a field that neither has the key nor gets it from `[defaults]`, as both TOML
    /// and JSON write it; `None` where nothing is written for that.
    pub fn default(self) -> Option<&'static str> {
        match self {
            Key::Reduction => Some("\"auto\""),
            Key::Std => Some("true"),
            Key::Name | Key::Modulus | Key::Targets | Key::Generator | Key::Factors => None,
        }
    }

    /// A typical line, to show how the key is used.
    pub fn example(self) -> &'static str {
        match self {
            Key::Name => "name = \"baby_bear\"",
            Key::Modulus => "modulus = \"2^31 - 2^27 + 1\"",
            Key::Targets => "targets = [\"rust\", \"cuda\"]",
            Key::Reduction => "reduction = \"montgomery\"",
            Key::Generator => "generator = 31",
            Key::Factors => "factors = [2, 3, 5]",
            Key::Std => "std = false",
        }
    }

    /// For the editor's tooltip.
    pub fn doc(self) -> &'static str {
        match self {
            Key::Name => {
                "Names the generated files, the Rust module and the C++ namespace. Lower-case \
                 letters and digits, words joined by `_`; not a reserved word of Rust or C++."
            }
            Key::Modulus => {
                "The field's modulus, an odd prime of at most 4096 bits: a quoted expression such \
                 as \"2^31 - 2^27 + 1\" (decimal, 0x, `_` between digits, + - * ^ and \
                 parentheses), or an integer of at most 64 bits."
            }
            Key::Targets => "What to generate. Left out: every target that the field's shape has.",
            Key::Reduction => {
                "How products are reduced. \"auto\" takes the special form of the modulus where \
                 it has one, and Montgomery's method otherwise; \"barrett\" and \"special\" keep \
                 canonical values in memory."
            }
            Key::Generator => {
                "A generator of the multiplicative group. It is verified, never trusted."
            }
            Key::Factors => {
                "The prime factors of modulus - 1, to prove a generator where the factors are too \
                 long to be found. They are verified, never trusted."
            }
            Key::Std => {
                "Whether generated Rust may use `std` to choose the instruction set at run time. \
                 false: only `core` is used, and cfg(target_feature) decides."
            }
        }
    }
}
