use super::{named_nodes, tree_of};
use crate::Tree;
use crate::parser::tests::errors_of;

/// A page whose parts are easy to miss, one line each.
const PAGE: &str = "\
page 1 P
{
    PageType = Card;
    layout
    {
        area(Content)
        {
            group(G)
            {
                Caption = 'G';
                field(A; Rec.A)
                {
                    Visible = false;
                }
                field(B; Rec.B)
                {
                    trigger OnValidate()
                    begin
                    end;
                }
            }
        }
    }
    actions
    {
        area(Processing)
        {
            action(Do)
            {
                Image = Action;
                trigger OnAction()
                begin
                end;
            }
        }
    }
    trigger OnOpenPage()
    begin
    end;

    local procedure L()
    begin
    end;

    var
        V: Integer;
}
codeunit 2 C
{
    procedure M()
    begin
    end;
}
";

/// `PAGE` without what stands on line `number` (from 1), and all names it still has.
fn without_line(number: usize) -> Tree {
    let text: String = PAGE
        .split_inclusive('\n')
        .enumerate()
        .map(|(index, line)| if index + 1 == number { "\n" } else { line })
        .collect();
    tree_of(&text)
}

#[test]
fn a_missing_closing_brace_is_one_error_and_loses_nothing() {
    let all = named_nodes(&tree_of(PAGE)).len();
    let braces: Vec<usize> = PAGE
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim() == "}")
        .map(|(index, _)| index + 1)
        .collect();
    assert_eq!(braces.len(), 10);
    for line in braces {
        let tree = without_line(line);
        assert_eq!(errors_of(&tree).len(), 1, "without line {line}: {:?}", errors_of(&tree));
        assert_eq!(named_nodes(&tree).len(), all, "without line {line}");
    }
}

#[test]
fn a_missing_opening_brace_loses_nothing() {
    let all = named_nodes(&tree_of(PAGE)).len();
    for (index, line) in PAGE.lines().enumerate() {
        if line.trim() == "{" {
            let tree = without_line(index + 1);
            assert_eq!(
                errors_of(&tree).len(),
                1,
                "without line {}: {:?}",
                index + 1,
                errors_of(&tree)
            );
            assert_eq!(named_nodes(&tree).len(), all, "without line {}", index + 1);
        }
    }
}

#[test]
fn a_brace_too_many_is_one_error_and_loses_nothing() {
    let all = named_nodes(&tree_of(PAGE)).len();
    for brace in ["{", "}"] {
        for number in 2..PAGE.lines().count() {
            let text: String = PAGE
                .lines()
                .enumerate()
                .map(|(index, line)| {
                    if index == number {
                        format!("{brace}\n{line}\n")
                    } else {
                        format!("{line}\n")
                    }
                })
                .collect();
            let tree = tree_of(&text);
            let found = named_nodes(&tree).len();
            // Between a head and its `{` or inside a method more may break, but nothing is lost.
            assert!(
                found == all,
                "`{brace}` before line {}: {found} of {all}\n{:?}",
                number + 1,
                errors_of(&tree)
            );
            assert!(
                errors_of(&tree).len() <= 3,
                "`{brace}` before line {}: {:?}",
                number + 1,
                errors_of(&tree)
            );
        }
    }
}

#[test]
fn stray_words_are_one_error_and_lose_nothing() {
    let all = named_nodes(&tree_of(PAGE)).len();
    for stray in ["foo", "foo bar;", "42", "= x;", "\"quoted\"", ")"] {
        for number in [3, 4, 6, 8, 10, 11, 13, 15, 21, 23, 24, 35, 39, 43, 45] {
            let text: String = PAGE
                .lines()
                .enumerate()
                .map(|(index, line)| {
                    if index + 1 == number {
                        format!("{stray}\n{line}\n")
                    } else {
                        format!("{line}\n")
                    }
                })
                .collect();
            let tree = tree_of(&text);
            let errors = errors_of(&tree);
            assert_eq!(
                named_nodes(&tree).len(),
                all,
                "`{stray}` before line {number}: {errors:?}"
            );
            assert!(errors.len() <= 1, "`{stray}` before line {number}: {errors:?}");
        }
    }
}

#[test]
fn messages_name_what_is_missing_and_where() {
    let cases: &[(&str, &[&str])] = &[
        ("table 1\n{\n}", &["2:1 Expected a name, found `{`"]),
        ("table 1 T", &["1:10 Expected `{`, found the end of the file"]),
        (
            "table 1 T\n{\n    fields { field(1 A; Blob) { } }\n}",
            &["3:22 Expected `;`, found `A`"],
        ),
        (
            "table 1 T\n{\n    fields { field(1; A; Blob { } }\n}",
            &["3:31 Expected `)`, found `{`"],
        ),
        (
            "table 1 T\n{\n    fields { field(A; Blob) { } }\n}",
            &["3:20 Expected a number, found `A`"],
        ),
        (
            "table 1 T\n{\n    keys { action(A) { } }\n}",
            &["3:12 `action` does not fit here: the parser was reading keys"],
        ),
        (
            "page 1 P\n{\n    layout { area(A) { field(; X) { } } }\n}",
            &["3:30 Expected a name, found `;`"],
        ),
        (
            "page 1 P\n{\n    layout { area(A) { field(X) { } } }\n}",
            &["3:31 Expected `;`, found `)`"],
        ),
        (
            "foo\ntable 1 T\n{\n}",
            &["1:1 `foo` does not fit here: the parser was reading the declaration of an object"],
        ),
        (
            "namespace ;\ntable 1 T\n{\n}",
            &["1:1 `namespace` does not fit here: the parser was reading the declaration of an object"],
        ),
        (
            "namespace A.\nusing B;\ntable 1 T\n{\n}",
            &["2:1 Expected a name, found `using`"],
        ),
        ("using A.\npage 1 P\n{\n}", &["2:1 Expected a name, found `page`"]),
        ("codeunit 1 C\n{\n", &["3:1 Expected `}`, found the end of the file"]),
        (
            "codeunit 1 C\n{\ncodeunit 2 D\n{\n}",
            &["3:1 Expected `}`, found `codeunit`"],
        ),
    ];
    for &(text, expected) in cases {
        assert_eq!(errors_of(&tree_of(text)), expected, "{text}");
    }
}

#[test]
fn deep_nesting_ends_in_an_error_not_in_a_crash() {
    for opening in ["group(G) {", "{", "foo {", "actions {", "dataitem(A; B) {"] {
        let text = format!("page 1 P {{ layout {{ area(A) {{ {}", opening.repeat(100_000));
        let tree = tree_of(&text);
        assert!(!tree.errors().is_empty());
    }
}

#[test]
fn a_part_whose_head_is_broken_keeps_what_is_in_it() {
    let cases: &[(&str, &str, &str)] = &[
        ("field(A; Rec.A)", "field A; Rec.A)", "Expected `(`, found `A`"),
        ("field(A; Rec.A)", "field(A Rec.A)", "Expected `;`, found `Rec`"),
        (
            "field(A; Rec.A)",
            "(A; Rec.A)",
            "`(` does not fit here: the parser was reading controls",
        ),
        (
            "field(A; Rec.A)",
            "feild(A; Rec.A)",
            "`feild` does not fit here: the parser was reading controls",
        ),
        (
            "group(G)",
            "gruop(G)",
            "`gruop` does not fit here: the parser was reading controls",
        ),
        (
            "action(Do)",
            "actionDo)",
            "`actionDo` does not fit here: the parser was reading actions",
        ),
    ];
    let all = named_nodes(&tree_of(PAGE)).len();
    for &(sound, broken, expected) in cases {
        let tree = tree_of(&PAGE.replace(sound, broken));
        let errors = errors_of(&tree);
        let [error] = &errors[..] else {
            panic!("`{broken}` is one error, not {errors:?}")
        };
        assert!(error.ends_with(expected), "`{broken}`: {error}");
        assert!(
            named_nodes(&tree).len() >= all - 1,
            "`{broken}` loses at most its own name"
        );
    }
}

#[test]
fn no_single_token_takes_anything_else_with_it() {
    let sound = tree_of(PAGE);
    let methods = |tree: &Tree| {
        tree.nodes()
            .filter(|node| matches!(node.kind(), crate::NodeKind::Procedure | crate::NodeKind::Trigger))
            .count()
    };
    for token in sound.tokens().filter(|token| !token.kind().is_trivia()) {
        let mut text = PAGE.to_owned();
        text.replace_range(token.range().as_usize(), "");
        let tree = tree_of(&text);
        let found = named_nodes(&tree).len();
        let all = named_nodes(&sound).len();
        assert!(
            found + 1 >= all,
            "without {token:?}: {found} of {all}, {:?}",
            errors_of(&tree)
        );
        assert!(errors_of(&tree).len() <= 6, "without {token:?}: {:?}", errors_of(&tree));
        assert!(methods(&tree) + 1 >= methods(&sound), "without {token:?}");
    }
}
