//! Prints lane programs as calls of Rust's intrinsics.

use std::fmt::Write as _;

use super::{Binary, Isa, Merge, Op, Parameter, Program, Unary, Value, Width};

/// The even or the odd elements of 32 bits, as the bits of a mask.
const ODD: &str = "ODD";
const EVEN: &str = "EVEN";

/// What is left of a line of 100 characters where the statements stand.
const LINE: usize = 88;

/// A program as the body of a function.
#[derive(Debug, Clone)]
pub(crate) struct Printed {
    /// The parameters with their types, separated by commas.
    pub parameters: String,
    /// One statement or comment a line.
    pub statements: Vec<String>,
    /// The value of the function, and its type.
    pub result: String,
    pub result_type: &'static str,
}

/// The body calls intrinsics, `splat` and `hidden`, and names the masks `EVEN` and `ODD`; vectors
/// have the type `Vector`.
pub(crate) fn print(program: &Program) -> Printed {
    let name = |value: Value| program.names[value.0].as_str();
    let mut parameters = Vec::new();
    let mut statements = Vec::new();
    for parameter in &program.parameters {
        match parameter {
            Parameter::Vector(name) => parameters.push(format!("{name}: Vector")),
            Parameter::Factor(names) => {
                parameters.push("factor: Factor".to_owned());
                statements.push(format!("let Factor([{}]) = factor;", names.join(", ")));
            }
        }
    }
    // A result that nothing else reads is returned where it is computed.
    let last = program.ops.len() - 1;
    let returned_at_once = program.outputs == [Value(last)];
    let mut notes = program.notes.iter().peekable();
    let mut result = None;
    let used = program.used();
    for (index, op) in program.ops.iter().enumerate() {
        if !used[index] {
            continue;
        }
        while let Some((_, note)) = notes.next_if(|(at, _)| *at <= index) {
            statements.push(format!("// {note}"));
        }
        if *op == Op::Input {
            continue;
        }
        let expression = expression(program, op);
        if returned_at_once && index == last {
            result = Some(expression);
        } else {
            let declaration = format!("let {} =", program.names[index]);
            if declaration.len() + 2 + expression.len() > LINE {
                statements.push(declaration);
                statements.push(format!("    {expression};"));
            } else {
                statements.push(format!("{declaration} {expression};"));
            }
        }
    }
    let result = result.unwrap_or_else(|| match program.outputs[..] {
        [x] => name(x).to_owned(),
        [x, y] => format!("({}, {})", name(x), name(y)),
        _ => unreachable!("programs have one or two outputs"),
    });
    let result_type = match program.outputs.len() {
        1 => "Vector",
        _ => "(Vector, Vector)",
    };
    Printed {
        parameters: parameters.join(", "),
        statements,
        result,
        result_type,
    }
}

fn expression(program: &Program, op: &Op) -> String {
    let isa = program.isa;
    let v = |value: &Value| program.names[value.0].as_str();
    let m = |mask: &super::Mask| program.names[mask.0].as_str();
    let call = |function: &str, arguments: &[&str]| {
        format!("{}_{function}({})", prefix(isa), arguments.join(", "))
    };
    match op {
        Op::Input => unreachable!("a parameter"),
        Op::Splat(constant) => format!("splat({})", constant.text),
        Op::Unary(Unary::Hide, _, x) => format!("hidden({})", v(x)),
        Op::Unary(op, width, x) => call(&unary(*op, *width), &[v(x)]),
        Op::Binary(op, width, x, y) => call(&binary(isa, *op, *width), &[v(x), v(y)]),
        Op::Merge(merge, x, y) => match (merge, isa) {
            (Merge::Blend, Isa::Avx2) => call("blend_epi32::<0b1010_1010>", &[v(x), v(y)]),
            (Merge::Blend, Isa::Avx512) => call("mask_blend_epi32", &[ODD, v(x), v(y)]),
            (Merge::OddToEven, _) => {
                call("mask_shuffle_epi32::<0b11_11_01_01>", &[v(y), EVEN, v(x)])
            }
            (Merge::EvenToOdd, _) => {
                call("mask_shuffle_epi32::<0b10_10_00_00>", &[v(x), ODD, v(y)])
            }
        },
        Op::SubOdd { even, x, y } => call("mask_sub_epi32", &[v(even), ODD, v(x), v(y)]),
        Op::Less(width, x, y) => call(&sized("cmplt_epu", *width, "_mask"), &[v(x), v(y)]),
        Op::Test(width, x, y) => call(&sized("test_epi", *width, "_mask"), &[v(x), v(y)]),
        Op::AddWhere(width, mask, x, y) => call(
            &sized("mask_add_epi", *width, ""),
            &[v(x), m(mask), v(x), v(y)],
        ),
        Op::SubOrZero(width, mask, x, y) => {
            call(&sized("maskz_sub_epi", *width, ""), &[m(mask), v(x), v(y)])
        }
        Op::Choose(width, mask, x, y) => {
            call(&sized("mask_blend_epi", *width, ""), &[m(mask), v(y), v(x)])
        }
    }
}

fn prefix(isa: Isa) -> &'static str {
    match isa {
        Isa::Avx2 => "_mm256",
        Isa::Avx512 => "_mm512",
    }
}

fn sized(stem: &str, width: Width, rest: &str) -> String {
    format!("{stem}{}{rest}", width.bits())
}

fn unary(op: Unary, width: Width) -> String {
    let shift = |stem: &str, by: u32| {
        let mut name = sized(stem, width, "");
        write!(name, "::<{by}>").expect("writing to a string");
        name
    };
    match op {
        Unary::OddToEven => "shuffle_epi32::<0b11_11_01_01>".to_owned(),
        Unary::EvenToOdd => "shuffle_epi32::<0b10_10_00_00>".to_owned(),
        Unary::ShiftLeft(by) => shift("slli_epi", by),
        Unary::ShiftRight(by) => shift("srli_epi", by),
        Unary::Hide => unreachable!("no intrinsic"),
    }
}

fn binary(isa: Isa, op: Binary, width: Width) -> String {
    let whole = |stem: &str| match isa {
        Isa::Avx2 => format!("{stem}_si256"),
        Isa::Avx512 => format!("{stem}_si512"),
    };
    match op {
        Binary::Add => sized("add_epi", width, ""),
        Binary::Sub => sized("sub_epi", width, ""),
        Binary::Min => sized("min_epu", width, ""),
        Binary::Max => sized("max_epu", width, ""),
        Binary::And => whole("and"),
        Binary::AndNot => whole("andnot"),
        Binary::MulEven => "mul_epu32".to_owned(),
        Binary::MulEvenSigned => "mul_epi32".to_owned(),
        Binary::Equal => sized("cmpeq_epi", width, ""),
    }
}
