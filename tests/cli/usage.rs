//! Help, version, wrong usage, and messages in colour.

use crate::support::{Project, Run, TWO_FIELDS};

#[test]
fn help() {
    let run = Project::new("").run(&["--help"]).expect(0);
    assert_eq!(run.stderr, "");
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn short_help_names_every_option() {
    let project = Project::new("");
    let long = project.run(&["--help"]).expect(0).stdout;
    let short = project.run(&["-h"]).expect(0).stdout;
    let options = |text: &str| -> Vec<String> {
        let words = text
            .split_whitespace()
            .filter(|word| word.starts_with("--"));
        words.map(str::to_owned).collect()
    };
    assert_eq!(options(&short), options(&long));
}

#[test]
fn version() {
    let run = Project::new("").run(&["--version"]).expect(0);
    assert_eq!(
        run.stdout,
        concat!("fieldgen ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn wrong_usage() {
    let project = Project::new(TWO_FIELDS);
    project.run(&["--chek"]).fails_with(&["--chek", "--check"]);
    project
        .run(&["--check", "--stdout"])
        .fails_with(&["cannot be used with"]);
    project
        .run(&["--list", "--depfile", "x.d"])
        .fails_with(&["cannot be used with"]);
    project
        .run(&["-q", "-v"])
        .fails_with(&["cannot be used with"]);
    project.run(&["positional"]).fails_with(&["positional"]);
    assert!(!project.path("generated").exists());
}

#[test]
fn a_missing_configuration() {
    let project = Project::new(TWO_FIELDS);
    project
        .run(&["-c", "nowhere.toml"])
        .fails_with(&["nowhere.toml"]);
}

#[test]
fn a_reduction_that_does_not_fit() {
    let dense = "[[field]]\nname = \"dense\"\nmodulus = \"0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47\"\nreduction = \"special\"\n";
    Project::new(dense).run(&[]).fails_with(&[
        "`reduction = \"special\"` does not fit the modulus of `dense`",
        "(h + 1) c <= p for c = 2^254 - p",
        "c has 252 bits",
        "254 is no multiple of 32",
        "use `reduction = \"auto\"`",
    ]);
}

/// Errors in colour, or not.
fn colored(args: &[&str], variables: &[(&str, &str)]) -> bool {
    let project = Project::new("[[field]]\nname = \"bad\"\nmodulus = \"15\"\n");
    let mut command = project.command(args);
    let run = Run::of(command.envs(variables.iter().copied())).expect(2);
    run.stderr.contains('\x1b')
}

#[test]
fn colours() {
    // stderr is no terminal here.
    assert!(!colored(&[], &[]));
    assert!(!colored(&["--color", "never"], &[]));
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&["--color=always", "--unknown"], &[]));
    assert!(!colored(&["--color=never", "--unknown"], &[]));
}
