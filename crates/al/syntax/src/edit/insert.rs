//! Edits that put something in.

use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::Node;

use super::layout::{deeper_indentation, indentation, line_end, trivia_between};
use super::{EditSet, TextEdit};

/// Puts a property (`Access = Internal;`) in front of everything else in the braces of an object, control or field:
/// on a line of its own, or behind the brace when the object stands on one line. A comment behind the brace stays
/// there. None when there is no opening brace.
pub fn insert_first_property(owner: Node<'_>, property: &str) -> Option<EditSet> {
    let tree = owner.tree();
    let brace = owner.own_token(TokenKind::LeftBrace)?;
    let next = brace.next_significant()?;
    if !next.first_on_line() {
        let has_blank = brace.next().is_some_and(|token| token.kind() == TokenKind::Whitespace);
        let behind = if has_blank { "" } else { " " };
        return Some(TextEdit::insert(brace.range().end, format!(" {property}{behind}")).into());
    }
    let line_end = line_end(tree);
    let starts_line = next.kind() != TokenKind::RightBrace && next.kind() != TokenKind::EndOfFile;
    let blanks = if starts_line {
        indentation(tree, next.range().start).to_owned()
    } else {
        deeper_indentation(tree, brace.range().start)
    };
    let first_child = owner.children().find(|child| child.range().start > brace.range().start);
    let is_property = |node: Node<'_>| node.kind() == NodeKind::Property;
    let gap = if starts_line && !first_child.is_some_and(is_property) {
        line_end
    } else {
        ""
    };
    // Comments that begin on the brace's line belong to the brace.
    let mut offset = brace.range().end;
    for trivia in trivia_between(brace, next) {
        if trivia.kind().is_comment() {
            offset = trivia.range().end;
        } else if trivia.kind() != TokenKind::Whitespace || trivia.text().contains(['\n', '\r']) {
            break;
        }
    }
    Some(TextEdit::insert(offset, format!("{line_end}{blanks}{property}{gap}")).into())
}

/// Makes a procedure `local`, `internal` or `protected`: in front of `procedure`, or in the place of the modifier it
/// has. None when it has that modifier already.
pub fn set_access_modifier(procedure: Node<'_>, modifier: Keyword) -> Option<EditSet> {
    debug_assert_eq!(procedure.kind(), NodeKind::Procedure);
    let is_modifier = |keyword| matches!(keyword, Keyword::Local | Keyword::Internal | Keyword::Protected);
    let keyword = procedure.own_keyword(Keyword::Procedure)?;
    let present = procedure
        .own_tokens()
        .take_while(|token| token.index() < keyword.index())
        .find(|token| is_modifier(token.keyword()));
    match present {
        Some(token) if token.keyword() == modifier => None,
        Some(token) => Some(super::replace_token(token, modifier.text())),
        None => Some(TextEdit::insert(keyword.range().start, format!("{} ", modifier.text())).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::edited;
    use super::*;

    fn with_property(text: &str) -> String {
        edited(text, NodeKind::Codeunit, |node| {
            insert_first_property(node, "Access = Internal;")
        })
        .unwrap()
    }

    #[test]
    fn a_property_comes_first_and_is_indented_as_the_next_line_is() {
        assert_eq!(
            with_property("codeunit 1 A\n{\n  Subtype = Install;\n}\n"),
            "codeunit 1 A\n{\n  Access = Internal;\n  Subtype = Install;\n}\n"
        );
        assert_eq!(
            with_property("codeunit 1 A {\n\tSubtype = Install;\n}\n"),
            "codeunit 1 A {\n\tAccess = Internal;\n\tSubtype = Install;\n}\n"
        );
    }

    #[test]
    fn a_file_whose_lines_end_with_carriage_returns_gets_one_more() {
        assert_eq!(
            with_property("codeunit 1 A\r{\r    Subtype = Install;\r}\r"),
            "codeunit 1 A\r{\r    Access = Internal;\r    Subtype = Install;\r}\r"
        );
    }

    #[test]
    fn a_blank_line_parts_it_from_what_is_no_property() {
        assert_eq!(
            with_property("codeunit 1 A\n{\n    trigger OnRun()\n    begin\n    end;\n}\n"),
            "codeunit 1 A\n{\n    Access = Internal;\n\n    trigger OnRun()\n    begin\n    end;\n}\n"
        );
    }

    #[test]
    fn an_empty_object_gets_its_first_line() {
        assert_eq!(
            with_property("codeunit 1 A\n{\n}\n"),
            "codeunit 1 A\n{\n    Access = Internal;\n}\n"
        );
        assert_eq!(
            with_property("codeunit 1 A\n{\n\n}\n"),
            "codeunit 1 A\n{\n    Access = Internal;\n\n}\n"
        );
    }

    #[test]
    fn an_object_on_one_line_stays_on_one_line() {
        assert_eq!(with_property("codeunit 1 A { }"), "codeunit 1 A { Access = Internal; }");
        assert_eq!(with_property("codeunit 1 A {}"), "codeunit 1 A { Access = Internal; }");
        assert_eq!(
            with_property("codeunit 1 A { Subtype = Install; }"),
            "codeunit 1 A { Access = Internal; Subtype = Install; }"
        );
        assert_eq!(
            with_property("codeunit 1 A {Subtype = Install; }"),
            "codeunit 1 A { Access = Internal; Subtype = Install; }"
        );
    }

    #[test]
    fn a_comment_behind_the_brace_stays_there() {
        assert_eq!(
            with_property("codeunit 1 A\n{ // here it begins\n    // the kind\n    Subtype = Install;\n}\n"),
            "codeunit 1 A\n{ // here it begins\n    Access = Internal;\n    // the kind\n    Subtype = Install;\n}\n"
        );
    }

    #[test]
    fn a_property_comes_before_directives() {
        assert_eq!(
            with_property("codeunit 1 A\n{\n#if not OLD\n    Subtype = Install;\n#endif\n}\n"),
            "codeunit 1 A\n{\n    Access = Internal;\n#if not OLD\n    Subtype = Install;\n#endif\n}\n"
        );
    }

    fn made_local(text: &str) -> Option<String> {
        edited(text, NodeKind::Procedure, |node| {
            set_access_modifier(node, Keyword::Local)
        })
    }

    #[test]
    fn a_modifier_goes_in_front_of_procedure() {
        assert_eq!(
            made_local("codeunit 1 A\n{\n    [X]\n    // why\n    procedure B() begin end;\n}\n").unwrap(),
            "codeunit 1 A\n{\n    [X]\n    // why\n    local procedure B() begin end;\n}\n"
        );
        assert_eq!(
            made_local("codeunit 1 A { [X] procedure B() begin end; }").unwrap(),
            "codeunit 1 A { [X] local procedure B() begin end; }"
        );
    }

    #[test]
    fn a_modifier_takes_the_place_of_another_one() {
        assert_eq!(
            made_local("codeunit 1 A { INTERNAL /* x */ procedure B() begin end; }").unwrap(),
            "codeunit 1 A { local /* x */ procedure B() begin end; }"
        );
        assert_eq!(made_local("codeunit 1 A { local procedure B() begin end; }"), None);
    }
}
