//! Plans rendered to text through templates. Knows nothing of the file system but the directory
//! of the user's own templates.

pub(crate) mod cuda;
mod header;
pub(crate) mod json;
pub(crate) mod rust;
mod templates;

pub(crate) use templates::Templates;

/// A rendered file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Relative to the output directory, with `/`.
    pub path: String,
    /// The whole text, with `\n` line ends.
    pub text: String,
}
