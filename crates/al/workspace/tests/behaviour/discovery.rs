//! Which folders are projects, which files are theirs, and what a path on the command line means.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use candor_al_workspace::discovery::{Depth, Scope, discover, project_files, project_of, select};
use candor_al_workspace::faults::{Effect, Fault, FaultyFileSystem, Operation};
use candor_al_workspace::file_system::Disk;

use crate::support::Tree;

fn projects(tree: &Tree, roots: &[&str], depth: Depth) -> (Vec<String>, Vec<String>) {
    let roots: Vec<PathBuf> = roots.iter().map(|root| tree.path(root)).collect();
    let found = discover(&Disk, &roots, depth);
    let warnings = found.warnings.iter().map(|warning| tree.plain(warning));
    (tree.relative(&found.projects), warnings.collect())
}

#[test]
fn a_folder_with_app_json_is_a_project_and_so_is_one_inside_it() {
    let tree = Tree::new(&[
        ("w/b/app.json", ""),
        ("w/a/app.json", "not even JSON"),
        ("w/a/test/app.json", "{}"),
        ("w/c/App.json", "{}"),
        ("w/d/app.json/x.al", ""),
    ]);
    let (found, warnings) = projects(&tree, &["w"], Depth::FourLevels);
    assert_eq!(found, ["w/a", "w/a/test", "w/b"]);
    assert!(warnings.is_empty());
}

#[test]
fn the_fourth_level_is_found_and_the_fifth_only_without_a_bound() {
    let tree = Tree::new(&[("w/1/2/3/4/app.json", ""), ("w/1/2/3/x/5/app.json", "")]);
    assert_eq!(projects(&tree, &["w"], Depth::FourLevels).0, ["w/1/2/3/4"]);
    assert_eq!(
        projects(&tree, &["w"], Depth::Unbounded).0,
        ["w/1/2/3/4", "w/1/2/3/x/5"]
    );
}

#[test]
fn folders_that_hold_no_source_are_not_entered_in_any_case_of_their_name() {
    let names = [
        ".alpackages",
        "bin",
        "obj",
        ".git",
        ".vs",
        "node_modules",
        "packages",
        "Packages",
        "BIN",
    ];
    let files: Vec<String> = names.map(|name| format!("w/{name}/x/app.json")).into();
    let files: Vec<_> = files.iter().map(|path| (path.as_str(), "")).collect();
    let tree = Tree::new(&files);
    let (found, warnings) = projects(&tree, &["w"], Depth::Unbounded);
    assert!(found.is_empty());
    assert_eq!(
        warnings,
        ["w: no AL project (a folder with app.json) was found here; it is ignored"]
    );
}

#[test]
fn roots_keep_their_order_and_no_project_comes_twice() {
    let tree = Tree::new(&[("z/app.json", ""), ("a/app.json", ""), ("a/b/app.json", "")]);
    symlink(tree.path("z"), tree.path("link")).unwrap();
    let (found, warnings) = projects(
        &tree,
        &["z", "a", "a/b", "link", "missing", "a/app.json"],
        Depth::Unbounded,
    );
    assert_eq!(found, ["z", "a", "a/b"]);
    assert_eq!(
        warnings,
        [
            "missing: does not exist; it is ignored",
            "a/app.json: no AL project (a folder with app.json) was found here; it is ignored",
        ]
    );
}

#[test]
fn links_are_followed_once_and_loops_end() {
    let tree = Tree::new(&[
        ("w/a/app.json", ""),
        ("w/a/src/x.al", ""),
        ("outside/p/app.json", ""),
        ("outside/p/y.al", ""),
    ]);
    symlink(tree.path("w"), tree.path("w/a/src/up")).unwrap();
    symlink(tree.path("outside"), tree.path("w/one")).unwrap();
    symlink(tree.path("outside"), tree.path("w/two")).unwrap();
    symlink(tree.path("w"), tree.path("outside/back")).unwrap();
    symlink(tree.path("nothing"), tree.path("w/broken")).unwrap();
    let (found, warnings) = projects(&tree, &["w"], Depth::Unbounded);
    assert_eq!(found, ["w/a", "w/one/p"]);
    assert!(warnings.is_empty());
    let files = project_files(&Disk, &tree.path("w/a"));
    assert_eq!(tree.relative(&files.files), ["w/a/src/x.al"]);
}

#[test]
fn the_files_of_a_project_are_its_al_files_without_those_of_projects_inside() {
    let tree = Tree::new(&[
        ("packages/p/app.json", ""),
        ("packages/p/src/b.al", ""),
        ("packages/p/src/A.AL", ""),
        ("packages/p/src/c.al.bak", ""),
        ("packages/p/.alpackages/d.al", ""),
        ("packages/p/my.alpackages/e.al", ""),
        ("packages/p/node_modules/f.al", ""),
        ("packages/p/test/app.json", ""),
        ("packages/p/test/g.al", ""),
        ("packages/p/.hidden/h.al", ""),
    ]);
    symlink(tree.path("packages/p/gone"), tree.path("packages/p/z.al")).unwrap();
    let found = project_files(&Disk, &tree.path("packages/p"));
    assert_eq!(
        tree.relative(&found.files),
        [
            "packages/p/.hidden/h.al",
            "packages/p/my.alpackages/e.al",
            "packages/p/src/A.AL",
            "packages/p/src/b.al",
        ]
    );
    let warnings: Vec<_> = found.warnings.iter().map(|w| tree.plain(w)).collect();
    assert_eq!(
        warnings,
        ["packages/p/z.al: the file could not be read (No such file or directory (os error 2)); it is left out"]
    );
}

#[test]
fn a_folder_that_cannot_be_read_is_a_warning_and_the_rest_is_found() {
    let tree = Tree::new(&[("w/a/app.json", ""), ("w/locked/app.json", "")]);
    let files = FaultyFileSystem::new(
        Disk,
        [Fault::new(
            Operation::List,
            "locked",
            Effect::Fail(std::io::ErrorKind::PermissionDenied),
        )],
    );
    let found = discover(&files, &[tree.path("w")], Depth::Unbounded);
    assert_eq!(tree.relative(&found.projects), ["w/a"]);
    assert_eq!(
        tree.plain(&found.warnings[0]),
        "w/locked: the folder could not be read (injected fault); what it holds is left out"
    );
}

#[test]
fn a_file_belongs_to_the_nearest_project_around_it() {
    let tree = Tree::new(&[("a/app.json", ""), ("a/t/app.json", ""), ("a/t/s/x.al", "")]);
    let of = |path| project_of(&Disk, &tree.path(path));
    assert_eq!(of("a/t/s/x.al"), Some(tree.path("a/t")));
    assert_eq!(of("a/y.al"), Some(tree.path("a")));
    assert_eq!(of("a"), Some(tree.path("a")));
}

#[test]
fn a_path_may_be_a_project_a_folder_of_projects_a_part_of_one_or_a_file() {
    let tree = Tree::new(&[
        ("w/a/app.json", ""),
        ("w/a/src/x.al", ""),
        ("w/a/src/deep/y.al", ""),
        ("w/b/app.json", ""),
        ("loose/l.al", ""),
        ("loose/m.txt", ""),
        ("mixed/layer/n.al", ""),
        ("mixed/c/app.json", ""),
        ("mixed/c/o.al", ""),
        ("empty/readme.md", ""),
    ]);
    let selected = |paths: &[&str]| {
        let paths: Vec<_> = paths.iter().map(|path| tree.path(path)).collect();
        let selection = select(&Disk, &paths);
        let projects = selection.projects.iter().map(|project| {
            let root = tree.relative(std::slice::from_ref(&project.root)).remove(0);
            match &project.scope {
                Scope::Whole => root,
                Scope::Only(parts) => format!("{root} {:?}", tree.relative(parts)),
            }
        });
        let warnings = selection.warnings.iter().map(|warning| tree.plain(warning));
        (
            projects.collect::<Vec<_>>(),
            tree.relative(&selection.loose_files),
            warnings.collect::<Vec<_>>(),
        )
    };
    let none = Vec::<String>::new();
    assert_eq!(
        selected(&["w"]),
        (vec!["w/a".to_owned(), "w/b".to_owned()], none.clone(), none.clone())
    );
    assert_eq!(
        selected(&["w/a/src/x.al", "w/a/src/deep"]).0,
        [r#"w/a ["w/a/src/x.al", "w/a/src/deep"]"#]
    );
    assert_eq!(selected(&["w/a/src/x.al", "w/a"]).0, ["w/a"]);
    assert_eq!(selected(&["loose"]).1, ["loose/l.al"]);
    assert_eq!(selected(&["loose/l.al", "loose"]).1, ["loose/l.al"]);
    let mixed = selected(&["mixed"]);
    assert_eq!(
        (mixed.0, mixed.1),
        (vec!["mixed/c".to_owned()], vec!["mixed/layer/n.al".to_owned()])
    );
    assert!(selected(&["w/a"]).1.is_empty());
    assert_eq!(
        selected(&["loose/m.txt", "nowhere", "empty"]).2,
        [
            "loose/m.txt: is neither a folder nor an .al file; it is ignored",
            "nowhere: does not exist; it is ignored",
            "empty: no AL project (a folder with app.json) was found here; it is ignored",
        ]
    );
    let selection = select(&Disk, &[tree.path("w/a/src")]);
    let scope = &selection.projects[0].scope;
    assert!(scope.contains(&tree.path("w/a/src/deep/y.al")));
    assert!(!scope.contains(&tree.path("w/a/srcs/y.al")));
}
