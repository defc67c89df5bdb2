//! Text of the user's, made fit for a message.

/// The text, or its beginning and end: for quoting the user's own words in a message.
pub fn abbreviated(text: &str) -> String {
    shortened(text, 24, 16)
}

/// The text, or its first and last characters if that is shorter.
pub fn shortened(text: &str, first: usize, last: usize) -> String {
    let most = first + "...".len() + last;
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let start: String = text.chars().take(first).collect();
    let reversed: Vec<char> = text.chars().rev().take(last).collect();
    let end: String = reversed.iter().rev().collect();
    format!("{start}...{end}")
}

/// The text on one line, character for character, without anything that would act on a terminal
/// or take no room on it.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            c if is_invisible(c) => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// The same for texts of several lines.
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(printable).collect();
    lines.join("\n")
}

pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay_whole() {
        assert_eq!(shortened("", 2, 2), "");
        assert_eq!(shortened("abcdefg", 2, 2), "abcdefg");
        assert_eq!(shortened("abcdefgh", 2, 2), "ab...gh");
        assert_eq!(shortened("äöüäöüäöü", 2, 1), "äö...ü");
    }
}
