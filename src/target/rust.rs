//! Plans rendered as Rust: one self-contained module per field, and `mod.rs`.

mod header;
mod kernels;
mod literal;
mod power;
mod simd;
mod slices;

use std::collections::BTreeSet;

use serde::Serialize;

use num_bigint::BigUint;

use super::{File, Templates};
use crate::config::names::type_name;
use crate::diagnostic::Error;
use crate::plan::square_root::Logarithm;
use crate::plan::{Form, Plan, Shape, WordSize};
use kernels::Function;
use literal::{grouped_hex, stored};
use power::FixedPower;
use simd::Module;
use slices::SliceFunction;

/// Renders the module of one field.
///
/// # Errors
///
/// A template of the user's that does not render.
pub(crate) fn render(plan: &Plan, templates: &Templates, config: &str) -> Result<File, Error> {
    let mut context = FieldContext::new(plan, config);
    context.simd = simd::modules(plan, &context.slice_functions, templates)?;
    context.dispatched = context.simd.iter().rev().cloned().collect();
    Ok(File {
        path: format!("{}.rs", plan.field.name),
        text: templates.render("rust/field.rs", &context)?,
    })
}

/// Renders `mod.rs`, which names the modules of all fields.
///
/// # Errors
///
/// A template of the user's that does not render.
pub(crate) fn render_mod(
    plans: &[&Plan],
    templates: &Templates,
    config: &str,
) -> Result<File, Error> {
    let fields = plans
        .iter()
        .map(|plan| ModuleContext {
            name: &plan.field.name,
            type_name: type_name(&plan.field.name),
            modulus_text: super::header::one_line(&plan.field.modulus_text),
        })
        .collect();
    let context = ModContext { config, fields };
    Ok(File {
        path: "mod.rs".to_owned(),
        text: templates.render("rust/mod.rs", &context)?,
    })
}

/// What `rust/mod.rs` is rendered with.
#[derive(Serialize)]
struct ModContext<'a> {
    config: &'a str,
    fields: Vec<ModuleContext<'a>>,
}

#[derive(Serialize)]
struct ModuleContext<'a> {
    name: &'a str,
    type_name: String,
    modulus_text: String,
}

/// What `rust/field.rs` is rendered with. Numbers are Rust literals, as rustfmt lays them out.
#[derive(Serialize)]
struct FieldContext {
    /// The comment at the top, a line each.
    header: Vec<String>,
    modulus_text: String,

    /// `mersenne`, `goldilocks`, `special`, `montgomery` or `barrett`.
    shape: &'static str,
    /// Whether elements are stored in Montgomery form.
    montgomery: bool,
    /// Whether an element is a single word.
    one_word: bool,
    /// The type of one stored word, and the type of twice its size.
    word: &'static str,
    wide: &'static str,
    word_bits: u32,
    word_bytes: u32,
    words: u32,
    /// The type of the stored words: `u32`, `u64` or `[u64; N]`.
    repr: String,
    bits: u32,
    bytes: u32,
    spare_bits: u32,
    /// `word_bits * words`: `R = 2^radix_bits` in Montgomery form.
    radix_bits: u32,

    zero: String,
    modulus: String,
    two_adicity: u32,
    /// Elements, in stored form.
    one: String,
    two_adic_root: String,
    root_origin: String,
    nonresidue: String,
    nonresidue_text: String,
    generator: Option<String>,
    generator_text: Option<String>,

    /// Integers read from bytes are taken in digits of this many bits.
    digit_bits: u32,
    /// `2^digit_bits`, in stored form.
    digit_radix: String,
    /// Length of the decimal form of an element, a multiple of 19 (the digits of one word).
    display_digits: u64,

    /// `p - 2`.
    inverse_power: FixedPower,
    /// What a square root takes first: `(p + 1) / 4`, or `(odd part - 1) / 2`.
    root_power: FixedPower,
    /// Where p = 1 mod 4.
    logarithm: Option<LogarithmContext>,
    /// Limbs of 62 bits that have room for twice the modulus and a sign.
    signed_limbs: u32,
    /// `p^-1` modulo the size of such a limb.
    p_inverse_limb: String,

    /// Constants of the reduction; which of them are used depends on the shape.
    p_inverse: String,
    r2: String,
    r3: String,
    mu: String,

    /// Multi-limb arithmetic.
    functions: Vec<Function>,
    /// The functions of words that those call.
    primitives: BTreeSet<&'static str>,

    /// The functions over slices.
    slice_functions: Vec<SliceFunction>,
    /// A module of vectors for each instruction set that is a target, and the same with the best
    /// one first.
    simd: Vec<Module>,
    dispatched: Vec<Module>,
    /// Whether the module may use `std`.
    std: bool,

    /// What the templates repeat.
    operators: [Operator; 3],
}

/// See [`Logarithm`].
#[derive(Serialize)]
struct LogarithmContext {
    digits: u32,
    digit_bits: u32,
    /// The number of lowest bits that are 0, because digits are more than the two-adicity.
    padding: u32,
    /// `1 / TWO_ADIC_ROOT`, in stored form.
    root_inverse: String,
    /// Whether the tables are larger than an array on the stack should be.
    large: bool,
    /// Whether the compiler takes the computation of the tables for one that does not end.
    long: bool,
}

impl LogarithmContext {
    fn new(plan: &Plan, element: impl Fn(&BigUint) -> String) -> LogarithmContext {
        let field = &plan.field;
        let log = Logarithm::new(plan);
        let inverse = field
            .two_adic_root
            .modpow(&(&field.modulus - 2u32), &field.modulus);
        // Of a product, some three calls for each two words. The compiler's limit is two million.
        let calls =
            u64::from(log.digits << log.digit_bits) * u64::from(plan.stored.words).pow(2) * 3;
        LogarithmContext {
            digits: log.digits,
            digit_bits: log.digit_bits,
            padding: log.digits * log.digit_bits - field.two_adicity,
            root_inverse: element(&inverse),
            large: log.bytes(u64::from(plan.stored.bits() / 8)) > 16384,
            long: calls > 1_000_000,
        }
    }
}

/// An operator with two operands.
#[derive(Serialize)]
struct Operator {
    r#trait: &'static str,
    method: &'static str,
    sign: &'static str,
}

const OPERATORS: [Operator; 3] = [
    Operator {
        r#trait: "Add",
        method: "add",
        sign: "+",
    },
    Operator {
        r#trait: "Sub",
        method: "sub",
        sign: "-",
    },
    Operator {
        r#trait: "Mul",
        method: "mul",
        sign: "*",
    },
];

impl FieldContext {
    fn new(plan: &Plan, config: &str) -> FieldContext {
        let field = &plan.field;
        let p = &field.modulus;
        let one = BigUint::from(1u32);
        let word_bits = plan.stored.word.bits();
        let count = plan.stored.words;
        let one_word = count == 1;
        let radix_bits = word_bits * count;
        let word = match plan.stored.word {
            WordSize::U32 => "u32",
            WordSize::U64 => "u64",
        };
        let wide = match plan.stored.word {
            WordSize::U32 => "u64",
            WordSize::U64 => "u128",
        };
        let radix = &one << radix_bits;
        let montgomery = plan.stored.form == Form::Montgomery;
        // The literal of a stored element.
        let element = |value: &BigUint| {
            let value = match plan.stored.form {
                Form::Canonical => value % p,
                Form::Montgomery => value * &radix % p,
            };
            stored(&value, count)
        };
        let origin = match &field.generator {
            Some(_) => "GENERATOR",
            None => "NONRESIDUE",
        };
        let digit_bits = radix_bits.max(64);
        let root_exponent = if field.two_adicity == 1 {
            (p + 1u32) >> 2u32
        } else {
            &field.odd_part >> 1u32
        };
        let p_inverse = match plan.stored.word {
            WordSize::U32 => field.word32.inv,
            WordSize::U64 => field.word64.inv,
        };
        let repr = if one_word {
            word.to_owned()
        } else {
            format!("[{word}; {count}]")
        };
        let functions = if one_word {
            Vec::new()
        } else {
            kernels::functions(plan)
        };
        FieldContext {
            header: header::lines(plan, config),
            modulus_text: super::header::one_line(&field.modulus_text),
            shape: match plan.shape {
                Shape::Mersenne { .. } => "mersenne",
                Shape::Goldilocks => "goldilocks",
                Shape::Montgomery => "montgomery",
                Shape::Special => "special",
                Shape::Barrett => "barrett",
            },
            montgomery,
            one_word,
            word,
            wide,
            word_bits,
            word_bytes: word_bits / 8,
            words: count,
            repr: repr.clone(),
            bits: field.bits,
            bytes: field.bits.div_ceil(8),
            spare_bits: radix_bits - field.bits,
            radix_bits,
            zero: if one_word {
                "0".to_owned()
            } else {
                format!("[0; {count}]")
            },
            modulus: stored(p, count),
            two_adicity: field.two_adicity,
            one: element(&one),
            two_adic_root: element(&field.two_adic_root),
            root_origin: format!("`{origin}^((p - 1) / 2^TWO_ADICITY)`"),
            nonresidue: element(&field.nonresidue),
            nonresidue_text: field.nonresidue.to_string(),
            generator: field.generator.as_ref().map(&element),
            generator_text: field.generator.as_ref().map(BigUint::to_string),
            digit_bits,
            digit_radix: element(&(&one << digit_bits)),
            display_digits: p.to_string().len().div_ceil(19) as u64 * 19,
            inverse_power: FixedPower::new(&(p - 2u32)),
            root_power: FixedPower::new(&root_exponent),
            logarithm: (field.two_adicity > 1).then(|| LogarithmContext::new(plan, element)),
            signed_limbs: (field.bits + 2).div_ceil(62),
            p_inverse_limb: grouped_hex(p_inverse & (u64::MAX >> 2)),
            p_inverse: grouped_hex(p_inverse),
            r2: stored(&(&radix * &radix % p), count),
            r3: stored(&(&radix * &radix * &radix % p), count),
            mu: barrett_constant(plan),
            primitives: kernels::primitives(&functions),
            functions,
            slice_functions: slices::functions(&repr, montgomery),
            simd: Vec::new(),
            dispatched: Vec::new(),
            std: plan.std,
            operators: OPERATORS,
        }
    }
}

/// The reciprocal of p that a one-word Barrett reduction multiplies by.
fn barrett_constant(plan: &Plan) -> String {
    let p = &plan.field.modulus;
    let one = BigUint::from(1u32);
    let mu = match (plan.stored.words, plan.stored.word) {
        (1, WordSize::U32) => (&one << 64u32) / p,
        // floor((2^128 - 1) / (2^spare p)) - 2^64, without the one bit above the word.
        (1, WordSize::U64) => {
            let spare = 64 - plan.field.bits;
            ((&one << 128u32) - &one) / (p << spare) - (&one << 64u32)
        }
        _ => return String::new(),
    };
    stored(&mu, 1)
}

#[cfg(test)]
mod tests;
