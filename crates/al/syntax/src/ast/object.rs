//! Views: the file, objects, and the parts objects are made of.

use std::borrow::Cow;

use super::{Method, Property, VarSection, same_name, unquoted};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef, Tree};

view! {
    /// The whole file.
    CompilationUnit = CompilationUnit;
    /// `namespace A.B;`
    NamespaceDeclaration = NamespaceDeclaration;
    /// `using A.B;`
    UsingDirective = UsingDirective;
    /// A reference to a namespace or object: `A.B."C D"`, `Customer` or a number.
    QualifiedName = QualifiedName;
    /// An object of any kind.
    Object = Table | TableExtension | Page | PageExtension | PageCustomization | Report | ReportExtension | Codeunit
        | Query | XmlPort | Enum | EnumExtension | Interface | PermissionSet | PermissionSetExtension | Entitlement
        | Profile | ProfileExtension | ControlAddIn | DotNetPackage;
    /// A section of an object: `fields { … }`, `layout { … }`, `requestpage { … }` …
    Section = FieldSection | KeySection | FieldGroupSection | LayoutSection | ActionSection | ViewSection | DataSetSection
        | RequestPage | RenderingSection | LabelSection | ElementsSection | SchemaSection;
    /// A field of a table or table extension.
    Field = Field;
    /// `modify("Name") { … }` in a table extension.
    FieldModification = FieldModification;
    /// A key of a table.
    Key = Key;
    /// A field group, or an addition to one.
    FieldGroup = FieldGroup | FieldGroupAddition;
    /// A value of an enum.
    EnumValue = EnumValue;
    /// Anything that stands in the layout of a page or request page and is not a change to another page.
    Control = Area | Group | CueGroup | Repeater | Grid | Fixed | PageField | Part | SystemPart | ChartPart | UserControl
        | PageLabel;
    /// Anything that stands among the actions of a page and is not a change to another page.
    ActionControl = ActionArea | ActionGroup | Action | ActionRef | ActionSeparator | CustomAction | SystemAction
        | FileUploadAction;
    /// `addafter(…)`, `modify(…)`, `movefirst(…)` … in an extension or customization.
    Change = ControlChange | ActionChange | ViewChange | DataSetChange;
    /// A view or analysis view of a page.
    PageView = View | AnalysisView;
    /// A data item of a report or query.
    DataItem = DataItem | QueryDataItem;
    /// A column or filter of a report or query.
    Column = ReportColumn | QueryColumn | QueryFilter;
    /// A node of the schema of an `XMLport`.
    XmlNode = TextElement | TextAttribute | TableElement | FieldElement | FieldAttribute;
    /// A layout in the rendering section of a report.
    RenderingLayout = RenderingLayout;
    /// A label of a report's labels section.
    ReportLabel = ReportLabel;
}

/// The token of the first [`NodeKind::Name`] child.
fn name_token(node: Node<'_>) -> Option<TokenRef<'_>> {
    node.child(NodeKind::Name)?.last_token()
}

/// The number in the [`NodeKind::ObjectId`] child.
fn number(node: Node<'_>) -> Option<i64> {
    let id = node.child(NodeKind::ObjectId)?;
    let digits: i64 = id.last_token()?.text().parse().ok()?;
    Some(if id.own_token(TokenKind::Minus).is_some() {
        -digits
    } else {
        digits
    })
}

macro_rules! named {
    ($($view:ident)*) => {$(
        impl<'t> $view<'t> {
            /// The word it begins with: `table`, `field`, `group` …
            pub fn keyword_token(self) -> Option<TokenRef<'t>> {
                self.0.own_tokens().next()
            }

            /// Its name as written.
            pub fn name_token(self) -> Option<TokenRef<'t>> {
                name_token(self.0)
            }

            /// Its name without quotes.
            pub fn name(self) -> Option<Cow<'t, str>> {
                Some(unquoted(self.name_token()?.text()))
            }
        }
    )*};
}

named! {
    Object Field FieldModification Key FieldGroup EnumValue Control ActionControl Change PageView DataItem Column
    XmlNode RenderingLayout ReportLabel
}

macro_rules! with_triggers {
    ($($view:ident)*) => {$(
        impl<'t> $view<'t> {
            /// Its triggers.
            pub fn triggers(self) -> impl Iterator<Item = Method<'t>> {
                self.0.children_of(NodeKind::Trigger).filter_map(Method::cast)
            }
        }
    )*};
}

with_triggers! { Object Field FieldModification Control ActionControl Change DataItem XmlNode Section }

macro_rules! numbered {
    ($($view:ident)*) => {$(
        impl<'t> $view<'t> {
            /// The token of its number.
            pub fn number_token(self) -> Option<TokenRef<'t>> {
                self.0.child(NodeKind::ObjectId)?.last_token()
            }

            /// Its number; none where none is written or it does not fit.
            pub fn number(self) -> Option<i64> {
                number(self.0)
            }
        }
    )*};
}

numbered! { Object Field EnumValue }

impl<'t> CompilationUnit<'t> {
    /// The file of a tree.
    pub fn of(tree: &'t Tree) -> Self {
        Self(tree.root())
    }

    /// The namespace, if the file declares one.
    pub fn namespace(self) -> Option<QualifiedName<'t>> {
        self.0
            .child(NodeKind::NamespaceDeclaration)?
            .child(NodeKind::QualifiedName)
            .map(QualifiedName)
    }

    /// The namespaces the file uses.
    pub fn usings(self) -> impl Iterator<Item = UsingDirective<'t>> {
        self.0.children_of(NodeKind::UsingDirective).map(UsingDirective)
    }

    /// The objects of the file.
    pub fn objects(self) -> impl Iterator<Item = Object<'t>> {
        self.0.children().filter_map(Object::cast)
    }
}

impl<'t> NamespaceDeclaration<'t> {
    /// The namespace.
    pub fn name(self) -> Option<QualifiedName<'t>> {
        self.0.child(NodeKind::QualifiedName).map(QualifiedName)
    }
}

impl<'t> UsingDirective<'t> {
    /// The namespace.
    pub fn name(self) -> Option<QualifiedName<'t>> {
        self.0.child(NodeKind::QualifiedName).map(QualifiedName)
    }
}

impl<'t> QualifiedName<'t> {
    /// Its parts, without the dots.
    pub fn segments(self) -> impl Iterator<Item = TokenRef<'t>> {
        self.0.own_tokens().filter(|token| token.kind() != TokenKind::Dot)
    }

    /// The last part, as written.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.last_token()
    }

    /// The last part, without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }

    /// The number, where one stands instead of a name.
    pub fn number(self) -> Option<u32> {
        let token = self.0.last_token()?;
        if token.kind() == TokenKind::IntegerLiteral {
            token.text().parse().ok()
        } else {
            None
        }
    }

    /// Whether it has more than one part.
    pub fn is_qualified(self) -> bool {
        self.segments().nth(1).is_some()
    }
}

impl<'t> Object<'t> {
    /// Which kind of object it is.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// Whether it extends or customizes another object.
    pub fn is_extension(self) -> bool {
        matches!(
            self.kind(),
            NodeKind::TableExtension
                | NodeKind::PageExtension
                | NodeKind::PageCustomization
                | NodeKind::ReportExtension
                | NodeKind::EnumExtension
                | NodeKind::PermissionSetExtension
                | NodeKind::ProfileExtension
        )
    }

    /// What stands behind `extends` or `customizes`.
    pub fn extends(self) -> impl Iterator<Item = QualifiedName<'t>> {
        self.clause(&[NodeKind::ExtendsClause, NodeKind::CustomizesClause])
    }

    /// The interfaces behind `implements`.
    pub fn implements(self) -> impl Iterator<Item = QualifiedName<'t>> {
        self.clause(&[NodeKind::ImplementsClause])
    }

    fn clause(self, kinds: &'static [NodeKind]) -> impl Iterator<Item = QualifiedName<'t>> {
        self.0
            .children()
            .filter(|child| kinds.contains(&child.kind()))
            .flat_map(|clause| clause.children().filter_map(QualifiedName::cast))
    }

    /// The sections of the object.
    pub fn sections(self) -> impl Iterator<Item = Section<'t>> {
        self.0.children().filter_map(Section::cast)
    }

    /// Its procedures and triggers, and the events of a control add-in; not the triggers of its fields or controls.
    pub fn methods(self) -> impl Iterator<Item = Method<'t>> {
        self.0.children().filter_map(Method::cast)
    }

    /// Its global variables.
    pub fn var_sections(self) -> impl Iterator<Item = VarSection<'t>> {
        self.0.children().filter_map(VarSection::cast)
    }

    /// The fields a table or table extension declares.
    pub fn fields(self) -> impl Iterator<Item = Field<'t>> {
        self.in_sections(NodeKind::FieldSection).filter_map(Field::cast)
    }

    /// The keys a table or table extension declares; the first one of a table is its primary key.
    pub fn keys(self) -> impl Iterator<Item = Key<'t>> {
        self.in_sections(NodeKind::KeySection).filter_map(Key::cast)
    }

    /// The field groups of a table, and additions to them.
    pub fn field_groups(self) -> impl Iterator<Item = FieldGroup<'t>> {
        self.in_sections(NodeKind::FieldGroupSection)
            .filter_map(FieldGroup::cast)
    }

    /// The values an enum or enum extension declares.
    pub fn enum_values(self) -> impl Iterator<Item = EnumValue<'t>> {
        self.0.children().filter_map(EnumValue::cast)
    }

    fn in_sections(self, kind: NodeKind) -> impl Iterator<Item = Node<'t>> {
        self.0.children_of(kind).flat_map(Node::children)
    }

    /// All controls of its layout and request page, nested ones too, in document order.
    pub fn controls(self) -> impl Iterator<Item = Control<'t>> {
        self.0.descendants().filter_map(Control::cast)
    }

    /// All its actions, nested ones too, in document order.
    pub fn actions(self) -> impl Iterator<Item = ActionControl<'t>> {
        self.0.descendants().filter_map(ActionControl::cast)
    }

    /// The object that holds `node`.
    pub fn around(node: Node<'t>) -> Option<Self> {
        Self::cast(node).or_else(|| node.ancestors().find_map(Self::cast))
    }
}

impl<'t> Section<'t> {
    /// Which kind of section it is.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// The word it begins with.
    pub fn keyword_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }
}

impl<'t> Field<'t> {
    /// The type node.
    pub fn type_node(self) -> Option<Node<'t>> {
        self.0.children().find(|child| child.kind().is_type())
    }
}

impl<'t> Key<'t> {
    /// The names of its fields, as written.
    pub fn fields(self) -> impl Iterator<Item = TokenRef<'t>> {
        list_tokens(self.0)
    }
}

impl<'t> FieldGroup<'t> {
    /// The names of its fields, as written.
    pub fn fields(self) -> impl Iterator<Item = TokenRef<'t>> {
        list_tokens(self.0)
    }

    /// Whether it adds to a field group of another table.
    pub fn is_addition(self) -> bool {
        self.0.kind() == NodeKind::FieldGroupAddition
    }
}

fn list_tokens(node: Node<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    node.child(NodeKind::IdentifierList)
        .into_iter()
        .flat_map(Node::children)
        .filter_map(Node::last_token)
}

impl<'t> Control<'t> {
    /// Which kind of control it is.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// What a field or label shows.
    pub fn source_expression(self) -> Option<Node<'t>> {
        self.0.children().find(|child| child.kind().is_expression())
    }

    /// What a part, chart part or user control shows.
    pub fn source_object(self) -> Option<QualifiedName<'t>> {
        self.0.child(NodeKind::QualifiedName).map(QualifiedName)
    }
}

impl<'t> ActionControl<'t> {
    /// Which kind of action it is.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// The action that an `actionref` shows.
    pub fn target_token(self) -> Option<TokenRef<'t>> {
        self.0.children_of(NodeKind::Name).nth(1)?.last_token()
    }
}

impl<'t> Change<'t> {
    /// `addafter`, `modify`, `movefirst` …; [`Keyword::None`] where the text is broken.
    pub fn verb(self) -> Keyword {
        self.keyword_token().map_or(Keyword::None, TokenRef::keyword)
    }

    /// The names behind the first one: what a `move…` moves.
    pub fn moved(self) -> impl Iterator<Item = TokenRef<'t>> {
        self.0.children_of(NodeKind::Name).skip(1).filter_map(Node::last_token)
    }
}

impl<'t> DataItem<'t> {
    /// The table it reads.
    pub fn table(self) -> Option<QualifiedName<'t>> {
        self.0.child(NodeKind::QualifiedName).map(QualifiedName)
    }

    /// Its columns and filters; not those of data items inside it.
    pub fn columns(self) -> impl Iterator<Item = Column<'t>> {
        self.0.children().filter_map(Column::cast)
    }
}

impl<'t> Column<'t> {
    /// What it shows: an expression in a report, a field in a query.
    pub fn source_expression(self) -> Option<Node<'t>> {
        self.0.children().find(|child| child.kind().is_expression())
    }
}

impl<'t> XmlNode<'t> {
    /// The table of a table element.
    pub fn table(self) -> Option<QualifiedName<'t>> {
        self.0.child(NodeKind::QualifiedName).map(QualifiedName)
    }

    /// What a field element or attribute reads and writes.
    pub fn source_expression(self) -> Option<Node<'t>> {
        self.0.children().find(|child| child.kind().is_expression())
    }
}

view! {
    /// Any node that can have properties of its own: objects, fields, keys, controls, actions, data items, enum values …
    PropertyOwner = Table | TableExtension | Page | PageExtension | PageCustomization | Report | ReportExtension | Codeunit
        | Query | XmlPort | Enum | EnumExtension | Interface | PermissionSet | PermissionSetExtension | Entitlement
        | Profile | ProfileExtension | ControlAddIn | DotNetPackage
        | Field | FieldModification | Key | FieldGroup | FieldGroupAddition
        | Area | Group | CueGroup | Repeater | Grid | Fixed | PageField | Part | SystemPart | ChartPart | UserControl
        | PageLabel | ControlChange
        | ActionArea | ActionGroup | Action | ActionRef | ActionSeparator | CustomAction | SystemAction | FileUploadAction
        | ActionChange | View | AnalysisView | ViewChange
        | DataItem | ReportColumn | DataSetChange | RequestPage | RenderingLayout | ReportLabel
        | QueryDataItem | QueryColumn | QueryFilter
        | TextElement | TextAttribute | TableElement | FieldElement | FieldAttribute
        | EnumValue | DotNetAssembly | DotNetType;
}

impl<'t> PropertyOwner<'t> {
    /// Its own properties, in text order; not those of what stands inside it.
    pub fn properties(self) -> impl Iterator<Item = Property<'t>> {
        self.0.children_of(NodeKind::Property).filter_map(Property::cast)
    }

    /// Its own property of this name, ignoring case.
    pub fn property(self, name: &str) -> Option<Property<'t>> {
        self.properties().find(|property| property.is(name))
    }

    /// The token of its declared name.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        name_token(self.0)
    }

    /// Whether it is called `name`, quotes and case aside.
    pub fn is_named(self, name: &str) -> bool {
        self.name_token().is_some_and(|token| same_name(token.text(), name))
    }
}

macro_rules! property_owners {
    ($($view:ident)*) => {$(
        impl<'t> $view<'t> {
            /// Its own properties, in text order.
            pub fn properties(self) -> impl Iterator<Item = Property<'t>> {
                PropertyOwner(self.0).properties()
            }

            /// Its own property of this name, ignoring case.
            pub fn property(self, name: &str) -> Option<Property<'t>> {
                PropertyOwner(self.0).property(name)
            }
        }

        impl<'t> From<$view<'t>> for PropertyOwner<'t> {
            fn from(view: $view<'t>) -> Self {
                Self(view.0)
            }
        }
    )*};
}

property_owners! {
    Object Field FieldModification Key FieldGroup EnumValue Control ActionControl Change PageView DataItem Column
    XmlNode RenderingLayout ReportLabel
}

#[cfg(test)]
mod tests;
