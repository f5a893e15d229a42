//! Recipes: one `SELECT` or `WITH` query whose table names are references.
//!
//! `orders` follows an alias, `"orders-v2"` pins a version. Nothing else can be read. Names count as they are written,
//! upper and lower case, quoted or not.
//!
//! A recipe holds its text, not its syntax tree: parsing takes microseconds, and a tree would have to be dropped on
//! whatever stack its owner has.

mod guard;
pub(crate) mod names;
#[cfg(test)]
mod tests;

use sqlparser::ast::{Query, Statement};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};

pub(crate) use guard::place;
pub use guard::{MAX_CHAIN, MAX_NESTING, MAX_RECIPE_BYTES, MAX_RELATIONS, MAX_SPECIAL_NESTING};
pub use names::Target;

use crate::canon::{self, Canonical};
use crate::error::{EngineError, ErrorKind, Place, Result};
use crate::nearest::nearest;
use crate::stack;

/// How deep the parser may recurse. Brackets are limited before; this stops what nests without brackets, such as `CASE`.
const PARSER_RECURSION: usize = 4 * MAX_NESTING;

/// A table name of a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name as written, without quotes: the key of bindings.
    pub name: String,
    /// What it asks for.
    pub target: Target,
    /// Where it stands first.
    pub place: Option<Place>,
}

impl Reference {
    /// The failure for a name that no alias has. `known` are the aliases there are.
    pub fn unknown<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> EngineError {
        let alias = self.target.alias();
        let near = nearest(alias, known);
        let hint = match near.first() {
            Some(first) => format!(
                "Write {} instead, or bring the data in with catalog_import_source(outside_path, alias=\"{alias}\")",
                quoted(first)
            ),
            None => format!(
                "catalog_list shows the aliases; bring a file in with catalog_import_source(outside_path, alias=\"{alias}\")"
            ),
        };
        EngineError::new(ErrorKind::UnknownReference, format!("No alias `{alias}`"))
            .at(self.place)
            .near(near)
            .hint(hint)
    }
}

/// A recipe that is one query over references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    sql: String,
    references: Vec<Reference>,
    canonical: String,
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// `NotOneQuery`, `BadSyntax`, `Unsupported`, `ForbiddenReference` or `TooLarge`, with the place in the text.
    pub fn parse(sql: &str) -> Result<Self> {
        let Canonical { text, references } = stack::run(|| {
            let query = parse_query(sql)?;
            canon::canonical(&query)
        })?;
        Ok(Self {
            sql: sql.to_owned(),
            references,
            canonical: text,
        })
    }

    /// The text as the author wrote it.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Every table name that is no common table expression, in order of first appearance, each once. All of them have
    /// to be bound; which are really read is known after planning.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// The canonical text of the query, in which a reference is its index in [`Recipe::references`].
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Refuses a recipe that follows the alias it will be stored under: every new version would make itself stale.
    /// Reading a pinned version of that alias is fine.
    ///
    /// # Errors
    /// `SelfReference`.
    pub fn refuse_self_reference(&self, alias: &str) -> Result<()> {
        let own = self
            .references
            .iter()
            .find(|reference| matches!(&reference.target, Target::Follow { alias: followed } if followed == alias));
        match own {
            None => Ok(()),
            Some(reference) => Err(EngineError::new(
                ErrorKind::SelfReference,
                format!("The recipe of `{alias}` reads `{alias}` itself"),
            )
            .at(reference.place)
            .hint(format!(
                "Pin the version it builds on: FROM \"{alias}-v1\", or store the result under another name"
            ))),
        }
    }
}

/// The syntax tree of a recipe.
pub(crate) fn parse_query(sql: &str) -> Result<Box<Query>> {
    let tokens = guard::tokens_of_one_query(sql)?;
    let dialect = GenericDialect {};
    let mut parser = Parser::new(&dialect)
        .with_recursion_limit(PARSER_RECURSION)
        .with_tokens_with_locations(tokens);
    let query = parser.parse_query().map_err(syntax_error)?;
    let next = parser.peek_token();
    if next.token != sqlparser::tokenizer::Token::EOF {
        return Err(EngineError::new(
            ErrorKind::BadSyntax,
            format!("Expected the end of the query, found `{}`", next.token),
        )
        .at(place(next.span.start))
        .hint("Names with spaces, upper-case keywords or signs need double quotes, such as \"Order ID\""));
    }
    Ok(query)
}

/// The statement the planner takes.
pub(crate) fn parse_statement(sql: &str) -> Result<Statement> {
    Ok(Statement::Query(parse_query(sql)?))
}

fn syntax_error(error: ParserError) -> EngineError {
    match error {
        ParserError::RecursionLimitExceeded => EngineError::new(ErrorKind::TooLarge, "The query is nested too deep")
            .hint("Split the recipe into entries that read one another"),
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            let (message, at) = split_place(&message);
            EngineError::new(ErrorKind::BadSyntax, message).at(at).hint(
                "Names with spaces or signs, and keywords used as names, need double quotes, such as \"Order ID\"",
            )
        }
    }
}

/// Takes ` at Line: 1, Column: 8` off the end of a parser's message.
fn split_place(message: &str) -> (String, Option<Place>) {
    let Some((text, numbers)) = message.rsplit_once(" at Line: ") else {
        return (message.to_owned(), None);
    };
    let at = numbers.split_once(", Column: ").and_then(|(line, column)| {
        Some(Place {
            line: line.trim().parse().ok()?,
            column: column.trim().parse().ok()?,
        })
    });
    match at {
        Some(at) => (text.to_owned(), Some(at)),
        None => (message.to_owned(), None),
    }
}

/// A name as it has to be written: quoted unless it is a plain word.
pub fn quoted(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !is_reserved(name);
    if plain {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

/// Whether the word cannot stand as a name without quotes.
fn is_reserved(name: &str) -> bool {
    use sqlparser::keywords::{ALL_KEYWORDS, ALL_KEYWORDS_INDEX, RESERVED_FOR_COLUMN_ALIAS, RESERVED_FOR_TABLE_ALIAS};
    let upper = name.to_ascii_uppercase();
    ALL_KEYWORDS.binary_search(&upper.as_str()).is_ok_and(|index| {
        let keyword = ALL_KEYWORDS_INDEX[index];
        RESERVED_FOR_COLUMN_ALIAS.contains(&keyword)
            || RESERVED_FOR_TABLE_ALIAS.contains(&keyword)
            || matches!(
                upper.as_str(),
                "SELECT"
                    | "CASE"
                    | "CAST"
                    | "NOT"
                    | "NULL"
                    | "TRUE"
                    | "FALSE"
                    | "INTERVAL"
                    | "EXISTS"
                    | "EXTRACT"
                    | "TABLE"
                    | "DATE"
                    | "TIME"
                    | "TIMESTAMP"
            )
    })
}

/// Names of columns that need quotes and stand in the text without them, with what to write.
///
/// A recipe over headers such as `Order ID` fails in many ways when the quotes are missing; this says so whatever the
/// failure was.
pub fn unquoted_columns<'a>(sql: &str, columns: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = columns
        .into_iter()
        .filter(|column| quoted(column) != **column && column.contains(|c: char| !c.is_alphanumeric()))
        .filter(|column| {
            sql.match_indices(*column).any(|(start, matched)| {
                let before = sql[..start].chars().next_back();
                let after = sql[start + matched.len()..].chars().next();
                !matches!(before, Some('"' | '`' | '\''))
                    && !before.is_some_and(char::is_alphanumeric)
                    && !after.is_some_and(char::is_alphanumeric)
            })
        })
        .map(quoted)
        .collect();
    found.sort();
    found.dedup();
    found
}
