//! The work grows linearly with the number of fields, up to a thousand: counted, so that the
//! machine and its load do not matter.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use fieldgen::Builder;

/// Counts the bytes that are asked for. Work that does not grow linearly shows here, as all text
/// and all large numbers are allocated.
struct Counting;

static ALLOCATED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System`, which `alloc` calls.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A configuration with so many fields, the moduli of the default one in turn.
fn config(fields: usize) -> String {
    let default = include_str!("../fields.toml");
    let moduli: Vec<&str> = default
        .lines()
        .filter(|line| line.starts_with("modulus = "))
        .collect();
    let field = |n: usize| {
        format!(
            "[[field]]\nname = \"f{n:04}\"\n{}\n",
            moduli[n % moduli.len()]
        )
    };
    (0..fields).map(field).collect()
}

/// Bytes allocated, and bytes of text, in a run with so many fields.
fn work(fields: usize) -> (f64, f64) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fields.toml");
    fs::write(&path, config(fields)).unwrap();
    let before = ALLOCATED.load(Ordering::Relaxed);
    let generated = Builder::new(&path).generate().unwrap();
    let allocated = ALLOCATED.load(Ordering::Relaxed) - before;
    let text: usize = generated.files().values().map(String::len).sum();
    (allocated as f64, text as f64)
}

#[test]
fn a_thousand_fields_are_ten_times_a_hundred() {
    // Once for what is done once.
    let (fixed, _) = work(1);
    let (hundred, text_of_hundred) = work(100);
    let (thousand, text_of_thousand) = work(1000);
    let ratio = (thousand - fixed) / (hundred - fixed);
    assert!(
        (9.0..11.0).contains(&ratio),
        "{ratio} times the allocations"
    );
    let ratio = text_of_thousand / text_of_hundred;
    assert!((9.0..11.0).contains(&ratio), "{ratio} times the text");
}
