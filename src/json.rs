//! JSON text, laid out the same on every run.

/// A JSON value.
pub enum Json {
    Null,
    Bool(bool),
    Number(u64),
    Text(String),
    /// JSON already, written as it is.
    Literal(&'static str),
    List(Vec<Json>),
    /// Written in this order.
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    pub fn number(number: usize) -> Json {
        Json::Number(number as u64)
    }

    pub fn object<K: Into<String>>(entries: impl IntoIterator<Item = (K, Json)>) -> Json {
        let entries = entries.into_iter();
        Json::Object(entries.map(|(key, value)| (key.into(), value)).collect())
    }

    /// An object with its keys in alphabetical order.
    pub fn sorted_object<K: Into<String>>(entries: impl IntoIterator<Item = (K, Json)>) -> Json {
        let entries = entries.into_iter();
        let mut entries: Vec<_> = entries.map(|(key, value)| (key.into(), value)).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Json::Object(entries)
    }

    /// A whole document. Entries of objects, and of lists that hold objects or lists, have lines of
    /// their own; plain values fill the lines of a list.
    pub fn document(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text.push('\n');
        text
    }

    fn write(&self, indent: usize, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(value) => out.push_str(&value.to_string()),
            Json::Text(text) => push_quoted(text, out),
            Json::Literal(text) => out.push_str(text),
            Json::List(values) if values.is_empty() => out.push_str("[]"),
            Json::List(values) => {
                let mut separator = "[";
                for value in values {
                    out.push_str(separator);
                    let plain = !matches!(value, Json::List(_) | Json::Object(_));
                    if separator == "[" || !plain || length_of_last_line(out) > LINE {
                        push_line_start(indent + 2, out);
                    } else {
                        out.push(' ');
                    }
                    value.write(indent + 2, out);
                    separator = ",";
                }
                push_line_start(indent, out);
                out.push(']');
            }
            Json::Object(entries) if entries.is_empty() => out.push_str("{}"),
            Json::Object(entries) => {
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

/// A line of plain values ends after this many columns.
const LINE: usize = 90;

fn length_of_last_line(text: &str) -> usize {
    text.len() - text.rfind('\n').map_or(0, |at| at + 1)
}

fn push_line_start(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_back_as_it_was() {
        let long: Vec<Json> = (0..40).map(Json::Number).collect();
        let value = Json::object([
            ("b", Json::Null),
            ("a\"\\\n\u{1}é", Json::text("\"\\\t/ü")),
            (
                "list",
                Json::List(vec![
                    Json::Bool(true),
                    Json::Literal("1.5"),
                    Json::List(long),
                ]),
            ),
            (
                "empty",
                Json::List(vec![Json::List(Vec::new()), Json::Object(Vec::new())]),
            ),
            (
                "sorted",
                Json::sorted_object([("b", Json::Number(u64::MAX)), ("a", Json::number(1))]),
            ),
        ]);
        let text = value.document();
        let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let numbers: Vec<u64> = (0..40).collect();
        let expected = serde_json::json!({
            "b": null,
            "a\"\\\n\u{1}é": "\"\\\t/ü",
            "list": [true, 1.5, numbers],
            "empty": [[], {}],
            "sorted": {"a": 1, "b": u64::MAX},
        });
        assert_eq!(read, expected);
        insta::assert_snapshot!(text);
    }
}
