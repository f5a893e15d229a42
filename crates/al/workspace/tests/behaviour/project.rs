//! A project in memory follows the disk and reads no more than it must.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use candor_al_workspace::configuration::ConfigurationOptions;
use candor_al_workspace::faults::{Effect, Fault, FaultyFileSystem, Operation};
use candor_al_workspace::file_system::{Disk, Entry, FileKind, FileSystem, Metadata};
use candor_al_workspace::project::{Project, ProjectCache, ProjectProblem, ProjectSnapshot};
use candor_al_workspace::{Cancellation, Cancelled};

use crate::support::Tree;

type CountingDisk = FaultyFileSystem<Disk>;

/// A project of two files that were written long ago.
fn project(faults: impl IntoIterator<Item = Fault>) -> (Tree, Arc<CountingDisk>, Project) {
    let tree = Tree::new(&[
        ("app/app.json", r#"{"name": "App"}"#),
        ("app/a.al", "codeunit 1 A { }"),
        ("app/src/b.al", "codeunit 2 B { }"),
    ]);
    for name in tree.names() {
        age(&tree, &name);
    }
    for folder in ["", "app", "app/src"] {
        File::open(tree.path(folder)).unwrap().set_modified(long_ago()).unwrap();
    }
    let files = Arc::new(FaultyFileSystem::new(Disk, faults));
    let project = open(&files, &tree, "app").unwrap();
    (tree, files, project)
}

fn open(files: &Arc<CountingDisk>, tree: &Tree, root: &str) -> Result<Project, ProjectProblem> {
    let files = Arc::clone(files) as Arc<dyn FileSystem>;
    Project::open(files, &tree.path(root), ConfigurationOptions::default())
}

fn long_ago() -> SystemTime {
    SystemTime::now() - Duration::from_secs(3600)
}

/// Sets the time of a file back, as if it had been written long ago.
fn age(tree: &Tree, path: &str) {
    let file = File::options().append(true).open(tree.path(path)).unwrap();
    file.set_modified(long_ago()).unwrap();
}

fn refresh(project: &Project) -> Arc<ProjectSnapshot> {
    project.refresh(&Cancellation::new()).unwrap()
}

fn texts(snapshot: &ProjectSnapshot) -> Vec<(&str, &str)> {
    let files = snapshot.files.iter();
    files.map(|file| (file.relative_path.as_str(), file.text())).collect()
}

fn al_reads(files: &CountingDisk) -> usize {
    let calls = files.calls();
    let is_source = |path: &std::path::Path| path.extension().is_some_and(|end| end == "al");
    calls
        .iter()
        .filter(|(operation, path)| *operation == Operation::Read && is_source(path))
        .count()
}

#[test]
fn a_folder_that_is_no_project_is_refused_with_the_reason() {
    let tree = Tree::new(&[("a/x.al", "")]);
    let files = Arc::new(FaultyFileSystem::new(Disk, []));
    let problem = |root| tree.plain(&open(&files, &tree, root).unwrap_err());
    assert_eq!(problem("none"), "the project folder none does not exist");
    assert_eq!(
        problem("a/x.al"),
        "a/x.al is no folder; pass the folder that holds app.json"
    );
    assert_eq!(problem("a"), "the folder a holds no app.json, so it is no AL project");
}

#[test]
fn an_unchanged_project_is_looked_at_but_not_read_again() {
    let (_tree, files, project) = project([]);
    assert_eq!(project.last_snapshot(), None);
    let first = refresh(&project);
    assert_eq!(
        texts(&first),
        [("a.al", "codeunit 1 A { }"), ("src/b.al", "codeunit 2 B { }")]
    );
    assert_eq!(first.configuration.manifest.name, "App");
    assert_eq!(first.warnings, []);
    let reads = files.count(Operation::Read);
    let second = refresh(&project);
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(files.count(Operation::Read), reads);
}

#[test]
fn only_what_changed_is_read_and_what_did_not_keeps_its_identity() {
    let (tree, files, project) = project([]);
    let first = refresh(&project);
    tree.write("app/a.al", "codeunit 1 Changed { }");
    age(&tree, "app/a.al");
    let second = refresh(&project);
    assert_eq!(al_reads(&files), 3);
    assert_eq!(second.files[0].text(), "codeunit 1 Changed { }");
    assert!(Arc::ptr_eq(&first.files[1], &second.files[1]));
    assert_ne!(first.content_version, second.content_version);
    assert_eq!(first.files[0].text(), "codeunit 1 A { }", "a snapshot never changes");
}

#[test]
fn added_and_deleted_files_are_seen() {
    let (tree, _, project) = project([]);
    refresh(&project);
    tree.write("app/c.al", "enum 3 C { }");
    fs::remove_file(tree.path("app/a.al")).unwrap();
    let snapshot = refresh(&project);
    assert_eq!(
        texts(&snapshot),
        [("c.al", "enum 3 C { }"), ("src/b.al", "codeunit 2 B { }")]
    );
    assert!(snapshot.file(&tree.path("app/c.al")).is_some());
    assert!(snapshot.file(&tree.path("app/a.al")).is_none());
}

#[test]
fn a_new_time_with_the_same_text_changes_nothing() {
    let (tree, files, project) = project([]);
    let first = refresh(&project);
    tree.write("app/a.al", "codeunit 1 A { }");
    let second = refresh(&project);
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(al_reads(&files), 3);
}

#[test]
fn an_edit_of_equal_length_within_one_tick_of_the_clock_is_seen() {
    let (tree, _, project) = project([]);
    tree.write("app/a.al", "old");
    let time = fs::metadata(tree.path("app/a.al")).unwrap().modified().unwrap();
    refresh(&project);
    tree.write("app/a.al", "new");
    let file = File::options().append(true).open(tree.path("app/a.al")).unwrap();
    file.set_modified(time).unwrap();
    let is_recent = time.elapsed().is_ok_and(|age| age < Duration::from_millis(20));
    let snapshot = refresh(&project);
    // A machine that slept here cannot show it.
    if is_recent {
        assert_eq!(snapshot.files[0].text(), "new");
    }
}

#[test]
fn a_distrusted_file_is_read_although_its_stamp_has_not_changed() {
    let (tree, files, project) = project([]);
    refresh(&project);
    let time = fs::metadata(tree.path("app/a.al")).unwrap().modified().unwrap();
    tree.write("app/a.al", "codeunit 9 A { }");
    let file = File::options().append(true).open(tree.path("app/a.al")).unwrap();
    file.set_modified(time).unwrap();
    assert_eq!(refresh(&project).files[0].text(), "codeunit 1 A { }");
    project.distrust(&tree.path("app/a.al"));
    assert_eq!(refresh(&project).files[0].text(), "codeunit 9 A { }");
    let reads = al_reads(&files);
    refresh(&project);
    assert_eq!(al_reads(&files), reads, "once is enough");
    project.distrust(&tree.path("app/none.al"));
}

#[test]
fn a_changed_encoding_is_a_change() {
    let (tree, _, project) = project([]);
    let first = refresh(&project);
    tree.write("app/a.al", b"\xEF\xBB\xBFcodeunit 1 A { }");
    let second = refresh(&project);
    assert_eq!(second.files[0].text(), first.files[0].text());
    assert!(second.files[0].source.has_byte_order_mark());
    assert_ne!(first.content_version, second.content_version);
}

#[test]
fn a_file_that_cannot_be_read_is_left_out_with_a_warning() {
    let denied = Effect::Fail(ErrorKind::PermissionDenied);
    let (tree, _, project) = project([Fault::new(Operation::Read, "a.al", denied)]);
    tree.write("app/src/b.al", b"// \xFC");
    let snapshot = refresh(&project);
    assert_eq!(texts(&snapshot), [("src/b.al", "// \u{FFFD}")]);
    let warnings: Vec<_> = snapshot.warnings.iter().map(|warning| tree.plain(warning)).collect();
    assert_eq!(
        warnings,
        [
            "app/a.al: the file could not be read (injected fault); it is left out",
            "app/src/b.al: the file holds bytes that are not valid UTF-8; they are read as U+FFFD and the file will not be changed",
        ]
    );
    assert_eq!(refresh(&project).files.len(), 2, "the next refresh tries again");
}

#[test]
fn settings_are_followed_too() {
    let (tree, _, project) = project([]);
    let first = refresh(&project);
    tree.write(
        "app/app.ruleset.json",
        r#"{"rules": [{"id": "LC0001", "action": "None"}]}"#,
    );
    let second = refresh(&project);
    assert!(second.configuration.ruleset.is_suppressed("LC0001"));
    assert_ne!(first.content_version, second.content_version);
    assert!(Arc::ptr_eq(&first.files[0], &second.files[0]));
    tree.write("app/app.json", r#"{"name": "Renamed"}"#);
    assert_eq!(refresh(&project).configuration.manifest.name, "Renamed");
    fs::remove_file(tree.path("app/app.ruleset.json")).unwrap();
    assert!(!refresh(&project).configuration.ruleset.is_suppressed("LC0001"));
}

#[test]
fn the_version_is_that_of_the_content_wherever_it_lies() {
    let files = [("app/app.json", "{}"), ("app/a.al", "x"), ("app/b/c.al", "y")];
    let version = |files: &[(&str, &str)]| {
        let tree = Tree::new(files);
        let project = Project::open(Arc::new(Disk), &tree.path("app"), ConfigurationOptions::default());
        refresh(&project.unwrap()).content_version.to_string()
    };
    let first = version(&files);
    assert_eq!(first.len(), 16);
    assert_eq!(version(&files), first);
    assert_ne!(
        version(&[files[0], files[1], ("app/b/d.al", "y")]),
        first,
        "another name"
    );
    assert_ne!(
        version(&[files[0], files[1], ("app/b/c.al", "z")]),
        first,
        "another text"
    );
    assert_ne!(
        version(&[("app/app.json", "{ }"), files[1], files[2]]),
        first,
        "another setting"
    );
}

#[test]
fn a_cancelled_refresh_says_so_and_loses_nothing() {
    let cancellation = Cancellation::new();
    let raised = cancellation.clone();
    let cancel = Effect::First(Arc::new(move || raised.cancel()));
    let (_tree, _, project) = project([Fault::new(Operation::Read, "a.al", cancel)]);
    assert_eq!(project.refresh(&cancellation), Err(Cancelled));
    assert_eq!(project.refresh(&cancellation), Err(Cancelled));
    assert_eq!(project.last_snapshot(), None);
    assert_eq!(refresh(&project).files.len(), 2);
}

#[test]
fn concurrent_refreshes_agree_in_the_end() {
    let (tree, _, project) = project([]);
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let tree = &tree;
            scope.spawn(move || {
                for round in 0..20 {
                    tree.write(&format!("app/w{writer}.al"), format!("// {round}"));
                }
            });
        }
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert!(refresh(&project).files.len() >= 2);
                }
            });
        }
    });
    let last = refresh(&project);
    assert_eq!(last.file(&tree.path("app/w0.al")).unwrap().text(), "// 19");
    assert_eq!(last.file(&tree.path("app/w1.al")).unwrap().text(), "// 19");
}

#[test]
fn refreshes_from_the_threads_that_read_do_not_wait_for_each_other() {
    use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
    let (_tree, _, project) = project([]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let versions: Vec<_> = pool.install(|| {
        (0..8_u8)
            .into_par_iter()
            .map(|_| refresh(&project).content_version)
            .collect()
    });
    assert!(versions.iter().all(|version| *version == versions[0]));
}

#[test]
fn a_cache_opens_every_project_once_and_notices_when_it_is_gone() {
    let tree = Tree::new(&[("app/app.json", "{}")]);
    let cache = ProjectCache::new(Arc::new(Disk), ConfigurationOptions::default());
    let first = cache.open(&tree.path("app")).unwrap();
    let second = cache.open(&tree.path("app")).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    fs::remove_file(tree.path("app/app.json")).unwrap();
    let problem = cache.open(&tree.path("app")).unwrap_err();
    assert!(matches!(problem, ProjectProblem::NoManifest { .. }));
}

fn lists(files: &CountingDisk, folder: &str) -> usize {
    let calls = files.calls();
    let is_it = |path: &std::path::Path| path.ends_with(folder);
    calls
        .iter()
        .filter(|(operation, path)| *operation == Operation::List && is_it(path))
        .count()
}

/// Sets the time of a folder back, as if nothing had happened in it for long.
fn age_folder(tree: &Tree, path: &str) {
    File::open(tree.path(path)).unwrap().set_modified(long_ago()).unwrap();
}

#[test]
fn a_folder_is_listed_again_only_if_it_has_changed() {
    let (tree, files, project) = project([]);
    let first = refresh(&project);
    assert_eq!(lists(&files, "app/src"), 1);
    let second = refresh(&project);
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(lists(&files, "app/src"), 1, "its stamp is old and the same");

    tree.write("app/src/c.al", "codeunit 3 C { }");
    assert_eq!(refresh(&project).files.len(), 3, "a file that is added");
    assert_eq!(lists(&files, "app/src"), 2);
    fs::rename(tree.path("app/src/c.al"), tree.path("app/src/d.txt")).unwrap();
    assert_eq!(refresh(&project).files.len(), 2, "a file that is no source any more");
    fs::remove_file(tree.path("app/src/b.al")).unwrap();
    assert_eq!(refresh(&project).files.len(), 1, "a file that is gone");
    tree.write("app/new/deep/e.al", "codeunit 5 E { }");
    assert_eq!(refresh(&project).files.len(), 2, "folders that are added");
    tree.write("app/new/app.json", "{}");
    assert_eq!(refresh(&project).files.len(), 1, "a folder that became a project");
    fs::remove_file(tree.path("app/new/app.json")).unwrap();
    assert_eq!(refresh(&project).files.len(), 2, "and is none any more");
}

#[test]
fn a_folder_in_the_place_of_another_is_another_even_with_the_same_time() {
    let (tree, _files, project) = project([]);
    tree.write("other/x.al", "codeunit 9 X { }");
    age(&tree, "other/x.al");
    age_folder(&tree, "other");
    assert_eq!(refresh(&project).files.len(), 2);
    fs::rename(tree.path("app/src"), tree.path("old")).unwrap();
    fs::rename(tree.path("other"), tree.path("app/src")).unwrap();
    for folder in ["app/src", "app"] {
        age_folder(&tree, folder);
    }
    let names = |snapshot: &ProjectSnapshot| -> Vec<String> {
        let files = snapshot.files.iter();
        files.map(|file| file.relative_path.clone()).collect()
    };
    assert_eq!(names(&refresh(&project)), ["a.al", "src/x.al"]);
}

/// A disk that stamps in whole seconds, looked at while its clock says `now`.
#[derive(Debug)]
struct CoarseDisk {
    now: std::sync::Mutex<SystemTime>,
    lists: std::sync::atomic::AtomicUsize,
}

impl CoarseDisk {
    fn whole_seconds(time: SystemTime) -> SystemTime {
        let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }
}

impl FileSystem for CoarseDisk {
    fn read(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
        Disk.read(path)
    }

    fn metadata(&self, path: &std::path::Path) -> std::io::Result<Metadata> {
        let mut metadata = Disk.metadata(path)?;
        metadata.stamp.modified_nanoseconds -= metadata.stamp.modified_nanoseconds % 1_000_000_000;
        // Such file systems do not tell the size of a folder either.
        if metadata.kind == FileKind::Folder {
            metadata.stamp.length = 0;
        }
        Ok(metadata)
    }

    fn list(&self, folder: &std::path::Path) -> std::io::Result<Vec<Entry>> {
        self.lists.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Disk.list(folder)
    }

    fn resolve(&self, path: &std::path::Path) -> std::io::Result<std::path::PathBuf> {
        Disk.resolve(path)
    }

    fn create_like(&self, path: &std::path::Path, content: &[u8], model: &std::path::Path) -> std::io::Result<()> {
        Disk.create_like(path, content, model)
    }

    fn rename(&self, from: &std::path::Path, to: &std::path::Path) -> std::io::Result<()> {
        Disk.rename(from, to)
    }

    fn sync_folder(&self, folder: &std::path::Path) -> std::io::Result<()> {
        Disk.sync_folder(folder)
    }

    fn remove(&self, path: &std::path::Path) -> std::io::Result<()> {
        Disk.remove(path)
    }

    fn now(&self) -> SystemTime {
        *self.now.lock().unwrap()
    }
}

#[test]
fn a_file_added_within_the_tick_of_a_coarse_clock_is_seen() {
    let tree = Tree::new(&[("app/app.json", "{}"), ("app/src/a.al", "codeunit 1 A { }")]);
    let second = CoarseDisk::whole_seconds(long_ago());
    let stamp_folder = || File::open(tree.path("app/src")).unwrap().set_modified(second).unwrap();
    stamp_folder();
    let disk = Arc::new(CoarseDisk {
        now: std::sync::Mutex::new(second + Duration::from_millis(1500)),
        lists: std::sync::atomic::AtomicUsize::new(0),
    });
    let files = Arc::clone(&disk) as Arc<dyn FileSystem>;
    let project = Project::open(files, &tree.path("app"), ConfigurationOptions::default()).unwrap();
    assert_eq!(refresh(&project).files.len(), 1);
    // In the same two seconds a file is added, and the stamp of the folder does not show it.
    tree.write("app/src/b.al", "codeunit 2 B { }");
    stamp_folder();
    assert_eq!(refresh(&project).files.len(), 2);
    // Once the clock must have ticked, the folder is trusted.
    for path in ["", "app"] {
        age_folder(&tree, path);
    }
    *disk.now.lock().unwrap() = SystemTime::now() + Duration::from_secs(60);
    refresh(&project);
    let before = disk.lists.load(std::sync::atomic::Ordering::Relaxed);
    refresh(&project);
    assert_eq!(disk.lists.load(std::sync::atomic::Ordering::Relaxed), before);
}
