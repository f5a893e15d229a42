//! Which projects there are, and which files belong to them.

mod folders;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::file_system::{Entry, FileKind, FileSystem};
use crate::path::compare;
use crate::warning::{Problem, Warning};
pub(crate) use folders::KnownFolders;
use folders::Memory;

/// The file that makes a folder a project.
pub const MANIFEST_NAME: &str = "app.json";

/// Names, in lower case, of folders that hold no source of their own.
const EXCLUDED_FOLDERS: [&str; 7] = [".alpackages", ".git", ".vs", "bin", "node_modules", "obj", "packages"];

/// How far below a root projects are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Depth {
    /// Four levels of folders: enough for a workspace, safe when started in a home folder.
    FourLevels,
    /// As far as there are folders, for paths that somebody named.
    Unbounded,
}

impl Depth {
    const fn levels(self) -> usize {
        match self {
            Self::FourLevels => 4,
            Self::Unbounded => usize::MAX,
        }
    }
}

/// The projects found below some roots.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovery {
    /// The folders of the projects: roots in the order given, sorted below each root, none twice.
    pub projects: Vec<PathBuf>,
    /// What could not be searched.
    pub warnings: Vec<Warning>,
}

/// The files of one project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectFiles {
    /// The paths of its `.al` files, sorted.
    pub files: Vec<PathBuf>,
    /// Folders that could not be searched.
    pub warnings: Vec<Warning>,
}

/// What a list of paths on a command line means.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// The projects to analyse, whole or in part.
    pub projects: Vec<SelectedProject>,
    /// `.al` files that belong to no project, sorted.
    pub loose_files: Vec<PathBuf>,
    /// Paths that mean nothing, and what could not be searched.
    pub warnings: Vec<Warning>,
}

/// A project and the part of it that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedProject {
    /// The folder of the project.
    pub root: PathBuf,
    /// Which of its files findings are wanted for.
    pub scope: Scope,
}

/// The part of a project that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    Whole,
    /// These files, and what lies below these folders.
    Only(Vec<PathBuf>),
}

impl Scope {
    /// Whether findings in `file` are wanted.
    pub fn contains(&self, file: &Path) -> bool {
        match self {
            Self::Whole => true,
            Self::Only(parts) => parts.iter().any(|part| file.starts_with(part)),
        }
    }
}

/// Whether `folder` is a project.
pub fn is_project(files: &dyn FileSystem, folder: &Path) -> bool {
    files
        .metadata(&folder.join(MANIFEST_NAME))
        .is_ok_and(|metadata| metadata.kind == FileKind::File)
}

/// Whether the name of a file is that of AL source; the case of the extension is free.
pub fn is_source_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("al"))
}

/// The folder of the project that `path` belongs to: its nearest ancestor (or itself) with
/// an `app.json`.
pub fn project_of(files: &dyn FileSystem, path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .find(|ancestor| is_project(files, ancestor))
        .map(Path::to_owned)
}

/// Finds the projects at and below `roots`, which should be absolute. A project inside
/// another is a project of its own. Roots that are missing or hold no project are warnings.
pub fn discover(files: &dyn FileSystem, roots: &[PathBuf], depth: Depth) -> Discovery {
    let mut found = Discovery::default();
    let mut known = HashSet::new();
    for root in roots {
        match files.metadata(root).map(|metadata| metadata.kind) {
            Ok(FileKind::Folder) => {}
            Ok(_) => {
                found.warnings.push(Warning::new(root, Problem::NoProject));
                continue;
            }
            Err(_) => {
                found.warnings.push(Warning::new(root, Problem::Missing));
                continue;
            }
        }
        let mut walk = Walk::new(files, root);
        let mut projects = Vec::new();
        walk.visit(depth.levels(), |folder| {
            if folder.is_project() {
                projects.push(folder.path.to_owned());
            }
            Descend::Yes
        });
        if projects.is_empty() {
            found.warnings.push(Warning::new(root, Problem::NoProject));
        }
        found.warnings.append(&mut walk.warnings);
        projects.sort_unstable_by(|left, right| compare(left, right));
        for project in projects {
            let identity = files.resolve(&project).unwrap_or_else(|_| project.clone());
            if known.insert(identity) {
                found.projects.push(project);
            }
        }
    }
    found
}

/// The `.al` files of the project in `root`, without those of projects inside it and of
/// folders that hold no source (`.alpackages`, `.git`, `bin` and the like).
pub fn project_files(files: &dyn FileSystem, root: &Path) -> ProjectFiles {
    let mut walk = Walk::new(files, root);
    ProjectFiles {
        files: walk.files_of_project(|name| is_source_name(Path::new(name))),
        warnings: walk.warnings,
    }
}

/// The same for a project that was walked before: folders that have not changed since are not listed again. Also returns
/// what is to be known the next time. `now` is a moment before the call.
pub(crate) fn project_files_again(
    files: &dyn FileSystem,
    root: &Path,
    before: &KnownFolders,
    now: SystemTime,
) -> (ProjectFiles, KnownFolders) {
    let mut walk = Walk::new(files, root);
    walk.memory = Some(Memory {
        before,
        after: KnownFolders::default(),
        now,
    });
    let found = ProjectFiles {
        files: walk.files_of_project(|name| is_source_name(Path::new(name))),
        warnings: walk.warnings,
    };
    (found, walk.memory.map(|memory| memory.after).unwrap_or_default())
}

/// What `paths` of a command line, which should be absolute, mean: a project, a folder of
/// projects, a part of a project, or files. A file belongs to the nearest project around
/// it; one in no project (country layers of the base application, say) is loose.
pub fn select(files: &dyn FileSystem, paths: &[PathBuf]) -> Selection {
    let mut selection = Selection::default();
    for path in paths {
        match files.metadata(path).map(|metadata| metadata.kind) {
            Ok(FileKind::Folder) => select_folder(files, path, &mut selection),
            Ok(FileKind::File) if is_source_name(path) => {
                match path.parent().and_then(|parent| project_of(files, parent)) {
                    Some(root) => selection.add(root, Some(path)),
                    None => selection.loose_files.push(path.clone()),
                }
            }
            Ok(_) => selection.warnings.push(Warning::new(path, Problem::NotSource)),
            Err(_) => selection.warnings.push(Warning::new(path, Problem::Missing)),
        }
    }
    selection
        .loose_files
        .sort_unstable_by(|left, right| compare(left, right));
    selection.loose_files.dedup();
    selection
}

fn select_folder(files: &dyn FileSystem, folder: &Path, selection: &mut Selection) {
    let mut below = discover(files, &[folder.to_owned()], Depth::Unbounded);
    let around = folder.parent().and_then(|parent| project_of(files, parent));
    let is_inside = !is_project(files, folder) && around.is_some();
    if let (true, Some(root)) = (is_inside, around) {
        selection.add(root, Some(folder));
        below.warnings.retain(|warning| warning.problem != Problem::NoProject);
    } else if !is_project(files, folder) {
        // The walk stops at projects, so what it finds is in none.
        let mut loose = project_files(files, folder);
        if !loose.files.is_empty() {
            below.warnings.retain(|warning| warning.problem != Problem::NoProject);
        }
        selection.loose_files.append(&mut loose.files);
    }
    for project in below.projects {
        selection.add(project, None);
    }
    selection.warnings.append(&mut below.warnings);
}

impl Selection {
    /// Adds a project, or the part of it at `part`.
    fn add(&mut self, root: PathBuf, part: Option<&Path>) {
        let index = self.projects.iter().position(|known| known.root == root);
        let Some(index) = index else {
            let scope = part.map_or(Scope::Whole, |part| Scope::Only(vec![part.to_owned()]));
            self.projects.push(SelectedProject { root, scope });
            return;
        };
        let scope = &mut self.projects[index].scope;
        match (part, &mut *scope) {
            (None, _) => *scope = Scope::Whole,
            (Some(_), Scope::Whole) => {}
            (Some(part), Scope::Only(parts)) => parts.push(part.to_owned()),
        }
    }
}

enum Descend {
    Yes,
    No,
}

/// A folder met on a walk.
struct Folder<'a> {
    path: &'a Path,
    /// Names of the files in it, links to files included.
    file_names: &'a [std::ffi::OsString],
}

impl Folder<'_> {
    fn is_project(&self) -> bool {
        self.file_names.iter().any(|name| name == MANIFEST_NAME)
    }
}

/// A walk down from a root that visits every folder once, links included.
pub(crate) struct Walk<'a> {
    files: &'a dyn FileSystem,
    root: &'a Path,
    /// Real paths of the trees walked so far: the root and what links led to. A link is
    /// followed only out of all of them, which ends every loop and repeats nothing.
    trees: Vec<PathBuf>,
    warnings: Vec<Warning>,
    /// What is known of the folders of a project; none when everything is listed anew.
    memory: Option<Memory<'a>>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(files: &'a dyn FileSystem, root: &'a Path) -> Self {
        Self {
            files,
            root,
            trees: Vec::new(),
            warnings: Vec::new(),
            memory: None,
        }
    }

    /// The files at and below the root whose name is wanted, sorted, without those of
    /// projects inside.
    pub(crate) fn files_of_project(&mut self, is_wanted: impl Fn(&OsStr) -> bool) -> Vec<PathBuf> {
        let root = self.root;
        let mut found = Vec::new();
        self.visit(usize::MAX, |folder| {
            if folder.path != root && folder.is_project() {
                return Descend::No;
            }
            let wanted = folder.file_names.iter().filter(|name| is_wanted(name));
            found.extend(wanted.map(|name| folder.path.join(name)));
            Descend::Yes
        });
        found.sort_unstable_by(|left, right| compare(left, right));
        found
    }

    fn visit(&mut self, levels: usize, mut enter: impl FnMut(&Folder<'_>) -> Descend) {
        let real_root = self.files.resolve(self.root);
        let real_root = real_root.unwrap_or_else(|_| self.root.to_owned());
        self.trees = vec![real_root.clone()];
        // Each folder with its real path and its depth.
        let mut pending = vec![(self.root.to_owned(), real_root, 0)];
        while let Some((path, real, level)) = pending.pop() {
            let entries = match self.entries(&path, &real) {
                Ok(entries) => entries,
                Err(cause) => {
                    let cause = cause.to_string();
                    let problem = Problem::UnreadableFolder { cause };
                    self.warnings.push(Warning::new(&path, problem));
                    continue;
                }
            };
            let mut file_names = Vec::new();
            let mut folders = Vec::new();
            for Entry { name, kind } in entries.iter() {
                let behind = match kind {
                    FileKind::Link => self.behind_link(&path.join(name)),
                    FileKind::File => Some(Behind::File),
                    FileKind::Folder => Some(Behind::Folder(real.join(name))),
                    FileKind::Other => None,
                };
                match behind {
                    Some(Behind::File) => file_names.push(name.clone()),
                    Some(Behind::Folder(real)) if !is_excluded(name) => {
                        folders.push((path.join(name), real, level + 1));
                    }
                    _ => {}
                }
            }
            let folder = Folder {
                path: &path,
                file_names: &file_names,
            };
            if matches!(enter(&folder), Descend::Yes) && level < levels {
                pending.extend(folders.into_iter().rev());
            }
        }
    }

    fn entries(&mut self, path: &Path, real: &Path) -> io::Result<Arc<[Entry]>> {
        match &mut self.memory {
            Some(memory) => memory.entries(self.files, path, real),
            None => self.files.list(path).map(Arc::from),
        }
    }

    /// What a link leads to, unless that is nothing or a folder walked anyway.
    fn behind_link(&mut self, link: &Path) -> Option<Behind> {
        let kind = match self.files.metadata(link) {
            Ok(metadata) => metadata.kind,
            Err(cause) => {
                if is_source_name(link) {
                    let cause = cause.to_string();
                    let problem = Problem::UnreadableFile { cause };
                    self.warnings.push(Warning::new(link, problem));
                }
                return None;
            }
        };
        match kind {
            FileKind::File => Some(Behind::File),
            FileKind::Folder => {
                let target = self.files.resolve(link).ok()?;
                let overlaps = |tree: &PathBuf| target.starts_with(tree) || tree.starts_with(&target);
                if self.trees.iter().any(overlaps) {
                    return None;
                }
                self.trees.push(target.clone());
                Some(Behind::Folder(target))
            }
            FileKind::Link | FileKind::Other => None,
        }
    }
}

/// What an entry of a folder is, links followed.
enum Behind {
    File,
    /// A folder, with its real path.
    Folder(PathBuf),
}

fn is_excluded(name: &OsStr) -> bool {
    EXCLUDED_FOLDERS
        .iter()
        .any(|excluded| name.eq_ignore_ascii_case(excluded))
}
