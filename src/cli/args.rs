//! What may be written on the command line.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, ColorChoice, CommandFactory, FromArgMatches, Parser, ValueEnum};
use fieldgen::Target;

const AFTER_HELP: &str = "\
Examples:
  fieldgen                                        write ./generated from ./fields.toml
  fieldgen -c primes.toml -o src/fields           from another file, to another directory
  fieldgen --check                                in CI: fail if ./generated is not current
  fieldgen --explain bn254_fq                     what was chosen for one field, and why
  fieldgen --stdout --field bn254_fq --target cuda
                                                  print one file
  fieldgen --emit json | jq .fields.baby_bear     constants for other tools

Exit codes:
  0  done, or --check found everything current
  1  --check found stale, missing or orphaned files
  2  wrong usage or configuration, a template that cannot be rendered, an I/O error

Data goes to stdout, status and errors go to stderr.";

/// Turns one fields.toml into prime-field arithmetic in Rust and CUDA.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Args {
    /// Configuration: the fields to generate
    #[arg(short, long, value_name = "FILE", default_value = "fields.toml")]
    pub config: PathBuf,

    /// Directory of the generated files; other files in it stay as they are
    #[arg(short, long, value_name = "DIR", default_value = "generated")]
    pub out: PathBuf,

    /// Only the files of these fields; removes nothing, leaves mod.rs and constants.json
    #[arg(long = "field", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub fields: Vec<String>,

    /// Only the files of these targets, likewise
    #[arg(
        long = "target",
        value_name = "TARGET",
        num_args = 1..,
        value_delimiter = ',',
        value_parser = target_parser(),
    )]
    pub targets: Vec<String>,

    /// Directory of templates that replace the embedded ones of the same names
    #[arg(long, value_name = "DIR")]
    pub template_dir: Option<PathBuf>,

    /// Write nothing; list stale, missing and orphaned files with a diff
    #[arg(long, group = "mode", help_heading = "Instead of writing")]
    pub check: bool,

    /// Print the one file that is asked for
    #[arg(long, group = "mode", help_heading = "Instead of writing")]
    pub stdout: bool,

    /// Print the constants of the fields
    #[arg(
        long,
        value_name = "FORMAT",
        group = "mode",
        help_heading = "Instead of writing"
    )]
    pub emit: Option<Format>,

    /// List the fields with their shapes and targets
    #[arg(long, group = "mode", help_heading = "Instead of writing")]
    pub list: bool,

    /// Say what was chosen for each operation, why, and at what cost
    #[arg(
        long,
        value_name = "FIELD",
        num_args = 0..=1,
        group = "mode",
        help_heading = "Instead of writing"
    )]
    // The outer option: whether it is there at all.
    pub explain: Option<Option<String>>,

    /// Print the JSON schema of the configuration, for editors
    #[arg(long, group = "mode", help_heading = "Instead of writing")]
    pub schema: bool,

    /// Also write a Makefile rule by which the generated files depend on those read
    #[arg(long, value_name = "PATH", conflicts_with = "mode")]
    pub depfile: Option<PathBuf>,

    /// Print errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Name each file and what happened to it
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub verbose: bool,

    /// Colours; `auto` is for terminals, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// A format of `--emit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

fn target_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(Target::ALL.map(Target::name))
}

impl Args {
    /// Reads the command line; exits with help, version or what is wrong with it.
    pub fn read() -> Args {
        let matches = Args::command().color(color_of_messages()).get_matches();
        Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The targets asked for.
    pub fn selected_targets(&self) -> impl Iterator<Item = Target> {
        Target::ALL
            .into_iter()
            .filter(|target| self.targets.iter().any(|name| name == target.name()))
    }
}

/// `--color` as it matters for messages about the command line itself, which is not read yet.
fn color_of_messages() -> ColorChoice {
    let args: Vec<_> = std::env::args_os().collect();
    let separate = args
        .windows(2)
        .filter(|pair| pair[0] == "--color")
        .map(|pair| pair[1].as_os_str());
    let joined = args
        .iter()
        .filter_map(|arg| arg.to_str()?.strip_prefix("--color="))
        .map(OsStr::new);
    match separate.chain(joined).next().and_then(OsStr::to_str) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}
