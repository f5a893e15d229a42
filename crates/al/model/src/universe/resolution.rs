//! Types as written, resolved to what they mean where they are written.

use std::sync::Arc;

use super::{FileId, Universe, Viewpoint};
use crate::builtin::{built_ins, well_known};
use crate::declaration::{ObjectKind, ObjectReference, ObjectWord, TypeReference};
use crate::name::{NameKey, Names};
use crate::types::{Cause, Compound, CompoundId, Type};

impl Universe {
    pub(super) fn resolve_types(&mut self, index: usize) {
        let file = &self.files[index];
        let declarations = Arc::clone(&file.declarations);
        let app = file.app;
        let mut types: Vec<Type> = Vec::with_capacity(declarations.types.len());
        for &reference in &declarations.types {
            let viewpoint = Viewpoint {
                app,
                declarations: &declarations,
            };
            let resolved = match reference {
                TypeReference::Array(element) => self.compound(Compound::Array(types[element.0 as usize])),
                TypeReference::List(element) => self.compound(Compound::List(types[element.0 as usize])),
                TypeReference::Dictionary(key, value) => {
                    self.compound(Compound::Dictionary(types[key.0 as usize], types[value.0 as usize]))
                }
                TypeReference::Option(members) => self.compound(Compound::Option(FileId(index as u32), members)),
                TypeReference::DotNet(alias) => self.compound(Compound::DotNet(FileId(index as u32), alias)),
                other => self.simple_type(other, &declarations.names, viewpoint),
            };
            types.push(resolved);
        }
        self.files[index].types = types.into();
    }

    /// Columns take the types of fields, which are known only when those of all files are.
    pub(super) fn resolve_field_types(&mut self, index: usize) {
        let declarations = Arc::clone(&self.files[index].declarations);
        for (number, reference) in declarations.types.iter().enumerate() {
            let &TypeReference::FieldOf { table, field } = reference else {
                continue;
            };
            let app = self.files[index].app;
            let viewpoint = Viewpoint {
                app,
                declarations: &declarations,
            };
            let key = declarations.names.key(field);
            let resolved = match self.resolve(ObjectKind::Table, table, &declarations.names, viewpoint) {
                Some(table) => self
                    .field(app, table, key)
                    .map_or(Type::Unknown(Cause::UnknownName), |member| self.type_of(member)),
                None => Type::Unknown(self.missing(app)),
            };
            self.files[index].types[number] = resolved;
        }
    }

    fn compound(&mut self, compound: Compound) -> Type {
        let next = CompoundId(self.compounds.len() as u32);
        let id = *self.compound_ids.entry(compound).or_insert(next);
        if id == next {
            self.compounds.push(compound);
        }
        Type::Compound(id)
    }

    /// A type that is not made of others, as it is seen from somewhere.
    pub(crate) fn simple_type(&self, reference: TypeReference, names: &Names, from: Viewpoint<'_>) -> Type {
        match reference {
            TypeReference::Simple { name, length } => simple_type(names.text(name), names.key(name), length),
            TypeReference::Object {
                word,
                object,
                is_temporary,
            } => self.object_type(word, object, is_temporary, names, from),
            TypeReference::Label { length, .. } => Type::Label(length),
            TypeReference::TextConstant => Type::Simple(well_known().text_constant),
            TypeReference::DotNet(_) => Type::Unknown(Cause::DotNet),
            _ => Type::Unknown(Cause::Damage),
        }
    }

    pub(super) fn object_type(
        &self,
        word: ObjectWord,
        object: ObjectReference,
        is_temporary: bool,
        names: &Names,
        from: Viewpoint<'_>,
    ) -> Type {
        let found = self.resolve(word.object_kind(), object, names, from);
        match (word, found) {
            (ObjectWord::Record, Some(table)) => Type::Record { table, is_temporary },
            (ObjectWord::Record, None) => {
                let tables = built_ins().system_tables();
                let known = match object {
                    ObjectReference::Name { name, .. } => tables
                        .iter()
                        .position(|table| NameKey::of(table.name) == names.key(name)),
                    ObjectReference::Number(number) => tables.iter().position(|table| table.id == number),
                };
                known.map_or_else(
                    || Type::UnknownRecord {
                        cause: self.missing(from.app),
                        is_temporary,
                    },
                    |index| Type::SystemRecord {
                        table: index as u8,
                        is_temporary,
                    },
                )
            }
            (word, Some(object)) => Type::Object(word, object),
            (word, None) => Type::UnknownObject(word, self.missing(from.app)),
        }
    }
}

fn simple_type(text: &str, name: NameKey, length: u32) -> Type {
    let known = well_known();
    let built_ins = built_ins();
    if let Some(of) = built_ins.type_named(name) {
        return if of == known.text {
            Type::Text(length)
        } else if of == known.code {
            Type::Code(length)
        } else {
            Type::Simple(of)
        };
    }
    if let Some(option) = built_ins.option_named(name) {
        return Type::Option(option);
    }
    // Names that older code and the documentation use side by side.
    let other = match text.to_ascii_lowercase().as_str() {
        "string" => return Type::Text(length),
        "textconst" => "TextConst",
        "securityfiltering" => "SecurityFilter",
        _ => return Type::Unknown(Cause::UndocumentedMember),
    };
    let key = NameKey::of(other);
    built_ins
        .type_named(key)
        .map(Type::Simple)
        .or_else(|| built_ins.option_named(key).map(Type::Option))
        .unwrap_or(Type::Unknown(Cause::UndocumentedMember))
}
