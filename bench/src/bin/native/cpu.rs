//! Slices, timed: ours and Plonky3's by turns.

use std::time::{Duration, Instant};

use bench::row::{Bench, Conditions, Measurement, Row, round};
use bench::statistics::{half_interquartile_range, median};

use crate::kernels::{Element, Field, Function, baby_bear, goldilocks, koala_bear, mersenne31};
use crate::operands::Operands;

/// The lengths of gnark-crypto's published table.
const LENGTHS: &[usize] = &[256, 512, 65536, 524_288, 1_048_576, 2_097_152];
const QUICK: &[usize] = &[512];

/// How long one timed run takes, unless a single call takes longer.
const RUN: Duration = Duration::from_micros(30);
/// How long all runs of an operation take together, or longer where that would be too few.
const OPERATION: Duration = Duration::from_millis(120);
const ROUNDS: std::ops::RangeInclusive<u32> = 31..=501;

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
        .filter_map(|set| Some((set.isa, *functions_for(op, set.functions).first()?)))
        .next_back()
        .expect("portable code for every operation");
    let mut contenders: Vec<Box<dyn Contender>> = vec![
        Contestant::boxed::<F>("ours", n, ours),
        Contestant::boxed::<F>("ours-portable", n, functions_for(op, F::SCALAR)[0]),
    ];
    for function in functions_for(op, F::PLONKY3) {
        contenders.push(Contestant::boxed::<F>("plonky3", n, function));
    }

    // Who is fast and wrong is not to be measured.
    for contender in &mut contenders {
        contender.run(1);
    }
    let expected = contenders[0].outcome();
    for contender in &contenders {
        assert!(
            contender.outcome() == expected,
            "{} {op}: {} computes something else",
            F::NAME,
            contender.name()
        );
    }

    let times = time_by_turns(&mut contenders, n);
    let ours = median(&times[0]);
    let measurement = Measurement {
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
    };
    ["plonky3", "ours-portable"]
        .iter()
        .filter_map(|peer| {
            let theirs = contenders
                .iter()
                .zip(&times)
                .filter(|(contender, _)| contender.name() == *peer)
                .map(|(_, times)| times)
                .min_by(|a, b| median(a).total_cmp(&median(b)))?;
            let ratios: Vec<f64> = times[0].iter().zip(theirs).map(|(a, b)| a / b).collect();
            let mut row = measurement.against(peer, median(theirs));
            row.spread = Some(round(half_interquartile_range(&ratios), 2));
            Some(row)
        })
        .collect()
}

fn functions_for<E>(
    op: &str,
    functions: &'static [Function<E>],
) -> Vec<unsafe fn(&mut Operands<E>)> {
    functions
        .iter()
        .filter(|(name, _)| *name == op)
        .map(|(_, function)| *function)
        .collect()
}

/// The times of every contender in nanoseconds for an element, one for each round.
fn time_by_turns(contenders: &mut [Box<dyn Contender>], n: usize) -> Vec<Vec<f64>> {
    let calls: Vec<u32> = contenders
        .iter_mut()
        .map(|contender| calls_for(RUN, contender.as_mut()))
        .collect();
    let started = Instant::now();
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0.. {
        if round >= *ROUNDS.end() || round >= *ROUNDS.start() && started.elapsed() > OPERATION {
            break;
        }
        let mut turns: Vec<usize> = (0..contenders.len()).collect();
        // Nobody always comes after the same other.
        turns.rotate_left(round as usize % contenders.len());
        if round % 2 == 1 {
            turns.reverse();
        }
        for turn in turns {
            let contender = &mut contenders[turn];
            // Brings its slices into the caches that they fit in.
            contender.run(1);
            let elapsed = time(contender.as_mut(), calls[turn]);
            times[turn].push(elapsed.as_secs_f64() * 1e9 / f64::from(calls[turn]) / n as f64);
        }
    }
    times
}

fn time(contender: &mut dyn Contender, calls: u32) -> Duration {
    let started = Instant::now();
    contender.run(calls);
    started.elapsed()
}

/// How many calls last that long.
fn calls_for(duration: Duration, contender: &mut dyn Contender) -> u32 {
    let mut calls = 1;
    while time(contender, calls) < duration {
        calls *= 2;
    }
    calls
}

/// One of those who compute the same.
trait Contender {
    fn name(&self) -> &'static str;
    /// Calls the function that often.
    fn run(&mut self, calls: u32);
    /// What the function has computed up to now.
    fn outcome(&self) -> Vec<u64>;
}

struct Contestant<E> {
    name: &'static str,
    operands: Operands<E>,
    function: unsafe fn(&mut Operands<E>),
}

impl<E: Element + 'static> Contestant<E> {
    fn boxed<F: Field>(
        name: &'static str,
        n: usize,
        function: unsafe fn(&mut Operands<E>),
    ) -> Box<dyn Contender> {
        Box::new(Self {
            name,
            operands: Operands::new(n, F::MODULUS, E::from_integer),
            function,
        })
    }
}

impl<E: Element> Contender for Contestant<E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, calls: u32) {
        for _ in 0..calls {
            // SAFETY: functions come from sets that this processor has, or are Plonky3's, which is
            // compiled for this processor.
            unsafe { (self.function)(&mut self.operands) }
        }
    }

    fn outcome(&self) -> Vec<u64> {
        let operands = &self.operands;
        let elements = operands.dst.iter();
        elements
            .chain([&operands.result])
            .map(|element| element.canonical())
            .collect()
    }
}
