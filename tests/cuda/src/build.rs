//! Compiling, once per content.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a compiler ran, and what it said.
#[derive(Debug, Clone)]
pub struct Built {
    /// Holds the files it read and wrote.
    pub directory: PathBuf,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `command` on `files` in a directory of its own below `cache`, unless that has been done
/// before. The command sees the files by their names.
///
/// # Errors
///
/// What the command said when it failed.
///
/// # Panics
///
/// When files cannot be written.
pub fn build(cache: &Path, command: &[&str], files: &[(String, String)]) -> Result<Built, String> {
    let mut input = format!("{command:?}\n");
    for (name, text) in files {
        input.push_str(&format!("--- {name}\n{text}"));
    }
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let directory = cache.join(format!("{:016x}", hasher.finish()));
    let read = |name: &str| fs::read_to_string(directory.join(name));
    let write = |name: &str, text: &str| {
        fs::write(directory.join(name), text).expect("a file in the cache");
    };

    if read("input").is_ok_and(|old| old == input) {
        if let (Ok(stdout), Ok(stderr)) = (read("stdout"), read("stderr")) {
            return Ok(Built {
                directory,
                stdout,
                stderr,
            });
        }
    }

    fs::create_dir_all(&directory).expect("a directory in the cache");
    // Written anew last, so that it vouches for the rest.
    let _ = fs::remove_file(directory.join("stderr"));
    write("input", &input);
    for (name, text) in files {
        write(name, text);
    }
    let run = Command::new(command[0])
        .args(&command[1..])
        .current_dir(&directory)
        .output()
        .map_err(|error| format!("{}: {error}", command[0]))?;
    let stdout = String::from_utf8_lossy(&run.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    if !run.status.success() {
        return Err(format!("in {}: {command:?}\n{stderr}", directory.display()));
    }
    write("stdout", &stdout);
    write("stderr", &stderr);
    Ok(Built {
        directory,
        stdout,
        stderr,
    })
}
