//! CUDA headers: one per field, and one of word primitives that all of them include.

mod header;
mod programs;

use std::collections::BTreeSet;

use num_bigint::BigUint;
use serde::Serialize;

use super::{File, Templates};
use crate::diagnostic::Error;
use crate::kernel::print::{self, Printed};
use crate::plan::cuda::{self as plan, CudaPlan};
use crate::plan::{Form, Plan};

/// The header of word primitives. Fields cannot be called so: their names do not clash.
const WORD_HEADER: &str = "fieldgen_word.cuh";

/// `fieldgen_word.cuh`.
pub(crate) fn render_word(templates: &Templates, config: &str) -> Result<File, Error> {
    #[derive(Serialize)]
    struct Context<'a> {
        config: &'a str,
    }
    let text = templates.render("cuda/fieldgen_word.cuh", &Context { config })?;
    Ok(File {
        path: WORD_HEADER.to_owned(),
        text,
    })
}

/// `<field>.cuh`.
pub(crate) fn render(plan: &Plan, templates: &Templates, config: &str) -> Result<File, Error> {
    let text = templates.render("cuda/field.cuh", &FieldContext::new(plan, config))?;
    Ok(File {
        path: format!("{}.cuh", plan.field.name),
        text,
    })
}

/// What `templates/cuda/field.cuh.tera` is rendered from.
#[derive(Serialize)]
struct FieldContext<'a> {
    config: &'a str,
    name: &'a str,
    /// The comment at the top, without the slashes.
    header: Vec<String>,
    /// Word primitives that the programs call.
    primitives: BTreeSet<&'static str>,
    programs: Vec<ProgramContext>,
    bits: u32,
    limbs: u32,
    two_adicity: u32,
    /// Of an element, in bytes: 16 where elements in a row keep it, else 8.
    alignment: u32,
    montgomery: bool,
    /// Whether multiplication is a program of its own.
    interleaved: bool,
    /// What the limbs of an element are.
    stored_text: String,
    /// What `reduce` accepts numbers below.
    wide_limit: &'static str,
    /// The name of the program that `reduce` is.
    reduce_sum: &'static str,
    /// Lines of limbs.
    modulus: Vec<String>,
    modulus_words: Vec<String>,
    constants: Vec<Constant>,
    /// R^2 mod p, where elements are in Montgomery form.
    r2: Vec<String>,
    /// p - 2 with its highest bit at the top of an integer.
    inverse_exponent: Vec<String>,
    /// The number of ones of p - 2.
    inverse_multiplications: u64,
}

/// A function on limbs.
#[derive(Serialize)]
struct ProgramContext {
    doc: String,
    signature: Vec<String>,
    inputs: Vec<InputContext>,
    statements: Vec<String>,
    result: Vec<String>,
}

#[derive(Serialize)]
struct InputContext {
    name: &'static str,
    /// The local name of each word that is read.
    words: Vec<Option<String>>,
}

/// An element with a name.
#[derive(Serialize)]
struct Constant {
    name: &'static str,
    doc: String,
    lines: Vec<String>,
}

impl<'a> FieldContext<'a> {
    fn new(plan: &'a Plan, config: &'a str) -> Self {
        let field = &plan.field;
        let limbs = plan.cuda_limbs();
        let modulus = plan::modulus(plan);
        let algorithms = CudaPlan::new(plan);
        let montgomery = plan.stored.form == Form::Montgomery;
        let exponent = (&field.modulus - 2u32) << (32 * limbs - field.bits);
        let mut context = FieldContext {
            config,
            name: &field.name,
            header: header::lines(plan, &algorithms),
            primitives: BTreeSet::new(),
            programs: Vec::new(),
            bits: field.bits,
            limbs,
            two_adicity: field.two_adicity,
            alignment: if limbs.is_multiple_of(4) { 16 } else { 8 },
            montgomery,
            interleaved: algorithms.is_interleaved(),
            stored_text: match plan.stored.form {
                Form::Montgomery => format!("the value times R = 2^{} modulo p", 32 * limbs),
                Form::Canonical => "the value itself".to_owned(),
            },
            reduce_sum: programs::reduce_sum(algorithms.reduction),
            wide_limit: programs::limit_name(algorithms.reduction),
            modulus: lines(&field.modulus, limbs),
            modulus_words: words(&field.modulus, limbs),
            constants: constants(plan),
            r2: lines(&field.word64.r2, limbs),
            inverse_multiplications: exponent.count_ones(),
            inverse_exponent: lines(&exponent, limbs),
        };
        for named in programs::programs(&modulus, &algorithms) {
            let printed = print::cuda::print(&named.program);
            context
                .primitives
                .extend(printed.primitives.iter().copied());
            context
                .programs
                .push(ProgramContext::new(named.name, named.doc, printed));
        }
        context
    }
}

impl ProgramContext {
    fn new(name: &'static str, doc: String, printed: Printed) -> Self {
        let mut parameters = vec![format!("u32 (&r)[{}]", printed.outputs.len())];
        for input in &printed.inputs {
            parameters.push(format!(
                "const u32 (&{})[{}]",
                input.name,
                input.words.len()
            ));
        }
        let inputs = printed.inputs.into_iter().map(|input| InputContext {
            name: input.name,
            words: input.words,
        });
        ProgramContext {
            doc,
            signature: signature(name, &parameters.join(", ")),
            inputs: inputs.collect(),
            statements: printed.statements,
            result: printed.outputs,
        }
    }
}

/// The head of a function, in one line if that has at most 100 columns.
fn signature(name: &str, parameters: &str) -> Vec<String> {
    let line = format!("FIELDGEN_FUNCTION void {name}({parameters}) {{");
    if line.len() <= 100 {
        vec![line]
    } else {
        vec![
            format!("FIELDGEN_FUNCTION void {name}("),
            format!("    {parameters}) {{"),
        ]
    }
}

fn constants(plan: &Plan) -> Vec<Constant> {
    let field = &plan.field;
    let mut constants = Vec::new();
    let mut push = |name, doc: String, value: &BigUint| {
        let stored = match plan.stored.form {
            Form::Canonical => value.clone(),
            Form::Montgomery => (value << plan.stored.bits()) % &field.modulus,
        };
        let lines = lines(&stored, plan.cuda_limbs());
        constants.push(Constant { name, doc, lines });
    };
    push("zero", "0.".to_owned(), &BigUint::ZERO);
    push("one", "1.".to_owned(), &BigUint::from(1u32));
    push(
        "two_adic_root",
        format!("An element of order 2^{}.", field.two_adicity),
        &field.two_adic_root,
    );
    push(
        "nonresidue",
        format!("{}, which is not a square.", field.nonresidue),
        &field.nonresidue,
    );
    if let Some(generator) = &field.generator {
        push(
            "generator",
            format!("{generator}, which generates the multiplicative group."),
            generator,
        );
    }
    constants
}

/// C++ literals of the limbs, least significant first.
fn words(value: &BigUint, limbs: u32) -> Vec<String> {
    let mut words = value.to_u32_digits();
    words.resize(limbs as usize, 0);
    words.iter().map(|word| format!("{word:#010x}u")).collect()
}

/// The limbs in lines of an initialiser.
fn lines(value: &BigUint, limbs: u32) -> Vec<String> {
    words(value, limbs)
        .chunks(6)
        .map(|line| format!("{},", line.join(", ")))
        .collect()
}
