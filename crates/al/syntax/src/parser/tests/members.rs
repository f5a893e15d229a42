use super::super::member;
use super::{errors_of, parse_with, shape};
use crate::kind::NodeKind;
use crate::tree::{Node, Tree};

/// Parses the members of a text, one behind the other.
fn parse(text: &str) -> Tree {
    parse_with(text, |p| {
        while member::at_member(p) {
            member::member(p);
        }
        assert!(p.at_end(), "stopped at {:?} of {text}", p.current_text());
    })
}

fn outline(text: &str) -> String {
    let tree = parse(text);
    assert_eq!(tree.errors(), [], "{text}");
    format!("{tree:?}")
}

#[test]
fn a_procedure_with_everything() {
    let text = "
        [Scope('OnPrem')]
        [Obsolete('x')]
        local procedure \"Do It\"(var Rec: Record Item temporary; Count: Integer) Found: Boolean;
        var
            A, B: Integer;
        begin
        end;";
    insta::assert_snapshot!(outline(text), @r#"
    CompilationUnit
      Procedure
        Attribute
          [
          Scope
          ArgumentList
            (
            Literal
              'OnPrem'
            )
          ]
        Attribute
          [
          Obsolete
          ArgumentList
            (
            Literal
              'x'
            )
          ]
        local
        procedure
        Name
          "Do It"
        ParameterList
          (
          Parameter
            var
            Name
              Rec
            :
            Type
              Record
              QualifiedName
                Item
              temporary
          ;
          Parameter
            Name
              Count
            :
            Type
              Integer
          )
        ReturnValue
          Name
            Found
          :
          Type
            Boolean
        ;
        VarSection
          var
          VariableDeclaration
            Name
              A
            ,
            Name
              B
            :
            Type
              Integer
            ;
        Block
          begin
          end
          ;
    "#);
}

#[test]
fn headers() {
    let table = [
        ("procedure A()", "Procedure(Name `A`, ParameterList `()`)"),
        ("procedure A();", "Procedure(Name `A`, ParameterList `()`)"),
        (
            "internal procedure A(): Option\nprotected procedure B()",
            "Procedure(Name `A`, ParameterList `()`, ReturnValue(OptionType `Option`))",
        ),
        (
            "procedure A(B: Option C,D; var E: Text): Code[20]",
            "Procedure(Name `A`, ParameterList(Parameter(Name `B`, OptionType(IdentifierList(IdentifierListItem `C`, IdentifierListItem `D`))), Parameter(Name `E`, Type `Text`)), ReturnValue(Type(TypeLength `[20]`)))",
        ),
        (
            "trigger OnRun() begin end;",
            "Trigger(Name `OnRun`, ParameterList `()`, Block `begin end;`)",
        ),
        (
            "trigger AddIn::Ready() begin end",
            "Trigger(Name `AddIn`, Name `Ready`, ParameterList `()`, Block `begin end`)",
        ),
        (
            "trigger \"My Control\".\"Control Ready\"(A: Text)",
            "Trigger(Name `\"My Control\"`, Name `\"Control Ready\"`, ParameterList(Parameter(Name `A`, Type `Text`)))",
        ),
        (
            "event Ready(A: JsonObject);",
            "EventDeclaration(Name `Ready`, ParameterList(Parameter(Name `A`, Type `JsonObject`)))",
        ),
        // Words of the language are names where a name has to stand.
        (
            "procedure Table(Key: Integer; Local: Text; Event: Code[10])",
            "Procedure(Name `Table`, ParameterList(Parameter(Name `Key`, Type `Integer`), Parameter(Name `Local`, Type `Text`), Parameter(Name `Event`, Type(TypeLength `[10]`))))",
        ),
    ];
    for (text, expected) in table {
        let tree = parse(text);
        assert_eq!(tree.errors(), [], "{text}");
        assert_eq!(
            tree.root().children().next().map(shape).as_deref(),
            Some(expected),
            "{text}"
        );
    }
}

#[test]
fn var_alone_on_its_line_belongs_to_the_parameter_below() {
    let tree = parse(
        "procedure A(\n    var\n        B: Integer;\n    var\n        C: Integer)\nvar\n    D: Integer;\nbegin\nend;",
    );
    assert_eq!(tree.errors(), []);
    assert_eq!(tree.root().descendants_of(NodeKind::Parameter).count(), 2);
    assert_eq!(tree.root().descendants_of(NodeKind::VariableDeclaration).count(), 1);
}

#[test]
fn attributes_take_arguments_of_every_kind() {
    let text = "[A(1, 'x', true, Foo::Bar, Database::\"X Y\", Codeunit::Z.W, '', -1, Name)] [B] procedure C()";
    let tree = parse(text);
    assert_eq!(tree.errors(), []);
    let arguments = tree
        .root()
        .descendants_of(NodeKind::ArgumentList)
        .next()
        .expect("arguments");
    let kinds: Vec<_> = arguments.children().map(Node::kind).collect();
    assert_eq!(
        kinds,
        [
            NodeKind::Literal,
            NodeKind::Literal,
            NodeKind::Literal,
            NodeKind::ScopeAccess,
            NodeKind::ScopeAccess,
            NodeKind::MemberAccess,
            NodeKind::Literal,
            NodeKind::UnaryExpression,
            NodeKind::NameExpression,
        ]
    );
    assert_eq!(tree.root().descendants_of(NodeKind::Attribute).count(), 2);
}

#[test]
fn variables_may_have_attributes_and_the_names_of_keywords() {
    let text = "protected var\n  [InDataSet]\n  Table: Boolean;\n  Local, Event: Label 'x';\n  [NonDebuggable] Begin1: Text;\n\n[Test]\nprocedure A()";
    let tree = parse(text);
    assert_eq!(tree.errors(), []);
    let sections: Vec<_> = tree
        .root()
        .children()
        .map(|node| (node.kind(), node.children().count()))
        .collect();
    assert_eq!(sections, [(NodeKind::VarSection, 3), (NodeKind::Procedure, 3)]);
}

#[test]
fn a_broken_header_or_declaration_is_one_error_and_keeps_its_neighbours() {
    let table = [
        ("procedure (a: Integer)\nbegin\nend;", "1:11 Expected a name, found `(`"),
        ("procedure A\nbegin\nend;", "2:1 Expected `(`, found `begin`"),
        (
            "procedure A(b: Integer\nbegin\nend;",
            "2:1 Expected `)` of these parameters, found `begin`",
        ),
        (
            "procedure A(b: Integer\nvar\n  c: Integer;\nbegin\nend;",
            "2:1 Expected `)` of these parameters, found `var`",
        ),
        (
            "procedure A(b Integer)\nbegin\nend;",
            "1:15 Expected `:` and a type, found `Integer`",
        ),
        (
            "procedure A(b: Integer var c: Integer)\nbegin\nend;",
            "1:24 Expected `)` of these parameters, found `var`",
        ),
        (
            "procedure A(b: Integer;)\nbegin\nend;",
            "1:24 Expected a parameter, found `)`",
        ),
        (
            "procedure A(b: Integer: Boolean\nbegin\nend;",
            "1:23 Expected `)` of these parameters, found `:`",
        ),
        (
            "procedure A() Code[20]\nbegin\nend;",
            "1:15 Expected `:` and a type, found `Code`",
        ),
        (
            "procedure A() ) ]\nbegin\nend;",
            "1:15 `)` does not fit here: the parser was reading the header of a method",
        ),
        (
            "[Foo(]\nprocedure A()\nbegin\nend;",
            "1:6 Expected `)` of these arguments, found `]`",
        ),
        (
            "procedure A()\nvar\n  b Integer;\nbegin\nend;",
            "3:5 Expected `:` and a type, found `Integer`",
        ),
        (
            "procedure A()\nvar\n  b: Integer\n  c: Text;\nbegin\nend;",
            "4:3 Expected `;` behind this variable, found `c`",
        ),
        (
            "procedure A()\nvar\n  b: ;\n  c: Text;\nbegin\nend;",
            "3:6 Expected a type, found `;`",
        ),
        (
            "procedure A()\nvar\n  : Integer;\n  c: Text;\nbegin\nend;",
            "3:3 `:` does not fit here: the parser was reading the declaration of a variable",
        ),
        (
            "procedure A()\nvar\n  \"b: Integer;\n  c: Text;\nbegin\nend;",
            "3:3 The closing `\"` of this name is missing",
        ),
        ("procedure A()\n  b := 1;\nend;", "2:3 Expected `begin`, found `b`"),
        (
            "procedure A()\nvar\n  b: Integer;\n  if b = 1 then exit;\nend;",
            "4:3 Expected `begin`, found `if`",
        ),
    ];
    for (text, expected) in table {
        let text = format!("{text}\n\nprocedure Next()\nbegin\nend;");
        let tree = parse(&text);
        assert_eq!(errors_of(&tree), [expected], "{text}");
        let methods: Vec<_> = tree.root().children_of(NodeKind::Procedure).collect();
        assert_eq!(methods.len(), 2, "{text}");
        assert!(
            methods.iter().all(|method| method.child(NodeKind::Block).is_some()),
            "{text}"
        );
    }
}
