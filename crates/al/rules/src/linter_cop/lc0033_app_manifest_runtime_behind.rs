//! LC0033: a runtime that is older than what the app demands anyway.

use crate::project::{Placed, ProjectFacts, ProjectReport, ProjectRule};
#[cfg(test)]
use crate::project::{ProjectTester, placed};
use crate::{Category, Cop, Metadata, Needs, Origin, RuntimeVersion, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A `runtime` in `app.json` that is older than the newest one that comes with the `application`, or with the `platform` when
that is newer, that the same file demands. Silent without a `runtime`, and when neither of the two is given.

## Why

The runtime decides which features of the language may be used. Whoever demands a release of Business Central has its
runtime anyway, so an older one only holds the code back, and hides what the compiler has to say about it since.

## Example

```json app.json
{
  "id": "00000000-0000-0000-0000-000000000001",
  "name": "Greeter",
  "publisher": "Fabrikam",
  "version": "1.0.0.0",
  "platform": "27.0.0.0",
  "application": "27.0.0.0",
  "runtime": "14.0"
}
```

## Better

```json app.json
{
  "id": "00000000-0000-0000-0000-000000000001",
  "name": "Greeter",
  "publisher": "Fabrikam",
  "version": "1.0.0.0",
  "platform": "27.0.0.0",
  "application": "27.0.0.0",
  "runtime": "16.0"
}
```

## When to ignore it

When the same source is built for older releases too, which a build rewrites `app.json` for. A pragma cannot silence it,
since it stands in no AL file: use a ruleset, or `suppressWarnings` in `app.json`.
"#;

/// The runtimes that Microsoft lists in "Choose runtime version in AL" (March 2026), oldest first. More came with single
/// updates; one that is not listed is never demanded, and the rule is silent about those newer than the last.
const RUNTIMES: &[RuntimeVersion] = &[
    RuntimeVersion::new(1, 0),
    RuntimeVersion::new(2, 0),
    RuntimeVersion::new(3, 0),
    RuntimeVersion::new(4, 0),
    RuntimeVersion::new(5, 0),
    RuntimeVersion::new(6, 0),
    RuntimeVersion::new(6, 1),
    RuntimeVersion::new(6, 2),
    RuntimeVersion::new(6, 3),
    RuntimeVersion::new(6, 4),
    RuntimeVersion::new(7, 0),
    RuntimeVersion::new(7, 1),
    RuntimeVersion::new(7, 2),
    RuntimeVersion::new(8, 0),
    RuntimeVersion::new(9, 0),
    RuntimeVersion::new(9, 1),
    RuntimeVersion::new(9, 2),
    RuntimeVersion::new(10, 0),
    RuntimeVersion::new(11, 0),
    RuntimeVersion::new(12, 0),
    RuntimeVersion::new(13, 0),
    RuntimeVersion::new(14, 0),
    RuntimeVersion::new(15, 0),
    RuntimeVersion::new(16, 0),
    RuntimeVersion::new(17, 0),
];

/// A release of Business Central is as much ahead of its runtime.
const AHEAD: u16 = 11;

pub(crate) struct AppManifestRuntimeBehind;

/// What the finding is about.
pub(crate) struct Behind {
    /// The property that demands a release, and the release.
    demanding: (&'static str, String),
    runtime: String,
    best: RuntimeVersion,
}

impl ProjectRule for AppManifestRuntimeBehind {
    const METADATA: Metadata = Metadata {
        id: "LC0033",
        name: "AppManifestRuntimeBehind",
        title: "app.json runtime lags behind its application/platform",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Project,
        settings: &[],
        origin: Origin::Same("LC0033 of ALCops"),
        fixes: &[],
        kinds: &[],
        documentation: DOCUMENTATION,
    };

    type State = Behind;

    fn find(project: &ProjectFacts, report: &mut ProjectReport<Self::State>) {
        let Some(runtime) = &project.runtime else { return };
        let (Some(declared), Some(demanding)) = (version(runtime), newer(project)) else {
            return;
        };
        let (_, _, release) = demanding;
        let comes_with = |runtime: &&RuntimeVersion| release_of(**runtime) <= release;
        let Some(&best) = RUNTIMES.iter().rfind(comes_with) else {
            return;
        };
        if declared < best {
            let state = Behind {
                demanding: (demanding.0, demanding.1.to_owned()),
                runtime: runtime.value.trim().to_owned(),
                best,
            };
            report.at(&runtime.place, state);
        }
    }

    fn message(state: &Self::State) -> String {
        let Behind {
            demanding: (property, version),
            runtime,
            best: RuntimeVersion { major, minor },
        } = state;
        format!(
            "The {property} {version} comes with runtime {major}.{minor}, but the runtime is {runtime}, which holds newer \
             features of the language back. Set it to \"{major}.{minor}\", unless the app is built for older releases too."
        )
    }

    #[cfg(test)]
    fn tests(tests: ProjectTester) -> ProjectTester {
        let facts = |runtime: &str, application: &str, platform: &str| {
            let of = |line, text: &str| (!text.is_empty()).then(|| placed("app.json", line, text.to_owned()));
            ProjectFacts {
                runtime: of(2, runtime),
                application: of(3, application),
                platform: of(4, platform),
                ..ProjectFacts::default()
            }
        };
        let at_runtime: &[&str] = &["app.json:2"];
        tests
            .flags(
                "a runtime older than the application's",
                facts("14.0", "26.0.0.0", "1.0.0.0"),
                at_runtime,
            )
            .flags(
                "a runtime older than the platform's",
                facts("14.0", "", "26.0.0.0"),
                at_runtime,
            )
            .flags("one part is enough", facts("9", "21", ""), at_runtime)
            .flags(
                "a runtime that came with an update",
                facts("6.1", "17.3.0.0", ""),
                at_runtime,
            )
            .flags(
                "of a release that is not known yet, the newest runtime that is",
                facts("16.0", "99.0.0.0", ""),
                at_runtime,
            )
            .silent("the runtime of the release", facts("15.0", "26.0.0.0", "26.0.0.0"))
            .silent(
                "an update without a runtime of its own",
                facts("15.0", "26.4.0.0", "26.4.0.0"),
            )
            .silent("a runtime that is ahead", facts("16.0", "26.0.0.0", ""))
            .silent(
                "the newest runtime, whatever is demanded",
                facts("17.0", "99.0.0.0", "99.0.0.0"),
            )
            .silent(
                "the update of a runtime that is not listed",
                facts("15.2", "26.2.0.0", ""),
            )
            .silent("no runtime", facts("", "26.0.0.0", "26.0.0.0"))
            .silent("neither application nor platform", facts("14.0", "", ""))
            .silent("versions that are none", facts("14.0", "$(application)", "$(platform)"))
            .silent("a runtime that is none", facts("latest", "26.0.0.0", ""))
            .silent("a release older than every runtime", facts("1.0", "11.0.0.0", ""))
            .says(
                "the application, when both are of the same release",
                facts("14.0", "26.0.10000.0", "26.0.0.0"),
                "The application 26.0.10000.0 comes with runtime 15.0, but the runtime is 14.0, which holds newer \
                 features of the language back. Set it to \"15.0\", unless the app is built for older releases too.",
            )
            .says(
                "the platform, when it is the newer one",
                facts("14.0", "25.0.0.0", "27.0.0.0"),
                "The platform 27.0.0.0 comes with runtime 16.0, but the runtime is 14.0, which holds newer \
                 features of the language back. Set it to \"16.0\", unless the app is built for older releases too.",
            )
    }
}

/// The newer of the two releases a project demands: the property, its text, and major and minor version.
fn newer(project: &ProjectFacts) -> Option<(&'static str, &str, RuntimeVersion)> {
    let application = project.application.as_ref().and_then(|fact| named("application", fact));
    let platform = project.platform.as_ref().and_then(|fact| named("platform", fact));
    match (application, platform) {
        (Some(application), Some(platform)) if platform.2 > application.2 => Some(platform),
        (application, platform) => application.or(platform),
    }
}

fn named<'a>(property: &'static str, fact: &'a Placed<String>) -> Option<(&'static str, &'a str, RuntimeVersion)> {
    Some((property, fact.value.trim(), version(fact)?))
}

/// The first two parts of a version; that of a runtime is written like that of a release.
fn version(fact: &Placed<String>) -> Option<RuntimeVersion> {
    fact.value.parse().ok()
}

/// The release of Business Central that a runtime came with.
fn release_of(runtime: RuntimeVersion) -> RuntimeVersion {
    RuntimeVersion::new(runtime.major + AHEAD, runtime.minor)
}
