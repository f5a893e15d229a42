//! Statements.

use super::Parser;
use super::expression::{at_expression_start, expression, postfix, range_or_expression};
use super::guide::{self, Indentation, Placement};
use super::recovery;
use super::source_file;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// Whose statements a list holds, which decides what ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The outermost block of a method.
    Body,
    Block,
    Repeat,
    CaseElse,
}

/// The block of a method with its `begin`, or without it where only that word is missing (`method_column` tells where
/// the method's own line begins).
pub(crate) fn body(p: &mut Parser<'_>) {
    let start = p.start();
    let indentation = if p.at_keyword(Keyword::Begin) {
        let indentation = Indentation::here(p);
        p.bump();
        indentation
    } else {
        p.expected("`begin`");
        Indentation::of_method(p)
    };
    finish_block(p, start, Owner::Body, indentation);
}

/// `begin … end`. The current token is `begin`.
pub(crate) fn block(p: &mut Parser<'_>) {
    let start = p.start();
    let indentation = Indentation::here(p);
    p.bump();
    finish_block(p, start, Owner::Block, indentation);
}

fn finish_block(p: &mut Parser<'_>, start: super::Start, owner: Owner, indentation: Indentation) {
    statement_list(p, owner, indentation);
    end_word(p, indentation, owner, "`end` of this block");
    p.finish(start, NodeKind::Block);
}

/// The `end` of a block or a `case` with its `;`, unless it belongs to something outside.
fn end_word(p: &mut Parser<'_>, indentation: Indentation, owner: Owner, what: &'static str) {
    let outside = owner != Owner::Body && indentation.placement(p) == Placement::Outside;
    if p.at_keyword(Keyword::End) && !outside {
        p.bump();
        p.eat(TokenKind::Semicolon);
    } else {
        p.expected(what);
    }
}

/// Whether a list of statements ends at the current token whatever it belongs to.
#[inline]
fn at_hard_end(p: &Parser<'_>) -> bool {
    let token = p.current();
    match token.kind {
        TokenKind::EndOfFile => true,
        TokenKind::RightBrace => recovery::at_brace(p),
        TokenKind::LeftBracket => token.first_on_line && recovery::at_attribute(p),
        TokenKind::Identifier => {
            token.keyword != Keyword::None && (recovery::at_member_start(p) || source_file::at_object_start(p))
        }
        _ => false,
    }
}

fn statement_list(p: &mut Parser<'_>, owner: Owner, indentation: Indentation) {
    loop {
        if at_hard_end(p) {
            return;
        }
        match p.keyword() {
            Keyword::End => {
                if indentation.placement(p) != Placement::Inside {
                    return;
                }
                recovery::stray_end(p);
                continue;
            }
            Keyword::Until => {
                if indentation.placement(p) != Placement::Inside && p.open.repeats > 0 {
                    return;
                }
                recovery::stray_until(p);
                continue;
            }
            Keyword::Else => {
                if indentation.placement(p) != Placement::Inside && (p.open.thens > 0 || p.open.cases > 0) {
                    return;
                }
                recovery::stray_else(p);
                continue;
            }
            _ => {}
        }
        if owner != Owner::Body && indentation.has_ended(p) {
            return;
        }
        let column = guide::guided_column(p);
        statement(p);
        require_semicolon(p, column);
    }
}

/// Reports a `;` that is missing between a statement, which began on a line of `column`, and the next one.
#[inline]
fn require_semicolon(p: &mut Parser<'_>, column: u32) {
    if p.is_behind(TokenKind::Semicolon) || at_closing_word(p) || at_hard_end(p) {
        return;
    }
    p.expected("`;`");
    recovery::skip_continuation(p, column);
}

/// Whether a word stands here before which no `;` is needed.
#[inline]
fn at_closing_word(p: &Parser<'_>) -> bool {
    matches!(p.keyword(), Keyword::End | Keyword::Until | Keyword::Else)
}

/// The statement of a branch, a loop or an arm; nothing at all is a statement, too.
fn branch(p: &mut Parser<'_>) {
    if !at_closing_word(p) && !at_hard_end(p) {
        statement(p);
    }
}

/// One statement with its `;`.
pub(crate) fn statement(p: &mut Parser<'_>) {
    if p.guide.is_active() {
        guide::anchored(p, |p| p.nested(any_statement));
    } else {
        p.nested(any_statement);
    }
}

fn any_statement(p: &mut Parser<'_>) {
    let token = p.current();
    match token.kind {
        TokenKind::Semicolon => {
            let start = p.start();
            p.bump();
            p.finish(start, NodeKind::EmptyStatement);
            return;
        }
        TokenKind::Identifier => {}
        TokenKind::QuotedIdentifier => return simple_statement(p),
        _ if at_expression_start(p) => return simple_statement(p),
        _ => return recovery::skip_statement(p),
    }
    match token.keyword {
        Keyword::Begin => block(p),
        Keyword::If => if_statement(p),
        Keyword::Case => case_statement(p),
        Keyword::For => for_statement(p),
        Keyword::While => while_statement(p),
        Keyword::Repeat => repeat_statement(p),
        Keyword::With => with_statement(p),
        Keyword::Exit => exit_statement(p),
        Keyword::ForEach if p.peek(1).kind.is_name() => for_each_statement(p),
        Keyword::AssertError if !continues_expression(p.peek(1).kind) => assert_error_statement(p),
        Keyword::Break if !continues_expression(p.peek(1).kind) => word_statement(p, NodeKind::BreakStatement),
        Keyword::Continue if !continues_expression(p.peek(1).kind) => word_statement(p, NodeKind::ContinueStatement),
        Keyword::Then | Keyword::Do | Keyword::Of | Keyword::To | Keyword::DownTo => recovery::skip_statement(p),
        _ => simple_statement(p),
    }
}

/// Whether a word before this kind of token is the name of a variable or procedure.
fn continues_expression(kind: TokenKind) -> bool {
    is_assignment(kind)
        || matches!(
            kind,
            TokenKind::LeftParenthesis | TokenKind::LeftBracket | TokenKind::Dot | TokenKind::ColonColon
        )
}

fn is_assignment(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Assign
            | TokenKind::PlusAssign
            | TokenKind::MinusAssign
            | TokenKind::StarAssign
            | TokenKind::SlashAssign
    )
}

/// A call or an assignment.
fn simple_statement(p: &mut Parser<'_>) {
    let start = p.start();
    if !postfix(p) {
        if p.is_empty_since(start) {
            recovery::skip_statement(p);
        }
        return;
    }
    let kind = if is_assignment(p.kind()) {
        p.bump();
        expression(p);
        NodeKind::AssignmentStatement
    } else if p.at(TokenKind::Equals) {
        p.expected("`:=`");
        p.bump();
        expression(p);
        NodeKind::AssignmentStatement
    } else {
        NodeKind::ExpressionStatement
    };
    p.eat(TokenKind::Semicolon);
    p.finish(start, kind);
}

fn word_statement(p: &mut Parser<'_>, kind: NodeKind) {
    let start = p.start();
    p.bump();
    p.eat(TokenKind::Semicolon);
    p.finish(start, kind);
}

fn exit_statement(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    if p.eat(TokenKind::LeftParenthesis) {
        if !p.at(TokenKind::RightParenthesis) {
            expression(p);
        }
        p.expect(TokenKind::RightParenthesis, "`)`");
    }
    p.eat(TokenKind::Semicolon);
    p.finish(start, NodeKind::ExitStatement);
}

fn assert_error_statement(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    branch(p);
    p.finish(start, NodeKind::AssertErrorStatement);
}

/// An `if` with all of its `else if`: a loop, as such chains may be thousands of branches long.
fn if_statement(p: &mut Parser<'_>) {
    let base = p.pending.len();
    loop {
        let start = p.start();
        p.pending.push(start);
        p.bump();
        expression(p);
        recovery::expect_word(p, Keyword::Then, "`then`");
        p.open.thens += 1;
        branch(p);
        p.open.thens -= 1;
        if !p.at_keyword(Keyword::Else) || p.is_behind(TokenKind::Semicolon) || guide::is_else_of_outer(p) {
            break;
        }
        p.bump();
        if !p.at_keyword(Keyword::If) {
            branch(p);
            break;
        }
    }
    while p.pending.len() > base {
        if let Some(start) = p.pending.pop() {
            p.finish(start, NodeKind::IfStatement);
        }
    }
}

fn for_statement(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    postfix(p);
    p.expect(TokenKind::Assign, "`:=`");
    expression(p);
    if !p.eat_keyword(Keyword::DownTo) {
        p.expect_keyword(Keyword::To, "`to` or `downto`");
    }
    expression(p);
    recovery::expect_word(p, Keyword::Do, "`do`");
    branch(p);
    p.finish(start, NodeKind::ForStatement);
}

fn for_each_statement(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    postfix(p);
    recovery::expect_word(p, Keyword::In, "`in`");
    expression(p);
    recovery::expect_word(p, Keyword::Do, "`do`");
    branch(p);
    p.finish(start, NodeKind::ForEachStatement);
}

fn while_statement(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    expression(p);
    recovery::expect_word(p, Keyword::Do, "`do`");
    branch(p);
    p.finish(start, NodeKind::WhileStatement);
}

fn with_statement(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    expression(p);
    while p.eat(TokenKind::Comma) {
        expression(p);
    }
    recovery::expect_word(p, Keyword::Do, "`do`");
    branch(p);
    p.finish(start, NodeKind::WithStatement);
}

fn repeat_statement(p: &mut Parser<'_>) {
    let start = p.start();
    let indentation = Indentation::here(p);
    p.bump();
    p.open.repeats += 1;
    statement_list(p, Owner::Repeat, indentation);
    p.open.repeats -= 1;
    if p.at_keyword(Keyword::Until) && indentation.placement(p) != Placement::Outside {
        p.bump();
        expression(p);
        p.eat(TokenKind::Semicolon);
    } else {
        p.expected("`until` of this `repeat`");
    }
    p.finish(start, NodeKind::RepeatStatement);
}

fn case_statement(p: &mut Parser<'_>) {
    let start = p.start();
    let indentation = Indentation::here(p);
    p.bump();
    expression(p);
    recovery::expect_word(p, Keyword::Of, "`of`");
    p.open.cases += 1;
    case_arms(p, indentation);
    p.open.cases -= 1;
    end_word(p, indentation, Owner::Block, "`end` of this `case`");
    p.finish(start, NodeKind::CaseStatement);
}

fn case_arms(p: &mut Parser<'_>, indentation: Indentation) {
    let arms = indentation.of_arms(p);
    // Whether statements stand here whose `begin` is missing: their `end` then needs no report.
    let mut is_lost = false;
    loop {
        if at_hard_end(p) {
            return;
        }
        match p.keyword() {
            Keyword::End => {
                if indentation.placement(p) != Placement::Inside {
                    return;
                }
                if is_lost {
                    recovery::skip_end(p);
                } else {
                    recovery::stray_end(p);
                }
                is_lost = false;
                continue;
            }
            Keyword::Until => {
                if p.open.repeats > 0 {
                    return;
                }
                recovery::stray_until(p);
                continue;
            }
            Keyword::Else => {
                if indentation.placement(p) == Placement::Outside {
                    return;
                }
                let start = p.start();
                p.bump();
                statement_list(p, Owner::CaseElse, indentation);
                p.finish(start, NodeKind::CaseElse);
                if !p.at_keyword(Keyword::Else) {
                    return;
                }
                continue;
            }
            _ => {}
        }
        if arms.have_ended(p) {
            return;
        }
        if p.at(TokenKind::Semicolon) {
            statement(p);
        } else if !arms.is_lost_statement(p) && (p.at(TokenKind::DotDot) || at_expression_start(p)) {
            let column = guide::guided_column(p);
            case_arm(p);
            require_semicolon(p, column);
            is_lost = false;
        } else {
            if !is_lost {
                recovery::report_lost_statement(p);
            }
            is_lost = true;
            statement(p);
        }
    }
}

fn case_arm(p: &mut Parser<'_>) {
    guide::anchored(p, |p| {
        let start = p.start();
        range_or_expression(p);
        while p.eat(TokenKind::Comma) {
            range_or_expression(p);
        }
        p.expect(TokenKind::Colon, "`:` behind the labels of this arm");
        if is_assignment(p.kind()) {
            // A statement where an arm should be: keep the assignment together.
            p.bump();
            expression(p);
            p.eat(TokenKind::Semicolon);
        } else {
            branch(p);
        }
        p.finish(start, NodeKind::CaseArm);
    });
}
