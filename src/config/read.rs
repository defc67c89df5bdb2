//! From TOML to [`FieldSpec`]s: every problem of every table, in one pass.

use std::borrow::Cow;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::keys::Key;
use super::syntax::Syntax;
use super::value::{Number, Value, described};
use super::{FieldSpec, MAX_FIELDS, Reduction, Target, names};
use crate::diagnostic::{Diagnostic, Spanned, abbreviated};
use crate::nearest::nearest;

/// What to write above each field.
const HEADER: &str = "write `[[field]]`, with two brackets, above the keys of each field";

/// A text with more errors in its syntax is not looked at any further.
const MAX_SYNTAX_ERRORS: usize = 1000;

/// The fields that are in order, and what is wrong with the others and with the file.
pub fn read(path: &str, text: &str) -> (Vec<FieldSpec>, Vec<Diagnostic>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    let syntax = Syntax::new(text, &errors);
    if errors.len() > MAX_SYNTAX_ERRORS {
        return (Vec::new(), syntax.unclaimed());
    }
    let mut reader = Reader {
        text,
        syntax,
        keys: Vec::new(),
        diagnostics: Vec::new(),
    };
    let fields = reader.document(path, document.get_ref());

    let duplicates = reader.syntax.claim_duplicates(&reader.keys);
    reader.diagnostics.extend(duplicates);
    let mut unclaimed = reader.syntax.unclaimed();
    if unclaimed.is_empty() {
        return (fields, reader.diagnostics);
    }
    // Which tables and keys there are is not known; only what is said of the syntax stands.
    let syntax = |d: &Diagnostic| matches!(d.code, "invalid-toml" | "unquoted" | "duplicate-key");
    unclaimed.extend(reader.diagnostics.into_iter().filter(syntax));
    (Vec::new(), unclaimed)
}

pub struct Reader<'a> {
    pub text: &'a str,
    syntax: Syntax<'a>,
    /// Every key of every table, in the order they were read in.
    keys: Vec<(Range<usize>, String)>,
    diagnostics: Vec<Diagnostic>,
}

/// What one `[[field]]` or `[defaults]` says. `None`: not given, or not usable.
#[derive(Default)]
struct Table {
    name: Option<Spanned<String>>,
    modulus: Option<Number>,
    options: Options,
}

#[derive(Default, Clone)]
struct Options {
    targets: Option<Spanned<Vec<Spanned<Target>>>>,
    reduction: Option<Spanned<Reduction>>,
    generator: Option<Number>,
    factors: Option<Spanned<Vec<Number>>>,
    std: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Field,
    Defaults,
}

impl Place {
    fn title(self) -> &'static str {
        match self {
            Place::Field => "[[field]]",
            Place::Defaults => "[defaults]",
        }
    }

    fn keys(self) -> Vec<&'static str> {
        Key::ALL
            .into_iter()
            .filter(|key| self == Place::Field || !key.is_required())
            .map(Key::name)
            .collect()
    }

    fn known_keys(self) -> String {
        listed(&format!("the keys of `{}` are", self.title()), &self.keys())
    }
}

impl Reader<'_> {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The syntax error within a value, if there is one; it must be reported.
    pub fn claim(&mut self, value: &Range<usize>) -> Option<Diagnostic> {
        self.syntax.claim(value)
    }

    /// Reports the syntax error within a value, if there is one.
    pub fn is_spoilt(&mut self, value: &Range<usize>) -> bool {
        let diagnostic = self.claim(value);
        let spoilt = diagnostic.is_some();
        self.diagnostics.extend(diagnostic);
        spoilt
    }

    fn document(&mut self, path: &str, document: &DeTable<'_>) -> Vec<FieldSpec> {
        let mut defaults = Options::default();
        let mut tables = Vec::new();
        for (key, value) in in_order(document) {
            self.keys.push((key.span(), key.get_ref().to_string()));
            match key.get_ref().as_ref() {
                "field" => tables = self.fields(value),
                "defaults" => defaults = self.defaults(value),
                unknown => {
                    self.is_spoilt(&value.span());
                    self.report(unknown_top_level_key(unknown, key.span()));
                }
            }
        }
        if tables.is_empty() && self.diagnostics.is_empty() {
            let example: Vec<&str> = [Key::Name, Key::Modulus].map(Key::example).to_vec();
            let help = format!("write one, for example:\n[[field]]\n{}", example.join("\n"));
            let message = format!("`{path}` has no `[[field]]`");
            self.report(Diagnostic::new("no-fields", message).help(help));
        }
        let names: Vec<_> = tables.iter().filter_map(|t| t.name.as_ref()).collect();
        let diagnostics = names::check_all(&names);
        self.diagnostics.extend(diagnostics);
        tables
            .into_iter()
            .filter_map(|table| table.complete(&defaults))
            .collect()
    }

    fn defaults(&mut self, value: &Value<'_>) -> Options {
        if let DeValue::Table(table) = value.get_ref() {
            return self.table(table, Place::Defaults).options;
        }
        if !self.is_spoilt(&value.span()) {
            let found = described(value.get_ref());
            let message = format!("`defaults` must be a table, not {found}");
            let diagnostic = Diagnostic::new("wrong-type", message)
                .at(value.span(), "")
                .help("write `[defaults]` on a line of its own, and the keys below it");
            self.report(diagnostic);
        }
        Options::default()
    }

    fn fields(&mut self, value: &Value<'_>) -> Vec<Table> {
        let items = match value.get_ref() {
            DeValue::Array(items) => items,
            DeValue::Table(table) => {
                let message = "`field` must be a list of tables, not a single table";
                let diagnostic = Diagnostic::new("wrong-type", message)
                    .at(value.span(), "")
                    .help(HEADER);
                self.report(diagnostic);
                return vec![self.field(table, value.span())];
            }
            other => {
                if !self.is_spoilt(&value.span()) {
                    let found = described(other);
                    let message = format!("`field` must be a list of tables, not {found}");
                    let diagnostic = Diagnostic::new("wrong-type", message)
                        .at(value.span(), "")
                        .help(HEADER);
                    self.report(diagnostic);
                }
                return Vec::new();
            }
        };
        if items.len() > MAX_FIELDS {
            let message = format!("{} fields; the limit is {MAX_FIELDS}", items.len());
            let diagnostic = Diagnostic::new("too-many-fields", message)
                .at(items[MAX_FIELDS].span(), "the first one too many")
                .help("split the file: each configuration has an output directory of its own");
            self.report(diagnostic);
            return Vec::new();
        }
        let mut tables = Vec::new();
        for item in items {
            if let DeValue::Table(table) = item.get_ref() {
                tables.push(self.field(table, item.span()));
            } else if !self.is_spoilt(&item.span()) {
                let found = described(item.get_ref());
                let message = format!("a field must be a table, not {found}");
                let diagnostic = Diagnostic::new("wrong-type", message)
                    .at(item.span(), "")
                    .help(HEADER);
                self.report(diagnostic);
            }
        }
        tables
    }

    fn field(&mut self, entries: &DeTable<'_>, span: Range<usize>) -> Table {
        let table = self.table(entries, Place::Field);
        let subject = match &table.name {
            Some(name) => format!("the field `{}`", abbreviated(&name.value)),
            None => "a field".to_owned(),
        };
        for key in Key::ALL {
            let name = key.name();
            if key.is_required() && !entries.contains_key(name) {
                let diagnostic =
                    Diagnostic::new("missing-key", format!("{subject} has no `{name}`"))
                        .at(span.clone(), format!("`{name}` is missing in this table"))
                        .help(format!("add it, as in `{}`", key.example()));
                self.report(diagnostic);
            }
        }
        table
    }

    fn table(&mut self, entries: &DeTable<'_>, place: Place) -> Table {
        let mut table = Table::default();
        for (key, value) in in_order(entries) {
            let name = key.get_ref().as_ref();
            self.keys.push((key.span(), name.to_owned()));
            match Key::from_name(name) {
                Some(key) if place == Place::Defaults && key.is_required() => {
                    let message = format!("`{name}` cannot have a default");
                    let diagnostic = Diagnostic::new("unknown-key", message)
                        .at(value.span(), "every field must have its own")
                        .help(place.known_keys());
                    self.is_spoilt(&value.span());
                    self.report(diagnostic);
                }
                Some(key) => self.entry(&mut table, key, value),
                None => {
                    self.is_spoilt(&value.span());
                    self.report(unknown_key(name, key.span(), place));
                }
            }
        }
        table
    }

    fn entry(&mut self, table: &mut Table, key: Key, value: &Value<'_>) {
        let options = &mut table.options;
        match key {
            Key::Name => table.name = self.text(key, value),
            Key::Modulus => table.modulus = self.number(key, value),
            Key::Targets => options.targets = self.targets(key, value),
            Key::Reduction => {
                options.reduction = self.choice(key, &Reduction::ALL, Reduction::name, value);
            }
            Key::Generator => options.generator = self.number(key, value),
            Key::Factors => options.factors = self.numbers(key, value),
            Key::Std => options.std = self.flag(key, value),
        }
    }
}

impl Table {
    /// The field, if its name and modulus are usable.
    fn complete(self, defaults: &Options) -> Option<FieldSpec> {
        let name = self.name.filter(|name| names::check(&name.value).is_ok())?;
        let modulus = self.modulus?;
        let own = self.options;
        let unsaid = Spanned::new(Reduction::Auto, name.span.clone());
        let reduction = own.reduction.or_else(|| defaults.reduction.clone());
        let generator = own.generator.or_else(|| defaults.generator.clone());
        let factors = own.factors.or_else(|| defaults.factors.clone());
        Some(FieldSpec {
            name,
            modulus_text: modulus.text,
            modulus: modulus.value,
            targets: own.targets.or_else(|| defaults.targets.clone()),
            reduction: reduction.unwrap_or(unsaid),
            generator: generator.map(|number| number.value),
            factors: factors.map(|factors| {
                let values = factors.value.into_iter().map(|number| number.value);
                Spanned::new(values.collect(), factors.span)
            }),
            std: own.std.or(defaults.std).unwrap_or(true),
        })
    }
}

type Entry<'t, 'i> = (&'t toml::Spanned<Cow<'i, str>>, &'t Value<'i>);

/// The entries of a table in the order of the text.
fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Entry<'t, 'i>> {
    let mut entries: Vec<Entry<'t, 'i>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn unknown_top_level_key(key: &str, span: Range<usize>) -> Diagnostic {
    let diagnostic = Diagnostic::new("unknown-key", format!("unknown key `{}`", abbreviated(key)));
    if Key::from_name(key).is_some() {
        return diagnostic
            .at(span, "this belongs to a field")
            .help("write it below a line `[[field]]`, or below `[defaults]` for all fields");
    }
    diagnostic
        .at(span, did_you_mean(key, &["field", "defaults"]))
        .help("a file consists of `[[field]]` tables and at most one `[defaults]`")
}

fn unknown_key(key: &str, span: Range<usize>, place: Place) -> Diagnostic {
    Diagnostic::new("unknown-key", format!("unknown key `{}`", abbreviated(key)))
        .at(span, did_you_mean(key, &place.keys()))
        .help(place.known_keys())
}

/// A label that offers the nearest of the known words, empty where none is near.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    nearest(word, known.iter().copied())
        .map_or_else(String::new, |near| format!("did you mean `{near}`?"))
}

pub fn listed(what: &str, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("{what} {}", words.join(", "))
}
