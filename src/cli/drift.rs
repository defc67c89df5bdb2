//! What `--check` prints.

use std::path::Path;
use std::time::Duration;

use fieldgen::{Drift, Stale};
use similar::TextDiff;

/// Lists the files that are not current in `directory`, then shows how the stale ones differ.
pub fn report(drift: &Drift, directory: &Path, color: bool) -> String {
    let mut text = String::new();
    let stale = drift.stale.iter().map(|stale| &stale.path);
    for (what, path) in stale
        .map(|path| ("stale", path))
        .chain(drift.missing.iter().map(|path| ("missing", path)))
        .chain(drift.orphaned.iter().map(|path| ("orphaned", path)))
    {
        text += &format!("{what}: {}\n", directory.join(path).display());
    }
    for stale in &drift.stale {
        text.push('\n');
        text += &diff(stale, directory, color);
    }
    text
}

/// How the file would change, in unified format.
fn diff(stale: &Stale, directory: &Path, color: bool) -> String {
    let path = directory.join(&stale.path).display().to_string();
    let diff = TextDiff::configure()
        // After that much time a coarser difference is good enough.
        .timeout(Duration::from_secs(1))
        .diff_lines(stale.found.as_str(), stale.expected.as_str());
    let plain = diff.unified_diff().header(&path, &path).to_string();
    if color { colored(&plain) } else { plain }
}

fn colored(diff: &str) -> String {
    let paint = |line: &str| {
        let code = match line.as_bytes().first() {
            _ if line.starts_with("---") || line.starts_with("+++") => "1",
            Some(b'@') => "36",
            Some(b'-') => "31",
            Some(b'+') => "32",
            _ => return format!("{line}\n"),
        };
        format!("\x1b[{code}m{line}\x1b[0m\n")
    };
    diff.lines().map(paint).collect()
}
