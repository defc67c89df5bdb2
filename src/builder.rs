//! The way in for build scripts and other programs.

use std::env;
use std::path::{Path, PathBuf};

use crate::config::Target;
use crate::diagnostic::{Diagnostic, Error};
use crate::explain;
use crate::generate::{self, Generated, Selection};
use crate::output::{Drift, Written};
use crate::plan::Plan;
use crate::target::Templates;

/// Generates from a configuration file.
///
/// In a build script:
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), fieldgen::Error> {
///     fieldgen::Builder::new("fields.toml").write_to_out_dir()
/// }
/// ```
///
/// and in the crate:
///
/// ```ignore
/// include!(concat!(env!("OUT_DIR"), "/fieldgen/mod.rs"));
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    config: PathBuf,
    template_dir: Option<PathBuf>,
    selection: Selection,
}

impl Builder {
    /// Reads `config` (`fields.toml` by custom), relative to the current directory; in a build
    /// script that is the directory of the package.
    pub fn new(config: impl Into<PathBuf>) -> Builder {
        Builder {
            config: config.into(),
            template_dir: None,
            selection: Selection::default(),
        }
    }

    /// Replaces templates by the files of the same names in `directory`.
    #[must_use]
    pub fn template_dir(mut self, directory: impl Into<PathBuf>) -> Builder {
        self.template_dir = Some(directory.into());
        self
    }

    /// Asks for the files of this field only, or of this one too if it is not the first.
    ///
    /// The whole configuration is read and verified all the same. Files that the fields share
    /// (`mod.rs`, `constants.json`) are left out, and nothing is ever removed.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>) -> Builder {
        self.selection.fields.push(name.into());
        self
    }

    /// Asks for the files of this target only, or of this one too if it is not the first. As with
    /// [`field`](Builder::field), shared files are left out and nothing is removed.
    #[must_use]
    pub fn target(mut self, target: Target) -> Builder {
        self.selection.targets.push(target);
        self
    }

    /// Renders every file that is asked for, and writes nothing.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the configuration, or with a template.
    pub fn generate(&self) -> Result<Generated, Error> {
        let plans = self.plans()?;
        let templates = Templates::new(self.template_dir.as_deref())?;
        generate::render(&plans, &self.selection, &templates, &self.config_name())
    }

    /// Renders everything, then makes `directory` hold it: see [`Generated::write_to`].
    ///
    /// # Errors
    ///
    /// Those of [`generate`](Builder::generate) and of [`Generated::write_to`].
    pub fn write_to(&self, directory: impl AsRef<Path>) -> Result<Written, Error> {
        self.generate()?.write_to(directory)
    }

    /// Renders everything and compares `directory` with it: see [`Generated::check`].
    ///
    /// ```no_run
    /// # fn main() -> Result<(), fieldgen::Error> {
    /// let drift = fieldgen::Builder::new("fields.toml").check("src/generated")?;
    /// assert!(drift.is_empty(), "run `fieldgen -o src/generated`:\n{drift}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`generate`](Builder::generate) and of [`Generated::check`].
    pub fn check(&self, directory: impl AsRef<Path>) -> Result<Drift, Error> {
        self.generate()?.check(directory)
    }

    /// For build scripts: writes to `$OUT_DIR/fieldgen/`, and tells cargo to run the build script
    /// again when the configuration or a template changes.
    ///
    /// # Errors
    ///
    /// Those of [`write_to`](Builder::write_to), and when it is not a build script that calls:
    /// `OUT_DIR` is not set.
    pub fn write_to_out_dir(&self) -> Result<(), Error> {
        let Some(out_dir) = env::var_os("OUT_DIR") else {
            return Err(Error::without_source(
                Diagnostic::new(
                    "no-out-dir",
                    "the environment variable `OUT_DIR` is not set",
                )
                .note("cargo sets it for build scripts")
                .help("elsewhere, use `Builder::write_to`"),
            ));
        };
        // First of all: after a failure, too, cargo is to look again when one of them changes.
        println!("cargo::rerun-if-changed={}", self.config.display());
        if let Some(directory) = &self.template_dir {
            println!("cargo::rerun-if-changed={}", directory.display());
        }
        self.write_to(Path::new(&out_dir).join("fieldgen"))?;
        Ok(())
    }

    /// The constants of the fields asked for as JSON: what `constants.json` holds.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the configuration.
    pub fn constants(&self) -> Result<String, Error> {
        Ok(generate::constants(&self.selected_plans()?))
    }

    /// A table of the fields asked for: shape, size and targets, one line a field.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the configuration.
    pub fn list(&self) -> Result<String, Error> {
        Ok(explain::list(&self.selected_plans()?))
    }

    /// For each field asked for, what was decided and why: stored form, algorithms, their cost.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the configuration.
    pub fn explain(&self) -> Result<String, Error> {
        Ok(explain::explain(&self.selected_plans()?))
    }

    /// The files that generating reads: the configuration, and the templates in a directory of
    /// the user's.
    ///
    /// # Errors
    ///
    /// When the directory of templates cannot be read.
    pub fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        let mut inputs = vec![self.config.clone()];
        if let Some(directory) = &self.template_dir {
            inputs.extend(Templates::files_in(directory)?);
        }
        Ok(inputs)
    }

    fn plans(&self) -> Result<Vec<Plan>, Error> {
        generate::plans(&self.config)
    }

    fn selected_plans(&self) -> Result<Vec<Plan>, Error> {
        let mut plans = self.plans()?;
        self.selection.check_names(&plans)?;
        self.selection.narrow(&mut plans);
        if plans.is_empty() {
            return Err(generate::nothing_to_do(&self.selection));
        }
        Ok(plans)
    }

    /// Headers name the file alone: where it lies must not change the output. They have one line
    /// for it, so that characters such as line breaks are replaced.
    fn config_name(&self) -> String {
        let name = self.config.file_name().unwrap_or_default();
        name.to_string_lossy().replace(char::is_control, "?")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_of_a_build_script_there_is_no_out_dir() {
        let error = Builder::new("fields.toml").write_to_out_dir().unwrap_err();
        assert_eq!(error.diagnostics[0].code, "no-out-dir", "{error}");
    }

    #[test]
    fn only_the_name_of_the_configuration_matters() {
        for (path, name) in [
            ("fields.toml", "fields.toml"),
            ("some/where/primes.toml", "primes.toml"),
            ("two\nlines.toml", "two?lines.toml"),
        ] {
            assert_eq!(Builder::new(path).config_name(), name);
        }
    }
}
