use super::*;
use crate::{Symbols, parse};

fn texts<'t>(tokens: impl Iterator<Item = TokenRef<'t>>) -> Vec<&'t str> {
    tokens.map(TokenRef::text).collect()
}

#[test]
fn a_file_tells_its_namespace_usings_and_objects() {
    let tree = parse(
        "namespace A.\"B C\";\nusing D;\nusing E.F;\nenum 5 X { }\nenum 6 Y { }",
        &Symbols::none(),
    );
    let unit = CompilationUnit::of(&tree);
    let namespace = unit.namespace().expect("a namespace");
    assert_eq!(texts(namespace.segments()), ["A", "\"B C\""]);
    assert_eq!(namespace.name().as_deref(), Some("B C"));
    assert!(namespace.is_qualified());
    let usings: Vec<_> = unit
        .usings()
        .filter_map(UsingDirective::name)
        .map(|name| name.node().text())
        .collect();
    assert_eq!(usings, ["D", "E.F"]);
    assert_eq!(
        unit.objects().map(Object::number).collect::<Vec<_>>(),
        [Some(5), Some(6)]
    );
}

#[test]
fn an_object_tells_its_head_and_members() {
    let text = "tableextension 7 \"My \"\"T\" extends 18 {\n\
        fields { field(1; A; Code[20]) { trigger OnValidate() begin end; } modify(B) { Caption = 'x'; } }\n\
        keys { key(K; A, \"B C\") { } }\n\
        fieldgroups { addlast(DropDown; A) { } }\n\
        var V: Integer;\n procedure P() begin end;\n trigger OnInsert() begin end; }";
    let tree = parse(text, &Symbols::none());
    let object = CompilationUnit::of(&tree).objects().next().expect("an object");
    assert_eq!(object.kind(), NodeKind::TableExtension);
    assert_eq!(object.keyword_token().map(TokenRef::text), Some("tableextension"));
    assert_eq!(object.name_token().map(TokenRef::text), Some("\"My \"\"T\""));
    assert_eq!(object.name().as_deref(), Some("My \"T"));
    assert!(object.is_extension());
    assert_eq!(
        object.extends().map(QualifiedName::number).collect::<Vec<_>>(),
        [Some(18)]
    );
    assert_eq!(object.sections().count(), 3);
    assert_eq!(object.var_sections().count(), 1);
    assert_eq!(object.methods().count(), 2);
    assert_eq!(object.triggers().count(), 1);

    let field = object.fields().next().expect("a field");
    assert_eq!((field.number(), field.name().as_deref()), (Some(1), Some("A")));
    assert_eq!(field.type_node().map(Node::text), Some("Code[20]"));
    assert_eq!(field.triggers().count(), 1);
    assert_eq!(
        object.keys().flat_map(|key| texts(key.fields())).collect::<Vec<_>>(),
        ["A", "\"B C\""]
    );
    assert!(
        object
            .field_groups()
            .all(|group| group.is_addition() && texts(group.fields()) == ["A"])
    );
    assert_eq!(Object::around(field.node()), Some(object));
}

#[test]
fn controls_and_actions_tell_what_they_show() {
    let text = "pageextension 1 P extends Q {\n\
        layout { addafter(X) { field(A; Rec.\"B C\") { } part(D; N.\"E F\") { } } movelast(G; H, \"I J\") }\n\
        actions { addlast(Promoted) { actionref(R; A) { } } } }";
    let tree = parse(text, &Symbols::none());
    let object = CompilationUnit::of(&tree).objects().next().expect("an object");
    let controls: Vec<_> = object.controls().collect();
    assert_eq!(controls.len(), 2);
    assert_eq!(controls[0].source_expression().map(Node::text), Some("Rec.\"B C\""));
    assert_eq!(
        controls[1].source_object().and_then(QualifiedName::name).as_deref(),
        Some("E F")
    );
    let actions: Vec<_> = object.actions().collect();
    assert_eq!(actions.len(), 1);
    assert_eq!(actions[0].kind(), NodeKind::ActionRef);
    assert_eq!(actions[0].target_token().map(TokenRef::text), Some("A"));
    let changes: Vec<_> = tree.root().descendants().filter_map(Change::cast).collect();
    assert_eq!(
        changes.iter().map(|change| change.verb()).collect::<Vec<_>>(),
        [Keyword::AddAfter, Keyword::MoveLast, Keyword::AddLast]
    );
    assert_eq!(changes[1].name().as_deref(), Some("G"));
    assert_eq!(texts(changes[1].moved()), ["H", "\"I J\""]);
}

#[test]
fn enum_values_columns_and_schema_nodes_tell_their_parts() {
    let text = "enum 1 E { value(-1; \" \") { } value(3; A) { } }\n\
        report 2 R { dataset { dataitem(D; N.T) { column(C; F.G) { } dataitem(I; J) { column(K; L) { } } } } }\n\
        xmlport 3 X { schema { tableelement(T; U) { fieldelement(F; T.G) { } } } }";
    let tree = parse(text, &Symbols::none());
    let objects: Vec<_> = CompilationUnit::of(&tree).objects().collect();
    let values: Vec<_> = objects[0]
        .enum_values()
        .map(|value| (value.number(), value.name()))
        .collect();
    assert_eq!(values, [(Some(-1), Some(" ".into())), (Some(3), Some("A".into()))]);
    let item = tree.root().descendants().find_map(DataItem::cast).expect("a data item");
    assert_eq!(item.table().map(|table| table.node().text()), Some("N.T"));
    let sources: Vec<_> = item
        .columns()
        .filter_map(Column::source_expression)
        .map(Node::text)
        .collect();
    assert_eq!(sources, ["F.G"]);
    let nodes: Vec<_> = tree.root().descendants().filter_map(XmlNode::cast).collect();
    assert_eq!(nodes[0].table().map(|table| table.node().text()), Some("U"));
    assert_eq!(nodes[1].source_expression().map(Node::text), Some("T.G"));
}

#[test]
fn properties_belong_to_the_node_they_stand_in() {
    let text =
        "page 1 P { Caption = 'a'; layout { area(A) { group(G) { Caption = 'b'; field(F; F) { caption = 'c'; } } } } }";
    let tree = parse(text, &Symbols::none());
    let captions: Vec<_> = tree
        .nodes()
        .filter_map(PropertyOwner::cast)
        .filter_map(|owner| Some((owner.node().kind(), owner.property("CAPTION")?.value_text())))
        .collect();
    assert_eq!(
        captions,
        [
            (NodeKind::Page, "'a'"),
            (NodeKind::Group, "'b'"),
            (NodeKind::PageField, "'c'")
        ]
    );
    let owner = tree
        .root()
        .descendants()
        .find_map(Control::cast)
        .map(PropertyOwner::from)
        .expect("an area");
    assert_eq!(owner.properties().count(), 0);
    assert!(owner.is_named("a") && owner.property("Caption").is_none());
}

#[test]
fn broken_parts_have_no_name_instead_of_a_wrong_one() {
    let tree = parse("table {\n fields { field(; ; ) { } } }\npage 5 { }", &Symbols::none());
    for object in CompilationUnit::of(&tree).objects() {
        assert_eq!(object.name(), None);
        assert!(
            object
                .fields()
                .all(|field| field.name().is_none() && field.number().is_none())
        );
    }
}
