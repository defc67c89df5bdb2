//! Fields generated together, and tested side by side.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::field::Field;

const WORD_HEADER: &str = "fieldgen_word.cuh";

/// Generates the headers of all fields from one configuration, and hands each field's out with the
/// one that they share.
///
/// # Panics
///
/// When the generator refuses.
pub fn generate(directory: &Path, fields: &[Field]) -> Vec<Vec<(String, String)>> {
    let tables: Vec<String> = fields.iter().map(Field::toml).collect();
    fs::create_dir_all(directory).expect("a directory for the configuration");
    let config = directory.join("fields.toml");
    fs::write(&config, tables.join("\n")).expect("the configuration");
    let generated = match fieldgen::Builder::new(&config).generate() {
        Ok(generated) => generated,
        Err(error) => panic!("{error}"),
    };
    let files: &BTreeMap<String, String> = generated.files();
    fields
        .iter()
        .map(|field| {
            [format!("{}.cuh", field.name), WORD_HEADER.to_owned()]
                .map(|name| {
                    let text = files.get(&name).unwrap_or_else(|| panic!("no {name}"));
                    (name, text.clone())
                })
                .to_vec()
        })
        .collect()
}

/// Runs `test` for every item on all cores; panics with all failures together.
///
/// # Panics
///
/// When a test fails.
pub fn for_each<T: Sync>(items: &[T], test: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = test(item) {
                        failures.lock().expect("no panic holds it").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic holds it");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
