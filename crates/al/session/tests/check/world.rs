//! Some projects in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};

use candor_al_session::check::{CheckOptions, CheckReport, Detail, FileReport, RuleChoice, check};
use candor_al_session::{AlError, Cancellation};
use tempfile::TempDir;

/// A page whose control repeats the page's application area in line 11: `LC0020`, safe to fix.
pub(crate) const PAGE: &str = "\
page 50100 \"My Page\"
{
    ApplicationArea = All;
    layout
    {
        area(Content)
        {
            field(Name; Name)
            {
                Caption = 'Name';
                ApplicationArea = All;
            }
        }
    }
}
";

/// A parameter nobody uses in line 3: `LC0095`, unsafe to fix.
pub(crate) const UNUSED: &str = "\
codeunit 50101 \"My Codeunit\"
{
    procedure Run(Unused: Integer)
    begin
    end;
}
";

/// An event publisher in an internal codeunit in line 6: `AC0012`, with two fixes to choose from.
pub(crate) const PUBLISHER: &str = "\
codeunit 50100 \"My Publisher\"
{
    Access = Internal;

    [IntegrationEvent(false, false)]
    local procedure OnAfterPost()
    begin
    end;
}
";

/// The manifest of a project whose code, like that of all tests here, is not documented.
pub(crate) const MANIFEST: &str = r#"{"suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]}"#;

pub(crate) struct World {
    folder: TempDir,
}

impl World {
    /// Files by their path below the folder; `app.json` makes a project.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let world = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for (name, text) in files {
            world.write(name, text);
        }
        world
    }

    pub(crate) fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    pub(crate) fn options(&self) -> CheckOptions {
        CheckOptions {
            paths: vec![self.root()],
            ..CheckOptions::default()
        }
    }

    /// `file:line id` of every finding, in the order of reports.
    pub(crate) fn found(&self, options: &CheckOptions) -> Vec<String> {
        let root = self.root();
        let name = |path: &Path| path.strip_prefix(&root).unwrap().display().to_string();
        let (_, reports) = run(options);
        let findings = reports
            .iter()
            .flat_map(|file| file.findings.iter().map(|one| (&file.file_path, &one.diagnostic)));
        findings
            .map(|(path, one)| format!("{}:{} {}", name(path), one.line, one.id))
            .collect()
    }
}

pub(crate) fn try_check(options: &CheckOptions) -> Result<(CheckReport, Vec<FileReport>), AlError> {
    let mut reports = Vec::new();
    let report = check(options, &Cancellation::new(), &mut |file| reports.push(file))?;
    Ok((report, reports))
}

pub(crate) fn run(options: &CheckOptions) -> (CheckReport, Vec<FileReport>) {
    try_check(options).unwrap()
}

pub(crate) fn select(words: &[&str]) -> RuleChoice {
    RuleChoice {
        select: words.iter().map(|&word| word.into()).collect(),
        ignore: Vec::new(),
    }
}

pub(crate) fn ignore(words: &[&str]) -> RuleChoice {
    RuleChoice {
        select: Vec::new(),
        ignore: words.iter().map(|&word| word.into()).collect(),
    }
}

pub(crate) fn counting(options: CheckOptions) -> CheckOptions {
    CheckOptions {
        detail: Detail::Counts,
        ..options
    }
}
