//! What goes to stdout instead of files.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Project, Run, TWO_FIELDS, default_config};

/// One field of each shape, and what decides between texts within a shape.
const SHAPES: &str = r#"
[[field]]
name = "mersenne31"
modulus = "2^31 - 1"

[[field]]
name = "goldilocks"
modulus = "2^64 - 2^32 + 1"

[[field]]
name = "baby_bear"
modulus = "2^31 - 2^27 + 1"

[[field]]
name = "no_spare_bit_32"
modulus = "2^32 - 5"

[[field]]
name = "no_spare_bit_64"
modulus = "2^64 - 59"

[[field]]
name = "barrett_one_word"
modulus = "2^31 - 2^27 + 1"
reduction = "barrett"

[[field]]
name = "two_limbs"
modulus = "2^128 - 159"

[[field]]
name = "two_limbs_barrett"
modulus = "2^127 - 1"
reduction = "barrett"

[[field]]
name = "three_words_special"
modulus = "2^130 - 5"
reduction = "special"

[[field]]
name = "bn254_fq"
modulus = "0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"

[[field]]
name = "bls12_377_fq_barrett"
modulus = "0x1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001"
reduction = "barrett"
"#;

#[test]
fn stdout_is_the_file() {
    let project = Project::generated();
    for (args, file) in [
        (
            &["--stdout", "--field", "baby_bear"][..],
            "generated/baby_bear.rs",
        ),
        (
            &["--stdout", "--target", "cuda"],
            "generated/goldilocks.cuh",
        ),
        (
            &["--stdout", "--field", "goldilocks", "--target", "rust"],
            "generated/goldilocks.rs",
        ),
    ] {
        let run = project.run(args).expect(0);
        assert!(run.stdout == project.read(file), "{args:?}");
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn stdout_writes_nothing() {
    let project = Project::new(TWO_FIELDS);
    project.run(&["--stdout", "--field", "baby_bear"]).expect(0);
    assert!(!project.path("generated").exists());
}

#[test]
fn stdout_wants_exactly_one_file() {
    let project = Project::new(TWO_FIELDS);
    project.run(&["--stdout"]).fails_with(&[
        "3 match: baby_bear.rs, goldilocks.rs, goldilocks.cuh",
        "--field",
        "--target",
    ]);
    project
        .run(&["--stdout", "--field", "baby_bear", "--target", "cuda"])
        .fails_with(&["no target cuda"]);
}

#[test]
fn emitted_constants_are_the_file() {
    let project = Project::generated();
    let run = project.run(&["--emit", "json"]).expect(0);
    assert_eq!(run.stdout, project.read("generated/constants.json"));
    assert_eq!(run.stderr, "");
    project.run(&["--emit", "xml"]).fails_with(&["xml", "json"]);
}

#[test]
fn constants_of_one_field() {
    let project = Project::new(TWO_FIELDS);
    let run = project
        .run(&["--emit", "json", "--field", "baby_bear"])
        .expect(0);
    insta::assert_snapshot!(run.stdout);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let fields = value["fields"].as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["baby_bear"]);
}

#[test]
fn list() {
    let run = Project::new("").run(&["--list", "-c", default_config().to_str().unwrap()]);
    let run = run.expect(0);
    assert_eq!(run.stderr, "");
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn explain_per_shape() {
    let project = Project::new(SHAPES);
    let all = project.run(&["--explain"]).expect(0).stdout;
    let names: Vec<&str> = SHAPES
        .lines()
        .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .collect();
    let mut texts = Vec::new();
    for name in names {
        let text = project.run(&["--explain", name]).expect(0).stdout;
        insta::assert_snapshot!(format!("explain_{name}"), text);
        texts.push(text);
    }
    assert_eq!(all, texts.join("\n"));
    project
        .run(&["--explain", "mersene31"])
        .fails_with(&["did you mean `mersenne31`?"]);
}

/// Rendered files, one of each shape; the committed `generated/` covers the rest.
#[test]
fn rendered_per_shape() {
    let project = Project::new(SHAPES);
    for (field, target, file) in [
        ("mersenne31", "rust", "mersenne31.rs"),
        ("goldilocks", "rust", "goldilocks.rs"),
        ("baby_bear", "rust", "baby_bear.rs"),
        ("no_spare_bit_64", "rust", "no_spare_bit_64.rs"),
        ("barrett_one_word", "rust", "barrett_one_word.rs"),
        ("two_limbs", "rust", "two_limbs.rs"),
        ("two_limbs", "cuda", "two_limbs.cuh"),
        ("two_limbs_barrett", "rust", "two_limbs_barrett.rs"),
        ("two_limbs_barrett", "cuda", "two_limbs_barrett.cuh"),
        ("three_words_special", "rust", "three_words_special.rs"),
        ("three_words_special", "cuda", "three_words_special.cuh"),
    ] {
        let run = project
            .run(&["--stdout", "--field", field, "--target", target])
            .expect(0);
        insta::assert_snapshot!(file, run.stdout);
    }
}

#[test]
fn the_schema_needs_no_configuration() {
    let project = Project::new("not TOML");
    let run = project.run(&["--schema"]).expect(0);
    let schema: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(schema["$schema"].is_string(), "{schema:#}");
    assert_eq!(run.stderr, "");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let project = Project::new(TWO_FIELDS);
    let mut child = project
        .command(&["--stdout", "--field", "goldilocks", "--target", "rust"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One byte, then the pipe closes; the text is longer than its buffer or not yet written.
    child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_an_error() {
    let project = Project::new(TWO_FIELDS);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = project.command(&["--list"]).stdout(full).output().unwrap();
    Run::from(output).fails_with(&["cannot write to stdout"]);
}
