//! From TOML values to the values of keys.

use std::ops::Range;

use num_bigint::BigUint;
use toml::de::{DeInteger, DeValue};

use super::Target;
use super::keys::{Key, Kind};
use super::read::{Reader, did_you_mean, listed};
use crate::diagnostic::{Diagnostic, Spanned, abbreviated};
use crate::expr::{self, ErrorKind, ExprError};

pub type Value<'i> = toml::Spanned<DeValue<'i>>;

/// More prime factors than any number of 4096 bits has.
const MAX_NUMBERS: usize = 4096;

/// A number and how it was written.
#[derive(Clone)]
pub struct Number {
    /// On one line.
    pub text: String,
    pub value: Spanned<BigUint>,
}

impl Reader<'_> {
    fn wrong_type(&mut self, key: Key, value: &Value<'_>) {
        let kind = match key.kind() {
            Kind::Name | Kind::Choice(_) => "a string",
            Kind::Number => "a quoted expression or an integer",
            Kind::Numbers => "a list of expressions or integers",
            Kind::Choices(_) => "a list of strings",
            Kind::Flag => "true or false",
        };
        self.report(wrong_type(&format!("`{}`", key.name()), kind, key, value));
    }

    fn wrong_item(&mut self, key: Key, value: &Value<'_>) {
        let kind = match key.kind() {
            Kind::Numbers => "a quoted expression or an integer",
            _ => "a string",
        };
        let subject = format!("each of `{}`", key.name());
        self.report(wrong_type(&subject, kind, key, value));
    }

    pub fn text(&mut self, key: Key, value: &Value<'_>) -> Option<Spanned<String>> {
        if self.is_spoilt(&value.span()) {
            return None;
        }
        if let DeValue::String(text) = value.get_ref() {
            return Some(Spanned::new(text.to_string(), value.span()));
        }
        self.wrong_type(key, value);
        None
    }

    pub fn flag(&mut self, key: Key, value: &Value<'_>) -> Option<bool> {
        if self.is_spoilt(&value.span()) {
            return None;
        }
        if let DeValue::Boolean(flag) = value.get_ref() {
            return Some(*flag);
        }
        self.wrong_type(key, value);
        None
    }

    /// One of `all`, which are written as `name` says.
    pub fn choice<T: Copy>(
        &mut self,
        key: Key,
        all: &[T],
        name: fn(T) -> &'static str,
        value: &Value<'_>,
    ) -> Option<Spanned<T>> {
        if self.is_spoilt(&value.span()) {
            return None;
        }
        let list = matches!(key.kind(), Kind::Choices(_));
        let DeValue::String(word) = value.get_ref() else {
            if list {
                self.wrong_item(key, value);
            } else {
                self.wrong_type(key, value);
            }
            return None;
        };
        if let Some(&known) = all.iter().find(|&&known| name(known) == word.as_ref()) {
            return Some(Spanned::new(known, value.span()));
        }
        let known: Vec<&str> = all.iter().map(|&known| name(known)).collect();
        let (code, what) = if list {
            ("unknown-target", "target")
        } else {
            ("unknown-reduction", "reduction")
        };
        let message = format!("unknown {what} `{}`", abbreviated(word));
        let diagnostic = Diagnostic::new(code, message)
            .at(value.span(), did_you_mean(word, &known))
            .help(listed(&format!("the {what}s are"), &known));
        self.report(diagnostic);
        None
    }

    pub fn targets(
        &mut self,
        key: Key,
        value: &Value<'_>,
    ) -> Option<Spanned<Vec<Spanned<Target>>>> {
        let DeValue::Array(items) = value.get_ref() else {
            if !self.is_spoilt(&value.span()) {
                self.wrong_type(key, value);
            }
            return None;
        };
        let mut targets: Vec<Spanned<Target>> = Vec::new();
        for item in items {
            let Some(target) = self.choice(key, &Target::ALL, Target::name, item) else {
                continue;
            };
            let first = targets.iter().find(|first| first.value == target.value);
            if let Some(first) = first {
                let message = format!("the target `{}` is given twice", target.value.name());
                let diagnostic = Diagnostic::new("duplicate-target", message)
                    .at(target.span, "given again")
                    .related(first.span.clone(), "first given here")
                    .help("remove one of the two");
                self.report(diagnostic);
            } else {
                targets.push(target);
            }
        }
        if !self.is_spoilt(&value.span()) && items.is_empty() {
            let diagnostic = Diagnostic::new("no-targets", "`targets` is empty")
                .at(value.span(), "nothing would be generated")
                .help("leave `targets` out to get every target that the field has");
            self.report(diagnostic);
        }
        Some(Spanned::new(targets, value.span()))
    }

    pub fn numbers(&mut self, key: Key, value: &Value<'_>) -> Option<Spanned<Vec<Number>>> {
        let DeValue::Array(items) = value.get_ref() else {
            if !self.is_spoilt(&value.span()) {
                self.wrong_type(key, value);
            }
            return None;
        };
        if items.len() > MAX_NUMBERS {
            let message = format!("`{}` has more than {MAX_NUMBERS} numbers", key.name());
            let diagnostic = Diagnostic::new("too-many-factors", message)
                .at(value.span(), format!("{} numbers", items.len()))
                .note("no number of 4096 bits has that many prime factors")
                .help("give each prime factor of modulus - 1 once");
            self.report(diagnostic);
            return None;
        }
        let numbers: Vec<Option<Number>> = items
            .iter()
            .map(|item| match item.get_ref() {
                DeValue::String(_) | DeValue::Integer(_) => self.number(key, item),
                _ if self.is_spoilt_number(key, &item.span()) => None,
                _ => {
                    self.wrong_item(key, item);
                    None
                }
            })
            .collect();
        if self.is_spoilt(&value.span()) {
            return None;
        }
        let numbers: Option<Vec<Number>> = numbers.into_iter().collect();
        numbers.map(|numbers| Spanned::new(numbers, value.span()))
    }

    pub fn number(&mut self, key: Key, value: &Value<'_>) -> Option<Number> {
        if self.is_spoilt_number(key, &value.span()) {
            return None;
        }
        let number = match value.get_ref() {
            DeValue::String(expression) => self.expression(key, expression, value.span()),
            DeValue::Integer(integer) => self.integer(key, integer, value.span()),
            _ => {
                self.wrong_type(key, value);
                return None;
            }
        };
        number.map_err(|diagnostic| self.report(diagnostic)).ok()
    }

    /// As [`Reader::is_spoilt`], where an expression without quotes is likely.
    fn is_spoilt_number(&mut self, key: Key, value: &Range<usize>) -> bool {
        let Some(syntax) = self.claim(value) else {
            return false;
        };
        let written = self.text.get(value.clone()).unwrap_or_default().trim();
        if written.is_empty() || written.starts_with(['"', '\'', '[', '{']) {
            self.report(syntax);
            return true;
        }
        let message = format!("an expression without quotes in `{}`", key.name());
        let shown = abbreviated(written);
        let diagnostic =
            Diagnostic::new("unquoted", message).at(value.clone(), "this is not a TOML value");
        let diagnostic = match expr::evaluate(written) {
            Ok(_) => diagnostic.help(format!("put it in quotes: `\"{shown}\"`")),
            Err(_) if expr::evaluate(&format!("0x{written}")).is_ok() => diagnostic.help(format!(
                "put it in quotes, with `0x` for hexadecimal: `\"0x{shown}\"`"
            )),
            Err(error) => {
                let part = abbreviated(written.get(error.range).unwrap_or_default());
                diagnostic
                    .note(format!(
                        "nor is it an expression: at `{part}`, {}",
                        error.reason
                    ))
                    .help(format!(
                        "put an expression in quotes, as in `{}`",
                        key.example()
                    ))
            }
        };
        self.report(diagnostic);
        true
    }

    fn expression(
        &self,
        key: Key,
        expression: &str,
        span: Range<usize>,
    ) -> Result<Number, Diagnostic> {
        match expr::evaluate(expression) {
            Ok(value) => Ok(Number {
                text: expression.split_whitespace().collect::<Vec<_>>().join(" "),
                value: Spanned::new(value, span),
            }),
            Err(error) => Err(self.bad_expression(key, expression, error, span)),
        }
    }

    fn bad_expression(
        &self,
        key: Key,
        expression: &str,
        error: ExprError,
        span: Range<usize>,
    ) -> Diagnostic {
        let name = key.name();
        let too_large = match key {
            Key::Modulus => "modulus-too-large",
            _ => "number-too-large",
        };
        let (diagnostic, help) = match error.kind {
            ErrorKind::Syntax => (
                Diagnostic::new("bad-expression", format!("`{name}` is not an expression")),
                "expressions are made of decimal, 0x, 0o and 0b numbers, `+ - * ^` and parentheses",
            ),
            ErrorKind::TooLarge => (
                Diagnostic::new(too_large, format!("`{name}` is too large"))
                    .note("a modulus can have at most 4096 bits"),
                "write a smaller number",
            ),
            ErrorKind::Negative => (
                Diagnostic::new("negative-number", format!("`{name}` is negative")),
                "write a positive number",
            ),
        };
        let diagnostic = match self.content_start(expression, &span) {
            _ if expression.trim().is_empty() => diagnostic.at(span, error.reason),
            Some(start) => {
                let range = start + error.range.start..start + error.range.end;
                diagnostic.at(range, error.reason)
            }
            // The string is written with escapes: its parts have no places of their own.
            None => {
                let part = abbreviated(&expression[error.range]);
                diagnostic
                    .at(span, error.reason)
                    .note(format!("this is about the part `{part}`"))
            }
        };
        diagnostic.help(error.help.unwrap_or_else(|| help.to_owned()))
    }

    /// Where in the source a string's content begins, if it stands there letter for letter.
    fn content_start(&self, content: &str, span: &Range<usize>) -> Option<usize> {
        const MULTI_LINE: [&str; 2] = ["\"\"\"", "'''"];
        let raw = self.text.get(span.clone())?;
        let opening = if MULTI_LINE.iter().any(|quotes| raw.starts_with(quotes)) {
            // A line break right after the quotes is not part of the content.
            let rest = &raw[3..];
            let rest = rest
                .strip_prefix('\r')
                .filter(|r| r.starts_with('\n'))
                .unwrap_or(rest);
            raw.len() - rest.strip_prefix('\n').unwrap_or(rest).len()
        } else {
            1
        };
        let rest = raw.get(opening..)?.strip_prefix(content)?;
        // Otherwise an escape follows, and the content only begins like this.
        let complete = rest.chars().all(|c| matches!(c, '"' | '\''));
        complete.then_some(span.start + opening)
    }

    fn integer(
        &self,
        key: Key,
        integer: &DeInteger<'_>,
        span: Range<usize>,
    ) -> Result<Number, Diagnostic> {
        let name = key.name();
        let written = self.text.get(span.clone()).unwrap_or_default().trim();
        let digits = integer.as_str().trim_start_matches('+');
        if digits.starts_with('-') {
            return Err(
                Diagnostic::new("negative-number", format!("`{name}` is negative"))
                    .at(span, "this is negative")
                    .help("write a positive number"),
            );
        }
        if let Ok(value) = u64::from_str_radix(digits, integer.radix()) {
            return Ok(Number {
                text: written.to_owned(),
                value: Spanned::new(BigUint::from(value), span),
            });
        }
        let label = match expr::evaluate(written) {
            Ok(value) => format!("this has {} bits", value.bits()),
            Err(error) => error.reason,
        };
        let quoted = match key.kind() {
            Kind::Numbers => format!("\"{}\"", abbreviated(written)),
            _ => format!("{name} = \"{}\"", abbreviated(written)),
        };
        let message = "an integer without quotes can have at most 64 bits";
        Err(Diagnostic::new("unquoted", message)
            .at(span, label)
            .help(format!("quote it: `{quoted}`")))
    }
}

fn wrong_type(subject: &str, kind: &str, key: Key, value: &Value<'_>) -> Diagnostic {
    let found = described(value.get_ref());
    Diagnostic::new(
        "wrong-type",
        format!("{subject} must be {kind}, not {found}"),
    )
    .at(value.span(), format!("this is {found}"))
    .help(format!("write it as in `{}`", key.example()))
}

/// The kind of value, with its article.
pub fn described(value: &DeValue<'_>) -> &'static str {
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
