//! What is said to the user when something is wrong: code, place, reason, way out.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Level, Message, Renderer, Snippet};

use excerpt::{Excerpt, View};
use text::{printable, printable_lines};

mod excerpt;
mod text;

pub use text::abbreviated;

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
    /// Boxed to keep results small.
    pub label: Option<Box<(Range<usize>, String)>>,
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
        self.label = Some(Box::new((span, label.into())));
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
        let mut diagnostics: Vec<Diagnostic> = diagnostics.into();
        // Stable: problems at the same place stay in the order they were found in, and those
        // without a place come first.
        diagnostics.sort_by_key(|d| d.label.as_deref().map(|(span, _)| span.start));
        Error {
            source: Some(source),
            diagnostics,
        }
    }

    /// Problems that no place in the configuration explains: a missing file, a broken template.
    pub(crate) fn without_source(diagnostics: impl Into<Vec<Diagnostic>>) -> Self {
        Error {
            source: None,
            diagnostics: diagnostics.into(),
        }
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
        let mut rendered: Vec<String> = self
            .diagnostics
            .iter()
            .take(MAX_SHOWN)
            .map(|diagnostic| render(&renderer, view.as_ref(), diagnostic))
            .collect();
        if self.diagnostics.len() > MAX_SHOWN {
            let all = self.diagnostics.len();
            rendered.push(format!("these are the first {MAX_SHOWN} of {all} errors"));
        }
        rendered.join("\n\n")
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
/// Nobody reads on after this many errors.
const MAX_SHOWN: usize = 1000;

fn render(renderer: &Renderer, view: Option<&View<'_>>, diagnostic: &Diagnostic) -> String {
    let title = printable(&diagnostic.message);
    let excerpts = view.map_or_else(Vec::new, |view| view.excerpts(diagnostic));
    let notes = diagnostic.notes.iter().map(|note| (Level::Note, note));
    let help = diagnostic.help.iter().map(|help| (Level::Help, help));
    let footers: Vec<(Level, String)> = notes
        .chain(help)
        .map(|(level, text)| (level, printable_lines(text)))
        .collect();

    let message: Message<'_> = Level::Error
        .title(&title)
        .id(diagnostic.code)
        .snippets(excerpts.iter().map(snippet))
        .footers(footers.iter().map(|(level, text)| level.title(text)));
    let mut text = renderer.render(message).to_string();
    for excerpt in &excerpts {
        // The renderer appends the position in the text that it was given, which may be shortened.
        let (line, column) = excerpt.shown_position;
        let origin = &excerpt.origin;
        text = text.replacen(&format!("{origin}:{line}:{column}"), origin, 1);
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn snippet(excerpt: &Excerpt) -> Snippet<'_> {
    let marks = excerpt.marks.iter().map(|mark| {
        let level = if mark.primary {
            Level::Error
        } else {
            Level::Warning
        };
        level.span(mark.range.clone()).label(&mark.label)
    });
    Snippet::source(&excerpt.text)
        .origin(&excerpt.origin)
        .line_start(excerpt.first_line)
        .fold(true)
        .annotations(marks)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::text::is_invisible;
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
    fn errors_come_in_the_order_of_their_places() {
        let source = Arc::new(Source {
            path: "fields.toml".to_owned(),
            text: "a = 1\nb = 2\n".to_owned(),
        });
        let diagnostics = vec![
            Diagnostic::new("fourth", "b").at(6..7, ""),
            Diagnostic::new("second", "a").at(0..1, ""),
            Diagnostic::new("first", "no place"),
            Diagnostic::new("third", "a, too").at(0..5, ""),
        ];
        let error = Error::new(source, diagnostics);
        let codes: Vec<&str> = error.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["first", "second", "third", "fourth"]);
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
            prop_assert!(longest.is_some_and(|longest| longest < 400), "{shown}");
        }
    }
}
