//! The JSON schema of `fields.toml`, for editors: completion, tooltips and the errors that need no
//! arithmetic. Made from the same table of keys as the reader.

use crate::config::keys::{Key, Kind};
use crate::config::{MAX_FIELDS, names, reserved};
use crate::expr;
use crate::json::Json;

/// The schema, as committed in `fields.schema.json`.
pub(crate) fn json() -> String {
    let table = |title: &str, keys: &[Key]| {
        let properties = keys.iter().map(|&key| (key.name(), property(key)));
        let required = keys.iter().filter(|key| key.is_required());
        let required: Vec<Json> = required.map(|key| Json::text(key.name())).collect();
        let mut table = vec![
            ("description", Json::text(title)),
            ("type", Json::text("object")),
            ("additionalProperties", Json::Bool(false)),
            ("properties", Json::object(properties)),
        ];
        if !required.is_empty() {
            table.push(("required", Json::List(required)));
        }
        Json::object(table)
    };
    let optional: Vec<Key> = Key::ALL
        .into_iter()
        .filter(|key| !key.is_required())
        .collect();
    let fields = Json::object([
        (
            "description",
            Json::text("The prime fields, in the order of the generated mod.rs."),
        ),
        ("type", Json::text("array")),
        ("minItems", Json::Number(1)),
        ("maxItems", Json::number(MAX_FIELDS)),
        ("items", table("A prime field.", &Key::ALL)),
    ]);
    let defaults = table(
        "What holds for fields that do not say it themselves.",
        &optional,
    );
    let document = Json::object([
        (
            "$schema",
            Json::text("http://json-schema.org/draft-07/schema#"),
        ),
        ("title", Json::text("fields.toml of fieldgen")),
        ("type", Json::text("object")),
        ("additionalProperties", Json::Bool(false)),
        ("required", Json::List(vec![Json::text("field")])),
        (
            "properties",
            Json::object([("field", fields), ("defaults", defaults)]),
        ),
    ]);
    document.document()
}

fn property(key: Key) -> Json {
    let mut property = vec![("description", Json::text(key.doc()))];
    property.extend(match key.kind() {
        Kind::Name => name(),
        Kind::Number => number(),
        Kind::Numbers => list(number()),
        Kind::Choice(words) => choice(words),
        Kind::Choices(words) => {
            let mut targets = list(choice(words));
            targets.push(("minItems", Json::Number(1)));
            targets.push(("uniqueItems", Json::Bool(true)));
            targets
        }
        Kind::Flag => vec![("type", Json::text("boolean"))],
    });
    if let Some(default) = key.default() {
        property.push(("default", Json::Literal(default)));
    }
    Json::object(property)
}

type Entries = Vec<(&'static str, Json)>;

fn name() -> Entries {
    let reserved = reserved::words().map(Json::text).collect();
    vec![
        ("type", Json::text("string")),
        ("pattern", Json::text(names::PATTERN)),
        ("maxLength", Json::number(names::MAX_LENGTH)),
        ("not", Json::object([("enum", Json::List(reserved))])),
    ]
}

fn number() -> Entries {
    let expression = vec![
        ("type", Json::text("string")),
        ("pattern", Json::text(expr::CHARACTERS)),
        ("maxLength", Json::number(expr::MAX_LENGTH)),
    ];
    let integer = vec![
        ("type", Json::text("integer")),
        ("minimum", Json::Number(0)),
        ("maximum", Json::Number(u64::MAX)),
    ];
    let either = vec![Json::object(expression), Json::object(integer)];
    vec![("anyOf", Json::List(either))]
}

fn choice(words: Vec<&'static str>) -> Entries {
    let words = words.into_iter().map(Json::text).collect();
    vec![("type", Json::text("string")), ("enum", Json::List(words))]
}

fn list(items: Entries) -> Entries {
    vec![
        ("type", Json::text("array")),
        ("items", Json::object(items)),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_lite::Regex;
    use serde_json::Value;

    use super::*;
    use crate::config::Config;

    fn schema() -> Value {
        serde_json::from_str(&json()).expect("JSON")
    }

    /// Why `value` does not fit `schema`, by the keywords of draft 7 that are used here.
    fn misfits(schema: &Value, value: &Value) -> Vec<String> {
        let mut reasons = Vec::new();
        for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
            let size = |limit: &Value| limit.as_u64().map_or(usize::MAX, |limit| limit as usize);
            let fits = match (keyword.as_str(), value) {
                ("$schema" | "title" | "description" | "default", _) => true,
                ("type", _) => wanted == type_of(value),
                ("enum", _) => wanted.as_array().expect("a list").contains(value),
                ("not", _) => !misfits(wanted, value).is_empty(),
                ("anyOf", _) => {
                    let any = wanted.as_array().expect("a list").iter();
                    any.map(|schema| misfits(schema, value))
                        .any(|m| m.is_empty())
                }
                ("pattern", Value::String(text)) => {
                    let pattern = wanted.as_str().expect("a pattern");
                    Regex::new(pattern).expect("a pattern").is_match(text)
                }
                ("maxLength", Value::String(text)) => text.chars().count() <= size(wanted),
                ("minimum", Value::Number(_)) => value.as_f64() >= wanted.as_f64(),
                ("maximum", Value::Number(_)) => value.as_f64() <= wanted.as_f64(),
                ("minItems", Value::Array(items)) => items.len() >= size(wanted),
                ("maxItems", Value::Array(items)) => items.len() <= size(wanted),
                ("uniqueItems", Value::Array(items)) => {
                    (1..items.len()).all(|i| !items[..i].contains(&items[i]))
                }
                ("items", Value::Array(items)) => {
                    reasons.extend(items.iter().flat_map(|item| misfits(wanted, item)));
                    true
                }
                ("required", Value::Object(entries)) => {
                    let keys = wanted.as_array().expect("a list");
                    keys.iter()
                        .all(|key| entries.contains_key(key.as_str().expect("a key")))
                }
                ("additionalProperties", Value::Object(entries)) => {
                    assert_eq!(wanted, &Value::Bool(false));
                    entries
                        .keys()
                        .all(|key| schema["properties"].get(key).is_some())
                }
                ("properties", Value::Object(entries)) => {
                    let known = entries
                        .iter()
                        .filter_map(|(key, v)| Some((wanted.get(key)?, v)));
                    reasons.extend(known.flat_map(|(schema, v)| misfits(schema, v)));
                    true
                }
                (
                    "pattern"
                    | "maxLength"
                    | "minimum"
                    | "maximum"
                    | "minItems"
                    | "maxItems"
                    | "uniqueItems"
                    | "items"
                    | "required"
                    | "additionalProperties"
                    | "properties",
                    _,
                ) => true,
                (unknown, _) => panic!("the keyword {unknown} is not implemented here"),
            };
            if !fits {
                reasons.push(format!("{keyword}: {wanted} refuses {value}"));
            }
        }
        reasons
    }

    fn type_of(value: &Value) -> &'static str {
        match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    fn misfits_of(text: &str) -> Vec<String> {
        let value: Value = toml::from_str(text).expect("TOML");
        misfits(&schema(), &value)
    }

    #[test]
    fn the_committed_schema_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fields.schema.json");
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed.replace("\r\n", "\n") == json(),
            "fields.schema.json is out of date; mend it by\n\
             cargo run -- --schema > fields.schema.json"
        );
    }

    #[test]
    fn the_default_fields_fit() {
        assert_eq!(misfits_of(include_str!("../fields.toml")), [""; 0]);
    }

    #[test]
    fn what_the_reader_accepts_fits() {
        for text in [
            "[[field]]\nname = 'a'\nmodulus = 7\n",
            "[[field]]\nname = 'a_1'\nmodulus = '(2^31 - 0xFf_0) * 0b1 + 0o7'\n[defaults]\n",
            "[[field]]\nname = 'a'\nmodulus = \"\"\"\n2^31\n\t- 1\"\"\"\nreduction = 'barrett'\n\
             targets = ['rust', 'cuda', 'avx512', 'avx2']\ngenerator = '7'\nfactors = [2, '3']\nstd = true\n\
             [defaults]\nstd = false\nreduction = 'auto'\n",
        ] {
            assert!(Config::parse("fields.toml", text).is_ok(), "{text}");
            assert_eq!(misfits_of(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_by_the_reader_too() {
        let field = "[[field]]\nname = 'a'\nmodulus = 7\n";
        let more = |line: &str| format!("{field}{line}\n");
        let named = |name: &str| format!("[[field]]\nname = {name}\nmodulus = 7\n");
        for text in [
            String::new(),
            "field = []".to_owned(),
            "[field]\nname = 'a'\nmodulus = 7\n".to_owned(),
            "[[field]]\nname = 'a'\n".to_owned(),
            "[[field]]\nmodulus = 7\n".to_owned(),
            more("colour = 3"),
            more("targets = []"),
            more("targets = ['rust', 'rust']"),
            more("targets = ['avx']"),
            more("targets = 'rust'"),
            more("reduction = 'fast'"),
            more("reduction = true"),
            more("std = 'true'"),
            more("generator = -3"),
            more("generator = 1.5"),
            more("generator = ''"),
            more("generator = 'g'"),
            more("factors = 3"),
            more("factors = [true]"),
            more("[defaults]\nname = 'b'"),
            more("[defaults]\ncolour = 3"),
            more("[other]"),
            named("7"),
            named("''"),
            named("'Foo'"),
            named("'../x'"),
            named("'int'"),
            named("'gen'"),
            named(&format!("'{}'", "a".repeat(65))),
        ] {
            assert!(Config::parse("fields.toml", &text).is_err(), "{text}");
            assert_ne!(misfits_of(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_reader() {
        let text = "[[field]]\nname = 'a'\nmodulus = 7\n";
        let fields = Config::parse("fields.toml", text).expect("accepted").fields;
        let said = [
            (
                Key::Reduction,
                format!("\"{}\"", fields[0].reduction.value.name()),
            ),
            (Key::Std, fields[0].std.to_string()),
        ];
        for key in Key::ALL {
            let expected = said.iter().find(|(other, _)| *other == key);
            assert_eq!(key.default(), expected.map(|(_, value)| value.as_str()));
        }
    }

    proptest! {
        #[test]
        fn names_fit_as_the_reader_accepts_them(name in "[a-zA-Z0-9_]{0,8}|[a-z]{2,3}|\\PC{0,70}") {
            let schema = schema();
            let schema = &schema["properties"]["field"]["items"]["properties"]["name"];
            let fits = misfits(schema, &Value::String(name.clone())).is_empty();
            prop_assert_eq!(fits, names::check(&name).is_ok());
        }

        #[test]
        fn expressions_that_have_a_value_fit(text in "[-+*^() 0-9a-fxXoO_\n]{1,12}") {
            let schema = schema();
            let schema = &schema["properties"]["field"]["items"]["properties"]["modulus"];
            let fits = misfits(schema, &Value::String(text.clone())).is_empty();
            prop_assert!(fits || expr::evaluate(&text).is_err());
        }
    }
}
