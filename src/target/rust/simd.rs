//! The modules of vector functions: one template for all instruction sets, around arithmetic that
//! is printed from [lane programs](crate::kernel::lane).

use std::collections::BTreeSet;

use serde::Serialize;

use super::literal::grouped_hex;
use super::slices::SliceFunction;
use crate::config::Target;
use crate::diagnostic::Error;
use crate::kernel::lane::word32::Field32;
use crate::kernel::lane::{Isa, Kernel, Reduction, print};
use crate::plan::Plan;
use crate::target::Templates;

/// More vectors in a group would save little: from here on the loads and the products decide.
const LARGEST_GROUP: u64 = 8;

/// The module of one instruction set.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Module {
    name: &'static str,
    title: &'static str,
    feature: &'static str,
    text: String,
}

/// The modules that a field has, from the smallest vectors up.
pub(super) fn modules(
    plan: &Plan,
    slice_functions: &[SliceFunction],
    templates: &Templates,
) -> Result<Vec<Module>, Error> {
    let Some(field) = plan.lanes() else {
        return Ok(Vec::new());
    };
    let mut modules = Vec::new();
    for (target, isa) in [(Target::Avx2, Isa::Avx2), (Target::Avx512, Isa::Avx512)] {
        if plan.targets.contains(&target) {
            modules.push(module(field, isa, slice_functions, templates)?);
        }
    }
    Ok(modules)
}

fn module(
    field: Field32,
    isa: Isa,
    slice_functions: &[SliceFunction],
    templates: &Templates,
) -> Result<Module, Error> {
    let isa_context = IsaContext::new(isa);
    let montgomery = field.reduction == Reduction::Montgomery;
    let kernels: Vec<Function> = field.kernels(isa).into_iter().map(Function::new).collect();
    let hides = kernels
        .iter()
        .flat_map(|kernel| &kernel.statements)
        .any(|statement| statement.contains("hidden("));
    let sums = Sums::new(field);
    let (factor_word, factor_words) = field.factor_words();
    let lanes = LanesContext {
        isa: &isa_context,
        word: "u32",
        word_bits: 32,
        montgomery,
        by_montgomery: field.reduction == Reduction::Canonical,
        hides,
        factor_word,
        factor_words,
        constants: constants(field),
        kernels,
        sums: &sums,
    };
    let body = templates.render("rust/lanes.rs", &lanes)?;
    let context = ModuleContext {
        isa: &isa_context,
        word_bits: 32,
        montgomery,
        slice_functions,
        sums: &sums,
        packed_binary: PACKED_BINARY,
        packed_unary: PACKED_UNARY,
        lanes: lanes_module(&body, hides),
    };
    let text = templates.render("rust/simd.rs", &context)?;
    Ok(Module {
        name: isa_context.name,
        title: isa_context.title,
        feature: isa_context.feature,
        text: text.trim_end().to_owned(),
    })
}

/// What `rust/simd.rs` is rendered with.
#[derive(Serialize)]
struct ModuleContext<'a> {
    isa: &'a IsaContext,
    word_bits: u32,
    montgomery: bool,
    slice_functions: &'a [SliceFunction],
    sums: &'a Sums,
    packed_binary: [PackedFunction; 3],
    packed_unary: [PackedFunction; 7],
    /// The module `lanes`.
    lanes: String,
}

/// What `rust/lanes.rs` is rendered with.
#[derive(Serialize)]
struct LanesContext<'a> {
    isa: &'a IsaContext,
    word: &'static str,
    word_bits: u32,
    montgomery: bool,
    /// Whether canonical elements are reduced by Montgomery's method.
    by_montgomery: bool,
    /// Whether kernels hide values from the compiler.
    hides: bool,
    factor_word: &'static str,
    factor_words: Vec<String>,
    constants: Vec<ConstantContext>,
    kernels: Vec<Function>,
    sums: &'a Sums,
}

/// An instruction set as the templates see it.
#[derive(Serialize)]
struct IsaContext {
    name: &'static str,
    title: &'static str,
    feature: &'static str,
    /// Elements in a vector, and lanes of 64 bits.
    lanes: u32,
    wide_lanes: u32,
    vector: &'static str,
    /// What intrinsics begin with.
    mm: &'static str,
    load: &'static str,
    store: &'static str,
    splat: String,
    /// The type of masks, where there are any.
    mask: &'static str,
    /// The class of registers.
    register: &'static str,
    /// The vector of the numbers of the lanes.
    indices: String,
}

impl IsaContext {
    fn new(isa: Isa) -> IsaContext {
        let lanes = match isa {
            Isa::Avx2 => 8,
            Isa::Avx512 => 16,
        };
        let numbers: Vec<String> = (0..lanes).map(|lane| lane.to_string()).collect();
        let numbers = numbers.join(", ");
        match isa {
            Isa::Avx2 => IsaContext {
                name: "avx2",
                title: "AVX2",
                feature: "avx2",
                lanes,
                wide_lanes: 4,
                vector: "__m256i",
                mm: "_mm256",
                load: "_mm256_loadu_si256",
                store: "_mm256_storeu_si256",
                splat: "_mm256_set1_epi32".to_owned(),
                mask: "",
                register: "ymm_reg",
                indices: format!("_mm256_setr_epi32({numbers})"),
            },
            Isa::Avx512 => IsaContext {
                name: "avx512",
                title: "AVX-512F",
                feature: "avx512f",
                lanes,
                wide_lanes: 8,
                vector: "__m512i",
                mm: "_mm512",
                load: "_mm512_loadu_si512",
                store: "_mm512_storeu_si512",
                splat: "_mm512_set1_epi32".to_owned(),
                mask: "u16",
                register: "zmm_reg",
                indices: format!("_mm512_setr_epi32({numbers})"),
            },
        }
    }
}

/// A kernel as a function.
#[derive(Serialize)]
struct Function {
    name: &'static str,
    doc: Vec<String>,
    parameters: String,
    statements: Vec<String>,
    result: String,
    result_type: &'static str,
}

impl Function {
    fn new(kernel: Kernel) -> Function {
        let printed = print::print(&kernel.program);
        Function {
            name: kernel.name,
            doc: kernel.doc,
            parameters: printed.parameters,
            statements: printed.statements,
            result: printed.result,
            result_type: printed.result_type,
        }
    }
}

/// A method of packed elements.
#[derive(Clone, Copy, Serialize)]
struct PackedFunction {
    name: &'static str,
    doc: &'static str,
}

const fn packed(name: &'static str, doc: &'static str) -> PackedFunction {
    PackedFunction { name, doc }
}

const PACKED_BINARY: [PackedFunction; 3] = [
    packed("add", "Sums, lane by lane."),
    packed("sub", "Differences, lane by lane."),
    packed("mul", "Products, lane by lane."),
];

const PACKED_UNARY: [PackedFunction; 7] = [
    packed("neg", "Negatives."),
    packed("double", "Doubles."),
    packed("halve", "Halves."),
    packed("square", "Squares."),
    packed("exp3", "Third powers."),
    packed("exp5", "Fifth powers."),
    packed("exp7", "Seventh powers."),
];

/// How many terms are added before the carry-safe accumulators take over.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Sums {
    /// Elements that can be added in their own size, without reduction.
    sum_group: u64,
    /// Pairs of vectors whose products can be added in 64 bits.
    product_group: u64,
    /// Whether both products of a lane can be added in 64 bits.
    one_term: bool,
    /// Why the group is as large as it is.
    products_text: String,
}

impl Sums {
    fn new(field: Field32) -> Sums {
        let largest = u64::from(field.modulus) - 1;
        let terms = u64::from(u32::MAX) / largest;
        // A pair of vectors puts two products into each lane of 64 bits.
        let pairs = field.products_in_a_lane() / 2;
        let product_group = pairs.clamp(1, LARGEST_GROUP);
        Sums {
            sum_group: terms.min(LARGEST_GROUP),
            product_group,
            one_term: pairs > 0,
            products_text: format!("{} (p - 1)^2 < 2^64", 2 * product_group),
        }
    }
}

/// A constant of the module `lanes`.
#[derive(Serialize)]
struct ConstantContext {
    doc: String,
    name: String,
    value: String,
}

/// What fields of canonical elements need beside the constants of their scalar code.
fn constants(field: Field32) -> Vec<ConstantContext> {
    let constant = |name: String, doc: String, value: u32| ConstantContext {
        doc,
        name,
        value: grouped_hex(value.into()),
    };
    let mut constants = Vec::new();
    if field.reduction == Reduction::Montgomery {
        return constants;
    }
    let r = field.power_of_r(1);
    constants.push(constant("R".to_owned(), "`2^32 mod p`.".to_owned(), r));
    if field.reduction == Reduction::Canonical {
        let p_inverse = field.p_inverse();
        let doc = "`p^-1 mod 2^32`.".to_owned();
        constants.push(constant("P_INVERSE".to_owned(), doc, p_inverse));
        for power in Field32::POWERS_OF_R {
            let r = field.power_of_r(power);
            let name = format!("R{power}");
            constants.push(constant(name, format!("`R^{power} mod p`."), r));
            let name = format!("R{power}_P_INVERSE");
            let doc = format!("`R{power} p^-1 mod 2^32`.");
            constants.push(constant(name, doc, r.wrapping_mul(p_inverse)));
        }
    }
    constants
}

/// The module around a body: what it imports is what its text names.
fn lanes_module(body: &str, hides: bool) -> String {
    let intrinsics: BTreeSet<&str> = body
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("_mm") || word.starts_with("__m"))
        .collect();
    let mut text = String::from(
        "    /// Arithmetic on one vector. Elements are below p, and so are results.\n    mod lanes {\n",
    );
    if hides {
        text += "        use core::arch::asm;\n";
    }
    text += "        use core::arch::x86_64::{\n";
    let mut line = String::new();
    for intrinsic in intrinsics {
        let item = format!("{intrinsic},");
        if !line.is_empty() && 12 + line.len() + 1 + item.len() > 100 {
            text += &format!("            {line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &item;
    }
    text += &format!("            {line}\n        }};\n\n");
    text += body.trim_end();
    text += "\n    }";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(modulus: u32) -> Sums {
        Sums::new(Field32 {
            modulus,
            reduction: Reduction::Montgomery,
        })
    }

    #[test]
    fn groups_are_as_large_as_the_lanes_allow() {
        let groups = |modulus| {
            let sums = sums(modulus);
            (sums.sum_group, sums.product_group, sums.one_term)
        };
        // 2^31 - 1, the largest modulus below 2^31.
        assert_eq!(groups(0x7fff_ffff), (2, 2, true));
        // Seven 32-bit terms fit here, and 49 / 2 products.
        assert_eq!(groups(613_566_757), (7, 8, true));
        // Around 2^32 / 3: three terms below, two above; 9 and 8 products.
        assert_eq!(groups(1_431_655_751), (3, 4, true));
        assert_eq!(groups(1_431_655_777), (2, 4, true));
        // Around 2^64 / 6: six products below.
        assert_eq!(groups(1_753_413_037), (2, 3, true));
        assert_eq!(groups(1_753_413_061), (2, 2, true));
        // Around 2^64 / 2: two products below, one above.
        assert_eq!(groups(3_037_000_493), (1, 1, true));
        assert_eq!(groups(3_037_000_507), (1, 1, false));
        assert_eq!(groups(3), (8, 8, true));
    }

    #[test]
    fn a_full_group_does_not_leave_its_lane() {
        for modulus in [3, 5, 3329, 65537, 0x7800_0001, 0x7fff_ffff, 3_221_225_473] {
            let sums = sums(modulus);
            let largest = u64::from(modulus) - 1;
            assert!(sums.sum_group * largest < 1 << 32);
            let products = if sums.one_term {
                2 * sums.product_group
            } else {
                1
            };
            assert!(u128::from(products) * u128::from(largest).pow(2) < 1 << 64);
        }
    }
}
