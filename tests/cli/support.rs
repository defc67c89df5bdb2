//! A directory to run the command in, and what came out of a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Two fields of different shapes and targets: three files of fields and three shared ones.
pub const TWO_FIELDS: &str = r#"
[[field]]
name = "baby_bear"
modulus = "2^31 - 2^27 + 1"

[[field]]
name = "goldilocks"
modulus = "2^64 - 2^32 + 1"
"#;

/// The files that [`TWO_FIELDS`] makes, sorted.
pub const FILES_OF_TWO_FIELDS: [&str; 6] = [
    "baby_bear.rs",
    "constants.json",
    "fieldgen_word.cuh",
    "goldilocks.cuh",
    "goldilocks.rs",
    "mod.rs",
];

/// The configuration of this repository.
pub fn default_config() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fields.toml")
}

/// A directory with a `fields.toml`, removed with the value.
pub struct Project {
    directory: TempDir,
}

impl Project {
    pub fn new(config: &str) -> Project {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("fields.toml"), config).unwrap();
        Project { directory }
    }

    /// With the files of [`TWO_FIELDS`] in `generated`.
    pub fn generated() -> Project {
        let project = Project::new(TWO_FIELDS);
        project.run(&["-q"]).expect(0);
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Name and content of each file in `generated`; empty where that does not exist.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files_in(&self.path("generated"))
    }

    /// The command, to be run in this directory.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fieldgen"));
        command.current_dir(self.directory.path()).args(args);
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(&mut self.command(args))
    }
}

/// Name and content of each file in a directory; empty where there is none.
pub fn files_in(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(directory) else {
        return BTreeMap::new();
    };
    entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn of(command: &mut Command) -> Run {
        Run::from(command.output().unwrap())
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Asserts that the run failed with exit code 2 and said all of these on stderr, nothing on
    /// stdout.
    #[track_caller]
    pub fn fails_with(self, words: &[&str]) {
        assert_eq!(self.code, 2, "{self:#?}");
        assert_eq!(self.stdout, "");
        for word in words {
            assert!(
                self.stderr.contains(word),
                "{word:?} not in {}",
                self.stderr
            );
        }
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
