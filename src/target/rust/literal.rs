//! Numbers as Rust literals, laid out as rustfmt leaves them.

use num_bigint::BigUint;

/// `0x7800_0001`; numbers of one digit stay decimal.
pub(super) fn grouped_hex(value: u64) -> String {
    if value < 10 {
        value.to_string()
    } else {
        group(&format!("{value:x}"))
    }
}

/// All sixteen digits, so that words of an array stand below each other.
fn padded_hex(value: u64) -> String {
    group(&format!("{value:016x}"))
}

fn group(digits: &str) -> String {
    let mut text = String::from("0x");
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(4) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

/// The 64-bit words of a number, least significant first; at least one.
fn words(value: &BigUint) -> Vec<u64> {
    let mut words = value.to_u64_digits();
    if words.is_empty() {
        words.push(0);
    }
    words
}

/// A number in `count` words: a plain literal for one, else an array.
///
/// # Panics
///
/// If it has more words.
pub(super) fn stored(value: &BigUint, count: u32) -> String {
    let mut words = words(value);
    let count = count as usize;
    assert!(
        words.len() <= count,
        "the number has more than {count} words"
    );
    words.resize(count, 0);
    match words[..] {
        [word] => grouped_hex(word),
        _ => array(&words),
    }
}

/// On one line where rustfmt would leave it there (60 columns: two words), else a word a line.
fn array(words: &[u64]) -> String {
    let words: Vec<String> = words.iter().map(|&word| padded_hex(word)).collect();
    if words.len() <= 2 {
        format!("[{}]", words.join(", "))
    } else {
        format!("[\n    {},\n]", words.join(",\n    "))
    }
}

/// The columns that rustfmt gives to an array on one line, between its brackets.
const ARRAY_WIDTH: usize = 60;

/// The longest element of an array that rustfmt packs several to a line.
const SHORT_ELEMENT: usize = 10;

/// The columns of a line of elements in an array that is indented by four.
const PACKED_WIDTH: usize = 100 - 8;

/// An array of expressions that starts a line indented by four, without that indentation.
pub(super) fn array_expression(elements: &[String]) -> String {
    let line = elements.join(", ");
    if line.len() <= ARRAY_WIDTH {
        return format!("[{line}]");
    }
    let mut text = String::from("[");
    if elements.iter().any(|element| element.len() > SHORT_ELEMENT) {
        for element in elements {
            text.push_str(&format!("\n    {element},"));
        }
    } else {
        let mut column = PACKED_WIDTH;
        for element in elements {
            // The element, its comma and the space before it.
            let width = element.len() + 1;
            if column + 1 + width > PACKED_WIDTH {
                text.push_str("\n    ");
                column = 0;
            } else {
                text.push(' ');
                column += 1;
            }
            text.push_str(element);
            text.push(',');
            column += width;
        }
    }
    text.push_str("\n]");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_grouped() {
        assert_eq!(grouped_hex(7), "7");
        assert_eq!(grouped_hex(17), "0x11");
        assert_eq!(grouped_hex(0x7800_0001), "0x7800_0001");
    }

    #[test]
    fn arrays_are_laid_out_by_their_length() {
        let value = (BigUint::from(1u32) << 64u32) + 2u32;
        assert_eq!(
            stored(&value, 2),
            "[0x0000_0000_0000_0002, 0x0000_0000_0000_0001]"
        );
        assert_eq!(
            stored(&value, 3),
            "[\n    0x0000_0000_0000_0002,\n    0x0000_0000_0000_0001,\n    0x0000_0000_0000_0000,\n]"
        );
    }
}
