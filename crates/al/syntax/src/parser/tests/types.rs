use super::super::{label, types};
use super::{errors_of, parse_with, shape};
use crate::tree::{Node, Tree};

fn parse(text: &str) -> Tree {
    parse_with(text, types::type_reference)
}

#[test]
fn every_shape_of_type() {
    let table = [
        ("Integer", "Type `Integer`"),
        ("Code[20]", "Type(TypeLength `[20]`)"),
        ("Record Customer", "Type(QualifiedName `Customer`)"),
        (
            "Record \"Sales Header\" temporary",
            "Type(QualifiedName `\"Sales Header\"`)",
        ),
        (
            "Record Microsoft.Sales.Customer.Customer temporary",
            "Type(QualifiedName `Microsoft.Sales.Customer.Customer`)",
        ),
        (
            "Record \"A.B\" SecurityFiltering(Filtered)",
            "Type(QualifiedName `\"A.B\"`)",
        ),
        ("Record 18", "Type(QualifiedName `18`)"),
        ("Codeunit 80", "Type(QualifiedName `80`)"),
        (
            "Enum \"Sales Document Type\"",
            "Type(QualifiedName `\"Sales Document Type\"`)",
        ),
        ("Interface IFoo", "Type(QualifiedName `IFoo`)"),
        ("TestPage \"Customer Card\"", "Type(QualifiedName `\"Customer Card\"`)"),
        ("ControlAddIn Chart", "Type(QualifiedName `Chart`)"),
        ("array[2, 3] of Text[10]", "ArrayType(Type(TypeLength `[10]`))"),
        ("List of [Text]", "GenericType(Type `Text`)"),
        (
            "Dictionary of [Code[20], List of [Integer]]",
            "GenericType(Type(TypeLength `[20]`), GenericType(Type `Integer`))",
        ),
        ("Option", "OptionType `Option`"),
        (
            "Option A,B,\"C D\",",
            "OptionType(IdentifierList(IdentifierListItem `A`, IdentifierListItem `B`, IdentifierListItem `\"C D\"`))",
        ),
        (
            "Option ,A,,B",
            "OptionType(IdentifierList(IdentifierListItem `A`, IdentifierListItem `B`))",
        ),
        (
            "DotNet \"System.String\"",
            "DotNetTypeReference(QualifiedName `\"System.String\"`)",
        ),
        ("DotNet Foo RunOnClient", "DotNetTypeReference(QualifiedName `Foo`)"),
        (
            "DotNet Foo WithEvents SuppressDispose",
            "DotNetTypeReference(QualifiedName `Foo`)",
        ),
        (
            "Label 'a', Comment = 'b', Locked = true, MaxLength = 30",
            "LabelType(LabelValue(LabelAttribute `Comment = 'b'`, LabelAttribute `Locked = true`, LabelAttribute `MaxLength = 30`))",
        ),
        ("Label @'a'", "LabelType(LabelValue `@'a'`)"),
        (
            "TextConst ENU='x',DAN='y'",
            "TextConstType(MultiLanguageValue(MultiLanguageText `ENU='x'`, MultiLanguageText `DAN='y'`))",
        ),
        ("HttpClient", "Type `HttpClient`"),
    ];
    for (text, expected) in table {
        let tree = parse(text);
        assert_eq!(tree.errors(), [], "{text}");
        let node = tree.root().children().next().expect("a type");
        assert_eq!((shape(node).as_str(), node.text()), (expected, text));
    }
}

#[test]
fn a_type_ends_with_its_line_where_it_is_incomplete() {
    for text in ["Option\nbegin", "Record\nbegin", "Codeunit\nlocal procedure A()"] {
        let tree = parse(text);
        assert_eq!(
            tree.root().children().next().map(Node::text),
            text.lines().next(),
            "{text}"
        );
    }
}

#[test]
fn what_is_missing_in_a_type_is_named() {
    let table = [
        ("", "1:1 Expected a type, found the end of the file"),
        ("Code[]", "1:6 Expected a length, found `]`"),
        ("array[2] Integer", "1:10 Expected `of`, found `Integer`"),
        ("List of Text", "1:9 Expected `[`, found `Text`"),
        ("List of [Text", "1:14 Expected `]`, found the end of the file"),
        (
            "DotNet",
            "1:7 Expected the name of a .NET type, found the end of the file",
        ),
        ("Label 'a', Lock true", "1:17 Expected `=`, found `true`"),
        (
            "Label 'a', Locked = ",
            "1:21 Expected a value, found the end of the file",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(errors_of(&parse(text)), [expected], "{text}");
    }
}

#[test]
fn a_comma_may_end_a_label() {
    let tree = parse_with("'a', Locked = true,;", label::label_value);
    assert_eq!(tree.errors(), []);
}
