//! The generated text is exactly what rustfmt makes of it, with nothing configured.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs, io};

use generated_tests::generated;

/// Runs rustfmt over a set: `mod.rs` and all files that it names.
fn rustfmt(set: &str, edition: &str, config: &Path) -> io::Result<Output> {
    Command::new("rustfmt")
        .args(["--check", "--edition", edition, "--config-path"])
        .arg(config)
        .arg(Path::new(set).join("mod.rs"))
        .output()
}

#[test]
fn rustfmt_changes_nothing() {
    if let Err(error) = Command::new("rustfmt").arg("--version").output() {
        assert!(env::var_os("CI").is_none(), "CI needs rustfmt: {error}");
        println!("SKIPPED: the format of generated files is not checked, no rustfmt: {error}");
        return;
    }
    // Without it rustfmt would find the configuration of the repository around the build directory.
    let config = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustfmt.toml");
    fs::write(&config, "").expect("a writable directory");
    let mut files = 0;
    for set in generated::DIRECTORIES {
        for edition in ["2021", "2024"] {
            let output = rustfmt(set, edition, &config).expect("rustfmt runs");
            let difference = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "rustfmt changes {set} in edition {edition}:\n{errors}{}",
                difference.lines().take(60).collect::<Vec<_>>().join("\n")
            );
        }
        files += fs::read_dir(set)
            .expect("a directory of generated files")
            .count();
    }
    println!("rustfmt: {files} files, in two editions");
}
