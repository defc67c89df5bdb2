//! Cases executed: on the host, and as PTX.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::build::{Built, build};
use crate::cases::Case;
use crate::field::Field;
use crate::operation::OPERATIONS;
use crate::ptx::{Memory, Module};
use crate::source;

/// How headers are compiled for the host: with the warnings that users' projects turn on.
const HOST_FLAGS: &[&str] = &[
    "-std=c++14",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wshadow",
    "-Wconversion",
    "-Werror",
];

/// The headers of a field, by name.
pub type Headers = [(String, String)];

/// Compiles the driver around the field's header for the host. Optimising programs of thousands of
/// statements takes long.
///
/// # Errors
///
/// What the compiler said, warnings included.
pub fn host_program(
    cache: &Path,
    compiler: &Path,
    field: &Field,
    headers: &Headers,
    optimise: bool,
) -> Result<PathBuf, String> {
    let mut files = headers.to_vec();
    files.push(("driver.cpp".to_owned(), source::host_driver(field)));
    let compiler = compiler.to_string_lossy();
    let mut command = vec![&*compiler];
    command.extend(HOST_FLAGS);
    command.push(if optimise { "-O1" } else { "-O0" });
    command.extend(["driver.cpp", "-o", "driver"]);
    let built = build(cache, &command, &files)?;
    Ok(built.directory.join("driver"))
}

/// Runs all cases by the driver and checks their results.
///
/// # Errors
///
/// What is wrong, the first few.
///
/// # Panics
///
/// When files cannot be written.
pub fn on_host(program: &Path, field: &Field, cases: &[Case]) -> Result<(), String> {
    let mut words: Vec<u32> = Vec::new();
    for group in cases.chunk_by(|a, b| a.operation.name == b.operation.name) {
        let name = group[0].operation.name;
        let index = OPERATIONS
            .iter()
            .position(|operation| operation.name == name)
            .expect("from the table");
        words.extend([index as u32, group.len() as u32]);
        for case in group {
            words.extend(case.operation.marshal(field, &case.operands));
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let input = program.with_file_name(format!("cases-{}", std::process::id()));
    fs::write(&input, bytes).expect("a file in the cache");
    let run = Command::new(program).arg(&input).output();
    let _ = fs::remove_file(&input);
    let run = run.map_err(|error| format!("{}: {error}", program.display()))?;
    if !run.status.success() {
        return Err(format!("{}: {}", program.display(), run.status));
    }
    let results: Vec<u32> = run
        .stdout
        .chunks_exact(4)
        .map(|word| u32::from_ne_bytes(word.try_into().expect("four bytes")))
        .collect();
    let mut rest = results.as_slice();
    check_all(field, cases, |case| {
        let (result, next) = rest
            .split_at_checked(case.operation.result_words(field))
            .ok_or("the driver wrote too little")?;
        rest = next;
        Ok(result.to_vec())
    })
}

/// The flags that make PTX or machine code of kernels, without the architecture.
const DEVICE_FLAGS: &[&str] = &["-O3", "-std=c++17", "-Werror", "all-warnings"];

fn nvcc(
    cache: &Path,
    nvcc: &Path,
    field: &Field,
    headers: &Headers,
    flags: &[&str],
    output: &str,
) -> Result<Built, String> {
    let mut files = headers.to_vec();
    files.push(("kernels.cu".to_owned(), source::kernels(field)));
    let nvcc = nvcc.to_string_lossy();
    let mut command = vec![&*nvcc];
    command.extend(DEVICE_FLAGS);
    command.extend(flags);
    command.extend(["kernels.cu", "-o", output]);
    build(cache, &command, &files)
}

/// The PTX that nvcc makes of one kernel per operation.
///
/// # Errors
///
/// What the compiler or the parser said.
pub fn ptx(
    cache: &Path,
    compiler: &Path,
    field: &Field,
    headers: &Headers,
) -> Result<Module, String> {
    let flags = ["-ptx", "-arch=compute_86"];
    let built = nvcc(cache, compiler, field, headers, &flags, "kernels.ptx")?;
    let path = built.directory.join("kernels.ptx");
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    Module::parse(&text).map_err(|error| format!("{}: {error}", field.name))
}

/// The PTX that NVRTC makes of the same kernels. It has no headers of its own.
///
/// # Errors
///
/// What the compiler or the parser said.
pub fn nvrtc_ptx(
    cache: &Path,
    host_compiler: &Path,
    library: &Path,
    field: &Field,
    headers: &Headers,
) -> Result<Module, String> {
    let driver = vec![("nvrtc.cpp".to_owned(), include_str!("nvrtc.cpp").to_owned())];
    let host_compiler = host_compiler.to_string_lossy();
    let command = [
        &*host_compiler,
        "-std=c++14",
        "nvrtc.cpp",
        "-o",
        "nvrtc",
        "-ldl",
    ];
    // All fields share the driver: it must not be linked while another thread runs it.
    static DRIVER: Mutex<()> = Mutex::new(());
    let driver = {
        let _alone = DRIVER.lock().expect("no panic holds it");
        build(cache, &command, &driver)?.directory.join("nvrtc")
    };

    let mut files = headers.to_vec();
    files.push(("kernels.cu".to_owned(), source::kernels(field)));
    let (driver, library) = (driver.to_string_lossy(), library.to_string_lossy());
    let mut command = vec![&*driver, &*library, "--gpu-architecture=compute_86"];
    command.extend(headers.iter().map(|(name, _)| name.as_str()));
    let built = build(cache, &command, &files)?;
    Module::parse(&built.stdout).map_err(|error| format!("{}: {error}", field.name))
}

/// Runs all cases by the interpreter and checks their results.
///
/// # Errors
///
/// What is wrong, the first few.
pub fn on_ptx(module: &Module, field: &Field, cases: &[Case]) -> Result<(), String> {
    check_all(field, cases, |case| {
        let operation = case.operation;
        let mut memory = Memory::new();
        let out = memory.allocate(4 * operation.result_words(field), 16);
        let operands = operation.marshal(field, &case.operands);
        let input = memory.allocate(4 * operands.len(), 16);
        memory.write_words(input, &operands);
        module.kernels[&format!("{}_kernel", operation.name)]
            .run(&mut memory, &[out, input])
            .map_err(|fault| format!("{} {}: {fault}", field.name, operation.name))?;
        Ok(memory.read_words(out, operation.result_words(field)))
    })
}

/// Checks every case; at most three messages per operation.
fn check_all(
    field: &Field,
    cases: &[Case],
    mut results: impl FnMut(&Case) -> Result<Vec<u32>, String>,
) -> Result<(), String> {
    let mut failures: HashMap<&str, usize> = HashMap::new();
    let mut messages = Vec::new();
    for case in cases {
        let checked =
            results(case).and_then(|words| case.operation.check(field, &case.operands, &words));
        if let Err(message) = checked {
            let count = failures.entry(case.operation.name).or_default();
            *count += 1;
            if *count <= 3 {
                messages.push(message);
            }
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    messages.push(format!(
        "{}: failures {failures:?} of {}",
        field.name,
        cases.len()
    ));
    Err(messages.join("\n"))
}

/// What `ptxas` says of each kernel's use of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub kernel: String,
    pub registers: u32,
    /// Bytes of stack frame: spilled registers, and arrays that are indexed at run time.
    pub local_bytes: u32,
}

/// Compiles the kernels to machine code for one architecture, such as `sm_86`.
///
/// # Errors
///
/// What the compiler said.
pub fn cubin(
    cache: &Path,
    compiler: &Path,
    field: &Field,
    headers: &Headers,
    arch: &str,
) -> Result<Vec<Usage>, String> {
    let arch = format!("-arch={arch}");
    let flags = ["-cubin", &arch, "-Xptxas", "-v"];
    let built = nvcc(cache, compiler, field, headers, &flags, "kernels.cubin")?;
    Ok(usages(&built.stderr))
}

/// Reads the report of `ptxas -v`: for each function a line that names it, one with the stack
/// frame, and one with the registers.
fn usages(messages: &str) -> Vec<Usage> {
    let number_before = |line: &str, what: &str| -> Option<u32> {
        line.split(what)
            .next()?
            .split_whitespace()
            .last()?
            .parse()
            .ok()
    };
    let mut usages = Vec::new();
    let (mut kernel, mut local_bytes) = (String::new(), 0);
    for line in messages.lines() {
        if let Some(name) = line.split("Compiling entry function '").nth(1) {
            kernel = name.split('\'').next().unwrap_or_default().to_owned();
        } else if line.contains("bytes stack frame") {
            local_bytes = number_before(line, " bytes stack frame").unwrap_or(0);
        } else if line.contains("Used ") {
            let registers = number_before(line, " registers").unwrap_or(0);
            let kernel = std::mem::take(&mut kernel);
            usages.push(Usage {
                kernel,
                registers,
                local_bytes,
            });
        }
    }
    usages
}
