//! `--check`: exit 0 or 1, a list and a diff, and nothing written.

use std::fs;

use crate::support::{Project, TWO_FIELDS};

#[test]
fn current_files_pass() {
    let project = Project::generated();
    let run = project.run(&["--check"]).expect(0);
    assert_eq!(run.stdout, "");
    assert_eq!(run.stderr, "current 6, stale 0, missing 0, orphaned 0\n");
    let run = project.run(&["--check", "-q"]).expect(0);
    assert_eq!(run.stderr, "");
}

#[test]
fn every_kind_of_drift_is_listed_with_a_diff() {
    let project = Project::generated();
    let edited = project
        .read("generated/mod.rs")
        .replace("pub mod baby_bear;", "mod baby_bear;");
    project.write("generated/mod.rs", &edited);
    fs::remove_file(project.path("generated/goldilocks.rs")).unwrap();
    let orphan = project.read("generated/baby_bear.rs");
    project.write("generated/old.rs", &orphan);
    let before = project.files();

    let run = project.run(&["--check"]).expect(1);
    let list = "stale: generated/mod.rs\n\
                missing: generated/goldilocks.rs\n\
                orphaned: generated/old.rs\n\
                \n\
                --- generated/mod.rs\n\
                +++ generated/mod.rs\n\
                @@ ";
    assert!(run.stdout.starts_with(list), "{}", run.stdout);
    assert!(
        run.stdout
            .contains("\n-mod baby_bear;\n+pub mod baby_bear;\n"),
        "{}",
        run.stdout
    );
    assert_eq!(
        run.stderr,
        "current 4, stale 1, missing 1, orphaned 1\nto update: fieldgen\n"
    );
    assert_eq!(project.files(), before);
}

#[test]
fn other_line_ends_are_explained_not_shown() {
    let project = Project::generated();
    let text = project.read("generated/mod.rs").replace('\n', "\r\n");
    project.write("generated/mod.rs", &text);
    let run = project.run(&["--check"]).expect(1);
    assert_eq!(
        run.stdout,
        "stale: generated/mod.rs\n\
         \n\
         1 of the stale files differ in nothing but line ends: they have CRLF\n\
         git leaves them as they are with this line in .gitattributes: generated/** text eol=lf\n"
    );
}

#[test]
fn nothing_generated_yet_is_drift() {
    let project = Project::new(TWO_FIELDS);
    let run = project.run(&["--check", "-q"]).expect(1);
    assert_eq!(
        run.stdout
            .lines()
            .filter(|line| line.starts_with("missing: "))
            .count(),
        6
    );
    assert!(!project.path("generated").exists());
}

#[test]
fn the_command_that_updates_is_named_in_full() {
    let project = Project::new(TWO_FIELDS);
    let run = project
        .run(&["--check", "-o", "it's here", "--field", "baby_bear"])
        .expect(1);
    let command = r"to update: fieldgen -o 'it'\''s here' --field baby_bear";
    assert!(run.stderr.contains(command), "{}", run.stderr);
}

#[test]
fn a_selection_says_nothing_of_the_rest() {
    let project = Project::generated();
    fs::remove_file(project.path("generated/goldilocks.rs")).unwrap();
    project.run(&["--check", "--field", "baby_bear"]).expect(0);
    project.run(&["--check", "--field", "goldilocks"]).expect(1);
}

#[test]
fn colours_only_where_asked_for() {
    let project = Project::generated();
    let edited = project.read("generated/mod.rs") + "// edited\n";
    project.write("generated/mod.rs", &edited);
    let run = project.run(&["--check"]).expect(1);
    assert!(!run.stdout.contains('\x1b'), "{}", run.stdout);
    let run = project.run(&["--check", "--color", "always"]).expect(1);
    assert!(
        run.stdout.contains("\x1b[31m-// edited\x1b[0m\n"),
        "{}",
        run.stdout
    );
}
