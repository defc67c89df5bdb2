//! Runs lane programs on a single lane.

use super::{Binary, Merge, Op, Program, Unary, Width};

/// The outputs for the values of the parameters, one lane each.
pub(crate) fn evaluate(program: &Program, inputs: &[u64]) -> Vec<u64> {
    let mut inputs = inputs.iter();
    let mut values: Vec<u64> = Vec::new();
    for op in &program.ops {
        let value = match op {
            Op::Input => *inputs.next().expect("a value for every parameter"),
            _ => step(op, &values),
        };
        values.push(value);
    }
    assert_eq!(inputs.next(), None, "more values than parameters");
    program.outputs.iter().map(|v| values[v.0]).collect()
}

/// A mask is kept as elements of ones and of zeros.
fn step(op: &Op, values: &[u64]) -> u64 {
    let v = |value: &super::Value| values[value.0];
    let m = |mask: &super::Mask| values[mask.0];
    match op {
        Op::Input => unreachable!("taken from the arguments"),
        Op::Splat(constant) => constant.lane,
        Op::Unary(op, width, x) => unary(*op, *width, v(x)),
        Op::Binary(op, width, x, y) => binary(*op, *width, v(x), v(y)),
        Op::Merge(merge, x, y) => {
            let ((x_even, x_odd), (y_even, y_odd)) = (halves(v(x)), halves(v(y)));
            match merge {
                Merge::Blend => pair(x_even, y_odd),
                Merge::OddToEven => pair(x_odd, y_odd),
                Merge::EvenToOdd => pair(x_even, y_even),
            }
        }
        Op::SubOdd { even, x, y } => {
            let difference = halves(v(x)).1.wrapping_sub(halves(v(y)).1);
            pair(halves(v(even)).0, difference)
        }
        Op::Less(width, x, y) => by_element(*width, v(x), v(y), |x, y| ones_if(x < y)),
        Op::Test(width, x, y) => by_element(*width, v(x), v(y), |x, y| ones_if(x & y != 0)),
        Op::AddWhere(width, mask, x, y) => {
            by_element(*width, v(x), v(y) & m(mask), u64::wrapping_add)
        }
        Op::SubOrZero(width, mask, x, y) => {
            by_element(*width, v(x), v(y), u64::wrapping_sub) & m(mask)
        }
        Op::Choose(_, mask, x, y) => v(x) & m(mask) | v(y) & !m(mask),
    }
}

fn unary(op: Unary, width: Width, x: u64) -> u64 {
    let (even, odd) = halves(x);
    match (op, width) {
        (Unary::OddToEven, _) => pair(odd, odd),
        (Unary::EvenToOdd, _) => pair(even, even),
        (Unary::ShiftLeft(by), _) => by_element(width, x, 0, |x, _| x << by),
        (Unary::ShiftRight(by), _) => by_element(width, x, 0, |x, _| x >> by),
        (Unary::Hide, _) => x,
    }
}

fn binary(op: Binary, width: Width, x: u64, y: u64) -> u64 {
    let even = |x: u64| u64::from(halves(x).0);
    match op {
        Binary::Add => by_element(width, x, y, u64::wrapping_add),
        Binary::Sub => by_element(width, x, y, u64::wrapping_sub),
        Binary::Min => by_element(width, x, y, u64::min),
        Binary::Max => by_element(width, x, y, u64::max),
        Binary::And => x & y,
        Binary::AndNot => !x & y,
        Binary::MulEven => even(x) * even(y),
        Binary::MulEvenSigned => {
            let even = |x: u64| i64::from(halves(x).0.cast_signed());
            (even(x) * even(y)).cast_unsigned()
        }
        Binary::Equal => by_element(width, x, y, |x, y| ones_if(x == y)),
    }
}

/// The same function of the elements of one lane; the results are cut to the size of an element.
fn by_element(width: Width, x: u64, y: u64, f: impl Fn(u64, u64) -> u64) -> u64 {
    match width {
        Width::W64 => f(x, y),
        Width::W32 => {
            let ((x_even, x_odd), (y_even, y_odd)) = (halves(x), halves(y));
            let f = |x, y| f(u64::from(x), u64::from(y)) as u32;
            pair(f(x_even, y_even), f(x_odd, y_odd))
        }
    }
}

fn ones_if(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}

/// The even and the odd element.
fn halves(x: u64) -> (u32, u32) {
    (x as u32, (x >> 32) as u32)
}

fn pair(even: u32, odd: u32) -> u64 {
    u64::from(even) | u64::from(odd) << 32
}
