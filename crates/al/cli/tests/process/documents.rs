//! What README and docs tell people to type and to paste is tried here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::place::Place;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The pages people read: name and text.
fn pages() -> Vec<(String, String)> {
    let root = repository();
    let mut paths = vec![root.join("README.md"), root.join("examples/al-app/README.md")];
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            (path.file_name().unwrap().to_string_lossy().into_owned(), text)
        })
        .collect()
}

/// The fenced blocks of a page: language and lines.
fn blocks(page: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in page.lines() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => open = Some((language, Vec::new())),
            (None, Some((language, mut lines))) => {
                lines.push(line);
                open = Some((language, lines));
            }
            (None, None) => {}
        }
    }
    blocks
}

/// The commands of a block: lines to type, and those that a pipeline runs.
fn commands<'a>(language: &str, lines: &[&'a str]) -> Vec<&'a str> {
    let command = |line: &&'a str| {
        let line = line.trim();
        let line = match language {
            "sh" => line,
            "console" => line.strip_prefix("$ ")?,
            "yaml" => line
                .strip_prefix("- run: ")
                .or_else(|| line.strip_prefix("- script: "))?,
            _ => return None,
        };
        let line = line.split(" #").next()?.trim();
        line.starts_with("candor-al ").then_some(line)
    };
    lines.iter().filter_map(command).collect()
}

/// A repository with everything that the pages name.
fn place() -> Place {
    let place = Place::example();
    fs::create_dir(place.path().join(".git")).unwrap();
    fs::create_dir_all(place.path().join(".buildartifacts/ErrorLogs")).unwrap();
    for folder in ["src/Sales", "examples/al-app"] {
        place.write(
            &format!("{folder}/Tool.al"),
            "table 50199 \"Another Tool\"\n{\n    Caption = '';\n}\n",
        );
    }
    let empty = "{\"version\":1,\"findings\":[]}";
    place.write("known.json", empty);
    place.write("candor.baseline.json", empty);
    place
}

#[cfg(unix)]
#[test]
fn every_command_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_candor-al"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut tried = 0;
    for (page, text) in pages() {
        for (language, lines) in blocks(&text) {
            for command in commands(language, &lines) {
                // These end only when somebody ends them.
                if command.contains("--watch") {
                    continue;
                }
                let place = place();
                let home = place.journal().parent().unwrap().to_owned();
                let output = Command::new("sh")
                    .args(["-c", command])
                    .current_dir(place.path())
                    .env("PATH", &path)
                    .env("CANDOR_HOME", home)
                    .stdin(std::process::Stdio::null())
                    .output()
                    .unwrap();
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(
                    matches!(output.status.code(), Some(0 | 1)),
                    "{page}: {command}: {:?}\n{errors}",
                    output.status
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 15, "only {tried} commands were found");
}

#[test]
fn every_json_block_is_json() {
    let mut tried = 0;
    for (page, text) in pages() {
        for (language, lines) in blocks(&text) {
            if language == "json" {
                let text = lines.join("\n");
                if let Err(error) = serde_json::from_str::<Value>(&text) {
                    panic!("{page}: {error}\n{text}");
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 5, "only {tried} blocks were found");
}

#[test]
fn every_server_in_the_settings_of_agents_starts() {
    let page = fs::read_to_string(repository().join("docs/editors-and-agents.md")).unwrap();
    let mut tried = 0;
    for (_, lines) in blocks(&page).into_iter().filter(|(language, _)| *language == "json") {
        let settings: Value = serde_json::from_str(&lines.join("\n")).unwrap();
        let servers = settings.get("mcpServers").or_else(|| settings.get("servers"));
        let Some(server) = servers.map(|servers| &servers["al"]) else {
            continue;
        };
        assert_eq!(server["command"], "candor-al");
        let place = Place::example();
        let folder = place.path().to_str().unwrap().to_owned();
        let arguments: Vec<String> = server["args"]
            .as_array()
            .unwrap()
            .iter()
            .map(|argument| argument.as_str().unwrap().replace("${workspaceFolder}", &folder))
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
        let output = place.run_with_input(&arguments, &format!("{request}\n"));
        let reply = String::from_utf8(output.stdout).unwrap();
        assert!(reply.contains("\"protocolVersion\""), "{reply}");
        tried += 1;
    }
    assert_eq!(tried, 3);
}

#[test]
fn the_problem_matcher_understands_every_line() {
    let page = fs::read_to_string(repository().join("docs/editors-and-agents.md")).unwrap();
    let tasks = blocks(&page)
        .into_iter()
        .filter(|(language, _)| *language == "json")
        .map(|(_, lines)| serde_json::from_str::<Value>(&lines.join("\n")).unwrap())
        .find(|settings| settings.get("tasks").is_some())
        .expect("the tasks");
    let task = &tasks["tasks"][0];
    let pattern = &task["problemMatcher"]["pattern"];
    let expression = regex::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let place = Place::example();
    place.write(
        "src/With : colon.al",
        "table 50198 \"A: 1:2: error\"\n{\n    Caption = '';\n}\n",
    );
    let command = task["command"].as_str().unwrap().split(' ').skip(1).collect::<Vec<_>>();
    let text = String::from_utf8(place.output(&command).stdout).unwrap();
    assert!(text.lines().count() > 9, "{text}");
    for line in text.lines() {
        let found = expression.captures(line).unwrap_or_else(|| panic!("{line}"));
        let part = |name: &str| &found[usize::try_from(pattern[name].as_u64().unwrap()).unwrap()];
        assert!(place.path().join(part("file")).is_file(), "{line}");
        assert!(part("line").parse::<u32>().is_ok() && part("column").parse::<u32>().is_ok());
        assert!(["error", "warning", "info"].contains(&part("severity")), "{line}");
        assert_eq!(part("code").len(), 6, "{line}");
        assert!(!part("message").is_empty(), "{line}");
    }
}
