//! `--field` and `--target`: fewer files, and nothing of the rest touched.

use crate::support::{Project, TWO_FIELDS};

/// The files that a run with these arguments writes into an empty directory.
fn written(args: &[&str]) -> Vec<String> {
    let project = Project::new(TWO_FIELDS);
    project.run(args).expect(0);
    project.files().into_keys().collect()
}

#[test]
fn fields_and_targets_narrow_the_choice() {
    assert_eq!(written(&["--field", "baby_bear"]), ["baby_bear.rs"]);
    assert_eq!(written(&["--target", "avx512"]), ["baby_bear.rs"]);
    assert_eq!(
        written(&["--target", "rust"]),
        ["baby_bear.rs", "goldilocks.rs"]
    );
    // A header comes with the header that it includes.
    let header = ["fieldgen_word.cuh", "goldilocks.cuh"];
    assert_eq!(written(&["--target", "cuda"]), header);
    assert_eq!(
        written(&["--field", "goldilocks", "--target", "cuda"]),
        header
    );
    let both = [
        "baby_bear.rs",
        "fieldgen_word.cuh",
        "goldilocks.cuh",
        "goldilocks.rs",
    ];
    assert_eq!(written(&["--field", "baby_bear", "goldilocks"]), both);
    assert_eq!(written(&["--field", "baby_bear,goldilocks"]), both);
    assert_eq!(
        written(&["--field", "baby_bear", "--field", "goldilocks"]),
        both
    );
}

#[test]
fn a_selection_is_the_same_text_as_in_the_whole() {
    let whole = Project::generated();
    let part = Project::new(TWO_FIELDS);
    part.run(&["--target", "avx512"]).expect(0);
    part.run(&["--field", "goldilocks"]).expect(0);
    for (name, text) in part.files() {
        assert!(whole.files()[&name] == text, "{name}");
    }
}

#[test]
fn shared_files_and_orphans_stay() {
    let project = Project::generated();
    let shared = project.read("generated/mod.rs");
    let (one_field, _) = TWO_FIELDS.rsplit_once("[[field]]").unwrap();
    project.write("fields.toml", one_field);
    let run = project.run(&["--field", "baby_bear"]).expect(0);
    assert_eq!(run.stderr, "wrote 0, unchanged 1, removed 0\n");
    assert_eq!(project.files().len(), 6);
    assert_eq!(project.read("generated/mod.rs"), shared);
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    let project = Project::new(TWO_FIELDS);
    project
        .run(&["--field", "babybear"])
        .fails_with(&["there is no field `babybear`", "did you mean `baby_bear`?"]);
    project
        .run(&["--field", "xyz"])
        .fails_with(&["the fields are: baby_bear, goldilocks"]);
    project
        .run(&["--target", "cud"])
        .fails_with(&["cud", "cuda", "avx512"]);
    assert!(!project.path("generated").exists());
}

#[test]
fn what_is_printed_is_narrowed_too() {
    let project = Project::new(TWO_FIELDS);
    for mode in [&["--list"][..], &["--explain"], &["--emit", "json"]] {
        let run = project.run(&[mode, &["--target", "cuda"]].concat());
        let text = run.expect(0).stdout;
        assert!(text.contains("goldilocks"), "{text}");
        assert!(!text.contains("baby_bear"), "{text}");
        assert!(!text.contains("rust"), "{text}");
        project
            .run(&[mode, &["--target", "cuda", "--field", "baby_bear"]].concat())
            .fails_with(&["no target cuda for baby_bear"]);
    }
}

#[test]
fn a_choice_of_nothing_is_an_error() {
    let project = Project::new(TWO_FIELDS);
    project
        .run(&["--field", "baby_bear", "--target", "cuda"])
        .fails_with(&["no target cuda for baby_bear", "--list"]);
}

#[test]
fn the_whole_configuration_is_verified_all_the_same() {
    let project = Project::new(&format!(
        "{TWO_FIELDS}[[field]]\nname = \"bad\"\nmodulus = \"15\"\n"
    ));
    project.run(&["--field", "baby_bear"]).fails_with(&["bad"]);
}
