//! Timing by turns, so that what disturbs the machine disturbs everybody.

use std::time::{Duration, Instant};

use bench::row::{Measurement, Row, round};
use bench::statistics::{half_interquartile_range, median};

/// How long one timed run takes, unless a single call takes longer.
const RUN: Duration = Duration::from_micros(30);
/// How long all runs of an operation take together, or longer where that would be too few.
const OPERATION: Duration = Duration::from_millis(120);
const ROUNDS: std::ops::RangeInclusive<u32> = 31..=501;

/// One of those who compute the same.
pub struct Contender {
    pub peer: &'static str,
    /// What it has computed from what all were given.
    pub outcome: Vec<u64>,
    /// Does it that often.
    pub run: Box<dyn FnMut(u32)>,
}

/// Times all contenders, of which the first is ours, and compares it with each of the others, with
/// the fastest one where several are of one peer.
///
/// A call is for that many operations. `measurement` is given our time for one, in nanoseconds.
///
/// # Panics
///
/// If one computes something else than we do: who is fast and wrong is not to be measured.
pub fn compare(
    contenders: &mut [Contender],
    operations: usize,
    measurement: impl Fn(f64) -> Measurement,
) -> Vec<Row> {
    let times = time(contenders, operations);
    let measurement = measurement(median(&times[0]));
    let mut peers = Vec::new();
    for contender in &contenders[1..] {
        assert!(
            contender.outcome == contenders[0].outcome,
            "{} {}: {} computes something else",
            measurement.field,
            measurement.op,
            contender.peer
        );
        if !peers.contains(&contender.peer) {
            peers.push(contender.peer);
        }
    }
    peers
        .into_iter()
        .filter_map(|peer| {
            let theirs = contenders
                .iter()
                .zip(&times)
                .filter(|(contender, _)| contender.peer == peer)
                .map(|(_, times)| times)
                .min_by(|a, b| median(a).total_cmp(&median(b)))?;
            let ratios: Vec<f64> = times[0].iter().zip(theirs).map(|(a, b)| a / b).collect();
            let mut row = measurement.against(peer, median(theirs));
            row.spread = Some(round(half_interquartile_range(&ratios), 2));
            Some(row)
        })
        .collect()
}

/// The times of every contender in nanoseconds for an operation, one for each round.
fn time(contenders: &mut [Contender], operations: usize) -> Vec<Vec<f64>> {
    let calls: Vec<u32> = contenders.iter_mut().map(calls_for_a_run).collect();
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
            // Once for the caches: what fits in them is there when the time starts.
            (contenders[turn].run)(1);
            let elapsed = time_calls(&mut contenders[turn], calls[turn]).as_secs_f64() * 1e9;
            times[turn].push(elapsed / f64::from(calls[turn]) / operations as f64);
        }
    }
    times
}

fn time_calls(contender: &mut Contender, calls: u32) -> Duration {
    let started = Instant::now();
    (contender.run)(calls);
    started.elapsed()
}

fn calls_for_a_run(contender: &mut Contender) -> u32 {
    let mut calls = 1;
    while time_calls(contender, calls) < RUN {
        calls *= 2;
    }
    calls
}
