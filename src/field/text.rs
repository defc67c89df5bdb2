//! Numbers in messages.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Hexadecimal digits at each end of a number too long to be read.
const SHOWN_DIGITS: usize = 16;

/// Decimal up to 64 bits; hexadecimal above, and abbreviated above 256 bits.
pub(super) fn number(n: &BigUint) -> String {
    if n.to_u64().is_some() {
        return n.to_string();
    }
    let digits = n.to_str_radix(16);
    if n.bits() <= 256 {
        return format!("0x{digits}");
    }
    let (head, tail) = (
        &digits[..SHOWN_DIGITS],
        &digits[digits.len() - SHOWN_DIGITS..],
    );
    format!("0x{head}...{tail} ({} bits)", n.bits())
}

/// As it can be pasted into the configuration: quoted where TOML has no integers of that size.
pub(super) fn exact(n: &BigUint) -> String {
    match n.to_i64() {
        Some(value) => value.to_string(),
        None => format!("\"{n:#x}\""),
    }
}

/// `2^27 * 3 * 5`.
pub(super) fn product(primes: &[(BigUint, u32)]) -> String {
    let powers: Vec<String> = primes
        .iter()
        .map(|(prime, exponent)| match exponent {
            1 => number(prime),
            _ => format!("{}^{exponent}", number(prime)),
        })
        .collect();
    powers.join(" * ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    #[test]
    fn numbers_stay_readable() {
        let power = |exponent: u32| BigUint::one() << exponent;
        assert_eq!(number(&BigUint::ZERO), "0");
        assert_eq!(number(&(power(64) - 1u32)), "18446744073709551615");
        assert_eq!(number(&power(64)), "0x10000000000000000");
        assert_eq!(
            number(&power(300)),
            "0x1000000000000000...0000000000000000 (301 bits)"
        );
    }

    #[test]
    fn exact_numbers_can_be_pasted_into_toml() {
        assert_eq!(
            exact(&BigUint::from(i64::MAX as u64)),
            "9223372036854775807"
        );
        assert_eq!(exact(&BigUint::from(1u64 << 63)), "\"0x8000000000000000\"");
    }

    #[test]
    fn products() {
        let primes = [(2u32, 27u32), (3, 1), (5, 1)].map(|(q, e)| (BigUint::from(q), e));
        assert_eq!(product(&primes), "2^27 * 3 * 5");
        assert_eq!(product(&[]), "");
    }
}
