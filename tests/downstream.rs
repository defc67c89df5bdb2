//! fieldgen in the build script of another package, built by cargo without a network: both
//! editions, `no_std`, no warning, and rebuilt when and only when something changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A copy of `tests/downstream` that nothing may write to.
struct Package {
    directory: TempDir,
}

impl Package {
    fn new(edition: &str) -> Package {
        let package = Package {
            directory: tempfile::tempdir().unwrap(),
        };
        let original = Path::new(ROOT).join("tests/downstream");
        fs::create_dir(package.path("src")).unwrap();
        for name in ["build.rs", "fields.toml", "src/lib.rs"] {
            fs::copy(original.join(name), package.path(name)).unwrap();
        }
        let manifest = fs::read_to_string(original.join("Cargo.toml"))
            .unwrap()
            .replace("edition = \"2024\"", &format!("edition = \"{edition}\""))
            .replace("path = \"../..\"", &format!("path = {ROOT:?}"));
        fs::write(package.path("Cargo.toml"), manifest).unwrap();
        // The versions that this repository is tested with; cargo drops what is not needed.
        fs::copy(
            Path::new(ROOT).join("Cargo.lock"),
            package.path("Cargo.lock"),
        )
        .unwrap();
        package.cargo(&["metadata", "--format-version=1"]);
        package.set_read_only(true);
        package
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn set_read_only(&self, read_only: bool) {
        for name in [
            "Cargo.toml",
            "Cargo.lock",
            "build.rs",
            "fields.toml",
            "src/lib.rs",
            "src",
            "",
        ] {
            let path = self.path(name);
            let mut permissions = fs::metadata(&path).unwrap().permissions();
            permissions.set_readonly(read_only);
            fs::set_permissions(&path, permissions).unwrap();
        }
    }

    /// Runs cargo, which must succeed, and returns what it said.
    fn cargo(&self, args: &[&str]) -> String {
        let (success, text) = self.try_cargo(args);
        assert!(success, "cargo {args:?}:\n{text}");
        text
    }

    fn try_cargo(&self, args: &[&str]) -> (bool, String) {
        let output = Command::new(env!("CARGO"))
            .current_dir(self.directory.path())
            // Shared by all copies: dependencies are built once.
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/downstream"),
            )
            .env("CARGO_NET_OFFLINE", "true")
            // The tests look for words in what cargo says.
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("RUSTFLAGS")
            .args(args)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        self.set_read_only(false);
    }
}

#[test]
fn builds_without_warnings_and_only_when_needed() {
    for edition in ["2021", "2024"] {
        let package = Package::new(edition);
        package.cargo(&["test", "--locked", "--lib"]);
        package.cargo(&["clippy", "--locked", "--all-targets"]);

        package.cargo(&["build", "--locked"]);
        let second = package.cargo(&["build", "--locked", "--verbose"]);
        assert!(second.contains("Fresh downstream"), "{second}");

        // As an editor does when it saves without a change.
        let config = fs::read(package.path("fields.toml")).unwrap();
        package.set_read_only(false);
        fs::write(package.path("fields.toml"), config).unwrap();
        package.set_read_only(true);
        let touched = package.cargo(&["build", "--locked", "--verbose"]);
        assert!(touched.contains("build-script-build"), "{touched}");
        let again = package.cargo(&["build", "--locked", "--verbose"]);
        assert!(again.contains("Fresh downstream"), "{again}");
    }
}

#[test]
fn a_wrong_configuration_is_shown_where_the_build_fails() {
    let package = Package::new("2024");
    package.set_read_only(false);
    let config = fs::read_to_string(package.path("fields.toml")).unwrap();
    let wrong = config.replace("2^61 - 1", "2^61 - 3");
    fs::write(package.path("fields.toml"), wrong).unwrap();
    let (success, text) = package.try_cargo(&["build", "--locked"]);
    assert!(!success, "{text}");
    let line = config
        .lines()
        .position(|line| line.contains("2^61 - 1"))
        .unwrap()
        + 1;
    assert!(text.contains(&format!("fields.toml:{line}:")), "{text}");
    assert!(text.contains("barrett"), "{text}");
    fs::write(package.path("fields.toml"), config).unwrap();
    package.cargo(&["build", "--locked"]);
}

/// Those who generate in a build script compile this library and what it needs.
#[test]
fn the_library_stays_small() {
    let args = [
        "tree",
        "--offline",
        "--edges=normal",
        "--no-default-features",
        "--prefix=none",
    ];
    let output = Command::new(env!("CARGO"))
        .current_dir(ROOT)
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut packages: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(" (").next())
        .filter(|l| !l.is_empty())
        .collect();
    packages.sort_unstable();
    packages.dedup();
    assert!(
        packages.len() <= 30,
        "{} packages: {packages:#?}",
        packages.len()
    );
    assert!(
        !packages.iter().any(|package| package.starts_with("clap")),
        "{packages:#?}"
    );
}
