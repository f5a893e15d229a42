//! Values that speak about tables: relations, formulas, views, filters.

use super::{at_end_of_value, leaf};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::parser::{Parser, Start, expression, names};
use crate::token::TokenKind;

/// `Customer."No." where(…)`, or `if (…) … else …`
pub(super) fn table_relation(p: &mut Parser<'_>) {
    let start = p.start();
    branch(p);
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::TableRelationValue);
    }
}

/// A branch with all branches in it. They nest to any depth, so this is a loop; an `else` belongs to the nearest `if`.
fn branch(p: &mut Parser<'_>) {
    // Conditions whose branches are being read, and whether the one behind `else` is.
    let mut open: Vec<(Start, bool)> = Vec::new();
    loop {
        let start = p.start();
        if at_if(p) {
            p.bump();
            filter_clause(p);
            open.push((start, false));
            continue;
        }
        if names::qualified_name(p) {
            where_clause(p);
            p.finish(start, NodeKind::TableRelationBranch);
        }
        loop {
            match open.last_mut() {
                None => return,
                Some((_, in_else)) if !*in_else && p.eat_keyword(Keyword::Else) => {
                    *in_else = true;
                    break;
                }
                Some(&mut (start, _)) => {
                    p.finish(start, NodeKind::TableRelationBranch);
                    open.pop();
                }
            }
        }
    }
}

fn at_if(p: &Parser<'_>) -> bool {
    p.at_keyword(Keyword::If) && p.peek(1).kind == TokenKind::LeftParenthesis
}

fn where_clause(p: &mut Parser<'_>) {
    if p.at_keyword(Keyword::Where) && p.peek(1).kind == TokenKind::LeftParenthesis {
        p.bump();
        filter_clause(p);
    }
}

/// `-sum("Entry".Amount where(…))`
pub(super) fn calc_formula(p: &mut Parser<'_>) {
    let start = p.start();
    p.eat(TokenKind::Minus);
    if !is_method(p.keyword()) {
        p.expected("`sum`, `count`, `exist`, `lookup`, `average`, `min` or `max`");
        return;
    }
    p.bump();
    if p.expect(TokenKind::LeftParenthesis, "`(`") && names::qualified_name(p) {
        where_clause(p);
        p.expect(TokenKind::RightParenthesis, "`)`");
    }
    p.finish(start, NodeKind::CalcFormulaValue);
}

fn is_method(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Exist
            | Keyword::Count
            | Keyword::Sum
            | Keyword::Average
            | Keyword::Min
            | Keyword::Max
            | Keyword::Lookup
    )
}

/// `sorting(…) order(…) where(…)`, each of them optional.
pub(super) fn table_view(p: &mut Parser<'_>) {
    let start = p.start();
    loop {
        let clause = p.start();
        match p.keyword() {
            Keyword::Sorting => {
                p.bump();
                parenthesized(p, |p| {
                    super::identifier_list(p);
                });
                p.finish(clause, NodeKind::SortingClause);
            }
            Keyword::Order => {
                p.bump();
                parenthesized(p, |p| {
                    if !p.eat_keyword(Keyword::Ascending) && !p.eat_keyword(Keyword::Descending) {
                        p.expected("`ascending` or `descending`");
                    }
                });
                p.finish(clause, NodeKind::OrderClause);
            }
            Keyword::Where => {
                p.bump();
                filter_clause(p);
            }
            _ => break,
        }
    }
    if p.is_empty_since(start) {
        p.expected("`sorting`, `order` or `where`");
    } else {
        p.finish(start, NodeKind::TableViewValue);
    }
}

fn parenthesized(p: &mut Parser<'_>, content: impl FnOnce(&mut Parser<'_>)) {
    if p.expect(TokenKind::LeftParenthesis, "`(`") {
        content(p);
        p.expect(TokenKind::RightParenthesis, "`)`");
    }
}

/// `A = field(B), C = const(1)`
pub(super) fn filter_list(p: &mut Parser<'_>) {
    let start = p.start();
    conditions(p);
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::FilterListValue);
    }
}

/// `(A = field(B), C = const(1))`
fn filter_clause(p: &mut Parser<'_>) {
    let start = p.start();
    parenthesized(p, conditions);
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::FilterClause);
    }
}

fn conditions(p: &mut Parser<'_>) {
    loop {
        condition(p);
        if p.eat(TokenKind::Comma) {
            continue;
        }
        if p.kind().is_name() && p.peek(1).kind == TokenKind::Equals && !at_end_of_value(p) {
            p.expected("`,`");
            continue;
        }
        return;
    }
}

fn condition(p: &mut Parser<'_>) {
    let start = p.start();
    if !names::qualified_name(p) {
        return;
    }
    if p.expect(TokenKind::Equals, "`=`") {
        let is_call = p.peek(1).kind == TokenKind::LeftParenthesis;
        match p.keyword() {
            Keyword::Filter if is_call => {
                p.bump();
                parenthesized(p, filter_text);
            }
            Keyword::Const if is_call => {
                p.bump();
                parenthesized(p, constant);
            }
            Keyword::Field | Keyword::UpperLimit if is_call => field(p),
            _ => {
                expression::expression(p);
            }
        }
    }
    p.finish(start, NodeKind::FilterCondition);
}

/// `field("No.")`, `field(upperlimit("Date Filter"))`, `field(filter("Totaling"))`
fn field(p: &mut Parser<'_>) {
    let mut open = 0;
    while matches!(p.keyword(), Keyword::Field | Keyword::Filter | Keyword::UpperLimit)
        && p.peek(1).kind == TokenKind::LeftParenthesis
    {
        p.bump();
        p.bump();
        open += 1;
    }
    if !single(p) {
        expression::expression(p);
    }
    while open > 0 && p.expect(TokenKind::RightParenthesis, "`)`") {
        open -= 1;
    }
}

/// One token before the closing parenthesis, whatever word it is.
fn single(p: &mut Parser<'_>) -> bool {
    let single = (p.kind().is_name() || p.kind().is_literal()) && p.peek(1).kind == TokenKind::RightParenthesis;
    if single {
        leaf(p);
    }
    single
}

/// The inside of `const(…)`: a value, or loose words as they came from C/AL.
fn constant(p: &mut Parser<'_>) {
    if p.at(TokenKind::RightParenthesis) || single(p) {
        return;
    }
    let (start, consumed, errors) = (p.start(), p.consumed, p.errors.len());
    if at_end_of_value(p) || (expression::expression(p) && !p.at(TokenKind::LeftParenthesis) && !is_loose(p)) {
        return;
    }
    p.rewind(start, consumed, errors);
    filter_text(p);
}

/// Whether an expression did not reach the closing parenthesis although its line goes on.
fn is_loose(p: &Parser<'_>) -> bool {
    !p.at(TokenKind::RightParenthesis) && !p.at(TokenKind::Comma) && !at_end_of_value(p)
}

/// The inside of `filter(…)`.
fn filter_text(p: &mut Parser<'_>) {
    let start = p.start();
    let mut depth = 0u32;
    while !at_end_of_value(p) {
        match p.kind() {
            TokenKind::LeftParenthesis => depth += 1,
            TokenKind::RightParenthesis if depth == 0 => break,
            TokenKind::RightParenthesis => depth -= 1,
            _ => {}
        }
        p.bump();
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::FilterText);
    }
}
