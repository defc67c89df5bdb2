//! Generates the fields.

fn main() -> Result<(), fieldgen::Error> {
    fieldgen::Builder::new("fields.toml").write_to_out_dir()
}
