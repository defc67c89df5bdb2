//! What is no TOML at all.
//!
//! The parser recovers from most errors. An error within the value of one key spoils that value
//! only; the reader claims it, says what it means there, and reads on. What nobody claims makes
//! the rest of the document doubtful.

use std::cell::Cell;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, abbreviated};

/// The errors of one text.
pub struct Syntax<'a> {
    text: &'a str,
    errors: Vec<SyntaxError>,
}

struct SyntaxError {
    message: String,
    span: Range<usize>,
    claimed: Cell<bool>,
}

/// What the parser calls a key that its table has already.
const DUPLICATE: &str = "duplicate key";
/// What the parser says of a bare word where a value should be.
const BARE_WORD: &str = "string values must be quoted";

impl<'a> Syntax<'a> {
    pub fn new(text: &'a str, errors: &[toml::de::Error]) -> Self {
        let errors = errors.iter().map(|error| SyntaxError {
            message: error.message().to_owned(),
            span: error.span().unwrap_or_default(),
            claimed: Cell::new(false),
        });
        Syntax {
            text,
            errors: errors.collect(),
        }
    }

    /// The first unclaimed error within a value's span, if there is any. From now on, all of them
    /// are claimed.
    pub fn claim(&self, value: &Range<usize>) -> Option<Diagnostic> {
        let mut first = None;
        for error in &self.errors {
            let within = value.start <= error.span.start && error.span.end <= value.end;
            if within && error.message != DUPLICATE && !error.claimed.replace(true) {
                first.get_or_insert_with(|| self.diagnostic(error));
            }
        }
        first
    }

    /// The second key of each pair of equal keys in a table, given all keys in order.
    pub fn claim_duplicates(&self, keys: &[(Range<usize>, String)]) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for error in self
            .errors
            .iter()
            .filter(|error| error.message == DUPLICATE)
        {
            let written = self.text.get(error.span.clone()).unwrap_or_default();
            let before = keys
                .iter()
                .filter(|(span, key)| span.start < error.span.start && key == written);
            // The nearest one before is in the same table.
            if let Some((first, key)) = before.last() {
                error.claimed.set(true);
                let message = format!("the key `{}` is given twice", abbreviated(key));
                let diagnostic = Diagnostic::new("duplicate-key", message)
                    .at(error.span.clone(), "given again")
                    .related(first.clone(), "first given here")
                    .help("remove one of the two");
                diagnostics.push(diagnostic);
            }
        }
        diagnostics
    }

    /// What nobody claimed.
    pub fn unclaimed(&self) -> Vec<Diagnostic> {
        self.errors
            .iter()
            .filter(|error| !error.claimed.get())
            .map(|error| self.diagnostic(error))
            .collect()
    }

    fn diagnostic(&self, error: &SyntaxError) -> Diagnostic {
        let written = self.text.get(error.span.clone()).unwrap_or_default();
        // The parser's messages have the form "what is wrong, expected this, that".
        let (message, expected) = match error.message.split_once(", expected ") {
            Some((message, "nothing")) => (message, None),
            Some((message, expected)) => (message, Some(expected)),
            None => (error.message.as_str(), None),
        };
        if message == BARE_WORD && !written.trim().is_empty() {
            return Diagnostic::new("unquoted", "text must be in quotes")
                .at(error.span.clone(), "this is not a TOML value")
                .help(format!("put it in quotes: `\"{}\"`", abbreviated(written)));
        }
        if message == DUPLICATE && written == "field" {
            return Diagnostic::new("invalid-toml", "`field` is defined in two different ways")
                .at(error.span.clone(), "this is the second way")
                .help("write `[[field]]`, with two brackets, above the keys of each field");
        }
        let label = expected.map_or_else(String::new, |expected| format!("expected {expected}"));
        let help = match message {
            DUPLICATE => "write each table and each key only once",
            _ if expected.is_some_and(|expected| matches!(expected, "`\"`" | "`'`")) => {
                "end the string with the quotes it began with"
            }
            _ => "the rules of TOML are at https://toml.io",
        };
        Diagnostic::new("invalid-toml", format!("invalid TOML: {message}"))
            .at(error.span.clone(), label)
            .help(help)
    }
}
