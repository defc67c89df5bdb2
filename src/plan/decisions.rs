//! What a plan has decided, operation by operation, for people.

use crate::config::Target;
use crate::kernel::Bound;
use crate::kernel::candidates::{Candidate, Operation};
use crate::kernel::cost::Cost;

use super::cuda::CudaPlan;
use super::{Plan, host, word};

/// The algorithm of one operation on one target, and what else was looked at.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub target: Target,
    pub operation: &'static str,
    /// How, and why that is right.
    pub algorithm: String,
    /// Of operations that are straight-line programs.
    pub cost: Option<Cost>,
    pub others: Vec<Other>,
}

/// An algorithm that was not taken.
#[derive(Debug, Clone)]
pub(crate) struct Other {
    pub algorithm: String,
    /// Its cost, or why it would be wrong.
    pub outcome: Result<Cost, Bound>,
}

impl Plan {
    /// Every decision, target by target.
    pub fn decisions(&self) -> Vec<Decision> {
        self.targets
            .iter()
            .flat_map(|target| match target {
                Target::Rust if self.stored.words == 1 => described(Target::Rust, word::rust(self)),
                Target::Rust => self.host_decisions(),
                Target::Avx2 | Target::Avx512 => described(*target, word::vectors(self, *target)),
                Target::Cuda => self.cuda_decisions(),
            })
            .collect()
    }

    /// How Rust code multiplies.
    pub fn mul_algorithm(&self) -> String {
        match self.stored.words {
            1 => word::mul(self),
            _ => host::chosen(self, Operation::Mul).algorithm,
        }
    }

    fn host_decisions(&self) -> Vec<Decision> {
        let programs = [("mul", Operation::Mul), ("square", Operation::Square)]
            .into_iter()
            .map(|(name, operation)| {
                let chosen = host::chosen(self, operation);
                let mut others = host::candidates(self, operation);
                others.retain(|candidate| candidate.strategy != chosen.strategy);
                compared(Target::Rust, name, chosen, others)
            });
        let algorithms = described(Target::Rust, host::algorithms(self));
        programs.chain(algorithms).collect()
    }

    fn cuda_decisions(&self) -> Vec<Decision> {
        let CudaPlan { mul, square, .. } = CudaPlan::new(self);
        vec![
            compared(Target::Cuda, "mul", mul.taken, mul.others),
            compared(Target::Cuda, "sqr", square.taken, square.others),
        ]
    }
}

/// A decision between programs.
fn compared(
    target: Target,
    operation: &'static str,
    taken: Candidate,
    others: Vec<Candidate>,
) -> Decision {
    let others = others.into_iter().map(|candidate| Other {
        algorithm: candidate.algorithm,
        outcome: candidate.program.map(|program| program.cost()),
    });
    Decision {
        target,
        operation,
        cost: taken.cost(),
        algorithm: taken.algorithm,
        others: others.collect(),
    }
}

fn described(target: Target, algorithms: Vec<word::Algorithm>) -> Vec<Decision> {
    algorithms
        .into_iter()
        .map(|algorithm| Decision {
            target,
            operation: algorithm.operation,
            algorithm: algorithm.algorithm,
            cost: None,
            others: Vec::new(),
        })
        .collect()
}
