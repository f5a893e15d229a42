//! What holds for the tree of any text, however broken.

use proptest::prelude::*;

use super::*;
use crate::directive::Symbols;
use crate::parser::parse;
use crate::text::SourceText;

/// Something of everything, to be cut up and mixed.
const SAMPLES: [&str; 5] = [
    "namespace A.B;\n\nusing C.D;\n\n/// <summary>x</summary>\ncodeunit 50100 \"My Unit\" implements I, \"J K\"\n{\n    \
     Permissions = tabledata Customer = rimd, codeunit * = X;\n\n    [EventSubscriber(ObjectType::Table, Database::\"A B\", 'OnX', '', \
     true, false)]\n    local procedure P(var A: Record Customer temporary; B: array[2, 3] of Code[20]) Result: Boolean\n    var\n        \
     L: Label 'It''s %1', Comment = 'c', Locked = true;\n        D: Dictionary of [Code[20], List of [Integer]];\n        O: Option ,A,\"B \
     C\";\n    begin\n        if not A.FindSet() then\n            exit(B[1, 2] = 'x')\n        else begin\n            repeat\n                \
     case A.Type of\n                    1 .. 3, A.Type::\"G/L\":\n                        X += -1;\n                    else\n                \
             Y := Z ? 1 : 2;\n                end;\n            until A.Next() = 0;\n        end;\n        foreach X in Y do\n            \
     asserterror Error('');\n        for I := 1 to 10 do;\n        while true do break;\n        with A do\n            Q(this, 0D, 12L, \
     @'v\n');\n    end;\n}\n",
    "table 1 T\n{\n    Caption = 'T';\n    fields\n    {\n        field(1; \"No.\"; Code[20])\n        {\n            TableRelation = if \
     (Type = const(Item)) Item where(Blocked = const(false), \"No.\" = field(\"X Y\")) else if (Type = filter(<> 1 | 2 .. 3)) Q.R;\n        \
         CalcFormula = - sum(L.Amount where(D = field(F)));\n            trigger OnValidate()\n            begin\n            end;\n        \
     }\n    }\n    keys\n    {\n        key(PK; \"No.\", A) { Clustered = true; }\n    }\n    fieldgroups\n    {\n        fieldgroup(DropDown; \
     A, B) { }\n    }\n}\n",
    "page 1 P\n{\n    SourceTableView = sorting(A, B) order(descending) where(C = const(1));\n    layout\n    {\n        area(Content)\n     \
       {\n            repeater(R)\n            {\n                field(N; Rec.\"No.\" + Label[2]) { ApplicationArea = #Basic,\n   #Suite; \
     Visible = not A; }\n                part(Q; \"Sub Page\") { SubPageLink = A = field(B), C = const(1); }\n            }\n        }\n    \
     }\n    actions\n    {\n        area(Processing)\n        {\n            action(A)\n            {\n                RunObject = page X;\n    \
                 trigger OnAction()\n                begin\n                    Message('a');\n                end;\n            }\n           \
      }\n    }\n    views { view(V) { Filters = where(A = filter('x')); } }\n}\n",
    "#if not A\nreport 1 R\n{\n    dataset\n    {\n        dataitem(D; Integer) { column(C; X + 1) { } }\n    }\n    requestpage { layout { } \
     }\n    rendering { layout(L) { Type = RDLC; } }\n    labels { L = 'x', Comment = 'y'; }\n}\n#elif B\nquery 1 Q { elements { dataitem(D; \
     T) { filter(F; G) { } column(C) { Method = Count; } } } }\n#else\nxmlport 1 X { schema { textelement(T) { tableelement(E; \"A B\") { \
     fieldelement(F; E.F) { } } } } }\n#endif\n#pragma warning disable AA1, AL2\n",
    "enum 1 E implements I { value(0; \" \") { Caption = ' ', Locked = true; Implementation = I = \"X\"; } }\ninterface I { procedure P(); \
     }\npermissionset 1 S { Permissions = table T = X; }\nprofile P { Customizations = A, B; }\ncontroladdin C { event E(a: Text) procedure \
     P() }\ndotnet { assembly(a) { type(b; c) { } } }\nentitlement Z { Type = Role; }\n",
];

/// Panics unless the tree holds the whole text, children lie in their parents in order, and errors lie in the text.
fn check(text: &str, symbols: &Symbols) {
    let tree = parse(text, symbols);
    assert_eq!(tree.text(), text);
    let joined: String = tree.tokens().map(TokenRef::text).collect();
    assert_eq!(joined, text);
    for node in tree.nodes() {
        let range = node.range();
        let mut behind = range.start;
        for child in node.children() {
            assert_eq!(child.parent(), Some(node));
            assert!(
                behind <= child.range().start && child.range().end <= range.end,
                "{child:?} in {node:?} of {text:?}"
            );
            behind = child.range().end;
        }
    }
    let root = tree.root().range();
    assert_eq!((root.start, root.end as usize), (0, text.len()));
    for error in tree.errors() {
        assert!(text.get(error.range.as_usize()).is_some(), "{error:?} of {text:?}");
    }
    assert!(format!("{tree:?}").starts_with("CompilationUnit"));
}

#[test]
fn the_samples_have_no_errors() {
    for sample in SAMPLES {
        for symbols in crate::configurations(sample) {
            let tree = parse(sample, &symbols);
            assert_eq!(tree.errors(), [], "{tree:?}");
        }
    }
}

#[test]
fn trees_of_texts_that_break_off_anywhere_are_sound() {
    for sample in SAMPLES {
        for symbols in [
            Symbols::none(),
            ["A"].into_iter().collect(),
            ["A", "B"].into_iter().collect(),
        ] {
            for end in (0..=sample.len()).filter(|&end| sample.is_char_boundary(end)) {
                check(&sample[..end], &symbols);
                check(&format!("{} \n", &sample[..end]), &symbols);
                check(&sample[end..], &symbols);
            }
        }
    }
}

#[test]
fn disabled_text_is_listed_by_whole_lines() {
    let text = "a\n#if X\n b\nc\n#else\nd\n#endif\n";
    let ranges = |symbols: &[&str]| -> Vec<&str> {
        let tree = parse(text, &symbols.iter().collect());
        tree.disabled_ranges().map(|range| &text[range.as_usize()]).collect()
    };
    assert_eq!(ranges(&[]), [" b\nc\n"]);
    assert_eq!(ranges(&["X"]), ["d\n"]);
}

#[test]
fn the_covering_node_is_the_smallest_that_has_it_all() {
    for sample in SAMPLES {
        let tree = parse(sample, &Symbols::none());
        for token in tree.tokens().filter(|token| !token.kind().is_trivia()) {
            let covers = |node: &Node<'_>| node.range().contains_range(token.range());
            let innermost = tree.nodes().filter(covers).last();
            assert_eq!(Some(tree.covering_node(token.range())), innermost, "{token:?}");
        }
        let whole = TextRange::new(0, sample.len() as u32);
        assert_eq!(tree.covering_node(whole), tree.root());
    }
}

/// Pieces of the samples and of nothing at all, in any order.
fn mixed_text() -> impl Strategy<Value = String> {
    let cut = (0..SAMPLES.len(), any::<prop::sample::Index>(), 1..80usize).prop_map(|(sample, at, length)| {
        let characters: Vec<char> = SAMPLES[sample].chars().collect();
        let start = at.index(characters.len());
        characters[start..(start + length).min(characters.len())]
            .iter()
            .collect::<String>()
    });
    let mark = prop::sample::select(vec![
        "(", ")", "{", "}", "[", "]", ";", "'", "\"", "/*", "begin ", "end ", " ", "\n", "é", "\u{FEFF}",
    ]);
    let piece = prop_oneof![6 => cut, 2 => mark.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn trees_of_mixed_texts_are_sound(text in mixed_text(), defined in any::<bool>()) {
        let symbols: Symbols = if defined { ["A"].into_iter().collect() } else { Symbols::none() };
        check(&text, &symbols);
    }

    #[test]
    fn trees_of_any_bytes_are_sound(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        check(SourceText::decode(&bytes).text(), &Symbols::none());
    }
}
