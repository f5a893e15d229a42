use super::{named_nodes, tree_of};
use crate::NodeKind;
use crate::ast::{CompilationUnit, Object};
use crate::parser::tests::errors_of;

/// The outline of a text that has no error.
fn sound(text: &str) -> String {
    let tree = tree_of(text);
    assert_eq!(errors_of(&tree), [""; 0], "{text}");
    format!("{tree:?}")
}

#[test]
fn a_file_is_namespace_usings_and_objects() {
    insta::assert_snapshot!(sound("namespace A.B;\nusing C.\"D E\";\nenum 7 X implements I, N.J\n{\n    value(0; \" \") { }\n}\n"), @r#"
    CompilationUnit
      NamespaceDeclaration
        namespace
        QualifiedName
          A
          .
          B
        ;
      UsingDirective
        using
        QualifiedName
          C
          .
          "D E"
        ;
      Enum
        enum
        ObjectId
          7
        Name
          X
        ImplementsClause
          implements
          QualifiedName
            I
          ,
          QualifiedName
            N
            .
            J
        {
        EnumValue
          value
          (
          ObjectId
            0
          ;
          Name
            " "
          )
          {
          }
        }
    "#);
}

#[test]
fn a_table_has_fields_keys_and_field_groups() {
    let text = "\
table 1 T
{
    Caption = 'x';
    fields
    {
        field(1; \"No.\"; Code[20]) { NotBlank = true; }
    }
    keys
    {
        key(PK; \"No.\", Name) { Clustered = true; }
    }
    fieldgroups
    {
        fieldgroup(DropDown; \"No.\") { }
    }
}";
    insta::assert_snapshot!(sound(text), @r#"
    CompilationUnit
      Table
        table
        ObjectId
          1
        Name
          T
        {
        Property
          Caption
          =
          LabelValue
            'x'
          ;
        FieldSection
          fields
          {
          Field
            field
            (
            ObjectId
              1
            ;
            Name
              "No."
            ;
            Type
              Code
              TypeLength
                [
                20
                ]
            )
            {
            Property
              NotBlank
              =
              ExpressionValue
                Literal
                  true
              ;
            }
          }
        KeySection
          keys
          {
          Key
            key
            (
            Name
              PK
            ;
            IdentifierList
              IdentifierListItem
                "No."
              ,
              IdentifierListItem
                Name
            )
            {
            Property
              Clustered
              =
              ExpressionValue
                Literal
                  true
              ;
            }
          }
        FieldGroupSection
          fieldgroups
          {
          FieldGroup
            fieldgroup
            (
            Name
              DropDown
            ;
            IdentifierList
              IdentifierListItem
                "No."
            )
            {
            }
          }
        }
    "#);
}

#[test]
fn every_kind_of_object_has_its_head() {
    use NodeKind as K;
    /// Head, kind, name, what it extends, what it implements.
    type Head<'t> = (&'t str, NodeKind, &'t str, &'t [&'t str], &'t [&'t str]);
    let heads: &[Head<'_>] = &[
        ("table 1 A", K::Table, "A", &[], &[]),
        ("table A", K::Table, "A", &[], &[]),
        (
            "tableextension 1 A extends Customer",
            K::TableExtension,
            "A",
            &["Customer"],
            &[],
        ),
        ("page 1 \"A B\"", K::Page, "A B", &[], &[]),
        (
            "PageExtension 1 A EXTENDS N.\"C D\"",
            K::PageExtension,
            "A",
            &["N.\"C D\""],
            &[],
        ),
        ("pageextension 1 A extends 21", K::PageExtension, "A", &["21"], &[]),
        (
            "pagecustomization A customizes B",
            K::PageCustomization,
            "A",
            &["B"],
            &[],
        ),
        ("report 1 A", K::Report, "A", &[], &[]),
        ("reportextension 1 A extends B", K::ReportExtension, "A", &["B"], &[]),
        (
            "codeunit 1 A implements I, \"J\"",
            K::Codeunit,
            "A",
            &[],
            &["I", "\"J\""],
        ),
        ("codeunit 1 Extends", K::Codeunit, "Extends", &[], &[]),
        ("query 1 A", K::Query, "A", &[], &[]),
        ("xmlport 1 A", K::XmlPort, "A", &[], &[]),
        ("enum 1 A implements I", K::Enum, "A", &[], &["I"]),
        ("enumextension 1 A extends B", K::EnumExtension, "A", &["B"], &[]),
        ("interface A", K::Interface, "A", &[], &[]),
        ("interface A extends B, C", K::Interface, "A", &["B", "C"], &[]),
        ("permissionset 1 A", K::PermissionSet, "A", &[], &[]),
        (
            "permissionsetextension 1 A extends B",
            K::PermissionSetExtension,
            "A",
            &["B"],
            &[],
        ),
        ("entitlement A", K::Entitlement, "A", &[], &[]),
        ("profile A", K::Profile, "A", &[], &[]),
        ("profileextension A extends B", K::ProfileExtension, "A", &["B"], &[]),
        ("controladdin A", K::ControlAddIn, "A", &[], &[]),
    ];
    for &(head, kind, name, extends, implements) in heads {
        let tree = tree_of(&format!("{head}\n{{\n}}"));
        assert_eq!(errors_of(&tree), [""; 0], "{head}");
        let objects: Vec<Object<'_>> = CompilationUnit::of(&tree).objects().collect();
        let [object] = objects[..] else {
            panic!("{head} is one object")
        };
        assert_eq!(object.kind(), kind, "{head}");
        assert_eq!(object.name().as_deref(), Some(name), "{head}");
        assert_eq!(
            object.extends().map(|name| name.node().text()).collect::<Vec<_>>(),
            extends,
            "{head}"
        );
        assert_eq!(
            object.implements().map(|name| name.node().text()).collect::<Vec<_>>(),
            implements,
            "{head}"
        );
    }
    assert_eq!(
        errors_of(&tree_of(
            "dotnet\n{\n    assembly(mscorlib) { type(System.String; Str) { } }\n}"
        )),
        [""; 0]
    );
}

/// What a section holds: the text inside it and the kinds of its parts with their names, nested ones indented.
#[test]
fn every_part_of_every_section_has_its_kind() {
    let cases: &[(&str, &str, &str)] = &[
        (
            "tableextension 1 T extends U { fields { # } }",
            "field(5; A; Enum \"B C\") { trigger OnValidate() begin end; } modify(\"D E\") { Caption = 'x'; }",
            "Field A|  Trigger OnValidate|FieldModification \"D E\"",
        ),
        (
            "tableextension 1 T extends U { fieldgroups { # } }",
            "addlast(DropDown; A, \"B C\") { } addlast(Brick; A)",
            "FieldGroupAddition DropDown|FieldGroupAddition Brick",
        ),
        (
            "page 1 P { layout { # } }",
            "area(Content) { group(G) { cuegroup(C) { } repeater(R) { field(F; Rec.F) { } } grid(H) { } fixed(I) { } } }",
            "Area Content|  Group G|    CueGroup C|    Repeater R|      PageField F|    Grid H|    Fixed I",
        ),
        (
            "page 1 P { layout { area(FactBoxes) { # } } }",
            "part(A; B.C) { } part(Numbered; 50100) { } systempart(D; Notes) { } chartpart(\"9\"; \"9\") { } \
             usercontrol(U; Addin) { trigger Ready() begin end; } label(L) { }",
            "Area FactBoxes|  Part A|  Part Numbered|  SystemPart D|  ChartPart \"9\"|  UserControl U|    Trigger Ready|  \
             PageLabel L",
        ),
        (
            "page 1 P { layout { area(Content) { cuegroup(C) { # } } } }",
            "actions { action(A) { trigger OnAction() begin end; } }",
            "Area Content|  CueGroup C|    Action A|      Trigger OnAction",
        ),
        (
            "pageextension 1 P extends Q { layout { # } }",
            "addfirst(A) { field(B; C) { } } addlast(A) { } addafter(A) { } addbefore(A) { } movefirst(A; B) \
             movelast(A; B, \"C D\"); moveafter(A; B) movebefore(A; B) modify(\"A B\") { Visible = false; }",
            "ControlChange A|  PageField B|ControlChange A|ControlChange A|ControlChange A|ControlChange A|ControlChange A|\
             ControlChange A|ControlChange A|ControlChange \"A B\"",
        ),
        (
            "page 1 P { actions { # } }",
            "area(Processing) { group(G) { Caption = 'x'; action(A) { } separator(S) { } customaction(C) { } \
             fileuploadaction(F) { } } systemaction(OK) { } actionref(R; A) { } }",
            "ActionArea Processing|  ActionGroup G|    Action A|    ActionSeparator S|    CustomAction C|    \
             FileUploadAction F|  SystemAction OK|  ActionRef R",
        ),
        (
            "pageextension 1 P extends Q { actions { # } }",
            "addlast(Processing) { action(A) { } } modify(B) { trigger OnAfterAction() begin end; } moveafter(C; D)",
            "ActionChange Processing|  Action A|ActionChange B|  Trigger OnAfterAction|ActionChange C",
        ),
        (
            "page 1 P { views { # } }",
            "view(V) { Filters = where(A = const(1)); layout { modify(F) { Visible = false; } } } analysisview(A) { }",
            "View V|  ControlChange F|AnalysisView A",
        ),
        (
            "pageextension 1 P extends Q { views { # } }",
            "addlast { view(A) { } } addfirst(X) { view(B) { } } modify(C) { Visible = false; } moveafter(D; E)",
            "View A|ViewChange X|  View B|ViewChange C|ViewChange D",
        ),
        (
            "report 1 R { dataset { # } }",
            "dataitem(A; Customer) { column(B; C) { } column(\"D\"; Label[2]) { } dataitem(Integer; Integer) { \
             trigger OnPreDataItem() begin end; } }",
            "DataItem A|  ReportColumn B|  ReportColumn \"D\"|  DataItem Integer|    Trigger OnPreDataItem",
        ),
        (
            "reportextension 1 R extends S { dataset { # } }",
            "add(A) { column(B; C) { } } addlast(A) { dataitem(D; E) { } } modify(A) { trigger OnAfterPreDataItem() begin end; }",
            "DataSetChange A|  ReportColumn B|DataSetChange A|  DataItem D|DataSetChange A|  Trigger OnAfterPreDataItem",
        ),
        (
            "report 1 R { # }",
            "requestpage { SaveValues = true; layout { area(Content) { field(A; B) { } } } actions { } trigger OnOpenPage() \
             begin end; } rendering { layout(L) { Type = RDLC; } } labels { A = 'a', Comment = 'b'; label(B; 'b') { } \
             label(C; 'c') label(D; 'd', Locked = true); }",
            "Area Content|  PageField A|Trigger OnOpenPage|RenderingLayout L|ReportLabel A|ReportLabel B|ReportLabel C|\
             ReportLabel D",
        ),
        (
            "query 1 Q { elements { # } }",
            "dataitem(A; B) { column(C; D) { } column(E) { Method = Count; } filter(F; G) { } dataitem(H; I) { } }",
            "QueryDataItem A|  QueryColumn C|  QueryColumn E|  QueryFilter F|  QueryDataItem H",
        ),
        (
            "xmlport 1 X { schema { # } }",
            "textelement(Root) { textattribute(V) { } tableelement(T; Customer) { fieldelement(F; T.\"No.\") { } \
             fieldattribute(G; T.Name) { } trigger OnAfterGetRecord() begin end; } }",
            "TextElement Root|  TextAttribute V|  TableElement T|    FieldElement F|    FieldAttribute G|    \
             Trigger OnAfterGetRecord",
        ),
        (
            "enumextension 1 E extends F { # }",
            "value(-1; A) { } value(2; Value) { }",
            "EnumValue A|EnumValue Value",
        ),
    ];
    for &(object, inside, expected) in cases {
        let tree = tree_of(&object.replace('#', inside));
        assert_eq!(errors_of(&tree), [""; 0], "{inside}");
        // The first line is the object.
        let found: Vec<String> = named_nodes(&tree)[1..]
            .iter()
            .map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned())
            .collect();
        assert_eq!(found, expected.split('|').collect::<Vec<_>>(), "{inside}");
    }
}

#[test]
fn any_word_can_be_a_name() {
    for word in [
        "Div",
        "MOD",
        "and",
        "Field",
        "Action",
        "Area",
        "Value",
        "Key",
        "Label",
        "Procedure",
        "Trigger",
        "True",
        "Var",
    ] {
        sound(&format!(
            "page 1 {word} {{ layout {{ area({word}) {{ field({word}; {word}) {{ }} part({word}; {word}) {{ }} }} }} }}"
        ));
        sound(&format!(
            "table 1 {word} {{ fields {{ field(1; {word}; Code[10]) {{ }} }} keys {{ key({word}; {word}) {{ }} }} }}"
        ));
        sound(&format!("enum 1 {word} {{ value(0; {word}) {{ }} }}"));
        sound(&format!(
            "report 1 {word} {{ dataset {{ dataitem({word}; {word}) {{ column({word}; {word}) {{ }} }} }} }}"
        ));
    }
}

#[test]
fn lone_semicolons_between_members_are_fine() {
    sound("table 1 T\n{\n    Caption = 'x';;\n    ;\n    fields { field(1; A; Blob) { ; } ; }\n    ;\n}");
}

#[test]
fn objects_may_hold_directives_anywhere() {
    sound("#if A\ncodeunit 1 X\n#else\ncodeunit 1 Y\n#endif\n{\n#if not B\n    Access = Internal;\n#endif\n}\n");
    sound(
        "pageextension 1 P extends Q { layout {\n#if A\n addafter(X) { group(G) {\n#else\n addlast(Y) { group(H) {\n#endif\n field(F; F) { } } } } }",
    );
}
