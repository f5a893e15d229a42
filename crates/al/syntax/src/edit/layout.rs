//! Lines, blanks and line ends around tokens.

use crate::range::TextRange;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef, Tree};

use super::TextEdit;

/// One level of indentation, where the file does not show its own.
const INDENTATION: &str = "    ";

/// The line end that the file uses, judged by its first line.
pub(super) fn line_end(tree: &Tree) -> &'static str {
    let text = tree.text();
    match text.find(is_line_end) {
        Some(index) if text[index..].starts_with("\r\n") => "\r\n",
        Some(index) if text[index..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// The blanks that the line of `offset` begins with.
pub(super) fn indentation(tree: &Tree, offset: u32) -> &str {
    let line = &tree.text()[line_start(tree, offset) as usize..];
    let end = line
        .find(|character| !matches!(character, ' ' | '\t'))
        .unwrap_or(line.len());
    &line[..end]
}

/// The blanks of a line one level deeper than the line of `offset`.
pub(super) fn deeper_indentation(tree: &Tree, offset: u32) -> String {
    let outer = indentation(tree, offset);
    if outer.contains('\t') {
        format!("{outer}\t")
    } else {
        format!("{outer}{INDENTATION}")
    }
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// Where the line of `offset` starts.
fn line_start(tree: &Tree, offset: u32) -> u32 {
    tree.text()[..offset as usize]
        .rfind(is_line_end)
        .map_or(0, |index| index as u32 + 1)
}

/// What stands before `offset` on its line.
fn before_on_line(tree: &Tree, offset: u32) -> &str {
    &tree.text()[line_start(tree, offset) as usize..offset as usize]
}

/// What stands behind `offset` on its line, without the line end.
fn behind_on_line(tree: &Tree, offset: u32) -> &str {
    let rest = &tree.text()[offset as usize..];
    &rest[..rest.find(is_line_end).unwrap_or(rest.len())]
}

/// The number of bytes of blanks that `text` starts with.
fn leading_blanks(text: &str) -> u32 {
    (text.len() - text.trim_start_matches([' ', '\t']).len()) as u32
}

/// The number of bytes of blanks that `text` ends with.
fn trailing_blanks(text: &str) -> u32 {
    (text.len() - text.trim_end_matches([' ', '\t']).len()) as u32
}

/// Takes `range` out so that what stays looks as if it had never been there:
///
/// * with its whole lines, line end included, when nothing else stands on them;
/// * with the blanks before it, when it is the last thing on its line;
/// * with the blanks before it, when a closing bracket or separator follows;
/// * with the blanks behind it, when blanks or an opening bracket stand before it.
pub(super) fn delete_tidily(tree: &Tree, range: TextRange) -> TextEdit {
    let before = before_on_line(tree, range.start);
    let behind = behind_on_line(tree, range.end);
    let behind_blanks = leading_blanks(behind);
    let is_last = behind_blanks as usize == behind.len();
    let before_blanks = trailing_blanks(before);
    if is_last && before_blanks as usize == before.len() {
        let line_end = range.end + behind_blanks;
        let rest = &tree.text()[line_end as usize..];
        let end_length = if rest.starts_with("\r\n") {
            2
        } else {
            u32::from(!rest.is_empty())
        };
        return TextEdit::delete(TextRange::new(range.start - before_blanks, line_end + end_length));
    }
    if is_last {
        return TextEdit::delete(TextRange::new(range.start - before_blanks, range.end + behind_blanks));
    }
    let closes = behind.starts_with([')', ']', ';', ',']);
    if closes && before_blanks as usize != before.len() {
        return TextEdit::delete(TextRange::new(range.start - before_blanks, range.end));
    }
    let opens = before_blanks > 0 || before.is_empty() || before.ends_with(['(', '[', '{']);
    TextEdit::delete(TextRange::new(
        range.start,
        range.end + if opens { behind_blanks } else { 0 },
    ))
}

/// Whether a comment, a directive or disabled text stands between the first and the last token of the node.
pub(super) fn holds_more_than_blanks(node: Node<'_>) -> bool {
    node.tokens()
        .any(|token| token.kind().is_trivia() && token.kind() != TokenKind::Whitespace)
}

/// The trivia between two tokens, in text order.
pub(super) fn trivia_between<'t>(from: TokenRef<'t>, to: TokenRef<'t>) -> impl Iterator<Item = TokenRef<'t>> {
    std::iter::successors(from.next(), |token| token.next())
        .take_while(move |token| token.index() < to.index())
        .filter(|token| token.kind().is_trivia())
}
