//! The same bytes whatever the process, the place, the order of keys, and the environment.

use std::fs;

use crate::support::{Project, Run, TWO_FIELDS, files_in};

#[test]
fn twenty_processes_write_the_same_bytes() {
    let project = Project::generated();
    let first = project.files();
    for round in 1..20 {
        let out = format!("generated{round}");
        project.run(&["-o", &out]).expect(0);
        assert!(files_in(&project.path(&out)) == first, "round {round}");
    }
}

#[test]
fn the_place_does_not_matter() {
    let project = Project::generated();
    let elsewhere = tempfile::tempdir().unwrap();
    let config = project.path("fields.toml");
    let run = Run::of(
        project
            .command(&["-o", "deeply/nested"])
            .arg("-c")
            .arg(&config)
            .current_dir(elsewhere.path()),
    );
    run.expect(0);
    assert!(files_in(&elsewhere.path().join("deeply/nested")) == project.files());
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let one = Project::new(
        "[defaults]\nstd = true\n\n\
         [[field]]\nname = \"f\"\nmodulus = \"2^31 - 2^27 + 1\"\ngenerator = 31\n\
         targets = [\"rust\", \"avx512\"]\nreduction = \"auto\"\n",
    );
    let other = Project::new(
        "[[field]]\ntargets = [\"avx512\", \"rust\"]\ngenerator = 31\nreduction = \"auto\"\n\
         modulus = \"2^31 - 2^27 + 1\"\nname = \"f\"\n\n\
         [defaults]\nstd = true\n",
    );
    one.run(&[]).expect(0);
    other.run(&[]).expect(0);
    assert!(one.files() == other.files());
}

#[test]
fn an_empty_environment_is_enough() {
    let project = Project::generated();
    let run = Run::of(project.command(&["-o", "bare"]).env_clear());
    run.expect(0);
    assert!(files_in(&project.path("bare")) == project.files());
    let run = Run::of(project.command(&["-o", "odd"]).envs([
        ("PATH", ""),
        ("LANG", "tr_TR.UTF-8"),
        ("TZ", "Asia/Tokyo"),
        ("HOME", "/"),
    ]));
    run.expect(0);
    assert!(files_in(&project.path("odd")) == project.files());
}

#[test]
fn no_file_tells_where_or_by_which_version_it_was_made() {
    let project = Project::generated();
    let place = project.path("");
    let place = place.file_name().unwrap().to_str().unwrap();
    for (name, text) in project.files() {
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains(place), "{name} names the directory");
        assert!(
            !text.contains(env!("CARGO_MANIFEST_DIR")),
            "{name} names the repository"
        );
        let version = concat!("fieldgen ", env!("CARGO_PKG_VERSION"));
        assert!(!text.contains(version), "{name} names the version");
    }
}

#[test]
fn line_ends_of_the_configuration_do_not_matter() {
    let project = Project::generated();
    let unix = project.files();
    fs::write(
        project.path("fields.toml"),
        format!("\u{feff}{}", TWO_FIELDS.replace('\n', "\r\n")),
    )
    .unwrap();
    let run = project.run(&[]).expect(0);
    assert_eq!(run.stderr, "wrote 0, unchanged 6, removed 0\n");
    assert!(project.files() == unix);
}
