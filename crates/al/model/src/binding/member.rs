//! Names behind `.` and `::`.

use candor_al_syntax::{Node, TokenKind};

use super::scope::unbound;
use super::{Binder, SYSTEM_FIELDS, Symbol};
use crate::builtin::{BuiltInType, built_ins, well_known};
use crate::declaration::{MemberKind, ObjectKind, ObjectWord};
use crate::name::NameKey;
use crate::types::{Cause, Compound, NameType, Type};
use crate::universe::{MemberId, ObjectId};

impl<'t> Binder<'_, 't> {
    pub(super) fn member_access(&mut self, node: Node<'t>) {
        let Some(receiver) = node.children().next() else { return };
        let Some(token) = node.own_tokens().find(|token| token.kind().is_name()) else {
            return;
        };
        let name = NameKey::of(token.text());
        let receiver_type = self.type_at(receiver);
        let (symbol, of_type) = match self.member(receiver_type, name) {
            // `System.Today()` is a method, `System.Utilities` a namespace.
            (Symbol::Unbound(_), _)
                if matches!(receiver_type, Type::Name(NameType::Type(_) | NameType::Kind(_)))
                    && self.universe.is_namespace(NameKey::of(receiver.text())) =>
            {
                self.in_namespace(node, None)
            }
            _ if matches!(receiver_type, Type::Name(NameType::Namespace(_))) => {
                let Type::Name(NameType::Namespace(kind)) = receiver_type else {
                    return;
                };
                self.in_namespace(node, kind)
            }
            found => found,
        };
        self.set(node, symbol, of_type);
    }

    /// A dotted name as a namespace or as an object in one.
    fn in_namespace(&mut self, node: Node<'t>, kind: Option<ObjectKind>) -> (Symbol, Type) {
        let text = node.text();
        // In front of the name may stand the kind of object: `Codeunit::Microsoft.Sales."Post"`.
        let path = text.split_once("::").map_or(text, |(_, path)| path);
        let joined: String = path.split_whitespace().collect();
        if self.universe.is_namespace(NameKey::of_unquoted(&joined)) {
            return (Symbol::Namespace, Type::Name(NameType::Namespace(kind)));
        }
        let Some(token) = node.own_tokens().find(|token| token.kind().is_name()) else {
            return unbound(Cause::Damage);
        };
        let Some(receiver) = node.children().next() else {
            return unbound(Cause::Damage);
        };
        let text = receiver.text();
        let path = text.split_once("::").map_or(text, |(_, path)| path);
        let namespace: String = path.split_whitespace().collect();
        let namespace = NameKey::of_unquoted(&namespace);
        let name = NameKey::of(token.text());
        let from = self.universe.viewpoint(self.file);
        let kinds: &[ObjectKind] = match &kind {
            Some(kind) => std::slice::from_ref(kind),
            None => &[
                ObjectKind::Enum,
                ObjectKind::Codeunit,
                ObjectKind::Page,
                ObjectKind::Report,
                ObjectKind::Table,
            ],
        };
        for &kind in kinds {
            if let Some(object) = self.universe.object_named(kind, Some(namespace), name, from) {
                return (Symbol::Object(object), object_name_type(kind, object));
            }
        }
        unbound(self.universe.missing(self.app))
    }

    pub(super) fn scope_access(&mut self, node: Node<'t>) {
        let Some(scope) = node.children().next() else { return };
        let Some(token) = node.own_tokens().find(|token| token.kind() != TokenKind::ColonColon) else {
            return;
        };
        let name = NameKey::of(token.text());
        let scope_type = self.type_at(scope);
        let (symbol, of_type) = match scope_type {
            Type::Name(NameType::Kind(kind)) => self.object_behind_kind(kind, name, token.text()),
            Type::Name(NameType::Enum(object)) | Type::Object(ObjectWord::Enum, object) => {
                self.enum_value(object, name)
            }
            Type::Name(NameType::Option(option)) | Type::Option(option) => {
                let members = &built_ins().option(option).members;
                match members.iter().position(|(_, key)| *key == name) {
                    Some(index) => (Symbol::OptionMember(option, index as u16), Type::Option(option)),
                    None => unbound(Cause::UndocumentedMember),
                }
            }
            Type::Compound(_) => self.option_value(scope_type, name),
            Type::Unknown(cause) | Type::UnknownObject(_, cause) => unbound(cause),
            Type::Simple(_) | Type::Any => unbound(Cause::AnyValue),
            _ => unbound(Cause::UnknownName),
        };
        self.set(node, symbol, of_type);
    }

    fn object_behind_kind(&mut self, kind: ObjectKind, name: NameKey, text: &str) -> (Symbol, Type) {
        let from = self.universe.viewpoint(self.file);
        if let Ok(number) = text.parse::<u32>() {
            let reference = crate::declaration::ObjectReference::Number(number);
            let names = &self.lowering.names.names;
            return match self.universe.resolve(kind, reference, names, from) {
                Some(object) => (Symbol::Object(object), object_name_type(kind, object)),
                None => unbound(self.universe.missing(self.app)),
            };
        }
        if let Some(object) = self.universe.object_named(kind, None, name, from) {
            return (Symbol::Object(object), object_name_type(kind, object));
        }
        if self.universe.is_namespace(name) {
            return (Symbol::Namespace, Type::Name(NameType::Namespace(Some(kind))));
        }
        let cause = self.universe.missing(self.app);
        if kind == ObjectKind::Enum {
            return unbound(cause);
        }
        (Symbol::Unbound(cause), Type::Simple(well_known().integer))
    }

    pub(super) fn enum_value(&self, object: ObjectId, name: NameKey) -> (Symbol, Type) {
        let found = self
            .universe
            .members(self.app, object, name)
            .find(|&it| self.universe.member(it).kind == MemberKind::EnumValue);
        match found {
            Some(value) => (Symbol::Member(value), Type::Object(ObjectWord::Enum, object)),
            None => unbound(Cause::UnknownName),
        }
    }

    fn option_value(&self, of_type: Type, name: NameKey) -> (Symbol, Type) {
        match self.compound_of(of_type) {
            Some(Compound::Option(file, members)) => {
                let declarations = self.universe.declarations(file);
                let mut names = members.of(&declarations.lists).iter();
                match names.find(|&&it| declarations.names.key(it) == name) {
                    Some(&value) => (Symbol::OptionValue(file, value), of_type),
                    None => unbound(Cause::UnknownName),
                }
            }
            Some(Compound::LocalOption(members)) => {
                let names = &self.lowering.names.names;
                match self.local_list(members).iter().find(|&&it| names.key(it) == name) {
                    Some(&value) => (Symbol::LocalOptionValue(value), of_type),
                    None => unbound(Cause::UnknownName),
                }
            }
            Some(Compound::Array(element) | Compound::List(element)) => match element {
                Type::Object(ObjectWord::Enum, object) => self.enum_value(object, name),
                Type::Compound(_) if element != of_type => self.option_value(element, name),
                _ => unbound(Cause::UnknownName),
            },
            Some(Compound::DotNet(..)) => unbound(Cause::DotNet),
            _ => unbound(Cause::UnknownName),
        }
    }

    /// What a name behind a value means.
    pub(super) fn member(&self, of_type: Type, name: NameKey) -> (Symbol, Type) {
        let known = well_known();
        match of_type {
            Type::Unknown(cause) => unbound(cause),
            Type::Record { .. } | Type::SystemRecord { .. } | Type::UnknownRecord { .. } => {
                self.record_access(of_type, name)
            }
            Type::Object(word, object) => self.object_member(word, object, name),
            Type::UnknownObject(word, cause) => self
                .method_of(built_in_of(word), of_type, name)
                .unwrap_or_else(|| unbound(cause)),
            Type::Part(page) => {
                if name == NameKey::of_unquoted("Page") {
                    return (Symbol::Type(known.page), Type::Object(ObjectWord::Page, page));
                }
                self.built_in(known.page, of_type, name)
            }
            Type::TestFilter(_) => self.built_in(known.test_filter, of_type, name),
            Type::Simple(of) => {
                if of == known.variant {
                    return self
                        .method_of(of, of_type, name)
                        .unwrap_or_else(|| unbound(Cause::AnyValue));
                }
                self.built_in(of, of_type, name)
            }
            Type::Text(_) | Type::Code(_) => self.built_in(known.text, of_type, name),
            Type::Label(_) => self.built_in(known.label, of_type, name),
            Type::Option(_) => self.built_in(known.option, of_type, name),
            Type::Compound(_) => match self.compound_of(of_type) {
                Some(Compound::List(_)) => self.built_in(known.list, of_type, name),
                Some(Compound::Dictionary(..)) => self.built_in(known.dictionary, of_type, name),
                Some(Compound::DotNet(..)) => unbound(Cause::DotNet),
                Some(Compound::Option(..) | Compound::LocalOption(_)) => self.built_in(known.option, of_type, name),
                _ => unbound(Cause::UnknownName),
            },
            Type::Any => self
                .method_of(known.variant, of_type, name)
                .unwrap_or_else(|| unbound(Cause::AnyValue)),
            Type::Name(NameType::Type(of)) => self.built_in(of, of_type, name),
            Type::Name(NameType::Kind(kind)) => self.built_in(type_of_kind(kind), of_type, name),
            Type::Name(NameType::Enum(_)) => self.built_in(known.enumeration, of_type, name),
            Type::Name(_) | Type::None => unbound(Cause::UnknownName),
        }
    }

    /// A method of a built-in type.
    fn method_of(&self, of: BuiltInType, receiver: Type, name: NameKey) -> Option<(Symbol, Type)> {
        let method = built_ins().methods_named(of, name).next()?;
        Some((Symbol::Method(method), self.result_of(method, receiver)))
    }

    fn built_in(&self, of: BuiltInType, receiver: Type, name: NameKey) -> (Symbol, Type) {
        self.method_of(of, receiver, name)
            .unwrap_or_else(|| unbound(Cause::UndocumentedMember))
    }

    fn record_access(&self, record: Type, name: NameKey) -> (Symbol, Type) {
        if let Type::Record { table, .. } = record {
            let members = self.universe.members(self.app, table, name);
            let found = members
                .filter(|&it| matches!(self.universe.member(it).kind, MemberKind::Field | MemberKind::Procedure));
            if let Some(found) = self.best(found) {
                return (Symbol::Member(found), self.universe.type_of(found));
            }
        }
        if let Some(found) = self.record_name(record, name) {
            return found;
        }
        match record {
            Type::UnknownRecord { cause, .. } => unbound(cause),
            Type::SystemRecord { .. } => unbound(Cause::PlatformObject),
            // A variable of the table, used by its own code as `Rec.Variable`.
            _ => self.chain_member(name).map_or_else(
                || unbound(Cause::UnknownName),
                |member| (Symbol::Member(member), self.universe.type_of(member)),
            ),
        }
    }

    /// What every record has: the fields of documented tables of the platform, system fields, methods.
    pub(super) fn record_name(&self, record: Type, name: NameKey) -> Option<(Symbol, Type)> {
        if let Type::SystemRecord { table, .. } = record {
            let fields = &built_ins().system_tables()[table as usize].fields;
            if let Some(index) = fields.iter().position(|(_, key)| *key == name) {
                let symbol = Symbol::SystemTableField(table, index as u8);
                return Some((symbol, Type::Unknown(Cause::PlatformObject)));
            }
        }
        if !record.is_record() {
            return None;
        }
        Self::system_field(name).or_else(|| self.method_of(well_known().record, record, name))
    }

    pub(super) fn system_field(name: NameKey) -> Option<(Symbol, Type)> {
        use std::sync::LazyLock;
        static KEYS: LazyLock<Vec<NameKey>> =
            LazyLock::new(|| SYSTEM_FIELDS.iter().map(|name| NameKey::of_unquoted(name)).collect());
        let index = KEYS.iter().position(|key| *key == name)?;
        let known = well_known();
        let of = match index {
            1 | 3 => known.date_time,
            5 => known.big_integer,
            _ => known.guid,
        };
        Some((Symbol::SystemField(index as u8), Type::Simple(of)))
    }

    /// The member that is meant where several have the name: one that this object may use.
    fn best(&self, mut members: impl Iterator<Item = MemberId>) -> Option<MemberId> {
        let first = members.next()?;
        let is_usable = |member: MemberId| {
            let access = self.universe.member(member).access;
            access != crate::declaration::MemberAccess::Local || self.scope.object == Some(member.object)
        };
        if is_usable(first) {
            return Some(first);
        }
        Some(members.find(|&it| is_usable(it)).unwrap_or(first))
    }

    fn object_member(&self, word: ObjectWord, object: ObjectId, name: NameKey) -> (Symbol, Type) {
        let receiver = Type::Object(word, object);
        let members = || self.universe.members(self.app, object, name);
        let kind_of = |it: MemberId| self.universe.member(it).kind;
        let found = match word {
            ObjectWord::TestPage | ObjectWord::TestPart => return self.test_member(word, object, name),
            ObjectWord::TestRequestPage | ObjectWord::RequestPage => {
                return self.request_page_member(word, object, name);
            }
            ObjectWord::Interface => self.interface_member(object, name, 0),
            ObjectWord::Enum => return self.built_in(well_known().enumeration, receiver, name),
            ObjectWord::Query => {
                self.best(members().filter(|&it| matches!(kind_of(it), MemberKind::Column | MemberKind::Procedure)))
            }
            ObjectWord::Page => self
                .best(members().filter(|&it| kind_of(it) == MemberKind::Procedure))
                .or_else(|| members().find(|&it| matches!(kind_of(it), MemberKind::Part | MemberKind::UserControl)))
                .or_else(|| {
                    self.best(members().filter(|&it| {
                        matches!(
                            kind_of(it),
                            MemberKind::Variable | MemberKind::Control | MemberKind::Action
                        )
                    }))
                }),
            _ => self.best(members().filter(|&it| {
                matches!(
                    kind_of(it),
                    MemberKind::Procedure
                        | MemberKind::Event
                        | MemberKind::Variable
                        | MemberKind::XmlNode
                        | MemberKind::DataItem
                )
            })),
        };
        if let Some(found) = found {
            let of_type = self.universe.type_of(found);
            let of_type = match (kind_of(found), of_type) {
                (MemberKind::Part, Type::Object(_, page)) => Type::Part(page),
                (MemberKind::Control | MemberKind::Action, _) => Type::Unknown(Cause::UndocumentedMember),
                _ => of_type,
            };
            return (Symbol::Member(found), of_type);
        }
        self.method_of(built_in_of(word), receiver, name).unwrap_or_else(|| {
            unbound(match word {
                // The methods of the control come from its script.
                ObjectWord::ControlAddIn => Cause::UndocumentedMember,
                _ => Cause::UnknownName,
            })
        })
    }

    fn interface_member(&self, interface: ObjectId, name: NameKey, depth: u32) -> Option<MemberId> {
        if let Some(found) = self.universe.own_members(interface, name).next() {
            return Some(found);
        }
        if depth > 16 {
            return None;
        }
        let file = self.universe.file_of(interface);
        let declarations = self.universe.declarations(file);
        let bases = self.universe.object(interface).interfaces.of(&declarations.references);
        bases.iter().find_map(|&base| {
            let from = self.universe.viewpoint(file);
            let base = self
                .universe
                .resolve(ObjectKind::Interface, base, &declarations.names, from)?;
            self.interface_member(base, name, depth + 1)
        })
    }

    fn test_member(&self, word: ObjectWord, page: ObjectId, name: NameKey) -> (Symbol, Type) {
        let known = well_known();
        let receiver = Type::Object(word, page);
        for member in self.universe.members(self.app, page, name) {
            let of_type = match self.universe.member(member).kind {
                MemberKind::Control => Type::Simple(known.test_field),
                MemberKind::Action => Type::Simple(known.test_action),
                MemberKind::Part => match self.universe.type_of(member) {
                    Type::Object(_, shown) => Type::Object(ObjectWord::TestPart, shown),
                    Type::UnknownObject(_, cause) => Type::UnknownObject(ObjectWord::TestPart, cause),
                    other => other,
                },
                MemberKind::View | MemberKind::UserControl => Type::Unknown(Cause::UndocumentedMember),
                _ => continue,
            };
            return (Symbol::Member(member), of_type);
        }
        let built_in = if word == ObjectWord::TestPart {
            known.test_part
        } else {
            known.test_page
        };
        if name == NameKey::of_unquoted("Filter") {
            let table = match self.universe.source_table(page) {
                Some(Type::Record { table, .. }) => Some(table),
                _ => None,
            };
            return (Symbol::Type(known.test_filter), Type::TestFilter(table));
        }
        self.method_of(built_in, receiver, name)
            .or_else(|| self.method_of(known.test_page, receiver, name))
            .unwrap_or_else(|| unbound(Cause::UnknownName))
    }

    fn request_page_member(&self, word: ObjectWord, report: ObjectId, name: NameKey) -> (Symbol, Type) {
        let known = well_known();
        let receiver = Type::Object(word, report);
        let is_test = word == ObjectWord::TestRequestPage;
        let objects = std::iter::once(report).chain(self.universe.extensions(self.app, report));
        for object in objects {
            let file = self.universe.file_of(object);
            let declared = &self.universe.declarations(file).objects;
            let pages = declared
                .iter()
                .enumerate()
                .filter(|(_, it)| it.kind == ObjectKind::RequestPage);
            for (index, _) in pages {
                let page = self.universe.object_in(file, index as u32);
                if self.universe.base_of(page) != Some(object) {
                    continue;
                }
                for member in self.universe.own_members(page, name) {
                    let of_type = match self.universe.member(member).kind {
                        MemberKind::Control if is_test => Type::Simple(known.test_field),
                        MemberKind::Action if is_test => Type::Simple(known.test_action),
                        MemberKind::Procedure if !is_test => self.universe.type_of(member),
                        MemberKind::Control | MemberKind::Action => Type::Unknown(Cause::UndocumentedMember),
                        _ => continue,
                    };
                    return (Symbol::Member(member), of_type);
                }
            }
            let item = self.universe.own_members(object, name).find(|&it| {
                matches!(
                    self.universe.member(it).kind,
                    MemberKind::DataItem | MemberKind::XmlNode
                )
            });
            if let Some(item) = item {
                let table = match self.universe.type_of(item) {
                    Type::Record { table, .. } => Some(table),
                    _ => None,
                };
                return (Symbol::Member(item), Type::TestFilter(table));
            }
        }
        let built_in = if is_test {
            known.test_request_page
        } else {
            known.request_page
        };
        self.method_of(built_in, receiver, name)
            .or_else(|| self.method_of(known.page, receiver, name))
            .unwrap_or_else(|| unbound(Cause::UnknownName))
    }
}

/// The type with the methods that need no instance, such as `Page.Run`.
fn type_of_kind(kind: ObjectKind) -> BuiltInType {
    let known = well_known();
    match kind {
        ObjectKind::Table => known.database,
        ObjectKind::Page => known.page,
        ObjectKind::Report => known.report,
        ObjectKind::Query => known.query,
        ObjectKind::XmlPort => known.xml_port,
        ObjectKind::Enum => known.enumeration,
        _ => known.codeunit,
    }
}

/// The type with the methods of instances.
fn built_in_of(word: ObjectWord) -> BuiltInType {
    let known = well_known();
    match word {
        ObjectWord::Record => known.record,
        ObjectWord::Codeunit | ObjectWord::Interface | ObjectWord::ControlAddIn => known.codeunit,
        ObjectWord::Page => known.page,
        ObjectWord::Report => known.report,
        ObjectWord::Query => known.query,
        ObjectWord::XmlPort => known.xml_port,
        ObjectWord::Enum => known.enumeration,
        ObjectWord::TestPage => known.test_page,
        ObjectWord::TestPart => known.test_part,
        ObjectWord::TestRequestPage => known.test_request_page,
        ObjectWord::RequestPage => known.request_page,
    }
}

/// What the name of an object behind `::` is: an enum goes on with a value, everything else is a number.
fn object_name_type(kind: ObjectKind, object: ObjectId) -> Type {
    if kind == ObjectKind::Enum {
        Type::Name(NameType::Enum(object))
    } else {
        Type::Simple(well_known().integer)
    }
}
