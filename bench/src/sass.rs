//! CUDA field operations, counted in the machine code that nvcc makes.
//!
//! A kernel with a chain of nine operations less one with a single operation leaves eight, without
//! loads, stores and what surrounds them. No GPU is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs, thread};

use serde::Deserialize;

use crate::Result;
use crate::row::{Bench, Conditions, Measurement, Row};

const ARCH: &str = "sm_86";
/// As many operations as there are in the longer chain.
const CHAIN: usize = 9;
const OPERATIONS: &[(&str, &str)] = &[("mul", "a = a * b;"), ("square", "a = sqr(a);")];
const RECORDED: &str = include_str!("../recorded/cuda.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    source: String,
    figure: Vec<Figure>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    peer: String,
    op: String,
    fields: Vec<String>,
    slots: f64,
}

/// Counts the operations of all fields for which figures of peers are recorded.
///
/// # Errors
///
/// If the compiler cannot be had or fails.
pub fn count() -> Result<Vec<Row>> {
    let recorded: Recorded = toml::from_str(RECORDED)?;
    let fields: BTreeSet<&str> = recorded
        .figure
        .iter()
        .flat_map(|figure| figure.fields.iter().map(String::as_str))
        .collect();
    let compiler = nvcc()?;
    let counted = Mutex::new(Vec::new());
    let waiting = Mutex::new(fields.into_iter());
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no panic").next();
                    let Some(field) = next else { break };
                    eprintln!("counting {field}");
                    let counts = compile(&compiler, field).map_err(|error| error.to_string());
                    counted.lock().expect("no panic").push((field, counts));
                }
            });
        }
    });
    let mut counted = counted.into_inner().expect("no panic");
    counted.sort_by_key(|(field, _)| *field);
    let mut rows = Vec::new();
    for (field, counts) in counted {
        for (op, counts) in counts? {
            let measurement = Measurement {
                bench: Bench::Sass,
                field: field.to_owned(),
                op: op.to_owned(),
                conditions: Conditions {
                    arch: Some(ARCH.to_owned()),
                    optimize: Some("throughput".to_owned()),
                    alu: Some(counts.alu),
                    total: Some(counts.total),
                    registers: Some(counts.registers),
                    local_bytes: Some(counts.local_bytes),
                    ..Conditions::default()
                },
                unit: "slots",
                ours: counts.slots,
            };
            for figure in &recorded.figure {
                if figure.op == op && figure.fields.iter().any(|name| name == field) {
                    let mut row = measurement.against(&figure.peer, figure.slots);
                    row.recorded = Some(recorded.source.clone());
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}

/// `$NVCC`, or the one that the tests of CUDA headers install.
fn nvcc() -> Result<PathBuf> {
    if let Some(nvcc) = env::var_os("NVCC") {
        return Ok(nvcc.into());
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cuda/install-nvcc");
    let output = Command::new(script).output()?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("nvcc could not be installed (set NVCC): {messages}").into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().into())
}

/// What an operation needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    /// Of the multiplier: one for a product of 64 bits or a high half, half for others.
    slots: f64,
    alu: f64,
    total: f64,
    /// Of the longer chain.
    registers: u32,
    local_bytes: u32,
}

fn compile(nvcc: &Path, field: &str) -> Result<Vec<(&'static str, Counts)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let directory = crate::native::target_directory("sass");
    fs::create_dir_all(&directory)?;
    let source = directory.join(format!("{field}.cu"));
    let cubin = directory.join(format!("{field}.cubin"));
    fs::write(&source, kernels(field))?;
    let messages = output(
        Command::new(nvcc)
            .args(["-O3", "-cubin", "-Xptxas", "-v", "-arch", ARCH, "-I"])
            .arg(root.join("generated"))
            .arg("-o")
            .args([&cubin, &source]),
    )?
    .1;
    let disassembly = output(
        Command::new(nvcc.with_file_name("cuobjdump"))
            .arg("-sass")
            .arg(&cubin),
    )?
    .0;
    OPERATIONS
        .iter()
        .map(|(op, _)| {
            let tally = |length| {
                let kernel = format!("{op}_{length}");
                tally(&disassembly, &kernel).ok_or(format!("{field}: no code of {kernel}"))
            };
            let (one, all) = (tally(1)?, tally(CHAIN)?);
            let per_operation = |f: fn(&Tally) -> f64| (f(&all) - f(&one)) / (CHAIN - 1) as f64;
            let (registers, local_bytes) = usage(&messages, &format!("{op}_{CHAIN}")).ok_or(
                format!("{field}: ptxas does not tell the registers of {op}"),
            )?;
            let counts = Counts {
                slots: per_operation(|tally| tally.slots),
                alu: per_operation(|tally| tally.alu),
                total: per_operation(|tally| tally.total),
                registers,
                local_bytes,
            };
            Ok((*op, counts))
        })
        .collect()
}

/// Standard output and standard error of a command that succeeds.
fn output(command: &mut Command) -> Result<(String, String)> {
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{command:?}: {stderr}").into());
    }
    Ok((String::from_utf8(output.stdout)?, stderr))
}

fn kernels(field: &str) -> String {
    let mut text = format!(
        "#include \"{field}.cuh\"\nusing fieldgen::u32;\nusing namespace fieldgen::{field};\n"
    );
    for (op, step) in OPERATIONS {
        for length in [1, CHAIN] {
            text.push_str(&format!(
                "extern \"C\" __global__ void {op}_{length}(u32* out, const u32* in) {{\n\
                 \x20 element a = element::load(in);\n\
                 \x20 const element b = element::load(in + sizeof(element) / sizeof(u32));\n\
                 \x20 (void)b;\n{}  a.store(out);\n}}\n",
                format!("  {step}\n").repeat(length)
            ));
        }
    }
    text
}

/// What there is in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    slots: f64,
    alu: f64,
    total: f64,
}

/// The instructions of a kernel, up to the jump to itself behind its end.
fn tally(disassembly: &str, kernel: &str) -> Option<Tally> {
    let heading = format!("Function : {kernel}");
    let lines = disassembly
        .lines()
        .skip_while(|line| line.trim() != heading)
        .skip(1)
        .take_while(|line| !line.trim().starts_with("Function :"));
    let mut instructions: Vec<&str> = lines.filter_map(instruction).collect();
    let end = instructions
        .iter()
        .rposition(|instruction| instruction.starts_with("BRA"))?;
    instructions.truncate(end);
    let mut tally = Tally::default();
    for instruction in instructions {
        let (slots, alu) = weight(instruction);
        tally.slots += slots;
        tally.alu += alu;
        tally.total += 1.0;
    }
    Some(tally)
}

/// The instruction in a line like `/*0040*/ @P0 IADD3 R1, R2, R3, RZ ;`, without its predicate.
fn instruction(line: &str) -> Option<&str> {
    let (address, code) = line.trim().strip_prefix("/*")?.split_once("*/")?;
    let is_address = address.len() >= 4 && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = code.split_once(';')?.0.trim();
    let code = match code.strip_prefix('@') {
        Some(predicated) => predicated.split_once(' ')?.1.trim(),
        None => code,
    };
    is_address.then_some(code)
}

/// Slots of the multiplier, and instructions of the other arithmetic units.
fn weight(instruction: &str) -> (f64, f64) {
    let operation = instruction.split_whitespace().next().unwrap_or_default();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| operation.starts_with(prefix));
    if starts(&["IMAD.MOV", "IMAD.IADD", "IMAD.SHL"]) {
        // The multiplier's way to move, and what the compiler puts there because it is free.
        (0.0, 0.0)
    } else if starts(&["IMAD.WIDE", "IMAD.HI"]) {
        (1.0, 0.0)
    } else if starts(&["IMAD"]) {
        (0.5, 0.0)
    } else if starts(&["IADD", "VIADD", "SEL", "ISETP", "LOP3", "SHF", "LEA"]) {
        (0.0, 1.0)
    } else {
        (0.0, 0.0)
    }
}

/// Registers, and bytes of local memory, as `ptxas -v` reports them for a kernel.
fn usage(messages: &str, kernel: &str) -> Option<(u32, u32)> {
    let number_before = |line: &str, what: &str| -> Option<u32> {
        let (before, _) = line.split_once(what)?;
        before.split_whitespace().last()?.parse().ok()
    };
    let entry = format!("'{kernel}'");
    let mut lines = messages
        .lines()
        .skip_while(|line| !(line.contains("Compiling entry function") && line.contains(&entry)));
    let local_bytes = lines.find_map(|line| number_before(line, " bytes stack frame"))?;
    let registers = lines.find_map(|line| number_before(line, " registers"))?;
    Some((registers, local_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "
\t\tFunction : mul_1
\t.headerflags\t@\"EF_CUDA_SM86\"
        /*0000*/                   MOV R1, c[0x0][0x28] ;    /* 0x00000a0000017a02 */
                                                             /* 0x000fe40000000f00 */
        /*0010*/                   IMAD.WIDE.U32 R4, R2, R3, R4 ;
        /*0020*/              @!P0 IADD3 R5, R5, R6, RZ ;
        /*0030*/                   IMAD.X R7, R7, 0x1, R8, P1 ;
        /*0040*/                   IMAD.MOV.U32 R8, RZ, RZ, R9 ;
        /*0050*/                   EXIT ;
        /*0060*/                   BRA 0x60;
        /*0070*/                   NOP;
\t\tFunction : mul_9
        /*0000*/                   IMAD.HI.U32 R4, R2, R3, R4 ;
        /*0010*/                   BRA 0x10;
";

    #[test]
    fn counts_each_function_up_to_its_end() {
        let first = Tally {
            slots: 1.5,
            alu: 1.0,
            total: 6.0,
        };
        assert_eq!(tally(CODE, "mul_1"), Some(first));
        assert_eq!(tally(CODE, "mul_9").unwrap().slots, 1.0);
        assert_eq!(tally(CODE, "mul"), None);
    }

    #[test]
    fn reads_the_report_of_ptxas() {
        let report = "\
ptxas info    : Compiling entry function 'mul_1' for 'sm_86'
ptxas info    : Function properties for mul_1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 368 bytes cmem[0]
ptxas info    : Compiling entry function 'mul_9' for 'sm_86'
ptxas info    : Function properties for mul_9
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 53 registers, used 0 barriers, 368 bytes cmem[0]
";
        assert_eq!(usage(report, "mul_1"), Some((40, 0)));
        assert_eq!(usage(report, "mul_9"), Some((53, 8)));
        assert_eq!(usage(report, "square_9"), None);
    }

    #[test]
    fn recorded_figures_can_be_read() {
        let recorded: Recorded = toml::from_str(RECORDED).unwrap();
        for figure in recorded.figure {
            assert!(OPERATIONS.iter().any(|(op, _)| *op == figure.op));
        }
    }
}
