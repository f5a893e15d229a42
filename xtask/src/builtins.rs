//! `builtins`: the facts about AL's own types, out of Microsoft's public documentation.
//!
//! The documentation has one page for each method, option type, property, trigger and attribute, written by Microsoft's
//! own generator in one form. This task reads those pages from a clone of the repository (a bare one will do) and writes
//! down facts only: names in their canonical spelling, parameters, results, values. Sentences stay where they are.
//! `crates/al/model/src/builtin` reads what is written here and describes the format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod pages;

use pages::{Attribute, Method, OptionType, Property, SystemTable, Trigger};

/// Where in the repository the pages for developers are.
const FOLDER: &str = "dev-itpro/developer";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A clone of the public repository MicrosoftDocs/dynamics365smb-devitpro-pb, bare or not.
    #[arg(long)]
    repository: PathBuf,
    /// The commit whose pages are read.
    #[arg(long, default_value = "HEAD")]
    commit: String,
}

/// Everything that is written down.
#[derive(Default)]
struct Facts {
    /// By the name of their type; a type without methods has an empty list.
    types: BTreeMap<String, Vec<Method>>,
    options: BTreeMap<String, OptionType>,
    properties: BTreeMap<String, Property>,
    /// By the folder they are in, which names their owner.
    triggers: BTreeMap<String, Vec<Trigger>>,
    attributes: BTreeMap<String, Attribute>,
    tables: Vec<SystemTable>,
}

/// Reads the pages and writes the file of facts.
pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let commit = git(&options.repository, &["rev-parse", &options.commit])?;
    let commit = commit.trim();
    let pages = read_pages(&options.repository, commit)?;
    let facts = facts_of(&pages);
    let text = in_words(&facts, commit);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/al/model/data/builtins.txt");
    fs::write(&target, &text)?;
    println!(
        "{} types with {} methods, {} option types, {} properties, {} triggers, {} attributes, {} tables",
        facts.types.len(),
        facts.types.values().map(Vec::len).sum::<usize>(),
        facts.options.len(),
        facts.properties.len(),
        facts.triggers.values().map(Vec::len).sum::<usize>(),
        facts.attributes.len(),
        facts.tables.len(),
    );
    println!("written to {}", target.display());
    Ok(true)
}

fn git(repository: &Path, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new("git").arg("-C").arg(repository).args(arguments).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    String::from_utf8(output.stdout).map_err(io::Error::other)
}

/// The pages that hold facts, by their path below [`FOLDER`].
fn read_pages(repository: &Path, commit: &str) -> io::Result<BTreeMap<String, String>> {
    let listed = git(repository, &["ls-tree", "-r", "--name-only", commit, FOLDER])?;
    let wanted = |path: &&str| {
        let inner = &path[FOLDER.len() + 1..];
        let folders = ["methods-auto/", "properties/", "triggers-auto/", "attributes/"];
        Path::new(path).extension().is_some_and(|extension| extension == "md")
            && (folders.iter().any(|folder| inner.starts_with(folder)) || !inner.contains('/'))
    };
    let paths: Vec<&str> = listed.lines().filter(wanted).collect();
    let mut child = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut asking = child
        .stdin
        .take()
        .ok_or_else(|| io::Error::other("git takes no questions"))?;
    let questions = paths
        .iter()
        .map(|path| format!("{commit}:{path}\n"))
        .collect::<Vec<_>>()
        .concat();
    let asked = std::thread::spawn(move || asking.write_all(questions.as_bytes()));
    let mut answers = Vec::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_end(&mut answers)?;
    }
    asked.join().map_err(|_| io::Error::other("git could not be asked"))??;
    child.wait()?;
    let mut pages = BTreeMap::new();
    let mut rest = &answers[..];
    for path in paths {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let header = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = rest.get(end + 1..).unwrap_or_default();
        // A partial clone may lack some pages: `<name> missing`.
        let Some(size) = header.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok()) else {
            continue;
        };
        let content = String::from_utf8_lossy(&rest[..size]).replace("\r\n", "\n");
        rest = rest.get(size + 1..).unwrap_or_default();
        pages.insert(path[FOLDER.len() + 1..].to_owned(), content);
    }
    Ok(pages)
}

fn facts_of(pages: &BTreeMap<String, String>) -> Facts {
    let mut facts = Facts::default();
    let mut told = Vec::new();
    for (path, text) in pages {
        let name = path.rsplit('/').next().unwrap_or(path);
        if path.starts_with("methods-auto/") {
            if name.ends_with("-option.md") {
                if let Some(option) = pages::option_type(text) {
                    facts.options.insert(option.name.clone(), option);
                }
            } else if name.ends_with("-data-type.md")
                && let Some(of_type) = pages::type_name(text)
            {
                facts.types.entry(of_type).or_default();
            } else if name.ends_with("-method.md")
                && let Some(mut method) = pages::method(text)
            {
                let index = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let folder = index.rsplit('/').next().unwrap_or(index);
                let types = pages.get(&format!("{index}/{folder}-data-type.md"));
                if let Some(option) = pages::told_option_type(text) {
                    told.push(option);
                }
                method.is_static = types.is_some_and(|types| pages::is_listed_as_static(types, name));
                facts.types.entry(method.owner.clone()).or_default().push(method);
            }
        } else if path.starts_with("properties/") {
            if let Some(property) = pages::property(text) {
                // `Subtype` of codeunits and of fields have a page each.
                match facts.properties.get_mut(&property.name) {
                    Some(known) => {
                        known.owners.extend(property.owners);
                        known.values.extend(property.values);
                    }
                    None => {
                        facts.properties.insert(property.name.clone(), property);
                    }
                }
            }
        } else if let Some(inner) = path.strip_prefix("triggers-auto/") {
            if let (Some((folder, _)), Some(trigger)) = (inner.rsplit_once('/'), pages::trigger(text)) {
                facts.triggers.entry(folder.to_owned()).or_default().push(trigger);
            }
        } else if path.starts_with("attributes/") {
            if let Some(attribute) = pages::attribute(text) {
                facts.attributes.insert(attribute.name.clone(), attribute);
            }
        } else if let Some(table) = pages::system_table(text) {
            facts.tables.push(table);
        }
    }
    for option in told {
        let has_page = facts.types.contains_key(&option.name) || facts.options.contains_key(&option.name);
        if !has_page {
            facts.options.insert(option.name.clone(), option);
        }
    }
    facts
}

/// The file of facts; see `crates/al/model/src/builtin` for its format.
fn in_words(facts: &Facts, commit: &str) -> String {
    let mut text = format!(
        "# Facts about the built-in types of AL, written by `cargo xtask builtins`; do not edit.\n\
         # Source: the public documentation in github.com/MicrosoftDocs/dynamics365smb-devitpro-pb, folder {FOLDER},\n\
         # commit {commit}, by Microsoft and contributors, licensed CC BY 4.0. Names, signatures and values only.\n"
    );
    for (name, methods) in &facts.types {
        let _ = writeln!(text, "T {name}");
        for method in methods {
            let _ = writeln!(text, "M {}", method.in_words());
        }
    }
    for option in facts.options.values() {
        let _ = writeln!(text, "O {}", option.name);
        for member in &option.members {
            let _ = writeln!(text, "V {member}");
        }
    }
    for property in facts.properties.values() {
        let _ = writeln!(text, "P {}", property.name);
        if !property.owners.is_empty() {
            let _ = writeln!(text, "A {}", property.owners.join("; "));
        }
        for value in &property.values {
            let _ = writeln!(text, "V {value}");
        }
    }
    for (owner, triggers) in &facts.triggers {
        let _ = writeln!(text, "G {owner}");
        for trigger in triggers {
            let _ = writeln!(text, "H {}", trigger.0);
        }
    }
    for attribute in facts.attributes.values() {
        let _ = writeln!(text, "B {}{}", attribute.name, attribute.parameters);
    }
    for table in &facts.tables {
        let _ = writeln!(text, "S {} {}", table.id, table.name);
        for field in &table.fields {
            let _ = writeln!(text, "F {field}");
        }
    }
    text
}
