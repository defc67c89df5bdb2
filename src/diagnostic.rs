//! What is said to the user when something is wrong: code, place, reason, way out.

use std::ops::Range;
use std::sync::Arc;

/// A text that diagnostics point into, with the name it is shown under.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path as the user gave it.
    pub path: String,
    /// The whole text, exactly as read.
    pub text: String,
}

/// A value together with the byte range it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Byte range in the source's text.
    pub span: Range<usize>,
}

/// One thing that is wrong, in terms of the user's own text.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Stable, searchable name, such as `composite-modulus`.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, and what to say there. `None` for problems without a place (a missing file).
    pub label: Option<(Range<usize>, String)>,
    /// Other places that matter (the first of two equal names).
    pub related: Vec<(Range<usize>, String)>,
    /// The computed reason, a fact per line.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
}

/// Everything that was wrong in one run, shown together.
///
/// `Debug` prints what `Display` prints, so that `fn main() -> Result<(), fieldgen::Error>` in a
/// build script shows the snippet.
#[derive(Clone)]
pub struct Error {
    pub(crate) source: Option<Arc<Source>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}
