//! The functions over slices: one list, from which every module of them is rendered.

use serde::Serialize;

/// A function over slices, of the same signature in every module that has it.
#[derive(Debug, Serialize)]
pub(super) struct SliceFunction {
    name: String,
    doc: Vec<String>,
    /// When it panics.
    panics: Option<&'static str>,
    parameters: String,
    /// The names of the parameters.
    arguments: String,
    result: Option<String>,
    /// The lines of its body in portable Rust.
    portable: Vec<String>,
    /// The same over vectors.
    vector: Vec<String>,
}

const ALL_EQUAL: &str = "Unless all lengths are equal.";
const BOTH_EQUAL: &str = "Unless both lengths are equal.";

/// All functions, for elements whose stored form is of the type `repr`.
pub(super) fn functions(repr: &str, montgomery: bool) -> Vec<SliceFunction> {
    let mut functions = Vec::new();
    binary(&mut functions);
    unary(&mut functions);
    with_scalar(&mut functions);
    sums(&mut functions);
    butterflies(&mut functions);
    functions.push(SliceFunction {
        name: "batch_inverse".to_owned(),
        doc: vec![
            "Replaces every element by its inverse; zeros stay zero. `scratch` is left in no"
                .to_owned(),
            "particular state. See [`Element::batch_inverse`].".to_owned(),
        ],
        panics: Some("If `scratch` is shorter than `values`."),
        parameters: "values: &mut [Element], scratch: &mut [Element]".to_owned(),
        arguments: "values, scratch".to_owned(),
        result: None,
        portable: vec!["Element::batch_inverse(values, scratch);".to_owned()],
        vector: vec!["invert_all(values, scratch);".to_owned()],
    });
    conversions(&mut functions, repr, montgomery);
    functions
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// A function without a result.
fn function(
    name: &str,
    doc: &str,
    panics: Option<&'static str>,
    parameters: &[(&str, &str)],
    portable: &str,
    vector: &str,
) -> SliceFunction {
    let typed = parameters.iter().map(|(name, kind)| {
        let kind = match *kind {
            "out" => "&mut [Element]",
            "in" => "&[Element]",
            other => other,
        };
        format!("{name}: {kind}")
    });
    let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
    SliceFunction {
        name: name.to_owned(),
        doc: lines(doc),
        panics,
        parameters: typed.collect::<Vec<_>>().join(", "),
        arguments: names.join(", "),
        result: None,
        portable: lines(portable),
        vector: lines(vector),
    }
}

fn binary(functions: &mut Vec<SliceFunction>) {
    for (name, sign) in [("add", "+"), ("sub", "-"), ("mul", "*")] {
        functions.push(function(
            name,
            &format!("`dst[i] = a[i] {sign} b[i]`."),
            Some(ALL_EQUAL),
            &[("dst", "out"), ("a", "in"), ("b", "in")],
            &format!("map_pairs(dst, a, b, |a, b| a {sign} b);"),
            &format!("map_pairs(dst, a, b, |a, b| lanes::{name}(a, b));"),
        ));
        functions.push(function(
            &format!("{name}_assign"),
            &format!("`a[i] {sign}= b[i]`."),
            Some(BOTH_EQUAL),
            &[("a", "out"), ("b", "in")],
            &format!("update_with(a, b, |a, b| a {sign} b);"),
            &format!("update_with(a, b, |a, b| lanes::{name}(a, b));"),
        ));
    }
    functions.push(function(
        "mul_add",
        "`dst[i] += a[i] * b[i]`.",
        Some(ALL_EQUAL),
        &[("dst", "out"), ("a", "in"), ("b", "in")],
        "update_with_pairs(dst, a, b, |sum, a, b| sum + a * b);",
        "update_with_pairs(dst, a, b, |sum, a, b| lanes::add(sum, lanes::mul(a, b)));",
    ));
}

fn unary(functions: &mut Vec<SliceFunction>) {
    for (name, formula, portable) in [
        ("neg", "-a[i]", "|a| -a"),
        ("double", "2 a[i]", "Element::double"),
        ("halve", "a[i] / 2", "Element::halve"),
        ("square", "a[i]^2", "Element::square"),
        ("exp3", "a[i]^3", "Element::cube"),
        ("exp5", "a[i]^5", "|a| a.square().square() * a"),
        ("exp7", "a[i]^7", "|a| a.cube().square() * a"),
    ] {
        functions.push(function(
            name,
            &format!("`dst[i] = {formula}`."),
            Some(BOTH_EQUAL),
            &[("dst", "out"), ("a", "in")],
            &format!("map(dst, a, {portable});"),
            &format!("map(dst, a, |a| lanes::{name}(a));"),
        ));
        functions.push(function(
            &format!("{name}_in_place"),
            &format!("`a[i] = {formula}`."),
            None,
            &[("a", "out")],
            &format!("update(a, {portable});"),
            &format!("update(a, |a| lanes::{name}(a));"),
        ));
    }
    let parameters = [("dst", "out"), ("a", "in"), ("exponent", "u64")];
    functions.push(function(
        "pow",
        "`dst[i] = a[i]^exponent`; `0^0` is 1.",
        Some(BOTH_EQUAL),
        &parameters,
        "map(dst, a, |a| a.pow_u64(exponent));",
        "map(dst, a, |a| lanes::pow(a, exponent));",
    ));
    functions.push(function(
        "pow_in_place",
        "`a[i] = a[i]^exponent`; `0^0` is 1.",
        None,
        &parameters[1..]
            .iter()
            .map(|(n, k)| (*n, if *n == "a" { "out" } else { *k }))
            .collect::<Vec<_>>(),
        "update(a, |a| a.pow_u64(exponent));",
        "update(a, |a| lanes::pow(a, exponent));",
    ));
}

fn with_scalar(functions: &mut Vec<SliceFunction>) {
    functions.push(function(
        "scalar_mul",
        "`dst[i] = a[i] * scalar`.",
        Some(BOTH_EQUAL),
        &[("dst", "out"), ("a", "in"), ("scalar", "Element")],
        "map(dst, a, |a| a * scalar);",
        "let factor = lanes::Factor::new(scalar);\nmap(dst, a, |a| lanes::mul_by(a, factor));",
    ));
    functions.push(function(
        "scalar_mul_in_place",
        "`a[i] *= scalar`.",
        None,
        &[("a", "out"), ("scalar", "Element")],
        "update(a, |a| a * scalar);",
        "let factor = lanes::Factor::new(scalar);\nupdate(a, |a| lanes::mul_by(a, factor));",
    ));
    functions.push(function(
        "scalar_mul_add",
        "`dst[i] += a[i] * scalar`.",
        Some(BOTH_EQUAL),
        &[("dst", "out"), ("a", "in"), ("scalar", "Element")],
        "update_with(dst, a, |sum, a| sum + a * scalar);",
        "let factor = lanes::Factor::new(scalar);\n\
         update_with(dst, a, |sum, a| lanes::add(sum, lanes::mul_by(a, factor)));",
    ));
}

fn sums(functions: &mut Vec<SliceFunction>) {
    let with_result = |function: SliceFunction| SliceFunction {
        result: Some("Element".to_owned()),
        ..function
    };
    functions.push(with_result(function(
        "sum",
        "The sum of all elements; 0 for none.",
        None,
        &[("a", "in")],
        "a.iter().sum()",
        "let mut total = Element::ZERO;\nfor a in a.chunks(BLOCK) {\n    total += \
         sum_of_block(a);\n}\ntotal",
    )));
    functions.push(with_result(function(
        "inner_product",
        "The sum of all `a[i] * b[i]`; 0 for none.",
        Some(BOTH_EQUAL),
        &[("a", "in"), ("b", "in")],
        "assert_eq!(a.len(), b.len(), \"lengths differ\");\n\
         a.iter().zip(b).map(|(a, b)| a * b).sum()",
        "assert_eq!(a.len(), b.len(), \"lengths differ\");\n\
         let mut total = Element::ZERO;\n\
         for (a, b) in a.chunks(BLOCK).zip(b.chunks(BLOCK)) {\n    total += \
         inner_product_of_block(a, b);\n}\ntotal",
    )));
}

fn butterflies(functions: &mut Vec<SliceFunction>) {
    for (name, title, formula) in [
        ("dif", "frequency", "(x + y, (x - y) w)"),
        ("dit", "time", "(x + w y, x - w y)"),
    ] {
        let doc = |twiddle: &str| {
            format!(
                "Decimation in {title}: `(lo[i], hi[i]) = {formula}` for `x = lo[i]`, `y = hi[i]`,\n\
                 `w = {twiddle}`."
            )
        };
        let is_dif = name == "dif";
        functions.push(function(
            &format!("butterfly_{name}"),
            &doc("twiddles[i]"),
            Some(ALL_EQUAL),
            &[("lo", "out"), ("hi", "out"), ("twiddles", "in")],
            if is_dif {
                "update_both_with(lo, hi, twiddles, |x, y, w| (x + y, (x - y) * w));"
            } else {
                "update_both_with(lo, hi, twiddles, |x, y, w| (x + y * w, x - y * w));"
            },
            if is_dif {
                "update_both_with(lo, hi, twiddles, |x, y, w| lanes::butterfly_dif(x, y, w));"
            } else {
                "update_both_with(lo, hi, twiddles, |x, y, w| {\n    \
                 let y = lanes::mul(y, w);\n    (lanes::add(x, y), lanes::sub(x, y))\n});"
            },
        ));
        functions.push(function(
            &format!("butterfly_{name}_scalar"),
            &doc("twiddle"),
            Some(BOTH_EQUAL),
            &[("lo", "out"), ("hi", "out"), ("twiddle", "Element")],
            if is_dif {
                "update_both(lo, hi, |x, y| (x + y, (x - y) * twiddle));"
            } else {
                "update_both(lo, hi, |x, y| (x + y * twiddle, x - y * twiddle));"
            },
            if is_dif {
                "let factor = lanes::Factor::new(twiddle);\n\
                 update_both(lo, hi, |x, y| lanes::butterfly_dif_by(x, y, factor));"
            } else {
                "let factor = lanes::Factor::new(twiddle);\nupdate_both(lo, hi, |x, y| {\n    \
                 let y = lanes::mul_by(y, factor);\n    (lanes::add(x, y), lanes::sub(x, y))\n});"
            },
        ));
    }
}

fn conversions(functions: &mut Vec<SliceFunction>, repr: &str, montgomery: bool) {
    let words = format!("&mut [{repr}]");
    let mut to = function(
        "to_canonical",
        "The canonical integers of all elements, in the same memory. What is in it stays in that\n\
         form: [`from_canonical`] makes elements of it again.",
        None,
        &[("values", "out")],
        if montgomery {
            "update(values, |a| Element(a.to_canonical()));\nwords_of(values)"
        } else {
            "words_of(values)"
        },
        if montgomery {
            "scalar_mul_in_place(values, Element(1));\nwords_of(values)"
        } else {
            "words_of(values)"
        },
    );
    to.result = Some(words.clone());
    let mut from = function(
        "from_canonical",
        "The elements with these canonical integers, in the same memory; `None`, and nothing is\n\
         changed, unless all of them are below p.",
        None,
        &[("words", &words)],
        if montgomery {
            "let values = elements_of(words)?;\nupdate(values, |a| Element(encode(a.0)));\nSome(values)"
        } else {
            "elements_of(words)"
        },
        if montgomery {
            "let values = elements_of(words)?;\nscalar_mul_in_place(values, Element(R2));\nSome(values)"
        } else {
            "elements_of(words)"
        },
    );
    from.result = Some("Option<&mut [Element]>".to_owned());
    functions.extend([to, from]);
}
