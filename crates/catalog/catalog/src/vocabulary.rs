//! The errors of the catalog: one table for code, replies, documentation and tests.

use candor_contract::ToolError;

candor_contract::vocabulary! {
    /// The vocabulary of the catalog.
    pub struct CatalogVocabulary {
        candidate: String,
        place: CatalogPlace { reference: "ref", error_id: "error_id" },
        Invalid => CatalogInvalid {
            NotOneQuery("the text is not exactly one SELECT or WITH query", "send one query; files come in with catalog_import_source"),
            BadQuery("the query has a mistake: its syntax, types or grouping", "correct it at the place that `message` names"),
            NotAReference("a table name is a file, an address, a hash or a function", "make the call that `message` names, then read the alias"),
            TooLarge("the query is too long or nested too deep", "split it into entries that read one another"),
            SelfReference("the recipe follows the alias it would be stored under, directly or through others", "pin a version, or store it under another name"),
            NameTaken("an alias or a project has this name", "use another name, or catalog_revise for a new version"),
            BadName("the name breaks the rules for names", "follow the rule in `message`"),
            WrongKind("the alias is of the other kind: sources come from files, the rest from recipes", "use the call that `message` names"),
            BadSchema("schema or reader options cannot be understood or do not fit the file", "paste the schema that `message` suggests"),
            BadFile("the file is not what it can be read as: its kind, encoding, rows or values", "look at the line that `message` names; correct the file or pass what it suggests"),
            BadVersion("the file cannot become this version of the alias", "do what `message` advises"),
            BadPlace("a number is out of its range", "correct it"),
        },
        NotFound => CatalogNotFound {
            NoSuchAlias("no alias has this name", "pick one from `candidates`, or look with catalog_list"),
            NoSuchEntry("no entry has this hash", "look with catalog_list"),
            NoSuchVersion("the alias has no such version", "use one of those that `message` names"),
            NoSuchColumn("no column has this name", "pick one from `candidates`"),
            NoSuchFunction("no function has this name", "pick one from `candidates`"),
            NoSuchSource("there is no file at this path", "check the path"),
            NoSuchProject("no project has this name, or none is active", "pick one from `candidates`, or make one with project_new"),
            NoSuchStep("no checkpoint has this number or label", "look at the list of checkpoints"),
        },
        Ambiguous => NoReason {},
        Stale => CatalogStale {
            SourceChanged("the file was changed while it was read", "repeat when nobody writes to it"),
            VersionMoved("the alias got another version meanwhile", "look at the new version, then repeat"),
        },
        Unavailable => CatalogUnavailable {
            ProjectBusy("another process holds the project's lock; `message` names it", "repeat after the time in `message`"),
            Cancelled("the call was cancelled", "stop"),
        },
        Faulted => CatalogFaulted {
            BuildFailed("the query failed on the data", "correct the recipe as `message` says"),
            LimitExceeded("memory or disk do not suffice", "follow the advice in `message`"),
            DataDamaged("a file of the catalog is damaged or gone, and cannot be made again", "make the call that `message` names, or tell the user"),
            WriteFailed("something could not be written; what was there is still there", "tell the user, quoting `message`"),
        },
    }
}

/// Why a call of the catalog failed.
pub type CatalogError = ToolError<CatalogVocabulary>;

/// What the operations of the catalog return.
pub type Result<T> = std::result::Result<T, CatalogError>;
