//! Compiles `bench-native`, which holds our code and that of peers, and runs it.
//!
//! Plonky3 chooses its instruction set when it is compiled. Hence this program is compiled with
//! flags of its own, in a directory of its own.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::row::Row;

/// The processor that counted code is compiled for. For it LLVM chooses the shuffles that suit
/// Sapphire Rapids and Zen 4, too; for Skylake it would choose others, which cost them two cycles in
/// a multiplication.
const COUNTED_CPU: &str = "icelake-server";

/// Runs the program, compiled for this processor, and returns the rows that it reports.
///
/// # Errors
///
/// If it cannot be compiled or fails.
pub fn measure(arguments: &[&str]) -> Result<Vec<Row>> {
    let directory = target_directory("native");
    let status = cargo("build", &directory, "-C target-cpu=native").status()?;
    if !status.success() {
        return Err("cargo could not compile bench-native for this processor".into());
    }
    let mut child = Command::new(directory.join("release/bench-native"))
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut rows: Vec<Row> = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let row: Row = serde_json::from_str(&line?)?;
        let before = rows.last().map(|row| (row.field.clone(), row.conditions.n));
        if before != Some((row.field.clone(), row.conditions.n)) {
            let n = row.conditions.n.map(|n| format!(", {n} elements"));
            eprintln!("measuring {}{}", row.field, n.unwrap_or_default());
        }
        rows.push(row);
    }
    if !child.wait()?.success() {
        return Err("bench-native failed".into());
    }
    Ok(rows)
}

/// The program's assembly, compiled for AVX-512. Loops are not unrolled, so that they can be
/// counted.
///
/// # Errors
///
/// If it cannot be compiled.
pub fn assembly() -> Result<String> {
    let directory = target_directory("avx512");
    let file = directory.join("bench-native.s");
    let flags = format!(
        "-C target-cpu={COUNTED_CPU} -C llvm-args=-unroll-runtime=0 \
         -C llvm-args=-unroll-max-count=1"
    );
    let mut emit = OsString::from("--emit=asm=");
    emit.push(&file);
    let status = cargo("rustc", &directory, &flags)
        // Otherwise build scripts are compiled with these flags, too, and this processor may not be
        // able to run them.
        .args(["--target", "x86_64-unknown-linux-gnu", "--"])
        .arg(emit)
        .status()?;
    if !status.success() {
        return Err("cargo could not compile bench-native for AVX-512".into());
    }
    Ok(fs::read_to_string(file)?)
}

/// A directory of ours below cargo's.
pub(crate) fn target_directory(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    target.join("bench").join(name)
}

fn cargo(command: &str, target_directory: &Path, flags: &str) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .arg(command)
        .args([
            "--quiet",
            "--release",
            "--package=bench",
            "--bin=bench-native",
        ])
        .args(["--features=peers", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_directory)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", flags)
        // Whether something is inlined does not depend on where it happens to be.
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    cargo
}
