//! The list of generated fields, as the macro `fields!` takes it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use crate::asked::Asked;

/// A call of the macro with the fields of a set, whose files are in `directory`.
pub fn list(set: &str, fields: &[Asked], directory: &Path) -> io::Result<String> {
    let mut list = format!("generated_tests::fields! {{\n    {set}:\n");
    for field in fields {
        let text = fs::read_to_string(directory.join(format!("{}.rs", field.name)))?;
        let yes_if = |condition: bool| if condition { "yes" } else { "no" };
        let form = if field.is_canonical() {
            "Canonical"
        } else {
            "Montgomery"
        };
        let word = match field.bits() {
            0..=32 => "u32".to_owned(),
            33..=64 => "u64".to_owned(),
            bits => format!("[u64; {}]", bits.div_ceil(64)),
        };
        writeln!(
            list,
            "    {}(\"{:x}\", {form}, word: {word}, generator: {}, vectors: {});",
            field.name,
            field.modulus,
            yes_if(text.contains("pub const GENERATOR:")),
            yes_if(text.contains("pub mod avx512")),
        )
        .expect("writing to a string");
    }
    list.push_str("}\n");
    Ok(list)
}
