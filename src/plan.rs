//! Which algorithm each operation uses on each target, and why. The one place where a field's
//! shape decides; nothing here depends on a field's name.

pub(crate) mod chain;
pub(crate) mod cuda;
mod decisions;
pub(crate) mod host;
pub(crate) mod square_root;
mod word;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use crate::config::{FieldSpec, Reduction, Target};
use crate::diagnostic::Diagnostic;
use crate::field::Field;
use crate::kernel::Modulus;
use crate::kernel::candidates::{self, Machine, Operation};
use crate::kernel::lane::{self, word32::Field32};
pub(crate) use decisions::Decision;

/// CUDA programs are straight-line code: above this many 32-bit limbs (2048 bits) no device
/// compiler does anything useful with them.
const CUDA_MAX_LIMBS: u32 = 64;

/// A field together with every choice that was made for it.
#[derive(Debug, Clone)]
pub struct Plan {
    pub field: Field,
    pub shape: Shape,
    pub stored: Stored,
    /// The targets to render, in the order of [`Target`], without duplicates.
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
    /// `p = 2^k - c` above 64 bits, where the part above `2^k` can be folded.
    Special,
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

impl Plan {
    /// Decides everything for one field, or says which wish cannot be met and why.
    ///
    /// # Errors
    ///
    /// A reduction whose precondition the modulus does not meet; a target that the field's shape
    /// does not have.
    pub fn new(spec: &FieldSpec, field: Field) -> Result<Plan, Vec<Diagnostic>> {
        let shape = shape(spec, &field).map_err(|diagnostic| vec![diagnostic])?;
        let stored = Stored::new(shape, field.bits);
        let mut plan = Plan {
            field,
            shape,
            stored,
            targets: Vec::new(),
            std: spec.std,
        };
        plan.targets = targets(spec, &plan)?;
        Ok(plan)
    }
}

/// The modulus decides, unless the user does.
fn shape(spec: &FieldSpec, field: &Field) -> Result<Shape, Diagnostic> {
    match spec.reduction.value {
        Reduction::Auto => {
            Ok(Shape::special(&field.modulus, field.bits).unwrap_or(Shape::Montgomery))
        }
        Reduction::Montgomery => Ok(Shape::Montgomery),
        Reduction::Barrett => Ok(Shape::Barrett),
        Reduction::Special => special_shape(field).map_err(|reasons| {
            let mut diagnostic = Diagnostic::new(
                "reduction-not-available",
                format!(
                    "`reduction = \"special\"` does not fit the modulus of `{}`",
                    spec.name.value
                ),
            )
            .at(
                spec.reduction.span.clone(),
                "no special form is known for this modulus",
            );
            for reason in reasons {
                diagnostic = diagnostic.note(reason);
            }
            diagnostic.help(
                "use `reduction = \"auto\"`, or \"montgomery\", which works for every odd prime",
            )
        }),
    }
}

/// The special form that the modulus has, or why it has none.
fn special_shape(field: &Field) -> Result<Shape, Vec<String>> {
    if let Some(shape) = Shape::special(&field.modulus, field.bits) {
        return Ok(shape);
    }
    if field.bits <= 64 {
        let forms = "special forms up to 64 bits: 2^k - 1, and 2^64 - 2^32 + 1";
        return Err(vec![forms.to_owned()]);
    }
    let words = field.bits.div_ceil(64) as usize;
    let mut refused = Vec::new();
    for (word_bits, machine) in [(64, Machine::DoubleWords), (32, Machine::CarryChains)] {
        let modulus = Modulus {
            p: field.modulus.clone(),
            word_bits,
            limbs: words * 64 / word_bits as usize,
        };
        let candidates = candidates::candidates(
            &modulus,
            machine,
            candidates::Reduction::Special,
            Operation::Mul,
        );
        if candidates.iter().any(|candidate| candidate.program.is_ok()) {
            continue;
        }
        for bound in candidates
            .into_iter()
            .filter_map(|candidate| candidate.program.err())
        {
            let reason = format!("folding {bound}");
            if !refused.contains(&reason) {
                refused.push(reason);
            }
        }
    }
    if refused.is_empty() {
        Ok(Shape::Special)
    } else {
        Err(refused)
    }
}

/// The targets asked for, or all that the field has.
fn targets(spec: &FieldSpec, plan: &Plan) -> Result<Vec<Target>, Vec<Diagnostic>> {
    let Some(wanted) = &spec.targets else {
        return Ok(Target::ALL
            .into_iter()
            .filter(|&target| plan.lacks(target).is_none())
            .collect());
    };
    let mut diagnostics = Vec::new();
    let mut targets = Vec::new();
    for target in &wanted.value {
        match plan.lacks(target.value) {
            None => targets.push(target.value),
            Some(reason) => diagnostics.push(
                Diagnostic::new(
                    "target-not-available",
                    format!(
                        "`{}` has no target `{}`",
                        spec.name.value,
                        target.value.name()
                    ),
                )
                .at(target.span.clone(), "not for this modulus")
                .note(reason)
                .help("leave `targets` out to get every target that the field has"),
            ),
        }
    }
    targets.sort_unstable();
    targets.dedup();
    if diagnostics.is_empty() {
        Ok(targets)
    } else {
        Err(diagnostics)
    }
}

impl Plan {
    /// Why the field has no such target, or `None` if it has.
    fn lacks(&self, target: Target) -> Option<String> {
        let bits = self.field.bits;
        match target {
            Target::Rust => None,
            Target::Avx2 | Target::Avx512 if bits > 32 => Some(format!(
                "{} is for moduli of up to 32 bits; this one has {bits} bits",
                target.name()
            )),
            Target::Avx2 | Target::Avx512 => None,
            Target::Cuda if bits <= 32 => Some(format!(
                "cuda is for moduli of more than 32 bits; this one has {bits}"
            )),
            Target::Cuda if self.cuda_limbs() > CUDA_MAX_LIMBS => Some(format!(
                "cuda goes up to {CUDA_MAX_LIMBS} limbs of 32 bits; this modulus needs {}",
                self.cuda_limbs()
            )),
            Target::Cuda => None,
        }
    }

    /// The field as vectors of 32-bit lanes have it, if they do.
    pub fn lanes(&self) -> Option<Field32> {
        if self.stored.word != WordSize::U32 {
            return None;
        }
        Some(Field32 {
            modulus: self.field.modulus.to_u32()?,
            reduction: match self.shape {
                Shape::Mersenne { exponent } => lane::Reduction::Mersenne { exponent },
                Shape::Montgomery => lane::Reduction::Montgomery,
                Shape::Barrett | Shape::Goldilocks | Shape::Special => lane::Reduction::Canonical,
            },
        })
    }

    /// The stored words as 32-bit limbs.
    pub fn cuda_limbs(&self) -> u32 {
        self.stored.words * self.stored.word.bits() / 32
    }
}

impl Stored {
    fn new(shape: Shape, bits: u32) -> Stored {
        let word = if bits <= 32 {
            WordSize::U32
        } else {
            WordSize::U64
        };
        Stored {
            word,
            words: bits.div_ceil(word.bits()),
            form: shape.form(),
        }
    }

    /// log2 of the Montgomery radix R, which is also the size of an element in bits.
    pub fn bits(self) -> u32 {
        self.word.bits() * self.words
    }
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
            Shape::Mersenne { .. } | Shape::Goldilocks | Shape::Special | Shape::Barrett => {
                Form::Canonical
            }
        }
    }

    /// Which straight-line programs reduce products.
    fn reduction(self) -> candidates::Reduction {
        match self {
            Shape::Montgomery => candidates::Reduction::Montgomery,
            Shape::Barrett => candidates::Reduction::Barrett,
            Shape::Mersenne { .. } | Shape::Goldilocks | Shape::Special => {
                candidates::Reduction::Special
            }
        }
    }
}
