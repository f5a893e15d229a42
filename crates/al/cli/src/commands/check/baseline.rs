//! Findings that are known already: only new ones count.
//!
//! A finding is known by its file, its rule and the text of its line. Lines
//! that come and go elsewhere in the file change nothing; a line that changes
//! makes its findings new ones.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use candor_al_session::FixSafety;
use candor_al_session::check::{CheckReport, FileReport, ReportedFinding};
use candor_al_session::rules;
use candor_al_session::tools::Summary;
use serde::{Deserialize, Serialize};

use super::content::line_of;
use super::settings::BaselineFile;

/// What this program writes, and the only one it reads.
const VERSION: u32 = 1;

/// Why there is no baseline.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BaselineError {
    /// There is no such file.
    #[error("there is no baseline at {}", .0.display())]
    Missing(PathBuf),
    /// It cannot be read.
    #[error("cannot read the baseline {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    /// It is not what this program writes.
    #[error("{} is no baseline: {cause}", path.display())]
    Malformed { path: PathBuf, cause: serde_json::Error },
    /// It comes from another version of this program.
    #[error("the baseline {} has version {version}, and this program knows version {VERSION} only", path.display())]
    UnknownVersion { path: PathBuf, version: u32 },
    /// It cannot be written.
    #[error("cannot write the baseline {}: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    /// Findings would be missing from it.
    #[error("not every file could be read: the baseline {} was left as it is", .0.display())]
    Incomplete(PathBuf),
}

impl BaselineError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(path) => Some(format!(
                "write one that knows all findings of today: `candor-al check --baseline {} --write-baseline`",
                path.display()
            )),
            Self::Malformed { .. } | Self::UnknownVersion { .. } => Some(
                "restore it from version control, or delete it and write it anew with `--write-baseline`".to_owned(),
            ),
            Self::Unreadable { .. } | Self::Unwritable { .. } | Self::Incomplete(_) => None,
        }
    }
}

/// How many findings of a rule on a line with a text are known, for each file.
type Known = BTreeMap<String, BTreeMap<(String, String), usize>>;

/// The known findings, and what is counted against them.
pub(super) struct Baseline {
    path: PathBuf,
    /// The folder of the baseline, which its paths are relative to.
    folder: PathBuf,
    known: Known,
    /// Findings of this run, when they are to become the known ones.
    found: Option<Known>,
    known_count: usize,
    summary: Summary,
    new_of_rule: HashMap<String, usize>,
}

impl Baseline {
    /// Reads a baseline. One that is to be written need not be there.
    pub(super) fn open(file: &BaselineFile) -> Result<Self, BaselineError> {
        let path = file.path.as_path();
        let unreadable = |cause| BaselineError::Unreadable {
            path: path.to_owned(),
            cause,
        };
        let absolute = clean(&std::path::absolute(path).map_err(unreadable)?);
        let known = match fs::read(path) {
            Ok(bytes) => parse(path, &bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !file.is_written {
                    return Err(BaselineError::Missing(path.to_owned()));
                }
                Known::new()
            }
            Err(cause) => return Err(unreadable(cause)),
        };
        Ok(Self {
            path: path.to_owned(),
            folder: absolute.parent().unwrap_or(&absolute).to_owned(),
            known,
            found: file.is_written.then(Known::new),
            known_count: 0,
            summary: Summary::default(),
            new_of_rule: HashMap::new(),
        })
    }

    /// Takes the known findings out of what is reported about a file. Of several alike the first ones are known.
    pub(super) fn take_known(&mut self, report: &mut FileReport) {
        if report.findings.is_empty() {
            return;
        }
        let file = relative(&self.folder, &report.file_path);
        if let Some(found) = &mut self.found {
            let of_file = found.entry(file).or_default();
            for finding in report.findings.drain(..) {
                *of_file.entry(key(&finding)).or_default() += 1;
                self.known_count += 1;
            }
            return;
        }
        let mut of_file = self.known.get_mut(&file);
        report.findings.retain(|finding| {
            let left = of_file.as_mut().and_then(|known| known.get_mut(&key(finding)));
            if let Some(left) = left
                && *left > 0
            {
                *left -= 1;
                self.known_count += 1;
                return false;
            }
            let diagnostic = &finding.diagnostic;
            self.summary.add(diagnostic.severity, &diagnostic.analyzer);
            *self.new_of_rule.entry(diagnostic.id.clone()).or_default() += 1;
            true
        });
    }

    /// How many findings were known.
    pub(super) const fn known_count(&self) -> usize {
        self.known_count
    }

    /// Makes the numbers of a report those of the new findings.
    pub(super) fn recount(&self, report: &mut CheckReport) {
        let new = |id: &str| self.new_of_rule.get(id).copied().unwrap_or(0);
        report.total_count = self.new_of_rule.values().sum();
        report.summary = self.summary.clone();
        report.statistics.findings = report.total_count;
        for rule in &mut report.statistics.rules {
            rule.findings = new(rule.id);
        }
        (report.fixable_count, report.unsafely_fixable_count) = (0, 0);
        for rule in rules::all() {
            let safe = rule.fixes.iter().filter(|fix| fix.safety == FixSafety::Safe).count();
            // Nobody but a person can choose between several safe ones.
            if safe == 1 {
                report.fixable_count += new(rule.id);
            } else if !rule.fixes.is_empty() {
                report.unsafely_fixable_count += new(rule.id);
            }
        }
    }

    /// Writes what was found, if it is to be written, and tells how many findings are known now. What was not looked at
    /// stays: rules that did not run, and files outside of `paths` that are still there.
    pub(super) fn write(self, report: &CheckReport, paths: &[PathBuf]) -> Result<Option<usize>, BaselineError> {
        let Some(mut found) = self.found else { return Ok(None) };
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here } else { paths };
        let roots: Vec<_> = paths
            .iter()
            .filter_map(|path| std::path::absolute(path).ok())
            .map(|path| clean(&path))
            .collect();
        let ran: HashSet<&str> = report.statistics.rules.iter().map(|rule| rule.id).collect();
        for (file, known) in self.known {
            let path = clean(&self.folder.join(&file));
            if !path.is_file() {
                continue;
            }
            let was_looked_at = roots.iter().any(|root| path.starts_with(root));
            for (key, count) in known {
                if !(was_looked_at && ran.contains(key.0.as_str())) {
                    found.entry(file.clone()).or_default().entry(key).or_insert(count);
                }
            }
        }
        write_file(&self.path, &found).map_err(|cause| BaselineError::Unwritable {
            path: self.path.clone(),
            cause,
        })?;
        Ok(Some(found.values().flat_map(BTreeMap::values).sum()))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is to be written.
    pub(super) const fn is_written(&self) -> bool {
        self.found.is_some()
    }
}

fn key(finding: &ReportedFinding) -> (String, String) {
    (finding.diagnostic.id.clone(), line_of(finding))
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "version")]
    _version: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    rule: String,
    line: String,
    count: usize,
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Known, BaselineError> {
    let malformed = |cause| BaselineError::Malformed {
        path: path.to_owned(),
        cause,
    };
    let Head { version } = serde_json::from_slice(bytes).map_err(malformed)?;
    if version != VERSION {
        return Err(BaselineError::UnknownVersion {
            path: path.to_owned(),
            version,
        });
    }
    let document: Document = serde_json::from_slice(bytes).map_err(malformed)?;
    let mut known = Known::new();
    for Entry {
        file,
        rule,
        line,
        count,
    } in document.findings
    {
        let entry = known.entry(file).or_default().entry((rule, line)).or_default();
        // A merge may leave the same entry twice.
        *entry = count.max(*entry);
    }
    Ok(known)
}

/// Writes the file in the place of the old one at once. Each entry has a line, in order: a difference shows what came
/// and what went.
fn write_file(path: &Path, known: &Known) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".candor-tmp");
    let temporary = path.with_file_name(name);
    let written = write_entries(&temporary, known).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What remains of it is of no use to anybody.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_entries(path: &Path, known: &Known) -> io::Result<()> {
    let mut out = io::BufWriter::new(fs::File::create(path)?);
    write!(out, "{{\"version\":{VERSION},\"findings\":[")?;
    let mut separator = "\n";
    for (file, of_file) in known {
        for ((rule, line), count) in of_file {
            out.write_all(separator.as_bytes())?;
            let entry = Entry {
                file: file.clone(),
                rule: rule.clone(),
                line: line.clone(),
                count: *count,
            };
            serde_json::to_writer(&mut out, &entry)?;
            separator = ",\n";
        }
    }
    write!(out, "\n]}}\n")?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// An absolute path without `.` and `..`, by its text alone, as the paths of reports are.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            _ => clean.push(component),
        }
    }
    clean
}

/// `path` as seen from `folder`, with slashes on every system; the whole path on another disk.
fn relative(folder: &Path, path: &Path) -> String {
    let common = folder
        .components()
        .zip(path.components())
        .take_while(|(one, other)| one == other)
        .count();
    if common == 0 {
        return path.to_string_lossy().into_owned();
    }
    let up = folder.components().skip(common).map(|_| "..".into());
    let down = path
        .components()
        .skip(common)
        .map(|component| component.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_the_folder_of_the_baseline() {
        let of = |folder: &str, path: &str| relative(Path::new(folder), Path::new(path));
        assert_eq!(of("/code", "/code/app/A.al"), "app/A.al");
        assert_eq!(of("/code/build/ci", "/code/app/A.al"), "../../app/A.al");
        assert_eq!(
            clean(Path::new("/code/build/../app/./A.al")),
            Path::new("/code/app/A.al")
        );
    }

    #[test]
    fn an_entry_twice_counts_once() {
        let text = br#"{"version":1,"findings":[
            {"file":"A.al","rule":"AC0018","line":"x","count":2},
            {"file":"A.al","rule":"AC0018","line":"x","count":1}]}"#;
        let known = parse(Path::new("b.json"), text).unwrap();
        assert_eq!(known["A.al"][&("AC0018".to_owned(), "x".to_owned())], 2);
    }
}
