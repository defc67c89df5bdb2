//! The templates: embedded in the tool, each replaceable by the user's own of the same name.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use tera::{Context, ErrorKind, Tera};

use crate::diagnostic::{Diagnostic, Error, Source};
use crate::nearest::nearest;

/// What every template's file name ends with, in `templates/` and in a directory of the user's.
const EXTENSION: &str = ".tera";

/// Names `templates/NAME.tera`.
macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../templates/", $name, ".tera")))),*]
    };
}

/// Every template that exists, by name.
const EMBEDDED: &[(&str, &str)] = embed![
    "cuda/field.cuh",
    "cuda/fieldgen_word.cuh",
    "rust/convert.rs",
    "rust/core_barrett.rs",
    "rust/core_goldilocks.rs",
    "rust/core_limbs.rs",
    "rust/core_mersenne.rs",
    "rust/core_montgomery.rs",
    "rust/core_word.rs",
    "rust/dispatch.rs",
    "rust/element.rs",
    "rust/field.rs",
    "rust/inverse.rs",
    "rust/inverse_limbs.rs",
    "rust/lanes.rs",
    "rust/lanes_sums32.rs",
    "rust/lanes_sums64.rs",
    "rust/mod.rs",
    "rust/operators.rs",
    "rust/simd.rs",
    "rust/slices.rs",
    "rust/square_root.rs",
    "rust/text.rs",
];

/// The templates of one run, parsed.
#[derive(Debug)]
pub(crate) struct Templates {
    tera: Tera,
    sources: BTreeMap<String, Arc<Source>>,
}

impl Templates {
    /// The embedded templates; each `NAME.tera` in `directory` replaces the one called `NAME`.
    pub fn new(directory: Option<&Path>) -> Result<Templates, Error> {
        Templates::from_texts(EMBEDDED, directory)
    }

    fn from_texts(embedded: &[(&str, &str)], directory: Option<&Path>) -> Result<Templates, Error> {
        let mut sources: BTreeMap<String, Arc<Source>> = embedded
            .iter()
            .map(|(name, text)| {
                let source = Source {
                    path: format!("(embedded) templates/{name}{EXTENSION}"),
                    text: (*text).to_owned(),
                };
                ((*name).to_owned(), Arc::new(source))
            })
            .collect();
        if let Some(directory) = directory {
            replace_from(directory, &mut sources)?;
        }

        let mut tera = Tera::default();
        // The output is source code, whatever a template is called.
        tera.autoescape_on(Vec::<&str>::new());
        let texts = sources.iter().map(|(name, source)| (name, &source.text));
        if let Err(error) = tera.add_raw_templates(texts) {
            return Err(to_error(&error, None, &sources));
        }
        Ok(Templates { tera, sources })
    }

    /// The files in a directory of the user's that replace templates.
    pub fn files_in(directory: &Path) -> Result<Vec<PathBuf>, Error> {
        let files = files_below(directory)?;
        Ok(files.into_iter().map(|(_, path)| path).collect())
    }

    /// Renders the template called `name`; `context` serialises to a map.
    ///
    /// Lists keep their order and maps lose it, so what is repeated in the output comes in lists.
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, Error> {
        Context::from_serialize(context)
            .and_then(|context| self.tera.render(name, &context))
            .map_err(|error| to_error(&error, Some(name), &self.sources))
    }
}

/// Replaces sources by the files of the same names below `directory`.
fn replace_from(
    directory: &Path,
    sources: &mut BTreeMap<String, Arc<Source>>,
) -> Result<(), Error> {
    let mut diagnostics = Vec::new();
    for (name, path) in files_below(directory)? {
        let shown = path.display().to_string();
        let known = name.strip_suffix(EXTENSION).and_then(|name| {
            // Borrowed anew: the entry is replaced below.
            sources.contains_key(name).then(|| name.to_owned())
        });
        let Some(known) = known else {
            diagnostics.push(unknown_template(&shown, &name, sources));
            continue;
        };
        match fs::read_to_string(&path) {
            Ok(text) => {
                // Line ends of the output do not depend on the editor of a template.
                let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
                sources.insert(known, Arc::new(Source { path: shown, text }));
            }
            Err(error) => diagnostics.push(unreadable(&path, &error)),
        }
    }
    if diagnostics.is_empty() {
        Ok(())
    } else {
        Err(Error::without_source(diagnostics))
    }
}

/// All files below `directory` except hidden ones and backups, sorted, with their names relative
/// to it.
fn files_below(directory: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let mut files = Vec::new();
    let mut pending = vec![(String::new(), directory.to_owned())];
    while let Some((prefix, directory)) = pending.pop() {
        let failed = |error: io::Error| {
            let message = format!("cannot read the directory `{}`", directory.display());
            let diagnostic = Diagnostic::new("unreadable-template", message);
            Error::without_source(diagnostic.note(error.to_string()))
        };
        for entry in fs::read_dir(&directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let file_name = entry.file_name().to_string_lossy().into_owned();
            // What file managers and editors leave behind.
            if file_name.starts_with('.') || file_name.ends_with('~') {
                continue;
            }
            let name = format!("{prefix}{file_name}");
            // Not followed through links to directories: they could lead in circles.
            if entry.file_type().map_err(failed)?.is_dir() {
                pending.push((format!("{name}/"), entry.path()));
            } else {
                files.push((name, entry.path()));
            }
        }
    }
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("cannot read template `{}`", path.display());
    Diagnostic::new("unreadable-template", message).note(error.to_string())
}

fn unknown_template(
    shown: &str,
    name: &str,
    sources: &BTreeMap<String, Arc<Source>>,
) -> Diagnostic {
    let names: Vec<String> = sources
        .keys()
        .map(|name| format!("{name}{EXTENSION}"))
        .collect();
    let help = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a file replaces the template of the same name; others do not belong here".into(),
    };
    Diagnostic::new(
        "unknown-template",
        format!("`{shown}` replaces no template"),
    )
    .note(format!("the templates are: {}", names.join(", ")))
    .help(help)
}

/// `rendered`: the template asked for, to name where the error itself names none.
fn to_error(
    error: &tera::Error,
    rendered: Option<&str>,
    sources: &BTreeMap<String, Arc<Source>>,
) -> Error {
    let (report, what) = match error.kind() {
        ErrorKind::SyntaxError(report) => (report, "is malformed"),
        ErrorKind::RenderingError(report) => (report, "cannot be rendered"),
        other => {
            let message = match rendered {
                Some(name) => format!("template `{name}` cannot be rendered"),
                None => "the templates do not fit together".to_owned(),
            };
            return Error::without_source(
                Diagnostic::new("template", message).note(other.to_string()),
            );
        }
    };
    let name = report.filename();
    let diagnostic = Diagnostic::new("template", format!("template `{name}` {what}"));
    match sources.get(name) {
        Some(source) => {
            let diagnostic = diagnostic.at(report.span().range.clone(), report.message());
            Error::new(source.clone(), diagnostic)
        }
        None => Error::without_source(diagnostic.note(report.message())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &[(&str, &str)] = &[
        ("rust/field.rs", "mod {{ name }};\n"),
        ("rust/both.rs", "{% include \"rust/field.rs\" %}&<>\n"),
    ];

    #[derive(Serialize)]
    struct Named {
        name: &'static str,
    }

    const NAMED: Named = Named { name: "x<y" };

    /// A fresh directory with these files, removed with the guard.
    fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        directory
    }

    fn first(error: &Error) -> &Diagnostic {
        &error.diagnostics[0]
    }

    #[test]
    fn the_embedded_templates_parse() {
        Templates::new(None).unwrap();
    }

    #[test]
    fn nothing_is_escaped() {
        let templates = Templates::from_texts(TEXTS, None).unwrap();
        let text = templates.render("rust/both.rs", &NAMED).unwrap();
        assert_eq!(text, "mod x<y;\n&<>\n");
    }

    #[test]
    fn a_file_replaces_the_template_of_its_name() {
        let directory = directory(&[
            ("rust/field.rs.tera", "\u{feff}pub mod {{ name }};\r\n"),
            (".editor/state", "{{"),
            ("rust/field.rs.tera~", "{{"),
        ]);
        let templates = Templates::from_texts(TEXTS, Some(directory.path()))
            .ok()
            .unwrap();
        let text = templates.render("rust/both.rs", &NAMED).unwrap();
        assert_eq!(text, "pub mod x<y;\n&<>\n");
    }

    #[test]
    fn a_file_that_replaces_nothing_is_an_error_with_the_nearest() {
        let directory = directory(&[("rust/feild.rs.tera", ""), ("README", "")]);
        let error = Templates::from_texts(TEXTS, Some(directory.path()))
            .err()
            .unwrap();
        let [readme, feild] = &error.diagnostics[..] else {
            panic!("{:?}", error.diagnostics);
        };
        assert_eq!(feild.code, "unknown-template");
        assert!(feild.message.contains("feild.rs.tera"), "{feild:?}");
        assert_eq!(
            feild.help.as_deref(),
            Some("did you mean `rust/field.rs.tera`?")
        );
        assert_eq!(readme.code, "unknown-template");
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let directory = directory(&[]);
        let missing = directory.path().join("missing");
        let error = Templates::from_texts(TEXTS, Some(&missing)).err().unwrap();
        assert!(
            first(&error).message.contains("missing"),
            "{error:?}",
            error = first(&error)
        );
    }

    #[test]
    fn a_malformed_template_is_shown_at_its_place() {
        let directory = directory(&[("rust/field.rs.tera", "one\ntwo {{ name\n")]);
        let error = Templates::from_texts(TEXTS, Some(directory.path()))
            .err()
            .unwrap();
        let source = error.source.as_ref().unwrap();
        assert!(
            source.path.ends_with("rust/field.rs.tera"),
            "{}",
            source.path
        );
        assert!(first(&error).label.is_some(), "{:?}", first(&error));
    }

    #[test]
    fn an_unknown_variable_is_shown_at_its_place() {
        let texts = &[("a", "first\n{{ nam }}\n")];
        let templates = Templates::from_texts(texts, None).unwrap();
        let error = templates.render("a", &NAMED).err().unwrap();
        let (span, reason) = *first(&error).label.clone().unwrap();
        assert_eq!(&texts[0].1[span], "nam");
        assert!(reason.contains("nam"), "{reason}");
    }
}
