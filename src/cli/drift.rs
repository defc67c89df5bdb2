//! What `--check` prints.

use std::path::Path;
use std::time::Duration;

use fieldgen::{Drift, Stale};
use similar::TextDiff;

/// Lists the files that are not current in `directory`, then shows how the stale ones differ; of
/// those with other line ends only, where they come from.
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
    let (line_ends, changed): (Vec<&Stale>, Vec<&Stale>) = drift
        .stale
        .iter()
        .partition(|stale| differs_in_line_ends(stale));
    for stale in changed {
        text.push('\n');
        text += &diff(stale, directory, color);
    }
    if !line_ends.is_empty() {
        text += &format!(
            "\n{} of the stale files differ in nothing but line ends: they have CRLF\n\
             git leaves them as they are with this line in .gitattributes: {}/** text eol=lf\n",
            line_ends.len(),
            directory.display()
        );
    }
    text
}

/// Whether the file would be current but for CRLF, as git makes it on Windows.
fn differs_in_line_ends(stale: &Stale) -> bool {
    stale.found.contains("\r\n") && stale.found.replace("\r\n", "\n") == stale.expected
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
