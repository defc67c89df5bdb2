//! What was executed, and what went wrong.

use std::fmt::{Debug, Write as _};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::test_field::TestField;

/// Failures that are kept word for word; the rest are only counted.
const SHOWN: usize = 8;

/// Counts comparisons and collects failures, so that one run shows all that is wrong.
#[derive(Debug, Default)]
pub struct Report {
    field: String,
    pub fields: u64,
    pub cases: u64,
    pub failed: u64,
    failures: Vec<String>,
}

/// The threads of [`Report::over`].
const WORKER: &str = "checks";

impl Report {
    /// Runs the same checks of all fields, on all processors.
    pub fn over<F>(fields: &[Box<dyn TestField>], checks: F) -> Report
    where
        F: Fn(&dyn TestField, &mut Report) + Sync,
    {
        silence_workers();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut report = Report::default();
            while let Some(field) = fields.get(next.fetch_add(1, Ordering::Relaxed)) {
                report.field(field.name(), |report| checks(&**field, report));
            }
            report
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let spawn = |_| {
                let worker = thread::Builder::new().name(WORKER.to_owned());
                worker.spawn_scoped(scope, work).expect("a thread")
            };
            let workers: Vec<_> = (0..threads).map(spawn).collect();
            let mut all = Report::default();
            for worker in workers {
                all.merge(worker.join().expect("checks catch their panics"));
            }
            all
        })
    }

    /// Runs the checks of one field. A panic is a failure of that field and ends only its checks.
    pub fn field(&mut self, name: &str, checks: impl FnOnce(&mut Report)) {
        name.clone_into(&mut self.field);
        self.fields += 1;
        let outcome = catch_unwind(AssertUnwindSafe(|| checks(self)));
        if let Err(payload) = outcome {
            self.fail(&format!("panicked: {}", panic_text(payload.as_ref())));
        }
    }

    /// Counts one comparison. `what` says what was computed, with its inputs.
    pub fn equal<T: PartialEq + Debug>(&mut self, what: impl FnOnce() -> String, got: T, want: T) {
        self.cases += 1;
        if got != want {
            self.fail(&format!("{} = {got:x?}, expected {want:x?}", what()));
        }
    }

    /// Counts one condition.
    pub fn holds(&mut self, what: impl FnOnce() -> String, condition: bool) {
        self.cases += 1;
        if !condition {
            self.fail(&what());
        }
    }

    /// Counts one call that has to panic.
    pub fn panics<T>(&mut self, what: impl FnOnce() -> String, call: impl FnOnce() -> T) {
        self.cases += 1;
        if catch_unwind(AssertUnwindSafe(call)).is_ok() {
            self.fail(&format!("{} does not panic", what()));
        }
    }

    /// Adds cases that a tight loop has counted by itself.
    pub fn count(&mut self, cases: u64) {
        self.cases += cases;
    }

    pub fn fail(&mut self, what: &str) {
        self.failed += 1;
        if self.failures.len() < SHOWN {
            self.failures.push(format!("{}: {what}", self.field));
        }
    }

    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    pub fn merge(&mut self, other: Report) {
        self.fields += other.fields;
        self.cases += other.cases;
        self.failed += other.failed;
        self.failures.extend(other.failures);
        self.failures.truncate(SHOWN);
    }

    /// Prints what was executed.
    ///
    /// # Panics
    ///
    /// If anything failed, or if nothing was executed.
    pub fn finish(self, title: &str) {
        println!("{title}: {} fields, {} cases", self.fields, self.cases);
        assert!(self.cases > 0, "{title}: nothing was executed");
        if self.failed > 0 {
            let mut text = format!("{title}: {} of {} cases failed\n", self.failed, self.cases);
            for failure in &self.failures {
                writeln!(text, "  {failure}").expect("writing to a string");
            }
            panic!("{text}");
        }
    }
}

/// What panics in a worker is expected to, or is reported: neither needs a message of its own.
fn silence_workers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(WORKER) {
                previous(info);
            }
        }));
    });
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        payload.downcast_ref::<&str>().unwrap_or(&"no message")
    }
}
