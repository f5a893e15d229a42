//! What an entry is: the hash of its recipe and its parents.
//!
//! The key is canonical JSON of a format number, the canonical statement, and for every table name in it: the name as
//! written (names of columns may be made of it), the kind of edge, the stable id of the alias, the version of a pin,
//! and the content hash of the parent. The project's path, times, settings and versions of programs are not in it, so a
//! project can be copied and a new version of a dependency moves no hash.
//!
//! The text of the statement is length-prefixed where it holds words of the author, and JSON delimits the rest, so no
//! two keys run into one another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::error::{EngineError, ErrorKind, Result};
use crate::recipe::{Recipe, Target};

/// Part of every key. Moves only when the same recipe over the same parents would give other rows.
pub const IDENTITY_FORMAT: u32 = 1;

/// What a reference was resolved to when the recipe was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// The alias's id, which a rename does not change.
    pub alias_id: String,
    /// The content hash of the entry that is read.
    pub parent: String,
}

/// The content hash of an entry: 12 lower-case hexadecimal digits.
///
/// # Errors
/// `UnknownReference` when a reference of the recipe is not in `resolutions`, whose keys are the names as written.
pub fn entry_hash(recipe: &Recipe, resolutions: &BTreeMap<String, Resolution>) -> Result<String> {
    let key = identity_key(recipe, resolutions)?;
    let mut hash = String::with_capacity(12);
    for byte in &Sha256::digest(key.as_bytes())[..6] {
        write!(hash, "{byte:02x}").expect("writing to a string cannot fail");
    }
    Ok(hash)
}

/// The text that is hashed, for tests and for explaining why two entries differ.
///
/// # Errors
/// As [`entry_hash`].
pub fn identity_key(recipe: &Recipe, resolutions: &BTreeMap<String, Resolution>) -> Result<String> {
    let mut references = Vec::with_capacity(recipe.references().len());
    for reference in recipe.references() {
        let Some(Resolution { alias_id, parent }) = resolutions.get(&reference.name) else {
            return Err(EngineError::new(
                ErrorKind::UnknownReference,
                format!("The reference `{}` is not bound", reference.name),
            )
            .at(reference.place));
        };
        references.push(match &reference.target {
            Target::Follow { .. } => serde_json::json!(["follow", reference.name, alias_id, parent]),
            Target::Pin { version, .. } => {
                serde_json::json!(["pin", reference.name, alias_id, version.to_string(), parent])
            }
        });
    }
    let statement = serde_json::Value::from(recipe.canonical());
    Ok(format!(
        "{{\"format\":{IDENTITY_FORMAT},\"references\":{},\"statement\":{statement}}}",
        serde_json::Value::from(references)
    ))
}

#[cfg(test)]
mod tests;
