//! The arithmetic of multi-limb fields: kernel programs as functions over arrays of words.

use std::collections::BTreeSet;

use serde::Serialize;

use super::literal;
use crate::kernel::candidates::{Operation, Strategy};
use crate::kernel::wide::Product;
use crate::kernel::{Modulus, Program, barrett, modular, montgomery, print, special};
use crate::plan::{Form, Plan, host};

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
    let modulus = &host::modulus(plan);
    let (mul, square, reduce) = match plan.stored.form {
        Form::Montgomery => ("`a b / R`.", "`a^2 / R`.", divide_by_r(modulus)),
        Form::Canonical => ("`a b`.", "`a^2`.", reduce(plan, modulus)),
    };
    vec![
        Function::new("add", "`a + b`.", &modular::add(modulus)),
        Function::new("double", "`2 a`.", &modular::double(modulus)),
        Function::new("sub", "`a - b`.", &modular::sub(modulus)),
        Function::new("neg", "`-a`.", &modular::neg(modulus)),
        Function::new("halve", "`a / 2`.", &modular::halve(modulus)),
        Function::new("mul", mul, &chosen(plan, Operation::Mul)),
        Function::new("square", square, &chosen(plan, Operation::Square)),
        reduce,
    ]
}

fn chosen(plan: &Plan, operation: Operation) -> Program {
    host::chosen(plan, operation)
        .program
        .expect("what is chosen is offered")
}

fn divide_by_r(modulus: &Modulus) -> Function {
    let program = montgomery::reduce_words(modulus, montgomery::Strategy::Rows)
        .expect("Montgomery reduction by quotient digits has no bound to meet");
    Function::new(
        "divide_by_r",
        "`x / R` for any `x`, also from p up.",
        &program,
    )
}

fn reduce(plan: &Plan, modulus: &Modulus) -> Function {
    let program = match host::chosen(plan, Operation::Mul).strategy {
        Strategy::Special(strategy) => special::reduce_words(modulus, strategy)
            .expect("what folds a product folds a shorter number"),
        // The tight form of Barrett's remainder needs room above p; the other one always has it.
        _ => barrett::Strategy::all(modulus, &[Product::Rows])
            .into_iter()
            .find_map(|strategy| barrett::reduce_words(modulus, strategy).ok())
            .expect("a remainder of one word more than p has room for every quotient error"),
    };
    Function::new("reduce", "`x` for any `x`, also from p up.", &program)
}
