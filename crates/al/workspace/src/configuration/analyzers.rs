//! Which cops run: analyzers as settings and callers name them.

use std::path::Path;

use super::settings::Setting;
use crate::json::Located;
use crate::warning::{Problem, Warning};

/// How names of the cops that run unless a project chooses start.
const OWN_PREFIX: &str = "ALCops.";

/// How names of Microsoft's analyzer files start.
const MICROSOFT_PREFIX: &str = "Microsoft.Dynamics.Nav.";

/// The cops that run for a project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CopSelection {
    /// Their names, in the order chosen, none twice.
    pub cops: Vec<String>,
    /// Whether the project's settings chose them; otherwise they are all of ours.
    pub is_chosen: bool,
}

impl CopSelection {
    /// Whether a cop runs; its name is as in the list of those available.
    pub fn contains(&self, cop: &str) -> bool {
        self.cops.iter().any(|chosen| chosen == cop)
    }
}

/// The name of the cop that an analyzer means: `${CodeCop}` is `CodeCop`,
/// `${analyzerFolder}ALCops.LinterCop.dll` and a path to that file are `ALCops.LinterCop`, and a name is
/// itself. `None` for blank text.
pub fn analyzer_name(spec: &str) -> Option<&str> {
    let spec = spec.trim();
    let whole_token = spec
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .filter(|name| !name.contains('}'));
    let name = whole_token.unwrap_or_else(|| {
        let file = spec.rsplit(['/', '\\', '}']).next().unwrap_or_default();
        let stem_length = file.len().saturating_sub(".dll".len());
        match file.get(stem_length..) {
            Some(extension) if extension.eq_ignore_ascii_case(".dll") => &file[..stem_length],
            _ => file,
        }
    });
    let name = without_prefix(name, MICROSOFT_PREFIX);
    (!name.is_empty()).then_some(name)
}

/// The available cop that a name means; case is free, and the short name `LinterCop` means
/// `ALCops.LinterCop`. An older analyzer of another maker with the same short name
/// (`BusinessCentral.LinterCop`) is not it: its ids mean other rules.
pub fn find_cop<'a>(name: &str, available: &'a [String]) -> Option<&'a str> {
    let short = |name: &'a str| without_prefix(name, OWN_PREFIX);
    available
        .iter()
        .map(String::as_str)
        .find(|cop| cop.eq_ignore_ascii_case(name) || short(cop).eq_ignore_ascii_case(name))
}

fn without_prefix<'a>(name: &'a str, prefix: &str) -> &'a str {
    match name.get(..prefix.len()) {
        Some(start) if start.eq_ignore_ascii_case(prefix) => &name[prefix.len()..],
        _ => name,
    }
}

/// The cops a project runs: those its analyzers name, or all of ours if they name none.
pub(crate) fn select_cops(
    analyzers: Option<&Setting<Vec<Located<String>>>>,
    available: &[String],
    warnings: &mut Vec<Warning>,
) -> CopSelection {
    let mut selection = CopSelection::default();
    if let Some(setting) = analyzers {
        for spec in &setting.value {
            let Some(name) = analyzer_name(&spec.value) else {
                continue;
            };
            if let Some(cop) = find_cop(name, available) {
                if !selection.contains(cop) {
                    selection.cops.push(cop.to_owned());
                }
            } else {
                warnings.push(unknown_cop(&setting.file, spec, name));
            }
        }
    }
    selection.is_chosen = !selection.cops.is_empty();
    if !selection.is_chosen {
        let ours = available.iter().filter(|cop| cop.starts_with(OWN_PREFIX));
        selection.cops = ours.cloned().collect();
    }
    selection
}

fn unknown_cop(file: &Path, spec: &Located<String>, name: &str) -> Warning {
    let problem = Problem::UnknownCop {
        spec: spec.value.clone(),
        cop: name.to_owned(),
    };
    Warning::at(file, spec.position, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analyzer_names_its_cop_in_many_ways() {
        for (spec, name) in [
            ("${CodeCop}", "CodeCop"),
            ("${UICop}", "UICop"),
            ("${analyzerFolder}ALCops.LinterCop.dll", "ALCops.LinterCop"),
            ("${AnalyzerFolder}/ALCops.LinterCop.DLL", "ALCops.LinterCop"),
            (r"C:\cops\ALCops.FormattingCop.dll", "ALCops.FormattingCop"),
            ("./cops/My.Cop.dll", "My.Cop"),
            ("Microsoft.Dynamics.Nav.CodeCop.dll", "CodeCop"),
            ("ALCops.LinterCop", "ALCops.LinterCop"),
            (" LinterCop ", "LinterCop"),
            ("https://example.org/x/ALCops.PlatformCop.dll", "ALCops.PlatformCop"),
        ] {
            assert_eq!(analyzer_name(spec), Some(name), "{spec}");
        }
        for blank in ["", "  ", "${analyzerFolder}/", ".dll", "${}"] {
            assert_eq!(analyzer_name(blank), None, "{blank}");
        }
    }

    #[test]
    fn a_cop_has_a_long_and_a_short_name() {
        let available = ["ALCops.LinterCop".to_owned(), "CodeCop".to_owned()];
        let find = |name| find_cop(name, &available);
        assert_eq!(find("ALCops.LinterCop"), Some("ALCops.LinterCop"));
        assert_eq!(find("lintercop"), Some("ALCops.LinterCop"));
        assert_eq!(find("codecop"), Some("CodeCop"));
        assert_eq!(find("ALCops.CodeCop"), None);
        assert_eq!(find("BusinessCentral.LinterCop"), None);
    }
}
