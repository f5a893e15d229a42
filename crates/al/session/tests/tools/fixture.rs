//! A small project in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};

use candor_al_session::tools::{
    AnalyzeArguments, AnalyzeResult, ApplyFixAllArguments, ApplyFixAllResult, ApplyFixArguments, ApplyFixResult,
    GetFixesArguments, GetFixesResult, Scope,
};
use candor_al_session::{AlError, Answer, Cancellation, Session};
use tempfile::TempDir;

/// A page whose control repeats the page's application area in line 11, column 17: `LC0020`.
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

/// The same, fixed.
pub(crate) const FIXED_PAGE: &str = "\
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
            }
        }
    }
}
";

/// An event publisher in an internal codeunit, in line 6, column 21: `AC0012`, for which there are two fixes.
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

/// The page with its control's finding suppressed in line 12, column 17.
pub(crate) fn suppressed_page() -> String {
    let line = "                ApplicationArea = All;\n";
    PAGE.replace(
        line,
        &format!("#pragma warning disable LC0020\n{line}#pragma warning restore LC0020\n"),
    )
}

pub(crate) struct Project {
    folder: TempDir,
    pub(crate) session: Session,
}

impl Project {
    /// A project with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap().join("app");
        fs::create_dir(&root).unwrap();
        let session = Session::new(vec![root]);
        let project = Self { folder, session };
        project.write("app.json", r#"{"name": "App", "runtime": "14.0", "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]}"#);
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    /// The folder around the project.
    pub(crate) fn outside(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.outside().join("app")
    }

    /// The path of a file, as arguments and answers have it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.root().join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.root().join(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The names in a folder of the project.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.root().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn analyze(&self, arguments: &AnalyzeArguments) -> Result<AnalyzeResult, AlError> {
        self.session.analyze(arguments, &Cancellation::new()).result
    }

    /// `file:line:column id` of every diagnostic.
    pub(crate) fn found(&self, arguments: &AnalyzeArguments) -> Vec<String> {
        let result = self.analyze(arguments).unwrap();
        let name = |path: &str| Path::new(path).strip_prefix(self.root()).unwrap().display().to_string();
        let entries = result.diagnostics.iter();
        entries
            .map(|one| format!("{}:{}:{} {}", name(&one.file_path), one.line, one.column, one.id))
            .collect()
    }

    pub(crate) fn get_fixes(&self, name: &str, id: &str, line: i64, column: i64) -> Result<GetFixesResult, AlError> {
        self.session
            .get_fixes(&self.get(name, id, line, column), &Cancellation::new())
            .result
    }

    pub(crate) fn get(&self, name: &str, id: &str, line: i64, column: i64) -> GetFixesArguments {
        GetFixesArguments {
            project_path: self.root().display().to_string(),
            file_path: self.path(name),
            diagnostic_id: id.to_owned(),
            line,
            column,
            analyzers: None,
        }
    }

    /// Arguments of `apply_fix` without anything optional.
    pub(crate) fn apply(&self, name: &str, id: &str, line: i64, column: i64) -> ApplyFixArguments {
        ApplyFixArguments {
            project_path: self.root().display().to_string(),
            file_path: self.path(name),
            diagnostic_id: id.to_owned(),
            line,
            column,
            equivalence_key: None,
            analyzers: None,
            content_version: None,
            dry_run: false,
        }
    }

    pub(crate) fn apply_fix(&self, arguments: &ApplyFixArguments) -> Result<ApplyFixResult, AlError> {
        self.session.apply_fix(arguments, &Cancellation::new()).result
    }

    /// Arguments of `apply_fix_all` without anything optional.
    pub(crate) fn all(&self, id: &str) -> ApplyFixAllArguments {
        ApplyFixAllArguments {
            project_path: self.root().display().to_string(),
            diagnostic_id: id.to_owned(),
            scope: Scope::Project,
            file_path: None,
            equivalence_key: None,
            analyzers: None,
            content_version: None,
            dry_run: false,
        }
    }

    pub(crate) fn apply_fix_all(&self, arguments: &ApplyFixAllArguments) -> Result<ApplyFixAllResult, AlError> {
        self.answer_fix_all(arguments).result
    }

    pub(crate) fn answer_fix_all(&self, arguments: &ApplyFixAllArguments) -> Answer<ApplyFixAllResult> {
        self.session.apply_fix_all(arguments, &Cancellation::new())
    }

    pub(crate) fn version(&self) -> String {
        self.analyze(&AnalyzeArguments::default()).unwrap().content_version
    }
}

/// `Code/Reason` of an error, or `Code`.
pub(crate) fn kind<T: std::fmt::Debug>(result: &Result<T, AlError>) -> String {
    match result {
        Ok(answer) => panic!("a failure was expected, not {answer:?}"),
        Err(error) => match error.reason() {
            Some(reason) => format!("{}/{reason}", error.code()),
            None => error.code().to_string(),
        },
    }
}
