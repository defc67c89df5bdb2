//! `fields.toml`: what the user may write, read with its spans. Knows no arithmetic.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use num_bigint::BigUint;

use crate::diagnostic::{Diagnostic, Error, Source, Spanned};

pub mod keys;
pub mod names;
mod read;
pub mod reserved;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

/// The most fields that one file may have.
pub const MAX_FIELDS: usize = 10_000;
/// The longest file, in bytes.
const MAX_FILE_LENGTH: u64 = 16 * 1024 * 1024;

/// A parsed `fields.toml`.
#[derive(Debug, Clone)]
pub struct Config {
    pub source: Arc<Source>,
    pub fields: Vec<FieldSpec>,
}

/// One `[[field]]` table with `[defaults]` applied, as written: nothing is verified yet beyond
/// syntax and names.
#[derive(Debug, Clone)]
pub struct FieldSpec {
    pub name: Spanned<String>,
    /// The modulus as the user wrote it, on one line, for headers.
    pub modulus_text: String,
    pub modulus: Spanned<BigUint>,
    /// `None`: every target that the field's shape has. Without duplicates.
    pub targets: Option<Spanned<Vec<Spanned<Target>>>>,
    /// Spans the field's name where nothing is written.
    pub reduction: Spanned<Reduction>,
    pub generator: Option<Spanned<BigUint>>,
    pub factors: Option<Spanned<Vec<Spanned<BigUint>>>>,
    /// Whether generated code may use `std` to choose the instruction set at run time.
    pub std: bool,
}

/// A kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// A portable Rust module.
    Rust,
    /// Slice functions and packed elements for CPUs with AVX2, inside the Rust module.
    Avx2,
    /// The same for CPUs with AVX-512.
    Avx512,
    /// A CUDA header.
    Cuda,
}

impl Target {
    /// Every target, in the order in which they are listed.
    pub const ALL: [Target; 4] = [Target::Rust, Target::Avx2, Target::Avx512, Target::Cuda];

    /// As written in `targets`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Rust => "rust",
            Target::Avx2 => "avx2",
            Target::Avx512 => "avx512",
            Target::Cuda => "cuda",
        }
    }
}

/// The user's wish for the reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    Auto,
    Montgomery,
    Barrett,
    Special,
}

impl Reduction {
    pub const ALL: [Reduction; 4] = [
        Reduction::Auto,
        Reduction::Montgomery,
        Reduction::Barrett,
        Reduction::Special,
    ];

    /// As written in `reduction`.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Auto => "auto",
            Reduction::Montgomery => "montgomery",
            Reduction::Barrett => "barrett",
            Reduction::Special => "special",
        }
    }
}

impl Config {
    /// Reads a `fields.toml`: the fields that are in order, and everything that is wrong with the
    /// others as far as it can be said without arithmetic (TOML syntax, unknown and missing keys,
    /// values of the wrong type, expressions without a value, names that cannot be used). A caller
    /// that finds out more about the fields reports it together with that.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not UTF-8.
    pub fn read_file(path: &Path) -> Result<(Config, Vec<Diagnostic>), Error> {
        let text = read_text(path).map_err(Error::without_source)?;
        Ok(Config::read(&path.display().to_string(), text))
    }

    /// Reads the text of a `fields.toml`, which messages call `path`, as [`Config::read_file`]
    /// does.
    pub fn read(path: &str, text: String) -> (Config, Vec<Diagnostic>) {
        let (fields, problems) = read::read(path, &text);
        let source = Source {
            path: path.to_owned(),
            text,
        };
        let source = Arc::new(source);
        (Config { source, fields }, problems)
    }

    /// The configuration, if nothing is wrong with it.
    #[cfg(test)]
    pub fn parse(path: &str, text: &str) -> Result<Config, Error> {
        let (config, problems) = Config::read(path, text.to_owned());
        if problems.is_empty() {
            Ok(config)
        } else {
            Err(Error::new(config.source, problems))
        }
    }
}

fn read_text(path: &Path) -> Result<String, Diagnostic> {
    let shown = path.display();
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            Diagnostic::new("missing-file", format!("there is no file `{shown}`"))
                .help("create it, or name the configuration file that is meant")
        }
        _ => Diagnostic::new("unreadable-file", format!("cannot read `{shown}`"))
            .note(error.to_string()),
    };
    if fs::metadata(path).map_err(unreadable)?.is_dir() {
        let message = format!("`{shown}` is a directory");
        let file = path.join("fields.toml");
        return Err(Diagnostic::new("unreadable-file", message)
            .help(format!("name the file itself, as in `{}`", file.display())));
    }
    let file = File::open(path).map_err(unreadable)?;
    // A special file may be endless.
    let mut bytes = Vec::new();
    file.take(MAX_FILE_LENGTH + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_LENGTH {
        let message = format!("`{shown}` is longer than {} MiB", MAX_FILE_LENGTH >> 20);
        return Err(Diagnostic::new("file-too-long", message)
            .help("split it: each configuration has an output directory of its own"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let text = String::from_utf8_lossy(good);
        let line = text.matches('\n').count() + 1;
        let column = text
            .rsplit('\n')
            .next()
            .map_or(0, |last| last.chars().count())
            + 1;
        let byte = error.as_bytes()[good.len()];
        let note = format!("the byte 0x{byte:02x} at line {line}, column {column} is no character");
        Diagnostic::new("not-utf8", format!("`{shown}` is not UTF-8 text"))
            .note(note)
            .help("save the file as UTF-8")
    })
}
