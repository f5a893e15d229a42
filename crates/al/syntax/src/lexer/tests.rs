use proptest::prelude::*;

use super::*;
use crate::directive::PragmaAction;
use crate::text::SourceText;

fn lexed(text: &str) -> Lexed {
    lex(text, &Symbols::none())
}

fn text_of<'a>(text: &'a str, tokens: &[Token], index: usize) -> &'a str {
    let end = tokens.get(index + 1).map_or(text.len(), |next| next.start as usize);
    &text[tokens[index].start as usize..end]
}

/// Every token but whitespace and the end of the file, as `Kind text`.
fn tokens_with(text: &str, symbols: &[&str]) -> Vec<String> {
    let lexed = lex(text, &symbols.iter().collect());
    let tokens = &lexed.tokens;
    (0..tokens.len() - 1)
        .filter(|&index| tokens[index].kind != TokenKind::Whitespace)
        .map(|index| format!("{:?} {}", tokens[index].kind, text_of(text, tokens, index)))
        .collect()
}

fn tokens(text: &str) -> Vec<String> {
    tokens_with(text, &[])
}

/// Every error as `Kind` and the text it covers, in text order.
fn errors(text: &str) -> Vec<(SyntaxErrorKind, &str)> {
    let mut errors = lexed(text).errors;
    errors.sort_by_key(|error| error.range.start);
    errors
        .into_iter()
        .map(|error| (error.kind, &text[error.range.as_usize()]))
        .collect()
}

#[test]
fn every_mark_is_the_longest_that_fits() {
    assert_eq!(
        tokens("; : :: := , . .. ... ( ) [ ] { } = <> < <= > >= + - * / += -= *= /= ? & |"),
        [
            "Semicolon ;",
            "Colon :",
            "ColonColon ::",
            "Assign :=",
            "Comma ,",
            "Dot .",
            "DotDot ..",
            "DotDot ..",
            "Dot .",
            "LeftParenthesis (",
            "RightParenthesis )",
            "LeftBracket [",
            "RightBracket ]",
            "LeftBrace {",
            "RightBrace }",
            "Equals =",
            "NotEquals <>",
            "Less <",
            "LessEquals <=",
            "Greater >",
            "GreaterEquals >=",
            "Plus +",
            "Minus -",
            "Star *",
            "Slash /",
            "PlusAssign +=",
            "MinusAssign -=",
            "StarAssign *=",
            "SlashAssign /=",
            "Question ?",
            "Unknown &",
            "Unknown |",
        ]
    );
}

#[test]
fn numbers_end_where_their_type_says() {
    for (text, expected) in [
        ("123", vec!["IntegerLiteral 123"]),
        ("123L", vec!["BigIntegerLiteral 123L"]),
        ("1.5", vec!["DecimalLiteral 1.5"]),
        ("1..5", vec!["IntegerLiteral 1", "DotDot ..", "IntegerLiteral 5"]),
        ("1.", vec!["IntegerLiteral 1", "Dot ."]),
        ("5.ToText", vec!["IntegerLiteral 5", "Dot .", "Identifier ToText"]),
        ("0D", vec!["DateLiteral 0D"]),
        ("20261130d", vec!["DateLiteral 20261130d"]),
        ("0T", vec!["TimeLiteral 0T"]),
        ("235959.999T", vec!["TimeLiteral 235959.999T"]),
        ("0DT", vec!["DateTimeLiteral 0DT"]),
        ("0Day", vec!["IntegerLiteral 0", "Identifier Day"]),
        ("1Lé", vec!["IntegerLiteral 1", "Identifier Lé"]),
        (
            "1L..2L",
            vec!["BigIntegerLiteral 1L", "DotDot ..", "BigIntegerLiteral 2L"],
        ),
    ] {
        assert_eq!(tokens(text), expected, "{text}");
    }
}

#[test]
fn quotes_are_doubled_inside_and_end_with_the_line() {
    assert_eq!(tokens("'it''s' ''"), ["StringLiteral 'it''s'", "StringLiteral ''"]);
    assert_eq!(
        tokens("\"a\"\"b\".\"c\""),
        ["QuotedIdentifier \"a\"\"b\"", "Dot .", "QuotedIdentifier \"c\""]
    );
    assert_eq!(errors("'it''s' \"a\"\"b\""), []);
    assert_eq!(tokens("'ab\n'c'"), ["StringLiteral 'ab", "StringLiteral 'c'"]);
    assert_eq!(errors("'ab\r\n'c'"), [(SyntaxErrorKind::UnterminatedString, "'ab")]);
    assert_eq!(
        errors("x \"ab"),
        [(SyntaxErrorKind::UnterminatedQuotedIdentifier, "\"ab")]
    );
}

#[test]
fn a_verbatim_string_may_span_lines() {
    assert_eq!(
        tokens("@'a\n''b' x"),
        ["VerbatimStringLiteral @'a\n''b'", "Identifier x"]
    );
    assert_eq!(tokens("@'a\nx"), ["VerbatimStringLiteral @'a", "Identifier x"]);
    assert_eq!(errors("@'a\nx"), [(SyntaxErrorKind::UnterminatedString, "@'a")]);
    assert_eq!(tokens("@x"), ["Unknown @", "Identifier x"]);
}

#[test]
fn comments_are_trivia() {
    assert_eq!(
        tokens("a// b\n/* c\n*/d/**/"),
        [
            "Identifier a",
            "LineComment // b",
            "BlockComment /* c\n*/",
            "Identifier d",
            "BlockComment /**/"
        ]
    );
    assert_eq!(tokens("/*/ a */"), ["BlockComment /*/ a */"]);
    assert_eq!(tokens("/* a\nb"), ["BlockComment /* a\nb"]);
    assert_eq!(errors("/* a\nb"), [(SyntaxErrorKind::UnterminatedComment, "/* a")]);
}

#[test]
fn names_hold_any_letter() {
    assert_eq!(
        tokens("Größe été_1 Ωmega 名前"),
        [
            "Identifier Größe",
            "Identifier été_1",
            "Identifier Ωmega",
            "Identifier 名前"
        ]
    );
    assert_eq!(
        errors("a \u{2192}\u{2190} b & c"),
        [(SyntaxErrorKind::UnknownCharacter, "\u{2192}\u{2190}")]
    );
    assert_eq!(tokens("\u{FEFF}a"), ["Identifier a"]);
}

#[test]
fn blanks_beyond_ascii_are_blanks() {
    let text = "a\u{A0}\u{3000}b \u{200B}c\u{202F}:=\u{A0}1";
    assert_eq!(
        tokens(text),
        [
            "Identifier a",
            "Identifier b",
            "Identifier c",
            "Assign :=",
            "IntegerLiteral 1"
        ]
    );
    assert_eq!(errors(text), []);
}

#[test]
fn words_are_recognised_in_any_case() {
    let lexed = lexed("BEGIN Begin begins \"begin\"");
    let keywords: Vec<Keyword> = lexed
        .tokens
        .iter()
        .filter(|token| !token.kind.is_trivia())
        .map(|token| token.keyword)
        .collect();
    assert_eq!(
        keywords,
        [
            Keyword::Begin,
            Keyword::Begin,
            Keyword::None,
            Keyword::None,
            Keyword::None
        ]
    );
}

#[test]
fn the_first_token_of_a_line_is_marked() {
    let text = "a b\n  c // d\n/* e\n*/ f @'g\nh' i\n#region\nj";
    let lexed = lexed(text);
    let first: Vec<&str> = (0..lexed.tokens.len())
        .filter(|&index| !lexed.tokens[index].kind.is_trivia() && lexed.tokens[index].first_on_line)
        .map(|index| text_of(text, &lexed.tokens, index))
        .collect();
    assert_eq!(first, ["a", "c", "f", "j"]);
}

#[test]
fn a_hash_begins_a_directive_only_at_the_start_of_a_line() {
    assert_eq!(
        tokens("x = #if;"),
        ["Identifier x", "Equals =", "Hash #", "Identifier if", "Semicolon ;"]
    );
    assert_eq!(
        tokens("/* */ #region"),
        ["BlockComment /* */", "Hash #", "Identifier region"]
    );
    assert_eq!(
        tokens("\u{FEFF} \t# region a // b\nx"),
        ["Directive # region a // b", "Identifier x"]
    );
    assert_eq!(
        tokens("= #Basic,\n  #Suite"),
        [
            "Equals =",
            "Hash #",
            "Identifier Basic",
            "Comma ,",
            "Hash #",
            "Identifier Suite"
        ]
    );
}

#[test]
fn a_condition_switches_text_off() {
    let text = "a\n#if X\nb\nc\n  #elif Y // why\nd\n#else\ne\n#endif\nf";
    let directives = [
        "Directive #if X",
        "Directive #elif Y // why",
        "Directive #else",
        "Directive #endif",
    ];
    for (symbols, kept) in [
        (vec![], "e"),
        (vec!["X"], "b c"),
        (vec!["Y"], "d"),
        (vec!["X", "Y"], "b c"),
    ] {
        let tokens = tokens_with(text, &symbols);
        let names: Vec<&str> = tokens
            .iter()
            .filter_map(|token| token.strip_prefix("Identifier "))
            .collect();
        assert_eq!(names.join(" "), format!("a {kept} f"), "{symbols:?}");
        let found: Vec<&str> = tokens
            .iter()
            .filter(|token| token.starts_with("Directive"))
            .map(String::as_str)
            .collect();
        assert_eq!(found, directives);
    }
    assert_eq!(
        tokens_with(text, &["Y"])[1..4],
        ["Directive #if X", "DisabledText b\nc\n", "Directive #elif Y // why"]
    );
}

#[test]
fn directives_in_disabled_text_are_kept_and_have_no_effect() {
    let text =
        "#if X\n#define X\n 'it\n#if not X\na\n#endif\n#Suite\n#pragma warning disable AA1\n#endif\n#if X\nb\n#endif";
    assert_eq!(
        tokens(text),
        [
            "Directive #if X",
            "Directive #define X",
            "DisabledText  'it\n",
            "Directive #if not X",
            "DisabledText a\n",
            "Directive #endif",
            "DisabledText #Suite\n",
            "Directive #pragma warning disable AA1",
            "Directive #endif",
            "Directive #if X",
            "DisabledText b\n",
            "Directive #endif",
        ]
    );
    let lexed = lexed(text);
    let active: Vec<bool> = lexed.directives.iter().map(|directive| directive.active).collect();
    assert_eq!(active, [true, false, false, false, false, true, true, true]);
    assert_eq!(errors(text), []);
}

#[test]
fn symbols_can_be_defined_and_undefined_on_the_way() {
    let text = "#if A\na\n#endif\n#define A\n#if A\nb\n#endif\n#undef A\n#if A\nc\n#endif";
    let names: Vec<String> = tokens(text)
        .into_iter()
        .filter(|token| token.starts_with("Identifier"))
        .collect();
    assert_eq!(names, ["Identifier b"]);
}

#[test]
fn unmatched_and_malformed_directives_are_reported_once() {
    use SyntaxErrorKind::{MalformedDirective, UnmatchedDirective, UnterminatedDirective};
    for (text, expected) in [
        ("#endif", vec![(UnmatchedDirective, "#endif")]),
        ("#else", vec![(UnmatchedDirective, "#else")]),
        ("#elif A", vec![(UnmatchedDirective, "#elif A")]),
        ("#endregion x", vec![(UnmatchedDirective, "#endregion x")]),
        ("#if A", vec![(UnterminatedDirective, "#if A")]),
        ("#region A", vec![(UnterminatedDirective, "#region A")]),
        ("#if A\n#else\n#else\n#endif", vec![(UnmatchedDirective, "#else")]),
        (
            "#if A\n#region R\n#endif\n#endregion",
            vec![(UnterminatedDirective, "#region R")],
        ),
        (
            "#region R\n#if A\n#endregion\n#endif",
            vec![(UnmatchedDirective, "#endregion")],
        ),
        ("#region R\n#if A\n#endif\n#endregion", vec![]),
        ("#region R\n#endif\n#endregion", vec![(UnmatchedDirective, "#endif")]),
        ("#if A\n#else B\n#endif // C", vec![(MalformedDirective, "#else B")]),
        ("#if\n#endif", vec![(MalformedDirective, "#if")]),
        ("#if A or\n#endif", vec![(MalformedDirective, "#if A or")]),
        ("#define 1", vec![(MalformedDirective, "#define 1")]),
        ("#define A B", vec![(MalformedDirective, "#define A B")]),
        (
            "#pragma warning hide A",
            vec![(MalformedDirective, "#pragma warning hide A")],
        ),
        ("#pragma", vec![(MalformedDirective, "#pragma")]),
        ("#nonsense", vec![(MalformedDirective, "#nonsense")]),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn pragmas_say_what_they_do_to_which_ids() {
    for (text, action, ids) in [
        (
            "#pragma warning disable AA0001, AL0432 // why",
            PragmaAction::Disable,
            vec!["AA0001", "AL0432"],
        ),
        ("#pragma warning restore", PragmaAction::Restore, vec![]),
        (
            " # Pragma  WARNING  Enable  CN0001 ,LC0002,",
            PragmaAction::Enable,
            vec!["CN0001", "LC0002"],
        ),
    ] {
        let lexed = lexed(text);
        let DirectiveKind::PragmaWarning {
            action: found,
            ids: ranges,
        } = &lexed.directives[0].kind
        else {
            panic!("{text} is {:?}", lexed.directives[0].kind);
        };
        let names: Vec<&str> = ranges.iter().map(|range| &text[range.as_usize()]).collect();
        assert_eq!((*found, names), (action, ids), "{text}");
        assert_eq!(errors(text), []);
    }
    assert_eq!(
        lexed("#pragma implicitwith disable").directives[0].kind,
        DirectiveKind::PragmaImplicitWith {
            action: PragmaAction::Disable
        }
    );
    assert_eq!(
        lexed("#pragma checksum x").directives[0].kind,
        DirectiveKind::OtherPragma
    );
}

/// Texts that meet quotes, comments and directives often.
fn tricky_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "\n",
            "\r\n",
            "\r",
            " ",
            "\t",
            "#if A\n",
            "#if not A",
            "#elif B",
            "\n#else\n",
            "\n#endif\n",
            "#region",
            "#endregion",
            "#define A",
            "#undef A",
            "#pragma warning disable AA1,",
            "'",
            "\"",
            "@'",
            "/*",
            "*/",
            "//",
            "1.5",
            "1..5",
            "0DT",
            "12L",
            "begin",
            "é",
            "名",
            "\u{FEFF}",
            "\u{A0}",
            ":=",
            "::",
            "#",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Checks that the tokens tile the text, that only the last is empty, and that every report lies in the text.
fn check_tiling(text: &str, symbols: &Symbols) -> Result<(), TestCaseError> {
    let lexed = lex(text, symbols);
    let tokens = &lexed.tokens;
    prop_assert_eq!(tokens[0].start, 0);
    let mut joined = String::new();
    for index in 0..tokens.len() {
        let part = text_of(text, tokens, index);
        let is_last = index + 1 == tokens.len();
        prop_assert_eq!(part.is_empty(), is_last);
        prop_assert_eq!(tokens[index].kind == TokenKind::EndOfFile, is_last);
        joined.push_str(part);
    }
    prop_assert_eq!(joined.as_str(), text);
    let directives = tokens.iter().filter(|token| token.kind == TokenKind::Directive).count();
    prop_assert_eq!(directives, lexed.directives.len());
    for directive in &lexed.directives {
        prop_assert_eq!(tokens[directive.token as usize].kind, TokenKind::Directive);
        if let DirectiveKind::PragmaWarning { ids, .. } = &directive.kind {
            for id in ids {
                prop_assert!(text.get(id.as_usize()).is_some_and(|id| !id.is_empty()));
            }
        }
    }
    prop_assert!(lexed.errors.is_sorted_by_key(|error| error.range.start));
    for error in &lexed.errors {
        prop_assert!(text.get(error.range.as_usize()).is_some());
    }
    Ok(())
}

proptest! {
    #[test]
    fn tokens_tile_any_text(text in tricky_text(), defined in any::<bool>()) {
        let symbols: Symbols = if defined { ["A"].into_iter().collect() } else { Symbols::none() };
        check_tiling(&text, &symbols)?;
    }

    #[test]
    fn tokens_tile_what_any_bytes_decode_to(bytes in proptest::collection::vec(any::<u8>(), 0..256)) {
        check_tiling(SourceText::decode(&bytes).text(), &Symbols::none())?;
    }
}
