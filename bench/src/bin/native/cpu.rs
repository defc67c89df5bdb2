//! Slices, timed: ours and Plonky3's by turns.

use bench::row::{Bench, Conditions, Measurement, Row};

use crate::kernels::{Element, Field, Function, baby_bear, goldilocks, koala_bear, mersenne31};
use crate::operands::Operands;
use crate::turns::{Contender, compare};

/// The lengths of gnark-crypto's published table.
const LENGTHS: &[usize] = &[256, 512, 65536, 524_288, 1_048_576, 2_097_152];
const QUICK: &[usize] = &[512];

/// Measures all fields; `report` gets each row when it is known.
pub fn measure(quick: bool, mut report: impl FnMut(Row)) {
    let lengths = if quick { QUICK } else { LENGTHS };
    measure_field::<baby_bear::Field>(lengths, &mut report);
    measure_field::<koala_bear::Field>(lengths, &mut report);
    measure_field::<mersenne31::Field>(lengths, &mut report);
    measure_field::<goldilocks::Field>(lengths, &mut report);
}

fn measure_field<F: Field>(lengths: &[usize], report: &mut impl FnMut(Row)) {
    let portable = F::OURS[0].functions;
    for &n in lengths {
        for &(op, _) in portable {
            for row in measure_operation::<F>(op, n) {
                report(row);
            }
        }
    }
}

fn measure_operation<F: Field>(op: &str, n: usize) -> Vec<Row> {
    let available = F::OURS.iter().filter(|set| set.is_available());
    let (isa, ours) = available
        .filter_map(|set| Some((set.isa, functions_for(op, set.functions).next()?)))
        .next_back()
        .expect("portable code for every operation");
    let mut contenders = vec![contender::<F, _>("ours", n, ours)];
    contenders.extend(
        functions_for(op, F::PLONKY3).map(|function| contender::<F, _>("plonky3", n, function)),
    );
    contenders.extend(
        functions_for(op, F::SCALAR)
            .map(|function| contender::<F, _>("ours-portable", n, function)),
    );
    compare(&mut contenders, n, |ours| Measurement {
        bench: Bench::Cpu,
        field: F::NAME.to_owned(),
        op: op.to_owned(),
        conditions: Conditions {
            n: Some(n),
            isa: Some(isa.to_owned()),
            ..Conditions::default()
        },
        unit: "ns/element",
        ours,
    })
}

fn functions_for<E>(
    op: &str,
    functions: &'static [Function<E>],
) -> impl Iterator<Item = unsafe fn(&mut Operands<E>)> {
    functions
        .iter()
        .filter(move |(name, _)| *name == op)
        .map(|(_, function)| *function)
}

fn contender<F: Field, E: Element + 'static>(
    peer: &'static str,
    n: usize,
    function: unsafe fn(&mut Operands<E>),
) -> Contender {
    let mut operands = Operands::new(n, F::MODULUS, E::from_integer);
    let call = move |operands: &mut Operands<E>| {
        // SAFETY: functions come from sets that this processor has, or are Plonky3's, which is
        // compiled for this processor.
        unsafe { function(operands) }
    };
    call(&mut operands);
    let results = operands.dst.iter().chain([&operands.result]);
    Contender {
        peer,
        outcome: results.map(|element| element.canonical()).collect(),
        run: Box::new(move |calls| {
            for _ in 0..calls {
                call(&mut operands);
            }
        }),
    }
}
