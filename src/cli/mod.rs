//! The command line: arguments in, library calls, text and exit code out.

mod args;
mod depfile;
mod drift;

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fieldgen::{Builder, Drift, Generated, Written};

use self::args::{Args, Color};

/// Done, or everything is current.
const DONE: u8 = 0;
/// `--check` found a difference.
const DRIFT: u8 = 1;
/// Usage, configuration, rendering or I/O.
const FAILED: u8 = 2;

/// Why a run ends early.
enum Failure {
    Fieldgen(fieldgen::Error),
    /// What only the command line does, in one sentence.
    Here(String),
}

impl From<fieldgen::Error> for Failure {
    fn from(error: fieldgen::Error) -> Self {
        Failure::Fieldgen(error)
    }
}

pub fn main() -> ExitCode {
    let args = Args::read();
    let code = run(&args).unwrap_or_else(|failure| {
        let color = use_color(args.color, &io::stderr());
        let text = match failure {
            Failure::Fieldgen(error) => error.render(color),
            Failure::Here(message) if color => format!("\x1b[1;91merror\x1b[0m: {message}"),
            Failure::Here(message) => format!("error: {message}"),
        };
        say(&text);
        FAILED
    });
    ExitCode::from(code)
}

fn run(args: &Args) -> Result<u8, Failure> {
    if args.schema {
        return print(&fieldgen::schema());
    }
    let builder = builder(args);
    if args.emit.is_some() {
        return print(&builder.constants()?);
    }
    if args.list {
        return print(&builder.list()?);
    }
    if args.explain.is_some() {
        return print(&builder.explain()?);
    }
    let generated = builder.generate()?;
    if args.stdout {
        return print(only_file(&generated)?);
    }
    if args.check {
        return check(args, &generated);
    }
    let depfile = match &args.depfile {
        Some(path) => Some((path, rule(path, &args.out, &generated, &builder.inputs()?)?)),
        None => None,
    };
    let written = generated.write_to(&args.out)?;
    if let Some((path, rule)) = depfile {
        fs::write(path, rule).map_err(|error| {
            Failure::Here(format!("cannot write `{}`: {error}", path.display()))
        })?;
    }
    report_written(args, &written);
    Ok(DONE)
}

fn builder(args: &Args) -> Builder {
    let mut builder = Builder::new(&args.config);
    if let Some(directory) = &args.template_dir {
        builder = builder.template_dir(directory);
    }
    for field in args.fields.iter().chain(args.explain.iter().flatten()) {
        builder = builder.field(field);
    }
    for target in args.selected_targets() {
        builder = builder.target(target);
    }
    builder
}

fn only_file(generated: &Generated) -> Result<&str, Failure> {
    let files: Vec<(&str, &str)> = generated.files_of_fields().collect();
    if let [(_, text)] = files[..] {
        return Ok(text);
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    Err(Failure::Here(format!(
        "`--stdout` prints one file, and {} match: {}\n\
         help: narrow the choice with `--field` and `--target`",
        paths.len(),
        paths.join(", "),
    )))
}

fn check(args: &Args, generated: &Generated) -> Result<u8, Failure> {
    let drift = generated.check(&args.out)?;
    print(&drift::report(
        &drift,
        &args.out,
        use_color(args.color, &io::stdout()),
    ))?;
    if !args.quiet {
        if args.verbose {
            name_each("current", &args.out, &drift.current);
        }
        say(&summary(args, &drift));
    }
    Ok(if drift.is_empty() { DONE } else { DRIFT })
}

fn summary(args: &Args, drift: &Drift) -> String {
    let counts = format!(
        "current {}, stale {}, missing {}, orphaned {}",
        drift.current.len(),
        drift.stale.len(),
        drift.missing.len(),
        drift.orphaned.len(),
    );
    if drift.is_empty() {
        counts
    } else {
        format!("{counts}\nto update: {}", update_command(args))
    }
}

/// The command that makes a check with these arguments pass.
fn update_command(args: &Args) -> String {
    let mut words = vec!["fieldgen".to_owned()];
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
    if args.config != Path::new("fields.toml") {
        option("-c", &args.config.to_string_lossy());
    }
    if args.out != Path::new("generated") {
        option("-o", &args.out.to_string_lossy());
    }
    for field in &args.fields {
        option("--field", field);
    }
    for target in &args.targets {
        option("--target", target);
    }
    if let Some(directory) = &args.template_dir {
        option("--template-dir", &directory.to_string_lossy());
    }
    words.join(" ")
}

/// The word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn report_written(args: &Args, written: &Written) {
    if args.quiet {
        return;
    }
    if args.verbose {
        name_each("wrote", &args.out, &written.wrote);
        name_each("unchanged", &args.out, &written.unchanged);
        name_each("removed", &args.out, &written.removed);
    }
    say(&written.to_string());
}

fn name_each(what: &str, directory: &Path, paths: &[String]) {
    for path in paths {
        say(&format!("{what} {}", directory.join(path).display()));
    }
}

/// The Makefile rule of this run, to be written to `path`, unless something else is there.
fn rule(
    path: &Path,
    directory: &Path,
    generated: &Generated,
    inputs: &[PathBuf],
) -> Result<String, Failure> {
    let outputs: Vec<PathBuf> = generated
        .files()
        .keys()
        .map(|path| directory.join(path))
        .collect();
    let unnameable = |path: &Path| {
        Failure::Here(format!(
            "a Makefile cannot name the path `{}`",
            path.display()
        ))
    };
    let rule = depfile::rule(&outputs, inputs).map_err(unnameable)?;
    let is_of_this_run = outputs.iter().any(|output| output == path);
    // To a pipe or a device, which cannot be looked at first, it is just written.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let is_foreign =
        is_file && fs::read(path).is_ok_and(|there| !depfile::is_rule(&there, directory));
    if is_of_this_run || is_foreign {
        return Err(Failure::Here(format!(
            "`{}` is no dependency file, and is left as it is: choose another path for --depfile",
            path.display()
        )));
    }
    Ok(rule)
}

/// Prints data. A reader that has seen enough and closed the pipe is no failure.
fn print(text: &str) -> Result<u8, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Here(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(DONE),
    }
}

/// Prints status or an error.
fn say(text: &str) {
    // Where stderr is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{text}");
}

fn use_color(color: Color, stream: &impl IsTerminal) -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            stream.is_terminal()
                && !set("NO_COLOR")
                && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
