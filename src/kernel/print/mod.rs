//! Prints programs as statements of a target language, which a template puts into a function.
//!
//! A printed program uses a fixed list of primitives that the template defines: see
//! [`cuda`](cuda::print) and [`rust`](rust::print).

pub(crate) mod cuda;
pub(crate) mod rust;

use std::collections::{BTreeMap, BTreeSet};

use super::{Flag, Operand, Program, Word};

/// A program as text.
#[derive(Debug, Clone)]
pub(crate) struct Printed {
    /// The arguments, in order.
    pub inputs: Vec<PrintedInput>,
    /// One statement or comment per line, in order.
    pub statements: Vec<String>,
    /// The words of the result, least significant first: names and literals.
    pub outputs: Vec<String>,
    /// The primitives that the statements call.
    pub primitives: BTreeSet<&'static str>,
}

/// An argument of a printed program.
#[derive(Debug, Clone)]
pub(crate) struct PrintedInput {
    pub name: &'static str,
    /// The name of each word, least significant first, or `None` where the program never reads it.
    pub words: Vec<Option<String>>,
}

/// The names of all words and flags that are read.
struct Names {
    words: Vec<Option<String>>,
    flags: Vec<Option<String>>,
    inputs: Vec<PrintedInput>,
}

impl Names {
    /// `input` names a word of an argument.
    fn new(program: &Program, input: impl Fn(&str, usize) -> String) -> Names {
        let word_uses = program.word_uses();
        let flag_uses = program.flag_uses();
        let mut names = Names {
            words: vec![None; word_uses.len()],
            flags: vec![None; flag_uses.len()],
            inputs: Vec::new(),
        };
        let mut counters = BTreeMap::new();
        let mut number = |stem: &'static str| {
            let counter = counters.entry(stem).or_insert(0);
            *counter += 1;
            format!("{stem}{}", *counter - 1)
        };
        for argument in &program.inputs {
            for (i, word) in argument.words.iter().enumerate() {
                if word_uses[word.index()] > 0 {
                    names.words[word.index()] = Some(input(argument.name, i));
                }
            }
            let words = argument
                .words
                .iter()
                .map(|word| names.words[word.index()].clone())
                .collect();
            names.inputs.push(PrintedInput {
                name: argument.name,
                words,
            });
        }
        for op in &program.ops {
            let (first, second) = op.results();
            for word in [Some(first), second].into_iter().flatten() {
                if word_uses[word.index()] > 0 {
                    names.words[word.index()] = Some(number(program.stems[word.index()]));
                }
            }
            if let Some(flag) = op.flag_out()
                && flag_uses[flag.index()] > 0
            {
                let stem = match flag {
                    Flag::Carry(_) => "carry",
                    Flag::Borrow(_) => "borrow",
                };
                names.flags[flag.index()] = Some(number(stem));
            }
        }
        names
    }

    /// The name of a word that an operation writes; `None` where nothing reads it.
    fn result(&self, word: Word) -> Option<&str> {
        self.words[word.index()].as_deref()
    }

    /// The name of a flag that is read.
    fn flag(&self, flag: Flag) -> &str {
        self.flags[flag.index()]
            .as_deref()
            .expect("a flag that is read has a name")
    }

    /// An operand, with constants written by `literal`.
    fn operand(&self, operand: Operand, literal: impl Fn(u64) -> String) -> String {
        match operand {
            Operand::Word(word) => self
                .result(word)
                .expect("a word that is read has a name")
                .to_string(),
            Operand::Constant(value) => literal(value),
        }
    }
}

/// Calls `line` with each operation, after the notes that stand before it.
fn with_notes(
    program: &Program,
    statements: &mut Vec<String>,
    mut line: impl FnMut(&super::Op, &mut Vec<String>),
) {
    let mut notes = program.notes.iter().peekable();
    for (i, op) in program.ops.iter().enumerate() {
        while let Some((_, note)) = notes.next_if(|(at, _)| *at <= i) {
            statements.push(format!("// {note}"));
        }
        line(op, statements);
    }
}
