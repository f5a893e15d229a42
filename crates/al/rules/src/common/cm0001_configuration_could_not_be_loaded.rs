//! CM0001: settings of the rules that have no effect.

use crate::project::{ProjectFacts, ProjectReport, ProjectRule, SettingsProblem};
#[cfg(test)]
use crate::project::{ProjectTester, placed};
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A part of `alcops.json` that has no effect: a setting that does not exist, or a whole file that cannot be used, because it
cannot be read, is no JSON, has a value that its setting does not take, or extends a file that has such a fault itself.

## Why

One value that does not fit takes every setting of the file back to its default, and a setting with a typing error does
nothing. Either way the rules judge by other limits than those somebody wrote down.

## Example

```json alcops.json
{
  "CyclomaticComplexityTreshold": 12
}
```

## Better

```json alcops.json
{
  "CyclomaticComplexityThreshold": 12
}
```

## When to ignore it

When the file is shared with a newer version of the analyzers that knows more settings. A pragma cannot silence it, since it
stands in no AL file; a ruleset can. What is wrong is told as a warning in any case.
"#;

pub(crate) struct ConfigurationCouldNotBeLoaded;

impl ProjectRule for ConfigurationCouldNotBeLoaded {
    const METADATA: Metadata = Metadata {
        id: "CM0001",
        name: "ConfigurationCouldNotBeLoaded",
        title: "alcops.json could not be fully applied",
        cop: Cop::Common,
        category: Category::Configuration,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Project,
        settings: &["Extends"],
        origin: Origin::Same("CM0001 of ALCops"),
        fixes: &[],
        kinds: &[],
        documentation: DOCUMENTATION,
    };

    type State = (String, SettingsProblem);

    fn find(project: &ProjectFacts, report: &mut ProjectReport<Self::State>) {
        for problem in &project.settings_problems {
            let file = problem.place.file.display().to_string();
            report.at(&problem.place, (file, problem.value.clone()));
        }
    }

    fn message((file, problem): &Self::State) -> String {
        match problem {
            SettingsProblem::UnknownKey(key) => {
                format!("{file} could not be fully applied: there is no setting {key}. Correct its name, or remove it.")
            }
            SettingsProblem::Unusable(reason) => {
                format!("{file} could not be applied: {reason}. Until it is repaired, every setting has its default.")
            }
        }
    }

    #[cfg(test)]
    fn tests(tests: ProjectTester) -> ProjectTester {
        let with = |problems: Vec<_>| ProjectFacts {
            settings_problems: problems,
            ..ProjectFacts::default()
        };
        let unknown = |line, key: &str| placed("alcops.json", line, SettingsProblem::UnknownKey(key.to_owned()));
        let unusable = |line, reason: &str| placed("alcops.json", line, SettingsProblem::Unusable(reason.to_owned()));
        tests
            .silent("settings that are applied", ProjectFacts::default())
            .flags(
                "each unknown setting, in the file it stands in, and a file that cannot be used",
                with(vec![
                    unknown(7, "B"),
                    unknown(3, "A"),
                    placed("base.json", 2, SettingsProblem::UnknownKey("C".to_owned())),
                    unusable(1, "it is no JSON"),
                ]),
                &["alcops.json:1", "alcops.json:3", "alcops.json:7", "base.json:2"],
            )
            .says(
                "which setting does not exist",
                with(vec![unknown(3, "Treshold")]),
                "alcops.json could not be fully applied: there is no setting Treshold. Correct its name, or remove it.",
            )
            .says(
                "why nothing is applied, and what that means",
                with(vec![unusable(1, "it is no JSON")]),
                "alcops.json could not be applied: it is no JSON. Until it is repaired, every setting has its default.",
            )
    }
}
