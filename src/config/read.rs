//! From TOML to [`FieldSpec`]s: every problem of every table, in one pass.

use std::collections::HashMap;
use std::ops::Range;

use num_bigint::BigUint;
use toml::de::{DeInteger, DeTable, DeValue};

use super::keys::{Key, Kind};
use super::names::{self, Problem};
use super::syntax::Syntax;
use super::{FieldSpec, MAX_FIELDS, Reduction, Target};
use crate::diagnostic::{Diagnostic, Spanned};
use crate::expr::{self, ExprError};
use crate::nearest::nearest;

type Value<'i> = toml::Spanned<DeValue<'i>>;

/// More prime factors than any number of 4096 bits has.
const MAX_FACTORS: usize = 4096;

/// What to write in an empty file.
const EXAMPLE: &str = "write one, for example:\n\
                       [[field]]\n\
                       name = \"baby_bear\"\n\
                       modulus = \"2^31 - 2^27 + 1\"";

/// The fields that are in order, and what is wrong with the others and with the file.
pub fn read(path: &str, text: &str) -> (Vec<FieldSpec>, Vec<Diagnostic>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        text,
        syntax: Syntax::new(&errors),
        keys: Vec::new(),
        diagnostics: Vec::new(),
    };
    let fields = reader.document(path, document.get_ref());

    let duplicates = reader.syntax.claim_duplicates(&reader.keys, text);
    reader.diagnostics.extend(duplicates);
    let mut unclaimed = reader.syntax.unclaimed();
    if unclaimed.is_empty() {
        return (fields, reader.diagnostics);
    }
    // Nothing can be said about a document whose tables are not known; only what is wrong with
    // its syntax stands.
    let syntax = |d: &Diagnostic| matches!(d.code, "invalid-toml" | "unquoted" | "duplicate-key");
    unclaimed.extend(reader.diagnostics.into_iter().filter(syntax));
    (Vec::new(), unclaimed)
}

struct Reader<'a> {
    text: &'a str,
    syntax: Syntax,
    /// Every key of every table that was read.
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
    generator: Option<Spanned<BigUint>>,
    factors: Option<Spanned<Vec<Spanned<BigUint>>>>,
    std: Option<bool>,
}

struct Number {
    /// As written, on one line.
    text: String,
    value: Spanned<BigUint>,
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
}

impl Reader<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn document(&mut self, path: &str, document: &DeTable<'_>) -> Vec<FieldSpec> {
        for (key, value) in in_order(document) {
            self.keys.push((key.span(), key.get_ref().to_string()));
            match key.get_ref().as_ref() {
                "field" | "defaults" => {}
                unknown => self.unknown_top_level_key(unknown, key.span(), value.span()),
            }
        }
        let defaults = document
            .get("defaults")
            .map_or_else(Options::default, |value| self.defaults(value));
        let tables = document
            .get("field")
            .map_or_else(Vec::new, |value| self.fields(value));
        if tables.is_empty() && self.diagnostics.is_empty() {
            let message = format!("`{path}` has no `[[field]]`");
            self.report(Diagnostic::new("no-fields", message).help(EXAMPLE));
        }
        self.check_distinct(&tables);
        tables
            .into_iter()
            .filter_map(|table| table.complete(&defaults))
            .collect()
    }

    fn unknown_top_level_key(&mut self, key: &str, span: Range<usize>, value: Range<usize>) {
        self.claim(&value);
        let mut diagnostic = Diagnostic::new("unknown-key", format!("unknown key `{key}`"));
        diagnostic = if Key::from_name(key).is_some() {
            diagnostic
                .at(span, "this belongs to a field")
                .help("write it below a line `[[field]]`, or below `[defaults]` for all fields")
        } else {
            let label = nearest(key, ["field", "defaults"])
                .map_or_else(String::new, |near| format!("did you mean `{near}`?"));
            diagnostic
                .at(span, label)
                .help("a file consists of `[[field]]` tables and at most one `[defaults]`")
        };
        self.report(diagnostic);
    }

    fn defaults(&mut self, value: &Value<'_>) -> Options {
        match value.get_ref() {
            DeValue::Table(table) => self.table(table, Place::Defaults).options,
            _ if self.claim(&value.span()) => Options::default(),
            other => {
                let message = format!("`defaults` must be a table, not {}", described(other));
                let diagnostic = Diagnostic::new("wrong-type", message)
                    .at(value.span(), "")
                    .help("write `[defaults]` on a line of its own, and the keys below it");
                self.report(diagnostic);
                Options::default()
            }
        }
    }

    fn fields(&mut self, value: &Value<'_>) -> Vec<Table> {
        let double = "write `[[field]]`, with two brackets, above the keys of each field";
        match value.get_ref() {
            DeValue::Array(items) if items.len() > MAX_FIELDS => {
                let message = format!("{} fields; the limit is {MAX_FIELDS}", items.len());
                let span = items[MAX_FIELDS].span();
                self.report(Diagnostic::new("too-many-fields", message).at(span, "one too many"));
                Vec::new()
            }
            DeValue::Array(items) => items
                .iter()
                .filter_map(|item| match item.get_ref() {
                    DeValue::Table(table) => Some(self.field(table, item.span())),
                    _ if self.claim(&item.span()) => None,
                    other => {
                        let message = format!("a field must be a table, not {}", described(other));
                        let diagnostic = Diagnostic::new("wrong-type", message)
                            .at(item.span(), "")
                            .help(double);
                        self.report(diagnostic);
                        None
                    }
                })
                .collect(),
            DeValue::Table(table) => {
                let message = "`field` must be a list of tables, not a single table";
                let diagnostic = Diagnostic::new("wrong-type", message)
                    .at(value.span(), "")
                    .help(double);
                self.report(diagnostic);
                vec![self.field(table, value.span())]
            }
            _ if self.claim(&value.span()) => Vec::new(),
            other => {
                let message = format!("`field` must be a list of tables, not {}", described(other));
                let diagnostic = Diagnostic::new("wrong-type", message)
                    .at(value.span(), "")
                    .help(double);
                self.report(diagnostic);
                Vec::new()
            }
        }
    }

    fn field(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Table {
        let field = self.table(table, Place::Field);
        for key in Key::ALL {
            if key.is_required() && !table.contains_key(key.name()) {
                let name = key.name();
                let example = match key {
                    Key::Name => "name = \"baby_bear\"",
                    _ => "modulus = \"2^31 - 2^27 + 1\"",
                };
                let diagnostic = Diagnostic::new("missing-key", format!("a field has no `{name}`"))
                    .at(span.clone(), format!("`{name}` is missing here"))
                    .help(format!("add it, as in `{example}`"));
                self.report(diagnostic);
            }
        }
        field
    }

    fn table(&mut self, entries: &DeTable<'_>, place: Place) -> Table {
        let mut table = Table::default();
        for (key, value) in in_order(entries) {
            let name = key.get_ref().as_ref();
            self.keys.push((key.span(), name.to_owned()));
            let Some(key) = Key::from_name(name) else {
                self.claim(&value.span());
                self.unknown_key(name, key.span(), place);
                continue;
            };
            if place == Place::Defaults && key.is_required() {
                let message = format!("`{name}` cannot have a default");
                let diagnostic = Diagnostic::new("unknown-key", message)
                    .at(value.span(), "every field has its own")
                    .help(listed("known keys of `[defaults]`", &place.keys()));
                self.report(diagnostic);
                continue;
            }
            match key {
                Key::Name => table.name = self.name(value),
                Key::Modulus => table.modulus = self.number(key, value),
                Key::Targets => table.options.targets = self.targets(key, value),
                Key::Reduction => table.options.reduction = self.reduction(key, value),
                Key::Generator => {
                    table.options.generator = self.number(key, value).map(|number| number.value);
                }
                Key::Factors => table.options.factors = self.numbers(key, value),
                Key::Std => table.options.std = self.flag(key, value),
            }
        }
        table
    }

    fn unknown_key(&mut self, name: &str, span: Range<usize>, place: Place) {
        let known = place.keys();
        let label = nearest(name, known.iter().copied())
            .map_or_else(String::new, |near| format!("did you mean `{near}`?"));
        let title = place.title();
        let diagnostic = Diagnostic::new("unknown-key", format!("unknown key `{name}`"))
            .at(span, label)
            .help(listed(&format!("known keys of `{title}`"), &known));
        self.report(diagnostic);
    }

    /// Reports the syntax error within a value, if there is one.
    fn claim(&mut self, value: &Range<usize>) -> bool {
        let diagnostic = self.syntax.claim(value);
        let claimed = diagnostic.is_some();
        self.diagnostics.extend(diagnostic);
        claimed
    }

    fn wrong_type(&mut self, key: Key, what: &str, value: &Value<'_>) {
        let (kind, help) = match key.kind() {
            Kind::Name => ("a string", "put it in quotes"),
            Kind::Number => (
                "a quoted expression or an integer",
                "write it in quotes: `\"2^31 - 1\"`",
            ),
            Kind::Numbers => (
                "a list of quoted expressions or integers",
                "write a list: `[2, 3, \"2^31 - 1\"]`",
            ),
            Kind::Choice(_) => ("a string", "put it in quotes"),
            Kind::Choices(_) => ("a list of strings", "write a list: `[\"rust\", \"cuda\"]`"),
            Kind::Flag => ("true or false", "write it without quotes"),
        };
        let message = format!("{what} must be {kind}, not {}", described(value.get_ref()));
        let diagnostic = Diagnostic::new("wrong-type", message)
            .at(value.span(), "")
            .help(help);
        self.report(diagnostic);
    }

    fn name(&mut self, value: &Value<'_>) -> Option<Spanned<String>> {
        if self.claim(&value.span()) {
            return None;
        }
        let DeValue::String(name) = value.get_ref() else {
            self.wrong_type(Key::Name, "`name`", value);
            return None;
        };
        if let Err(problem) = names::check(name) {
            self.report(bad_name(name, &problem, value.span()));
        }
        // Kept even if it is refused, to be compared with the others.
        Some(Spanned::new(name.to_string(), value.span()))
    }

    fn number(&mut self, key: Key, value: &Value<'_>) -> Option<Number> {
        let name = key.name();
        match value.get_ref() {
            _ if self.claim_number(name, &value.span()) => None,
            DeValue::String(expression) => self.expression(expression, value.span()),
            DeValue::Integer(integer) => self.integer(name, integer, value.span()),
            _ => {
                let what = match key.kind() {
                    Kind::Numbers => format!("each of `{name}`"),
                    _ => format!("`{name}`"),
                };
                self.wrong_type(
                    if key == Key::Factors {
                        Key::Generator
                    } else {
                        key
                    },
                    &what,
                    value,
                );
                None
            }
        }
    }

    /// As [`Reader::claim`], for a value where an expression without quotes is likely.
    fn claim_number(&mut self, name: &str, value: &Range<usize>) -> bool {
        let Some(syntax) = self.syntax.claim(value) else {
            return false;
        };
        let written = self.text.get(value.clone()).unwrap_or_default().trim();
        let quoted = written.starts_with(['"', '\'', '[', '{']);
        if quoted || written.is_empty() {
            self.report(syntax);
            return true;
        }
        let mut diagnostic = Diagnostic::new(
            "unquoted",
            format!("the expression for `{name}` is not quoted"),
        )
        .at(value.clone(), "this is not a TOML value")
        .help(format!("put it in quotes: `\"{}\"`", abbreviated(written)));
        if let Err(error) = expr::evaluate(written) {
            let culprit = written.get(error.range).unwrap_or_default();
            diagnostic =
                diagnostic.note(format!("at `{}`: {}", abbreviated(culprit), error.reason));
            if let Some(help) = error.help {
                diagnostic = diagnostic.note(help);
            }
        }
        self.report(diagnostic);
        true
    }

    fn expression(&mut self, expression: &str, span: Range<usize>) -> Option<Number> {
        match expr::evaluate(expression) {
            Ok(value) => Some(Number {
                text: expression.split_whitespace().collect::<Vec<_>>().join(" "),
                value: Spanned::new(value, span),
            }),
            Err(error) => {
                let diagnostic = self.bad_expression(expression, error, span);
                self.report(diagnostic);
                None
            }
        }
    }

    fn bad_expression(&self, expression: &str, error: ExprError, span: Range<usize>) -> Diagnostic {
        let diagnostic = Diagnostic::new("bad-expression", "this expression has no value");
        let start = self.content_start(expression, &span);
        let mut diagnostic = match start {
            _ if expression.trim().is_empty() => diagnostic.at(span, error.reason),
            Some(start) => {
                let range = start + error.range.start..start + error.range.end;
                diagnostic.at(range, error.reason)
            }
            // The string is written with escapes: its parts have no places of their own.
            None => {
                let culprit = &expression[error.range];
                diagnostic
                    .at(span, error.reason)
                    .note(format!("this is about the part `{}`", abbreviated(culprit)))
            }
        };
        if let Some(help) = error.help {
            diagnostic = diagnostic.help(help);
        }
        diagnostic
    }

    /// Where in the source a string's content begins, if it stands there letter for letter.
    fn content_start(&self, content: &str, span: &Range<usize>) -> Option<usize> {
        let raw = self.text.get(span.clone())?;
        [
            "\"\"\"\r\n",
            "\"\"\"\n",
            "\"\"\"",
            "'''\r\n",
            "'''\n",
            "'''",
            "\"",
            "'",
        ]
        .into_iter()
        .find(|opening| raw.starts_with(opening))
        .filter(|opening| raw[opening.len()..].starts_with(content))
        // Nothing but the closing quotes may follow, or the text began with an escape.
        .filter(|opening| {
            let rest = &raw[opening.len() + content.len()..];
            rest.chars().all(|c| c == '"' || c == '\'')
        })
        .map(|opening| span.start + opening.len())
    }

    fn integer(
        &mut self,
        name: &str,
        integer: &DeInteger<'_>,
        span: Range<usize>,
    ) -> Option<Number> {
        let written = self.text.get(span.clone()).unwrap_or_default().trim();
        let digits = integer.as_str().trim_start_matches('+');
        if digits.starts_with('-') {
            let diagnostic = Diagnostic::new("bad-expression", format!("`{name}` is negative"))
                .at(span, "this must be positive");
            self.report(diagnostic);
            return None;
        }
        match u64::from_str_radix(digits, integer.radix()) {
            Ok(value) => Some(Number {
                text: written.to_owned(),
                value: Spanned::new(BigUint::from(value), span),
            }),
            Err(_) => {
                let bits = match expr::evaluate(written) {
                    Ok(value) => format!("this has {} bits", value.bits()),
                    Err(error) => error.reason,
                };
                let message = "an integer without quotes can have at most 64 bits";
                let diagnostic = Diagnostic::new("unquoted", message)
                    .at(span, bits)
                    .help(format!("quote it: `{name} = \"{}\"`", abbreviated(written)));
                self.report(diagnostic);
                None
            }
        }
    }

    fn numbers(&mut self, key: Key, value: &Value<'_>) -> Option<Spanned<Vec<Spanned<BigUint>>>> {
        let items = match value.get_ref() {
            DeValue::Array(items) => items,
            _ if self.claim_number(key.name(), &value.span()) => return None,
            _ => {
                self.wrong_type(key, &format!("`{}`", key.name()), value);
                return None;
            }
        };
        if items.len() > MAX_FACTORS {
            let message = format!("`{}` has more than {MAX_FACTORS} numbers", key.name());
            let diagnostic = Diagnostic::new("too-many-factors", message)
                .at(value.span(), format!("{} numbers", items.len()))
                .note("a modulus of 4096 bits cannot have that many");
            self.report(diagnostic);
            return None;
        }
        let numbers: Vec<Option<Number>> =
            items.iter().map(|item| self.number(key, item)).collect();
        if self.claim(&value.span()) {
            return None;
        }
        let numbers: Option<Vec<_>> = numbers
            .into_iter()
            .map(|number| number.map(|number| number.value))
            .collect();
        numbers.map(|numbers| Spanned::new(numbers, value.span()))
    }

    fn targets(&mut self, key: Key, value: &Value<'_>) -> Option<Spanned<Vec<Spanned<Target>>>> {
        let items = match value.get_ref() {
            DeValue::Array(items) => items,
            _ if self.claim(&value.span()) => return None,
            _ => {
                self.wrong_type(key, "`targets`", value);
                return None;
            }
        };
        if items.is_empty() {
            let diagnostic = Diagnostic::new("no-targets", "`targets` is empty")
                .at(value.span(), "nothing would be generated")
                .help("leave `targets` out to get every target that the field has");
            self.report(diagnostic);
        }
        let mut targets: Vec<Spanned<Target>> = Vec::new();
        for item in items {
            let Some(target) = self.choice(key, "target", &Target::ALL, Target::name, item) else {
                continue;
            };
            let first = targets.iter().find(|other| other.value == target.value);
            if let Some(first) = first {
                let message = format!("target `{}` is given twice", target.value.name());
                let diagnostic = Diagnostic::new("duplicate-target", message)
                    .at(target.span, "given again")
                    .related(first.span.clone(), "first given here")
                    .help("remove one of them");
                self.report(diagnostic);
            } else {
                targets.push(target);
            }
        }
        self.claim(&value.span());
        Some(Spanned::new(targets, value.span()))
    }

    fn reduction(&mut self, key: Key, value: &Value<'_>) -> Option<Spanned<Reduction>> {
        self.choice(key, "reduction", &Reduction::ALL, Reduction::name, value)
    }

    /// One of the words that `name` gives to `all`.
    fn choice<T: Copy>(
        &mut self,
        key: Key,
        what: &str,
        all: &[T],
        name: fn(T) -> &'static str,
        value: &Value<'_>,
    ) -> Option<Spanned<T>> {
        if self.claim(&value.span()) {
            return None;
        }
        let DeValue::String(word) = value.get_ref() else {
            let subject = match key.kind() {
                Kind::Choices(_) => format!("each of `{}`", key.name()),
                _ => format!("`{}`", key.name()),
            };
            let message = format!(
                "{subject} must be a string, not {}",
                described(value.get_ref())
            );
            let diagnostic = Diagnostic::new("wrong-type", message)
                .at(value.span(), "")
                .help("put it in quotes");
            self.report(diagnostic);
            return None;
        };
        if let Some(&known) = all.iter().find(|&&known| name(known) == word.as_ref()) {
            return Some(Spanned::new(known, value.span()));
        }
        let known: Vec<&str> = all.iter().map(|&known| name(known)).collect();
        let label = nearest(word, known.iter().copied())
            .map_or_else(String::new, |near| format!("did you mean \"{near}\"?"));
        let code = match key.kind() {
            Kind::Choices(_) => "unknown-target",
            _ => "unknown-reduction",
        };
        let message = format!("unknown {what} `{}`", abbreviated(word));
        let diagnostic = Diagnostic::new(code, message)
            .at(value.span(), label)
            .help(listed(&format!("known {what}s"), &known));
        self.report(diagnostic);
        None
    }

    fn flag(&mut self, key: Key, value: &Value<'_>) -> Option<bool> {
        if self.claim(&value.span()) {
            return None;
        }
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                self.wrong_type(key, &format!("`{}`", key.name()), value);
                None
            }
        }
    }

    /// Reports names that would become the same file, module or type.
    fn check_distinct(&mut self, tables: &[Table]) {
        let mut by_case: HashMap<String, &Spanned<String>> = HashMap::new();
        let mut by_type: HashMap<String, &Spanned<String>> = HashMap::new();
        for name in tables.iter().filter_map(|table| table.name.as_ref()) {
            let case = name.value.to_lowercase();
            let kind = names::type_name(&name.value);
            let same_case = by_case.get(&case).copied();
            if let Some(first) = same_case.or_else(|| by_type.get(&kind).copied()) {
                let diagnostic = collision(name, first, same_case.is_some(), &kind);
                self.report(diagnostic);
            }
            by_case.entry(case).or_insert(name);
            by_type.entry(kind).or_insert(name);
        }
    }
}

impl Table {
    /// The field, if its name and modulus are usable.
    fn complete(self, defaults: &Options) -> Option<FieldSpec> {
        let name = self.name.filter(|name| names::check(&name.value).is_ok())?;
        let modulus = self.modulus?;
        let own = self.options;
        let reduction = own
            .reduction
            .or_else(|| defaults.reduction.clone())
            .unwrap_or_else(|| Spanned::new(Reduction::Auto, name.span.clone()));
        Some(FieldSpec {
            name,
            modulus_text: modulus.text,
            modulus: modulus.value,
            targets: own.targets.or_else(|| defaults.targets.clone()),
            reduction,
            generator: own.generator.or_else(|| defaults.generator.clone()),
            factors: own.factors.or_else(|| defaults.factors.clone()),
            std: own.std.or(defaults.std).unwrap_or(true),
        })
    }
}

fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(&'t toml::Spanned<std::borrow::Cow<'i, str>>, &'t Value<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn bad_name(name: &str, problem: &Problem, span: Range<usize>) -> Diagnostic {
    let shown = abbreviated(name);
    let why = "a field's name becomes a file name, a Rust module and a C++ namespace";
    let diagnostic = match problem {
        Problem::Empty => Diagnostic::new("bad-name", "the name is empty").at(span, ""),
        Problem::TooLong => {
            let message = "the name is too long";
            let label = format!(
                "{} characters; the limit is {}",
                name.len(),
                names::MAX_LENGTH
            );
            Diagnostic::new("bad-name", message).at(span, label)
        }
        Problem::Path => Diagnostic::new("bad-name", format!("`{shown}` cannot be a field's name"))
            .at(
                span,
                "this is a path; files are only written into the output directory",
            ),
        Problem::Shape { reason } => {
            Diagnostic::new("bad-name", format!("`{shown}` cannot be a field's name"))
                .at(span, *reason)
        }
        Problem::Reserved { by } => Diagnostic::new(
            "reserved-name",
            format!("`{shown}` cannot be a field's name"),
        )
        .at(span, format!("reserved by {by}")),
    };
    let diagnostic = diagnostic.note(why);
    match names::similar(name) {
        Some(similar) => diagnostic.help(format!("`{similar}` would do")),
        None => diagnostic,
    }
}

fn collision(
    name: &Spanned<String>,
    first: &Spanned<String>,
    same_case: bool,
    kind: &str,
) -> Diagnostic {
    let (a, b) = (abbreviated(&name.value), abbreviated(&first.value));
    let diagnostic = if name.value == first.value {
        Diagnostic::new("duplicate-name", format!("two fields are called `{a}`"))
    } else if same_case {
        Diagnostic::new(
            "colliding-names",
            format!("`{a}` and `{b}` differ only in case"),
        )
        .note("files are named after fields, and some file systems ignore case")
    } else {
        let message = format!("`{a}` and `{b}` would both make a Rust type `{kind}`");
        Diagnostic::new("colliding-names", message)
    };
    diagnostic
        .at(name.span.clone(), "the second one")
        .related(first.span.clone(), "the first one")
        .help("rename one of them")
}

fn described(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn listed(what: &str, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("{what}: {}", words.join(", "))
}

/// The text, or its beginning and end.
fn abbreviated(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= 48 {
        return text.to_owned();
    }
    let head: String = letters[..24].iter().collect();
    let tail: String = letters[letters.len() - 16..].iter().collect();
    format!("{head}...{tail}")
}
