//! Names outside of bodies: in attributes, properties, and the parts that objects are made of.

use candor_al_syntax::ast::{FilterCondition, ObjectReference as ReferenceView, Property, QualifiedName};
use candor_al_syntax::{Keyword, Node, NodeKind, TokenRef};

use super::{Binder, Symbol};
use crate::declaration::{MemberKind, ObjectKind};
use crate::name::NameKey;
use crate::types::Type;

impl<'t> Binder<'_, 't> {
    /// What stands in the head of an object.
    pub(super) fn head(&mut self, object: Node<'t>) {
        let Some(own) = self.scope.object else { return };
        let extended = self.universe.base_of(own);
        if let (Some(base), Some(clause)) = (
            extended,
            object
                .children()
                .find(|it| matches!(it.kind(), NodeKind::ExtendsClause | NodeKind::CustomizesClause)),
        ) && let Some(name) = clause.children().next()
        {
            self.set(name, Symbol::Object(base), Type::None);
        }
        let is_interface = object.kind() == NodeKind::Interface;
        for clause in object.children() {
            if clause.kind() == NodeKind::ImplementsClause || is_interface && clause.kind() == NodeKind::ExtendsClause {
                for name in clause.children_of(NodeKind::QualifiedName) {
                    self.object_name(name, ObjectKind::Interface);
                }
            }
        }
    }

    /// A part of an object that is neither property nor method.
    pub(super) fn structure(&mut self, node: Node<'t>) {
        match node.kind() {
            NodeKind::Key | NodeKind::FieldGroup | NodeKind::FieldGroupAddition => {
                if let Some(list) = node.child(NodeKind::IdentifierList) {
                    self.field_list(list, self.scope.record);
                }
            }
            NodeKind::FieldModification => {
                if let (Some(name), Some(record)) = (node.child(NodeKind::Name), self.scope.record) {
                    self.field_at(name, record);
                }
            }
            NodeKind::Part => {
                if let Some(name) = node.child(NodeKind::QualifiedName) {
                    self.object_name(name, ObjectKind::Page);
                }
            }
            NodeKind::DataItem | NodeKind::QueryDataItem | NodeKind::TableElement => {
                if let Some(name) = node.child(NodeKind::QualifiedName) {
                    self.object_name(name, ObjectKind::Table);
                }
            }
            _ => {}
        }
    }

    /// The expression that a control or column shows.
    pub(super) fn control_expression(&mut self, node: Node<'t>) {
        let before = self.implicit;
        if let Some(record) = self.data_item_record(node) {
            self.implicit = Some(record);
        }
        self.bind_range(node.subtree());
        self.implicit = before;
    }

    pub(super) fn attribute(&mut self, node: Node<'t>) {
        let Some(list) = node.child(NodeKind::ArgumentList) else {
            return;
        };
        self.bind_range(list.subtree());
        let is_subscriber = node
            .own_tokens()
            .any(|token| token.text().eq_ignore_ascii_case("EventSubscriber"));
        if !is_subscriber {
            return;
        }
        let arguments: Vec<Node<'t>> = list.children().filter(|it| it.kind().is_expression()).collect();
        let Some(&[_, publisher, event, ..]) = arguments.get(..arguments.len().min(4)).filter(|it| it.len() >= 3)
        else {
            return;
        };
        let Symbol::Object(object) = self.symbol_at(publisher) else {
            return;
        };
        for (&argument, is_event) in std::iter::once((&event, true)).chain(arguments.get(3).map(|it| (it, false))) {
            let Some(token) = argument
                .first_token()
                .filter(|_| argument.kind() == NodeKind::NameExpression)
            else {
                continue;
            };
            let name = NameKey::of(token.text());
            let found = self.universe.members(self.app, object, name).find(|&it| {
                let kind = self.universe.member(it).kind;
                if is_event {
                    kind == MemberKind::Procedure
                } else {
                    matches!(kind, MemberKind::Field | MemberKind::Action | MemberKind::Control)
                }
            });
            // Trigger events such as `OnAfterInsertEvent` are no members; nobody declares them.
            let symbol = found.map_or(Symbol::None, Symbol::Member);
            self.set(argument, symbol, Type::None);
        }
    }

    pub(super) fn property(&mut self, node: Node<'t>) {
        let Some(view) = Property::cast(node) else { return };
        let Some(value) = view.value() else { return };
        let own = self.record_around(node);
        match value.kind() {
            NodeKind::ExpressionValue if is_word(value) && !EXPRESSIONS.iter().any(|name| view.is(name)) => {}
            NodeKind::ExpressionValue => {
                let before = self.implicit;
                self.implicit = own.or(before);
                self.bind_range(value.subtree());
                self.implicit = before;
            }
            NodeKind::ObjectReference => {
                if let (Some(kind), Some(name)) = (kind_of_reference(view), value.child(NodeKind::QualifiedName)) {
                    self.object_name(name, kind);
                }
            }
            NodeKind::IdentifierList if LISTS_OF_FIELDS.iter().any(|name| view.is(name)) => {
                self.field_list(value, own);
            }
            NodeKind::TableRelationValue | NodeKind::CalcFormulaValue => {
                for inner in value.descendants() {
                    if matches!(inner.kind(), NodeKind::TableRelationBranch | NodeKind::CalcFormulaValue) {
                        self.relation(inner, own);
                    }
                }
            }
            NodeKind::TableViewValue | NodeKind::FilterListValue => {
                let filtered = self.filtered_record(view, node, own);
                if let Some(sorting) = value.child(NodeKind::SortingClause)
                    && let Some(list) = sorting.child(NodeKind::IdentifierList)
                {
                    self.field_list(list, filtered);
                }
                self.conditions(value, filtered, own);
            }
            _ => {}
        }
    }

    /// The record whose fields a property of a node names: that of the data item around it, else that of the object.
    fn record_around(&mut self, node: Node<'t>) -> Option<Type> {
        self.data_item_record(node).or(self.scope.record)
    }

    /// The record that the view or link of a property filters.
    fn filtered_record(&mut self, property: Property<'t>, node: Node<'t>, own: Option<Type>) -> Option<Type> {
        if property.is("SubPageLink") || property.is("SubPageView") {
            let page = node
                .parent()?
                .child(NodeKind::QualifiedName)
                .and_then(QualifiedName::cast)?;
            return self.record_of_page(page);
        }
        if property.is("RunPageLink") || property.is("RunPageView") {
            let run = node
                .parent()?
                .children_of(NodeKind::Property)
                .filter_map(Property::cast);
            let page = run.into_iter().find(|it| it.is("RunObject"))?.object()?;
            let is_page = page
                .object_type_token()
                .is_some_and(|word| word.keyword() == Keyword::Page);
            return self.record_of_page(page.object().filter(|_| is_page)?);
        }
        own
    }

    fn record_of_page(&self, page: QualifiedName<'t>) -> Option<Type> {
        let token = page.name_token().filter(|_| !page.is_qualified())?;
        let page = self.object_named(ObjectKind::Page, NameKey::of(token.text()))?;
        self.universe.source_table(page)
    }

    /// Conditions: on the left fields of the filtered table, in `field(…)` those of the own one.
    fn conditions(&mut self, around: Node<'t>, filtered: Option<Type>, own: Option<Type>) {
        for condition in around.descendants_of(NodeKind::FilterCondition) {
            let Some(view) = FilterCondition::cast(condition) else {
                continue;
            };
            if let (Some(field), Some(filtered)) = (view.field(), filtered)
                && !field.is_qualified()
            {
                self.field_at(field.node(), filtered);
            }
            let Some(value) = view.value() else { continue };
            if let (Keyword::Field, Some(own), NodeKind::NameExpression) = (view.form(), own, value.kind()) {
                self.field_at(value, own);
            }
        }
    }

    /// A target with its conditions, or the condition of an `if`.
    fn relation(&mut self, branch: Node<'t>, own: Option<Type>) {
        let target = branch.child(NodeKind::QualifiedName).and_then(QualifiedName::cast);
        let mut filtered = own;
        if let Some(target) = target {
            filtered = self.relation_target(target);
        }
        for clause in branch.children_of(NodeKind::FilterClause) {
            self.conditions(clause, filtered, own);
        }
    }

    /// `Customer`, `Customer."No."` or either with a namespace in front.
    fn relation_target(&mut self, target: QualifiedName<'t>) -> Option<Type> {
        let segments: Vec<_> = target.segments().collect();
        let node = target.node();
        let table_at = |binder: &Self, index: usize| {
            binder.object_named(ObjectKind::Table, NameKey::of(segments.get(index)?.text()))
        };
        let last = segments.len().checked_sub(1)?;
        let record = |table| Type::Record {
            table,
            is_temporary: false,
        };
        // The last part is a field if the part before it is a table.
        if last > 0
            && let Some(table) = table_at(self, last - 1)
        {
            self.field_at(node, record(table));
            return Some(record(table));
        }
        let table = table_at(self, last)?;
        if last == 0 {
            self.set(node, Symbol::Object(table), Type::None);
        }
        Some(record(table))
    }

    fn object_name(&mut self, node: Node<'t>, kind: ObjectKind) {
        let Some(name) = QualifiedName::cast(node).filter(|name| !name.is_qualified() && name.number().is_none())
        else {
            return;
        };
        let found = name
            .name_token()
            .and_then(|token| self.object_named(kind, NameKey::of(token.text())));
        if let Some(object) = found {
            self.set(node, Symbol::Object(object), Type::None);
        }
    }

    fn field_list(&mut self, list: Node<'t>, record: Option<Type>) {
        let Some(record) = record else { return };
        for item in list.children_of(NodeKind::IdentifierListItem) {
            self.field_at(item, record);
        }
    }

    /// A node whose last token is the name of a field.
    fn field_at(&mut self, node: Node<'t>, record: Type) {
        let (Type::Record { table, .. }, Some(token)) = (record, node.last_token()) else {
            return;
        };
        if !token.kind().is_name() {
            return;
        }
        let name = NameKey::of(token.text());
        let found = match self.universe.field(self.app, table, name) {
            Some(field) => (Symbol::Member(field), self.universe.type_of(field)),
            None => match Self::system_field(name) {
                Some(found) => found,
                None => return,
            },
        };
        self.set(node, found.0, found.1);
    }
}

/// Properties of which a name alone is an expression. In all others it is a word of a list: `Image = Delete` calls nothing.
const EXPRESSIONS: &[&str] = &[
    "AutoFormatExpression",
    "CaptionClass",
    "DataCaptionExpression",
    "Editable",
    "Enabled",
    "HideValue",
    "IndentationColumn",
    "ShowMandatory",
    "StyleExpr",
    "Visible",
];

/// Whether the value of a property is one name.
fn is_word(value: Node<'_>) -> bool {
    let mut parts = value.children();
    matches!((parts.next(), parts.next()), (Some(only), None) if only.kind() == NodeKind::NameExpression)
}

/// Properties whose values are lists of fields of the record around.
const LISTS_OF_FIELDS: &[&str] = &[
    "CalcFields",
    "ColumnStoreIndex",
    "DataCaptionFields",
    "IncludedFields",
    "ODataKeyFields",
    "RequestFilterFields",
    "SqlIndex",
    "SumIndexFields",
];

/// The kind of object that a property names.
fn kind_of_reference(property: Property<'_>) -> Option<ObjectKind> {
    let word = property
        .object()
        .and_then(ReferenceView::object_type_token)
        .map(TokenRef::keyword);
    match word {
        Some(Keyword::Page) => return Some(ObjectKind::Page),
        Some(Keyword::Report) => return Some(ObjectKind::Report),
        Some(Keyword::Codeunit) => return Some(ObjectKind::Codeunit),
        Some(Keyword::Query) => return Some(ObjectKind::Query),
        Some(Keyword::XmlPort) => return Some(ObjectKind::XmlPort),
        _ => {}
    }
    if property.is("SourceTable") || property.is("TableNo") {
        return Some(ObjectKind::Table);
    }
    let pages = [
        "CardPageId",
        "DrillDownPageId",
        "LookupPageId",
        "NavigationPageId",
        "RoleCenter",
    ];
    pages.iter().any(|name| property.is(name)).then_some(ObjectKind::Page)
}
