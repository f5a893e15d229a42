//! Names, as messages show them.

use std::borrow::Cow;

use candor_al_syntax::ast::{PropertyOwner, unquoted};
use candor_al_syntax::{Keyword, NodeId, Tree};

/// The name of an element with properties, without quotes.
pub(crate) fn owner_name(owner: NodeId, tree: &Tree) -> Cow<'_, str> {
    PropertyOwner::cast(tree.node(owner))
        .and_then(PropertyOwner::name_token)
        .map_or(Cow::Borrowed(""), |name| unquoted(name.text()))
}

/// Words that a name must not be without quotes: those of statements, operators and members.
const RESERVED: std::ops::RangeInclusive<Keyword> = Keyword::Begin..=Keyword::Event;

/// A name as code has to write it: in quotes if it is no plain word or a word of the language.
pub(crate) fn quoted_if_needed(name: &str) -> Cow<'_, str> {
    let mut characters = name.chars();
    let is_plain = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
    let is_reserved = || {
        let mut words = Keyword::ALL.iter().filter(|(keyword, _)| RESERVED.contains(keyword));
        words.any(|(_, word)| word.eq_ignore_ascii_case(name))
    };
    if is_plain && !is_reserved() {
        name.into()
    } else {
        format!("\"{}\"", name.replace('"', "\"\"")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_need_them_get_quotes() {
        for (name, written) in [
            ("Customer", "Customer"),
            ("Sales_Header2", "Sales_Header2"),
            ("Sales Header", "\"Sales Header\""),
            ("G/L \"X\"", "\"G/L \"\"X\"\"\""),
            ("End", "\"End\""),
            ("1st", "\"1st\""),
            ("", "\"\""),
        ] {
            assert_eq!(quoted_if_needed(name), written);
        }
    }
}
