//! Expressions.
//!
//! The operator ladder is the compiler's as measured, tightest first: postfix; `not - +`; `* / div mod`; `+ -`;
//! `in is as`; `and`; `or xor`; `= <> < > <= >=`; `? :`. All binary operators associate to the left, and comparisons
//! bind loosest: `a = b and c = d` is `(a = (b and c)) = d`.

use super::Parser;
use super::guide;
use super::recovery;
use super::types;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::{Token, TokenKind};

/// How tightly a binary operator binds; 0 for a token that is none.
#[inline]
fn binding_power(token: Token) -> u8 {
    match token.kind {
        TokenKind::Star | TokenKind::Slash => 6,
        TokenKind::Plus | TokenKind::Minus => 5,
        TokenKind::Equals
        | TokenKind::NotEquals
        | TokenKind::Less
        | TokenKind::LessEquals
        | TokenKind::Greater
        | TokenKind::GreaterEquals => 1,
        TokenKind::Identifier => match token.keyword {
            Keyword::Div | Keyword::Mod => 6,
            Keyword::In | Keyword::Is | Keyword::As => 4,
            Keyword::And => 3,
            Keyword::Or | Keyword::Xor => 2,
            _ => 0,
        },
        _ => 0,
    }
}

/// Whether a word is never a name where an expression may begin, because a statement needs it.
#[inline]
fn is_reserved(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Begin
            | Keyword::End
            | Keyword::If
            | Keyword::Then
            | Keyword::Else
            | Keyword::Case
            | Keyword::Of
            | Keyword::For
            | Keyword::To
            | Keyword::DownTo
            | Keyword::Do
            | Keyword::While
            | Keyword::Repeat
            | Keyword::Until
            | Keyword::With
            | Keyword::Exit
            | Keyword::Procedure
            | Keyword::Var
    )
}

/// Whether an operand begins at this token, seen on its own.
#[inline]
fn begins_operand(token: Token) -> bool {
    match token.kind {
        TokenKind::Identifier => !is_reserved(token.keyword),
        TokenKind::QuotedIdentifier
        | TokenKind::LeftParenthesis
        | TokenKind::LeftBracket
        | TokenKind::Minus
        | TokenKind::Plus => true,
        kind => kind.is_literal(),
    }
}

/// Whether an expression begins at the current token.
#[inline]
pub(crate) fn at_expression_start(p: &Parser<'_>) -> bool {
    let token = p.current();
    begins_operand(token)
        && token.kind != TokenKind::LeftBracket
        && !(token.first_on_line && recovery::at_member_start(p))
}

/// An expression, the conditional one included. Reports and returns false when there is none.
pub(crate) fn expression(p: &mut Parser<'_>) -> bool {
    let mut start = p.start();
    if !binary(p, 1) {
        return false;
    }
    if !p.at(TokenKind::Question) {
        return true;
    }
    // `a ? b : c ? d : e` goes on to the right; a loop instead of recursion, as long chains are written this way.
    let base = p.pending.len();
    while p.at(TokenKind::Question) {
        p.pending.push(start);
        p.bump();
        p.nested(|p| {
            expression(p);
        });
        if !p.expect(TokenKind::Colon, "`:` of this conditional expression") {
            break;
        }
        start = p.start();
        if !binary(p, 1) {
            break;
        }
    }
    while p.pending.len() > base {
        if let Some(start) = p.pending.pop() {
            p.finish(start, NodeKind::ConditionalExpression);
        }
    }
    true
}

/// An expression or a range, open at either end or not; what lists, case labels and filters hold.
pub(crate) fn range_or_expression(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if !p.at(TokenKind::DotDot) && !expression(p) {
        return false;
    }
    if p.eat(TokenKind::DotDot) {
        if at_expression_start(p) {
            expression(p);
        }
        p.finish(start, NodeKind::RangeExpression);
    }
    true
}

/// Operands joined by operators that bind at least as tightly as `minimum`.
fn binary(p: &mut Parser<'_>, minimum: u8) -> bool {
    let start = p.start();
    if !unary(p) {
        return false;
    }
    loop {
        let operator = p.current();
        let power = binding_power(operator);
        if power < minimum || power == 0 {
            return true;
        }
        p.bump();
        match operator.keyword {
            Keyword::Is | Keyword::As => types::type_reference(p),
            Keyword::In if p.at(TokenKind::LeftBracket) => p.nested(list),
            // The levels of the ladder bound this recursion, not the text.
            _ => {
                binary(p, power + 1);
            }
        }
        p.finish(start, NodeKind::BinaryExpression);
    }
}

/// `[ … ]` right of `in`.
fn list(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    separated(p, TokenKind::RightBracket, "`]` of this list", range_or_expression);
    p.finish(start, NodeKind::ListExpression);
}

/// An operand with the signs and `not`s before it. A loop, as nothing bounds their number.
fn unary(p: &mut Parser<'_>) -> bool {
    if !at_prefix(p) {
        return postfix(p);
    }
    let base = p.pending.len();
    while at_prefix(p) {
        let start = p.start();
        p.pending.push(start);
        p.bump();
    }
    postfix(p);
    while p.pending.len() > base {
        if let Some(start) = p.pending.pop() {
            p.finish(start, NodeKind::UnaryExpression);
        }
    }
    true
}

/// Whether a sign or `not` stands here. `not` with nothing to negate is a name, as in `field(Not; Not)`.
#[inline]
fn at_prefix(p: &Parser<'_>) -> bool {
    let token = p.current();
    matches!(token.kind, TokenKind::Minus | TokenKind::Plus)
        || token.keyword == Keyword::Not && begins_operand(p.peek(1))
}

/// A primary expression with the members, scopes, calls and indices behind it. Statements that begin with an
/// expression begin with one of these.
pub(crate) fn postfix(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if !primary(p) {
        return false;
    }
    loop {
        match p.kind() {
            TokenKind::Dot => {
                p.bump();
                member_name(p, false);
                p.finish(start, NodeKind::MemberAccess);
            }
            TokenKind::ColonColon => {
                p.bump();
                member_name(p, true);
                p.finish(start, NodeKind::ScopeAccess);
            }
            TokenKind::LeftParenthesis => {
                argument_list(p);
                p.finish(start, NodeKind::CallExpression);
            }
            TokenKind::LeftBracket if !(p.current().first_on_line && recovery::at_attribute(p)) => {
                p.nested(|p| {
                    p.bump();
                    separated(p, TokenKind::RightBracket, "`]` of this index", expression);
                });
                p.finish(start, NodeKind::IndexExpression);
            }
            _ => return true,
        }
    }
}

/// The word, quoted name or (behind `::`) literal that a member access ends with.
#[inline]
fn member_name(p: &mut Parser<'_>, literal_too: bool) {
    let token = p.current();
    let fits = token.kind.is_name() || literal_too && token.kind.is_literal();
    if fits && !(token.first_on_line && guide::is_lost_member_name(p)) {
        p.bump();
    } else {
        p.expected("the name of a member");
    }
}

/// One literal, name, or expression in parentheses. Reports when there is none.
fn primary(p: &mut Parser<'_>) -> bool {
    let token = p.current();
    let start = p.start();
    let kind = match token.kind {
        TokenKind::Identifier => match token.keyword {
            Keyword::None | Keyword::This => NodeKind::NameExpression,
            Keyword::True | Keyword::False => NodeKind::Literal,
            keyword if is_reserved(keyword) || recovery::at_member_start(p) => {
                p.expected("an expression");
                return false;
            }
            // `x := a + and b`: the operator is right, what is missing is the operand.
            _ if binding_power(token) > 0 && !matches!(token.keyword, Keyword::Is | Keyword::As) => {
                if begins_operand(p.peek(1)) && !goes_on(p.peek(1).kind) {
                    p.expected("an expression");
                    return false;
                }
                NodeKind::NameExpression
            }
            _ => NodeKind::NameExpression,
        },
        TokenKind::QuotedIdentifier => NodeKind::NameExpression,
        TokenKind::LeftParenthesis => {
            p.nested(parenthesized);
            return true;
        }
        TokenKind::LeftBracket if !(token.first_on_line && recovery::at_member_start(p)) => {
            p.expected("an expression (a list in brackets stands right of `in` only)");
            p.nested(list);
            return true;
        }
        kind if kind.is_literal() => NodeKind::Literal,
        _ => {
            p.expected("an expression");
            return false;
        }
    };
    p.bump();
    p.finish(start, kind);
    true
}

/// Whether this kind of token may both begin an operand and stand behind one.
fn goes_on(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::LeftParenthesis | TokenKind::LeftBracket | TokenKind::Plus | TokenKind::Minus
    )
}

fn parenthesized(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    expression(p);
    p.expect(TokenKind::RightParenthesis, "`)`");
    p.finish(start, NodeKind::ParenthesizedExpression);
}

/// `( … )` of a call or an attribute. The current token is `(`.
pub(crate) fn argument_list(p: &mut Parser<'_>) {
    p.nested(|p| {
        let start = p.start();
        p.bump();
        if at_expression_start(p) || p.at(TokenKind::LeftBracket) {
            separated(p, TokenKind::RightParenthesis, "`)` of these arguments", expression);
        } else {
            // In `Foo(Bar(, 1)` the inner call has no arguments; what it lacks is its end.
            p.expect(TokenKind::RightParenthesis, "`)` of these arguments");
        }
        p.finish(start, NodeKind::ArgumentList);
    });
}

/// Elements with commas between them and `close` behind them.
#[inline]
fn separated(
    p: &mut Parser<'_>,
    close: TokenKind,
    close_name: &'static str,
    element: impl Fn(&mut Parser<'_>) -> bool,
) {
    loop {
        let parsed = element(p);
        if p.eat(TokenKind::Comma) {
            continue;
        }
        if p.eat(close) {
            return;
        }
        p.expected(close_name);
        // Two elements on one line with nothing between them: most likely the comma is missing. Anything else: most
        // likely the bracket is.
        if !parsed || p.current().first_on_line || !at_expression_start(p) || binding_power(p.current()) > 0 {
            return;
        }
    }
}
