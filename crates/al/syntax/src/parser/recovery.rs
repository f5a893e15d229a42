//! Where a damaged construct ends.

use super::Parser;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// Consumes the bracket at the current token with everything up to its partner (or one token that is no bracket) into
/// an error node, without recursion.
pub(crate) fn skip_balanced(p: &mut Parser<'_>) {
    let start = p.start();
    let mut depth = 0u32;
    loop {
        match p.kind() {
            TokenKind::LeftParenthesis | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
            TokenKind::RightParenthesis | TokenKind::RightBracket | TokenKind::RightBrace => {
                depth = depth.saturating_sub(1);
            }
            TokenKind::EndOfFile => break,
            _ => {}
        }
        p.bump();
        if depth == 0 {
            break;
        }
    }
    p.finish(start, NodeKind::Error);
}
