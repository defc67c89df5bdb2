//! The compilers. A missing one is an error where `CI` is set; elsewhere the tests that need it
//! are skipped, loudly and counted.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A C++ compiler for the host: `$CXX`, or `g++`.
#[must_use]
pub fn host_compiler() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let compiler = PathBuf::from(env::var_os("CXX").unwrap_or_else(|| "g++".into()));
        let runs = Command::new(&compiler).arg("--version").output();
        runs.is_ok_and(|output| output.status.success())
            .then_some(compiler)
    });
    or_skip(found.as_ref(), "no C++ compiler (set CXX)")
}

/// nvcc: `$NVCC`, or the pinned one, which is installed into the user's cache when it is not there
/// (see `install-nvcc`).
#[must_use]
pub fn nvcc() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| match env::var_os("NVCC") {
        Some(nvcc) => Some(PathBuf::from(nvcc)),
        None => install_nvcc(),
    });
    or_skip(
        found.as_ref(),
        "nvcc could not be installed (see above; set NVCC to use your own)",
    )
}

/// The library that compiles at run time, beside nvcc.
#[must_use]
pub fn nvrtc() -> Option<PathBuf> {
    let nvcc = nvcc()?;
    let root = nvcc.parent()?.parent()?;
    let found = ["lib/libnvrtc.so.13", "lib64/libnvrtc.so"]
        .iter()
        .map(|name| root.join(name))
        .find(|path| path.exists());
    or_skip(found.as_ref(), "there is no libnvrtc beside nvcc")
}

fn install_nvcc() -> Option<PathBuf> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install-nvcc");
    let output = Command::new(script).output().ok()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        say(&stderr);
        return None;
    }
    let path = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(path.trim()))
}

fn or_skip(tool: Option<&PathBuf>, reason: &str) -> Option<PathBuf> {
    static SKIPPED: AtomicUsize = AtomicUsize::new(0);
    if tool.is_none() {
        assert!(env::var_os("CI").is_none(), "{reason}");
        let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
        say(&format!(
            "SKIPPED CUDA TEST ({count} in this binary): {reason}"
        ));
    }
    tool.cloned()
}

/// Writes past the test harness, which keeps what successful tests print to itself.
fn say(message: &str) {
    // Nobody to tell when the standard error is closed.
    let _ = writeln!(std::io::stderr(), "{}", message.trim_end());
}
