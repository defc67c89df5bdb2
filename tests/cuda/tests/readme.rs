//! The README's example for devices compiles.

use std::fs;
use std::path::Path;

use cuda_tests::build::build;
use cuda_tests::{moduli, suite, tools};

#[test]
fn the_example_compiles() {
    let Some(nvcc) = tools::nvcc() else {
        return;
    };
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).expect("README.md");
    let (_, rest) = readme.split_once("\n```cuda\n").expect("an example");
    let (example, _) = rest.split_once("\n```\n").expect("its end");

    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let mut fields: Vec<_> = moduli::with_vectors()
        .into_iter()
        .map(|(field, _)| field)
        .collect();
    fields.retain(|field| field.name == "bn254_fr");
    let mut files = suite::generate(&cache, &fields).remove(0);
    files.push(("example.cu".to_owned(), format!("{example}\n")));
    let nvcc = nvcc.to_string_lossy();
    let command = [
        &*nvcc,
        "-std=c++14",
        "-Werror",
        "all-warnings",
        "-arch=sm_86",
        "-cubin",
        "example.cu",
        "-o",
        "example.cubin",
    ];
    if let Err(error) = build(&cache, &command, &files) {
        panic!("{error}");
    }
}
