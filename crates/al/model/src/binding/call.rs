//! Calls: which overload is meant, what it gives, and the fields among its arguments.

use candor_al_syntax::{Node, NodeKind};

use super::{Binder, Symbol};
use crate::builtin::{BuiltInMethod, TypeFacts, built_ins, well_known};
use crate::declaration::{MemberKind, ObjectWord};
use crate::name::NameKey;
use crate::types::{Cause, Compound, NameType, Type};
use crate::universe::{MemberId, ObjectId};

/// How far an argument is from what a parameter takes; larger than any sum of fitting ones.
const DOES_NOT_FIT: u32 = 1000;

impl<'t> Binder<'_, 't> {
    pub(super) fn call(&mut self, node: Node<'t>) {
        let mut children = node.children();
        let Some(callee) = children.next() else { return };
        let arguments: Vec<Node<'t>> = children
            .find(|child| child.kind() == NodeKind::ArgumentList)
            .into_iter()
            .flat_map(Node::children)
            .filter(|argument| argument.kind().is_expression())
            .collect();
        let (symbol, of_type) = match self.symbol_at(callee) {
            Symbol::Member(member) if self.is_callable(member) => {
                let chosen = self.choose_member(member, &arguments);
                (Symbol::Member(chosen), self.universe.type_of(chosen))
            }
            Symbol::Method(method) => {
                let receiver = self.receiver_of(callee);
                let chosen = self.choose_method(method, &arguments);
                self.bind_field_arguments(chosen, receiver, &arguments);
                (
                    Symbol::Method(chosen),
                    self.result_with_arguments(chosen, receiver, &arguments),
                )
            }
            Symbol::Unbound(cause) => (Symbol::Unbound(cause), Type::Unknown(cause)),
            symbol => (symbol, self.type_at(callee)),
        };
        self.set(callee, symbol, of_type);
        self.set(node, symbol, of_type);
    }

    fn is_callable(&self, member: MemberId) -> bool {
        matches!(
            self.universe.member(member).kind,
            MemberKind::Procedure | MemberKind::Event
        )
    }

    /// What the method of a callee is called on; for a name alone the record that needs no receiver.
    fn receiver_of(&self, callee: Node<'t>) -> Type {
        if callee.kind() == NodeKind::MemberAccess {
            return callee
                .children()
                .next()
                .map_or(Type::None, |receiver| self.type_at(receiver));
        }
        let index = callee.id().0;
        let with = self.withs.iter().rev().find(|with| with.nodes.contains(&index));
        with.map(|with| with.record)
            .or_else(|| self.implicit_at(callee))
            .unwrap_or(self.scope.own_type)
    }

    /// The overload that the arguments fit best; the first of those that fit equally well.
    fn choose_member(&self, member: MemberId, arguments: &[Node<'t>]) -> MemberId {
        let declarations = self.universe.declarations(self.universe.file_of(member.object));
        let name = declarations.names.key(self.universe.member(member).name);
        let mut own = self
            .universe
            .own_members(member.object, name)
            .filter(|&it| self.is_callable(it));
        if own.next().is_some() && own.next().is_none() && self.distance(member, arguments) < DOES_NOT_FIT {
            return member;
        }
        // Overloads stand in the object, in what it extends and in its extensions.
        let base = self.universe.base_of(member.object);
        let root = base.filter(|&base| self.universe.object(base).kind != self.universe.object(member.object).kind);
        let root = root.unwrap_or(member.object);
        let all = self
            .universe
            .own_members(member.object, name)
            .chain(self.universe.members(self.app, root, name))
            .filter(|&it| self.is_callable(it));
        all.min_by_key(|&it| self.distance(it, arguments)).unwrap_or(member)
    }

    fn distance(&self, member: MemberId, arguments: &[Node<'t>]) -> u32 {
        let file = self.universe.file_of(member.object);
        let parameters = self
            .universe
            .declarations(file)
            .parameters(self.universe.member(member));
        if parameters.len() != arguments.len() {
            return DOES_NOT_FIT * (1 + parameters.len().abs_diff(arguments.len()) as u32);
        }
        let pairs = parameters.iter().zip(arguments);
        pairs
            .map(|(parameter, &argument)| {
                let wanted = self.universe.type_in(file, parameter.of_type);
                self.conversion(self.type_at(argument), wanted)
            })
            .sum()
    }

    fn choose_method(&self, method: BuiltInMethod, arguments: &[Node<'t>]) -> BuiltInMethod {
        let facts = built_ins().method(method);
        let distance = |candidate: BuiltInMethod| {
            let candidate = built_ins().method(candidate);
            if !candidate.takes(arguments.len()) {
                return DOES_NOT_FIT * 2;
            }
            let pairs = arguments.iter().enumerate();
            pairs
                .map(|(index, &argument)| match candidate.parameter(index) {
                    Some(parameter) => self.conversion(self.type_at(argument), fact_type(parameter.of_type)),
                    None => 0,
                })
                .sum()
        };
        built_ins()
            .methods_named(facts.owner, facts.key)
            .filter(|&it| built_ins().method(it).is_static == facts.is_static || !facts.is_unqualified)
            .min_by_key(|&it| distance(it))
            .unwrap_or(method)
    }

    /// How far a value is from a type; 0 for the same.
    fn conversion(&self, from: Type, to: Type) -> u32 {
        let known = well_known();
        if from == to {
            return 0;
        }
        let is_number = |of: Type| {
            [
                known.integer,
                known.big_integer,
                known.decimal,
                known.byte,
                known.char,
                known.duration,
            ]
            .iter()
            .position(|&it| of == Type::Simple(it))
        };
        match (from, to) {
            (Type::Unknown(_), _) | (_, Type::Unknown(_)) => 5,
            (Type::Text(_) | Type::Label(_), Type::Text(_)) | (Type::Code(_), Type::Code(_)) => 1,
            (Type::Record { table: left, .. }, Type::Record { table: right, .. }) => {
                if left == right {
                    0
                } else {
                    DOES_NOT_FIT
                }
            }
            (_, Type::Any) => 20,
            (_, Type::Simple(of)) if of == known.variant => 20,
            (Type::Any, _) => 5,
            (Type::Simple(of), _) if of == known.variant => 10,
            (from, to) if from.is_text() && to.is_text() => 2,
            (from, to) if from.is_record() && matches!(to, Type::Simple(of) if of == known.record) => 0,
            (from, to) if from.is_record() && to.is_record() => 5,
            (from, to) => match (is_number(from), is_number(to)) {
                (Some(_), Some(place)) => 2 + place as u32,
                (Some(_), None) | (None, Some(_)) if self.is_option(from) || self.is_option(to) => 6,
                _ if self.is_option(from) && self.is_option(to) => 4,
                _ if from.is_text() && matches!(to, Type::Simple(of) if of == known.guid) => 8,
                _ if matches!(from, Type::Object(ObjectWord::Codeunit | ObjectWord::Enum, _))
                    && matches!(to, Type::Object(ObjectWord::Interface, _)) =>
                {
                    3
                }
                _ => self.structural(from, to),
            },
        }
    }

    fn structural(&self, from: Type, to: Type) -> u32 {
        let known = well_known();
        match (self.compound_of(from), self.compound_of(to)) {
            (Some(Compound::Array(from)), Some(Compound::Array(to)))
            | (Some(Compound::List(from)), Some(Compound::List(to)))
            | (Some(Compound::Dictionary(_, from)), Some(Compound::Dictionary(_, to))) => {
                self.conversion_once(from, to)
            }
            (Some(Compound::List(_)), None) if to == Type::Simple(known.list) => 0,
            (Some(Compound::Dictionary(..)), None) if to == Type::Simple(known.dictionary) => 0,
            (Some(Compound::DotNet(..)), _) | (_, Some(Compound::DotNet(..))) => 5,
            _ => DOES_NOT_FIT,
        }
    }

    /// As [`Self::conversion`] for what is inside, which is not looked into any further.
    fn conversion_once(&self, from: Type, to: Type) -> u32 {
        if from == to {
            0
        } else if from.is_text() && to.is_text() || from.is_record() && to.is_record() || from.is_unknown() {
            2
        } else if self.compound_of(from).is_some() && self.compound_of(to).is_some() {
            4
        } else {
            DOES_NOT_FIT
        }
    }

    fn is_option(&self, of_type: Type) -> bool {
        match of_type {
            Type::Option(_) | Type::Object(ObjectWord::Enum, _) => true,
            Type::Simple(of) => of == well_known().option || of == well_known().enumeration,
            Type::Compound(_) => matches!(
                self.compound_of(of_type),
                Some(Compound::Option(..) | Compound::LocalOption(_))
            ),
            _ => false,
        }
    }

    /// What a method gives, as far as its receiver decides.
    pub(super) fn result_of(&self, method: BuiltInMethod, receiver: Type) -> Type {
        let facts = built_ins().method(method);
        let Some(result) = facts.result else { return Type::None };
        if let Type::Name(NameType::Enum(object)) = receiver
            && facts.key == NameKey::of_unquoted("FromInteger")
        {
            return Type::Object(ObjectWord::Enum, object);
        }
        self.fact_type_for(result, receiver)
    }

    fn result_with_arguments(&self, method: BuiltInMethod, receiver: Type, arguments: &[Node<'t>]) -> Type {
        let facts = built_ins().method(method);
        // The limits of a filter have the type of their field.
        if facts.owner == well_known().record
            && matches!(facts.name, "GetRangeMin" | "GetRangeMax")
            && let Some(&field) = arguments.first()
        {
            return self.type_at(field);
        }
        self.result_of(method, receiver)
    }

    fn fact_type_for(&self, facts: TypeFacts, receiver: Type) -> Type {
        let compound = self.compound_of(receiver);
        let list_of = |element: Type| {
            let known = self.universe.known_compound(Compound::List(element));
            known.map_or(Type::Simple(well_known().list), Type::Compound)
        };
        match (facts, compound) {
            (TypeFacts::Element, Some(Compound::List(element) | Compound::Array(element))) => element,
            (TypeFacts::Key, Some(Compound::Dictionary(key, _))) => key,
            (TypeFacts::Value, Some(Compound::Dictionary(_, value))) => value,
            (TypeFacts::List(TypeFacts::Element), Some(Compound::List(_))) => receiver,
            (TypeFacts::List(TypeFacts::Key), Some(Compound::Dictionary(key, _))) => list_of(key),
            (TypeFacts::List(TypeFacts::Value), Some(Compound::Dictionary(_, value))) => list_of(value),
            (TypeFacts::List(inner), _) => list_of(fact_type(*inner)),
            (TypeFacts::Dictionary(key, value), _) => {
                let known = self
                    .universe
                    .known_compound(Compound::Dictionary(fact_type(*key), fact_type(*value)));
                known.map_or(Type::Simple(well_known().dictionary), Type::Compound)
            }
            _ => fact_type(facts),
        }
    }

    /// Names of fields among the arguments mean fields of the receiver, whatever else has that name.
    fn bind_field_arguments(&mut self, method: BuiltInMethod, receiver: Type, arguments: &[Node<'t>]) {
        let facts = built_ins().method(method);
        let known = well_known();
        let is_record = facts.owner == known.record;
        let is_filter = facts.owner == known.test_filter;
        let is_query = facts.owner == known.query;
        let is_test = facts.owner == known.test_page || facts.owner == known.test_part;
        if !(is_record || is_filter || is_query || is_test) {
            return;
        }
        for (index, &argument) in arguments.iter().enumerate() {
            if argument.kind() != NodeKind::NameExpression {
                continue;
            }
            let Some(parameter) = facts.parameter(index) else {
                continue;
            };
            let wanted = if is_query { "Column" } else { "Field" };
            let names_field = parameter.name.starts_with(wanted) || is_record && parameter.name == "FromField";
            let Some(token) = argument.first_token().filter(|_| names_field) else {
                continue;
            };
            let name = NameKey::of(token.text());
            if let Some((symbol, of_type)) = self.field_argument(receiver, name) {
                self.set(argument, symbol, of_type);
            }
        }
    }

    fn field_argument(&self, receiver: Type, name: NameKey) -> Option<(Symbol, Type)> {
        let field_of = |table: ObjectId| {
            let member = self.universe.field(self.app, table, name)?;
            Some((Symbol::Member(member), self.universe.type_of(member)))
        };
        match receiver {
            Type::Record { table, .. } | Type::TestFilter(Some(table)) => {
                field_of(table).or_else(|| Self::system_field(name))
            }
            Type::TestFilter(None) => Some(super::scope::unbound(Cause::PlatformObject)),
            Type::SystemRecord { .. } => self
                .record_name(receiver, name)
                .or(Some(super::scope::unbound(Cause::PlatformObject))),
            Type::UnknownRecord { cause, .. } => Self::system_field(name).or(Some(super::scope::unbound(cause))),
            Type::Object(ObjectWord::Query, object) => {
                let mut members = self.universe.members(self.app, object, name);
                let column = members.find(|&it| self.universe.member(it).kind == MemberKind::Column)?;
                Some((Symbol::Member(column), self.universe.type_of(column)))
            }
            Type::Object(ObjectWord::TestPage | ObjectWord::TestPart, page) => {
                let mut members = self.universe.members(self.app, page, name);
                let control = members.find(|&it| self.universe.member(it).kind == MemberKind::Control)?;
                Some((Symbol::Member(control), Type::Simple(well_known().test_field)))
            }
            _ => None,
        }
    }
}

/// A documented type, without regard to a receiver.
fn fact_type(facts: TypeFacts) -> Type {
    let known = well_known();
    match facts {
        TypeFacts::Any | TypeFacts::Element | TypeFacts::Key | TypeFacts::Value => Type::Any,
        TypeFacts::Of(of) if of == known.text => Type::Text(0),
        TypeFacts::Of(of) if of == known.code => Type::Code(0),
        TypeFacts::Of(of) if of == known.label => Type::Label(0),
        TypeFacts::Of(of) => Type::Simple(of),
        TypeFacts::Option(option) => Type::Option(option),
        TypeFacts::List(_) => Type::Simple(known.list),
        TypeFacts::Dictionary(..) => Type::Simple(known.dictionary),
        TypeFacts::Unknown => Type::Unknown(Cause::UndocumentedMember),
    }
}
