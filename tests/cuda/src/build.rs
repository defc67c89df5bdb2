//! Compiling, once per content.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a compiler made, and what it said.
#[derive(Debug, Clone)]
pub struct Built {
    pub output: PathBuf,
    pub messages: String,
}

/// Runs `command` on `files` in a directory of its own below `cache`, unless that has been done
/// before. The command writes the file `output`; it sees the files by their names.
///
/// # Errors
///
/// What the compiler said when it failed.
///
/// # Panics
///
/// When files cannot be written.
pub fn build(
    cache: &Path,
    command: &[&str],
    files: &[(String, String)],
    output: &str,
) -> Result<Built, String> {
    let mut input = format!("{command:?}\n");
    for (name, text) in files {
        input.push_str(&format!("--- {name}\n{text}"));
    }
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let directory = cache.join(format!("{:016x}", hasher.finish()));
    let built = Built {
        output: directory.join(output),
        messages: String::new(),
    };

    // Written last, so that it vouches for the rest.
    let done = directory.join("done");
    if fs::read_to_string(directory.join("input")).is_ok_and(|old| old == input) {
        if let Ok(messages) = fs::read_to_string(&done) {
            return Ok(Built { messages, ..built });
        }
    }

    fs::create_dir_all(&directory).expect("a directory in the cache");
    let _ = fs::remove_file(&done);
    for (name, text) in files {
        fs::write(directory.join(name), text).expect("a file in the cache");
    }
    fs::write(directory.join("input"), &input).expect("a file in the cache");
    let run = Command::new(command[0])
        .args(&command[1..])
        .current_dir(&directory)
        .output()
        .map_err(|error| format!("{}: {error}", command[0]))?;
    let messages = String::from_utf8_lossy(&run.stderr).into_owned();
    if !run.status.success() {
        return Err(format!(
            "in {}: {command:?}\n{messages}",
            directory.display()
        ));
    }
    fs::write(&done, &messages).expect("a file in the cache");
    Ok(Built { messages, ..built })
}
