//! Names: of projects, aliases, entries, versions, steps.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Result, StoreError};

/// How many characters of a refused name an error shows.
const SHOWN: usize = 80;

/// Words that name a device on Windows and so cannot name a folder there.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

fn refused(what: &'static str, name: &str, problem: impl Into<String>) -> StoreError {
    let mut shown: String = name.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if name.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    StoreError::BadName {
        what,
        name: shown,
        problem: problem.into(),
    }
}

macro_rules! word {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = StoreError;

            fn try_from(name: String) -> Result<Self> {
                Self::new(&name)
            }
        }

        impl std::str::FromStr for $name {
            type Err = StoreError;

            fn from_str(name: &str) -> Result<Self> {
                Self::new(name)
            }
        }
    };
}

word! {
    /// The name of a project: `[a-z0-9][a-z0-9_-]{0,31}`, so that it can name a folder everywhere.
    ProjectName
}

impl ProjectName {
    /// Reads a name.
    ///
    /// # Errors
    /// [`StoreError::BadName`].
    pub fn new(name: &str) -> Result<Self> {
        let is_well_formed = (1..=32).contains(&name.len())
            && !name.starts_with(['-', '_'])
            && name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'));
        if !is_well_formed {
            return Err(refused(
                "a project",
                name,
                "use 1 to 32 of a-z, 0-9, `_` and `-`, beginning with a letter or digit",
            ));
        }
        if matches!(name, "active_project" | "buckaroo_sessions") || DEVICES.contains(&name) {
            return Err(refused("a project", name, "the word is reserved"));
        }
        Ok(Self(name.into()))
    }
}

word! {
    /// The name of an alias: `[a-z][a-z0-9_]{0,63}`, and not of the shape of an entry's hash.
    AliasName
}

impl AliasName {
    /// Reads a name.
    ///
    /// # Errors
    /// [`StoreError::BadName`]; for the shape of a version (`sales-v2`) it suggests another name.
    pub fn new(name: &str) -> Result<Self> {
        if let Some((base, version)) = split_version(name) {
            return Err(refused(
                "an alias",
                name,
                format!(
                    "`{base}-v{version}` means version {version} of `{base}`; take `{base}_o{version}` for an option"
                ),
            ));
        }
        let is_well_formed = (1..=64).contains(&name.len())
            && name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if !is_well_formed {
            return Err(refused(
                "an alias",
                name,
                "use 1 to 64 of a-z, 0-9 and `_`, beginning with a letter",
            ));
        }
        if EntryHash::new(name).is_ok() {
            return Err(refused("an alias", name, "it looks like the hash of an entry"));
        }
        Ok(Self(name.into()))
    }
}

word! {
    /// The hash of an entry: twelve lower-case hexadecimal digits.
    EntryHash
}

impl EntryHash {
    /// Reads a hash.
    ///
    /// # Errors
    /// [`StoreError::BadName`].
    pub fn new(hash: &str) -> Result<Self> {
        let is_well_formed = hash.len() == 12 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_well_formed {
            Ok(Self(hash.into()))
        } else {
            Err(refused("an entry", hash, "a hash has twelve digits of 0-9 and a-f"))
        }
    }
}

/// `sales-v2` as `sales` and 2. The version is not checked against anything.
fn split_version(text: &str) -> Option<(&str, u64)> {
    let (base, digits) = text.rsplit_once("-v")?;
    let is_number = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    let version = digits.parse().ok()?;
    (is_number && !base.is_empty()).then_some((base, version))
}

/// What a caller may write to mean an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// The head of an alias.
    Head(AliasName),
    /// One version of an alias, counted from 1.
    Version(AliasName, u64),
    /// An entry by its hash.
    Hash(EntryHash),
}

impl Reference {
    /// Reads `sales`, `sales-v2` or a hash.
    ///
    /// # Errors
    /// [`StoreError::BadName`].
    pub fn parse(text: &str) -> Result<Self> {
        if let Ok(hash) = EntryHash::new(text) {
            return Ok(Self::Hash(hash));
        }
        if let Some((base, version)) = split_version(text) {
            return Ok(Self::Version(AliasName::new(base)?, version));
        }
        AliasName::new(text).map(Self::Head)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head(alias) => write!(formatter, "{alias}"),
            Self::Version(alias, version) => write!(formatter, "{alias}-v{version}"),
            Self::Hash(hash) => write!(formatter, "{hash}"),
        }
    }
}

/// A checkpoint: by its number or by a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepReference {
    /// The number of a step, from 0.
    Step(u64),
    /// A label that someone gave to a step.
    Label(String),
}

impl StepReference {
    /// Reads `7`, `step-007` or a label.
    ///
    /// # Errors
    /// [`StoreError::BadName`] for what could be neither.
    pub fn parse(text: &str) -> Result<Self> {
        let digits = text.strip_prefix("step-").unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return digits
                .parse()
                .map(Self::Step)
                .map_err(|_| refused("a step", text, "the number is too large"));
        }
        check_label(text)?;
        Ok(Self::Label(text.into()))
    }

    /// The name of the tag that marks it.
    pub(crate) fn tag(&self) -> String {
        match self {
            Self::Step(number) => step_tag(*number),
            Self::Label(label) => label.clone(),
        }
    }
}

/// `step-007`.
pub(crate) fn step_tag(number: u64) -> String {
    format!("step-{number:03}")
}

/// Whether a label may be given: no revision syntax of git, nothing that reads like an option or a step.
pub(crate) fn check_label(label: &str) -> Result<()> {
    let is_well_formed = label.len() <= 64
        && label.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && git2::Reference::is_valid_name(&format!("refs/tags/{label}"));
    let reads_like_a_step = label
        .strip_prefix("step-")
        .unwrap_or(label)
        .bytes()
        .all(|byte| byte.is_ascii_digit());
    if !is_well_formed {
        return Err(refused(
            "a label",
            label,
            "use up to 64 letters, digits, `.`, `_` and `-`, beginning with a letter or digit",
        ));
    }
    if reads_like_a_step {
        return Err(refused("a label", label, "it reads like the number of a step"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn problem<T: fmt::Debug>(result: Result<T>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn projects_are_named_so_that_every_file_system_takes_them() {
        for name in ["a", "0", "sales-2026", "a_b", &"x".repeat(32)] {
            assert_eq!(ProjectName::new(name).unwrap().as_str(), name);
        }
        for name in [
            "",
            ".",
            "..",
            "-a",
            "_a",
            "A",
            "a/b",
            "a\\b",
            "../x",
            "é",
            "a b",
            "a\0",
            "con",
            "nul",
            "active_project",
            &"x".repeat(33),
        ] {
            assert!(
                problem(ProjectName::new(name)).contains("cannot be the name of a project"),
                "{name}"
            );
        }
    }

    #[test]
    fn aliases_are_identifiers() {
        for name in ["a", "sales", "sales_2026", "abcdef12345", &"x".repeat(64)] {
            assert_eq!(AliasName::new(name).unwrap().as_str(), name);
        }
        for name in [
            "",
            "Sales",
            "2sales",
            "_a",
            "sales-x",
            "a.b",
            "a/b",
            "größe",
            "a b",
            &"x".repeat(65),
            "abcdef123456",
        ] {
            assert!(AliasName::new(name).is_err(), "{name}");
        }
        assert_eq!(
            problem(AliasName::new("sales-v2")),
            "`sales-v2` cannot be the name of an alias: `sales-v2` means version 2 of `sales`; take `sales_o2` for an option."
        );
    }

    #[test]
    fn a_reference_is_a_head_a_version_or_a_hash() {
        let alias = |name| AliasName::new(name).unwrap();
        assert_eq!(Reference::parse("sales").unwrap(), Reference::Head(alias("sales")));
        assert_eq!(
            Reference::parse("sales-v12").unwrap(),
            Reference::Version(alias("sales"), 12)
        );
        assert_eq!(
            Reference::parse("0123456789ab").unwrap(),
            Reference::Hash(EntryHash::new("0123456789ab").unwrap())
        );
        for text in [
            "sales-v0",
            "sales-v",
            "sales-v01",
            "Sales-v2",
            "-v2",
            "sales-v99999999999999999999",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_step_is_a_number_or_a_harmless_label() {
        assert_eq!(StepReference::parse("7").unwrap(), StepReference::Step(7));
        assert_eq!(StepReference::parse("step-007").unwrap(), StepReference::Step(7));
        assert_eq!(
            StepReference::parse("v1.0").unwrap(),
            StepReference::Label("v1.0".into())
        );
        for text in [
            "", "-x", "--hard", "a..b", "HEAD~1", "a@{1}", "a:b", "a/b", "x.lock", "step-",
        ] {
            assert!(StepReference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_refused_name_is_shown_whatever_it_holds() {
        assert!(problem(ProjectName::new("a\nb")).starts_with("`a\\nb` cannot"));
        assert!(problem(AliasName::new(&"é".repeat(1000))).contains(&format!("{}…`", "é".repeat(80))));
    }
}
