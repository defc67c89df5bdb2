//! Compiles the generated fields a second time, as a crate `scalar` without vectorisation: what our
//! portable code costs where nothing makes use of wide registers. Cargo has no way to choose that
//! for a single package.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=scalar.rs");
    println!("cargo::rerun-if-changed=../generated");
    if env::var_os("CARGO_FEATURE_PEERS").is_none() {
        return;
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").expect("cargo sets it");
    let status = Command::new(env::var_os("RUSTC").expect("cargo sets it"))
        .args(["--crate-name=scalar", "--crate-type=rlib", "--edition=2024"])
        .args(["-C", "opt-level=3", "-C", "codegen-units=1"])
        .args(["-C", "no-vectorize-loops", "-C", "no-vectorize-slp"])
        .args(["--target", &env::var("TARGET").expect("cargo sets it")])
        .args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()))
        .args(["--out-dir", &out])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scalar.rs"))
        .status()
        .expect("rustc starts");
    assert!(status.success(), "rustc failed on scalar.rs");
    println!("cargo::rustc-link-search={out}");
}
