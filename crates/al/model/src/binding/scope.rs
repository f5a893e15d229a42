//! Names on their own: where they are looked up, and in which order.
//!
//! Records of `with` statements, the inner first; variables of the method; the record that needs no receiver; the members
//! of the object, what it extends and what the app knows of its extensions; the variables that AL brings along; methods
//! of the record; functions and types of AL itself; namespaces.

use candor_al_syntax::ast::{DataItem, Method, QualifiedName};
use candor_al_syntax::{Node, NodeKind};

use super::{Binder, Symbol, SystemVariable};
use crate::builtin::{built_ins, well_known};
use crate::declaration::{MemberAccess, MemberKind, ObjectKind, ObjectWord};
use crate::name::NameKey;
use crate::types::{Cause, Compound, NameType, Type};
use crate::universe::{AppId, MemberId, ObjectId, Universe};

/// What names in an object may mean.
pub(super) struct ObjectScope {
    pub(super) object: Option<ObjectId>,
    pub(super) kind: ObjectKind,
    /// The objects whose members need no receiver, the nearest first.
    chain: Vec<ObjectId>,
    /// The record the object works on.
    pub(super) record: Option<Type>,
    /// Whether `Rec` and `xRec` are that record everywhere in the object.
    pub(super) has_rec: bool,
    /// What `this` is.
    pub(super) own_type: Type,
    /// Whether what the object extends is not known, so that a name may be a member of that.
    missing_base: Option<Cause>,
}

impl Default for ObjectScope {
    fn default() -> Self {
        Self {
            object: None,
            kind: ObjectKind::Codeunit,
            chain: Vec::new(),
            record: None,
            has_rec: false,
            own_type: Type::None,
            missing_base: None,
        }
    }
}

impl ObjectScope {
    pub(super) fn of(universe: &Universe, app: AppId, object: ObjectId) -> Self {
        let kind = universe.object(object).kind;
        let base = universe.base_of(object);
        let mut chain = vec![object];
        if let Some(base) = base {
            chain.push(base);
            if kind == ObjectKind::RequestPage {
                chain.extend(universe.base_of(base));
            }
        }
        // What is declared in other extensions can be used as well.
        let extended = match kind {
            ObjectKind::Table | ObjectKind::Page => Some(object),
            _ => base,
        };
        if let Some(extended) = extended {
            chain.extend(universe.extensions(app, extended).filter(|&it| it != object));
        }
        let missing_base = (kind.extended().is_some() && base.is_none()).then(|| universe.missing(app));
        let record = universe.source_table(object);
        let has_rec = record.is_some() && kind != ObjectKind::Codeunit;
        let word = match kind {
            ObjectKind::Codeunit => Some(ObjectWord::Codeunit),
            ObjectKind::Page | ObjectKind::PageExtension | ObjectKind::PageCustomization => Some(ObjectWord::Page),
            ObjectKind::Report | ObjectKind::ReportExtension => Some(ObjectWord::Report),
            ObjectKind::Query => Some(ObjectWord::Query),
            ObjectKind::XmlPort => Some(ObjectWord::XmlPort),
            _ => None,
        };
        let own_type = match (kind, word) {
            (ObjectKind::Table | ObjectKind::TableExtension, _) => record.unwrap_or(Type::None),
            (_, Some(word)) => Type::Object(word, base.unwrap_or(object)),
            _ => Type::None,
        };
        Self {
            object: Some(object),
            kind,
            chain,
            record: record.filter(|_| kind != ObjectKind::Codeunit),
            has_rec,
            own_type,
            missing_base,
        }
    }
}

/// Whether a member can be used by its name alone.
fn is_bare(kind: MemberKind) -> bool {
    matches!(
        kind,
        MemberKind::Variable
            | MemberKind::Procedure
            | MemberKind::Event
            | MemberKind::Field
            | MemberKind::DataItem
            | MemberKind::QueryDataItem
            | MemberKind::XmlNode
            | MemberKind::Column
    )
}

impl<'t> Binder<'_, 't> {
    /// Decides which record needs no receiver in a method: that of the object, of the data item around a trigger, or
    /// that of `TableNo` in `OnRun`.
    pub(super) fn enter_implicit(&mut self, method: Method<'t>) {
        self.implicit = self.scope.record;
        self.has_rec = self.scope.has_rec;
        if !method.is_trigger() {
            return;
        }
        if self.scope.kind == ObjectKind::Codeunit {
            let is_run = method
                .name_token()
                .is_some_and(|token| token.text().eq_ignore_ascii_case("OnRun"));
            if let (true, Some(object)) = (is_run, self.scope.object) {
                self.implicit = self.universe.source_table(object);
                self.has_rec = self.implicit.is_some();
            }
            return;
        }
        if let Some(record) = self.data_item_record(method.node()) {
            self.implicit = Some(record);
            self.has_rec = true;
        }
    }

    /// The record of the data item or table element around a node.
    pub(super) fn data_item_record(&mut self, node: Node<'t>) -> Option<Type> {
        let around = node.ancestors().find(|around| {
            matches!(
                around.kind(),
                NodeKind::DataItem | NodeKind::QueryDataItem | NodeKind::TableElement | NodeKind::DataSetChange
            ) || around.kind().is_object()
        })?;
        if around.kind().is_object() {
            return None;
        }
        if around.kind() == NodeKind::DataSetChange {
            // `modify(Customer)` and columns added to a data item of the report.
            let name = around.child(NodeKind::Name)?.last_token()?;
            let member = self.chain_member(NameKey::of(name.text()))?;
            return Some(self.universe.type_of(member)).filter(|it| it.is_record());
        }
        let table = match DataItem::cast(around) {
            Some(item) => item.table(),
            None => around.child(NodeKind::QualifiedName).and_then(QualifiedName::cast),
        }?;
        let id = self.lowering.record(table, false);
        Some(self.lowered_type(id))
    }

    pub(super) fn local(&self, name: NameKey) -> Option<u32> {
        self.locals
            .iter()
            .find(|(key, _)| *key == name)
            .map(|&(_, variable)| variable)
    }

    /// The member of the object, of what it extends or of another extension that a name alone means.
    pub(super) fn chain_member(&self, name: NameKey) -> Option<MemberId> {
        let own = self.scope.object?;
        // The columns of a report have the names of variables; only those of a query are variables.
        let is_query = self.scope.kind == ObjectKind::Query;
        for &object in &self.scope.chain {
            let found = self.universe.own_members(object, name).find(|&member| {
                let declared = self.universe.member(member);
                let is_own = object == own || self.scope.kind == ObjectKind::RequestPage;
                let is_bare = is_bare(declared.kind) && (declared.kind != MemberKind::Column || is_query);
                is_bare && (is_own || declared.access != MemberAccess::Local)
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The member of a record's table that needs no receiver: a field or a procedure.
    fn record_member(&self, record: Type, name: NameKey) -> Option<(Symbol, Type)> {
        match record {
            Type::Record { table, .. } => {
                let found = self.universe.members(self.app, table, name).find(|&member| {
                    let declared = self.universe.member(member);
                    match declared.kind {
                        MemberKind::Field => true,
                        MemberKind::Procedure => {
                            declared.access != MemberAccess::Local || self.scope.object == Some(member.object)
                        }
                        _ => false,
                    }
                })?;
                Some((Symbol::Member(found), self.universe.type_of(found)))
            }
            Type::SystemRecord { .. } => self.record_name(record, name),
            _ => None,
        }
        .or_else(|| Self::system_field(name).filter(|_| record.is_record()))
    }

    /// The record whose members need no receiver at this place.
    pub(super) fn implicit_at(&self, node: Node<'t>) -> Option<Type> {
        let is_explicit = self.explicit.at(node.range().start, self.scope.kind);
        self.implicit.filter(|_| !is_explicit)
    }

    pub(super) fn bare_name(&mut self, node: Node<'t>, name: NameKey, is_quoted: bool) -> (Symbol, Type) {
        let index = node.id().0;
        for with in self.withs.iter().rev() {
            if with.nodes.contains(&index) {
                if let Some(found) = self.record_member(with.record, name) {
                    return found;
                }
                if let Some(found) = self.record_name(with.record, name) {
                    return found;
                }
                // Pages and test pages can be opened as well.
                if !with.record.is_record()
                    && let found @ (Symbol::Member(_) | Symbol::Method(_), _) = self.member(with.record, name)
                {
                    return found;
                }
            }
        }
        if let Some(variable) = self.local(name) {
            return (
                Symbol::Variable(variable),
                self.binding.variables[variable as usize].of_type,
            );
        }
        let implicit = self.implicit_at(node);
        if let Some(found) = implicit.and_then(|record| self.record_member(record, name)) {
            return found;
        }
        if let Some(member) = self.chain_member(name) {
            return (Symbol::Member(member), self.universe.type_of(member));
        }
        if !is_quoted && let Some(found) = self.system_variable(name) {
            return found;
        }
        if let Some(found) = implicit.and_then(|record| self.record_name(record, name)) {
            return found;
        }
        if let Some(&method) = built_ins().unqualified(name).first() {
            return (Symbol::Method(method), self.result_of(method, Type::None));
        }
        if let Type::Object(ObjectWord::Page | ObjectWord::Query | ObjectWord::Report | ObjectWord::XmlPort, _) =
            self.scope.own_type
            && let found @ (Symbol::Method(_), _) = self.member(self.scope.own_type, name)
        {
            return found;
        }
        if let Some(found) = self.static_name(name, is_quoted) {
            return found;
        }
        // An enum in front of `.FromInteger` needs no `Enum::`.
        let is_receiver = node
            .parent()
            .is_some_and(|parent| parent.kind() == NodeKind::MemberAccess && parent.id().0 + 1 == index);
        if is_receiver && let Some(object) = self.object_named(ObjectKind::Enum, name) {
            return (Symbol::Object(object), Type::Name(NameType::Enum(object)));
        }
        if let Some(cause) = self.scope.missing_base {
            return unbound(cause);
        }
        // What a record of the platform has is not documented.
        let platform = self
            .implicit
            .into_iter()
            .chain(self.withs.iter().map(|with| with.record));
        for record in platform {
            match record {
                Type::UnknownRecord { cause, .. } | Type::Unknown(cause) => return unbound(cause),
                Type::SystemRecord { .. } => return unbound(Cause::PlatformObject),
                _ => {}
            }
        }
        unbound(Cause::UnknownName)
    }

    pub(super) fn object_named(&self, kind: ObjectKind, name: NameKey) -> Option<ObjectId> {
        let from = self.universe.viewpoint(self.file);
        self.universe.object_named(kind, None, name, from)
    }

    /// A type or kind of object of AL itself, or a namespace.
    fn static_name(&self, name: NameKey, is_quoted: bool) -> Option<(Symbol, Type)> {
        if !is_quoted {
            if let Some(kind) = kind_word(name) {
                return Some((Symbol::Kind(kind), Type::Name(NameType::Kind(kind))));
            }
            if let Some(of) = built_ins().type_named(name) {
                return Some((Symbol::Type(of), Type::Name(NameType::Type(of))));
            }
            if let Some(option) = built_ins().option_named(name) {
                return Some((Symbol::Option(option), Type::Name(NameType::Option(option))));
            }
        }
        let is_namespace = self.universe.is_namespace(name);
        is_namespace.then_some((Symbol::Namespace, Type::Name(NameType::Namespace(None))))
    }

    /// A name in front of `::`.
    pub(super) fn scope_name(&mut self, node: Node<'t>, name: NameKey, is_quoted: bool) -> (Symbol, Type) {
        if !is_quoted && let Some(kind) = kind_word(name) {
            return (Symbol::Kind(kind), Type::Name(NameType::Kind(kind)));
        }
        let (symbol, of_type) = self.bare_name(node, name, is_quoted);
        let is_value = matches!(
            symbol,
            Symbol::Variable(_) | Symbol::Member(_) | Symbol::SystemTableField(..)
        );
        if is_value && self.has_members(of_type) {
            return (symbol, of_type);
        }
        if let Some(object) = self.object_named(ObjectKind::Enum, name) {
            return (Symbol::Object(object), Type::Name(NameType::Enum(object)));
        }
        if !is_quoted && let Some(option) = built_ins().option_named(name) {
            return (Symbol::Option(option), Type::Name(NameType::Option(option)));
        }
        (symbol, of_type)
    }

    /// Whether `::` behind a value of a type can name a member.
    fn has_members(&self, of_type: Type) -> bool {
        match of_type {
            Type::Option(_) | Type::Object(ObjectWord::Enum, _) | Type::Unknown(_) | Type::UnknownObject(..) => true,
            Type::Compound(_) => matches!(
                self.compound_of(of_type),
                Some(Compound::Option(..) | Compound::LocalOption(_) | Compound::Array(_))
            ),
            _ => false,
        }
    }

    fn system_variable(&self, name: NameKey) -> Option<(Symbol, Type)> {
        let is = |variable: SystemVariable| name == NameKey::of_unquoted(variable.name());
        let own = || {
            let object = self.scope.object?;
            Some(self.universe.base_of(object).unwrap_or(object))
        };
        let found = |variable, of_type| Some((Symbol::System(variable), of_type));
        if is(SystemVariable::Rec) && self.has_rec {
            return found(SystemVariable::Rec, self.record_of_object()?);
        }
        if is(SystemVariable::XRec) && self.has_rec {
            return found(SystemVariable::XRec, self.record_of_object()?);
        }
        match self.scope.kind {
            ObjectKind::Page | ObjectKind::PageExtension | ObjectKind::PageCustomization
                if is(SystemVariable::CurrPage) =>
            {
                let of_type = match self.scope.missing_base {
                    Some(cause) => Type::UnknownObject(ObjectWord::Page, cause),
                    None => Type::Object(ObjectWord::Page, own()?),
                };
                found(SystemVariable::CurrPage, of_type)
            }
            ObjectKind::RequestPage if is(SystemVariable::CurrPage) || is(SystemVariable::RequestOptionsPage) => {
                let variable = if is(SystemVariable::CurrPage) {
                    SystemVariable::CurrPage
                } else {
                    SystemVariable::RequestOptionsPage
                };
                found(variable, Type::Object(ObjectWord::RequestPage, own()?))
            }
            ObjectKind::Report | ObjectKind::ReportExtension | ObjectKind::XmlPort
                if is(SystemVariable::RequestOptionsPage) =>
            {
                found(
                    SystemVariable::RequestOptionsPage,
                    Type::Object(ObjectWord::RequestPage, own()?),
                )
            }
            ObjectKind::Report | ObjectKind::ReportExtension | ObjectKind::RequestPage
                if is(SystemVariable::CurrReport) =>
            {
                let of_type = match self.scope.missing_base {
                    Some(cause) => Type::UnknownObject(ObjectWord::Report, cause),
                    None => Type::Object(ObjectWord::Report, own()?),
                };
                found(SystemVariable::CurrReport, of_type)
            }
            ObjectKind::XmlPort | ObjectKind::RequestPage if is(SystemVariable::CurrXmlPort) => {
                found(SystemVariable::CurrXmlPort, Type::Object(ObjectWord::XmlPort, own()?))
            }
            ObjectKind::Query if is(SystemVariable::CurrQuery) => {
                found(SystemVariable::CurrQuery, Type::Object(ObjectWord::Query, own()?))
            }
            _ if is(SystemVariable::CurrFieldNo) && self.has_rec => {
                found(SystemVariable::CurrFieldNo, Type::Simple(well_known().integer))
            }
            _ => None,
        }
    }

    /// What `Rec` is: not the record of a data item that a trigger belongs to.
    fn record_of_object(&self) -> Option<Type> {
        self.scope.record.or(self.implicit)
    }
}

pub(super) fn unbound(cause: Cause) -> (Symbol, Type) {
    (Symbol::Unbound(cause), Type::Unknown(cause))
}

/// The words for kinds of object in front of `::` and of methods that need no value.
pub(super) fn kind_word(name: NameKey) -> Option<ObjectKind> {
    const KINDS: [ObjectKind; 8] = [
        ObjectKind::Table,
        ObjectKind::Codeunit,
        ObjectKind::Page,
        ObjectKind::Report,
        ObjectKind::Query,
        ObjectKind::XmlPort,
        ObjectKind::Enum,
        ObjectKind::PermissionSet,
    ];
    use std::sync::LazyLock;
    static WORDS: LazyLock<Vec<(NameKey, ObjectKind)>> = LazyLock::new(|| {
        KINDS
            .iter()
            .filter_map(|&kind| Some((NameKey::of(kind.code_word()?), kind)))
            .collect()
    });
    WORDS.iter().find(|(word, _)| *word == name).map(|&(_, kind)| kind)
}
