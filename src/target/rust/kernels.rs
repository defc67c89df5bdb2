//! Kernel programs as functions of the multi-limb template.

use serde::Serialize;

use super::literal;
use crate::kernel::Program;
use crate::kernel::print;

/// A `const fn` over arrays of words.
#[derive(Serialize)]
pub(super) struct Function {
    name: &'static str,
    /// The lines of its comment.
    docs: Vec<String>,
    arguments: String,
    statements: Vec<String>,
    /// The array that it returns.
    result: String,
}

impl Function {
    pub(super) fn new(name: &'static str, docs: &[&str], program: &Program) -> Function {
        let printed = print::rust::print(program);
        let arguments: Vec<String> = printed
            .inputs
            .iter()
            .map(|input| format!("{}: [u64; {}]", input.name, input.words.len()))
            .collect();
        Function {
            name,
            docs: docs.iter().map(|&line| line.to_owned()).collect(),
            arguments: arguments.join(", "),
            statements: printed.statements,
            result: literal::array_expression(&printed.outputs),
        }
    }
}
