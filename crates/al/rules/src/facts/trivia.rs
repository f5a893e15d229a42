//! What stands around tokens: comments and directives, told apart by the lines they stand on.

use candor_al_syntax::{TextRange, TokenKind, TokenRef, Tree};

/// The trivia that belong to a token from above: those behind the line on which the token before it ends, up to it.
pub(crate) fn leading_trivia(token: TokenRef<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    let tree = token.tree();
    let before = token.previous_significant();
    let start = before.map_or(0, |before| before.index() + 1);
    let mut is_line_of_previous = before.is_some();
    (start..token.index())
        .map(|index| tree.token(index))
        .filter(move |trivia| {
            let belongs = !is_line_of_previous;
            is_line_of_previous &= !ends_line(*trivia);
            belongs
        })
}

/// The trivia that belong to a token from behind: those on the line on which it ends.
pub(crate) fn trailing_trivia(token: TokenRef<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    std::iter::successors(token.next(), |token| token.next())
        .take_while(|token| token.kind().is_trivia() && !ends_line(*token))
}

/// The number of line ends in a text.
pub(crate) fn line_ends(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |index: &usize| match bytes[*index] {
        b'\n' => true,
        b'\r' => bytes.get(index + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(ends).count()
}

fn ends_line(token: TokenRef<'_>) -> bool {
    token.kind() == TokenKind::Whitespace && token.text().contains(['\n', '\r'])
}

/// Whether a comment, a directive or text that is switched off lies in a range.
pub(crate) fn has_comment_or_directive(tree: &Tree, range: TextRange) -> bool {
    std::iter::successors(Some(tree.token_at(range.start)), |token| token.next())
        .take_while(|token| token.range().start < range.end)
        .any(|token| token.kind().is_trivia() && token.kind() != TokenKind::Whitespace)
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{Symbols, Tree, parse};

    use super::*;

    const TEXT: &str = "\
// 1
codeunit 1 A // 2
{ // 3
    // 4

    /* 5
    */ procedure /* 6 */ // 7
    // 8
    B(); // 9
}";

    fn comments<'t>(trivia: impl Iterator<Item = TokenRef<'t>>) -> Vec<&'t str> {
        let comments = trivia.filter(|token| token.kind().is_comment());
        comments
            .map(|comment| comment.text().trim_matches(['/', '*', ' ', '\n']))
            .collect()
    }

    fn token<'t>(tree: &'t Tree, text: &str) -> TokenRef<'t> {
        tree.tokens()
            .find(|token| token.text() == text)
            .expect("the text has such a token")
    }

    #[test]
    fn line_ends_of_all_kinds_are_counted_once() {
        assert_eq!(line_ends(""), 0);
        assert_eq!(line_ends(" \r\n \n\r \r\n\r\n"), 5);
    }

    #[test]
    fn comments_belong_to_the_token_below_or_to_the_one_on_their_line() {
        let tree = parse(TEXT, &Symbols::none());
        assert_eq!(comments(leading_trivia(token(&tree, "codeunit"))), ["1"]);
        assert_eq!(comments(trailing_trivia(token(&tree, "A"))), ["2"]);
        assert_eq!(comments(leading_trivia(token(&tree, "{"))), [""; 0]);
        assert_eq!(comments(trailing_trivia(token(&tree, "{"))), ["3"]);
        assert_eq!(comments(leading_trivia(token(&tree, "procedure"))), ["4", "5"]);
        assert_eq!(comments(trailing_trivia(token(&tree, "procedure"))), ["6", "7"]);
        assert_eq!(comments(leading_trivia(token(&tree, "B"))), ["8"]);
        assert_eq!(comments(trailing_trivia(token(&tree, ";"))), ["9"]);
    }
}
