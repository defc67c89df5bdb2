//! What is asked of fieldgen, known here without its help.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use num_bigint::BigUint;
use num_traits::One;

/// A field to generate.
pub struct Asked {
    pub name: String,
    pub modulus: BigUint,
    /// The value of the key `reduction`.
    pub reduction: &'static str,
}

impl Asked {
    pub fn bits(&self) -> u32 {
        self.modulus.bits() as u32
    }

    /// Whether elements are stored as they are, and not in Montgomery form.
    pub fn is_canonical(&self) -> bool {
        match self.reduction {
            "montgomery" => false,
            "barrett" | "special" => true,
            _ => self.bits() <= 64 && self.has_special_shape(),
        }
    }

    /// `2^k - 1` or `2^64 - 2^32 + 1`.
    fn has_special_shape(&self) -> bool {
        let one = BigUint::one();
        let goldilocks = (&one << 64u32) - (&one << 32u32) + &one;
        self.modulus == goldilocks || &self.modulus + &one == &one << self.bits()
    }
}

/// A configuration with these fields.
pub fn to_toml(fields: &[Asked], targets: &str) -> String {
    let mut text = format!("[defaults]\ntargets = {targets}\n");
    for field in fields {
        let (name, modulus, reduction) = (&field.name, &field.modulus, field.reduction);
        write!(
            text,
            "\n[[field]]\nname = \"{name}\"\nmodulus = \"{modulus:#x}\"\nreduction = \"{reduction}\"\n"
        )
        .expect("writing to a string");
    }
    text
}

/// The fields of a configuration whose moduli are known from test vectors.
pub fn read(config: &Path, vectors: &Path) -> Result<Vec<Asked>, Box<dyn Error>> {
    let config: toml::Table = toml::from_str(&fs::read_to_string(config)?)?;
    let mut moduli = Vec::new();
    for entry in fs::read_dir(vectors)? {
        let vectors: serde_json::Value = serde_json::from_slice(&fs::read(entry?.path())?)?;
        let text = |key: &str| vectors[key].as_str().ok_or("vectors without a field");
        let digits = text("modulus")?.trim_start_matches("0x");
        let modulus = BigUint::parse_bytes(digits.as_bytes(), 16).ok_or("not a number")?;
        moduli.push((text("field")?.to_owned(), modulus));
    }
    let fields = config["field"].as_array().ok_or("no fields")?;
    let ask = |field: &toml::Value| {
        let name = field["name"].as_str().ok_or("a field without a name")?;
        // A variant has the name of the field and something more.
        let (_, modulus) = moduli
            .iter()
            .find(|(known, _)| {
                name.strip_prefix(known.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            })
            .ok_or_else(|| format!("no test vectors for `{name}`"))?;
        let reduction = match field.get("reduction").and_then(toml::Value::as_str) {
            None | Some("auto") => "auto",
            Some("montgomery") => "montgomery",
            Some("barrett") => "barrett",
            Some("special") => "special",
            Some(other) => return Err(format!("unknown reduction `{other}`").into()),
        };
        Ok(Asked {
            name: name.to_owned(),
            modulus: modulus.clone(),
            reduction,
        })
    };
    fields.iter().map(ask).collect()
}
