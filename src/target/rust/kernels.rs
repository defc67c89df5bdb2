//! The arithmetic of multi-limb fields: kernel programs as functions over arrays of words.

use std::collections::BTreeSet;

use serde::Serialize;

use super::literal;
use crate::kernel::wide::Product;
use crate::kernel::{Bound, Modulus, Program, barrett, modular, montgomery, print};
use crate::plan::{Plan, Shape};

/// A `const fn` over arrays of words.
#[derive(Serialize)]
pub(super) struct Function {
    name: &'static str,
    /// Its comment, on one line.
    doc: &'static str,
    arguments: String,
    statements: Vec<String>,
    /// The array that it returns.
    result: String,
    #[serde(skip)]
    primitives: BTreeSet<&'static str>,
}

impl Function {
    fn new(name: &'static str, doc: &'static str, program: &Program) -> Function {
        let printed = print::rust::print(program);
        let arguments: Vec<String> = printed
            .inputs
            .iter()
            .map(|input| format!("{}: [u64; {}]", input.name, input.words.len()))
            .collect();
        Function {
            name,
            doc,
            arguments: arguments.join(", "),
            statements: printed.statements,
            result: literal::array_expression(&printed.outputs),
            primitives: printed.primitives,
        }
    }
}

/// The functions of words that some of `functions` call.
pub(super) fn primitives(functions: &[Function]) -> BTreeSet<&'static str> {
    functions
        .iter()
        .flat_map(|function| function.primitives.iter().copied())
        .collect()
}

/// All functions of a field's core that are kernel programs.
pub(super) fn functions(plan: &Plan) -> Vec<Function> {
    let modulus = Modulus {
        p: plan.field.modulus.clone(),
        word_bits: 64,
        limbs: plan.stored.words as usize,
    };
    let mut functions = vec![
        Function::new("add", "`a + b`.", &modular::add(&modulus)),
        Function::new("double", "`2 a`.", &modular::double(&modulus)),
        Function::new("sub", "`a - b`.", &modular::sub(&modulus)),
        Function::new("neg", "`-a`.", &modular::neg(&modulus)),
        Function::new("halve", "`a / 2`.", &modular::halve(&modulus)),
    ];
    if plan.shape == Shape::Montgomery {
        let rows = montgomery::Strategy::Rows;
        let program = |built: Result<Program, Bound>| {
            built.expect("Montgomery reduction by quotient digits has no bound to meet")
        };
        functions.extend([
            Function::new(
                "mul",
                "`a b / R`.",
                &program(montgomery::mul(&modulus, rows)),
            ),
            Function::new(
                "square",
                "`a^2 / R`.",
                &program(montgomery::square(&modulus, rows)),
            ),
            Function::new(
                "divide_by_r",
                "`x / R` for any `x`, also from p up.",
                &program(montgomery::reduce_words(&modulus, rows)),
            ),
        ]);
    } else {
        // The tight form needs room above p; the other one always has it.
        let program = |build: fn(&Modulus, barrett::Strategy) -> Result<Program, Bound>| {
            barrett::Strategy::all(&[Product::Rows])
                .into_iter()
                .find_map(|strategy| build(&modulus, strategy).ok())
                .expect("a remainder of one word more than p has room for every quotient error")
        };
        functions.extend([
            Function::new("mul", "`a b`.", &program(barrett::mul)),
            Function::new("square", "`a^2`.", &program(barrett::square)),
            Function::new(
                "reduce",
                "`x` for any `x`, also from p up.",
                &program(barrett::reduce_words),
            ),
        ]);
    }
    functions
}
