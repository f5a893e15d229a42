//! What a table name may be.

use crate::error::{EngineError, ErrorKind, Place, Result};

/// What a reference asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// `orders`: the version the alias heads when the recipe is built; a newer one makes the entry stale.
    Follow {
        /// The alias as written.
        alias: String,
    },
    /// `"orders-v2"`: that version for good.
    Pin {
        /// The alias as written, without the version.
        alias: String,
        /// The version, from 1.
        version: u64,
    },
}

impl Target {
    /// The alias without a version.
    pub fn alias(&self) -> &str {
        match self {
            Self::Follow { alias } | Self::Pin { alias, .. } => alias,
        }
    }
}

/// Reads a table name as a reference.
///
/// # Errors
/// `ForbiddenReference` for files, addresses and content hashes, with the call that would help.
pub(crate) fn read_target(name: &str, place: Option<Place>) -> Result<Target> {
    let refuse = |message: String, hint: String| {
        Err(EngineError::new(ErrorKind::ForbiddenReference, message)
            .at(place)
            .hint(hint))
    };
    if is_address(name) {
        return refuse(
            format!("`{name}` is an address; recipes read aliases only"),
            "Download the file, then catalog_import_source(outside_path=\"<file>\", alias=\"<name>\") and read it by that alias".to_owned(),
        );
    }
    if is_file(name) {
        return refuse(
            format!("`{name}` is a file; recipes read aliases only"),
            format!(
                "Call catalog_import_source(outside_path=\"{}\", alias=\"{}\") and write FROM {1}",
                name.escape_default(),
                alias_for_file(name)
            ),
        );
    }
    if is_hash(name) {
        return refuse(
            format!("`{name}` is a content hash; recipes read aliases only"),
            format!("Name the entry first: catalog_alias(hash=\"{name}\", name=\"<name>\"), then write FROM <name>"),
        );
    }
    if let Some((alias, version)) = split_version(name) {
        return Ok(Target::Pin {
            alias: alias.to_owned(),
            version,
        });
    }
    Ok(Target::Follow { alias: name.to_owned() })
}

/// `orders-v2` as (`orders`, 2).
fn split_version(name: &str) -> Option<(&str, u64)> {
    let (alias, digits) = name.rsplit_once("-v")?;
    if alias.is_empty() || digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((alias, digits.parse().ok()?))
}

fn is_address(name: &str) -> bool {
    name.contains("://")
}

fn is_file(name: &str) -> bool {
    const SUFFIXES: [&str; 16] = [
        ".csv", ".tsv", ".txt", ".parquet", ".pq", ".json", ".jsonl", ".ndjson", ".arrow", ".feather", ".avro", ".orc",
        ".xlsx", ".gz", ".zst", ".zip",
    ];
    let lower = name.to_ascii_lowercase();
    name.contains(['/', '\\']) || name.starts_with('~') || SUFFIXES.iter().any(|suffix| lower.ends_with(suffix))
}

/// Twelve lower-case hexadecimal digits: the form of a content hash.
fn is_hash(name: &str) -> bool {
    name.len() == 12 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A usable alias made of a file's name.
fn alias_for_file(path: &str) -> String {
    let stem = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = stem.split('.').next().unwrap_or(stem);
    let mut alias: String = stem
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .take(60)
        .collect();
    if !alias.starts_with(|c: char| c.is_ascii_lowercase()) {
        alias.insert_str(0, "t_");
    }
    alias
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> String {
        match read_target(name, None) {
            Ok(Target::Follow { alias }) => format!("follow {alias}"),
            Ok(Target::Pin { alias, version }) => format!("pin {alias} {version}"),
            Err(error) => error.message,
        }
    }

    #[test]
    fn names_follow_and_versions_pin() {
        assert_eq!(kind("orders"), "follow orders");
        assert_eq!(kind("orders-v2"), "pin orders 2");
        assert_eq!(kind("orders-v02"), "follow orders-v02");
        assert_eq!(kind("orders-v0"), "follow orders-v0");
        assert_eq!(kind("a-v1-v3"), "pin a-v1 3");
        assert_eq!(kind("-v1"), "follow -v1");
        assert_eq!(
            kind("orders-v99999999999999999999999"),
            "follow orders-v99999999999999999999999"
        );
    }

    #[test]
    fn files_addresses_and_hashes_are_refused_with_the_call_that_helps() {
        let error = read_target("data/Shoe Orders.csv", None).expect_err("a file");
        assert_eq!(error.kind, ErrorKind::ForbiddenReference);
        assert_eq!(
            error.hint.as_deref(),
            Some(
                "Call catalog_import_source(outside_path=\"data/Shoe Orders.csv\", alias=\"shoe_orders\") and write FROM shoe_orders"
            )
        );
        assert!(kind("s3://bucket/x.parquet").contains("is an address"));
        assert!(kind("0123456789ab").contains("is a content hash"));
        assert!(kind("../../etc/passwd").contains("is a file"));
        assert_eq!(
            kind("2024.csv").as_str(),
            "`2024.csv` is a file; recipes read aliases only"
        );
    }
}
