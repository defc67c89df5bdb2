//! Loops in assembly as rustc writes it for x86-64.

use std::collections::{HashMap, HashSet};

/// The functions of a file.
pub struct Assembly<'a> {
    /// By symbol.
    functions: HashMap<&'a str, Vec<&'a str>>,
    /// From readable paths to symbols.
    symbols: HashMap<String, &'a str>,
}

/// An innermost loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Labels and instructions, one to a line.
    pub text: String,
    /// Vector instructions other than loads, stores and copies.
    pub vector_ops: usize,
    /// How far an iteration advances in the slices that it goes through.
    pub bytes: u64,
}

impl<'a> Assembly<'a> {
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let mut functions = HashMap::new();
        let mut aliases = Vec::new();
        let mut current: Option<(&str, Vec<&str>)> = None;
        for line in text.lines() {
            if let Some((alias, symbol)) = line
                .trim_start()
                .strip_prefix(".set ")
                .and_then(|rest| rest.split_once(", "))
            {
                aliases.push((alias, symbol));
            } else if let Some(label) = label(line)
                && !label.starts_with(".L")
            {
                current = Some((label, Vec::new()));
            } else if line.trim() == ".cfi_endproc" {
                functions.extend(current.take());
            } else if let Some((_, lines)) = &mut current {
                let code = line.split('#').next().unwrap_or_default().trim();
                let is_code = self::label(code).is_some() || !code.starts_with('.');
                if is_code && !code.is_empty() {
                    lines.push(code);
                }
            }
        }
        // Functions with the same code are merged.
        for (alias, symbol) in aliases {
            if let Some(lines) = functions.get(symbol).cloned() {
                functions.insert(alias, lines);
            }
        }
        let symbols = functions
            .keys()
            .map(|symbol| (format!("{:#}", rustc_demangle::demangle(symbol)), *symbol))
            .collect();
        Self { functions, symbols }
    }

    /// The paths of all functions, sorted.
    #[must_use]
    pub fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self.symbols.keys().map(String::as_str).collect();
        paths.sort_unstable();
        paths
    }

    /// The innermost loop with the most vector instructions that the function with this path has,
    /// or one that it calls; `None` if none has vector instructions.
    #[must_use]
    pub fn hottest_loop(&self, path: &str) -> Option<Loop> {
        let mut pending = vec![*self.symbols.get(path)?];
        let mut seen = HashSet::new();
        let mut hottest: Option<Loop> = None;
        while let Some(symbol) = pending.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            let lines = &self.functions[symbol];
            pending.extend(self.callees(lines));
            for body in innermost_loops(lines) {
                let candidate = Loop::of(body);
                let best = hottest.as_ref().map_or(0, |best| best.vector_ops);
                if candidate.vector_ops > best {
                    hottest = Some(candidate);
                }
            }
        }
        hottest
    }

    fn callees(&self, lines: &[&'a str]) -> Vec<&'a str> {
        lines
            .iter()
            .filter(|line| line.starts_with("call") || line.starts_with("jmp"))
            .filter_map(|line| {
                let target = line.split_whitespace().nth(1)?.trim_start_matches('*');
                let symbol = target.split('@').next()?;
                self.functions
                    .get_key_value(symbol)
                    .map(|(symbol, _)| *symbol)
            })
            .collect()
    }
}

fn label(line: &str) -> Option<&str> {
    let label = line.strip_suffix(':')?;
    (!label.contains(char::is_whitespace)).then_some(label)
}

/// Pieces of code from a label to a jump back to it, without another such piece inside.
fn innermost_loops<'l, 'a>(lines: &'l [&'a str]) -> Vec<&'l [&'a str]> {
    let mut labels = HashMap::new();
    let mut loops = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if let Some(label) = label(line) {
            labels.insert(label, index);
        } else if line.starts_with('j')
            && let Some(&start) = line
                .split_whitespace()
                .nth(1)
                .and_then(|target| labels.get(target))
        {
            loops.push(start..index + 1);
        }
    }
    loops
        .iter()
        .filter(|outer| {
            !loops.iter().any(|inner| {
                inner != *outer && inner.start >= outer.start && inner.end <= outer.end
            })
        })
        .map(|range| &lines[range.clone()])
        .collect()
}

impl Loop {
    fn of(body: &[&str]) -> Self {
        let steps = steps(body);
        let advance = |line: &&str| -> Option<u64> {
            let (base, index, scale) = address(line)?;
            let step = |register: &str| steps.get(register).copied().unwrap_or(0);
            Some((step(base) + step(index) * scale).unsigned_abs())
        };
        Self {
            text: body.iter().map(|line| format!("{line}\n")).collect(),
            vector_ops: body.iter().filter(|line| is_vector_op(line)).count(),
            bytes: body
                .iter()
                .filter(|line| line.starts_with('v'))
                .filter_map(advance)
                .max()
                .unwrap_or(0),
        }
    }
}

/// By how much each register grows in an iteration, where that is a constant.
fn steps<'a>(body: &[&'a str]) -> HashMap<&'a str, i64> {
    let mut steps = HashMap::new();
    for line in body {
        let Some((operation, operands)) = line.split_once(char::is_whitespace) else {
            continue;
        };
        let (source, register) = operands.rsplit_once(", ").unwrap_or(("", operands));
        let immediate = || source.strip_prefix('$').and_then(integer);
        let step = match operation {
            "addq" => immediate(),
            "subq" => immediate().map(|step| -step),
            "incq" => Some(1),
            "decq" => Some(-1),
            "leaq" => source
                .strip_suffix(')')
                .and_then(|source| source.split_once('('))
                .filter(|(_, base)| *base == register)
                .and_then(|(offset, _)| integer(offset)),
            _ => None,
        };
        if let Some(step) = step {
            *steps.entry(register).or_insert(0) += step;
        }
    }
    steps
}

fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((1, text), |digits| (-1, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    value.ok().map(|value| sign * value)
}

/// Base, index and scale of the address in an instruction.
fn address(line: &str) -> Option<(&str, &str, i64)> {
    let (_, rest) = line.split_once('(')?;
    let mut parts = rest.split_once(')')?.0.split(',');
    let base = parts.next()?;
    let index = parts.next().unwrap_or("");
    let scale = parts.next().and_then(integer).unwrap_or(1);
    Some((base, index, scale))
}

/// Whether an instruction computes with vectors.
fn is_vector_op(line: &str) -> bool {
    let Some((operation, operands)) = line.split_once(char::is_whitespace) else {
        return false;
    };
    let moves = ["vmovdq", "vmovup", "vmovap", "vmovq", "vmovd", "vmovntdq"];
    let is_move = moves.iter().any(|name| operation.starts_with(name));
    // A move under a mask that touches no memory selects.
    let selects = operands.contains('{') && !operands.contains('(');
    operation.starts_with('k') || operation.starts_with('v') && (selects || !is_move)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
\t.type\t_ZN4test3addE,@function
_ZN4test3addE:
\t.cfi_startproc
\tpushq\t%rbx
\tjmp\t_ZN4test5innerE
\t.cfi_endproc
_ZN4test5innerE:
\t.cfi_startproc
.LBB1_1:
\txorl\t%eax, %eax
\t.p2align\t4
.LBB1_2:
\tvmovdqu64\t(%rsi,%rax), %zmm0
\tvpaddd\t64(%rdx,%rax), %zmm0, %zmm1  # 64-byte Folded Reload
\tvmovdqa32\t%zmm1, %zmm0 {%k1}
\tvmovdqu64\t%zmm0, (%rdi,%rax)
\tsubq\t$-128, %rax
\tcmpq\t%rax, %rcx
\tjne\t.LBB1_2
.LBB1_3:
\tdecq\t%r8
\tjne\t.LBB1_1
\tvzeroupper
\tretq
\t.cfi_endproc
\t.set _ZN4test4sameE, _ZN4test3addE
";

    #[test]
    fn finds_the_innermost_loop_of_a_callee() {
        let assembly = Assembly::parse(TEXT);
        assert_eq!(assembly.paths(), ["test::add", "test::inner", "test::same"]);
        let found = assembly.hottest_loop("test::add").unwrap();
        assert!(
            found.text.starts_with(".LBB1_2:\nvmovdqu64"),
            "{}",
            found.text
        );
        assert!(found.text.ends_with("jne\t.LBB1_2\n"), "{}", found.text);
        assert_eq!(found.vector_ops, 2);
        assert_eq!(found.bytes, 128);
        assert_eq!(assembly.hottest_loop("test::same"), Some(found));
        assert_eq!(assembly.hottest_loop("test::missing"), None);
    }

    #[test]
    fn knows_how_far_registers_advance() {
        let body = [
            "addq\t$16, %rax",
            "leaq\t-8(%rbx), %rbx",
            "incq\t%rcx",
            "addq\t%rdi, %rsi",
        ];
        let steps = steps(&body);
        assert_eq!(steps["%rax"], 16);
        assert_eq!(steps["%rbx"], -8);
        assert_eq!(steps["%rcx"], 1);
        assert!(!steps.contains_key("%rsi"));
        assert_eq!(
            address("vmovdqu64\t-64(%rsi,%rax,4), %zmm0"),
            Some(("%rsi", "%rax", 4))
        );
        assert_eq!(address("vpaddd\t%zmm0, %zmm1, %zmm2"), None);
    }
}
