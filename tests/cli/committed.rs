//! The committed `generated/` is what is generated, to the byte.

use std::path::Path;

use crate::support::{Project, default_config, files_in};

#[test]
fn generated_files_are_current() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    let project = Project::new("");
    let config = default_config();
    project
        .run(&["-q", "-c", config.to_str().unwrap()])
        .expect(0);
    let wanted = project.files();
    let found = files_in(&committed);
    let mut wrong: Vec<&String> = wanted
        .keys()
        .chain(found.keys())
        .filter(|name| wanted.get(*name) != found.get(*name))
        .collect();
    wrong.sort();
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "not as generated: {wrong:?}\n\
         to see how they differ: cargo run --release -- --check\n\
         to update them: cargo run --release"
    );
}
