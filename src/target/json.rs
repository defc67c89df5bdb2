//! `constants.json`: what follows from each modulus, for other tools and other languages.
//!
//! Keys are sorted; numbers that do not depend on the size of the modulus are JSON numbers, all
//! others are hexadecimal strings. `schema_version` grows when a key changes its meaning or goes.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use crate::field::{Barrett, Field, Montgomery};

/// The version of the format.
const SCHEMA_VERSION: u32 = 1;

/// The constants of all fields.
pub(crate) fn render<'a>(fields: impl IntoIterator<Item = &'a Field>) -> String {
    let fields = fields
        .into_iter()
        .map(|field| (field.name.as_str(), field_value(field)));
    let document = object([
        ("@generated", Value::text("fieldgen")),
        ("fields", object(fields)),
        ("schema_version", Value::Number(SCHEMA_VERSION)),
    ]);
    let mut text = String::new();
    document.write(0, &mut text);
    text.push('\n');
    text
}

fn field_value(field: &Field) -> Value<'_> {
    object([
        ("barrett", barrett_value(&field.barrett)),
        ("bits", Value::Number(field.bits)),
        (
            "generator",
            field.generator.as_ref().map_or(Value::Null, Value::hex),
        ),
        ("modulus", Value::hex(&field.modulus)),
        ("nonresidue", Value::hex(&field.nonresidue)),
        ("odd_part", Value::hex(&field.odd_part)),
        ("two_adic_root", Value::hex(&field.two_adic_root)),
        ("two_adicity", Value::Number(field.two_adicity)),
        ("word32", montgomery_value(&field.word32)),
        ("word64", montgomery_value(&field.word64)),
    ])
}

fn barrett_value(barrett: &Barrett) -> Value<'_> {
    object([
        ("mu", Value::hex(&barrett.mu)),
        ("shift", Value::Number(barrett.shift)),
    ])
}

fn montgomery_value(montgomery: &Montgomery) -> Value<'_> {
    object([
        ("inv", Value::hex_word(montgomery.inv)),
        ("limbs", Value::Number(montgomery.limbs)),
        ("neg_inv", Value::hex_word(montgomery.neg_inv)),
        ("r", Value::hex(&montgomery.r)),
        ("r2", Value::hex(&montgomery.r2)),
        ("r3", Value::hex(&montgomery.r3)),
        ("spare_bits", Value::Number(montgomery.spare_bits)),
    ])
}

/// The part of JSON that the constants need. Texts are hexadecimal numbers and keys are
/// identifiers: nothing needs an escape.
enum Value<'a> {
    Null,
    Number(u32),
    Text(String),
    Object(BTreeMap<&'a str, Value<'a>>),
}

fn object<'a>(entries: impl IntoIterator<Item = (&'a str, Value<'a>)>) -> Value<'a> {
    Value::Object(entries.into_iter().collect())
}

impl Value<'_> {
    fn text(text: &str) -> Self {
        Value::Text(text.to_owned())
    }

    fn hex(number: &BigUint) -> Self {
        Value::Text(format!("{number:#x}"))
    }

    fn hex_word(word: u64) -> Self {
        Value::Text(format!("{word:#x}"))
    }

    /// Appends the value; an object's entries are indented by two spaces more than `indent`.
    fn write(&self, indent: usize, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Number(number) => out.push_str(&number.to_string()),
            Value::Text(text) => push_quoted(text, out),
            Value::Object(entries) if entries.is_empty() => out.push_str("{}"),
            Value::Object(entries) => {
                let mut separator = '{';
                for (key, value) in entries {
                    out.push(separator);
                    push_line_start(indent + 2, out);
                    push_quoted(key, out);
                    out.push_str(": ");
                    value.write(indent + 2, out);
                    separator = ',';
                }
                push_line_start(indent, out);
                out.push('}');
            }
        }
    }
}

fn push_line_start(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn fields(text: &str) -> Vec<Field> {
        let config = Config::parse("fields.toml", text).expect("a valid configuration");
        let derive = |spec| Field::derive(spec).expect("a valid field");
        config.fields.iter().map(derive).collect()
    }

    #[test]
    fn the_whole_text() {
        let fields = fields(
            "[[field]]\nname = \"goldilocks\"\nmodulus = \"2^64 - 2^32 + 1\"\n\
             [[field]]\nname = \"bn254_fq\"\nmodulus = \
             \"0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47\"\n\
             [[field]]\nname = \"baby_bear\"\nmodulus = \"2^31 - 2^27 + 1\"\n",
        );
        insta::assert_snapshot!("constants", render(&fields));
    }

    #[test]
    fn is_json_as_serde_would_print_it() {
        for fields in [fields("[[field]]\nname = \"f\"\nmodulus = 3\n"), Vec::new()] {
            let text = render(&fields);
            // serde_json's maps are sorted, and its pretty printer indents by two spaces.
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let printed = serde_json::to_string_pretty(&value).expect("JSON");
            assert_eq!(text, printed + "\n");
        }
    }
}
