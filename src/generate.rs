//! A configuration turned into the text of all its files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::config::{Config, Target};
use crate::diagnostic::{Diagnostic, Error};
use crate::field::Field;
use crate::nearest::nearest;
use crate::output::{self, Drift, Extent, Written};
use crate::plan::Plan;
use crate::target::{File, Templates, cuda, json, rust};

/// The targets that share the Rust module of a field.
const RUST: [Target; 3] = [Target::Rust, Target::Avx2, Target::Avx512];
/// The target of CUDA headers.
const CUDA: [Target; 1] = [Target::Cuda];

/// What is asked for, of all that a configuration can give. Empty lists ask for everything.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    pub fields: Vec<String>,
    pub targets: Vec<Target>,
}

impl Selection {
    pub fn extent(&self) -> Extent {
        if self.fields.is_empty() && self.targets.is_empty() {
            Extent::Whole
        } else {
            Extent::Selection
        }
    }

    fn has_field(&self, plan: &Plan) -> bool {
        self.fields.is_empty() || self.fields.contains(&plan.field.name)
    }

    /// Whether a file for one of `targets` is asked for, and the field has it.
    fn wants(&self, plan: &Plan, targets: &[Target]) -> bool {
        let asked = |target| self.targets.is_empty() || self.targets.contains(target);
        let mut asked_and_there = targets
            .iter()
            .filter(|target| asked(target) && plan.targets.contains(target));
        self.has_field(plan) && asked_and_there.next().is_some()
    }

    /// Keeps what is asked for: fields, and of each its targets.
    pub fn narrow(&self, plans: &mut Vec<Plan>) {
        plans.retain(|plan| self.wants(plan, &Target::ALL));
        if !self.targets.is_empty() {
            for plan in plans {
                plan.targets.retain(|target| self.targets.contains(target));
            }
        }
    }

    /// Refuses names that no field has.
    pub fn check_names(&self, plans: &[Plan]) -> Result<(), Error> {
        let names: Vec<&str> = plans.iter().map(|plan| plan.field.name.as_str()).collect();
        let unknown: Vec<Diagnostic> = self
            .fields
            .iter()
            .filter(|field| !names.contains(&field.as_str()))
            .map(|field| unknown_field(field, &names))
            .collect();
        if unknown.is_empty() {
            Ok(())
        } else {
            Err(Error::without_source(unknown))
        }
    }
}

fn unknown_field(name: &str, names: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new("unknown-field", format!("there is no field `{name}`"));
    match nearest(name, names.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("the fields are: {}", names.join(", "))),
    }
}

/// Generated text, by file; nothing is written yet.
#[derive(Debug, Clone)]
pub struct Generated {
    files: BTreeMap<String, String>,
    /// The files that belong to one field each, in the order of the fields.
    of_fields: Vec<String>,
    extent: Extent,
}

impl Generated {
    /// The text of each file, by its path relative to an output directory.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// Path and text of the files that belong to one field each, in the order of the fields:
    /// all but those that the fields share.
    pub fn files_of_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.of_fields
            .iter()
            .map(|path| (path.as_str(), self.files[path].as_str()))
    }

    /// Makes `directory` hold these files, as far as they differ, and removes generated files
    /// that belong to nothing any more (unless only some fields or targets were asked for).
    ///
    /// # Errors
    ///
    /// When a file that fieldgen did not write is in the way, or the file system refuses
    /// something. No file is replaced by half.
    pub fn write_to(&self, directory: impl AsRef<Path>) -> Result<Written, Error> {
        output::write(directory.as_ref(), &self.files, self.extent)
    }

    /// Compares `directory` with these files, and changes nothing.
    ///
    /// # Errors
    ///
    /// Where [`write_to`](Generated::write_to) would refuse to replace a file, or one cannot be
    /// read.
    pub fn check(&self, directory: impl AsRef<Path>) -> Result<Drift, Error> {
        output::check(directory.as_ref(), &self.files, self.extent)
    }

    fn add(&mut self, file: File) {
        // Names of fields are distinct, and none is the name of a shared file.
        debug_assert!(
            !self.files.contains_key(&file.path),
            "two files {}",
            file.path
        );
        self.files.insert(file.path, file.text);
    }

    fn add_of_field(&mut self, file: File) {
        self.of_fields.push(file.path.clone());
        self.add(file);
    }
}

/// Reads, derives and plans every field; what is wrong with any of them is reported together.
pub(crate) fn plans(path: &Path) -> Result<Vec<Plan>, Error> {
    let (config, mut diagnostics) = Config::read_file(path)?;
    let mut plans = Vec::new();
    for spec in &config.fields {
        match Field::derive(spec).and_then(|field| Plan::new(spec, field)) {
            Ok(plan) => plans.push(plan),
            Err(found) => diagnostics.extend(found),
        }
    }
    if diagnostics.is_empty() {
        Ok(plans)
    } else {
        Err(Error::new(config.source.clone(), diagnostics))
    }
}

/// Renders all files of `plans`, or those that are asked for.
///
/// `config_name`: the file name that headers give as the origin.
pub(crate) fn render(
    plans: &[Plan],
    selection: &Selection,
    templates: &Templates,
    config_name: &str,
) -> Result<Generated, Error> {
    selection.check_names(plans)?;
    let mut generated = Generated {
        files: BTreeMap::new(),
        of_fields: Vec::new(),
        extent: selection.extent(),
    };
    for plan in plans {
        if selection.wants(plan, &RUST) {
            generated.add_of_field(rust::render(plan, templates, config_name)?);
        }
        if selection.wants(plan, &CUDA) {
            generated.add_of_field(cuda::render(plan, templates, config_name)?);
        }
    }
    if generated.of_fields.is_empty() {
        return Err(nothing_to_do(selection));
    }
    // A header comes with the one that it includes, whatever else is left out.
    if plans.iter().any(|plan| selection.wants(plan, &CUDA)) {
        generated.add(cuda::render_word(templates, config_name)?);
    }
    if selection.extent() == Extent::Whole {
        let modules: Vec<&Plan> = plans
            .iter()
            .filter(|plan| selection.wants(plan, &RUST))
            .collect();
        if !modules.is_empty() {
            generated.add(rust::render_mod(&modules, templates, config_name)?);
        }
        generated.add(File {
            path: "constants.json".to_owned(),
            text: constants(plans),
        });
    }
    refuse_unmarked(&generated)?;
    Ok(generated)
}

/// Refuses files that would not be known as ours later: they could never be replaced or removed.
fn refuse_unmarked(generated: &Generated) -> Result<(), Error> {
    let unmarked: Vec<Diagnostic> = generated
        .files
        .iter()
        .filter(|(_, text)| !output::is_ours(text.as_bytes()))
        .map(|(path, _)| {
            Diagnostic::new(
                "no-marker",
                format!("`{path}` would not begin with fieldgen's `@generated` marker"),
            )
            .note("only files that begin with it are ever replaced or removed")
            .help("keep the first line of the template that this file is rendered from")
        })
        .collect();
    if unmarked.is_empty() {
        Ok(())
    } else {
        Err(Error::without_source(unmarked))
    }
}

/// The constants of all fields as JSON.
pub(crate) fn constants(plans: &[Plan]) -> String {
    json::render(plans.iter().map(|plan| &plan.field))
}

/// For a selection that leaves no file.
pub(crate) fn nothing_to_do(selection: &Selection) -> Error {
    let names: Vec<&str> = selection
        .targets
        .iter()
        .map(|target| target.name())
        .collect();
    let message = match (&selection.fields[..], &names[..]) {
        ([], []) => "there is no field".to_owned(),
        ([], targets) => format!("no field has target {}", targets.join(" or ")),
        (fields, targets) => format!(
            "no target {} for {}",
            targets.join(" or "),
            fields.join(" or ")
        ),
    };
    Error::without_source(
        Diagnostic::new("nothing-to-generate", message)
            .help("`fieldgen --list` shows the fields and their targets"),
    )
}
