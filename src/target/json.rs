//! `constants.json`: what follows from each modulus, for other tools and other languages.
//!
//! Keys are sorted; numbers that do not depend on the size of the modulus are JSON numbers, all
//! others are hexadecimal strings. `schema_version` grows when a key changes its meaning or goes.

use num_bigint::BigUint;

use crate::field::{Barrett, Field, Montgomery};
use crate::json::Json;

/// The version of the format.
const SCHEMA_VERSION: u64 = 1;

/// The constants of all fields.
pub(crate) fn render<'a>(fields: impl IntoIterator<Item = &'a Field>) -> String {
    let fields = fields
        .into_iter()
        .map(|field| (field.name.as_str(), field_value(field)));
    let document = Json::sorted_object([
        ("@generated", Json::text("fieldgen")),
        ("fields", Json::sorted_object(fields)),
        ("schema_version", Json::Number(SCHEMA_VERSION)),
    ]);
    document.document()
}

fn field_value(field: &Field) -> Json {
    Json::sorted_object([
        ("barrett", barrett_value(&field.barrett)),
        ("bits", Json::Number(field.bits.into())),
        (
            "generator",
            field.generator.as_ref().map_or(Json::Null, hex),
        ),
        ("modulus", hex(&field.modulus)),
        ("nonresidue", hex(&field.nonresidue)),
        ("odd_part", hex(&field.odd_part)),
        ("two_adic_root", hex(&field.two_adic_root)),
        ("two_adicity", Json::Number(field.two_adicity.into())),
        ("word32", montgomery_value(&field.word32)),
        ("word64", montgomery_value(&field.word64)),
    ])
}

fn barrett_value(barrett: &Barrett) -> Json {
    Json::sorted_object([
        ("mu", hex(&barrett.mu)),
        ("shift", Json::Number(barrett.shift.into())),
    ])
}

fn montgomery_value(montgomery: &Montgomery) -> Json {
    Json::sorted_object([
        ("inv", hex_word(montgomery.inv)),
        ("limbs", Json::Number(montgomery.limbs.into())),
        ("neg_inv", hex_word(montgomery.neg_inv)),
        ("r", hex(&montgomery.r)),
        ("r2", hex(&montgomery.r2)),
        ("r3", hex(&montgomery.r3)),
        ("spare_bits", Json::Number(montgomery.spare_bits.into())),
    ])
}

fn hex(number: &BigUint) -> Json {
    Json::Text(format!("{number:#x}"))
}

fn hex_word(word: u64) -> Json {
    Json::Text(format!("{word:#x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn fields(text: &str) -> Vec<Field> {
        let config = Config::parse("fields.toml", text).expect("a valid configuration");
        let derive = |spec| Field::derive(spec).expect("a valid field");
        config.fields.iter().map(derive).collect()
    }

    #[test]
    fn the_whole_text() {
        let fields = fields(
            "[[field]]\nname = \"goldilocks\"\nmodulus = \"2^64 - 2^32 + 1\"\n\
             [[field]]\nname = \"bn254_fq\"\nmodulus = \
             \"0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47\"\n\
             [[field]]\nname = \"baby_bear\"\nmodulus = \"2^31 - 2^27 + 1\"\n",
        );
        insta::assert_snapshot!("constants", render(&fields));
    }

    #[test]
    fn is_json_as_serde_would_print_it() {
        for fields in [fields("[[field]]\nname = \"f\"\nmodulus = 3\n"), Vec::new()] {
            let text = render(&fields);
            // serde_json's maps are sorted, and its pretty printer indents by two spaces.
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let printed = serde_json::to_string_pretty(&value).expect("JSON");
            assert_eq!(text, printed + "\n");
        }
    }
}
