//! What is no TOML at all.
//!
//! The parser recovers from most errors. An error within the value of one key spoils that value
//! only; the reader claims it, says what it means there, and reads on. What nobody claims makes
//! the rest of the document doubtful.

use std::cell::Cell;
use std::ops::Range;

use crate::diagnostic::Diagnostic;

/// The errors of one text.
pub struct Syntax {
    errors: Vec<SyntaxError>,
}

struct SyntaxError {
    message: String,
    span: Range<usize>,
    claimed: Cell<bool>,
}

/// How the parser calls a key that its table has already.
const DUPLICATE: &str = "duplicate key";

impl Syntax {
    pub fn new(errors: &[toml::de::Error]) -> Syntax {
        let errors = errors.iter().map(|error| SyntaxError {
            message: error.message().to_owned(),
            span: error.span().unwrap_or_default(),
            claimed: Cell::new(false),
        });
        Syntax {
            errors: errors.collect(),
        }
    }

    /// The first error within a value's span, if there is any. All of them count as reported.
    pub fn claim(&self, value: &Range<usize>) -> Option<Diagnostic> {
        let within = self.errors.iter().filter(|error| {
            error.message != DUPLICATE
                && value.start <= error.span.start
                && error.span.end <= value.end
        });
        let mut first = None;
        for error in within {
            error.claimed.set(true);
            first.get_or_insert_with(|| diagnostic(error));
        }
        first
    }

    /// The second key of each pair of equal keys in a table, all of which count as reported.
    pub fn claim_duplicates(&self, keys: &[(Range<usize>, String)], text: &str) -> Vec<Diagnostic> {
        let duplicates = self
            .errors
            .iter()
            .filter(|error| error.message == DUPLICATE);
        let mut diagnostics = Vec::new();
        for error in duplicates {
            let written = text.get(error.span.clone()).unwrap_or_default();
            let before = keys
                .iter()
                .filter(|(span, key)| span.start < error.span.start && key == written);
            // Keys come in order, so that the last one before is in the same table.
            if let Some((first, key)) = before.last() {
                error.claimed.set(true);
                let diagnostic =
                    Diagnostic::new("duplicate-key", format!("`{key}` is given twice"))
                        .at(error.span.clone(), "given again")
                        .related(first.clone(), "first given here")
                        .help("remove one of them");
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
            .map(diagnostic)
            .collect()
    }
}

/// The parser's message has the form "what is wrong, expected this, that".
fn diagnostic(error: &SyntaxError) -> Diagnostic {
    let (message, label) = match error.message.split_once(", expected ") {
        Some((message, "nothing")) => (message, String::new()),
        Some((message, expected)) => (message, format!("expected {expected}")),
        None => (error.message.as_str(), String::new()),
    };
    Diagnostic::new("invalid-toml", format!("this is not TOML: {message}"))
        .at(error.span.clone(), label)
}
