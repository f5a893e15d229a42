//! Objects: head, braces, and what stands between braces at any level.
//!
//! One loop reads every body. What a word begins is decided by the token behind it (`=` a property, `(` a part, `{` a
//! section), and whether it may stand there by the tables in [`part`]. The loop knows the bodies around its own: what
//! fits one of them but not this one means that a `}` is missing; a `}` behind which things go on that fit here and
//! nowhere outside is one too many.

mod arguments;
mod boundary;
mod part;
#[cfg(test)]
mod tests;

pub(crate) use boundary::{at_element_line, at_property_line};
pub(crate) use part::Body;
use part::{Arguments, Frame, Part};

use super::{Parser, Start, label, member, names, property, recovery, source_file, statement};
use crate::error::SyntaxErrorKind;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// An object. The caller has seen that one begins here.
pub(crate) fn object(p: &mut Parser<'_>) {
    let Some((kind, body)) = source_file::object_kind(p) else {
        return;
    };
    let start = p.start();
    p.bump();
    if p.at(TokenKind::IntegerLiteral) {
        number(p);
    }
    if kind != NodeKind::DotNetPackage || p.kind().is_name() {
        names::name(p);
    }
    loop {
        let clause = p.start();
        let clause_kind = match p.keyword() {
            Keyword::Extends => NodeKind::ExtendsClause,
            Keyword::Implements => NodeKind::ImplementsClause,
            Keyword::Customizes => NodeKind::CustomizesClause,
            _ => break,
        };
        p.bump();
        names::qualified_names(p);
        p.finish(clause, clause_kind);
    }
    p.open.needs_bodies = !matches!(kind, NodeKind::Interface | NodeKind::ControlAddIn);
    braces(p, start, &Frame { body, outer: None });
    p.open.needs_bodies = false;
    p.finish(start, kind);
}

/// What is left of an object whose head could not be read: braces, or what stands between them. An error is reported.
pub(crate) fn rest_of_object(p: &mut Parser<'_>) {
    p.eat(TokenKind::LeftBrace);
    contents(
        p,
        &Frame {
            body: Body::Anything,
            outer: None,
        },
    );
}

/// The number of an object, field or value.
fn number(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if p.at(TokenKind::Minus) && p.peek(1).kind == TokenKind::IntegerLiteral {
        p.bump();
    }
    if !p.eat(TokenKind::IntegerLiteral) {
        p.expected("a number");
        return false;
    }
    p.finish(start, NodeKind::ObjectId);
    true
}

const HEAD: &str = "the head of an object, section or control";

/// `{` … `}`. Without the opening brace, what follows is still read as the body if it is indented as one.
fn braces(p: &mut Parser<'_>, head: Start, frame: &Frame<'_>) {
    if !p.eat(TokenKind::LeftBrace) {
        p.expected("`{`");
        if p.at(TokenKind::RightBrace) && p.peek(1).kind == TokenKind::LeftBrace {
            p.skip_unexpected(HEAD);
        } else if !p.current().first_on_line && !is_brace(p.kind()) {
            p.report(SyntaxErrorKind::Unexpected { place: HEAD });
            let start = p.start();
            skip_line(p);
            p.finish(start, NodeKind::Error);
        }
        if !p.eat(TokenKind::LeftBrace) && !at_body(p, head, frame) {
            return;
        }
    }
    contents(p, frame);
}

/// Whether the current token belongs to the body of what begins at `head` although there is no `{`.
fn at_body(p: &Parser<'_>, head: Start, frame: &Frame<'_>) -> bool {
    let (inner, outer) = (p.column(p.position), p.line_column(head.token));
    match p.kind() {
        TokenKind::RightBrace => inner == outer,
        TokenKind::LeftBracket => inner > outer && frame.body.has_members(),
        _ if inner <= outer => false,
        _ => match p.peek(1).kind {
            TokenKind::Equals => frame.body.has_properties() || frame.body == Body::Labels,
            behind => Frame::fits(frame.body, p.keyword(), behind),
        },
    }
}

/// Everything up to the closing brace, that one included.
fn contents(p: &mut Parser<'_>, frame: &Frame<'_>) {
    // Where the parts of a body that was closed too early come from; reported once.
    let mut adopted = Body::Leaf;
    loop {
        match p.kind() {
            TokenKind::EndOfFile => {
                p.expected("`}`");
                return;
            }
            TokenKind::RightBrace => {
                if closes(p, frame) {
                    p.bump();
                    return;
                }
                p.skip_unexpected(place(frame.body));
            }
            // Behind a `}` or a second time behind a value: allowed and meaningless.
            TokenKind::Semicolon => p.bump(),
            TokenKind::LeftBrace => {
                p.report(SyntaxErrorKind::Unexpected {
                    place: place(frame.body),
                });
                let start = p.start();
                p.nested(|p| {
                    p.bump();
                    contents(
                        p,
                        &Frame {
                            body: frame.body,
                            outer: Some(frame),
                        },
                    );
                });
                p.finish(start, NodeKind::Error);
            }
            TokenKind::Identifier | TokenKind::QuotedIdentifier => {
                let done = match p.peek(1).kind {
                    TokenKind::Equals => {
                        named_value(p, frame);
                        true
                    }
                    TokenKind::LeftParenthesis => part_here(p, frame, &mut adopted),
                    TokenKind::LeftBrace => section_here(p, frame),
                    _ => other_here(p, frame),
                };
                if !done {
                    return;
                }
            }
            _ => {
                if !other_here(p, frame) {
                    return;
                }
            }
        }
    }
}

/// Whether the `}` at the current token closes the body of `frame`: not if what follows fits here and nowhere outside.
fn closes(p: &Parser<'_>, frame: &Frame<'_>) -> bool {
    let next = p.peek(1);
    if next.kind == TokenKind::LeftBracket {
        return !frame.body.has_members() || frame.any_outer(Body::has_members);
    }
    if !next.kind.is_name() {
        return true;
    }
    let behind = p.peek(2).kind;
    if behind == TokenKind::Equals {
        return !frame.body.has_properties() || frame.outer.is_some_and(|outer| outer.body.has_properties());
    }
    !Frame::fits(frame.body, next.keyword, behind) || frame.any_outer(|body| Frame::fits(body, next.keyword, behind))
}

/// Name `=`: a property, or a label of a report.
fn named_value(p: &mut Parser<'_>, frame: &Frame<'_>) {
    if frame.body == Body::Labels {
        report_label(p);
        return;
    }
    if !frame.body.has_properties() {
        p.report(SyntaxErrorKind::Unexpected {
            place: place(frame.body),
        });
    }
    property::property(p);
}

/// Name `=` label `;`
fn report_label(p: &mut Parser<'_>) {
    let start = p.start();
    names::name(p);
    p.bump();
    label::label_value(p);
    property::end_of_value(p);
    p.finish(start, NodeKind::ReportLabel);
}

/// A word with `(` behind it. False when it belongs to a body outside.
fn part_here(p: &mut Parser<'_>, frame: &Frame<'_>, adopted: &mut Body) -> bool {
    let keyword = p.keyword();
    if let Some(found) = frame.part(keyword).or_else(|| adopted.part(keyword)) {
        part(p, frame, found);
        return true;
    }
    if frame.any_outer(|body| body.part(keyword).is_some()) {
        p.expected("`}`");
        return false;
    }
    if let Some((found, home)) = Body::somewhere(keyword) {
        p.report(SyntaxErrorKind::Unexpected {
            place: place(frame.body),
        });
        *adopted = home;
        part(p, frame, found);
        return true;
    }
    if member::at_member(p) {
        return other_here(p, frame);
    }
    unknown(p, frame);
    true
}

/// Word, arguments, braces.
fn part(p: &mut Parser<'_>, frame: &Frame<'_>, part: Part) {
    let start = p.start();
    p.nested(|p| {
        p.bump();
        // `addlast { … }` among views stands for the whole list.
        if !(p.at(TokenKind::LeftBrace) && part.arguments == Arguments::Change) {
            arguments::arguments(p, part.arguments);
        }
        match part.body {
            Some(body) if !part.may_lack_body || p.at(TokenKind::LeftBrace) => {
                braces(
                    p,
                    start,
                    &Frame {
                        body,
                        outer: Some(frame),
                    },
                );
            }
            _ => {
                p.eat(TokenKind::Semicolon);
            }
        }
    });
    p.finish(start, part.kind);
}

/// A word with `{` behind it. False when it belongs to a body outside.
fn section_here(p: &mut Parser<'_>, frame: &Frame<'_>) -> bool {
    let keyword = p.keyword();
    if let Some((kind, body)) = frame.section(keyword) {
        section(p, frame, kind, body);
        return true;
    }
    if let Some(found) = frame.part(keyword).filter(|part| part.arguments == Arguments::Change) {
        part(p, frame, found);
        return true;
    }
    if frame.any_outer(|body| body.section(keyword).is_some()) || source_file::at_object_start(p) {
        p.expected("`}`");
        return false;
    }
    if let Some((kind, body)) = Body::section_somewhere(keyword) {
        p.report(SyntaxErrorKind::Unexpected {
            place: place(frame.body),
        });
        section(p, frame, kind, body);
        return true;
    }
    unknown(p, frame);
    true
}

fn section(p: &mut Parser<'_>, frame: &Frame<'_>, kind: NodeKind, body: Body) {
    let start = p.start();
    p.nested(|p| {
        p.bump();
        braces(
            p,
            start,
            &Frame {
                body,
                outer: Some(frame),
            },
        );
    });
    p.finish(start, kind);
}

/// A member, a broken property, the next object, or junk. False when it belongs to a body outside.
fn other_here(p: &mut Parser<'_>, frame: &Frame<'_>) -> bool {
    if member::at_member(p) {
        let is_trigger = boundary::begins_trigger(p);
        let fits = |body: Body| {
            if is_trigger {
                body.has_triggers()
            } else {
                body.has_members()
            }
        };
        if !fits(frame.body) {
            if frame.any_outer(fits) {
                p.expected("`}`");
                return false;
            }
            p.report(SyntaxErrorKind::Unexpected {
                place: place(frame.body),
            });
        }
        member::member(p);
        return true;
    }
    if source_file::at_object_start(p) {
        p.expected("`}`");
        return false;
    }
    if p.peek(1).first_on_line {
        if let Some((kind, body)) = frame.section(p.keyword()) {
            section(p, frame, kind, body);
            return true;
        }
    } else if let Some(found) = frame.part(p.keyword()) {
        part(p, frame, found);
        return true;
    }
    if frame.body.has_properties() && p.current().first_on_line && property::at_known_name(p) {
        property::property(p);
        return true;
    }
    if frame.body.has_triggers() && recovery::at_lost_statement(p) {
        lost_statements(p, place(frame.body));
    } else {
        unknown(p, frame);
    }
    true
}

/// Statements whose method has lost its head: one error for all of them.
fn lost_statements(p: &mut Parser<'_>, place: &'static str) {
    p.report(SyntaxErrorKind::Unexpected { place });
    let start = p.start();
    loop {
        let before = p.start();
        statement::statement(p);
        if p.is_empty_since(before) {
            p.bump();
        }
        if p.at_end() || is_brace(p.kind()) || at_element_line(p) || !recovery::at_lost_statement(p) {
            break;
        }
    }
    p.finish(start, NodeKind::Error);
}

/// Something that begins with words nobody knows. Its braces, if it has any, are read as if it were known.
fn unknown(p: &mut Parser<'_>, frame: &Frame<'_>) {
    p.report(SyntaxErrorKind::Unexpected {
        place: place(frame.body),
    });
    let start = p.start();
    skip_line(p);
    if p.at(TokenKind::LeftBrace) {
        p.nested(|p| {
            p.bump();
            contents(
                p,
                &Frame {
                    body: Body::Anything,
                    outer: Some(frame),
                },
            );
        });
    }
    p.finish(start, NodeKind::Error);
}

/// Skips the rest of the line, up to a brace or a `;`, that one included; the next line as well behind a `,`.
fn skip_line(p: &mut Parser<'_>) {
    loop {
        let last = p.kind();
        p.bump();
        let ends = last == TokenKind::Semicolon || p.at_end() || is_brace(p.kind());
        if ends || (p.current().first_on_line && (last != TokenKind::Comma || at_element_line(p))) {
            return;
        }
    }
}

fn is_brace(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LeftBrace | TokenKind::RightBrace)
}

/// The body as a reader would name it.
fn place(body: Body) -> &'static str {
    match body {
        Body::Table => "a table",
        Body::Page => "a page",
        Body::Report => "a report",
        Body::Code | Body::Plain | Body::Anything => "an object",
        Body::Query => "a query",
        Body::XmlPort => "an XMLport",
        Body::Enum => "an enum",
        Body::DotNet | Body::Assembly => "a .NET package",
        Body::Fields => "fields",
        Body::Keys => "keys",
        Body::FieldGroups => "field groups",
        Body::Layout => "a layout",
        Body::Actions | Body::ActionGroup => "actions",
        Body::Views | Body::View | Body::ViewChange => "views",
        Body::DataSet | Body::DataItem => "a data set",
        Body::RequestPage => "a request page",
        Body::Rendering => "the layouts of a report",
        Body::Labels => "labels",
        Body::Elements | Body::QueryDataItem => "the elements of a query",
        Body::Schema | Body::XmlNode => "the schema of an XMLport",
        Body::Leaf | Body::Triggers => "properties",
        Body::Control => "controls",
    }
}
