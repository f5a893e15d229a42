//! What the inner crates say, in the catalog's vocabulary.

use candor_catalog_engine::{EngineError, ErrorKind};
use candor_catalog_store::{AliasKind, StoreError};
use candor_catalog_tables::import::ImportError;
use candor_catalog_tables::snapshot::SnapshotError;
use candor_contract::nearest_names;

use crate::vocabulary::{
    CatalogError, CatalogFaulted, CatalogInvalid, CatalogNotFound, CatalogPlace, CatalogStale, CatalogUnavailable,
    Result,
};

/// An error of an inner crate that can be told to a caller.
pub(crate) trait Explain {
    /// The same in the catalog's vocabulary.
    fn explain(self) -> CatalogError;
}

/// A result whose error can be told to a caller.
pub(crate) trait Explained<T> {
    /// The same with an error of the catalog's vocabulary.
    fn explained(self) -> Result<T>;
}

impl<T, E: Explain> Explained<T> for std::result::Result<T, E> {
    fn explained(self) -> Result<T> {
        self.map_err(Explain::explain)
    }
}

/// The failure, with what it is about.
pub(crate) fn about(error: CatalogError, reference: &str) -> CatalogError {
    let place = CatalogPlace {
        reference: Some(reference.into()),
        ..error.place_ref().clone()
    };
    error.place(place)
}

/// The failure, with the id of its record in the journal.
pub(crate) fn recorded(error: CatalogError, id: &str) -> CatalogError {
    let place = CatalogPlace {
        error_id: Some(id.into()),
        ..error.place_ref().clone()
    };
    error.place(place)
}

fn nearest(name: &str, known: &[String]) -> Vec<String> {
    nearest_names(name, known.iter().map(String::as_str))
        .into_iter()
        .map(String::from)
        .collect()
}

fn named(candidates: &[String]) -> String {
    if candidates.is_empty() {
        return String::new();
    }
    format!(" Nearest: {}.", candidates.join(", "))
}

impl Explain for StoreError {
    fn explain(self) -> CatalogError {
        let message = self.to_string();
        match self {
            Self::BadName { name, .. } => about(CatalogError::invalid_because(CatalogInvalid::BadName, message), &name),
            Self::NoSuchProject { name, known } => {
                let near = nearest(&name, &known);
                let candidates = if near.is_empty() { known } else { near };
                CatalogError::not_found(CatalogNotFound::NoSuchProject, message + &named(&candidates))
                    .candidates(candidates)
            }
            Self::NoActiveProject => CatalogError::not_found(CatalogNotFound::NoSuchProject, message),
            Self::ProjectExists { .. } => CatalogError::invalid_because(CatalogInvalid::NameTaken, message),
            Self::NoSuchEntry { hash } => about(CatalogError::not_found(CatalogNotFound::NoSuchEntry, message), &hash),
            Self::NoSuchAlias { name, now, known } => {
                let candidates = now.map_or_else(|| nearest(&name, &known), |now| vec![now]);
                let error = CatalogError::not_found(CatalogNotFound::NoSuchAlias, message + &named(&candidates));
                about(error.candidates(candidates), &name)
            }
            Self::NoSuchVersion { alias, version, .. } => about(
                CatalogError::not_found(CatalogNotFound::NoSuchVersion, message),
                &format!("{alias}-v{version}"),
            ),
            Self::NoSuchStep { .. } => CatalogError::not_found(CatalogNotFound::NoSuchStep, message),
            Self::NameTaken { name, kind } => {
                let way = match kind {
                    AliasKind::Catalog => {
                        format!(" catalog_revise(name=\"{name}\", sql=...) makes a new version of it.")
                    }
                    AliasKind::Source => {
                        format!(" A new version of it comes with catalog_import_source(alias=\"{name}\").")
                    }
                };
                about(
                    CatalogError::invalid_because(CatalogInvalid::NameTaken, message + &way),
                    &name,
                )
            }
            Self::WrongKind { name, .. } => {
                about(CatalogError::invalid_because(CatalogInvalid::WrongKind, message), &name)
            }
            Self::VersionMoved { alias, .. } => {
                about(CatalogError::stale_because(CatalogStale::VersionMoved, message), &alias)
            }
            Self::Busy { .. } => CatalogError::unavailable(CatalogUnavailable::ProjectBusy, message),
            Self::Damaged { .. } | Self::History { .. } => {
                CatalogError::faulted_because(CatalogFaulted::DataDamaged, message)
            }
            Self::NoSuchFile { path } => about(
                CatalogError::not_found(CatalogNotFound::NoSuchSource, message),
                &path.display().to_string(),
            ),
            Self::UnusableFile { .. } => CatalogError::invalid_because(CatalogInvalid::BadFile, message),
            Self::SourceChanged { .. } => CatalogError::stale_because(CatalogStale::SourceChanged, message),
            Self::ReadFailed { .. } => CatalogError::faulted_because(CatalogFaulted::DataDamaged, message),
            // The list of errors may grow; what is new fails to be written or it would be among those above.
            _ => CatalogError::faulted_because(CatalogFaulted::WriteFailed, message),
        }
    }
}

impl Explain for EngineError {
    fn explain(self) -> CatalogError {
        let message = self.to_string();
        let candidates = self.candidates;
        let invalid = |reason| CatalogError::invalid_because(reason, message.clone());
        let not_found = |reason| CatalogError::not_found(reason, message.clone());
        let faulted = |reason| CatalogError::faulted_because(reason, message.clone());
        let error = match self.kind {
            ErrorKind::NotOneQuery => invalid(CatalogInvalid::NotOneQuery),
            ErrorKind::Unsupported | ErrorKind::BadSyntax | ErrorKind::BadPlan => invalid(CatalogInvalid::BadQuery),
            ErrorKind::TooLarge => invalid(CatalogInvalid::TooLarge),
            ErrorKind::UnknownReference => not_found(CatalogNotFound::NoSuchAlias),
            ErrorKind::ForbiddenReference => invalid(CatalogInvalid::NotAReference),
            ErrorKind::SelfReference => invalid(CatalogInvalid::SelfReference),
            ErrorKind::UnknownColumn => not_found(CatalogNotFound::NoSuchColumn),
            ErrorKind::UnknownFunction => not_found(CatalogNotFound::NoSuchFunction),
            ErrorKind::ExecutionFailed => faulted(CatalogFaulted::BuildFailed),
            ErrorKind::LimitExceeded => faulted(CatalogFaulted::LimitExceeded),
            ErrorKind::DataDamaged => faulted(CatalogFaulted::DataDamaged),
            ErrorKind::WriteFailed => faulted(CatalogFaulted::WriteFailed),
            ErrorKind::Cancelled => CatalogError::unavailable(CatalogUnavailable::Cancelled, message.clone()),
            ErrorKind::Internal => CatalogError::faulted(message.clone()),
        };
        let error = error.candidates(candidates);
        match self.place {
            Some(place) => error.detail(place.to_string()),
            None => error,
        }
    }
}

impl Explain for SnapshotError {
    fn explain(self) -> CatalogError {
        let message = self.to_string();
        match self {
            Self::Missing { .. } | Self::Damaged { .. } => {
                CatalogError::faulted_because(CatalogFaulted::DataDamaged, message)
            }
            Self::NoSuchColumn { .. } => CatalogError::not_found(CatalogNotFound::NoSuchColumn, message),
            Self::UnsupportedType { .. } | Self::DuplicateColumn { .. } => {
                CatalogError::invalid_because(CatalogInvalid::BadQuery, message)
            }
            Self::Cancelled => CatalogError::unavailable(CatalogUnavailable::Cancelled, message),
            _ => CatalogError::faulted_because(CatalogFaulted::WriteFailed, message),
        }
    }
}

impl Explain for ImportError {
    fn explain(self) -> CatalogError {
        let message = format!("{self}.");
        match self {
            Self::Missing { .. } => CatalogError::not_found(CatalogNotFound::NoSuchSource, message),
            Self::BadOption { option, .. } => {
                CatalogError::invalid_because(CatalogInvalid::BadSchema, message).detail(option)
            }
            Self::SchemaMismatch { .. } => CatalogError::invalid_because(CatalogInvalid::BadSchema, message),
            Self::Changed { .. } => CatalogError::stale_because(CatalogStale::SourceChanged, message),
            Self::Cancelled => CatalogError::unavailable(CatalogUnavailable::Cancelled, message),
            Self::Snapshot(error) => error.explain(),
            Self::Io { .. } => CatalogError::faulted_because(CatalogFaulted::DataDamaged, message),
            _ => CatalogError::invalid_because(CatalogInvalid::BadFile, message),
        }
    }
}
