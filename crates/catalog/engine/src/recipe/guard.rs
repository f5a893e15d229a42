//! What is refused before anything is parsed: texts that are too large, too deep or plainly something else.
//!
//! The parser limits its own recursion, but a chain such as `1 + 1 + 1 …` makes a tree as deep as the chain is long
//! without any recursion in the parser; walking or dropping that tree would then overflow the stack. So chains are
//! counted here, on the tokens.

use sqlparser::dialect::GenericDialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use crate::error::{EngineError, ErrorKind, Place, Result};

/// The largest recipe, in bytes.
pub const MAX_RECIPE_BYTES: usize = 1_000_000;
/// The deepest nesting of brackets.
pub const MAX_NESTING: usize = 100;
/// The longest chain of operators without a comma or a bracket between. Planning `a + a + …` takes more than the square
/// of its length: measured 1.2 s for 200 terms in a debug build, over a minute for 900.
pub const MAX_CHAIN: usize = 500;
/// The deepest nesting of `CASE`, `CAST` and other words with a syntax of their own: the parser's work at an error
/// doubles with each.
pub const MAX_SPECIAL_NESTING: usize = 12;
/// The most joins and set operations together.
pub const MAX_RELATIONS: usize = 300;

/// The tokens of one query, without whitespace, comments and the semicolon at its end.
///
/// # Errors
/// `TooLarge`, `BadSyntax` from the tokenizer, `NotOneQuery` for anything that does not start like a query or holds
/// a second statement.
pub(super) fn tokens_of_one_query(sql: &str) -> Result<Vec<TokenWithSpan>> {
    if sql.len() > MAX_RECIPE_BYTES {
        return Err(EngineError::new(
            ErrorKind::TooLarge,
            format!(
                "The recipe has {} bytes; at most {MAX_RECIPE_BYTES} are allowed",
                sql.len()
            ),
        )
        .hint("Bring long lists of values in as a file with catalog_import_source and join with it"));
    }
    let mut tokens = Tokenizer::new(&GenericDialect {}, sql)
        .tokenize_with_location()
        .map_err(|error| {
            EngineError::new(ErrorKind::BadSyntax, error.message.trim().to_owned())
                .at(place(error.location))
                .hint("Text is written in single quotes ('text'), names in double quotes (\"Order ID\"); close both")
        })?;
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_) | Token::EOF));

    refuse_several_statements(&mut tokens)?;
    refuse_other_statements(&tokens)?;
    refuse_depth(&tokens)?;
    Ok(tokens)
}

/// A place from the tokenizer, which says line 0 for "unknown".
pub(crate) fn place(location: Location) -> Option<Place> {
    (location.line > 0).then_some(Place {
        line: location.line,
        column: location.column,
    })
}

fn refuse_several_statements(tokens: &mut Vec<TokenWithSpan>) -> Result<()> {
    let Some(first) = tokens.iter().position(|token| token.token == Token::SemiColon) else {
        return Ok(());
    };
    if let Some(second) = tokens[first..].iter().find(|token| token.token != Token::SemiColon) {
        return Err(
            EngineError::new(ErrorKind::NotOneQuery, "The recipe holds more than one statement")
                .at(place(second.span.start))
                .hint("A recipe is one SELECT or WITH query. Make one entry per query and read the first by its alias"),
        );
    }
    tokens.truncate(first);
    Ok(())
}

fn refuse_other_statements(tokens: &[TokenWithSpan]) -> Result<()> {
    let Some(first) = tokens.iter().find(|token| token.token != Token::LParen) else {
        return Err(EngineError::new(ErrorKind::NotOneQuery, "The recipe is empty")
            .hint("A recipe is one SELECT or WITH query over aliases, for example: SELECT city, count(*) AS orders FROM orders GROUP BY city"));
    };
    let keyword = match &first.token {
        Token::Word(word) if word.quote_style.is_none() => word.keyword,
        _ => Keyword::NoKeyword,
    };
    let (what, hint) = match keyword {
        Keyword::SELECT | Keyword::WITH | Keyword::FROM => return Ok(()),
        Keyword::VALUES => (
            "VALUES alone is no recipe",
            "Write SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, name)",
        ),
        Keyword::TABLE => ("TABLE alone is no recipe", "Write SELECT * FROM the_alias"),
        Keyword::COPY | Keyword::EXPORT | Keyword::UNLOAD => (
            "A recipe cannot write or read files",
            "Results are stored by catalog_create; files come in through catalog_import_source(outside_path, alias)",
        ),
        Keyword::INSERT | Keyword::UPDATE | Keyword::DELETE | Keyword::MERGE | Keyword::TRUNCATE | Keyword::REPLACE => {
            (
                "A recipe cannot change data",
                "Entries never change. Describe the changed rows with a SELECT and store it with catalog_create or catalog_revise",
            )
        }
        Keyword::CREATE | Keyword::DROP | Keyword::ALTER | Keyword::ATTACH | Keyword::DETACH => (
            "A recipe cannot create or drop anything",
            "Store a query under a name with catalog_create(name, sql); remove a name with catalog_unalias(name)",
        ),
        Keyword::SET
        | Keyword::RESET
        | Keyword::USE
        | Keyword::PRAGMA
        | Keyword::BEGIN
        | Keyword::COMMIT
        | Keyword::ROLLBACK => (
            "A recipe cannot change settings or transactions",
            "Leave the statement out: every recipe runs with the same fixed settings",
        ),
        Keyword::EXPLAIN | Keyword::DESCRIBE | Keyword::DESC | Keyword::SHOW | Keyword::ANALYZE => (
            "A recipe is the query itself, not a question about it",
            "catalog_peek(ref) shows columns and rows of an entry, catalog_query(sql) tries a query without storing it",
        ),
        _ => {
            return Err(EngineError::new(
                ErrorKind::NotOneQuery,
                format!(
                    "The recipe starts with `{}`, not with SELECT or WITH",
                    shorten(&first.token.to_string())
                ),
            )
            .at(place(first.span.start))
            .hint("A recipe is one SELECT or WITH query over aliases"));
        }
    };
    Err(EngineError::new(ErrorKind::NotOneQuery, what)
        .at(place(first.span.start))
        .hint(hint))
}

/// At most forty characters of a token, for a message.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// One level of brackets.
#[derive(Clone, Copy)]
struct Level {
    /// Operators since the last comma.
    chain: usize,
    /// Weight of the special words around.
    special: usize,
}

fn refuse_depth(tokens: &[TokenWithSpan]) -> Result<()> {
    let mut levels = vec![Level { chain: 0, special: 0 }];
    let mut cases = 0_usize;
    let mut relations = 0_usize;
    let mut before = None;
    for token in tokens {
        let keyword = keyword_of(&token.token);
        let depth = levels.len();
        let level = levels.last_mut().expect("the outermost level is never popped");
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                let special = level.special + before.map_or(0, special_weight);
                levels.push(Level { chain: 0, special });
            }
            Token::RParen | Token::RBracket | Token::RBrace if depth > 1 => {
                levels.pop();
            }
            Token::Comma => level.chain = 0,
            other if extends_a_chain(other) => level.chain += 1,
            _ => {}
        }
        match keyword {
            Some(Keyword::CASE) => cases += 1,
            Some(Keyword::END) => cases = cases.saturating_sub(1),
            Some(Keyword::JOIN | Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS) => {
                relations += 1
            }
            _ => {}
        }
        before = keyword;
        let level = levels.last().expect("the outermost level is never popped");
        let error = if levels.len() > MAX_NESTING + 1 {
            EngineError::new(
                ErrorKind::TooLarge,
                format!("Brackets are nested more than {MAX_NESTING} deep"),
            )
            .hint("Remove redundant brackets, or split the recipe into entries that read one another")
        } else if level.special + cases > MAX_SPECIAL_NESTING {
            EngineError::new(
                ErrorKind::TooLarge,
                format!(
                    "CASE, CAST and the like are nested more than {MAX_SPECIAL_NESTING} deep, or a CASE has no END"
                ),
            )
            .hint("Compute the inner values in a common table expression (WITH) and use their names")
        } else if level.chain > MAX_CHAIN {
            EngineError::new(
                ErrorKind::TooLarge,
                format!("An expression chains more than {MAX_CHAIN} operators"),
            )
            .hint("Replace `x = 1 OR x = 2 OR …` by `x IN (1, 2, …)`, or join with an imported list")
        } else if relations > MAX_RELATIONS {
            EngineError::new(
                ErrorKind::TooLarge,
                format!("The recipe has more than {MAX_RELATIONS} joins and set operations"),
            )
            .hint("Split the recipe into entries that read one another")
        } else {
            continue;
        };
        return Err(error.at(place(token.span.start)));
    }
    Ok(())
}

fn keyword_of(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    }
}

/// How many times the parser doubles its work at an error inside the brackets after this word: it then tries the word
/// as a plain name and reads the brackets again. Measured on version 0.62: eleven nested CASTs around a mistake take
/// 50 ms, every three more ten times as long.
fn special_weight(keyword: Keyword) -> usize {
    match keyword {
        Keyword::POSITION => 2,
        Keyword::CAST
        | Keyword::TRY_CAST
        | Keyword::SAFE_CAST
        | Keyword::CONVERT
        | Keyword::TRY_CONVERT
        | Keyword::SUBSTRING
        | Keyword::SUBSTR
        | Keyword::FLOOR
        | Keyword::CEIL
        | Keyword::OVERLAY
        | Keyword::ARRAY
        | Keyword::EXTRACT
        | Keyword::TRIM
        | Keyword::STRUCT
        | Keyword::MAP
        | Keyword::MATCH
        | Keyword::CURRENT_TIMESTAMP
        | Keyword::CURRENT_TIME
        | Keyword::CURRENT_DATE
        | Keyword::LOCALTIME
        | Keyword::LOCALTIMESTAMP => 1,
        _ => 0,
    }
}

/// Whether the token may add a level to the tree without a bracket.
fn extends_a_chain(token: &Token) -> bool {
    match token {
        Token::Word(word) => {
            word.quote_style.is_none()
                && matches!(
                    word.keyword,
                    Keyword::AND
                        | Keyword::OR
                        | Keyword::XOR
                        | Keyword::NOT
                        | Keyword::IS
                        | Keyword::IN
                        | Keyword::LIKE
                        | Keyword::ILIKE
                        | Keyword::SIMILAR
                        | Keyword::BETWEEN
                        | Keyword::COLLATE
                        | Keyword::AT
                        | Keyword::DIV
                        | Keyword::CASE
                        | Keyword::INTERVAL
                        | Keyword::REGEXP
                        | Keyword::RLIKE
                )
        }
        Token::Number(..) | Token::Char(_) | Token::Period | Token::Comma | Token::SemiColon => false,
        other => !is_text(other),
    }
}

fn is_text(token: &Token) -> bool {
    matches!(
        token,
        Token::SingleQuotedString(_)
            | Token::DoubleQuotedString(_)
            | Token::DollarQuotedString(_)
            | Token::EscapedStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::NationalStringLiteral(_)
            | Token::HexStringLiteral(_)
    )
}
