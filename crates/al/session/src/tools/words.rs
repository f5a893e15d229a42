//! The words that arguments may be: compared without regard to case, written in one way.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

/// A closed set of words.
trait Words: Sized + Copy + 'static {
    /// Every word, in the order in which messages list them.
    const ALL: &'static [(&'static str, Self)];
}

fn read_word<'de, W: Words, D: Deserializer<'de>>(deserializer: D) -> Result<W, D::Error> {
    struct WordVisitor<W>(std::marker::PhantomData<W>);

    impl<W: Words> Visitor<'_> for WordVisitor<W> {
        type Value = W;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("one of ")?;
            for (index, (word, _)) in W::ALL.iter().enumerate() {
                let separator = if index == 0 { "" } else { ", " };
                write!(formatter, "{separator}`{word}`")?;
            }
            Ok(())
        }

        fn visit_str<E: de::Error>(self, given: &str) -> Result<W, E> {
            W::ALL
                .iter()
                .find(|(word, _)| word.eq_ignore_ascii_case(given.trim()))
                .map(|(_, value)| *value)
                .ok_or_else(|| E::invalid_value(de::Unexpected::Str(given), &self))
        }
    }

    deserializer.deserialize_str(WordVisitor(std::marker::PhantomData))
}

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[schemars(transform = super::schema::choice)]
pub enum Severity {
    /// The code is wrong.
    Error,
    /// The code is probably not what its author wants.
    Warning,
    /// The code could be better.
    Info,
    /// For tools only.
    Hidden,
}

impl Severity {
    /// The word that replies use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Info => "Info",
            Self::Hidden => "Hidden",
        }
    }
}

impl From<candor_al_rules::Severity> for Severity {
    fn from(severity: candor_al_rules::Severity) -> Self {
        match severity {
            candor_al_rules::Severity::Error => Self::Error,
            candor_al_rules::Severity::Warning => Self::Warning,
            candor_al_rules::Severity::Info => Self::Info,
            candor_al_rules::Severity::Hidden => Self::Hidden,
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Words for Severity {
    const ALL: &'static [(&'static str, Self)] = &[
        ("Error", Self::Error),
        ("Warning", Self::Warning),
        ("Info", Self::Info),
        ("Hidden", Self::Hidden),
    ];
}

impl<'de> Deserialize<'de> for Severity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_word(deserializer)
    }
}

/// Who analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Candor itself.
    #[default]
    Native,
    /// Microsoft's compiler, through its AL server.
    Compiler,
    /// Both.
    All,
}

impl Words for Source {
    const ALL: &'static [(&'static str, Self)] = &[
        ("native", Self::Native),
        ("compiler", Self::Compiler),
        ("all", Self::All),
    ];
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_word(deserializer)
    }
}

/// How far a fix of all occurrences reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Every file of the project.
    #[default]
    Project,
    /// One file.
    Document,
}

impl Words for Scope {
    const ALL: &'static [(&'static str, Self)] = &[("project", Self::Project), ("document", Self::Document)];
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_word(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_case() {
        assert_eq!(serde_json::from_str::<Scope>(r#""DOCUMENT""#).unwrap(), Scope::Document);
        assert_eq!(serde_json::from_str::<Source>(r#""All""#).unwrap(), Source::All);
        assert_eq!(
            serde_json::from_str::<Severity>(r#""warning""#).unwrap(),
            Severity::Warning
        );
    }

    #[test]
    fn an_unknown_word_is_echoed_beside_the_known_ones() {
        let error = serde_json::from_str::<Scope>(r#""workspace""#).unwrap_err().to_string();
        assert!(
            error.starts_with(r#"invalid value: string "workspace", expected one of `project`, `document`"#),
            "{error}"
        );
    }
}
