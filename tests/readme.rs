//! What the README shows is what is there.

use std::fs;
use std::path::Path;

/// Text of a file in this repository.
fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The code blocks in this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    text.split(&format!("\n```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("\n```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn rust_is_what_the_downstream_package_compiles() {
    let compiled = read("tests/downstream/build.rs") + &read("tests/downstream/src/lib.rs");
    let blocks = blocks(&read("README.md"), "rust");
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        assert!(
            compiled.contains(&block),
            "not in tests/downstream:\n{block}"
        );
    }
}

#[test]
fn the_build_script_takes_six_lines_at_most() {
    let lines = read("tests/downstream/build.rs").lines().count();
    assert!(lines <= 6, "{lines}");
}

#[test]
fn the_configuration_generates() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fields.toml");
    fs::write(&path, &blocks(&read("README.md"), "toml")[0]).unwrap();
    let generated = fieldgen::Builder::new(path).generate().unwrap();
    for name in [
        "baby_bear.rs",
        "bn254_fr.cuh",
        "fieldgen_word.cuh",
        "mod.rs",
        "constants.json",
    ] {
        assert!(generated.files().contains_key(name), "{name}");
    }
}

#[test]
fn every_target_is_described() {
    let readme = read("README.md");
    for target in fieldgen::Target::ALL {
        assert!(
            readme.contains(&format!("\n| `{}` |", target.name())),
            "{}",
            target.name()
        );
    }
}

#[test]
fn the_second_command_is_what_ci_runs() {
    let command = "cargo test --workspace";
    assert!(read("README.md").contains(&format!("\n$ {command} ")));
    assert!(read(".ci/run").contains(&format!("\n{command} ")));
}
