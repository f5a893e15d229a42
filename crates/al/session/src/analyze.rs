//! The tool `analyze`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use candor_al_rules::{Cop, RuleId};
use candor_al_workspace::file_system::FileKind;
use candor_al_workspace::project::SourceFile;
use candor_contract::{ReplyBudget, json_bytes, nearest_names};
use rayon::prelude::*;

use crate::analysis::{Found, analyse};
use crate::plan::Decision;
use crate::project_checks::{FoundInFile, analyse_project};
use crate::session::{Call, TellProgress, View, path_argument, room_beside};
use crate::tools::{AnalyzeArguments, AnalyzeResult, Severity, Source, Summary};
use crate::translations::why_inert;
use crate::vocabulary::{AlError, AlPlace};
use crate::{analysis::FileAnalysis, message};

/// What of a project is asked for.
#[derive(Debug, Default)]
struct Scope {
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
}

impl Scope {
    fn contains(&self, path: &Path) -> bool {
        self.file.as_deref().is_none_or(|file| path == file)
            && self
                .folder
                .as_deref()
                .is_none_or(|folder| path != folder && path.starts_with(folder))
    }

    /// The narrowest path that is asked for.
    fn path(&self) -> Option<&Path> {
        self.file.as_deref().or(self.folder.as_deref())
    }
}

/// How far a call is, for whoever wants to hear it.
struct Progress<'a> {
    tell: &'a TellProgress<'a>,
    total: usize,
    /// Files looked at. Locked while telling, so that the numbers told only grow.
    done: Mutex<usize>,
}

impl Progress<'_> {
    /// One more file is done.
    fn advance(&self) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += 1;
        let step = (self.total / PROGRESS_STEPS).max(1);
        if done.is_multiple_of(step) || *done == self.total {
            (self.tell)(*done, self.total);
        }
    }
}

/// How often progress is told at most: enough for a bar, few enough to cost nothing.
const PROGRESS_STEPS: usize = 100;

/// The findings of a file that was looked at.
struct Looked {
    file_path: String,
    analysis: Arc<FileAnalysis>,
}

impl Call<'_> {
    pub(crate) fn analyze(&mut self, arguments: &AnalyzeArguments) -> Result<AnalyzeResult, AlError> {
        if arguments.limit <= 0 {
            return Err(message::too_small("limit", arguments.limit, 1));
        }
        if arguments.offset < 0 {
            return Err(message::too_small("offset", arguments.offset, 0));
        }
        let path =
            |name: &str, given: &Option<String>| given.as_deref().map(|given| path_argument(name, given)).transpose();
        let scope = Scope {
            file: path("filePath", &arguments.file_path)?,
            folder: path("folderPath", &arguments.folder_path)?,
        };
        let cops = self.cops(arguments.analyzers.as_deref())?;
        if arguments.source != Source::Native {
            return Err(message::no_proxy());
        }
        let roots = self.projects_of(arguments.project_path.as_deref(), &scope)?;
        let views = roots
            .iter()
            .map(|root| self.view_with_translations(root, cops.as_deref()))
            .collect::<Result<Vec<View>, _>>()?;
        let looked = self.look(&views, &scope)?;
        if scope.path().is_none() {
            self.warn_of_nested_projects(&views[0].snapshot.root);
        }
        self.warn_of_rules(arguments.rule_ids.as_deref().unwrap_or_default(), &views);

        let candor_is_wanted = cops.as_deref().is_none_or(|cops| cops.contains(&Cop::Candor));
        let mut syntax_errors_left_out = 0;
        let mut found: Vec<(&str, &Found)> = Vec::new();
        for file in &looked {
            for finding in &file.analysis.found {
                if finding.rule == RuleId::CN0001 && !candor_is_wanted {
                    syntax_errors_left_out += 1;
                } else if is_asked_for(finding, arguments) {
                    found.push((&file.file_path, finding));
                }
            }
        }
        if syntax_errors_left_out > 0 {
            self.notes.warn(format!(
                "{syntax_errors_left_out} syntax errors (CN0001) are left out, because `analyzers` does not name Candor; \
                 where the syntax is broken, rules find less"
            ));
        }
        found.sort_by(|(file, finding), (other_file, other)| {
            let place = |finding: &Found| (finding.start.line, finding.start.column);
            file.cmp(other_file)
                .then_with(|| place(finding).cmp(&place(other)))
                .then_with(|| finding.rule.id().cmp(other.rule.id()))
        });
        Ok(self.page(&found, arguments, &views[0]))
    }

    /// The part of the entries that is asked for and fits.
    fn page(&self, found: &[(&str, &Found)], arguments: &AnalyzeArguments, view: &View) -> AnalyzeResult {
        let mut summary = Summary::default();
        for (_, finding) in found {
            summary.add(finding.severity.into(), finding.rule.metadata().cop.name());
        }
        let offset = usize::try_from(arguments.offset).unwrap_or(usize::MAX).min(found.len());
        let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
        let mut result = AnalyzeResult {
            project: view.snapshot.root.display().to_string(),
            count: 0,
            total_count: found.len(),
            truncated: true,
            next_offset: Some(found.len()),
            summary,
            diagnostics: Vec::new(),
            warnings: self.warnings(),
            content_version: view.snapshot.content_version.to_string(),
        };
        let mut budget = ReplyBudget::new(room_beside(json_bytes(&result)));
        for (file_path, finding) in found.iter().skip(offset).take(limit) {
            let entry = finding.diagnostic(file_path);
            // One entry is always shown, so that paging comes to an end.
            if !budget.take(&entry) && !result.diagnostics.is_empty() {
                break;
            }
            result.diagnostics.push(entry);
        }
        result.count = result.diagnostics.len();
        let next = offset + result.count;
        result.truncated = next < found.len();
        result.next_offset = result.truncated.then_some(next);
        result
    }

    /// The projects that are asked for: the one named; else the one around the file or folder, or those below the folder;
    /// else the first.
    fn projects_of(&self, project_path: Option<&str>, scope: &Scope) -> Result<Vec<PathBuf>, AlError> {
        let known = self.session.projects();
        let Some(scope_path) = scope.path().filter(|_| project_path.is_none() && !known.is_empty()) else {
            return self.session.known_project(project_path).map(|project| vec![project]);
        };
        let around = known.iter().filter(|project| scope_path.starts_with(project));
        if let Some(nearest) = around.max_by_key(|project| project.components().count()) {
            let mut roots = vec![nearest.clone()];
            if scope.file.is_none() {
                roots.extend(
                    known
                        .iter()
                        .filter(|project| *project != nearest && project.starts_with(scope_path))
                        .cloned(),
                );
            }
            return Ok(roots);
        }
        let below: Vec<PathBuf> = known
            .iter()
            .filter(|project| project.starts_with(scope_path))
            .cloned()
            .collect();
        if below.is_empty() {
            return Err(message::scope_outside_projects(scope_path, &self.session.known()));
        }
        Ok(below)
    }

    /// Looks at every file of the scope.
    fn look(&mut self, views: &[View], scope: &Scope) -> Result<Vec<Looked>, AlError> {
        let mut looked = Vec::new();
        let in_scope: Vec<Vec<&Arc<SourceFile>>> = views
            .iter()
            .map(|view| {
                let files = view.snapshot.files.iter();
                files.filter(|file| scope.contains(&file.path)).collect()
            })
            .collect();
        let progress = self.progress.map(|tell| Progress {
            tell,
            total: in_scope.iter().map(Vec::len).sum(),
            done: Mutex::new(0),
        });
        for (view, in_scope) in views.iter().zip(&in_scope) {
            let analyses: Vec<_> = in_scope
                .par_iter()
                .filter(|_| !self.cancellation.is_cancelled())
                .map(|file| {
                    let analyse = || analyse(&file.path, file.text(), &view.plan, &view.context(&file.path));
                    let analysis = view.entry.analysis(&file.path, file.content_hash, &view.plan, analyse);
                    if let Some(progress) = &progress {
                        progress.advance();
                    }
                    (file, analysis)
                })
                .collect();
            self.look_at_configuration(view, scope, &mut looked);
            for (file, analysis) in analyses {
                self.notes
                    .add_incidents(analysis.incidents.iter().cloned(), Some(&view.snapshot.root));
                looked.push(Looked {
                    file_path: file.path.display().to_string(),
                    analysis,
                });
            }
        }
        if views.len() > 1 {
            let others: Vec<_> = views
                .iter()
                .map(|view| view.snapshot.root.display().to_string())
                .collect();
            self.notes.warn(format!(
                "the folder holds files of several projects: {}; `project` and `contentVersion` are those of the first",
                others.join(", ")
            ));
        }
        if looked.is_empty() && !self.cancellation.is_cancelled() {
            self.nothing_looked_at(views, scope)?;
        }
        Ok(looked)
    }

    /// Looks at the manifest and the settings of a project. What is wrong there belongs to the whole project, to the
    /// folder it stands in, and to the file itself when that is asked for, but to no AL file.
    fn look_at_configuration(&mut self, view: &View, scope: &Scope, looked: &mut Vec<Looked>) {
        let snapshot = &view.snapshot;
        let analysis = analyse_project(&snapshot.root, &snapshot.configuration, &view.plan, &mut ());
        self.notes.add_incidents(analysis.incidents, Some(&snapshot.root));
        for FoundInFile { path, found } in analysis.found {
            if !scope.contains(&path) {
                continue;
            }
            let file_path = path.display().to_string();
            // Settings that several projects share are told about once.
            let is_same = |one: &Looked| one.file_path == file_path && one.analysis.found.contains(&found);
            if !looked.iter().any(is_same) {
                let analysis = FileAnalysis {
                    found: vec![found],
                    incidents: Vec::new(),
                };
                looked.push(Looked {
                    file_path,
                    analysis: Arc::new(analysis),
                });
            }
        }
    }

    /// Says why there was nothing to look at, unless that is in order: a settings file without findings is, and a folder
    /// that is there and holds no AL.
    fn nothing_looked_at(&mut self, views: &[View], scope: &Scope) -> Result<(), AlError> {
        let roots: Vec<_> = views.iter().map(|view| view.snapshot.root.as_path()).collect();
        let (file, folder) = (scope.file.as_deref(), scope.folder.as_deref());
        if let Some(file) = file {
            let is_below = folder.is_none_or(|folder| file.starts_with(folder));
            let is_settings = |view: &View| view.snapshot.configuration.files.iter().any(|known| known == file);
            if is_below && views.iter().any(is_settings) {
                return Ok(());
            }
            if let Some(warning) = views.iter().find_map(|view| view.snapshot.unreadable(file)) {
                return Err(message::unreadable(warning).place(AlPlace {
                    file_path: Some(file.display().to_string()),
                    diagnostic_id: None,
                }));
            }
        } else if let Some(folder) = folder {
            let metadata = self.session.files.metadata(folder);
            if metadata.is_ok_and(|metadata| metadata.kind == FileKind::Folder) {
                self.notes.warn(format!(
                    "there is no AL file of {} below {}",
                    message::listed(&roots, folder),
                    folder.display()
                ));
                return Ok(());
            }
        }
        message::empty_scope(file, folder, &roots).map_or(Ok(()), Err)
    }

    /// A project inside the one that was looked at is one of its own, and its findings are not among these.
    fn warn_of_nested_projects(&mut self, root: &Path) {
        let nested: Vec<&Path> = self
            .session
            .projects()
            .iter()
            .map(PathBuf::as_path)
            .filter(|project| *project != root && project.starts_with(root))
            .collect();
        if !nested.is_empty() {
            self.notes.warn(format!(
                "projects inside {} are projects of their own and not part of this answer; pass projectPath, or folderPath \
                 for all of them: {}",
                root.display(),
                message::listed(&nested, root)
            ));
        }
    }

    /// Says why a rule that was asked for by its id can find nothing.
    fn warn_of_rules(&mut self, ids: &[String], views: &[View]) {
        for id in ids {
            let Some(rule) = RuleId::from_id(id.trim()) else {
                let near = nearest_names(id, RuleId::ALL.iter().map(|rule| rule.id()));
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; did you mean {}?", near.join(" or "))
                };
                self.notes.warn(format!("ruleIds: there is no rule {id}{hint}"));
                continue;
            };
            let id = rule.id();
            for view in views {
                let root = view.snapshot.root.display();
                match view.plan.decision(rule) {
                    Decision::Runs(_) => {
                        if let Some(why) = why_inert(rule, &view.plan, &view.snapshot.configuration) {
                            self.notes.warn(format!("rule {id} finds nothing in {root}: {why}"));
                        }
                    }
                    Decision::Suppressed(why) => self.notes.warn(format!("rule {id} is switched off in {root}: {why}")),
                    Decision::CopNotChosen => {
                        let cop = rule.metadata().cop;
                        self.notes
                            .warn(format!("rule {id} does not run in {root}: its cop {cop} is not chosen"));
                    }
                    Decision::OffByDefault => {
                        self.notes
                            .warn(format!("rule {id} is off in {root} unless a ruleset switches it on"));
                    }
                }
            }
        }
    }
}

fn is_asked_for(finding: &Found, arguments: &AnalyzeArguments) -> bool {
    let is_in = |wanted: &Option<Vec<String>>, id: &str| {
        let wanted = wanted.as_deref().unwrap_or_default();
        wanted.is_empty() || wanted.iter().any(|known| known.trim().eq_ignore_ascii_case(id))
    };
    let severities = arguments.severities.as_deref().unwrap_or_default();
    (severities.is_empty() || severities.contains(&Severity::from(finding.severity)))
        && is_in(&arguments.rule_ids, finding.rule.id())
}
