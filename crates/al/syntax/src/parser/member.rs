//! Members: methods, events and variables.

use super::{Parser, Start};
use super::{expression, guide, names, recovery, source_file, statement, types};
use crate::error::SyntaxErrorKind;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::{Token, TokenKind};

/// Whether a member begins here: an attribute, an access modifier with what it modifies, `procedure`, `trigger`,
/// `event` or `var`.
pub(crate) fn at_member(p: &Parser<'_>) -> bool {
    recovery::at_member_start(p) || p.at(TokenKind::LeftBracket) && p.peek(1).kind.is_name()
}

/// One member. The current token is one for which [`at_member`] holds.
pub(crate) fn member(p: &mut Parser<'_>) {
    let start = p.start();
    while p.at(TokenKind::LeftBracket) {
        attribute(p);
    }
    if matches!(p.keyword(), Keyword::Local | Keyword::Internal | Keyword::Protected) {
        p.bump();
    }
    match p.keyword() {
        Keyword::Procedure => method(p, start, NodeKind::Procedure),
        Keyword::Trigger => method(p, start, NodeKind::Trigger),
        Keyword::Event => event(p, start),
        Keyword::Var => var_section(p, start),
        _ => {
            p.expected("`procedure`, `trigger` or `var`");
            if !p.is_empty_since(start) {
                p.finish(start, NodeKind::Error);
            }
        }
    }
}

fn attribute(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    if p.kind() == TokenKind::Identifier {
        p.bump();
    } else {
        p.expected("the name of an attribute");
    }
    if p.at(TokenKind::LeftParenthesis) {
        expression::argument_list(p);
    }
    if !p.expect(TokenKind::RightBracket, "`]` of this attribute") {
        skip_line(p, |p| p.at(TokenKind::RightBracket));
        p.eat(TokenKind::RightBracket);
    }
    p.finish(start, NodeKind::Attribute);
}

/// From `procedure` or `trigger` to the end of the body, if there is one: interfaces and control add-ins only declare.
fn method(p: &mut Parser<'_>, start: Start, kind: NodeKind) {
    p.bump();
    names::name(p);
    if kind == NodeKind::Trigger && matches!(p.kind(), TokenKind::Dot | TokenKind::ColonColon) {
        p.bump();
        names::name(p);
    }
    header(p);
    if p.at_keyword(Keyword::Var) {
        let section = p.start();
        var_section(p, section);
    }
    if p.at_keyword(Keyword::Begin) || recovery::at_lost_statement(p) {
        guide::guided(p, start, statement::body);
    } else if p.open.needs_bodies {
        p.expected("`begin`");
    }
    p.finish(start, kind);
}

fn event(p: &mut Parser<'_>, start: Start) {
    p.bump();
    names::name(p);
    header(p);
    p.finish(start, NodeKind::EventDeclaration);
}

/// Parameters, result and the `;` behind them.
fn header(p: &mut Parser<'_>) {
    parameter_list(p);
    if at_return_value(p) {
        return_value(p);
    }
    if !p.current().first_on_line && !at_header_end(p) {
        p.report(SyntaxErrorKind::Unexpected {
            place: "the header of a method",
        });
        skip_line(p, |_| false);
    }
    p.eat(TokenKind::Semicolon);
}

fn at_header_end(p: &Parser<'_>) -> bool {
    matches!(
        p.kind(),
        TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::EndOfFile
    ) || matches!(p.keyword(), Keyword::Begin | Keyword::Var)
        || at_member(p)
}

/// Skips the rest of a damaged line, up to where `stops` holds, into an error node, without a report of its own.
fn skip_line(p: &mut Parser<'_>, stops: impl Fn(&Parser<'_>) -> bool) {
    let start = p.start();
    while !p.current().first_on_line && !at_header_end(p) && !stops(p) {
        p.bump();
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::Error);
    }
}

fn parameter_list(p: &mut Parser<'_>) {
    let start = p.start();
    if !p.expect(TokenKind::LeftParenthesis, "`(`") {
        return;
    }
    // One report a list: what follows from the first is noise.
    let mut is_broken = false;
    while !p.eat(TokenKind::RightParenthesis) {
        if !at_parameter(p) {
            if !is_broken {
                p.expected("`)` of these parameters");
            }
            break;
        }
        parameter(p);
        if p.eat(TokenKind::Semicolon) {
            if p.at(TokenKind::RightParenthesis) {
                p.expected("a parameter");
            }
            continue;
        }
        if p.eat(TokenKind::RightParenthesis) {
            break;
        }
        if !is_broken {
            p.expected("`)` of these parameters");
        }
        is_broken = true;
        if p.eat(TokenKind::Comma) || at_next_parameter(p) {
            continue;
        }
        // A `:` is what the result begins with.
        if !p.at(TokenKind::Colon) {
            skip_line(p, |_| false);
        }
        break;
    }
    p.finish(start, NodeKind::ParameterList);
}

fn at_parameter(p: &Parser<'_>) -> bool {
    let token = p.current();
    if token.keyword == Keyword::Var {
        // Alone on its line it may begin the variables of a method whose list was never closed.
        return !token.first_on_line || !p.peek(1).first_on_line || is_closed_later(p);
    }
    token.kind.is_name() && token.keyword != Keyword::Begin && !recovery::at_member_start(p)
}

/// Whether a parameter goes on behind one that neither `;` nor `)` ends.
fn at_next_parameter(p: &Parser<'_>) -> bool {
    let (token, next) = (p.current(), p.peek(1));
    if token.keyword == Keyword::Var {
        return next.kind.is_name() && !next.first_on_line && p.peek(2).kind == TokenKind::Colon;
    }
    token.kind.is_name() && (next.kind == TokenKind::Colon || !token.first_on_line && !at_header_end(p))
}

/// Whether a `)` without its `(` follows before the body or the next member: a `var` alone on its line then belongs to
/// a parameter on the next line.
fn is_closed_later(p: &Parser<'_>) -> bool {
    let mut index = p.next_significant(p.position);
    let mut depth = 0u32;
    for _ in 0..recovery::LOOKAHEAD {
        let token = p.token_at(index);
        match token.kind {
            TokenKind::LeftParenthesis => depth += 1,
            TokenKind::RightParenthesis if depth == 0 => return true,
            TokenKind::RightParenthesis => depth -= 1,
            TokenKind::EndOfFile | TokenKind::RightBrace => return false,
            _ if token.first_on_line && matches!(token.keyword, Keyword::Begin | Keyword::Procedure) => {
                return false;
            }
            _ => {}
        }
        index = p.next_significant(index);
    }
    false
}

fn parameter(p: &mut Parser<'_>) {
    let start = p.start();
    if p.at_keyword(Keyword::Var) && p.peek(1).kind.is_name() {
        p.bump();
    }
    names::name(p);
    typed(p);
    p.finish(start, NodeKind::Parameter);
}

/// `:` and a type. Where the colon is missing but a word follows on the line, that is the type.
fn typed(p: &mut Parser<'_>) {
    if p.expect(TokenKind::Colon, "`:` and a type") || p.kind().is_name() && !p.current().first_on_line {
        if p.current().first_on_line && matches!(p.peek(1).kind, TokenKind::Colon | TokenKind::Comma) {
            p.expected("a type");
        } else {
            types::type_reference(p);
        }
    }
}

fn at_return_value(p: &Parser<'_>) -> bool {
    let token = p.current();
    match token.kind {
        TokenKind::Colon => true,
        TokenKind::QuotedIdentifier | TokenKind::Identifier => {
            p.peek(1).kind == TokenKind::Colon && token.keyword != Keyword::Var
                || !token.first_on_line && !at_header_end(p)
        }
        _ => false,
    }
}

fn return_value(p: &mut Parser<'_>) {
    let start = p.start();
    let next = p.peek(1);
    let is_named = next.kind == TokenKind::Colon
        || next.kind.is_name() && !next.first_on_line && !types::is_object_word(p.keyword());
    if p.kind() != TokenKind::Colon && is_named {
        names::name(p);
    }
    typed(p);
    p.finish(start, NodeKind::ReturnValue);
}

/// What the next lines of a variable section are.
enum Line {
    Declaration,
    Garbage,
    Other,
}

fn var_section(p: &mut Parser<'_>, start: Start) {
    p.bump();
    loop {
        match line(p) {
            Line::Declaration => variable_declaration(p),
            Line::Garbage => {
                p.report(SyntaxErrorKind::Unexpected {
                    place: "the declaration of a variable",
                });
                rest_of_declaration(p);
            }
            Line::Other => break,
        }
    }
    p.finish(start, NodeKind::VarSection);
}

fn line(p: &Parser<'_>) -> Line {
    let token = p.current();
    match token.kind {
        TokenKind::LeftBracket => {
            if p.peek(1).kind.is_name() && !recovery::at_attribute(p) && attributes_precede_variable(p) {
                Line::Declaration
            } else {
                Line::Other
            }
        }
        TokenKind::Identifier | TokenKind::QuotedIdentifier => named_line(p, token, p.peek(1)),
        TokenKind::LeftBrace | TokenKind::RightBrace if !recovery::at_brace(p) => Line::Garbage,
        TokenKind::EndOfFile | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::LeftParenthesis => Line::Other,
        _ => Line::Garbage,
    }
}

fn attributes_precede_variable(p: &Parser<'_>) -> bool {
    let index = recovery::behind_attributes(p);
    p.token_at(index).kind.is_name()
        && matches!(
            p.token_at(p.next_significant(index)).kind,
            TokenKind::Colon | TokenKind::Comma
        )
}

fn named_line(p: &Parser<'_>, token: Token, next: Token) -> Line {
    if matches!(next.kind, TokenKind::Colon | TokenKind::Comma) {
        return Line::Declaration;
    }
    if token.keyword == Keyword::Begin || recovery::at_member_start(p) || recovery::at_lost_statement(p) {
        return Line::Other;
    }
    // Broken from here on. A name at the end of its line or before a type was to become a declaration.
    let incomplete = next.first_on_line || next.kind.is_name() && !source_file::at_object_start(p);
    if incomplete { Line::Declaration } else { Line::Other }
}

fn variable_declaration(p: &mut Parser<'_>) {
    let start = p.start();
    while p.at(TokenKind::LeftBracket) {
        attribute(p);
    }
    names::name(p);
    while p.eat(TokenKind::Comma) {
        names::name(p);
    }
    typed(p);
    if !p.expect(TokenKind::Semicolon, "`;` behind this variable") && !p.current().first_on_line {
        rest_of_declaration(p);
    }
    p.finish(start, NodeKind::VariableDeclaration);
}

/// Skips the rest of a damaged declaration: up to its `;` or the end of the line.
fn rest_of_declaration(p: &mut Parser<'_>) {
    let start = p.start();
    loop {
        let ended = p.at(TokenKind::Semicolon);
        if p.at_end() || recovery::at_brace(p) {
            break;
        }
        p.bump();
        if ended || p.current().first_on_line || p.at_keyword(Keyword::Begin) || recovery::at_member_start(p) {
            break;
        }
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::Error);
    }
}
