//! The house's own rules, held by the normal test run: who may depend on whom,
//! how long a file may be, what no module is called, and what no file says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The allowed edges between the crates of the workspace, and no others
/// (ARCHITECTURE.md draws them). A crate that is not listed may depend on
/// nothing. `xtask` may use everything and nobody may use it.
const ALLOWED: &[(&str, &[&str])] = &[
    ("candor-contract", &[]),
    ("candor-serve", &["candor-contract"]),
    ("candor", &["candor-contract"]),
    ("candor-al-syntax", &[]),
    ("candor-al-model", &["candor-al-syntax"]),
    ("candor-al-rules", &["candor-al-model", "candor-al-syntax"]),
    ("candor-al-workspace", &["candor-al-model", "candor-al-syntax"]),
    (
        "candor-al-session",
        &[
            "candor-al-workspace",
            "candor-al-rules",
            "candor-al-model",
            "candor-al-syntax",
            "candor-contract",
        ],
    ),
    ("candor-al-proxy", &["candor-serve", "candor-contract"]),
    (
        "candor-al-mcp",
        &[
            "candor-al-session",
            "candor-al-proxy",
            "candor-serve",
            "candor-contract",
        ],
    ),
    ("candor-al-lsp", &["candor-al-session", "candor-contract"]),
    (
        "candor-al",
        &["candor-al-mcp", "candor-al-lsp", "candor-al-session", "candor-contract"],
    ),
    ("candor-catalog-store", &[]),
    ("candor-catalog-tables", &[]),
    ("candor-catalog-engine", &["candor-catalog-tables"]),
    (
        "candor-catalog-facade",
        &[
            "candor-catalog-store",
            "candor-catalog-engine",
            "candor-catalog-tables",
            "candor-contract",
        ],
    ),
    (
        "candor-catalog-mcp",
        &["candor-catalog-facade", "candor-serve", "candor-contract"],
    ),
    (
        "candor-catalog-companion",
        &["candor-catalog-facade", "candor-contract"],
    ),
    (
        "candor-catalog",
        &[
            "candor-catalog-mcp",
            "candor-catalog-companion",
            "candor-catalog-facade",
            "candor-contract",
        ],
    ),
];

/// Lines a source file may have. A file that grows past it holds two subjects.
const MAXIMUM_LINES: usize = 700;

/// Module names that say nothing about what is inside.
const NAMES_THAT_SAY_NOTHING: &[&str] = &["util", "utils", "helper", "helpers", "misc", "common_utils"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Paths of all tracked files, relative to the workspace's folder. In a copy
/// without its repository (a source archive) all files below it.
fn tracked_files() -> Vec<PathBuf> {
    let listing = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output();
    match listing {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
            // A file that someone has just deleted is still listed.
            .filter(|path| root().join(path).is_file())
            .collect(),
        _ => {
            let mut files = Vec::new();
            collect_files(&root(), Path::new(""), &mut files);
            files
        }
    }
}

fn collect_files(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        let kind = entry.file_type().expect("the kind of an entry just listed");
        if kind.is_dir() {
            if !matches!(entry.file_name().to_str(), Some("target" | ".git" | "node_modules")) {
                collect_files(root, &path, files);
            }
        } else if kind.is_file() {
            files.push(path);
        }
    }
}

/// Dependencies between crates of the workspace, `(from, to, kind)`.
fn workspace_edges() -> Vec<(String, String, String)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs, since it runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let members: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut edges = Vec::new();
    for package in packages {
        let from = package["name"].as_str().expect("a package has a name");
        for dependency in package["dependencies"].as_array().expect("a list of dependencies") {
            let to = dependency["name"].as_str().expect("a dependency has a name");
            if members.contains(to) && to != from {
                let kind = dependency["kind"].as_str().unwrap_or("normal");
                edges.push((from.to_owned(), to.to_owned(), kind.to_owned()));
            }
        }
    }
    edges
}

#[test]
fn crates_depend_only_downwards() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let edges = workspace_edges();
    assert!(!edges.is_empty(), "a workspace without edges is not this one");
    let forbidden: Vec<String> = edges
        .iter()
        .filter(|(from, to, _)| {
            from != "xtask"
                && !allowed
                    .get(from.as_str())
                    .is_some_and(|targets| targets.contains(&to.as_str()))
        })
        .map(|(from, to, kind)| format!("{from} -> {to} ({kind})"))
        .collect();
    assert_eq!(
        forbidden,
        Vec::<String>::new(),
        "edges that ARCHITECTURE.md does not allow; a dev-dependency may only go where a dependency may"
    );
}

#[test]
fn the_allowed_edges_have_no_cycle() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    for (start, _) in ALLOWED {
        let mut reachable = BTreeSet::new();
        let mut open = allowed[start].to_vec();
        while let Some(next) = open.pop() {
            if reachable.insert(next) {
                open.extend(allowed.get(next).copied().unwrap_or_default());
            }
        }
        assert!(!reachable.contains(start), "{start} reaches itself");
    }
}

#[test]
fn only_serve_knows_rmcp() {
    let with_rmcp: Vec<PathBuf> = tracked_files()
        .into_iter()
        .filter(|path| path.ends_with("Cargo.toml") && path.starts_with("crates"))
        .filter(|path| {
            fs::read_to_string(root().join(path))
                .is_ok_and(|text| text.lines().any(|line| line.trim_start().starts_with("rmcp")))
        })
        .filter(|path| path != Path::new("crates/serve/Cargo.toml"))
        .collect();
    assert_eq!(
        with_rmcp,
        Vec::<PathBuf>::new(),
        "crates other than crates/serve that name rmcp"
    );
}

#[test]
fn source_files_stay_short() {
    let long: Vec<String> = tracked_files()
        .into_iter()
        .filter(|path| path.starts_with("crates") && path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| {
            let lines = fs::read_to_string(root().join(&path)).ok()?.lines().count();
            (lines > MAXIMUM_LINES).then(|| format!("{}: {lines} lines", path.display()))
        })
        .collect();
    assert_eq!(
        long,
        Vec::<String>::new(),
        "files over {MAXIMUM_LINES} lines: split them by subject"
    );
}

#[test]
fn modules_say_what_is_inside() {
    let nameless: Vec<PathBuf> = tracked_files()
        .into_iter()
        .filter(|path| {
            path.components().any(|component| {
                let name = Path::new(component.as_os_str())
                    .file_stem()
                    .and_then(|stem| stem.to_str());
                name.is_some_and(|name| NAMES_THAT_SAY_NOTHING.contains(&name))
            })
        })
        .collect();
    assert_eq!(nameless, Vec::<PathBuf>::new(), "name a module after what it holds");
}

/// The words are put together here, or this file would be the first to say them.
fn registry_hosts() -> Vec<String> {
    [
        ["crates", ".io"],
        ["pypi", ".org"],
        ["pythonhosted", ".org"],
        ["npmjs", ".org"],
        ["npmjs", ".com"],
        ["nuget", ".org"],
        ["deb.debian", ".org"],
        ["proxy.golang", ".org"],
    ]
    .iter()
    .map(|parts| parts.concat())
    .collect()
}

/// Folders of one machine, as the beginning of an absolute path.
fn machine_folders() -> Vec<String> {
    [
        ["/wo", "rk/"],
        ["/ro", "ot/"],
        ["/fa", "rm/"],
        ["/Us", "ers/runner/"],
        ["/home/", "runner/"],
    ]
    .iter()
    .map(|parts| parts.concat())
    .collect()
}

/// Whether `line` has `folder` as the beginning of a path, not inside one.
fn begins_a_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '.' | '_' | '-' | '~' | '}'))
    })
}

#[test]
fn a_path_begins_where_nothing_of_a_path_is_before_it() {
    assert!(begins_a_path("see /srv/app", "/srv/"));
    assert!(begins_a_path("/srv/app", "/srv/"));
    assert!(begins_a_path("path=\"/srv/app\"", "/srv/"));
    assert!(!begins_a_path("lib/srv/app", "/srv/"));
    assert!(!begins_a_path("../srv/app", "/srv/"));
}

#[test]
fn no_tracked_file_names_a_registry_host_or_a_path_of_one_machine() {
    let (hosts, folders) = (registry_hosts(), machine_folders());
    let mut told = Vec::new();
    for path in tracked_files() {
        // Binary files have nothing to read.
        let Ok(text) = fs::read_to_string(root().join(&path)) else {
            continue;
        };
        // The lock file is cargo's own: it writes where each package comes from.
        let is_lock_file = path.ends_with("Cargo.lock") || path.ends_with("package-lock.json");
        for (index, line) in text.lines().enumerate() {
            let names_host = !is_lock_file && hosts.iter().any(|host| line.contains(host.as_str()));
            if names_host || folders.iter().any(|folder| begins_a_path(line, folder)) {
                told.push(format!("{}:{}: {}", path.display(), index + 1, line.trim()));
            }
        }
    }
    assert_eq!(told, Vec::<String>::new(), "nobody else has these");
}
