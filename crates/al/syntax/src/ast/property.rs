//! Views: properties and their values.

use std::borrow::Cow;

use super::{LabelValue, PropertyOwner, QualifiedName, same_name, unquoted};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::parser::property_of;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

view! {
    /// Name `=` value `;`
    Property = Property;
    /// `tabledata Customer = RIMD, …`
    PermissionList = PermissionList;
    /// `tabledata Customer = RIMD`
    PermissionEntry = PermissionEntry;
    /// Names, strings or numbers with commas between.
    IdentifierList = IdentifierList;
    /// One member of a list.
    IdentifierListItem = IdentifierListItem;
    /// `Page "Customer Card"`, `"Customer Card"`, `21`
    ObjectReference = ObjectReference;
    /// `Interface = Codeunit, …`
    ImplementationList = ImplementationList;
    /// `Interface = Codeunit`
    ImplementationEntry = ImplementationEntry;
    /// The value of `TableRelation`.
    TableRelation = TableRelationValue;
    /// A target, or a condition with its branches.
    TableRelationBranch = TableRelationBranch;
    /// The value of `CalcFormula`.
    CalcFormula = CalcFormulaValue;
    /// `sorting(…) order(…) where(…)`
    TableView = TableViewValue;
    /// `(A = const(1), …)`, or the same without parentheses as the value of a link.
    Filters = FilterClause | FilterListValue;
    /// `A = const(1)`
    FilterCondition = FilterCondition;
}

impl<'t> Property<'t> {
    /// The token of its name.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// Its name as written.
    pub fn name(self) -> &'t str {
        self.name_token().map_or("", TokenRef::text)
    }

    /// Its name as Microsoft's documentation spells it; none if AL knows no such property.
    pub fn canonical_name(self) -> Option<&'static str> {
        property_of(self.name()).map(|(name, _)| name)
    }

    /// Whether it is the property of this name, ignoring case.
    pub fn is(self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    /// The node it belongs to.
    pub fn owner(self) -> Option<PropertyOwner<'t>> {
        PropertyOwner::cast(self.0.parent()?)
    }

    /// Its value; none where nothing is written or nothing was understood.
    pub fn value(self) -> Option<Node<'t>> {
        self.0.children().find(|child| child.kind() != NodeKind::Error)
    }

    /// The text of its value as written, trivia inside included; empty if there is none.
    pub fn value_text(self) -> &'t str {
        self.value().map_or("", Node::text)
    }

    /// The `;`.
    pub fn semicolon_token(self) -> Option<TokenRef<'t>> {
        self.0.own_token(TokenKind::Semicolon)
    }

    /// The value as a label.
    pub fn label(self) -> Option<LabelValue<'t>> {
        LabelValue::cast(self.value()?)
    }

    /// The value as a list of permissions.
    pub fn permissions(self) -> Option<PermissionList<'t>> {
        PermissionList::cast(self.value()?)
    }

    /// The value as an expression, be it a single literal or word.
    pub fn expression(self) -> Option<Node<'t>> {
        let value = self.value()?;
        if value.kind() == NodeKind::ExpressionValue {
            value.children().next()
        } else {
            None
        }
    }

    /// The value as a list.
    pub fn list(self) -> Option<IdentifierList<'t>> {
        IdentifierList::cast(self.value()?)
    }

    /// The value as a reference to an object.
    pub fn object(self) -> Option<ObjectReference<'t>> {
        ObjectReference::cast(self.value()?)
    }

    /// The value as a table relation.
    pub fn table_relation(self) -> Option<TableRelation<'t>> {
        TableRelation::cast(self.value()?)
    }

    /// The value as a formula.
    pub fn calc_formula(self) -> Option<CalcFormula<'t>> {
        CalcFormula::cast(self.value()?)
    }

    /// The value as a table view.
    pub fn table_view(self) -> Option<TableView<'t>> {
        TableView::cast(self.value()?)
    }

    /// The value as conditions: that of a link, or those of a view's `where`.
    pub fn filters(self) -> Option<Filters<'t>> {
        let value = self.value()?;
        match value.kind() {
            NodeKind::FilterListValue => Some(Filters(value)),
            NodeKind::TableViewValue => TableView(value).filters(),
            _ => None,
        }
    }

    /// The value as a list of implementations.
    pub fn implementations(self) -> Option<ImplementationList<'t>> {
        ImplementationList::cast(self.value()?)
    }

    /// The value's token if it is a single word, quoted or not: `List`, `Internal`, `"My Layout"`. Not `true`, `false`.
    pub fn identifier(self) -> Option<TokenRef<'t>> {
        self.single_token()
            .filter(|token| token.kind().is_name() && !matches!(token.keyword(), Keyword::True | Keyword::False))
    }

    /// Whether the value is this single word, ignoring case and quotes.
    pub fn is_identifier(self, word: &str) -> bool {
        self.identifier().is_some_and(|token| same_name(token.text(), word))
    }

    /// The value if it is `true` or `false`.
    pub fn boolean(self) -> Option<bool> {
        match self.single_token()?.keyword() {
            Keyword::True => Some(true),
            Keyword::False => Some(false),
            _ => None,
        }
    }

    /// The value if it is an integer, possibly negative.
    pub fn integer(self) -> Option<i64> {
        let value = self.expression()?;
        let mut tokens = value.tokens().filter(|token| !token.kind().is_trivia());
        let mut token = tokens.next()?;
        let negative = token.kind() == TokenKind::Minus;
        if negative {
            token = tokens.next()?;
        }
        if token.kind() != TokenKind::IntegerLiteral || tokens.next().is_some() {
            return None;
        }
        let digits: i64 = token.text().parse().ok()?;
        Some(if negative { -digits } else { digits })
    }

    /// The token of the value's text: the only string of a string value, the text of a label.
    pub fn string_token(self) -> Option<TokenRef<'t>> {
        let value = self.value()?;
        let token = value.first_token()?;
        let fits = matches!(value.kind(), NodeKind::ExpressionValue | NodeKind::LabelValue)
            && matches!(
                token.kind(),
                TokenKind::StringLiteral | TokenKind::VerbatimStringLiteral
            );
        (fits && (value.kind() == NodeKind::LabelValue || value.last_token() == Some(token))).then_some(token)
    }

    fn single_token(self) -> Option<TokenRef<'t>> {
        let value = self.value()?;
        let token = value.first_token()?;
        (value.kind() == NodeKind::ExpressionValue && value.last_token() == Some(token)).then_some(token)
    }
}

impl<'t> PermissionList<'t> {
    /// Its entries.
    pub fn entries(self) -> impl Iterator<Item = PermissionEntry<'t>> {
        self.0.children_of(NodeKind::PermissionEntry).map(PermissionEntry)
    }
}

impl<'t> PermissionEntry<'t> {
    /// `tabledata`, `codeunit` …
    pub fn object_type_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// The object; none for `*`.
    pub fn object(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.child(NodeKind::QualifiedName)?)
    }

    /// Whether it speaks of all objects of its type: `*`.
    pub fn is_for_all(self) -> bool {
        self.0.own_token(TokenKind::Star).is_some()
    }

    /// The letters: `RIMD`, `X`.
    pub fn letters_token(self) -> Option<TokenRef<'t>> {
        let behind_equals = self
            .0
            .own_tokens()
            .skip_while(|token| token.kind() != TokenKind::Equals)
            .nth(1);
        behind_equals.filter(|token| token.kind() == TokenKind::Identifier)
    }

    /// Whether it is about the data of tables.
    pub fn is_table_data(self) -> bool {
        self.object_type_token()
            .is_some_and(|token| token.keyword() == Keyword::TableData)
    }
}

impl<'t> IdentifierList<'t> {
    /// Its members; empty ones are left out.
    pub fn items(self) -> impl Iterator<Item = IdentifierListItem<'t>> {
        self.0.children_of(NodeKind::IdentifierListItem).map(IdentifierListItem)
    }

    /// Its members with their places, empty ones as `None`: the ordinal of an option is its index here.
    pub fn places(self) -> Vec<Option<IdentifierListItem<'t>>> {
        let mut places = vec![None];
        let mut items = self.items().peekable();
        for comma in self.0.own_tokens().filter(|token| token.kind() == TokenKind::Comma) {
            let before = items.next_if(|item| item.range().start < comma.range().start);
            if let Some(last) = places.last_mut() {
                *last = before;
            }
            places.push(None);
        }
        if let Some(last) = places.last_mut() {
            *last = items.next();
        }
        places
    }
}

impl<'t> IdentifierListItem<'t> {
    /// The last of its tokens: the name without namespace, the string, the digits.
    pub fn token(self) -> Option<TokenRef<'t>> {
        self.0.last_token()
    }

    /// The name without quotes, namespace or `#`; a string or number as written.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.token()?.text()))
    }
}

impl<'t> ObjectReference<'t> {
    /// `Page`, `Report` … where the value says it.
    pub fn object_type_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// The object.
    pub fn object(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.child(NodeKind::QualifiedName)?)
    }
}

impl<'t> ImplementationList<'t> {
    /// Its entries.
    pub fn entries(self) -> impl Iterator<Item = ImplementationEntry<'t>> {
        self.0
            .children_of(NodeKind::ImplementationEntry)
            .map(ImplementationEntry)
    }
}

impl<'t> ImplementationEntry<'t> {
    /// The interface.
    pub fn interface(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.children().next()?)
    }

    /// The codeunit.
    pub fn codeunit(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.children().nth(1)?)
    }
}

impl<'t> TableRelation<'t> {
    /// The outermost branch.
    pub fn branch(self) -> Option<TableRelationBranch<'t>> {
        TableRelationBranch::cast(self.0.child(NodeKind::TableRelationBranch)?)
    }

    /// All targets of all branches, in text order.
    pub fn targets(self) -> impl Iterator<Item = QualifiedName<'t>> {
        self.0
            .descendants_of(NodeKind::TableRelationBranch)
            .filter_map(|branch| TableRelationBranch(branch).target())
    }
}

impl<'t> TableRelationBranch<'t> {
    /// Whether it is an `if`.
    pub fn is_conditional(self) -> bool {
        self.0.own_keyword(Keyword::If).is_some()
    }

    /// Table and possibly field it relates to; none for an `if`.
    pub fn target(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.child(NodeKind::QualifiedName)?)
    }

    /// The condition of an `if`, or the `where` of a target.
    pub fn filters(self) -> Option<Filters<'t>> {
        Filters::cast(self.0.child(NodeKind::FilterClause)?)
    }

    /// The branch behind the condition.
    pub fn then_branch(self) -> Option<Self> {
        self.0.child(NodeKind::TableRelationBranch).map(Self)
    }

    /// The branch behind `else`.
    pub fn else_branch(self) -> Option<Self> {
        let word = self.0.own_keyword(Keyword::Else)?;
        let behind = |child: &Node<'t>| child.range().start > word.range().start;
        self.0.children_of(NodeKind::TableRelationBranch).find(behind).map(Self)
    }
}

impl<'t> CalcFormula<'t> {
    /// `sum`, `count`, `exist` …
    pub fn method_token(self) -> Option<TokenRef<'t>> {
        self.0.own_token(TokenKind::Identifier)
    }

    /// Whether a `-` stands in front.
    pub fn is_negated(self) -> bool {
        self.0.own_token(TokenKind::Minus).is_some()
    }

    /// The table, with the field for all methods but `count` and `exist`.
    pub fn target(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.child(NodeKind::QualifiedName)?)
    }

    /// The conditions.
    pub fn filters(self) -> Option<Filters<'t>> {
        Filters::cast(self.0.child(NodeKind::FilterClause)?)
    }
}

impl<'t> TableView<'t> {
    /// The fields in `sorting(…)`.
    pub fn sorting(self) -> Option<IdentifierList<'t>> {
        IdentifierList::cast(self.0.child(NodeKind::SortingClause)?.child(NodeKind::IdentifierList)?)
    }

    /// The conditions in `where(…)`.
    pub fn filters(self) -> Option<Filters<'t>> {
        Filters::cast(self.0.child(NodeKind::FilterClause)?)
    }
}

impl<'t> Filters<'t> {
    /// The conditions.
    pub fn conditions(self) -> impl Iterator<Item = FilterCondition<'t>> {
        self.0.children_of(NodeKind::FilterCondition).map(FilterCondition)
    }
}

impl<'t> FilterCondition<'t> {
    /// The field that is filtered.
    pub fn field(self) -> Option<QualifiedName<'t>> {
        QualifiedName::cast(self.0.child(NodeKind::QualifiedName)?)
    }

    /// `const`, `filter`, `field` or `upperlimit`; [`Keyword::None`] for a plain value.
    pub fn form(self) -> Keyword {
        self.0
            .own_token(TokenKind::Identifier)
            .map_or(Keyword::None, TokenRef::keyword)
    }

    /// What it is compared with: an expression or a [`NodeKind::FilterText`].
    pub fn value(self) -> Option<Node<'t>> {
        self.0
            .children()
            .find(|child| child.kind() == NodeKind::FilterText || child.kind().is_expression())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symbols, Tree, parse};

    fn tree_of(property: &str) -> Tree {
        parse(format!("page 1 P {{ {property} }}"), &Symbols::none())
    }

    fn property_of(tree: &Tree) -> Property<'_> {
        tree.root().descendants().find_map(Property::cast).expect("a property")
    }

    #[test]
    fn a_property_tells_its_name_and_value() {
        let tree = tree_of("drilldownpageID = /* why */ \"A B\" ;");
        let property = property_of(&tree);
        assert_eq!(property.name(), "drilldownpageID");
        assert_eq!(property.canonical_name(), Some("DrillDownPageId"));
        assert!(property.is("DrillDownPageId"));
        assert_eq!(property.value_text(), "\"A B\"");
        assert!(property.semicolon_token().is_some());
        assert_eq!(property.owner().map(|owner| owner.node().kind()), Some(NodeKind::Page));
        assert_eq!(property_of(&tree_of("Foo = 1;")).canonical_name(), None);
    }

    #[test]
    fn single_words_numbers_and_strings() {
        /// Word, boolean, integer and string of a value.
        type Facts<'t> = (Option<&'t str>, Option<bool>, Option<i64>, Option<&'t str>);
        let cases: &[(&str, Facts<'_>)] = &[
            ("Access = Internal;", (Some("Internal"), None, None, None)),
            ("DefaultRenderingLayout = \"A B\";", (Some("\"A B\""), None, None, None)),
            ("Editable = FALSE;", (None, Some(false), None, None)),
            ("Extensible = true;", (None, Some(true), None, None)),
            ("AutoFormatType = 10;", (None, None, Some(10), None)),
            ("MinValue = -10;", (None, None, Some(-10), None)),
            ("MinValue = 1.5;", (None, None, None, None)),
            ("ObsoleteTag = '25.0';", (None, None, None, Some("'25.0'"))),
            ("Caption = 'x', Locked = true;", (None, None, None, Some("'x'"))),
            ("CaptionClass = 'x' + A;", (None, None, None, None)),
            ("Visible = not A;", (None, None, None, None)),
            ("Visible = ;", (None, None, None, None)),
        ];
        for &(text, expected) in cases {
            let tree = tree_of(text);
            let property = property_of(&tree);
            let found: Facts<'_> = (
                property.identifier().map(TokenRef::text),
                property.boolean(),
                property.integer(),
                property.string_token().map(TokenRef::text),
            );
            assert_eq!(found, expected, "{text}");
        }
        assert!(property_of(&tree_of("Access = \"internal\";")).is_identifier("Internal"));
    }

    #[test]
    fn permissions_tell_kind_object_and_letters() {
        let tree = tree_of("Permissions = tabledata N.\"A B\" = rimd, codeunit C = X, table * = X, system 5;");
        let list = property_of(&tree).permissions().expect("permissions");
        let entries: Vec<_> = list
            .entries()
            .map(|entry| {
                (
                    entry.object_type_token().map_or("", TokenRef::text),
                    entry.is_table_data(),
                    entry.object().and_then(QualifiedName::name),
                    entry.is_for_all(),
                    entry.letters_token().map(TokenRef::text),
                )
            })
            .collect();
        assert_eq!(
            entries,
            [
                ("tabledata", true, Some("A B".into()), false, Some("rimd")),
                ("codeunit", false, Some("C".into()), false, Some("X")),
                ("table", false, None, true, Some("X")),
                ("system", false, Some("5".into()), false, None),
            ]
        );
    }

    #[test]
    fn the_place_of_an_option_counts_empty_members() {
        let tree = tree_of("OptionMembers = ,A,,\"B C\",;");
        let list = property_of(&tree).list().expect("a list");
        let names: Vec<_> = list.items().filter_map(IdentifierListItem::name).collect();
        assert_eq!(names, ["A", "B C"]);
        let places: Vec<_> = list
            .places()
            .into_iter()
            .map(|item| item.and_then(IdentifierListItem::token).map(TokenRef::text))
            .collect();
        assert_eq!(places, [None, Some("A"), None, Some("\"B C\""), None]);
    }

    #[test]
    fn references_and_implementations_tell_their_objects() {
        let tree = tree_of("RunObject = page N.\"A B\";");
        let reference = property_of(&tree).object().expect("a reference");
        assert_eq!(reference.object_type_token().map(TokenRef::text), Some("page"));
        assert_eq!(reference.object().and_then(QualifiedName::name).as_deref(), Some("A B"));
        let tree = tree_of("SourceTable = Customer;");
        assert_eq!(
            property_of(&tree).object().and_then(ObjectReference::object_type_token),
            None
        );

        let tree = tree_of("Implementation = I = C, J = D;");
        let list = property_of(&tree).implementations().expect("implementations");
        let pairs: Vec<_> = list
            .entries()
            .filter_map(|entry| Some((entry.interface()?.name()?, entry.codeunit()?.name()?)))
            .collect();
        assert_eq!(pairs, [("I".into(), "C".into()), ("J".into(), "D".into())]);
    }

    #[test]
    fn a_relation_tells_conditions_and_targets() {
        let tree =
            tree_of("TableRelation = if (A = const(X)) T.F where(B = field(C)) else if (A = const(Y)) U else V;");
        let relation = property_of(&tree).table_relation().expect("a relation");
        let targets: Vec<_> = relation.targets().map(|target| target.node().text()).collect();
        assert_eq!(targets, ["T.F", "U", "V"]);
        let outer = relation.branch().expect("a branch");
        assert!(outer.is_conditional() && outer.target().is_none());
        let condition = outer
            .filters()
            .and_then(|filters| filters.conditions().next())
            .expect("a condition");
        assert_eq!(condition.form(), Keyword::Const);
        assert_eq!(condition.value().map(Node::text), Some("X"));
        let then = outer.then_branch().expect("a branch behind the condition");
        assert_eq!(then.target().map(|target| target.node().text()), Some("T.F"));
        assert!(then.filters().is_some());
        let other = outer
            .else_branch()
            .and_then(TableRelationBranch::else_branch)
            .expect("a branch behind the last else");
        assert_eq!(other.node().text(), "V");
    }

    #[test]
    fn formulas_and_views_tell_their_parts() {
        let tree = tree_of("CalcFormula = -sum(T.F where(A = filter(<>0 | 5), B = field(upperlimit(C))));");
        let formula = property_of(&tree).calc_formula().expect("a formula");
        assert_eq!(formula.method_token().map(TokenRef::text), Some("sum"));
        assert!(formula.is_negated());
        assert_eq!(formula.target().map(|target| target.node().text()), Some("T.F"));
        let conditions: Vec<_> = formula
            .filters()
            .into_iter()
            .flat_map(Filters::conditions)
            .map(|condition| (condition.form(), condition.value().map(Node::text)))
            .collect();
        assert_eq!(
            conditions,
            [(Keyword::Filter, Some("<>0 | 5")), (Keyword::Field, Some("C"))]
        );

        let tree = tree_of("SourceTableView = sorting(A) where(B = const(1));");
        let view = property_of(&tree).table_view().expect("a view");
        assert_eq!(view.sorting().map(|list| list.node().text()), Some("A"));
        assert_eq!(
            property_of(&tree).filters().map(|filters| filters.conditions().count()),
            Some(1)
        );
        let tree = tree_of("SubPageLink = A = field(B), C = Lines.D;");
        let filters = property_of(&tree).filters().expect("conditions");
        let forms: Vec<_> = filters.conditions().map(FilterCondition::form).collect();
        assert_eq!(forms, [Keyword::Field, Keyword::None]);
    }
}
