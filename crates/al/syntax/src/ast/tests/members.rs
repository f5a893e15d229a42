use super::{first, members, text};
use crate::ast::{
    Access, Attribute, LabelAttribute, LabelValue, Method, MultiLanguageValue, QualifiedName, ReturnValue,
    TypeReference, VarSection, VariableDeclaration, string_value,
};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::tree::{Node, TokenRef, Tree};

fn methods(tree: &Tree) -> Vec<Method<'_>> {
    tree.root().descendants().filter_map(Method::cast).collect()
}

#[test]
fn a_method_knows_its_parts() {
    let tree = members(
        "[Obsolete('x', '1.0')] [Test] local procedure \"Do It\"(var Rec: Record Item; Count: Integer) Found: Boolean; \
         var A, B: Text; begin A := ''; end;",
    );
    let method = methods(&tree)[0];
    assert!(method.is_procedure() && !method.is_trigger() && !method.is_event());
    assert_eq!(method.name().as_deref(), Some("Do It"));
    assert_eq!(text(method.name_token()), Some("\"Do It\""));
    assert_eq!(text(method.keyword_token()), Some("procedure"));
    assert_eq!(text(method.access_token()), Some("local"));
    assert!(method.is_local() && !method.is_internal() && !method.is_protected());
    assert_eq!(
        method.attributes().map(Attribute::name).collect::<Vec<_>>(),
        ["Obsolete", "Test"]
    );
    assert!(method.attribute("test").is_some() && method.attribute("Scope").is_none());
    assert_eq!(text(method.header_semicolon()), Some(";"));
    assert_eq!(
        tree.slice(method.header_range()),
        "local procedure \"Do It\"(var Rec: Record Item; Count: Integer) Found: Boolean"
    );
    assert_eq!(method.body().map(|body| body.statements().count()), Some(1));
    assert_eq!(
        method
            .variables()
            .flat_map(VariableDeclaration::names)
            .collect::<Vec<_>>(),
        ["A", "B"]
    );

    let parameters: Vec<_> = method.parameters().collect();
    assert_eq!(parameters.len(), 2);
    assert!(parameters[0].is_var() && !parameters[1].is_var());
    assert_eq!(parameters[0].name().as_deref(), Some("Rec"));
    assert!(parameters[0].type_reference().is_some_and(TypeReference::is_record));

    let result = method.return_value().expect("a result");
    assert_eq!(result.name().as_deref(), Some("Found"));
    assert!(result.type_reference().is_some_and(|it| it.is("BOOLEAN")));
}

#[test]
fn access_follows_the_word_before_procedure() {
    let tree = members(
        "procedure A() begin end; internal procedure B() begin end; [Test] protected procedure C() begin end; local procedure D(): Text begin end;",
    );
    let access: Vec<_> = methods(&tree).into_iter().map(Method::access).collect();
    assert_eq!(
        access,
        [Access::Public, Access::Internal, Access::Protected, Access::Local]
    );
    let last = methods(&tree)[3];
    assert_eq!(last.return_value().and_then(ReturnValue::name), None);
    assert_eq!(text(last.header_semicolon()), None);
}

#[test]
fn triggers_of_controls_name_the_control_and_the_event() {
    let tree = members("trigger OnRun() begin end; trigger AddIn::\"Control Ready\"() begin end;");
    let found: Vec<_> = methods(&tree)
        .into_iter()
        .map(|it| (text(it.event_source_token()), it.name().expect("a name").into_owned()))
        .collect();
    assert_eq!(
        found,
        [(None, "OnRun".to_owned()), (Some("AddIn"), "Control Ready".to_owned())]
    );
}

#[test]
fn a_method_without_body_has_none() {
    let tree = members("procedure A(); event B(C: Text)");
    let methods = methods(&tree);
    assert!(
        methods
            .iter()
            .all(|method| method.body().is_none() && method.var_section().is_none())
    );
    assert!(methods[1].is_event());
    assert_eq!(methods[1].parameters().count(), 1);
}

#[test]
fn attributes_give_their_arguments() {
    let tree = members(
        "[EventSubscriber(ObjectType::Codeunit, Codeunit::X, 'OnFoo', '', false)] local procedure A() begin end;",
    );
    let attribute = Attribute::cast(first(&tree, NodeKind::Attribute)).expect("an attribute");
    let arguments: Vec<_> = attribute.arguments().map(|it| it.node().text()).collect();
    assert_eq!(
        arguments,
        ["ObjectType::Codeunit", "Codeunit::X", "'OnFoo'", "''", "false"]
    );
    let bare = members("[Test] procedure A() begin end;");
    let attribute = Attribute::cast(first(&bare, NodeKind::Attribute)).expect("an attribute");
    assert_eq!((attribute.argument_list(), attribute.arguments().count()), (None, 0));
}

#[test]
fn variable_sections_of_objects() {
    let tree = members("var A: Text; protected var [NonDebuggable] \"B C\", D: Code[20];");
    let sections: Vec<_> = tree.root().descendants().filter_map(VarSection::cast).collect();
    assert_eq!(
        sections
            .iter()
            .map(|section| section.is_protected())
            .collect::<Vec<_>>(),
        [false, true]
    );
    assert_eq!(text(sections[1].var_token()), Some("var"));
    let names: Vec<_> = sections
        .iter()
        .flat_map(|section| section.name_tokens())
        .map(TokenRef::text)
        .collect();
    assert_eq!(names, ["A", "\"B C\"", "D"]);
    let declaration = sections[1].declarations().next().expect("a declaration");
    assert!(declaration.declares("b c") && declaration.declares("\"d\"") && !declaration.declares("A"));
    assert_eq!(
        declaration.attributes().map(Attribute::name).collect::<Vec<_>>(),
        ["NonDebuggable"]
    );
    assert_eq!(declaration.type_reference().and_then(TypeReference::length), Some(20));
}

/// The type of the first variable.
fn type_of(tree: &Tree) -> TypeReference<'_> {
    let declaration = VariableDeclaration::cast(first(tree, NodeKind::VariableDeclaration));
    declaration
        .and_then(VariableDeclaration::type_reference)
        .expect("a type")
}

#[test]
fn types_tell_what_they_are_made_of() {
    let tree = members("var A: Record Microsoft.Sales.\"Sales Header\" temporary;");
    let record = type_of(&tree);
    assert!(record.is_record() && record.is_temporary());
    assert_eq!(
        record.subject().and_then(QualifiedName::name).as_deref(),
        Some("Sales Header")
    );
    assert_eq!(text(record.temporary_token()), Some("temporary"));

    let tree = members("var A: array[2, 30] of Record Item;");
    let array = type_of(&tree);
    assert_eq!(array.dimensions().collect::<Vec<_>>(), [2, 30]);
    assert!(!array.is_record() && array.element().is_record());
    assert_eq!(array.keyword(), Keyword::Array);

    let tree = members("var A: Dictionary of [Code[20], List of [Integer]];");
    let names: Vec<_> = type_of(&tree).arguments().map(|it| it.name().into_owned()).collect();
    assert_eq!(names, ["Code", "List"]);

    let tree = members("var A: Option ,B,\"C D\";");
    let option = type_of(&tree);
    assert_eq!(
        option.option_members().map(Node::text).collect::<Vec<_>>(),
        ["B", "\"C D\""]
    );
    assert_eq!(option.dimensions().count(), 0);

    let tree = members("var A: Codeunit 80;");
    assert_eq!(type_of(&tree).subject().and_then(QualifiedName::number), Some(80));

    let tree = members("var A: TextConst ENU='it''s', DAN='det er';");
    let texts = type_of(&tree).text_constant().expect("texts");
    let texts: Vec<_> = MultiLanguageValue::texts(texts)
        .map(|it| (text(it.language_token()), it.text().into_owned()))
        .collect();
    assert_eq!(
        texts,
        [(Some("ENU"), "it's".to_owned()), (Some("DAN"), "det er".to_owned())]
    );
}

#[test]
fn labels_tell_text_and_attributes() {
    let tree = members("var A: Label 'It''s %1', Comment = '%1 = ''it''', locked = TRUE, MaxLength = 30;");
    let label = type_of(&tree).label().expect("a label");
    assert_eq!(label.text(), "It's %1");
    assert_eq!(text(label.text_token()), Some("'It''s %1'"));
    assert_eq!(label.comment().as_deref(), Some("%1 = 'it'"));
    assert_eq!(label.locked(), Some(true));
    assert_eq!(label.max_length(), Some(30));
    assert_eq!(
        label.attributes().map(LabelAttribute::name).collect::<Vec<_>>(),
        ["Comment", "locked", "MaxLength"]
    );

    let tree = members("var A: Label 'x', Locked = false;");
    let label = LabelValue::cast(first(&tree, NodeKind::LabelValue)).expect("a label");
    assert_eq!(
        (label.locked(), label.comment(), label.max_length()),
        (Some(false), None, None)
    );
}

#[test]
fn string_values_lose_their_quotes() {
    let table = [
        ("'a'", "a"),
        ("''", ""),
        ("''''", "'"),
        ("'a''b'", "a'b"),
        ("@'a\nb'", "a\nb"),
        ("'open", "open"),
        ("12", "12"),
    ];
    for (literal, expected) in table {
        assert_eq!(string_value(literal), expected, "{literal}");
    }
}

#[test]
fn broken_members_give_nothing_rather_than_wrong_parts() {
    let tree = members("procedure (");
    let method = methods(&tree)[0];
    assert_eq!(
        (method.name(), method.return_value(), method.body()),
        (None, None, None)
    );
    assert_eq!(method.parameters().count(), 0);
    let tree = members("var A: ;");
    let declaration = VariableDeclaration::cast(first(&tree, NodeKind::VariableDeclaration)).expect("a declaration");
    assert_eq!(declaration.type_reference(), None);
}
