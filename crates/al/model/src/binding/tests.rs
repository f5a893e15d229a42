use std::sync::Arc;

use candor_al_syntax::{NodeKind, Symbols, Tree, parse};

use super::{Binding, Symbol, bind};
use crate::universe::{AppDescription, FileId, Universe};
use crate::{Cause, declarations_of};

/// One app with these files; the tree and binding of the last one.
fn bound(files: &[&str]) -> (Universe, Tree, Binding) {
    let trees: Vec<Tree> = files.iter().map(|text| parse(*text, &Symbols::none())).collect();
    let declarations = trees.iter().map(|tree| Arc::new(declarations_of(tree).0)).collect();
    let mut universe = Universe::new();
    universe.add_app(AppDescription::default(), declarations);
    let last = FileId(files.len() as u32 - 1);
    let tree = trees.into_iter().next_back().expect("a file");
    let binding = bind(&universe, last, &tree);
    (universe, tree, binding)
}

/// Every name of the bodies with what it means: `written=Owner.Canonical`, or `written?` when it is not known.
fn meanings(files: &[&str]) -> Vec<String> {
    let (universe, tree, binding) = bound(files);
    let mut found = Vec::new();
    for block in tree.nodes().filter(|node| node.kind() == NodeKind::Block) {
        if block.ancestors().any(|it| it.kind() == NodeKind::Block) {
            continue;
        }
        for node in block.descendants() {
            let written = match node.kind() {
                NodeKind::NameExpression => node.text(),
                NodeKind::MemberAccess | NodeKind::ScopeAccess => node.last_token().map_or("", |it| it.text()),
                _ => continue,
            };
            let symbol = binding.symbol(node.id());
            let owner = match symbol {
                Symbol::Member(member) => universe.object_name(member.object).to_owned(),
                Symbol::Method(method) => {
                    let built_ins = crate::built_ins();
                    built_ins.type_name(built_ins.method(method).owner).to_owned()
                }
                Symbol::Variable(_) => "local".to_owned(),
                Symbol::Unbound(_) => {
                    found.push(format!("{written}?"));
                    continue;
                }
                _ => String::new(),
            };
            let name = binding.name_of(&universe, symbol).unwrap_or("-");
            found.push(format!("{written}={owner}.{name}"));
        }
    }
    found
}

const CUSTOMER: &str = "table 18 Customer { fields { field(1; \"No.\"; Code[20]) { } field(2; Name; Text[100]) { } \
    field(3; Blocked; Option) { OptionMembers = \" \",Ship,All; } field(4; Kind; Enum \"Customer Kind\") { } } \
    keys { key(PK; \"No.\") { } } procedure Check(): Boolean begin end; local procedure Inner() begin end; }";
const KIND: &str = "enum 5 \"Customer Kind\" { value(0; \" \") { } value(1; Person) { } }";

fn in_codeunit(globals: &str, locals: &str, body: &str) -> String {
    format!("codeunit 50000 C {{ {globals} procedure P(Amount: Decimal) var {locals} begin {body} end; }}")
}

#[test]
fn variables_hide_what_is_farther_away() {
    let text = in_codeunit(
        "var Count: Integer; Amount: Integer;",
        "I: Integer;",
        "i := Count + AMOUNT;",
    );
    assert_eq!(
        meanings(&[&text]),
        ["i=local.I", "Count=C.Count", "AMOUNT=local.Amount"]
    );
}

#[test]
fn members_of_records_are_fields_procedures_and_methods() {
    let text = in_codeunit(
        "",
        "Customer: Record Customer;",
        "Customer.SETRANGE(name, 'x'); if Customer.Get(Customer.\"NO.\") and Customer.check() then Customer.Nothing();",
    );
    assert_eq!(
        meanings(&[CUSTOMER, KIND, &text]),
        [
            "SETRANGE=Record.SetRange",
            "Customer=local.Customer",
            "name=Customer.Name",
            "Get=Record.Get",
            "Customer=local.Customer",
            "\"NO.\"=Customer.No.",
            "Customer=local.Customer",
            "check=Customer.Check",
            "Customer=local.Customer",
            "Nothing?",
            "Customer=local.Customer",
        ]
    );
}

#[test]
fn options_and_enums_have_members() {
    let text = in_codeunit(
        "",
        "C: Record Customer; L: Option A,\"B C\";",
        "C.Blocked := C.Blocked::all; C.Kind := \"Customer Kind\"::person; C.Kind := Enum::\"Customer Kind\"::\" \"; L := L::\"b c\";",
    );
    let found = meanings(&[CUSTOMER, KIND, &text]);
    for expected in [
        "all=.All",
        "person=Customer Kind.Person",
        "\" \"=Customer Kind. ",
        "\"Customer Kind\"=.Customer Kind",
        "\"b c\"=.B C",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected} in {found:?}");
    }
    assert!(found.iter().all(|it| !it.ends_with('?')), "{found:?}");
}

#[test]
fn a_table_needs_no_receiver_for_its_own() {
    let text = "tableextension 50000 Ext extends Customer { fields { field(50000; Extra; Integer) { } } \
        procedure P() begin if Check() then Modify(); Rec.EXTRA := xRec.Extra; Name := ''; Inner(); TestField(name); end; }";
    assert_eq!(
        meanings(&[CUSTOMER, KIND, text]),
        [
            "Check=Customer.Check",
            "Modify=Record.Modify",
            "EXTRA=Ext.Extra",
            "Rec=.Rec",
            "Extra=Ext.Extra",
            "xRec=.xRec",
            "Name=Customer.Name",
            "Inner?",
            "TestField=Record.TestField",
            "name=Customer.Name",
        ]
    );
}

#[test]
fn pages_see_their_record_and_their_parts() {
    let lines = "page 2 Lines { procedure Show() begin end; }";
    let text = "page 1 Card { SourceTable = Customer; layout { area(Content) { field(N; Rec.Name) { } part(LinesPart; Lines) { } } } \
        trigger OnOpenPage() begin CurrPage.LinesPart.Page.Show(); CurrPage.Update(false); Rec.Name := Format(Today); end; }";
    assert_eq!(
        meanings(&[CUSTOMER, KIND, lines, text]),
        [
            "Show=Lines.Show",
            "Page=.Page",
            "LinesPart=Card.LinesPart",
            "CurrPage=.CurrPage",
            "Update=Page.Update",
            "CurrPage=.CurrPage",
            "Name=Customer.Name",
            "Rec=.Rec",
            "Format=System.Format",
            "Today=System.Today",
        ]
    );
}

#[test]
fn the_overload_that_fits_is_chosen() {
    let text = "codeunit 1 C { procedure F(A: Integer) begin end; procedure F(A: Text): Code[10] begin end; \
        procedure P() begin Message(F('x')); F(1); end; }";
    let (universe, tree, binding) = bound(&[text]);
    let types: Vec<_> = tree
        .nodes()
        .filter(|node| node.kind() == NodeKind::CallExpression && node.text().starts_with('F'))
        .map(|node| binding.type_of(node.id()))
        .collect();
    assert_eq!(types, [crate::Type::Code(10), crate::Type::None]);
    assert_eq!(universe.object_count(), 1);
}

#[test]
fn what_is_not_there_says_why() {
    let text = in_codeunit(
        "",
        "U: Record User; D: DotNet Foo;",
        "U.Foo := 1; U.FindFirst(); D.Bar(); Nothing();",
    );
    let (_, tree, binding) = bound(&[&text]);
    let causes: Vec<_> = tree
        .nodes()
        .filter_map(|node| match binding.symbol(node.id()) {
            Symbol::Unbound(cause) if node.kind() != NodeKind::CallExpression => Some((node.text(), cause)),
            _ => None,
        })
        .collect();
    assert_eq!(
        causes,
        [
            ("U.Foo", Cause::PlatformObject),
            ("D.Bar", Cause::DotNet),
            ("Nothing", Cause::UnknownName)
        ]
    );
}

#[test]
fn editing_a_body_changes_no_declaration() {
    let before = in_codeunit("", "I: Integer;", "I := 1;");
    let after = in_codeunit("", "J: Decimal; I: Integer;", "if true then I := 2;");
    let lower = |text: &str| declarations_of(&parse(text, &Symbols::none())).0;
    assert_eq!(lower(&before), lower(&after));
    assert_ne!(lower(&before), lower(&before.replace("Amount", "Other")));
}

#[test]
fn with_opens_a_record() {
    let text = in_codeunit(
        "",
        "C: Record Customer;",
        "with C do begin Name := ''; Insert(); end; Name := '';",
    );
    assert_eq!(
        meanings(&[CUSTOMER, KIND, &text]),
        ["C=local.C", "Name=Customer.Name", "Insert=Record.Insert", "Name?"]
    );
}

#[test]
fn nesting_is_no_danger() {
    let deep = format!("{}1{}", "(".repeat(50_000), ")".repeat(50_000));
    let text = in_codeunit("", "I: Integer;", &format!("I := {deep};"));
    assert_eq!(meanings(&[&text]), ["I=local.I"]);
}

#[test]
fn a_column_of_a_report_is_no_variable_but_its_data_item_is() {
    let text = "report 1 R { dataset { dataitem(Item; Customer) { column(Total; Total) { } \
        trigger OnAfterGetRecord() begin Total := Item.Blocked; Name := Rec.Name; CurrReport.Skip(); end; } } var Total: Option A,B; }";
    assert_eq!(
        meanings(&[CUSTOMER, KIND, text]),
        [
            "Total=R.Total",
            "Blocked=Customer.Blocked",
            "Item=R.Item",
            "Name=Customer.Name",
            "Name=Customer.Name",
            "Rec=.Rec",
            "Skip=Report.Skip",
            "CurrReport=.CurrReport",
        ]
    );
    let (universe, tree, binding) = bound(&[CUSTOMER, KIND, text]);
    let total = tree
        .nodes()
        .filter(|node| node.text() == "Total" && node.kind() == NodeKind::NameExpression)
        .last();
    let Some(Symbol::Member(member)) = total.map(|node| binding.symbol(node.id())) else {
        panic!("a member")
    };
    assert_eq!(universe.member(member).kind, crate::MemberKind::Variable);
}

#[test]
fn a_query_filters_its_own_columns_and_a_page_can_be_opened() {
    let query = "query 1 Q { elements { dataitem(C; Customer) { column(No; \"No.\") { } } } \
        trigger OnBeforeOpen() begin SetRange(no, 'x'); end; }";
    assert_eq!(
        meanings(&[CUSTOMER, KIND, query]),
        ["SetRange=Query.SetRange", "no=Q.No"]
    );
    let page = "page 1 Card { layout { area(Content) { field(Total; 1) { } } } }";
    let text = in_codeunit(
        "",
        "P: TestPage Card;",
        "with P do begin OpenEdit(); TOTAL.Value := 'x'; end;",
    );
    assert_eq!(
        meanings(&[page, &text]),
        [
            "P=local.P",
            "OpenEdit=TestPage.OpenEdit",
            "Value=TestField.Value",
            "TOTAL=Card.Total"
        ]
    );
}

#[test]
fn names_in_properties_mean_fields_and_objects() {
    let text = "page 1 Card { SourceTable = CUSTOMER; SourceTableView = sorting(\"NO.\") where(NAME = const(x)); \
        layout { area(Content) { part(LinesPart; LINES) { SubPageLink = \"LINE NO.\" = field(\"NO.\"); } } } }";
    let lines = "table 2 Line { fields { field(1; \"Line No.\"; Code[20]) { TableRelation = CUSTOMER.NAME where(BLOCKED = field(\"LINE NO.\")); } } \
        keys { key(PK; \"LINE NO.\") { } } } page 3 Lines { SourceTable = Line; }";
    for text in [[CUSTOMER, KIND, lines, text], [CUSTOMER, KIND, text, lines]] {
        let (universe, tree, binding) = bound(&text);
        let in_capitals = |text: &str| !text.chars().any(char::is_lowercase);
        let named = [
            NodeKind::QualifiedName,
            NodeKind::IdentifierListItem,
            NodeKind::NameExpression,
        ];
        for node in tree
            .nodes()
            .filter(|node| named.contains(&node.kind()) && in_capitals(node.text()))
        {
            let name = binding.name_of(&universe, binding.symbol(node.id())).unwrap_or("-");
            let last = node.last_token().map_or("", |token| token.text());
            assert_eq!(name.to_uppercase(), last.trim_matches('"'), "{}", node.text());
        }
    }
}

#[test]
fn where_records_are_named_a_name_alone_means_nothing_of_the_record() {
    let page = |before: &str| {
        format!(
            "{before}page 50000 P {{ SourceTable = Customer; procedure Check() begin Check(); Name; Rec.Name; end; }}"
        )
    };
    let implicit = [
        "Check=Customer.Check",
        "Name=Customer.Name",
        "Name=Customer.Name",
        "Rec=.Rec",
    ];
    let explicit = ["Check=P.Check", "Name=Customer.Name", "Name?", "Rec=.Rec"];
    let found = |text: &str| {
        let mut found = meanings(&[CUSTOMER, text]);
        found.sort();
        found
    };
    assert_eq!(found(&page("")), implicit);
    assert_eq!(found(&page("#pragma implicitwith disable\n")), explicit);
    assert_eq!(
        found(&page("#pragma implicitwith disable\n#pragma implicitwith restore\n")),
        implicit
    );
}

#[test]
fn an_app_may_name_all_its_records() {
    let text = "page 50000 P { SourceTable = Customer; procedure Check() begin Check(); end; }";
    let trees = [CUSTOMER, text].map(|text| parse(text, &Symbols::none()));
    let mut universe = Universe::new();
    let description = AppDescription {
        names_its_records: true,
        ..AppDescription::default()
    };
    let declarations = trees.iter().map(|tree| Arc::new(declarations_of(tree).0)).collect();
    universe.add_app(description, declarations);
    let binding = bind(&universe, FileId(1), &trees[1]);
    let owners: Vec<&str> = trees[1]
        .nodes()
        .filter_map(|node| match binding.symbol(node.id()) {
            Symbol::Member(member) if node.kind() == NodeKind::NameExpression => {
                Some(universe.object_name(member.object))
            }
            _ => None,
        })
        .collect();
    assert_eq!(owners, ["P"]);
}

#[test]
fn a_word_of_a_list_in_a_property_is_no_name() {
    let text = "page 50000 P { SourceTable = Customer; layout { area(Content) { field(Name; Rec.Name) { Visible = Seen; } } } \
        actions { area(Processing) { action(Remove) { Image = Delete; Enabled = Seen; } } } var Seen: Boolean; }";
    let (universe, tree, binding) = bound(&[CUSTOMER, text]);
    let names = tree.nodes().filter(|node| node.kind() == NodeKind::NameExpression);
    let found: Vec<(&str, Option<&str>)> = names
        .map(|node| (node.text(), binding.name_of(&universe, binding.symbol(node.id()))))
        .collect();
    assert_eq!(
        found,
        [
            ("Rec", Some("Rec")),
            ("Seen", Some("Seen")),
            ("Delete", None),
            ("Seen", Some("Seen"))
        ]
    );
}
