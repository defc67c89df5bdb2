//! Integer expressions such as `2^31 - 2^27 + 1`: decimal, `0x`, `0o` and `0b` numbers with `_`
//! between digits, `+ - * ^`, unary minus and parentheses.
//!
//! `^` is exponentiation: it binds tightest and groups to the right, and `-2^2` is `-(2^2)`.
//! Everything is bounded (length, nesting, the size of every intermediate value), so that no text
//! takes long to evaluate or to refuse.

use std::ops::Range;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

/// No value on the way to the result may need more bits. Twice the size of the longest modulus.
pub const MAX_BITS: u64 = 8192;
/// Longest text, in bytes.
pub const MAX_LENGTH: usize = 16 * 1024;
/// What an expression is made of, as a regular expression that every expression matches.
pub const CHARACTERS: &str = "^[-+*^() \\t\\r\\n_0-9a-fA-FxXoO]+$";
/// Deepest nesting of parentheses, signs and exponents.
const MAX_DEPTH: u32 = 64;

/// Why a text is no expression, or has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    pub kind: ErrorKind,
    /// Byte range in the expression's text.
    pub range: Range<usize>,
    /// What is wrong there, in a few words.
    pub reason: String,
    /// The way out, where there is one to tell.
    pub help: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is no expression.
    Syntax,
    /// A value has more than [`MAX_BITS`] bits.
    TooLarge,
    /// The result is below 0.
    Negative,
}

impl ExprError {
    fn new(range: Range<usize>, reason: impl Into<String>) -> Self {
        ExprError {
            kind: ErrorKind::Syntax,
            range,
            reason: reason.into(),
            help: None,
        }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The value of the expression.
pub fn evaluate(text: &str) -> Result<BigUint, ExprError> {
    if text.len() > MAX_LENGTH {
        let reason = format!("longer than {MAX_LENGTH} bytes");
        return Err(ExprError::new(0..text.len(), reason));
    }
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let value = parser.sum()?;
    parser.skip_space();
    if let Some(found) = parser.peek() {
        return Err(parser.unexpected(found, "an operator"));
    }
    let whole = text.len() - text.trim_start().len()..text.trim_end().len();
    match value.sign() {
        Sign::Minus => Err(ExprError {
            kind: ErrorKind::Negative,
            ..ExprError::new(whole, "this is negative")
        }),
        Sign::NoSign | Sign::Plus => Ok(value.into_parts().1),
    }
}

/// Recursive descent: one method per level of precedence.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// Skips space, then `wanted` if it is there.
    fn eat(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Runs `inner` one level deeper.
    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<BigInt, ExprError>,
    ) -> Result<BigInt, ExprError> {
        if self.depth == MAX_DEPTH {
            let reason = format!("nested more than {MAX_DEPTH} levels deep");
            let error = ExprError::new(self.at - 1..self.at, reason);
            return Err(error.help("simplify the expression"));
        }
        self.depth += 1;
        let value = inner(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn sum(&mut self) -> Result<BigInt, ExprError> {
        self.skip_space();
        let start = self.at;
        let mut value = self.product()?;
        loop {
            if self.eat('+') {
                value += self.product()?;
            } else if self.eat('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
            self.check_size(start, &value)?;
        }
    }

    fn product(&mut self) -> Result<BigInt, ExprError> {
        self.skip_space();
        let start = self.at;
        let mut value = self.signed()?;
        while self.eat('*') {
            if self.peek() == Some('*') {
                let error = ExprError::new(self.at - 1..self.at + 1, "not an operator");
                return Err(error.help("write `^` for powers: `2^31`"));
            }
            value *= self.signed()?;
            self.check_size(start, &value)?;
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<BigInt, ExprError> {
        if self.eat('-') {
            self.nested(Self::signed).map(|value| -value)
        } else {
            self.power()
        }
    }

    fn power(&mut self) -> Result<BigInt, ExprError> {
        self.skip_space();
        let start = self.at;
        let base = self.atom()?;
        if !self.eat('^') {
            return Ok(base);
        }
        self.skip_space();
        let exponent_start = self.at;
        let exponent = self.nested(Self::signed)?;
        if exponent.sign() == Sign::Minus {
            let range = self.since(exponent_start);
            let error = ExprError::new(range, "a negative exponent");
            return Err(error.help("there are no fractions here: exponents are 0 or more"));
        }
        // Above 1 the result has more than (bits - 1) * exponent bits: refuse before computing.
        let doublings = base.bits().saturating_sub(1);
        if doublings == 0 && base.bits() != 0 {
            let negative = base.sign() == Sign::Minus && exponent.bit(0);
            return Ok(if negative { base } else { BigInt::one() });
        }
        if base.is_zero() {
            return Ok(BigInt::from(u32::from(exponent.is_zero())));
        }
        let exponent = exponent
            .to_u64()
            .filter(|&exponent| doublings.saturating_mul(exponent) <= MAX_BITS)
            .and_then(|exponent| u32::try_from(exponent).ok())
            .ok_or_else(|| too_large(self.since(start)))?;
        let value = base.pow(exponent);
        self.check_size(start, &value)?;
        Ok(value)
    }

    fn atom(&mut self) -> Result<BigInt, ExprError> {
        self.skip_space();
        let start = self.at;
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let value = self.nested(Self::sum)?;
                if self.eat(')') {
                    return Ok(value);
                }
                match self.peek() {
                    Some(found) => Err(self.unexpected(found, "an operator or `)`")),
                    None => Err(ExprError::new(start..start + 1, "this `(` is never closed")),
                }
            }
            Some('0'..='9') => self.number(),
            Some(found) => Err(self.unexpected(found, "a number or `(`")),
            None if self.text.trim().is_empty() => Err(ExprError::new(
                0..self.text.len(),
                "there is no number here",
            )),
            None => {
                let end = self.text.trim_end().len();
                let last = self.text[..end]
                    .chars()
                    .next_back()
                    .map_or(0, char::len_utf8);
                let error = ExprError::new(end - last..end, "a number must follow");
                Err(error)
            }
        }
    }

    fn number(&mut self) -> Result<BigInt, ExprError> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = &rest[..length];
        let (radix, kind, prefix) = match word.get(..2) {
            Some("0x" | "0X") => (16, "hexadecimal", 2),
            Some("0o" | "0O") => (8, "octal", 2),
            Some("0b" | "0B") => (2, "binary", 2),
            _ => (10, "decimal", 0),
        };
        let digits_start = start + prefix;
        let mut digits = Vec::with_capacity(length);
        let mut previous = '_';
        for (offset, c) in word[prefix..].char_indices() {
            let at = digits_start + offset;
            match c.to_digit(radix) {
                Some(digit) => digits.push(digit as u8),
                None if c == '_' => {
                    let next = word[prefix + offset + 1..].chars().next();
                    if previous == '_' || next.is_none() {
                        let reason = "`_` may only stand between two digits";
                        return Err(ExprError::new(at..at + 1, reason));
                    }
                }
                None => {
                    let error = ExprError::new(at..at + 1, format!("not a {kind} digit"));
                    let hexadecimal =
                        prefix == 0 && word.chars().all(|c| c.is_ascii_hexdigit() || c == '_');
                    return Err(if hexadecimal {
                        error.help("hexadecimal numbers start with `0x`")
                    } else {
                        error
                    });
                }
            }
            previous = c;
        }
        self.at = start + length;
        if digits.is_empty() {
            return Err(ExprError::new(start..self.at, "digits must follow"));
        }
        let value = BigUint::from_radix_be(&digits, radix).unwrap_or_default();
        let value = BigInt::from(value);
        self.check_size(start, &value)?;
        Ok(value)
    }

    fn check_size(&self, start: usize, value: &BigInt) -> Result<(), ExprError> {
        if value.bits() > MAX_BITS {
            return Err(too_large(self.since(start)));
        }
        Ok(())
    }

    /// What was read from `start` on.
    fn since(&self, start: usize) -> Range<usize> {
        start..start + self.text[start..self.at].trim_end().len()
    }

    fn unexpected(&self, found: char, expected: &str) -> ExprError {
        let range = self.at..self.at + found.len_utf8();
        let ascii = match found {
            '\u{2212}' | '\u{2010}'..='\u{2015}' => Some('-'),
            '×' | '·' | '∙' | '⋅' | '∗' => Some('*'),
            '＋' => Some('+'),
            _ => None,
        };
        let error = ExprError::new(range, format!("expected {expected} here"));
        match (ascii, found) {
            (Some(ascii), _) => error.help(format!("write `{ascii}` instead of `{found}`")),
            (None, '²' | '³' | '¹' | '⁰'..='⁹') => {
                error.help("write `^` for powers: `2^31`")
            }
            (None, '/' | '%') => error.help("there is no division: the operators are `+ - * ^`"),
            _ => error,
        }
    }
}

fn too_large(range: Range<usize>) -> ExprError {
    ExprError {
        kind: ErrorKind::TooLarge,
        ..ExprError::new(range, format!("this has more than {MAX_BITS} bits"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> String {
        evaluate(text).map_or_else(|error| panic!("{text}: {error:?}"), |v| v.to_string())
    }

    /// The text with the refused part in brackets, and the reason.
    fn refusal(text: &str) -> String {
        let error = evaluate(text).expect_err(text);
        let Range { start, end } = error.range;
        let mut shown = format!(
            "{}[{}]{}: ",
            &text[..start],
            &text[start..end],
            &text[end..]
        );
        shown.push_str(&error.reason);
        if let Some(help) = error.help {
            shown.push_str("; ");
            shown.push_str(&help);
        }
        shown
    }

    #[test]
    fn numbers() {
        assert_eq!(value("0"), "0");
        assert_eq!(value("007"), "7");
        assert_eq!(value("2_013_265_921"), "2013265921");
        assert_eq!(value("0x7800_0001"), "2013265921");
        assert_eq!(value("0XfF"), "255");
        assert_eq!(value("0b1_01"), "5");
        assert_eq!(value("0o17"), "15");
        assert_eq!(value(" \t\r\n 5 \n"), "5");
    }

    #[test]
    fn precedence() {
        assert_eq!(value("2^31 - 2^27 + 1"), "2013265921");
        assert_eq!(value("10 - 3 - 2"), "5");
        assert_eq!(value("2 + 3 * 4"), "14");
        assert_eq!(value("(2 + 3) * 4"), "20");
        assert_eq!(value("2^3^2"), "512");
        assert_eq!(value("-2^2 + 5"), "1");
        assert_eq!(value("(-2)^2"), "4");
        assert_eq!(value("2 * -3 + 7"), "1");
        assert_eq!(value("--3"), "3");
        assert_eq!(value("3 - -2"), "5");
        assert_eq!(value("2^-(-3)"), "8");
        assert_eq!(value("0^0 + 0^5 + 1^999999999999 + (-1)^(10^30)"), "3");
        assert_eq!(value("(-1)^(10^30 + 1) + 1"), "0");
    }

    #[test]
    fn refusals_point_at_the_culprit() {
        let texts = [
            "",
            "  ",
            "2^",
            "2 +",
            "(2 + 3",
            "2 + 3)",
            "2 3",
            "2(3)",
            "2**3",
            "2/3",
            "7 % 3",
            "2^-1",
            "-5",
            " 1 - 2 ",
            "0x",
            "0b12",
            "12a",
            "30644e72e131",
            "1__0",
            "1_",
            "_1",
            "0x_ff",
            "2 − 1",
            "2²",
            "3 × 5",
            "p",
            "1.5",
            "1e9",
            "é",
            "2^999999999",
            "2^2^2^2^2^2^2",
            "2^99999999999999999999999999",
            "10^3000 - 10^3000",
            "5 * (3^5168 + 1)",
        ];
        let shown: Vec<String> = texts.iter().map(|text| refusal(text)).collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn bounds() {
        assert!(evaluate("2^8191").is_ok());
        assert!(evaluate("2^8192").is_err());
        assert!(evaluate(&"7".repeat(2466)).is_ok());
        assert!(evaluate(&"7".repeat(2468)).is_err());
        assert!(evaluate(&format!("{}1", "-".repeat(64))).is_ok());
        for deep in ["-", "(", "2^", "- ", "(-", "3^-"] {
            assert!(evaluate(&deep.repeat(5000)).is_err());
            assert!(evaluate(&format!("{}1", deep.repeat(66))).is_err());
        }
        assert!(evaluate(&"1".repeat(MAX_LENGTH + 1)).is_err());
    }

    /// An expression and its value, when no intermediate value is negative or long.
    fn expression() -> impl Strategy<Value = (String, BigInt)> {
        let leaf = prop_oneof![
            any::<u32>().prop_map(|n| (n.to_string(), BigInt::from(n))),
            any::<u32>().prop_map(|n| (format!("{n:#x}"), BigInt::from(n))),
            (0u32..100).prop_map(|n| (format!("2^{n}"), BigInt::one() << n)),
        ];
        leaf.prop_recursive(4, 24, 2, |inner| {
            (inner.clone(), inner, 0..3u8).prop_map(|((a, x), (b, y), op)| match op {
                0 => (format!("({a} + {b})"), x + y),
                1 => (format!("({a}-{b})"), x - y),
                _ => (format!("({a}) *({b})"), x * y),
            })
        })
    }

    proptest! {
        #[test]
        fn agrees_with_num_bigint((text, expected) in expression()) {
            match (evaluate(&text), expected.to_biguint()) {
                (Ok(value), Some(expected)) => prop_assert_eq!(value, expected),
                (Err(error), None) => prop_assert_eq!(error.reason, "this is negative"),
                (result, _) => prop_assert!(false, "{text} gave {result:?}, not {expected}"),
            }
        }

        #[test]
        fn ranges_lie_within_any_text(text in "[-+*^() 0-9a-fx_é−²/]{0,80}|\\PC{0,40}") {
            if let Err(error) = evaluate(&text) {
                prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error.range);
            }
        }
    }
}
