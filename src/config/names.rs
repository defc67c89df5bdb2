//! Which names fields may have.
//!
//! A field's name becomes two file names, a Rust module, a C++ namespace and, in CamelCase, a Rust
//! type. So it must be an identifier that none of them reserves, and two fields must differ in all
//! of them.

use std::collections::HashMap;

use super::reserved;
use crate::diagnostic::{Diagnostic, Spanned, abbreviated};

/// Longest name. Lines of generated code grow with it.
pub const MAX_LENGTH: usize = 64;

/// What a name looks like, as a regular expression. Two underscores in a row, and one at either
/// end, are left out because C++ reserves some of them and CamelCase loses them all.
pub const PATTERN: &str = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$";

/// Why a name cannot be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    Empty,
    TooLong,
    /// The text would name a file somewhere else.
    Path,
    /// Not of the shape of [`PATTERN`].
    Shape(&'static str),
    /// Means this already.
    Reserved(&'static str),
}

/// Whether a field may be called `name`.
pub fn check(name: &str) -> Result<(), Problem> {
    if name.is_empty() {
        return Err(Problem::Empty);
    }
    if name.contains(['/', '\\', ':']) || name.starts_with('.') {
        return Err(Problem::Path);
    }
    if let Some(reason) = misshapen(name) {
        return Err(Problem::Shape(reason));
    }
    if name.len() > MAX_LENGTH {
        return Err(Problem::TooLong);
    }
    match reserved::meaning(name) {
        Some(meaning) => Err(Problem::Reserved(meaning)),
        None => Ok(()),
    }
}

/// What about the name does not fit [`PATTERN`].
fn misshapen(name: &str) -> Option<&'static str> {
    let ordinary = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.chars().all(|c| ordinary(c.to_ascii_lowercase())) {
        Some("only the letters a to z, digits and `_` can stand in a name")
    } else if !name.chars().all(ordinary) {
        Some("a name is lower-case: its Rust type gets the same name in CamelCase")
    } else if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        Some("the first character must be a letter")
    } else if name.ends_with('_') {
        Some("the last character must be a letter or a digit")
    } else if name.contains("__") {
        Some("C++ reserves names with two underscores in a row")
    } else {
        None
    }
}

/// The name of the field's type in the generated `mod.rs`: `baby_bear` gives `BabyBear`. An
/// underscore between digits stays, so that `p1_2` and `p12` give two names.
pub fn type_name(name: &str) -> String {
    let mut camel = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        let Some(first) = letters.next() else {
            continue;
        };
        if first.is_ascii_digit() && camel.ends_with(|last: char| last.is_ascii_digit()) {
            camel.push('_');
        }
        camel.extend(first.to_uppercase());
        camel.push_str(letters.as_str());
    }
    camel
}

/// A permitted name that looks like `name`, if there is one.
fn similar(name: &str) -> Option<String> {
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if words.first()?.starts_with(|c: char| c.is_ascii_digit()) {
        words[0].insert(0, 'f');
    }
    let name = words.join("_");
    let longer = format!("{name}_field");
    [name, longer].into_iter().find(|name| check(name).is_ok())
}

/// What is wrong with the names of one file.
pub fn check_all(names: &[&Spanned<String>]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut by_case: HashMap<String, &Spanned<String>> = HashMap::new();
    let mut by_type: HashMap<String, &Spanned<String>> = HashMap::new();
    for &name in names {
        let case = name.value.to_lowercase();
        let kind = type_name(&name.value);
        // The first reason is enough: another name is needed anyway.
        if let Some(first) = by_case.get(&case) {
            diagnostics.push(same_but_for_case(name, first));
        } else if let Some(first) = by_type.get(&kind) {
            diagnostics.push(same_type(name, first, &kind));
        } else if let Err(problem) = check(&name.value) {
            let taken = |similar: &String| names.iter().any(|other| other.value == *similar);
            let similar = similar(&name.value).filter(|similar| !taken(similar));
            diagnostics.push(bad(name, &problem, similar));
        }
        by_case.entry(case).or_insert(name);
        by_type.entry(kind).or_insert(name);
    }
    diagnostics
}

fn same_but_for_case(name: &Spanned<String>, first: &Spanned<String>) -> Diagnostic {
    let (a, b) = (abbreviated(&name.value), abbreviated(&first.value));
    let diagnostic = if name.value == first.value {
        Diagnostic::new("duplicate-name", format!("two fields are called `{a}`"))
    } else {
        let message = format!("the names `{b}` and `{a}` differ only in case");
        Diagnostic::new("colliding-names", message)
            .note("files are named after fields, and some file systems ignore case")
    };
    collision(diagnostic, name, first)
}

fn same_type(name: &Spanned<String>, first: &Spanned<String>, kind: &str) -> Diagnostic {
    let (a, b) = (abbreviated(&name.value), abbreviated(&first.value));
    let message = format!("the fields `{b}` and `{a}` would share the Rust type `{kind}`");
    let diagnostic = Diagnostic::new("colliding-names", message)
        .note("types are named after fields in CamelCase, which drops the underscores");
    collision(diagnostic, name, first)
}

fn collision(
    diagnostic: Diagnostic,
    name: &Spanned<String>,
    first: &Spanned<String>,
) -> Diagnostic {
    diagnostic
        .at(name.span.clone(), "the second")
        .related(first.span.clone(), "the first")
        .help("rename one of the two fields")
}

fn bad(name: &Spanned<String>, problem: &Problem, similar: Option<String>) -> Diagnostic {
    let shown = abbreviated(&name.value);
    let message = format!("`{shown}` cannot be the name of a field");
    let (code, message, label) = match problem {
        Problem::Empty => ("bad-name", "the name is empty".to_owned(), String::new()),
        Problem::TooLong => {
            let length = name.value.len();
            let label = format!("{length} characters, and at most {MAX_LENGTH} are possible");
            ("bad-name", message, label)
        }
        Problem::Path => {
            let label = "this is a path, and files are only written into the output directory";
            ("bad-name", message, label.to_owned())
        }
        Problem::Shape(reason) => ("bad-name", message, (*reason).to_owned()),
        Problem::Reserved(meaning) => ("reserved-name", message, format!("this is {meaning}")),
    };
    let help = match similar {
        Some(similar) => format!("a name like `{similar}` is possible"),
        None => format!(
            "names are lower-case letters and digits, words joined by `_`, at most {MAX_LENGTH} \
             characters"
        ),
    };
    Diagnostic::new(code, message)
        .at(name.span.clone(), label)
        .note("a field's name becomes a file name, a Rust module and a C++ namespace")
        .help(help)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn problem(name: &str) -> Problem {
        check(name).expect_err(name)
    }

    #[test]
    fn ordinary_names() {
        for name in [
            "a",
            "f_p",
            "baby_bear",
            "ntt_998244353",
            "bn254_fq",
            "p256",
            "m31_2",
        ] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        assert_eq!(check(&"a".repeat(64)), Ok(()));
    }

    #[test]
    fn what_leaves_the_directory_is_a_path() {
        for name in ["../x", "a/b", "/x", "a\\b", ".", "..", ".x", "c:x", "./x"] {
            assert_eq!(problem(name), Problem::Path, "{name}");
        }
    }

    #[test]
    fn what_is_no_identifier() {
        for name in [
            "Foo", "BN254", "a b", "a-b", "a.b", "1a", "_a", "a_", "a__b", "é", "a\0", "a\n", " a",
        ] {
            assert!(matches!(problem(name), Problem::Shape(_)), "{name:?}");
        }
        assert_eq!(problem(""), Problem::Empty);
        assert_eq!(problem(&"a".repeat(65)), Problem::TooLong);
    }

    #[test]
    fn what_is_reserved() {
        for name in [
            "gen",
            "self",
            "int",
            "and",
            "async",
            "try",
            "u32",
            "std",
            "main",
            "con",
            "com1",
            "uint4",
            "fieldgen",
            "fieldgen_word",
            "slice",
            "lib",
            "mod",
        ] {
            assert!(matches!(problem(name), Problem::Reserved(_)), "{name}");
        }
    }

    #[test]
    fn reserved_words_are_listed_once_and_have_the_shape_of_names() {
        let mut words: Vec<&str> = reserved::words().collect();
        for word in &words {
            assert_eq!(misshapen(word), None, "{word}");
        }
        words.sort_unstable();
        let count = words.len();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn similar_names() {
        for (name, expected) in [
            ("Foo", "foo"),
            ("BN254-Fr", "bn254_fr"),
            ("../x", "x"),
            ("a__b_", "a_b"),
            ("31bit", "f31bit"),
            ("int", "int_field"),
            ("naïve field", "na_ve_field"),
        ] {
            assert_eq!(similar(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(similar(""), None);
        assert_eq!(similar("--"), None);
    }

    #[test]
    fn type_names() {
        assert_eq!(type_name("baby_bear"), "BabyBear");
        assert_eq!(type_name("bn254_fq"), "Bn254Fq");
        assert_eq!(type_name("ntt_998244353"), "Ntt998244353");
        assert_eq!(type_name("p1_2"), "P1_2");
    }

    proptest! {
        #[test]
        fn similar_names_are_permitted(name in "\\PC{0,80}") {
            if let Some(similar) = similar(&name) {
                prop_assert_eq!(check(&similar), Ok(()));
            }
        }
    }
}
