//! Runs fieldgen on the sets of fields that the tests compile, and lists them for the adapter.

#[path = "../src/random.rs"]
mod random;

mod asked;
mod moduli;
mod primes;
mod registry;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use fieldgen::Builder;

use crate::asked::Asked;

fn main() -> Result<(), Box<dyn Error>> {
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no CARGO_MANIFEST_DIR")?)
        .join("../..");
    let default_config = root.join("fields.toml");
    let vectors = root.join("tests/vectors");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/random.rs");
    println!("cargo::rerun-if-changed={}", default_config.display());
    println!("cargo::rerun-if-changed={}", vectors.display());

    let defaults = asked::read(&default_config, &vectors)?;
    generate("default", &default_config, &defaults, &out_dir)?;
    for (set, fields, targets) in [
        ("lanes", moduli::lanes(), "[\"rust\", \"avx2\", \"avx512\"]"),
        ("exhaustive", moduli::exhaustive(), "[\"rust\"]"),
        ("words", moduli::words(), "[\"rust\"]"),
        ("limbs", moduli::limbs(), "[\"rust\"]"),
    ] {
        let config = out_dir.join(format!("{set}.toml"));
        fs::write(&config, asked::to_toml(&fields, targets))?;
        generate(set, &config, &fields, &out_dir)?;
    }
    core_only(&out_dir)
}

/// A field for programs without `std`, compiled by a test of its own.
fn core_only(out_dir: &Path) -> Result<(), Box<dyn Error>> {
    let config = out_dir.join("core_only.toml");
    let fields = "[[field]]\nname = \"baby_bear\"\nmodulus = \"0x78000001\"\nstd = false\n";
    fs::write(&config, fields)?;
    Builder::new(config).write_to(out_dir.join("core_only"))?;
    Ok(())
}

/// Generates the files into `OUT_DIR/<set>`, and writes the list of fields to `OUT_DIR/<set>.rs`.
fn generate(
    set: &str,
    config: &Path,
    fields: &[Asked],
    out_dir: &Path,
) -> Result<(), Box<dyn Error>> {
    let directory = out_dir.join(set);
    Builder::new(config).write_to(&directory)?;
    let list = registry::list(set, fields, &directory)?;
    fs::write(out_dir.join(format!("{set}.rs")), list)?;
    Ok(())
}
