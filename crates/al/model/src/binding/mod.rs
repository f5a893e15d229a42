//! Binding: what each name of a file means, and what each of its expressions is.
//!
//! The nodes of a tree lie in document order, parents before children. Each body is bound in one pass from its last node
//! to its first, so that an expression comes after all its parts: no recursion, whatever the nesting. The few names whose
//! meaning hangs on what stands left of them (the fields in `Rec.SetRange("No.")`) are bound once more when their call is.

mod call;
mod explicit;
mod member;
mod operators;
mod property;
mod scope;

use candor_al_syntax::ast::{Method, TypeReference as TypeView};
use candor_al_syntax::{Keyword, Node, NodeId, NodeKind, TokenKind, Tree};

use crate::builtin::{BuiltInMethod, BuiltInOption, BuiltInType, well_known};
use crate::declaration::{ObjectKind, Span, TypeReference};
use crate::lower_types::TypeLowering;
use crate::name::{NameId, NameKey, Names};
use crate::types::{Cause, Compound, CompoundId, Type};
use crate::universe::{AppId, FileId, MemberId, ObjectId, Universe};
use explicit::ExplicitRecords;
use scope::ObjectScope;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// The node is no name, or nobody asked.
    None,
    /// A name whose meaning is not known.
    Unbound(Cause),
    /// A parameter, local variable or named result, by its number in the binding.
    Variable(u32),
    /// A member of an object: a field, global variable, procedure, control, enum value …
    Member(MemberId),
    /// An object.
    Object(ObjectId),
    /// A method of AL itself.
    Method(BuiltInMethod),
    /// A type of AL itself, in front of a method that needs no value.
    Type(BuiltInType),
    /// A kind of object in front of `::` or of a method.
    Kind(ObjectKind),
    /// A closed list of AL itself.
    Option(BuiltInOption),
    /// A member of a closed list of AL itself, by its index.
    OptionMember(BuiltInOption, u16),
    /// A member of an option that a declaration in a file lists.
    OptionValue(FileId, NameId),
    /// A member of an option that a local variable lists.
    LocalOptionValue(NameId),
    /// A variable that AL brings along.
    System(SystemVariable),
    /// A field that every table has, by its index in [`SYSTEM_FIELDS`].
    SystemField(u8),
    /// A field of a documented table of the platform.
    SystemTableField(u8, u8),
    /// A namespace, or a part of one.
    Namespace,
}

/// The variables that AL brings along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the variable of its name")]
pub enum SystemVariable {
    Rec,
    XRec,
    CurrPage,
    CurrReport,
    CurrXmlPort,
    CurrQuery,
    CurrFieldNo,
    RequestOptionsPage,
    This,
}

impl SystemVariable {
    /// Its canonical spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rec => "Rec",
            Self::XRec => "xRec",
            Self::CurrPage => "CurrPage",
            Self::CurrReport => "CurrReport",
            Self::CurrXmlPort => "currXMLport",
            Self::CurrQuery => "CurrQuery",
            Self::CurrFieldNo => "CurrFieldNo",
            Self::RequestOptionsPage => "RequestOptionsPage",
            Self::This => "this",
        }
    }
}

/// The fields that every table has.
pub const SYSTEM_FIELDS: &[&str] = &[
    "SystemId",
    "SystemCreatedAt",
    "SystemCreatedBy",
    "SystemModifiedAt",
    "SystemModifiedBy",
    "SystemRowVersion",
];

/// How a variable of a method comes to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// A parameter.
    Parameter,
    /// A parameter passed by reference.
    ReferenceParameter,
    /// A local variable.
    Local,
    /// The named result.
    Result,
}

/// A variable of a method.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name, among [`Binding::local_names`].
    pub name: NameId,
    /// Its type.
    pub of_type: Type,
    /// How it comes to be.
    pub kind: VariableKind,
    /// The node of the parameter, of the result, or the `Name` of the variable.
    pub node: NodeId,
    /// The procedure or trigger.
    pub method: NodeId,
}

/// What the names of one file mean. Belongs to one tree and one universe.
#[derive(Debug, Default)]
pub struct Binding {
    symbols: Vec<Symbol>,
    types: Vec<Type>,
    variables: Vec<Variable>,
    names: Names,
    lists: Vec<NameId>,
    compounds: Vec<Compound>,
    first_compound: u32,
}

impl Binding {
    /// What a name means. Asked of a name, a member access (for its last name), a scope access (for its member), a call
    /// (for what is called), and of names in properties.
    pub fn symbol(&self, node: NodeId) -> Symbol {
        self.symbols.get(node.0 as usize).copied().unwrap_or(Symbol::None)
    }

    /// What an expression is; [`Type::None`] for what has no value.
    pub fn type_of(&self, node: NodeId) -> Type {
        self.types.get(node.0 as usize).copied().unwrap_or(Type::None)
    }

    /// The variables of all methods, those of one method together, in document order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The names of variables and of the members of options among them.
    pub fn local_names(&self) -> &Names {
        &self.names
    }

    /// The name of a variable.
    pub fn variable_name(&self, variable: u32) -> &str {
        self.names.text(self.variables[variable as usize].name)
    }

    /// A type that is made of others.
    pub fn compound(&self, universe: &Universe, compound: CompoundId) -> Option<Compound> {
        if compound.0 >= self.first_compound {
            self.compounds.get((compound.0 - self.first_compound) as usize).copied()
        } else {
            universe.compound_type(compound)
        }
    }

    /// The canonical spelling of what a symbol means; none for what has no name of its own.
    pub fn name_of<'s>(&'s self, universe: &'s Universe, symbol: Symbol) -> Option<&'s str> {
        let built_ins = crate::builtin::built_ins();
        Some(match symbol {
            Symbol::None | Symbol::Unbound(_) | Symbol::Namespace => return None,
            Symbol::Variable(variable) => self.variable_name(variable),
            Symbol::Member(member) => universe.member_name(member),
            Symbol::Object(object) => universe.object_name(object),
            Symbol::Method(method) => built_ins.method(method).name,
            Symbol::Type(of) => built_ins.type_name(of),
            Symbol::Kind(kind) => return kind.code_word(),
            Symbol::Option(option) => built_ins.option(option).name,
            Symbol::OptionMember(option, index) => built_ins.option(option).members.get(index as usize)?.0,
            Symbol::OptionValue(file, name) => universe.declarations(file).names.text(name),
            Symbol::LocalOptionValue(name) => self.names.text(name),
            Symbol::System(variable) => variable.name(),
            Symbol::SystemField(index) => SYSTEM_FIELDS.get(index as usize)?,
            Symbol::SystemTableField(table, field) => {
                let table = built_ins.system_tables().get(table as usize)?;
                table.fields.get(field as usize)?.0
            }
        })
    }
}

/// Binds every name of a file. The file has to be in the universe with just these declarations.
///
/// A tree with other objects than those declared is not understood: nothing in it means anything. Members that were added
/// since are not known, all others are what they were.
pub fn bind(universe: &Universe, file: FileId, tree: &Tree) -> Binding {
    if !has_objects(universe, file, tree) {
        return Binding::default();
    }
    let count = tree.nodes().len();
    let mut binder = Binder {
        universe,
        tree,
        file,
        app: universe.app_of_file(file),
        binding: Binding {
            symbols: vec![Symbol::None; count],
            types: vec![Type::None; count],
            first_compound: universe.compound_count(),
            ..Binding::default()
        },
        lowering: TypeLowering::default(),
        local_types: Vec::new(),
        scope: ObjectScope::default(),
        locals: Vec::new(),
        withs: Vec::new(),
        implicit: None,
        has_rec: false,
        method: NodeId(0),
        explicit: ExplicitRecords::of(universe.names_its_records(universe.app_of_file(file)), tree.text()),
    };
    binder.file();
    let mut binding = binder.binding;
    binding.names = binder.lowering.names.names;
    binding.lists = binder.lowering.lists;
    binding
}

/// Whether a tree has just the objects that its file is known to declare.
fn has_objects(universe: &Universe, file: FileId, tree: &Tree) -> bool {
    let declared = &universe.declarations(file).objects;
    let mut kinds = declared.iter().map(|object| object.kind);
    for object in tree.root().children() {
        let Some(kind) = ObjectKind::of_node(object.kind()) else {
            continue;
        };
        let request_pages = object.children_of(NodeKind::RequestPage).count();
        let expected = std::iter::once(kind).chain(std::iter::repeat_n(ObjectKind::RequestPage, request_pages));
        for kind in expected {
            if kinds.next() != Some(kind) {
                return false;
            }
        }
    }
    kinds.next().is_none()
}

struct With {
    nodes: std::ops::Range<u32>,
    record: Type,
}

struct Binder<'u, 't> {
    universe: &'u Universe,
    tree: &'t Tree,
    file: FileId,
    app: AppId,
    binding: Binding,
    /// Types and names of local variables.
    lowering: TypeLowering,
    /// The types of `lowering`, resolved as far as they have been needed.
    local_types: Vec<Type>,
    scope: ObjectScope,
    /// The variables of the method that is being bound.
    locals: Vec<(NameKey, u32)>,
    /// The `with` statements of the method, outer ones first.
    withs: Vec<With>,
    /// The record whose members need no receiver.
    implicit: Option<Type>,
    /// Whether `Rec` is that record.
    has_rec: bool,
    method: NodeId,
    /// Where pages and codeunits name their record.
    explicit: ExplicitRecords,
}

impl<'t> Binder<'_, 't> {
    fn file(&mut self) {
        let objects: Vec<Node<'t>> = self
            .tree
            .root()
            .children()
            .filter(|node| node.kind().is_object())
            .collect();
        // The declarations list a request page right behind the object it belongs to.
        let mut index = 0;
        for node in objects {
            if ObjectKind::of_node(node.kind()).is_none() {
                continue;
            }
            let object = self.universe.object_in(self.file, index);
            index += 1;
            let request_pages: Vec<(Node<'t>, ObjectId)> = node
                .children_of(NodeKind::RequestPage)
                .map(|page| {
                    let id = self.universe.object_in(self.file, index);
                    index += 1;
                    (page, id)
                })
                .collect();
            self.enter(object);
            self.head(node);
            self.walk(node, &request_pages);
            for (page, id) in request_pages {
                self.enter(id);
                self.walk(page, &[]);
            }
        }
    }

    fn enter(&mut self, object: ObjectId) {
        self.scope = ObjectScope::of(self.universe, self.app, object);
        self.leave_method();
    }

    /// What holds outside of methods.
    fn leave_method(&mut self) {
        self.locals.clear();
        self.withs.clear();
        self.implicit = self.scope.record;
        self.has_rec = self.scope.has_rec;
    }

    /// Binds everything in an object or request page, request pages in it left out.
    fn walk(&mut self, object: Node<'t>, skipped: &[(Node<'t>, ObjectId)]) {
        let range = object.subtree();
        let mut index = range.start + 1;
        while index < range.end {
            let node = self.tree.node(NodeId(index));
            index += 1;
            match node.kind() {
                NodeKind::RequestPage if skipped.iter().any(|(page, _)| *page == node) => index = node.subtree().end,
                NodeKind::Procedure | NodeKind::Trigger => {
                    if let Some(method) = Method::cast(node) {
                        self.method(method);
                    }
                    index = node.subtree().end;
                }
                NodeKind::VarSection | NodeKind::EventDeclaration => {
                    self.attributes_below(node);
                    index = node.subtree().end;
                }
                NodeKind::Property => {
                    self.property(node);
                    index = node.subtree().end;
                }
                kind if kind.is_expression() => {
                    self.control_expression(node);
                    index = node.subtree().end;
                }
                _ => self.structure(node),
            }
        }
    }

    fn attributes_below(&mut self, node: Node<'t>) {
        for attribute in node.descendants_of(NodeKind::Attribute) {
            self.attribute(attribute);
        }
    }

    fn method(&mut self, method: Method<'t>) {
        let node = method.node();
        for attribute in method.attributes() {
            self.attribute(attribute.node());
        }
        self.method = node.id();
        self.locals.clear();
        self.withs.clear();
        self.enter_implicit(method);
        for parameter in method.parameters() {
            let kind = if parameter.is_var() {
                VariableKind::ReferenceParameter
            } else {
                VariableKind::Parameter
            };
            if let Some(name) = parameter.name_token() {
                let of_type = self.written_type(parameter.type_reference());
                self.declare(name.text(), of_type, kind, parameter.node());
            }
        }
        if let Some(result) = method.return_value()
            && let Some(name) = result.name_token()
        {
            let of_type = self.written_type(result.type_reference());
            self.declare(name.text(), of_type, VariableKind::Result, result.node());
        }
        for declaration in method.variables() {
            let of_type = self.written_type(declaration.type_reference());
            for name in declaration.node().children_of(NodeKind::Name) {
                if let Some(token) = name.first_token() {
                    self.declare(token.text(), of_type, VariableKind::Local, name);
                }
            }
            for attribute in declaration.attributes() {
                self.attribute(attribute.node());
            }
        }
        if let Some(body) = method.body() {
            let range = body.node().subtree();
            self.bind_withs(range.clone());
            self.bind_range(range);
        }
        self.leave_method();
    }

    fn declare(&mut self, name: &str, of_type: Type, kind: VariableKind, node: Node<'t>) {
        let name = self.lowering.names.add(name);
        let number = self.binding.variables.len() as u32;
        self.locals.push((self.lowering.names.names.key(name), number));
        self.binding.variables.push(Variable {
            name,
            of_type,
            kind,
            node: node.id(),
            method: self.method,
        });
        self.binding.types[node.id().0 as usize] = of_type;
        self.binding.symbols[node.id().0 as usize] = Symbol::Variable(number);
    }

    /// The type that a node of the body or of a local declaration spells.
    fn written_type(&mut self, view: Option<TypeView<'t>>) -> Type {
        let Some(view) = view else {
            return Type::Unknown(Cause::Damage);
        };
        let id = self.lowering.type_of(view);
        self.lowered_type(id)
    }

    /// A type among those of local variables.
    fn lowered_type(&mut self, id: crate::declaration::TypeId) -> Type {
        while self.local_types.len() < self.lowering.types.len() {
            let reference = self.lowering.types[self.local_types.len()];
            let of = |binder: &Self, id: crate::declaration::TypeId| binder.local_types[id.0 as usize];
            let resolved = match reference {
                TypeReference::Array(element) => self.compound(Compound::Array(of(self, element))),
                TypeReference::List(element) => self.compound(Compound::List(of(self, element))),
                TypeReference::Dictionary(key, value) => {
                    self.compound(Compound::Dictionary(of(self, key), of(self, value)))
                }
                TypeReference::Option(members) => self.compound(Compound::LocalOption(members)),
                TypeReference::DotNet(_) => Type::Unknown(Cause::DotNet),
                other => {
                    let from = self.universe.viewpoint(self.file);
                    self.universe.simple_type(other, &self.lowering.names.names, from)
                }
            };
            self.local_types.push(resolved);
        }
        self.local_types[id.0 as usize]
    }

    fn compound(&mut self, compound: Compound) -> Type {
        if let Some(known) = self.universe.known_compound(compound) {
            return Type::Compound(known);
        }
        let known = self.binding.compounds.iter().position(|it| *it == compound);
        let index = known.unwrap_or_else(|| {
            self.binding.compounds.push(compound);
            self.binding.compounds.len() - 1
        });
        Type::Compound(CompoundId(self.binding.first_compound + index as u32))
    }

    fn compound_of(&self, of_type: Type) -> Option<Compound> {
        match of_type {
            Type::Compound(id) => self.binding.compound(self.universe, id),
            _ => None,
        }
    }

    /// The names in a stretch of members of an option.
    fn local_list(&self, span: Span) -> &[NameId] {
        span.of(&self.lowering.lists)
    }

    fn set(&mut self, node: Node<'t>, symbol: Symbol, of_type: Type) {
        let index = node.id().0 as usize;
        self.binding.symbols[index] = symbol;
        self.binding.types[index] = of_type;
    }

    fn type_at(&self, node: Node<'t>) -> Type {
        self.binding.types[node.id().0 as usize]
    }

    fn symbol_at(&self, node: Node<'t>) -> Symbol {
        self.binding.symbols[node.id().0 as usize]
    }

    /// The records of `with` statements, before the body is bound: what is in them is looked up there.
    fn bind_withs(&mut self, range: std::ops::Range<u32>) {
        if !self.tree.kinds().contains(NodeKind::WithStatement) {
            return;
        }
        for index in range {
            let node = self.tree.node(NodeId(index));
            if node.kind() != NodeKind::WithStatement {
                continue;
            }
            let records: Vec<Node<'t>> = node.children().filter(|child| child.kind().is_expression()).collect();
            for record in records {
                self.bind_range(record.subtree());
                self.withs.push(With {
                    nodes: record.subtree().end..node.subtree().end,
                    record: self.type_at(record),
                });
            }
        }
    }

    /// Binds the expressions in a stretch of nodes, the last first.
    fn bind_range(&mut self, range: std::ops::Range<u32>) {
        for index in range.rev() {
            let node = self.tree.node(NodeId(index));
            match node.kind() {
                NodeKind::NameExpression => self.name(node),
                NodeKind::MemberAccess => self.member_access(node),
                NodeKind::ScopeAccess => self.scope_access(node),
                NodeKind::CallExpression => self.call(node),
                NodeKind::Literal => {
                    let of_type = operators::literal(node);
                    self.set(node, Symbol::None, of_type);
                }
                NodeKind::IndexExpression => self.index(node),
                NodeKind::ParenthesizedExpression => {
                    let inner = node.children().next().map_or(Type::None, |inner| self.type_at(inner));
                    self.set(node, Symbol::None, inner);
                }
                NodeKind::UnaryExpression => self.unary(node),
                NodeKind::BinaryExpression => self.binary(node),
                NodeKind::RangeExpression => {
                    let bound = node.children().next().map_or(Type::None, |bound| self.type_at(bound));
                    self.set(node, Symbol::None, bound);
                }
                NodeKind::ConditionalExpression => {
                    let first = node.children().nth(1).map_or(Type::None, |first| self.type_at(first));
                    self.set(node, Symbol::None, first);
                }
                _ => {}
            }
        }
    }

    fn index(&mut self, node: Node<'t>) {
        let receiver = node
            .children()
            .next()
            .map_or(Type::None, |receiver| self.type_at(receiver));
        let of_type = match receiver {
            Type::Unknown(cause) => Type::Unknown(cause),
            Type::Text(_) | Type::Code(_) | Type::Label(_) => Type::Simple(well_known().char),
            Type::Compound(_) => match self.compound_of(receiver) {
                Some(Compound::Array(element) | Compound::List(element)) => element,
                _ => Type::Unknown(Cause::DotNet),
            },
            _ => Type::Unknown(Cause::AnyValue),
        };
        self.set(node, Symbol::None, of_type);
    }

    fn name(&mut self, node: Node<'t>) {
        let Some(token) = node.first_token() else { return };
        let is_quoted = token.kind() == TokenKind::QuotedIdentifier;
        if token.keyword() == Keyword::This && !is_quoted && self.local(NameKey::of("this")).is_none() {
            let of_type = self.scope.own_type;
            self.set(node, Symbol::System(SystemVariable::This), of_type);
            return;
        }
        let name = NameKey::of(token.text());
        let is_scope = node
            .parent()
            .is_some_and(|parent| parent.kind() == NodeKind::ScopeAccess && parent.id().0 + 1 == node.id().0);
        let (symbol, of_type) = if is_scope {
            self.scope_name(node, name, is_quoted)
        } else {
            self.bare_name(node, name, is_quoted)
        };
        self.set(node, symbol, of_type);
    }
}

#[cfg(test)]
mod tests;
