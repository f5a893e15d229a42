//! From a tree to its declarations.

use candor_al_syntax::ast::{
    ActionControl, Attribute, Change, Column, CompilationUnit, Control, DataItem, Field, LabelValue, Method, Object,
    ObjectReference as ReferenceView, Property, PropertyOwner, QualifiedName, TypeReference as TypeView, VarSection,
    XmlNode,
};
use candor_al_syntax::{Keyword, Node, NodeId, NodeKind, TokenKind, Tree};

use crate::declaration::{
    FileDeclarations, Member, MemberAccess, MemberFlags, MemberKind, ObjectDeclaration, ObjectKind, ObjectReference,
    Parameter, PropertyValue, Span, TypeId, TypeReference,
};
use crate::lower_types::TypeLowering;
use crate::name::{NameId, NameKey};

/// Where in its tree each declaration of a file stands. Belongs to one text; [`FileDeclarations`] do not.
#[derive(Clone, Default, Debug)]
pub struct DeclarationNodes {
    /// The node of each object.
    pub objects: Vec<NodeId>,
    /// The node of each member; of a variable its `Name`.
    pub members: Vec<NodeId>,
}

/// The longest text of a property value that is kept.
const VALUE_LIMIT: usize = 120;

/// Takes the declarations out of a tree.
pub fn declarations_of(tree: &Tree) -> (FileDeclarations, DeclarationNodes) {
    let unit = CompilationUnit::of(tree);
    let mut lowering = Lowering::default();
    lowering.file.namespace = unit.namespace().and_then(|name| lowering.types.dotted(name));
    for using in unit.usings() {
        if let Some(name) = using.name().and_then(|name| lowering.types.dotted(name)) {
            lowering.file.usings.push(name);
        }
    }
    for object in unit.objects() {
        lowering.object(object);
    }
    let mut file = lowering.file;
    file.names = lowering.types.names.names;
    file.types = lowering.types.types;
    // Members of options are in the list of the types, fields of keys in the same one.
    file.lists = lowering.types.lists;
    file.names.shrink();
    file.members.shrink_to_fit();
    file.parameters.shrink_to_fit();
    file.types.shrink_to_fit();
    file.lists.shrink_to_fit();
    file.properties.shrink_to_fit();
    (file, lowering.nodes)
}

#[derive(Default)]
struct Lowering {
    file: FileDeclarations,
    types: TypeLowering,
    nodes: DeclarationNodes,
}

impl Lowering {
    fn object(&mut self, object: Object<'_>) {
        let Some(kind) = ObjectKind::of_node(object.kind()) else {
            return;
        };
        let name = match object.name_token() {
            Some(token) => self.types.names.add(token.text()),
            None => self.types.names.add(""),
        };
        let base = if kind.extended().is_some() {
            object.extends().next().and_then(|name| self.types.reference(name))
        } else {
            None
        };
        let interfaces_start = self.file.references.len() as u32;
        let extended = object.extends().filter(|_| kind == ObjectKind::Interface);
        for interface in object.implements().chain(extended) {
            if let Some(reference) = self.types.reference(interface) {
                self.file.references.push(reference);
            }
        }
        let interfaces = Span {
            start: interfaces_start,
            end: self.file.references.len() as u32,
        };
        let number = object.number().and_then(|number| u32::try_from(number).ok());
        let (properties, source) = self.object_properties(object.into());
        let index = self.file.objects.len();
        self.file.objects.push(ObjectDeclaration {
            kind,
            number,
            name,
            base,
            interfaces,
            source,
            members: Span::default(),
            properties,
            parent: None,
        });
        self.nodes.objects.push(object.node().id());
        let start = self.file.members.len() as u32;
        self.members_of(object.node());
        self.file.objects[index].members = Span {
            start,
            end: self.file.members.len() as u32,
        };
        for request_page in object.node().children_of(NodeKind::RequestPage) {
            self.request_page(request_page, index as u32, name);
        }
    }

    fn request_page(&mut self, node: Node<'_>, parent: u32, name: NameId) {
        let mut source = None;
        for property in node.children_of(NodeKind::Property).filter_map(Property::cast) {
            if property.is("SourceTable") {
                source = self.referenced(property);
            }
        }
        let start = self.file.members.len() as u32;
        self.members_of(node);
        self.file.objects.push(ObjectDeclaration {
            kind: ObjectKind::RequestPage,
            number: None,
            name,
            base: None,
            interfaces: Span::default(),
            source,
            members: Span {
                start,
                end: self.file.members.len() as u32,
            },
            properties: Span::default(),
            parent: Some(parent),
        });
        self.nodes.objects.push(node.id());
    }

    fn object_properties(&mut self, owner: PropertyOwner<'_>) -> (Span, Option<ObjectReference>) {
        let mut source = None;
        let start = self.file.properties.len() as u32;
        for property in owner.properties() {
            if property.is("SourceTable") || property.is("TableNo") {
                source = self.referenced(property);
            }
            self.property(property);
        }
        let end = self.file.properties.len() as u32;
        (Span { start, end }, source)
    }

    fn referenced(&mut self, property: Property<'_>) -> Option<ObjectReference> {
        let name = property.object().and_then(ReferenceView::object)?;
        self.types.reference(name)
    }

    fn property(&mut self, property: Property<'_>) {
        let text = property.value_text();
        let says_something = !text.starts_with('\'') && text.len() <= VALUE_LIMIT;
        let value = self.types.names.add(if says_something { text } else { "" });
        self.file.properties.push(PropertyValue {
            name: NameKey::of_unquoted(property.name()),
            value,
        });
    }

    fn push(&mut self, member: Member, node: Node<'_>) {
        self.file.members.push(member);
        self.nodes.members.push(node.id());
    }

    fn simple(&mut self, kind: MemberKind, name: &str, of_type: TypeId, node: Node<'_>) {
        let member = Member {
            kind,
            access: MemberAccess::Public,
            flags: MemberFlags::default(),
            name: self.types.names.add(name),
            number: 0,
            of_type,
            details: Span::default(),
        };
        self.push(member, node);
    }

    fn members_of(&mut self, object: Node<'_>) {
        for child in object.children() {
            match child.kind() {
                NodeKind::Procedure | NodeKind::EventDeclaration => {
                    if let Some(method) = Method::cast(child) {
                        self.method(method);
                    }
                }
                NodeKind::VarSection => {
                    if let Some(section) = VarSection::cast(child) {
                        self.variables(section);
                    }
                }
                NodeKind::FieldSection => {
                    for field in child.children().filter_map(Field::cast) {
                        self.field(field);
                    }
                }
                NodeKind::KeySection => {
                    for key in child.children_of(NodeKind::Key) {
                        self.list_member(MemberKind::Key, key);
                    }
                }
                NodeKind::FieldGroupSection => {
                    for group in child.children_of(NodeKind::FieldGroup) {
                        self.list_member(MemberKind::FieldGroup, group);
                    }
                }
                NodeKind::LayoutSection | NodeKind::ActionSection | NodeKind::ViewSection => self.controls(child),
                NodeKind::DataSetSection | NodeKind::ElementsSection => self.data_items(child),
                NodeKind::SchemaSection => self.schema(child),
                NodeKind::LabelSection => {
                    for label in child.children_of(NodeKind::ReportLabel) {
                        let of_type = self.types.add(TypeReference::Label {
                            length: 0,
                            is_locked: false,
                        });
                        self.named(MemberKind::Label, label, of_type);
                    }
                }
                NodeKind::RenderingSection => {
                    for layout in child.children_of(NodeKind::RenderingLayout) {
                        self.named(MemberKind::Layout, layout, TypeId::NONE);
                    }
                }
                NodeKind::EnumValue => self.enum_value(child),
                NodeKind::DotNetAssembly => {
                    for of_type in child.children_of(NodeKind::DotNetType) {
                        if let Some(alias) = of_type.children_of(NodeKind::Name).nth(1).and_then(Node::last_token) {
                            self.simple(MemberKind::DotNetType, alias.text(), TypeId::NONE, of_type);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A member that is a `Name` with a type.
    fn named(&mut self, kind: MemberKind, node: Node<'_>, of_type: TypeId) {
        if let Some(name) = node.child(NodeKind::Name).and_then(Node::last_token) {
            self.simple(kind, name.text(), of_type, node);
        }
    }

    fn method(&mut self, method: Method<'_>) {
        let Some(name) = method.name_token() else { return };
        let mut flags = MemberFlags::default();
        for attribute in method.attributes() {
            flags.set(flag_of(attribute), true);
        }
        let start = self.file.parameters.len() as u32;
        for parameter in method.parameters() {
            let of_type = parameter.type_reference();
            let of_type = self.types.type_or_broken(of_type);
            let name = parameter.name_token().map_or("", candor_al_syntax::TokenRef::text);
            let name = self.types.names.add(name);
            self.file.parameters.push(Parameter {
                name,
                of_type,
                is_var: parameter.is_var(),
            });
        }
        let details = Span {
            start,
            end: self.file.parameters.len() as u32,
        };
        let result = method.return_value();
        flags.set(
            MemberFlags::NAMED_RESULT,
            result.is_some_and(|result| result.name_token().is_some()),
        );
        flags.set(
            MemberFlags::EMPTY,
            method.body().is_none_or(|body| body.statements().next().is_none()),
        );
        let of_type = result
            .and_then(candor_al_syntax::ast::ReturnValue::type_reference)
            .map_or(TypeId::NONE, |it| self.types.type_of(it));
        let member = Member {
            kind: if method.is_event() {
                MemberKind::Event
            } else {
                MemberKind::Procedure
            },
            access: match method.access() {
                candor_al_syntax::ast::Access::Public => MemberAccess::Public,
                candor_al_syntax::ast::Access::Internal => MemberAccess::Internal,
                candor_al_syntax::ast::Access::Protected => MemberAccess::Protected,
                candor_al_syntax::ast::Access::Local => MemberAccess::Local,
            },
            flags,
            name: self.types.names.add(name.text()),
            number: 0,
            of_type,
            details,
        };
        self.push(member, method.node());
    }

    fn variables(&mut self, section: VarSection<'_>) {
        let access = if section.is_protected() {
            MemberAccess::Protected
        } else {
            MemberAccess::Local
        };
        for declaration in section.declarations() {
            let of_type = self.types.type_or_broken(declaration.type_reference());
            for name in declaration.node().children_of(NodeKind::Name) {
                let Some(token) = name.first_token() else { continue };
                let member = Member {
                    kind: MemberKind::Variable,
                    access,
                    flags: MemberFlags::default(),
                    name: self.types.names.add(token.text()),
                    number: 0,
                    of_type,
                    details: Span::default(),
                };
                self.push(member, name);
            }
        }
    }

    fn field(&mut self, field: Field<'_>) {
        let Some(name) = field.name_token() else { return };
        let mut flags = MemberFlags::default();
        let start = self.file.properties.len() as u32;
        let mut options = None;
        for property in field.properties() {
            self.property(property);
            if property.is("FieldClass") {
                flags.set(MemberFlags::FLOW_FIELD, property.is_identifier("FlowField"));
                flags.set(MemberFlags::FLOW_FILTER, property.is_identifier("FlowFilter"));
            } else if property.is("ObsoleteState") {
                flags.set(MemberFlags::OBSOLETE, !property.is_identifier("No"));
            } else if property.is("OptionMembers") {
                options = property.list();
            }
        }
        let details = Span {
            start,
            end: self.file.properties.len() as u32,
        };
        let view = field.type_node().and_then(TypeView::cast);
        let of_type = match (view, options) {
            (Some(view), Some(options)) if view.is("Option") => self.types.option(options),
            (Some(view), _) => self.types.type_of(view),
            (None, _) => self.types.broken(),
        };
        let member = Member {
            kind: MemberKind::Field,
            access: MemberAccess::Public,
            flags,
            name: self.types.names.add(name.text()),
            number: field
                .number()
                .and_then(|number| i32::try_from(number).ok())
                .unwrap_or(0),
            of_type,
            details,
        };
        self.push(member, field.node());
    }

    fn list_member(&mut self, kind: MemberKind, node: Node<'_>) {
        let Some(name) = node.child(NodeKind::Name).and_then(Node::last_token) else {
            return;
        };
        let start = self.types.lists.len() as u32;
        if let Some(list) = node.child(NodeKind::IdentifierList) {
            for item in list.children().filter_map(Node::last_token) {
                let item = self.types.names.add(item.text());
                self.types.lists.push(item);
            }
        }
        let member = Member {
            kind,
            access: MemberAccess::Public,
            flags: MemberFlags::default(),
            name: self.types.names.add(name.text()),
            number: 0,
            of_type: TypeId::NONE,
            details: Span {
                start,
                end: self.types.lists.len() as u32,
            },
        };
        self.push(member, node);
    }

    fn enum_value(&mut self, node: Node<'_>) {
        let Some(name) = node.child(NodeKind::Name).and_then(Node::last_token) else {
            return;
        };
        let number = candor_al_syntax::ast::EnumValue::cast(node).and_then(candor_al_syntax::ast::EnumValue::number);
        let start = self.file.properties.len() as u32;
        for property in node.children_of(NodeKind::Property).filter_map(Property::cast) {
            self.property(property);
        }
        let member = Member {
            kind: MemberKind::EnumValue,
            access: MemberAccess::Public,
            flags: MemberFlags::default(),
            name: self.types.names.add(name.text()),
            number: number.and_then(|number| i32::try_from(number).ok()).unwrap_or(0),
            of_type: TypeId::NONE,
            details: Span {
                start,
                end: self.file.properties.len() as u32,
            },
        };
        self.push(member, node);
    }

    /// The controls, actions and views below a section, nested ones too; in document order.
    fn controls(&mut self, section: Node<'_>) {
        let mut open: Vec<Node<'_>> = children_backwards(section);
        while let Some(node) = open.pop() {
            let kind = match node.kind() {
                NodeKind::Part => MemberKind::Part,
                NodeKind::UserControl => MemberKind::UserControl,
                NodeKind::View | NodeKind::AnalysisView => MemberKind::View,
                _ if Control::cast(node).is_some() => MemberKind::Control,
                _ if ActionControl::cast(node).is_some() => MemberKind::Action,
                NodeKind::LayoutSection | NodeKind::ActionSection => {
                    open.extend(children_backwards(node));
                    continue;
                }
                _ if Change::cast(node).is_some() => {
                    open.extend(children_backwards(node));
                    continue;
                }
                _ => continue,
            };
            let target = node.child(NodeKind::QualifiedName).and_then(QualifiedName::cast);
            let of_type = match (kind, target) {
                (MemberKind::Part, Some(target)) => self.types.object(crate::ObjectWord::Page, target),
                (MemberKind::UserControl, Some(target)) => self.types.object(crate::ObjectWord::ControlAddIn, target),
                _ => TypeId::NONE,
            };
            self.named(kind, node, of_type);
            open.extend(children_backwards(node));
        }
    }

    /// The data items, columns and filters below a section, nested ones too; in document order.
    fn data_items(&mut self, section: Node<'_>) {
        let mut open: Vec<Node<'_>> = children_backwards(section);
        while let Some(node) = open.pop() {
            if let Some(item) = DataItem::cast(node) {
                let kind = if node.kind() == NodeKind::DataItem {
                    MemberKind::DataItem
                } else {
                    MemberKind::QueryDataItem
                };
                let of_type = self.types.record_or_broken(item.table(), uses_temporary(node));
                self.named(kind, node, of_type);
                open.extend(children_backwards(node));
            } else if let Some(column) = Column::cast(node) {
                let of_type = self.column_type(column);
                self.named(MemberKind::Column, node, of_type);
            } else if Change::cast(node).is_some() {
                open.extend(children_backwards(node));
            }
        }
    }

    /// A column of a query has the type of its field; that of a report is no variable.
    fn column_type(&mut self, column: Column<'_>) -> TypeId {
        let node = column.node();
        if node.kind() == NodeKind::ReportColumn {
            return TypeId::NONE;
        }
        let item = node.parent().and_then(DataItem::cast).and_then(DataItem::table);
        let table = item.and_then(|table| self.types.reference(table));
        let is_count = node
            .children_of(NodeKind::Property)
            .filter_map(Property::cast)
            .any(|property| property.is("Method") && property.is_identifier("Count"));
        let source = column.source_expression();
        if source.is_none() || is_count {
            return self.types.simple("Integer", 0);
        }
        match (table, source.and_then(Node::last_token)) {
            (Some(table), Some(field)) => {
                let field = self.types.names.add(field.text());
                self.types.add(TypeReference::FieldOf { table, field })
            }
            _ => self.types.broken(),
        }
    }

    fn schema(&mut self, section: Node<'_>) {
        let mut open: Vec<Node<'_>> = children_backwards(section);
        while let Some(node) = open.pop() {
            let Some(xml) = XmlNode::cast(node) else { continue };
            let (kind, of_type) = match node.kind() {
                NodeKind::TableElement => {
                    let of_type = self.types.record_or_broken(xml.table(), uses_temporary(node));
                    (MemberKind::XmlNode, of_type)
                }
                NodeKind::TextElement | NodeKind::TextAttribute => {
                    let is_big = node
                        .children_of(NodeKind::Property)
                        .filter_map(Property::cast)
                        .any(|property| property.is("TextType") && property.is_identifier("BigText"));
                    let name = if is_big { "BigText" } else { "Text" };
                    (MemberKind::XmlNode, self.types.simple(name, 0))
                }
                _ => (MemberKind::XmlField, TypeId::NONE),
            };
            let before = self.file.members.len();
            self.named(kind, node, of_type);
            // `VariableName` renames the variable.
            let renamed = node
                .children_of(NodeKind::Property)
                .filter_map(Property::cast)
                .find(|property| property.is("VariableName"))
                .and_then(Property::value)
                .and_then(Node::last_token);
            if let (Some(token), true) = (renamed, self.file.members.len() > before) {
                self.file.members[before].name = self.types.names.add(token.text());
            }
            open.extend(children_backwards(node));
        }
    }
}

fn children_backwards(node: Node<'_>) -> Vec<Node<'_>> {
    let mut children: Vec<_> = node.children().collect();
    children.reverse();
    children
}

/// Whether the property `UseTemporary` makes the record of a data item or table element temporary.
fn uses_temporary(node: Node<'_>) -> bool {
    let mut properties = node.children_of(NodeKind::Property).filter_map(Property::cast);
    properties.any(|property| property.is("UseTemporary") && property.boolean() == Some(true))
}

fn flag_of(attribute: Attribute<'_>) -> MemberFlags {
    let name = attribute.name();
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    if is("Obsolete") {
        MemberFlags::OBSOLETE
    } else if is("IntegrationEvent") || is("BusinessEvent") || is("InternalEvent") || is("ExternalBusinessEvent") {
        MemberFlags::PUBLISHER
    } else if is("EventSubscriber") {
        MemberFlags::SUBSCRIBER
    } else if is("TryFunction") {
        MemberFlags::TRY
    } else if is("Test") {
        MemberFlags::TEST
    } else if name.len() > 7 && name.to_ascii_lowercase().ends_with("handler") {
        MemberFlags::HANDLER
    } else {
        MemberFlags::default()
    }
}

/// The number of characters a label may have; see [`TypeReference::Label`].
pub(crate) fn label_length(label: LabelValue<'_>) -> (u32, bool) {
    if label.locked() == Some(true) {
        return (label.text().chars().count() as u32, true);
    }
    (label.max_length().unwrap_or(0), false)
}

/// Whether a type consists of this word alone.
pub(crate) fn is_word(view: TypeView<'_>, keyword: Keyword) -> bool {
    view.name_token()
        .is_some_and(|token| token.kind() == TokenKind::Identifier && token.keyword() == keyword)
}
