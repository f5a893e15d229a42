use crate::ast::Property;
use crate::parser::parse;
use crate::parser::tests::{errors_of, shape};
use crate::{NodeKind, Symbols, Tree};

fn tree_of(properties: &str) -> Tree {
    let tree = parse(format!("page 1 P {{\n{properties}\n}}"), &Symbols::none());
    let text: String = tree.tokens().map(crate::TokenRef::text).collect();
    assert_eq!(text, tree.text(), "no byte is lost");
    tree
}

/// The shape of the value of the only property.
fn value_of(property: &str) -> String {
    let tree = tree_of(property);
    assert_eq!(errors_of(&tree), [""; 0], "{property}");
    let properties: Vec<_> = tree.root().descendants_of(NodeKind::Property).collect();
    let [node] = properties[..] else {
        panic!("{property} is one property")
    };
    Property::cast(node)
        .and_then(Property::value)
        .map_or(String::new(), shape)
}

fn assert_values(cases: &[(&str, &str)]) {
    for &(property, expected) in cases {
        assert_eq!(value_of(property), expected, "{property}");
    }
}

#[test]
fn words_numbers_and_expressions() {
    assert_values(&[
        ("Editable = false;", "ExpressionValue(Literal `false`)"),
        ("PageType = List;", "ExpressionValue(NameExpression `List`)"),
        (
            "Image = \"Calculate\";",
            "ExpressionValue(NameExpression `\"Calculate\"`)",
        ),
        ("AutoFormatType = 11;", "ExpressionValue(Literal `11`)"),
        ("ObsoleteReason = 'x''y';", "ExpressionValue(Literal `'x''y'`)"),
        ("MinValue = -1.5;", "ExpressionValue(UnaryExpression(Literal `1.5`))"),
        ("InitValue = 0D;", "ExpressionValue(Literal `0D`)"),
        ("Visible = Mod;", "ExpressionValue(NameExpression `Mod`)"),
        (
            "Enabled = not A;",
            "ExpressionValue(UnaryExpression(NameExpression `A`))",
        ),
        (
            "Visible = Rec.\"A B\" = T::C;",
            "ExpressionValue(BinaryExpression(MemberAccess(NameExpression `Rec`), ScopeAccess(NameExpression `T`)))",
        ),
        (
            "CaptionClass = '1,' + F(2);",
            "ExpressionValue(BinaryExpression(Literal `'1,'`, CallExpression(NameExpression `F`, ArgumentList(Literal `2`))))",
        ),
        ("DecimalPlaces = 0 : 5;", "OtherValue `0 : 5`"),
        (
            "OrderBy = ascending(A), descending(B, C);",
            "OtherValue `ascending(A), descending(B, C)`",
        ),
        (
            "Namespaces = a = 'x',\nid = 'y',\"\" = 'z';",
            "OtherValue `a = 'x',\nid = 'y',\"\" = 'z'`",
        ),
    ]);
}

#[test]
fn labels_and_texts_in_several_languages() {
    assert_values(&[
        ("Caption = 'x';", "LabelValue `'x'`"),
        (
            "toolTIP = 'x', Comment = 'c', Locked = true, MaxLength = 5;",
            "LabelValue(LabelAttribute `Comment = 'c'`, LabelAttribute `Locked = true`, LabelAttribute `MaxLength = 5`)",
        ),
        (
            "CaptionML = ENU = 'x', DAN = 'y';",
            "MultiLanguageValue(MultiLanguageText `ENU = 'x'`, MultiLanguageText `DAN = 'y'`)",
        ),
    ]);
}

#[test]
fn lists() {
    assert_values(&[
        (
            "ApplicationArea = #Basic, Suite;",
            "IdentifierList(IdentifierListItem `#Basic`, IdentifierListItem `Suite`)",
        ),
        (
            "OptionMembers = ,A,,\"B C\",;",
            "IdentifierList(IdentifierListItem `A`, IdentifierListItem `\"B C\"`)",
        ),
        ("OptionMembers = ;", "IdentifierList ``"),
        (
            "OptionOrdinalValues = -1, 0;",
            "IdentifierList(IdentifierListItem `-1`, IdentifierListItem `0`)",
        ),
        (
            "APIVersion = 'v1.0', 'beta';",
            "IdentifierList(IdentifierListItem `'v1.0'`, IdentifierListItem `'beta'`)",
        ),
        (
            "IncludedPermissionSets = A.B.\"C\",\n#if X\nD,\n#endif\nE;",
            "IdentifierList(IdentifierListItem `A.B.\"C\"`, IdentifierListItem `E`)",
        ),
        (
            "SqlIndex = A,B;",
            "IdentifierList(IdentifierListItem `A`, IdentifierListItem `B`)",
        ),
        (
            "Implementation = I = C, \"J K\" = N.D;",
            "ImplementationList(ImplementationEntry(QualifiedName `I`, QualifiedName `C`), \
             ImplementationEntry(QualifiedName `\"J K\"`, QualifiedName `N.D`))",
        ),
    ]);
}

#[test]
fn references_to_objects() {
    assert_values(&[
        ("SourceTable = \"A B\";", "ObjectReference(QualifiedName `\"A B\"`)"),
        ("LookupPageID = 21;", "ObjectReference(QualifiedName `21`)"),
        ("RunObject = Page \"A B\";", "ObjectReference(QualifiedName `\"A B\"`)"),
        (
            "RunObject = codeunit N.M.\"A B\";",
            "ObjectReference(QualifiedName `N.M.\"A B\"`)",
        ),
        ("RunObject = Report Report;", "ObjectReference(QualifiedName `Report`)"),
        (
            "TableNo = Database::Customer;",
            "ObjectReference(QualifiedName `Customer`)",
        ),
        ("TableNo = Page;", "ObjectReference(QualifiedName `Page`)"),
    ]);
}

#[test]
fn permissions() {
    assert_values(&[
        (
            "Permissions = tabledata \"A B\" = rimd,\n  // why\n#pragma warning disable AL1\n  codeunit N.C = X,\n  table * = X, system 5330;",
            "PermissionList(PermissionEntry(QualifiedName `\"A B\"`), PermissionEntry(QualifiedName `N.C`), \
             PermissionEntry `table * = X`, PermissionEntry(QualifiedName `5330`))",
        ),
        (
            "AccessByPermission = TableData Job = R;",
            "PermissionList(PermissionEntry(QualifiedName `Job`))",
        ),
        ("Permissions = ;", ""),
    ]);
}

#[test]
fn table_relations() {
    assert_values(&[
        (
            "TableRelation = Customer;",
            "TableRelationValue(TableRelationBranch(QualifiedName `Customer`))",
        ),
        (
            "TableRelation = N.T.F where(A = const(1), B = field(C));",
            "TableRelationValue(TableRelationBranch(QualifiedName `N.T.F`, FilterClause(\
             FilterCondition(QualifiedName `A`, Literal `1`), FilterCondition(QualifiedName `B`, NameExpression `C`))))",
        ),
        (
            "TableRelation = if (A = const(X)) T else if (A = const(Y)) U else V;",
            "TableRelationValue(TableRelationBranch(FilterClause(FilterCondition(QualifiedName `A`, NameExpression `X`)), \
             TableRelationBranch(QualifiedName `T`), TableRelationBranch(FilterClause(FilterCondition(QualifiedName `A`, \
             NameExpression `Y`)), TableRelationBranch(QualifiedName `U`), TableRelationBranch(QualifiedName `V`))))",
        ),
        // The nearest `if` takes the `else`.
        (
            "TableRelation = if (A = const(X)) if (B = const(Y)) T else U;",
            "TableRelationValue(TableRelationBranch(FilterClause(FilterCondition(QualifiedName `A`, NameExpression `X`)), \
             TableRelationBranch(FilterClause(FilterCondition(QualifiedName `B`, NameExpression `Y`)), \
             TableRelationBranch(QualifiedName `T`), TableRelationBranch(QualifiedName `U`))))",
        ),
        (
            "TableRelation = T\n#if X\n.F\n#endif\nwhere(A = const(1));",
            "TableRelationValue(TableRelationBranch(QualifiedName `T`, \
             FilterClause(FilterCondition(QualifiedName `A`, Literal `1`))))",
        ),
    ]);
}

#[test]
fn a_long_chain_of_conditions_needs_no_depth() {
    let chain = "if (A = const(1)) T else ".repeat(5_000);
    assert_eq!(errors_of(&tree_of(&format!("TableRelation = {chain} U;"))), [""; 0]);
    let nested = "if (A = const(1)) ".repeat(100_000);
    assert_eq!(errors_of(&tree_of(&format!("TableRelation = {nested} U;"))), [""; 0]);
}

#[test]
fn formulas() {
    assert_values(&[
        ("CalcFormula = count(T);", "CalcFormulaValue(QualifiedName `T`)"),
        (
            "CalcFormula = -sum(\"T\".\"A B\" where(A = field(B), C = field(upperlimit(D)), E = field(filter(F))));",
            "CalcFormulaValue(QualifiedName `\"T\".\"A B\"`, FilterClause(FilterCondition(QualifiedName `A`, \
             NameExpression `B`), FilterCondition(QualifiedName `C`, NameExpression `D`), FilterCondition(QualifiedName \
             `E`, NameExpression `F`)))",
        ),
        (
            "CalcFormula = Exist(T where(A = filter(<>'')));",
            "CalcFormulaValue(QualifiedName `T`, FilterClause(\
             FilterCondition(QualifiedName `A`, FilterText `<>''`)))",
        ),
    ]);
}

#[test]
fn views_and_links() {
    assert_values(&[
        (
            "SourceTableView = sorting(A, \"B C\") order(descending) where(A = filter(1 .. | <>2 & @*x?));",
            "TableViewValue(SortingClause(IdentifierList(IdentifierListItem `A`, IdentifierListItem `\"B C\"`)), \
             OrderClause `order(descending)`, FilterClause(FilterCondition(QualifiedName `A`, FilterText `1 .. | <>2 & \
             @*x?`)))",
        ),
        (
            "RunPageView = WHERE(A = CONST(B));",
            "TableViewValue(FilterClause(FilterCondition(QualifiedName `A`, \
             NameExpression `B`)))",
        ),
        (
            "SubPageLink = A = field(B), C = const(Database::\"D E\"), F = const(-1), G = const();",
            "FilterListValue(FilterCondition(QualifiedName `A`, NameExpression `B`), FilterCondition(QualifiedName `C`, \
             ScopeAccess(NameExpression `Database`)), FilterCondition(QualifiedName `F`, UnaryExpression(Literal `1`)), \
             FilterCondition(QualifiedName `G`))",
        ),
        (
            "DataItemLink = \"A B\" = Item.\"C D\";",
            "FilterListValue(FilterCondition(QualifiedName `\"A B\"`, MemberAccess(NameExpression `Item`)))",
        ),
        // C/AL wrote words without quotes.
        (
            "RunPageLink = A = const(Not Yet Known);",
            "FilterListValue(FilterCondition(QualifiedName `A`, FilterText `Not Yet Known`))",
        ),
        (
            "DataItemTableFilter = A = filter('(x)' | (1 .. 2)), B = const(True);",
            "FilterListValue(FilterCondition(QualifiedName `A`, FilterText `'(x)' | (1 .. 2)`), \
             FilterCondition(QualifiedName `B`, Literal `True`))",
        ),
    ]);
}

#[test]
fn an_unknown_property_gets_what_its_tokens_look_like() {
    assert_values(&[
        ("Foo = Bar;", "ExpressionValue(NameExpression `Bar`)"),
        ("Foo = 'x';", "ExpressionValue(Literal `'x'`)"),
        (
            "Foo = 'x', Comment = 'y';",
            "LabelValue(LabelAttribute `Comment = 'y'`)",
        ),
        ("Foo = 1 : (2, 3) % 4;", "OtherValue `1 : (2, 3) % 4`"),
    ]);
}

/// A broken value is one error in the right place, and the properties behind it are all there.
#[test]
fn a_broken_value_is_one_error() {
    let cases: &[(&str, &str)] = &[
        ("Caption = ;", "2:11 Expected a text in single quotes, found `;`"),
        ("Caption = Foo;", "2:11 Expected a text in single quotes, found `Foo`"),
        ("Caption = 'x'", "3:1 Expected `;`, found `ToolTip`"),
        ("Caption 'x';", "2:9 Expected `=`, found `'x'`"),
        ("Caption", "3:1 Expected `=`, found `ToolTip`"),
        ("Caption = 'x;", "2:11 The closing `'` of this string is missing"),
        ("Caption = 'x' 'y';", "2:15 Expected `;`, found `'y'`"),
        ("Visible = ;", "2:11 Expected a value, found `;`"),
        ("Visible = A B;", "2:13 Expected `;`, found `B`"),
        ("Visible = A", "3:1 Expected `;`, found `ToolTip`"),
        ("Visible =", "3:1 Expected a value, found `ToolTip`"),
        ("PageType = List Card;", "2:17 Expected `;`, found `Card`"),
        ("PageType = List", "3:1 Expected `;`, found `ToolTip`"),
        ("ApplicationArea = ;", "2:19 Expected a name, found `;`"),
        ("ApplicationArea = A B;", "2:21 Expected `;`, found `B`"),
        ("ApplicationArea = A,", "3:1 Expected a name, found `ToolTip`"),
        ("SourceTable = ;", "2:15 Expected a name, found `;`"),
        (
            "RunObject = Foo \"Bar\";",
            "2:13 `Foo` does not fit here: the parser was reading a reference to an object",
        ),
        ("Permissions = A;", "2:16 Expected a name, found `;`"),
        (
            "Permissions = tabledata A = r tabledata B = m;",
            "2:31 Expected `;`, found `tabledata`",
        ),
        (
            "Permissions = tabledata A = r\n tabledata B = m;",
            "3:2 Expected `,`, found `tabledata`",
        ),
        (
            "Permissions = tabledata A = ,\n tabledata B = m;",
            "2:29 Expected the letters of the permission, found `,`",
        ),
        (
            "Permissions = 7, tabledata B = m;",
            "2:15 Expected a kind of object, such as `tabledata`, found `7`",
        ),
        (
            "TableRelation = if (A = const(1) T else U;",
            "2:34 Expected `)`, found `T`",
        ),
        ("TableRelation = if (A const(1)) T;", "2:23 Expected `=`, found `const`"),
        (
            "TableRelation = T where(A = const(1) B = const(2));",
            "2:38 Expected `,`, found `B`",
        ),
        ("TableRelation = T.", "3:1 Expected a name, found `ToolTip`"),
        (
            "CalcFormula = total(T);",
            "2:15 Expected `sum`, `count`, `exist`, `lookup`, `average`, `min` or `max`, found `total`",
        ),
        (
            "CalcFormula = sum(T.A where(B = field(C));",
            "2:42 Expected `)`, found `;`",
        ),
        (
            "CalcFormula = sum(T.A where(B = field(C, D = field(E)));",
            "2:40 Expected `)`, found `,`",
        ),
        (
            "CalcFormula = sum(T.A\n where(B = field(C)),\n  D = field(E)));",
            "3:21 Expected `)`, found `,`",
        ),
        (
            "SourceTableView = A;",
            "2:19 Expected `sorting`, `order` or `where`, found `A`",
        ),
        (
            "SourceTableView = order(up);",
            "2:25 Expected `ascending` or `descending`, found `up`",
        ),
        ("SubPageLink = A = field(B;", "2:26 Expected `)`, found `;`"),
        ("Implementation = A;", "2:19 Expected `=`, found `;`"),
        ("Implementation = A = B\n C = D;", "3:2 Expected `,`, found `C`"),
        ("Foo = ;", "2:7 Expected a value, found `;`"),
        ("Foo = 1 2", "3:1 Expected `;`, found `ToolTip`"),
    ];
    for &(broken, expected) in cases {
        let tree = tree_of(&format!(
            "{broken}\nToolTip = 'x';\nSaveValues = true;\nlayout {{ }}\nvar A: Integer;"
        ));
        assert_eq!(errors_of(&tree), [expected], "{broken}");
        let names: Vec<_> = tree
            .root()
            .descendants_of(NodeKind::Property)
            .filter_map(Property::cast)
            .map(Property::name)
            .filter(|name| ["ToolTip", "SaveValues"].contains(name))
            .collect();
        assert_eq!(names, ["ToolTip", "SaveValues"], "{broken}\n{tree:?}");
        assert!(
            tree.kinds().contains(NodeKind::LayoutSection) && tree.kinds().contains(NodeKind::VarSection),
            "{broken}"
        );
    }
}
