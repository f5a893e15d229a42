//! Types as written, made compact.

use std::collections::HashMap;

use candor_al_syntax::ast::{IdentifierList, QualifiedName, TypeReference as TypeView};
use candor_al_syntax::{Keyword, NodeKind};

use crate::declaration::{ObjectReference, ObjectWord, Span, TypeId, TypeReference};
use crate::lower::{is_word, label_length};
use crate::name::{NameId, NamesBuilder};

/// Types nested deeper than this are not looked into.
const DEPTH_LIMIT: u32 = 64;

/// Collects types and the names in them.
#[derive(Default)]
pub(crate) struct TypeLowering {
    pub(crate) names: NamesBuilder,
    pub(crate) types: Vec<TypeReference>,
    pub(crate) lists: Vec<NameId>,
    known: HashMap<TypeReference, TypeId>,
}

impl TypeLowering {
    pub(crate) fn add(&mut self, of_type: TypeReference) -> TypeId {
        let next = TypeId(self.types.len() as u32);
        // Options are their own types even when their members are the same.
        if matches!(of_type, TypeReference::Option(_)) {
            self.types.push(of_type);
            return next;
        }
        let id = *self.known.entry(of_type).or_insert(next);
        if id == next {
            self.types.push(of_type);
        }
        id
    }

    pub(crate) fn broken(&mut self) -> TypeId {
        self.add(TypeReference::Broken)
    }

    pub(crate) fn simple(&mut self, name: &str, length: u32) -> TypeId {
        let name = self.names.add(name);
        self.add(TypeReference::Simple { name, length })
    }

    /// A dotted name as one name: `Microsoft.Sales`.
    pub(crate) fn dotted(&mut self, name: QualifiedName<'_>) -> Option<NameId> {
        let mut joined = String::new();
        for segment in name.segments() {
            if !joined.is_empty() {
                joined.push('.');
            }
            joined.push_str(&candor_al_syntax::ast::unquoted(segment.text()));
        }
        (!joined.is_empty()).then(|| self.names.add_unquoted(&joined))
    }

    pub(crate) fn reference(&mut self, name: QualifiedName<'_>) -> Option<ObjectReference> {
        if let Some(number) = name.number() {
            return Some(ObjectReference::Number(number));
        }
        let last = name.name_token()?;
        let mut namespace = String::new();
        if name.is_qualified() {
            for segment in name.segments() {
                if segment == last {
                    break;
                }
                if !namespace.is_empty() {
                    namespace.push('.');
                }
                namespace.push_str(&candor_al_syntax::ast::unquoted(segment.text()));
            }
        }
        let namespace = (!namespace.is_empty()).then(|| self.names.add_unquoted(&namespace));
        let name = self.names.add(last.text());
        Some(ObjectReference::Name { namespace, name })
    }

    pub(crate) fn object(&mut self, word: ObjectWord, name: QualifiedName<'_>) -> TypeId {
        match self.reference(name) {
            Some(object) => self.add(TypeReference::Object {
                word,
                object,
                is_temporary: false,
            }),
            None => self.broken(),
        }
    }

    pub(crate) fn record(&mut self, table: QualifiedName<'_>, is_temporary: bool) -> TypeId {
        match self.reference(table) {
            Some(object) => self.add(TypeReference::Object {
                word: ObjectWord::Record,
                object,
                is_temporary,
            }),
            None => self.broken(),
        }
    }

    pub(crate) fn type_or_broken(&mut self, view: Option<TypeView<'_>>) -> TypeId {
        match view {
            Some(view) => self.type_of(view),
            None => self.broken(),
        }
    }

    pub(crate) fn record_or_broken(&mut self, table: Option<QualifiedName<'_>>, is_temporary: bool) -> TypeId {
        match table {
            Some(table) => self.record(table, is_temporary),
            None => self.broken(),
        }
    }

    /// The option whose members a list names, with empty ones in their places.
    pub(crate) fn option(&mut self, list: IdentifierList<'_>) -> TypeId {
        let start = self.lists.len() as u32;
        for place in list.places() {
            let text = place
                .and_then(candor_al_syntax::ast::IdentifierListItem::token)
                .map_or("", candor_al_syntax::TokenRef::text);
            let name = self.names.add(text);
            self.lists.push(name);
        }
        let end = self.lists.len() as u32;
        self.add(TypeReference::Option(Span { start, end }))
    }

    pub(crate) fn type_of(&mut self, view: TypeView<'_>) -> TypeId {
        self.type_at_depth(view, 0)
    }

    fn type_at_depth(&mut self, view: TypeView<'_>, depth: u32) -> TypeId {
        if depth > DEPTH_LIMIT {
            return self.broken();
        }
        match view.kind() {
            NodeKind::ArrayType => match view.arguments().next() {
                Some(element) => {
                    let element = self.type_at_depth(element, depth + 1);
                    self.add(TypeReference::Array(element))
                }
                None => self.broken(),
            },
            NodeKind::GenericType => {
                let mut arguments = view.arguments();
                let first = arguments.next().map(|it| self.type_at_depth(it, depth + 1));
                let second = arguments.next().map(|it| self.type_at_depth(it, depth + 1));
                match (first, second) {
                    (Some(key), Some(value)) => self.add(TypeReference::Dictionary(key, value)),
                    (Some(element), None) => self.add(TypeReference::List(element)),
                    _ => self.broken(),
                }
            }
            NodeKind::OptionType => {
                let list = view
                    .node()
                    .child(NodeKind::IdentifierList)
                    .and_then(IdentifierList::cast);
                match list {
                    Some(list) => self.option(list),
                    None => self.simple("Option", 0),
                }
            }
            NodeKind::LabelType => {
                let (length, is_locked) = view.label().map_or((0, false), label_length);
                self.add(TypeReference::Label { length, is_locked })
            }
            NodeKind::TextConstType => self.add(TypeReference::TextConstant),
            NodeKind::DotNetTypeReference => {
                let alias = view.subject().and_then(|name| self.dotted(name));
                match alias {
                    Some(alias) => self.add(TypeReference::DotNet(alias)),
                    None => self.broken(),
                }
            }
            _ => self.plain(view),
        }
    }

    fn plain(&mut self, view: TypeView<'_>) -> TypeId {
        let word = match view.keyword() {
            Keyword::Record => Some(ObjectWord::Record),
            Keyword::Codeunit => Some(ObjectWord::Codeunit),
            Keyword::Page => Some(ObjectWord::Page),
            Keyword::Report => Some(ObjectWord::Report),
            Keyword::Query => Some(ObjectWord::Query),
            Keyword::XmlPort => Some(ObjectWord::XmlPort),
            Keyword::Enum => Some(ObjectWord::Enum),
            Keyword::Interface => Some(ObjectWord::Interface),
            Keyword::ControlAddIn => Some(ObjectWord::ControlAddIn),
            Keyword::TestPage => Some(ObjectWord::TestPage),
            Keyword::TestPart => Some(ObjectWord::TestPart),
            Keyword::TestRequestPage => Some(ObjectWord::TestRequestPage),
            Keyword::RequestPage => Some(ObjectWord::RequestPage),
            _ => None,
        };
        match (word.filter(|_| is_word(view, view.keyword())), view.subject()) {
            (Some(ObjectWord::Record), Some(subject)) => self.record(subject, view.is_temporary()),
            (Some(word), Some(subject)) => self.object(word, subject),
            _ => match view.name_token() {
                Some(name) => self.simple(name.text(), view.length().unwrap_or(0)),
                None => self.broken(),
            },
        }
    }
}
