//! Edits that take something out.

use crate::directive::DirectiveKind;
use crate::kind::NodeKind;
use crate::range::TextRange;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

use super::layout::{delete_tidily, holds_more_than_blanks, trivia_between};
use super::{EditSet, TextEdit, set_of};

/// Takes a property out, with its line if it has one to itself. A blank line behind it stays, and so do comments
/// around it, one behind it on the same line too. None when a comment or directive stands inside the property.
pub fn remove_property(property: Node<'_>) -> Option<EditSet> {
    debug_assert_eq!(property.kind(), NodeKind::Property);
    (!holds_more_than_blanks(property)).then(|| delete_tidily(property.tree(), property.range()).into())
}

/// Takes a single token out, such as a needless semicolon, with its line if it has one to itself.
pub fn remove_token(token: TokenRef<'_>) -> EditSet {
    delete_tidily(token.tree(), token.range()).into()
}

/// Takes an item out of a list (a parameter, a permission, a member of an option), with the separator that becomes
/// needless: the one behind it, or for the last item the one before it.
///
/// None when a comment or directive stands inside the item, or when an `#if` decides about the item, its separator
/// or what is beside them: then the list is another one in another configuration. A `#pragma` around the item stays.
pub fn remove_list_item(item: Node<'_>) -> Option<EditSet> {
    if holds_more_than_blanks(item) {
        return None;
    }
    let list = item.parent()?;
    let is_separator = |token: &TokenRef<'_>| {
        let separates = matches!(token.kind(), TokenKind::Comma | TokenKind::Semicolon);
        separates && list.own_tokens().any(|own| own == *token)
    };
    let before = item.first_token()?.previous_significant()?;
    let behind = item.last_token()?.next_significant()?;
    if is_separator(&behind) {
        return remove_with_separator_behind(item, before, behind);
    }
    if is_separator(&before) {
        return remove_with_separator_before(item, before, behind);
    }
    let is_settled = !holds_condition(before, behind);
    is_settled.then(|| delete_tidily(item.tree(), item.range()).into())
}

fn remove_with_separator_behind(item: Node<'_>, before: TokenRef<'_>, separator: TokenRef<'_>) -> Option<EditSet> {
    let (tree, last, next) = (item.tree(), item.last_token()?, separator.next_significant()?);
    if holds_condition(before, next) {
        return None;
    }
    let start = item.range().start;
    if only_blanks_between(last, next) {
        return Some(TextEdit::delete(TextRange::new(start, next.range().start)).into());
    }
    if only_blanks_between(last, separator) {
        return Some(delete_tidily(tree, TextRange::new(start, separator.range().end)).into());
    }
    set_of([
        delete_tidily(tree, item.range()),
        delete_tidily(tree, separator.range()),
    ])
}

fn remove_with_separator_before(item: Node<'_>, separator: TokenRef<'_>, behind: TokenRef<'_>) -> Option<EditSet> {
    if holds_condition(separator.previous_significant()?, behind) {
        return None;
    }
    let separator_range = separator.range();
    if only_blanks_between(separator, item.first_token()?) {
        return Some(TextEdit::delete(TextRange::new(separator_range.start, item.range().end)).into());
    }
    // The comment between the two may run to the end of its line, so the line end behind it has to stay.
    set_of([
        TextEdit::delete(separator_range),
        delete_tidily(item.tree(), item.range()),
    ])
}

fn only_blanks_between(from: TokenRef<'_>, to: TokenRef<'_>) -> bool {
    trivia_between(from, to).all(|token| token.kind() == TokenKind::Whitespace)
}

/// Whether a directive between the two tokens decides what is part of the program.
fn holds_condition(from: TokenRef<'_>, to: TokenRef<'_>) -> bool {
    trivia_between(from, to).any(|token| {
        let is_plain = |kind: &DirectiveKind| {
            matches!(
                kind,
                DirectiveKind::PragmaWarning { .. }
                    | DirectiveKind::PragmaImplicitWith { .. }
                    | DirectiveKind::OtherPragma
                    | DirectiveKind::Region
                    | DirectiveKind::EndRegion
            )
        };
        match token.kind() {
            TokenKind::DisabledText => true,
            TokenKind::Directive => !token.directive().is_some_and(|directive| is_plain(&directive.kind)),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{edited, nth_edited};
    use super::*;

    fn without_property(text: &str) -> Option<String> {
        edited(text, NodeKind::Property, remove_property)
    }

    #[test]
    fn a_property_goes_with_its_line() {
        assert_eq!(
            without_property("codeunit 1 A\n{\n    Access = Internal;\n\n    var\n        B: Integer;\n}\n").unwrap(),
            "codeunit 1 A\n{\n\n    var\n        B: Integer;\n}\n"
        );
    }

    #[test]
    fn a_property_over_several_lines_goes_with_all_of_them() {
        assert_eq!(
            without_property("codeunit 1 A\n{\n\tPermissions =\n\t\ttabledata B = r,\n\t\ttabledata C = r;\n}\n")
                .unwrap(),
            "codeunit 1 A\n{\n}\n"
        );
    }

    #[test]
    fn comments_around_a_property_stay() {
        assert_eq!(
            without_property("codeunit 1 A\n{\n    // before\n    Access = Internal; // behind\n}\n").unwrap(),
            "codeunit 1 A\n{\n    // before\n    // behind\n}\n"
        );
        assert_eq!(
            without_property("codeunit 1 A\n{\n    /* before */ Access = Internal;\n}\n").unwrap(),
            "codeunit 1 A\n{\n    /* before */\n}\n"
        );
    }

    #[test]
    fn directives_around_a_property_stay() {
        let text = "codeunit 1 A\n{\n#pragma warning disable X\n    Access = Internal;\n#pragma warning restore X\n}\n";
        assert_eq!(
            without_property(text).unwrap(),
            text.replace("    Access = Internal;\n", "")
        );
        let text = "codeunit 1 A\n{\n#if not OLD\n    Access = Internal;\n#endif\n}\n";
        assert_eq!(
            without_property(text).unwrap(),
            text.replace("    Access = Internal;\n", "")
        );
    }

    #[test]
    fn a_property_on_a_shared_line_goes_alone() {
        let text = "codeunit 1 A { Access = Internal; Subtype = Install; }";
        assert_eq!(without_property(text).unwrap(), "codeunit 1 A { Subtype = Install; }");
        assert_eq!(
            nth_edited(text, NodeKind::Property, 1, remove_property).unwrap(),
            "codeunit 1 A { Access = Internal; }"
        );
        assert_eq!(
            without_property("codeunit 1 A {Access = Internal; }").unwrap(),
            "codeunit 1 A {}"
        );
    }

    #[test]
    fn a_property_with_a_comment_or_directive_inside_stays() {
        assert_eq!(without_property("codeunit 1 A { Access /* why */ = Internal; }"), None);
        assert_eq!(
            without_property("codeunit 1 A { Access =\n#pragma warning disable X\n Internal; }"),
            None
        );
        assert_eq!(
            without_property("codeunit 1 A { Access =\n#if OLD\nPublic\n#else\nInternal\n#endif\n; }"),
            None
        );
    }

    /// The head of a procedure with these parameters, without the one of this number.
    fn without_parameter(parameters: &str, number: usize) -> Option<String> {
        let (head, tail) = ("codeunit 1 A\n{\n    procedure B(", ")\n    begin\n    end;\n}\n");
        let text = format!("{head}{parameters}{tail}");
        let result = nth_edited(&text, NodeKind::Parameter, number, remove_list_item)?;
        let inner = result.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
        Some(inner.expect("nothing else changes").to_owned())
    }

    #[test]
    fn an_item_goes_with_the_separator_behind_it_and_the_last_with_the_one_before() {
        let parameters = "C: Integer; var D: Integer; E: Integer";
        assert_eq!(without_parameter(parameters, 0).unwrap(), "var D: Integer; E: Integer");
        assert_eq!(without_parameter(parameters, 1).unwrap(), "C: Integer; E: Integer");
        assert_eq!(without_parameter(parameters, 2).unwrap(), "C: Integer; var D: Integer");
        assert_eq!(without_parameter("C: Integer", 0).unwrap(), "");
    }

    #[test]
    fn items_on_lines_of_their_own_go_with_their_lines() {
        let parameters = "\n        C: Integer;\n        D: Integer;\n        E: Integer";
        assert_eq!(
            without_parameter(parameters, 0).unwrap(),
            "\n        D: Integer;\n        E: Integer"
        );
        assert_eq!(
            without_parameter(parameters, 1).unwrap(),
            "\n        C: Integer;\n        E: Integer"
        );
        assert_eq!(
            without_parameter(parameters, 2).unwrap(),
            "\n        C: Integer;\n        D: Integer"
        );
    }

    #[test]
    fn comments_between_items_stay() {
        assert_eq!(
            without_parameter("C: Integer /* c */; D: Integer", 0).unwrap(),
            "/* c */ D: Integer"
        );
        assert_eq!(
            without_parameter("C: Integer; /* d */ D: Integer", 1).unwrap(),
            "C: Integer /* d */"
        );
        assert_eq!(
            without_parameter("\n        C: Integer; // c\n        D: Integer", 0).unwrap(),
            "\n        // c\n        D: Integer"
        );
        assert_eq!(
            without_parameter("C: Integer; // c\n        D: Integer // d\n    ", 1).unwrap(),
            "C: Integer // c\n        // d\n    "
        );
    }

    #[test]
    fn pragmas_around_an_item_stay() {
        assert_eq!(
            without_parameter(
                "\n#pragma warning disable X\n        C: Integer;\n#pragma warning restore X\n        D: Integer",
                0
            )
            .unwrap(),
            "\n#pragma warning disable X\n#pragma warning restore X\n        D: Integer"
        );
        assert_eq!(
            without_parameter(
                "C: Integer;\n#pragma warning disable X\n        D: Integer\n#pragma warning restore X\n    ",
                1
            )
            .unwrap(),
            "C: Integer\n#pragma warning disable X\n#pragma warning restore X\n    "
        );
    }

    #[test]
    fn an_item_that_a_condition_decides_about_stays() {
        let parameters = "C: Integer;\n#if not OLD\n        D: Integer;\n#endif\n        E: Integer";
        for number in 0..3 {
            assert_eq!(without_parameter(parameters, number), None, "{number}");
        }
        assert_eq!(
            without_parameter("C: Integer\n#if OLD\n; D: Integer\n#endif\n", 0),
            None
        );
    }

    #[test]
    fn an_item_with_a_comment_inside_stays() {
        assert_eq!(without_parameter("C /* c */: Integer", 0), None);
    }

    #[test]
    fn other_lists_have_other_separators() {
        let text = "codeunit 1 A\n{\n    Permissions = tabledata B = r,\n                  tabledata C = m;\n}\n";
        assert_eq!(
            edited(text, NodeKind::PermissionEntry, remove_list_item).unwrap(),
            "codeunit 1 A\n{\n    Permissions = tabledata C = m;\n}\n"
        );
        assert_eq!(
            nth_edited(text, NodeKind::PermissionEntry, 1, remove_list_item).unwrap(),
            "codeunit 1 A\n{\n    Permissions = tabledata B = r;\n}\n"
        );
    }

    #[test]
    fn a_token_goes_without_gluing_its_neighbours_together() {
        let semicolon = |method: Node<'_>| method.own_token(TokenKind::Semicolon).map(remove_token);
        let without_semicolon = |text: &str| edited(text, NodeKind::Procedure, semicolon).unwrap();
        assert_eq!(
            without_semicolon("codeunit 1 A { procedure B(); begin end; }"),
            "codeunit 1 A { procedure B() begin end; }"
        );
        assert_eq!(
            without_semicolon("codeunit 1 A { procedure B() ; begin end; }"),
            "codeunit 1 A { procedure B() begin end; }"
        );
        assert_eq!(
            without_semicolon("codeunit 1 A {\n    procedure B()\n    ;\n    begin end; }"),
            "codeunit 1 A {\n    procedure B()\n    begin end; }"
        );
    }
}
