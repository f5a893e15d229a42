//! Pages that are made out of code: `docs/rules/*.md` out of the rule files,
//! `docs/checks/*.md` out of the checker's table, each folder with its index.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use candor::checks;
use candor_al_rules::{RuleId, index, page};
use clap::Args;

/// Options of `cargo xtask docs`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Write nothing; end with 1 when something is out of date.
    #[arg(long)]
    check: bool,
}

/// Writes the pages, or says which of them are out of date.
pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let mut is_current = true;
    for (name, pages) in folders() {
        let folder = folder(name);
        let changes = changes(&folder, &pages)?;
        for change in &changes {
            if !options.check {
                change.apply(&folder)?;
            }
            println!("docs/{name}/{}", change.in_words(options.check));
        }
        is_current &= changes.is_empty();
        if changes.is_empty() {
            println!("docs/{name} is up to date");
        } else if options.check {
            println!("docs/{name} is out of date; `cargo xtask docs` writes it");
        }
    }
    Ok(!options.check || is_current)
}

/// A folder below `docs` of this workspace.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)
}

/// The folders below `docs`, each with every page by its file name.
fn folders() -> [(&'static str, BTreeMap<String, String>); 2] {
    [("rules", rule_pages()), ("checks", check_pages())]
}

fn rule_pages() -> BTreeMap<String, String> {
    let rules = RuleId::ALL
        .iter()
        .map(|&rule| (format!("{}.md", rule.id().to_ascii_lowercase()), page(rule)));
    rules.chain([("README.md".to_owned(), index())]).collect()
}

fn check_pages() -> BTreeMap<String, String> {
    let checks = checks::all().map(|check| (candor::page::file_name(check), candor::page::page(check)));
    checks
        .chain([("README.md".to_owned(), candor::page::index())])
        .collect()
}

/// A file that is not as it should be.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    /// It is missing or has another text.
    Write { name: String, text: String, is_new: bool },
    /// It is the page of something that is gone.
    Remove { name: String },
}

impl Change {
    fn apply(&self, folder: &Path) -> io::Result<()> {
        match self {
            Self::Write { name, text, .. } => {
                fs::create_dir_all(folder)?;
                fs::write(folder.join(name), text)
            }
            Self::Remove { name } => fs::remove_file(folder.join(name)),
        }
    }

    fn in_words(&self, only_checked: bool) -> String {
        let (name, done, found) = match self {
            Self::Write { name, is_new: true, .. } => (name, "written", "missing"),
            Self::Write {
                name, is_new: false, ..
            } => (name, "written anew", "out of date"),
            Self::Remove { name } => (name, "removed", "the page of nothing that exists"),
        };
        format!("{name}: {}", if only_checked { found } else { done })
    }
}

/// What has to be done so that the folder holds the pages and nothing else.
fn changes(folder: &Path, pages: &BTreeMap<String, String>) -> io::Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (name, text) in pages {
        let found = match fs::read_to_string(folder.join(name)) {
            // A checkout may have turned the line ends.
            Ok(found) => Some(found.replace("\r\n", "\n")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if found.as_ref() != Some(text) {
            changes.push(Change::Write {
                name: name.clone(),
                text: text.clone(),
                is_new: found.is_none(),
            });
        }
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut strangers: Vec<String> = entries
        .iter()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| {
            Path::new(name).extension().is_some_and(|extension| extension == "md") && !pages.contains_key(name)
        })
        .collect();
    strangers.sort();
    changes.extend(strangers.into_iter().map(|name| Change::Remove { name }));
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_up_to_date() {
        for (name, pages) in folders() {
            let changes = changes(&folder(name), &pages).unwrap();
            let told: Vec<_> = changes.iter().map(|change| change.in_words(true)).collect();
            assert_eq!(
                told,
                Vec::<String>::new(),
                "docs/{name}: run `cargo xtask docs` and commit what it writes"
            );
        }
    }

    #[test]
    fn a_missing_an_old_and_a_strange_page_are_found_and_put_right() {
        let folder = std::env::temp_dir().join(format!("candor-xtask-docs-{}", std::process::id()));
        let pages: BTreeMap<String, String> = [("a.md", "A\n"), ("b.md", "B\n"), ("c.md", "C\n")]
            .map(|(name, text)| (name.into(), text.into()))
            .into();
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [
            ("b.md", "old\n"),
            ("c.md", "C\r\n"),
            ("gone.md", ""),
            ("picture.svg", ""),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        let found = changes(&folder, &pages).unwrap();
        let told: Vec<_> = found.iter().map(|change| change.in_words(true)).collect();
        assert_eq!(
            told,
            [
                "a.md: missing",
                "b.md: out of date",
                "gone.md: the page of nothing that exists"
            ]
        );
        for change in &found {
            change.apply(&folder).unwrap();
        }
        assert_eq!(changes(&folder, &pages).unwrap(), []);
        fs::remove_dir_all(&folder).unwrap();
    }
}
