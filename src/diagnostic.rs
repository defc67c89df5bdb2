//! What is said to the user when something is wrong: code, place, reason, way out.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Level, Message, Renderer, Snippet};

/// A text that diagnostics point into, with the name it is shown under.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path as the user gave it.
    pub path: String,
    /// The whole text, exactly as read.
    pub text: String,
}

/// A value together with the byte range it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Byte range in the source's text.
    pub span: Range<usize>,
}

impl<T> Spanned<T> {
    pub fn new(value: T, span: Range<usize>) -> Self {
        Spanned { value, span }
    }
}

/// One thing that is wrong, in terms of the user's own text.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Stable, searchable name, such as `composite-modulus`.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, and what to say there. `None` for problems without a place (a missing file).
    pub label: Option<(Range<usize>, String)>,
    /// Other places that matter (the first of two equal names).
    pub related: Vec<(Range<usize>, String)>,
    /// The computed reason, a fact per line.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            label: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Says where the problem is, and what to say there (may be empty).
    pub fn at(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.label = Some((span, label.into()));
        self
    }

    /// Adds another place that matters.
    pub fn related(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Adds a fact that explains the problem.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<Diagnostic> for Vec<Diagnostic> {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic]
    }
}

/// Everything that was wrong in one run, shown together.
///
/// `Debug` prints what `Display` prints, so that `fn main() -> Result<(), fieldgen::Error>` in a
/// build script shows the snippet.
#[derive(Clone)]
pub struct Error {
    pub(crate) source: Option<Arc<Source>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Error {
    /// Problems in `source`, shown in the order of their places.
    pub(crate) fn new(source: Arc<Source>, diagnostics: impl Into<Vec<Diagnostic>>) -> Self {
        let mut error = Error {
            source: Some(source),
            diagnostics: diagnostics.into(),
        };
        error.sort();
        error
    }

    /// Problems that no place in the configuration explains: a missing file, a broken template.
    pub(crate) fn without_source(diagnostics: impl Into<Vec<Diagnostic>>) -> Self {
        Error {
            source: None,
            diagnostics: diagnostics.into(),
        }
    }

    /// Adds the problems of `other`, which must be about the same source or about none.
    pub(crate) fn merge(&mut self, other: Error) {
        self.source = self.source.take().or(other.source);
        self.diagnostics.extend(other.diagnostics);
        self.sort();
    }

    /// The text that `Display` prints, with terminal colours if `color` is set.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color {
            // annotate-snippets draws secondary places at its warning level; they are none.
            let secondary = AnsiColor::BrightBlue.on_default().effects(Effects::BOLD);
            Renderer::styled().warning(secondary)
        } else {
            Renderer::plain()
        };
        let renderer = renderer.term_width(WIDTH);
        let view = self.source.as_deref().map(View::new);
        let rendered: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| render(&renderer, view.as_ref(), diagnostic))
            .collect();
        rendered.join("\n\n")
    }

    fn sort(&mut self) {
        // Stable: problems at the same place stay in the order they were found in, and those
        // without a place come first.
        self.diagnostics
            .sort_by_key(|d| d.label.as_ref().map(|(span, _)| span.start));
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// Columns to fit messages into.
const WIDTH: usize = 120;
/// A stretch of source without any place of interest in it is shortened to this many characters.
const STRETCH: usize = 72;
/// Places at most this many lines and [`STRETCH`] columns apart are shown in one excerpt.
const NEARBY: usize = 4;

fn render(renderer: &Renderer, view: Option<&View<'_>>, diagnostic: &Diagnostic) -> String {
    let title = printable(&diagnostic.message);
    let path = view.map_or_else(String::new, |view| printable(&view.source.path));
    let excerpts = view.map_or_else(Vec::new, |view| view.excerpts(diagnostic));
    let footers: Vec<(Level, String)> = diagnostic
        .notes
        .iter()
        .map(|note| (Level::Note, printable_lines(note)))
        .chain(
            diagnostic
                .help
                .iter()
                .map(|help| (Level::Help, printable_lines(help))),
        )
        .collect();

    let message: Message<'_> = Level::Error
        .title(&title)
        .id(diagnostic.code)
        .snippets(excerpts.iter().map(|excerpt| {
            Snippet::source(&excerpt.text)
                .origin(&path)
                .line_start(excerpt.first_line)
                .fold(true)
                .annotations(excerpt.marks.iter().map(|mark| {
                    let level = if mark.primary {
                        Level::Error
                    } else {
                        Level::Warning
                    };
                    level.span(mark.range.clone()).label(&mark.label)
                }))
        }))
        .footers(footers.iter().map(|(level, text)| level.title(text)));
    let text = renderer.render(message).to_string();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// A source with its lines found once, so that rendering many diagnostics stays linear.
struct View<'a> {
    source: &'a Source,
    /// Byte range of each line, without line ending and byte order mark.
    lines: Vec<Range<usize>>,
}

/// Some consecutive lines, as they are shown.
struct Excerpt {
    first_line: usize,
    text: String,
    /// Those on the line of the header come first, the header's own before all others.
    marks: Vec<Mark>,
}

struct Mark {
    range: Range<usize>,
    label: String,
    primary: bool,
}

/// A place on one line: byte columns within the line.
struct Place {
    line: usize,
    columns: Range<usize>,
    label: String,
    primary: bool,
}

impl<'a> View<'a> {
    fn new(source: &'a Source) -> Self {
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

    fn excerpts(&self, diagnostic: &Diagnostic) -> Vec<Excerpt> {
        let Some((span, label)) = &diagnostic.label else {
            return Vec::new();
        };
        let primary = self.place(span, label, true);
        let mut groups = vec![vec![primary]];
        for (span, label) in &diagnostic.related {
            let place = self.place(span, label, false);
            let group = groups.iter_mut().find(|group| {
                let Place { line, columns, .. } = &group[0];
                line.abs_diff(place.line) <= NEARBY
                    && columns.start.abs_diff(place.columns.start) <= STRETCH
            });
            match group {
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

    /// The lines of some places. The header above them names the first place.
    fn excerpt(&self, places: &[Place]) -> Excerpt {
        let first = places.iter().map(|place| place.line).min().unwrap_or(0);
        let last = places.iter().map(|place| place.line).max().unwrap_or(0);
        let mut text = String::new();
        let mut marks: Vec<Mark> = Vec::new();
        for line in first..=last {
            let here: Vec<&Place> = places.iter().filter(|place| place.line == line).collect();
            // The renderer counts the header's column in the text that it is given.
            let exact_until = match &places[0] {
                header if header.line == line => header.columns.start,
                _ => 0,
            };
            let on_line = self.show_line(line, &here, exact_until, &mut text);
            // The header is made from the first mark.
            let at = if places[0].line == line {
                0
            } else {
                marks.len()
            };
            marks.splice(at..at, on_line);
            // A mark needs a character to stand under.
            text.push_str(" \n");
        }
        Excerpt {
            first_line: first + 1,
            text,
            marks,
        }
    }

    /// Appends one line, with long stretches after `exact_until` shortened, and gives the marks on
    /// it in the order of `places`.
    fn show_line(
        &self,
        line: usize,
        places: &[&Place],
        exact_until: usize,
        text: &mut String,
    ) -> Vec<Mark> {
        let source = &self.source.text[self.lines[line].clone()];
        let mut cuts: Vec<usize> = places
            .iter()
            .flat_map(|place| [place.columns.start, place.columns.end])
            .chain([0, source.len()])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();

        let mut shown_at = vec![(0, text.len())];
        for pair in cuts.windows(2) {
            let stretch = printable(&source[pair[0]..pair[1]]);
            if pair[1] > exact_until {
                text.push_str(&shorten(&stretch));
            } else {
                text.push_str(&stretch);
            }
            shown_at.push((pair[1], text.len()));
        }
        let shown = |column: usize| {
            let at = shown_at.partition_point(|(original, _)| *original < column);
            shown_at[at].1
        };
        let mark = |place: &&Place| {
            let start = shown(place.columns.start);
            let mut end = shown(place.columns.end);
            if start == end {
                // An empty range at the start of a line would be taken for the end of the line
                // before.
                end += text[start..].chars().next().map_or(1, char::len_utf8);
            }
            Mark {
                range: start..end,
                label: place.label.clone(),
                primary: place.primary,
            }
        };
        places.iter().map(mark).collect()
    }
}

/// The text with its middle left out if it is long.
fn shorten(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= STRETCH {
        return text.to_owned();
    }
    let head: String = characters[..STRETCH - 24].iter().collect();
    let tail: String = characters[characters.len() - 21..].iter().collect();
    format!("{head}...{tail}")
}

/// The text, or its beginning and end: for quoting the user's own words in a message.
pub fn abbreviated(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= 48 {
        return text.to_owned();
    }
    let head: String = characters[..24].iter().collect();
    let tail: String = characters[characters.len() - 16..].iter().collect();
    format!("{head}...{tail}")
}

/// The text on one line, character for character, without anything that would act on a terminal
/// or take no room on it.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            c if is_invisible(c) => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// The same for texts of several lines.
fn printable_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(printable).collect();
    lines.join("\n")
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show(text: &str, diagnostic: Diagnostic) -> String {
        let source = Source {
            path: "fields.toml".to_owned(),
            text: text.to_owned(),
        };
        Error::new(Arc::new(source), diagnostic).to_string()
    }

    fn position(text: &str, span: Range<usize>) -> String {
        let shown = show(text, Diagnostic::new("code", "message").at(span, "here"));
        let header = shown.lines().nth(1).unwrap_or_default().trim();
        header.trim_start_matches("--> fields.toml:").to_owned()
    }

    /// Line and column by the definition: lines end with LF, columns count characters, and a byte
    /// order mark is no character.
    fn expected_position(text: &str, offset: usize) -> (usize, usize) {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[start..]
            .trim_start_matches('\u{feff}')
            .chars()
            .count()
            + 1;
        (line, column)
    }

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        assert_eq!(position("a = 1\nb = 2\n", 10..11), "2:5");
        assert_eq!(position("a = 1\r\nb = 2\r\n", 11..12), "2:5");
        assert_eq!(position("\u{feff}a = 1\n", 7..8), "1:5");
        assert_eq!(position("\t\ta = 1\n", 6..7), "1:7");
        assert_eq!(position("\"äß漢\" = 1\n", 12..13), "1:9");
        assert_eq!(position("a = 1", 5..5), "1:6");
        assert_eq!(position("a = 1\n\n", 6..6), "2:1");
        assert_eq!(position("", 0..0), "1:1");
        assert_eq!(
            position(&format!("a = \"{}", "7".repeat(3000)), 2005..2006),
            "1:2006"
        );
    }

    #[test]
    fn all_parts_of_a_message() {
        let text = "a = 1\nb = 2\n\n\n\n\n\n\nc = 3\n";
        let long = format!("d = \"{}\"", "0123456789".repeat(100));
        let text = format!("{text}{long}\n");
        let diagnostics = vec![
            Diagnostic::new("later", "c and a and b").at(22..23, "this is c"),
            Diagnostic::new("nowhere", "no place at all").help("look elsewhere"),
            Diagnostic::new("far", "c because of a and b")
                .at(18..19, "this is c")
                .related(0..1, "this is a")
                .related(6..7, "this is b")
                .note("one fact\non two lines")
                .note("another fact")
                .help("a way out"),
            Diagnostic::new("long", "the whole of d").at(28..1030, "all of it"),
            Diagnostic::new("inside", "a digit of d").at(528..529, "this digit"),
            Diagnostic::new("lines", "several lines").at(0..24, "from here on"),
        ];
        let source = Source {
            path: "fields.toml".to_owned(),
            text,
        };
        let error = Error::new(Arc::new(source), diagnostics);
        insta::assert_snapshot!("plain", error.to_string());
        insta::assert_snapshot!("coloured", error.render(true).replace('\u{1b}', "ESC"));
        assert_eq!(format!("{error:?}"), error.to_string());
    }

    #[test]
    fn nothing_acts_on_the_terminal() {
        let text = "a = '\u{1b}[31m\u{202e}\u{7}'\n";
        let diagnostic = Diagnostic::new("code", "m\u{1b}[1m\nm")
            .at(5..6, "l\u{9b}\r\nl")
            .note("n\u{8}\u{200b}")
            .help("h\tt");
        let shown = show(text, diagnostic);
        let acts = |c: char| c != '\n' && is_invisible(c);
        assert!(!shown.contains(acts), "{shown:?}");
    }

    #[test]
    fn merging_keeps_the_order_of_places() {
        let source = Arc::new(Source {
            path: "fields.toml".to_owned(),
            text: "a = 1\nb = 2\n".to_owned(),
        });
        let mut error = Error::without_source(Diagnostic::new("first", "no place"));
        let third = Diagnostic::new("third", "b").at(6..7, "");
        let second = Diagnostic::new("second", "a").at(0..1, "");
        error.merge(Error::new(source.clone(), third));
        error.merge(Error::new(source, second));
        let codes: Vec<&str> = error.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["first", "second", "third"]);
        assert!(error.to_string().contains("fields.toml:2:1"));
    }

    /// Text with the things that make counting hard.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => "[a-z0-9 =\"]{0,20}",
            2 => Just("\n".to_owned()),
            1 => Just("\r\n".to_owned()),
            1 => Just("\t".to_owned()),
            1 => Just("é漢\u{301}\u{200d}".to_owned()),
            1 => Just("0123456789".repeat(40)),
            1 => "\\PC{0,5}",
        ];
        let lines = prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat());
        (any::<bool>(), lines).prop_map(|(mark, lines)| {
            let mark = if mark { "\u{feff}" } else { "" };
            format!("{mark}{lines}")
        })
    }

    /// A character of the text, or its end.
    fn boundary(text: &str, index: prop::sample::Index) -> usize {
        let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut all: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        all.push(text.len());
        all.retain(|&at| at >= mark);
        all[index.index(all.len())]
    }

    proptest! {
        #[test]
        fn any_place_in_any_text_is_shown_at_its_position(
            text in text(),
            indices in prop::array::uniform4(any::<prop::sample::Index>()),
        ) {
            let [a, b, c, d] = indices.map(|index| boundary(&text, index));
            let diagnostic = Diagnostic::new("code", "message")
                .at(a.min(b)..a.max(b), "primary")
                .related(c.min(d)..c.max(d), "secondary");
            let shown = show(&text, diagnostic);
            let (start, other) = (a.min(b), c.min(d));
            for (arrow, at) in [("-->", start), (":::", other)] {
                let within_ending = text[..at].ends_with('\r') && text[at..].starts_with('\n');
                let after_last_line = at == text.len() && text.ends_with('\n');
                let header = shown.lines().find(|line| line.trim_start().starts_with(arrow));
                if let (Some(header), false, false) = (header, within_ending, after_last_line) {
                    let (line, column) = expected_position(&text, at);
                    let expected = format!("{arrow} fields.toml:{line}:{column}");
                    prop_assert_eq!(header.trim_start(), expected);
                }
            }
            prop_assert!(shown.contains("primary"), "{shown}");
            prop_assert!(shown.contains("secondary"), "{shown}");
            let longest = shown.lines().map(|line| line.chars().count()).max();
            prop_assert!(longest.is_some_and(|longest| longest < 500), "{shown}");
        }
    }
}
