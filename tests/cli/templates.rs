//! `--template-dir`: templates of the user's own.

use std::fs;

use crate::support::{Project, TWO_FIELDS};

/// A project whose directory `mine` holds the embedded `rust/mod.rs` with this line at its end.
fn with_own_template(line: &str) -> Project {
    let project = Project::new(TWO_FIELDS);
    let template = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/rust/mod.rs.tera");
    let text = fs::read_to_string(template).unwrap();
    fs::create_dir_all(project.path("mine/rust")).unwrap();
    project.write("mine/rust/mod.rs.tera", &format!("{text}{line}\n"));
    project
}

#[test]
fn a_template_replaces_the_one_of_its_name() {
    let project = with_own_template("// {{ 1 + 1 }}");
    project
        .run(&["--template-dir", "mine", "--depfile", "fields.d"])
        .expect(0);
    assert!(project.read("generated/mod.rs").ends_with("// 2\n"));
    let depfile = project.read("fields.d");
    assert!(
        depfile.ends_with("fields.toml \\\n  mine/rust/mod.rs.tera\n"),
        "{depfile}"
    );
    let run = project.run(&["--check"]).expect(1);
    assert!(
        run.stdout.starts_with("stale: generated/mod.rs\n\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_broken_template_is_shown_and_nothing_is_written() {
    let project = with_own_template("// {{ nothing }}");
    let lines = project.read("mine/rust/mod.rs.tera").lines().count();
    project
        .run(&["--template-dir", "mine"])
        .fails_with(&[&format!("mine/rust/mod.rs.tera:{lines}:"), "nothing"]);
    assert!(!project.path("generated").exists());
}

#[test]
fn a_file_that_replaces_nothing_is_an_error() {
    let project = with_own_template("");
    fs::rename(
        project.path("mine/rust/mod.rs.tera"),
        project.path("mine/rust/mod.tera"),
    )
    .unwrap();
    project
        .run(&["--template-dir", "mine"])
        .fails_with(&["mine/rust/mod.tera", "did you mean `rust/mod.rs.tera`?"]);
    project
        .run(&["--template-dir", "nowhere"])
        .fails_with(&["nowhere"]);
}

#[test]
fn a_template_without_the_marker_is_refused() {
    let project = with_own_template("");
    project.write("mine/rust/mod.rs.tera", "hello\n");
    project
        .run(&["--template-dir", "mine"])
        .fails_with(&["no-marker", "`mod.rs`"]);
    assert!(!project.path("generated").exists());
}
