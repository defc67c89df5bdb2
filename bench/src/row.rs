//! What is measured: one row for every operation and peer.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What to measure, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bench {
    /// Slices, timed on this processor.
    Cpu,
    /// Loops for AVX-512, counted by a model of a processor.
    Mca,
    /// Single elements, timed on this processor.
    Ark,
    /// CUDA field operations, counted in machine code.
    Sass,
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bench::Cpu => "cpu",
            Bench::Mca => "mca",
            Bench::Ark => "ark",
            Bench::Sass => "sass",
        })
    }
}

/// An operation of ours beside the same operation of a peer.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Row {
    pub bench: Bench,
    pub field: String,
    pub op: String,
    #[serde(flatten)]
    pub conditions: Conditions,
    pub ours: f64,
    pub peer: String,
    pub theirs: f64,
    pub unit: String,
    /// Ours by theirs: lower is better.
    pub ratio: f64,
    /// Half of the interquartile range of the ratios of single runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Where the peer's figure comes from, when it is not measured here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
}

/// Under what conditions something was measured, and what was seen beside the figure itself.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Conditions {
    /// The number of elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// The instruction set that our code uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isa: Option<String>,
    /// The processor whose model counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Vector instructions for 16 elements, loads and stores apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_ops: Option<f64>,
    /// The GPU architecture that is compiled for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<String>,
    /// What the field is optimised for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimize: Option<String>,
    /// Instructions of arithmetic units other than the multiplier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alu: Option<f64>,
    /// All instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registers: Option<u32>,
    /// The stack frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_bytes: Option<u32>,
}

/// A figure of ours, to be set beside those of peers.
#[derive(Clone, Debug)]
pub struct Measurement {
    pub bench: Bench,
    pub field: String,
    pub op: String,
    pub conditions: Conditions,
    pub unit: &'static str,
    pub ours: f64,
}

impl Measurement {
    /// The row with the figure of `peer`; everything is rounded to what is significant.
    #[must_use]
    pub fn against(&self, peer: &str, theirs: f64) -> Row {
        Row {
            bench: self.bench,
            field: self.field.clone(),
            op: self.op.clone(),
            conditions: self.conditions.clone(),
            ours: round(self.ours, 4),
            peer: peer.to_owned(),
            theirs: round(theirs, 4),
            unit: self.unit.to_owned(),
            ratio: round(self.ours / theirs, 4),
            spread: None,
            recorded: None,
        }
    }
}

/// `x` with this number of significant digits.
#[must_use]
pub fn round(x: f64, digits: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // By way of text, which gives the nearest number that prints with these digits.
    format!("{x:.*e}", usize::try_from(digits - 1).unwrap_or(0))
        .parse()
        .unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_significant_digits() {
        assert_eq!(round(0.123_456, 3), 0.123);
        assert_eq!(round(123_456.0, 3), 123_000.0);
        assert_eq!(round(-9.996, 3), -10.0);
        assert_eq!(round(0.0, 3), 0.0);
    }

    #[test]
    fn is_one_flat_object() {
        let conditions = Conditions {
            n: Some(512),
            isa: Some("avx2".to_owned()),
            ..Conditions::default()
        };
        let ours = Measurement {
            bench: Bench::Cpu,
            field: "baby_bear".to_owned(),
            op: "mul".to_owned(),
            conditions,
            unit: "ns/element",
            ours: 0.2,
        };
        let row = ours.against("plonky3", 0.25);
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(
            text,
            "{\"bench\":\"cpu\",\"field\":\"baby_bear\",\"op\":\"mul\",\"n\":512,\"isa\":\"avx2\",\
             \"ours\":0.2,\"peer\":\"plonky3\",\"theirs\":0.25,\"unit\":\"ns/element\",\"ratio\":0.8}"
        );
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }
}
