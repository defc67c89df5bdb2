//! Makefile rules, for build systems that run fieldgen.

use std::path::{Path, PathBuf};

/// One rule that says that `outputs` depend on `inputs`. Fails where a path cannot be written in
/// a Makefile, and returns that path.
pub fn rule<'a>(outputs: &'a [PathBuf], inputs: &'a [PathBuf]) -> Result<String, &'a Path> {
    let outputs = escape_all(outputs)?;
    let inputs = escape_all(inputs)?;
    let separator = " \\\n  ";
    Ok(format!(
        "{}:{separator}{}\n",
        outputs.join(separator),
        inputs.join(separator)
    ))
}

/// Whether a file is empty, or begins as a rule for files in `directory` does.
pub fn is_rule(file: &[u8], directory: &Path) -> bool {
    file.is_empty()
        || escape(&directory.join("")).is_some_and(|start| file.starts_with(start.as_bytes()))
}

fn escape_all(paths: &[PathBuf]) -> Result<Vec<String>, &Path> {
    paths
        .iter()
        .map(|path| escape(path).ok_or(path.as_path()))
        .collect()
}

/// As make and ninja both read it.
fn escape(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    let mut escaped = String::with_capacity(path.len());
    for character in path.chars() {
        match character {
            '\n' | '\r' => return None,
            ' ' | '\t' => {
                // Backslashes before a blank would be read as escapes themselves.
                let backslashes = escaped.len() - escaped.trim_end_matches('\\').len();
                escaped.extend(std::iter::repeat_n('\\', backslashes + 1));
            }
            '#' | ':' => escaped.push('\\'),
            '$' => escaped.push('$'),
            _ => {}
        }
        escaped.push(character);
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_escaped() {
        for (path, escaped) in [
            ("generated/a.rs", "generated/a.rs"),
            ("my files/a.rs", "my\\ files/a.rs"),
            ("odd\\ name", "odd\\\\\\ name"),
            ("a#b$c:d", "a\\#b$$c\\:d"),
        ] {
            assert_eq!(escape(Path::new(path)).as_deref(), Some(escaped));
        }
        assert_eq!(escape(Path::new("a\nb")), None);
    }

    #[test]
    fn one_rule_for_all() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let outputs = paths(&["out/a.rs", "out/b.rs"]);
        let inputs = paths(&["fields.toml"]);
        assert_eq!(
            rule(&outputs, &inputs).unwrap(),
            "out/a.rs \\\n  out/b.rs: \\\n  fields.toml\n"
        );
        assert_eq!(rule(&paths(&["a\nb"]), &inputs), Err(Path::new("a\nb")));
    }
}
