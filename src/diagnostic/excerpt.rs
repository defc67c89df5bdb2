//! The lines of a source around the places of a diagnostic.

use std::ops::Range;

use super::text::{printable, shortened};
use super::{Diagnostic, Source};

/// Places at most this many lines apart are shown in one excerpt.
const NEARBY: usize = 4;

/// A source with its lines found once, so that rendering many diagnostics stays linear.
pub struct View<'a> {
    source: &'a Source,
    /// Byte range of each line, without line ending and byte order mark.
    lines: Vec<Range<usize>>,
}

/// Some consecutive lines, as they are shown: long stretches shortened.
pub struct Excerpt {
    /// Path, line and column of the first mark.
    pub origin: String,
    /// Line and column of the first mark in what is shown.
    pub shown_position: (usize, usize),
    pub first_line: usize,
    pub text: String,
    pub marks: Vec<Mark>,
}

pub struct Mark {
    /// Byte range in the excerpt's text.
    pub range: Range<usize>,
    pub label: String,
    pub primary: bool,
}

/// A place on one line.
struct Place {
    /// Counted from 0.
    line: usize,
    /// Byte range in the line.
    columns: Range<usize>,
    label: String,
    primary: bool,
}

impl<'a> View<'a> {
    pub fn new(source: &'a Source) -> Self {
        let text = source.text.as_str();
        let mut lines = Vec::new();
        let mut start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        for line in text[start..].split_inclusive('\n') {
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = content.strip_suffix('\r').unwrap_or(content);
            lines.push(start..start + content.len());
            start += line.len();
        }
        if lines.is_empty() {
            lines.push(start..start);
        }
        View { source, lines }
    }

    /// All places of a diagnostic, its primary one in the first excerpt.
    pub fn excerpts(&self, diagnostic: &Diagnostic) -> Vec<Excerpt> {
        let Some((span, label)) = diagnostic.label.as_deref() else {
            return Vec::new();
        };
        let mut groups = vec![vec![self.place(span, label, true)]];
        for (span, label) in &diagnostic.related {
            let place = self.place(span, label, false);
            let near = |group: &&mut Vec<Place>| group[0].line.abs_diff(place.line) <= NEARBY;
            match groups.iter_mut().find(near) {
                Some(group) => group.push(place),
                None => groups.push(vec![place]),
            }
        }
        groups.iter().map(|group| self.excerpt(group)).collect()
    }

    /// Where `span` is. What reaches over several lines is shown by its first line.
    fn place(&self, span: &Range<usize>, label: &str, primary: bool) -> Place {
        let line = self
            .lines
            .partition_point(|line| line.start <= span.start)
            .saturating_sub(1);
        let whole = &self.lines[line];
        let text = &self.source.text[whole.clone()];
        let column = |offset: usize| {
            let mut column = offset.clamp(whole.start, whole.end) - whole.start;
            while !text.is_char_boundary(column) {
                column -= 1;
            }
            column
        };
        let start = column(span.start);
        Place {
            line,
            columns: start..column(span.end).max(start),
            label: printable(label),
            primary,
        }
    }

    fn line(&self, line: usize) -> &str {
        &self.source.text[self.lines[line].clone()]
    }

    /// The lines of some places, the first of which names the origin.
    fn excerpt(&self, places: &[Place]) -> Excerpt {
        let first = places.iter().map(|place| place.line).min().unwrap_or(0);
        let last = places.iter().map(|place| place.line).max().unwrap_or(0);
        let mut text = String::new();
        let mut marks: Vec<Option<Mark>> = places.iter().map(|_| None).collect();
        let mut shown_position = (0, 0);
        for line in first..=last {
            let start = text.len();
            let shown_at = self.show_line(line, places, &mut text);
            // A mark needs a character to stand under, and an empty one at the start of a line
            // would be taken for the end of the line before.
            text.push_str(" \n");
            for (i, place) in places.iter().enumerate() {
                if place.line != line {
                    continue;
                }
                let [from, mut to] = [place.columns.start, place.columns.end].map(&shown_at);
                if i == 0 {
                    shown_position = (line + 1, text[start..from].chars().count() + 1);
                }
                if from == to {
                    to += text[from..].chars().next().map_or(0, char::len_utf8);
                }
                marks[i] = Some(Mark {
                    range: from..to,
                    label: place.label.clone(),
                    primary: place.primary,
                });
            }
        }
        let Place { line, columns, .. } = &places[0];
        let column = self.line(*line)[..columns.start].chars().count() + 1;
        Excerpt {
            origin: format!("{}:{}:{column}", printable(&self.source.path), line + 1),
            shown_position,
            first_line: first + 1,
            text,
            marks: marks.into_iter().flatten().collect(),
        }
    }

    /// Appends one line, and tells where the ends of places on it are shown.
    fn show_line(
        &self,
        line: usize,
        places: &[Place],
        text: &mut String,
    ) -> impl Fn(usize) -> usize + use<> {
        let source = self.line(line);
        let here = || places.iter().filter(|place| place.line == line);
        let mut cuts: Vec<usize> = here()
            .flat_map(|place| [place.columns.start, place.columns.end])
            .chain([0, source.len()])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();

        let mut shown_at = vec![(0, text.len())];
        for pair in cuts.windows(2) {
            let marked =
                |place: &Place| place.columns.start <= pair[0] && pair[1] <= place.columns.end;
            let (first, last) = if here().any(marked) {
                (40, 21)
            } else {
                (21, 13)
            };
            let stretch = shortened(&source[pair[0]..pair[1]], first, last);
            text.push_str(&printable(&stretch));
            shown_at.push((pair[1], text.len()));
        }
        move |column| {
            let at = shown_at.partition_point(|(original, _)| *original < column);
            shown_at[at].1
        }
    }
}
