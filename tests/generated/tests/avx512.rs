//! The AVX-512 functions of all fields that have them: on this CPU if it has AVX-512, and on
//! emulated ones, with and without. The checks are the program `avx512-checks`.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::env;
use std::ffi::OsStr;
use std::io::{Write, stderr};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use generated_tests::generated;

const CHECKS: &str = env!("CARGO_BIN_EXE_avx512-checks");

const SIGILL: i32 = 4;

#[test]
fn on_this_cpu() {
    let has_avx512 = std::arch::is_x86_feature_detected!("avx512f");
    assert_all_checked(&run(Command::new(CHECKS)), has_avx512);
}

#[test]
fn emulated() {
    if let Some(output) = emulate("tigerlake", CHECKS, &[]) {
        assert_all_checked(&output, true);
    }
}

/// On a CPU of the first generation, which has AVX-512F and little else.
#[test]
fn emulated_without_later_extensions() {
    if let Some(output) = emulate("skylake_x", CHECKS, &[]) {
        assert_all_checked(&output, true);
    }
}

/// Where there is no AVX-512, the front takes other ways: one instruction of AVX-512 would end the
/// program.
#[test]
fn emulated_without_avx512() {
    if let Some(output) = emulate("haswell", CHECKS, &[]) {
        assert_all_checked(&output, false);
    }
}

/// What the other tests rest on: the functions do consist of AVX-512 instructions, and these do
/// end a program on a CPU without.
#[test]
fn avx512_ends_a_program_on_a_cpu_without() {
    if let Some(output) = emulate("haswell", CHECKS, &["--direct"]) {
        assert_eq!(output.status.signal(), Some(SIGILL), "{}", text(&output));
    }
    if let Some(output) = emulate("skylake_x", CHECKS, &["--direct"]) {
        assert!(output.status.success(), "{}", text(&output));
    }
}

/// Without `std` the choice is made by the compiler: for AVX-512, the program runs on no other CPU.
#[test]
fn chosen_when_compiled() {
    let with = compile_core_only("+avx512f");
    let without = compile_core_only("-avx512f");
    let said = |output: &Output, avx512: bool| {
        let text = text(output);
        let line = format!("checked, compiled for AVX-512: {avx512}");
        assert!(output.status.success() && text.contains(&line), "{text}");
    };
    said(&run(Command::new(&without)), false);
    for (program, cpu, avx512) in [(&with, "skylake_x", true), (&without, "haswell", false)] {
        if let Some(output) = emulate(cpu, program, &[]) {
            said(&output, avx512);
        }
    }
    if let Some(output) = emulate("haswell", &with, &[]) {
        assert_eq!(output.status.signal(), Some(SIGILL), "{}", text(&output));
    }
}

/// Compiles the program in `core_only/` with or without a feature of the CPU.
fn compile_core_only(feature: &str) -> PathBuf {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core_only/program.rs");
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("core_only{feature}"));
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .args(["--edition", "2024", "-D", "warnings", "-O", source, "-o"])
        .arg(&program)
        .args(["-C", &format!("target-feature={feature}")])
        .env("FIELDS", concat!(env!("OUT_DIR"), "/core_only/mod.rs"));
    let output = run(rustc);
    assert!(output.status.success(), "{}", text(&output));
    program
}

fn run(mut command: Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs a program on an emulated CPU. `None`, said loudly, if there is no emulator; where `CI` is
/// set that is an error.
fn emulate(cpu: &str, program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<Output> {
    static READY: OnceLock<bool> = OnceLock::new();
    static SKIPPED: AtomicUsize = AtomicUsize::new(0);
    let emulator = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../emulator/run-avx512");
    let ready = READY.get_or_init(|| {
        let mut prepare = Command::new(&emulator);
        prepare.arg("--prepare");
        let prepared = run(prepare);
        if !prepared.status.success() {
            say(&text(&prepared));
        }
        prepared.status.success()
    });
    if !ready {
        let reason = "no emulator of AVX-512 (see above)";
        assert!(env::var_os("CI").is_none(), "{reason}");
        let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
        say(&format!(
            "SKIPPED AVX-512 TEST ({count} in this binary): {reason}"
        ));
        return None;
    }
    let mut command = Command::new(&emulator);
    command.arg(program).args(arguments).env("EMU512_CPU", cpu);
    Some(run(command))
}

/// Everything passed, and was executed: each line of the output counts its fields and cases.
fn assert_all_checked(output: &Output, has_avx512: bool) {
    let text = text(output);
    assert!(output.status.success(), "{text}");
    let fields = generated::with_avx512();
    let all = fields.len();
    assert!(all > 35, "{all} fields with AVX-512");
    let is_default = |name: &str| name.starts_with("default::");
    let default = fields.iter().filter(|f| is_default(f.name())).count();
    assert!(default > 3, "{default} default fields with AVX-512");
    let if_avx512 = |fields| if has_avx512 { fields } else { 0 };
    for (title, expected) in [
        ("avx512", if_avx512(all)),
        ("slice", all),
        ("long sums", if_avx512(1)),
        ("num-bigint", if_avx512(default)),
        ("vectors", if_avx512(default)),
    ] {
        let [fields, cases] = counts(&text, title);
        assert_eq!(fields, expected, "{title}\n{text}");
        assert!(cases >= 2 * fields, "{title}\n{text}");
    }
    println!("{text}");
}

/// The numbers in the line `<title>: <fields> fields, <cases> cases`.
fn counts(text: &str, title: &str) -> [usize; 2] {
    let numbers = |line: &str| -> Option<[usize; 2]> {
        let counts = line.strip_prefix(title)?.strip_prefix(": ")?;
        let (fields, cases) = counts.strip_suffix(" cases")?.split_once(" fields, ")?;
        Some([fields.parse().ok()?, cases.parse().ok()?])
    };
    text.lines()
        .find_map(numbers)
        .unwrap_or_else(|| panic!("nothing on {title} in\n{text}"))
}

fn text(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Writes past the test harness, which keeps what successful tests print to itself.
fn say(message: &str) {
    // Nobody to tell when the standard error is closed.
    let _ = writeln!(stderr(), "{}", message.trim_end());
}
