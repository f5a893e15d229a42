//! All apps that are known, and what each of them sees of the others.

mod resolution;

use std::collections::HashMap;
use std::sync::Arc;

use crate::declaration::{
    FileDeclarations, Member, MemberKind, ObjectDeclaration, ObjectKind, ObjectReference, ObjectWord, Span, TypeId,
};
use crate::name::{KeyMap, KeySet, NameKey, Names};
use crate::types::{Cause, Compound, CompoundId, Type};

/// The number of an app.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct AppId(pub u32);

/// The number of a file among those of all apps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// The number of an object among those of all apps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// A member of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct MemberId {
    /// The object that declares it, which may be an extension.
    pub object: ObjectId,
    /// Its index among the members of the file.
    pub index: u32,
}

/// What is said of an app when it is added.
#[derive(Clone, Debug, Default)]
pub struct AppDescription {
    /// Its name, for reports.
    pub name: String,
    /// The apps it depends on that are known.
    pub dependencies: Vec<AppId>,
    /// Whether some dependency is not known, so that what is not found may be declared there.
    pub has_missing_dependencies: bool,
    /// Whether it is built with `NoImplicitWith`: pages and codeunits name their record.
    pub names_its_records: bool,
}

#[derive(Debug)]
struct App {
    description: AppDescription,
    /// One bit for each app that it sees: itself, its dependencies and theirs.
    visible: Vec<u64>,
    /// Whether something it sees, or would see, is missing.
    is_incomplete: bool,
}

#[derive(Debug)]
struct File {
    declarations: Arc<FileDeclarations>,
    app: AppId,
    /// The resolved types, parallel to those of the declarations.
    types: Box<[Type]>,
    first_object: u32,
}

#[derive(Debug)]
struct Entry {
    file: FileId,
    index: u32,
    namespace: NameKey,
    base: Option<ObjectId>,
    /// A stretch of `lookup`.
    members: Span,
}

/// All apps that are known.
///
/// Apps are added in the order of their dependencies; an app never changes what those before it mean.
#[derive(Debug, Default)]
pub struct Universe {
    apps: Vec<App>,
    files: Vec<File>,
    entries: Vec<Entry>,
    by_name: KeyMap<(u8, NameKey), Vec<ObjectId>>,
    by_number: HashMap<(ObjectKind, u32), Vec<ObjectId>>,
    extensions: HashMap<ObjectId, Vec<ObjectId>>,
    /// Every namespace and every part of one from the left.
    namespaces: KeySet<NameKey>,
    /// The members of each object by name.
    lookup: Vec<(NameKey, u32)>,
    compounds: Vec<Compound>,
    compound_ids: HashMap<Compound, CompoundId>,
}

/// The place from which a name is looked up: what is visible there, and what the file says about namespaces.
#[derive(Clone, Copy, Debug)]
pub struct Viewpoint<'u> {
    /// The app.
    pub app: AppId,
    /// The namespace of the file and those it uses.
    pub declarations: &'u FileDeclarations,
}

impl Universe {
    /// No app at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an app whose dependencies have been added. The files get the numbers behind those there are.
    pub fn add_app(&mut self, description: AppDescription, files: Vec<Arc<FileDeclarations>>) -> AppId {
        self.add_apps(vec![(description, files)]);
        AppId(self.apps.len() as u32 - 1)
    }

    /// Adds apps that see each other; the dependencies of all of them have been added. The files get the numbers behind
    /// those there are, app by app. Gives the numbers of the apps.
    pub fn add_apps(&mut self, apps: Vec<(AppDescription, Vec<Arc<FileDeclarations>>)>) -> Vec<AppId> {
        let first_app = self.apps.len();
        let first_file = self.files.len();
        let mut visible = vec![0_u64; (first_app + apps.len()) / 64 + 1];
        let mut is_incomplete = false;
        for (description, _) in &apps {
            is_incomplete |= description.has_missing_dependencies;
            for dependency in &description.dependencies {
                let Some(dependency) = self.apps.get(dependency.0 as usize) else {
                    continue;
                };
                is_incomplete |= dependency.is_incomplete;
                for (mine, theirs) in visible.iter_mut().zip(&dependency.visible) {
                    *mine |= theirs;
                }
            }
        }
        for app in first_app..first_app + apps.len() {
            visible[app / 64] |= 1 << (app % 64);
        }
        let mut ids = Vec::with_capacity(apps.len());
        for (description, files) in apps {
            let app = AppId(self.apps.len() as u32);
            ids.push(app);
            self.apps.push(App {
                description,
                visible: visible.clone(),
                is_incomplete,
            });
            for declarations in files {
                self.register(app, declarations);
            }
        }
        self.connect_extensions(first_file);
        for index in first_file..self.files.len() {
            self.resolve_types(index);
        }
        for index in first_file..self.files.len() {
            self.resolve_field_types(index);
        }
        ids
    }

    fn register(&mut self, app: AppId, declarations: Arc<FileDeclarations>) {
        let file = FileId(self.files.len() as u32);
        let namespace = declarations
            .namespace
            .map_or(NameKey::default(), |name| declarations.names.key(name));
        if let Some(name) = declarations.namespace {
            self.add_namespace(declarations.names.text(name));
        }
        let first_object = self.entries.len() as u32;
        for (index, object) in declarations.objects.iter().enumerate() {
            let id = ObjectId(self.entries.len() as u32);
            let start = self.lookup.len();
            for index in object.members.indices() {
                let member = &declarations.members[index as usize];
                self.lookup.push((declarations.names.key(member.name), index));
            }
            self.lookup[start..].sort_unstable();
            self.entries.push(Entry {
                file,
                index: index as u32,
                namespace,
                base: object.parent.map(|parent| ObjectId(first_object + parent)),
                members: Span {
                    start: start as u32,
                    end: self.lookup.len() as u32,
                },
            });
            if object.kind == ObjectKind::RequestPage {
                continue;
            }
            let key = declarations.names.key(object.name);
            self.by_name.entry((object.kind as u8, key)).or_default().push(id);
            if let Some(number) = object.number {
                self.by_number.entry((object.kind, number)).or_default().push(id);
            }
        }
        self.files.push(File {
            declarations,
            app,
            types: Box::default(),
            first_object,
        });
    }

    fn add_namespace(&mut self, name: &str) {
        if !self.namespaces.insert(NameKey::of_unquoted(name)) {
            return;
        }
        for (index, _) in name.match_indices('.') {
            self.namespaces.insert(NameKey::of_unquoted(&name[..index]));
        }
    }

    fn connect_extensions(&mut self, first_file: usize) {
        for index in first_file..self.files.len() {
            let file = &self.files[index];
            let declarations = Arc::clone(&file.declarations);
            let (app, first_object) = (file.app, file.first_object);
            for (index, object) in declarations.objects.iter().enumerate() {
                let (Some(base), Some(kind)) = (object.base, object.kind.extended()) else {
                    continue;
                };
                let viewpoint = Viewpoint {
                    app,
                    declarations: &declarations,
                };
                let Some(target) = self.resolve(kind, base, &declarations.names, viewpoint) else {
                    continue;
                };
                let extension = ObjectId(first_object + index as u32);
                self.entries[extension.0 as usize].base = Some(target);
                self.extensions.entry(target).or_default().push(extension);
            }
        }
    }

    /// Why an object that is not found is not found.
    pub fn missing(&self, app: AppId) -> Cause {
        if self.apps.get(app.0 as usize).is_none_or(|app| app.is_incomplete) {
            Cause::MissingDependency
        } else {
            Cause::PlatformObject
        }
    }

    /// Whether an app is built with `NoImplicitWith`.
    pub fn names_its_records(&self, app: AppId) -> bool {
        let app = self.apps.get(app.0 as usize);
        app.is_some_and(|app| app.description.names_its_records)
    }

    /// Whether an app sees another: itself, its dependencies and theirs.
    pub fn sees(&self, app: AppId, other: AppId) -> bool {
        let visible = self.apps.get(app.0 as usize).map(|app| &app.visible);
        visible
            .and_then(|it| it.get(other.0 as usize / 64))
            .is_some_and(|bits| bits & (1 << (other.0 % 64)) != 0)
    }

    /// The object that a reference means.
    pub fn resolve(
        &self,
        kind: ObjectKind,
        reference: ObjectReference,
        names: &Names,
        from: Viewpoint<'_>,
    ) -> Option<ObjectId> {
        match reference {
            ObjectReference::Number(number) => {
                let candidates = self.by_number.get(&(kind, number))?;
                self.nearest(candidates, from.app)
            }
            ObjectReference::Name { namespace, name } => {
                self.object_named(kind, namespace.map(|it| names.key(it)), names.key(name), from)
            }
        }
    }

    /// The object with this name, in this namespace if one is given, else in the namespaces that the file sees.
    pub fn object_named(
        &self,
        kind: ObjectKind,
        namespace: Option<NameKey>,
        name: NameKey,
        from: Viewpoint<'_>,
    ) -> Option<ObjectId> {
        let candidates = self.by_name.get(&(kind as u8, name))?;
        if let &[only] = &candidates[..] {
            let entry = &self.entries[only.0 as usize];
            let fits = self.sees(from.app, self.app_of(only));
            // A namespace may be written from the namespace around, so that only its end is there.
            return (fits && namespace.is_none_or(|it| it == entry.namespace || !self.namespaces.contains(&it)))
                .then_some(only);
        }
        let visible: Vec<ObjectId> = candidates
            .iter()
            .copied()
            .filter(|&it| self.sees(from.app, self.app_of(it)))
            .collect();
        let in_namespace = |wanted: NameKey| {
            let found: Vec<ObjectId> = visible
                .iter()
                .copied()
                .filter(|it| self.entries[it.0 as usize].namespace == wanted)
                .collect();
            self.nearest(&found, from.app)
        };
        if let Some(namespace) = namespace {
            return in_namespace(namespace);
        }
        let file = from.declarations;
        let own = file.namespace.map_or(NameKey::default(), |it| file.names.key(it));
        in_namespace(own)
            .or_else(|| {
                file.usings
                    .iter()
                    .find_map(|&using| in_namespace(file.names.key(using)))
            })
            .or_else(|| in_namespace(NameKey::default()))
            .or_else(|| self.nearest(&visible, from.app))
    }

    /// The object of the app itself, else the first of those it sees.
    fn nearest(&self, candidates: &[ObjectId], app: AppId) -> Option<ObjectId> {
        let own = candidates.iter().find(|&&it| self.app_of(it) == app);
        own.or_else(|| candidates.iter().find(|&&it| self.sees(app, self.app_of(it))))
            .copied()
    }

    /// Whether a name is a namespace or the beginning of one.
    pub fn is_namespace(&self, name: NameKey) -> bool {
        self.namespaces.contains(&name)
    }

    fn entry(&self, object: ObjectId) -> &Entry {
        &self.entries[object.0 as usize]
    }

    /// The file that declares an object.
    pub fn file_of(&self, object: ObjectId) -> FileId {
        self.entry(object).file
    }

    /// The app of an object.
    pub fn app_of(&self, object: ObjectId) -> AppId {
        self.files[self.entry(object).file.0 as usize].app
    }

    /// The name of an app.
    pub fn app_name(&self, app: AppId) -> &str {
        &self.apps[app.0 as usize].description.name
    }

    /// How many apps there are.
    pub fn app_count(&self) -> usize {
        self.apps.len()
    }

    /// How many files there are; the next app's files are counted from here.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// How many objects there are.
    pub fn object_count(&self) -> usize {
        self.entries.len()
    }

    /// What a file declares.
    pub fn declarations(&self, file: FileId) -> &FileDeclarations {
        &self.files[file.0 as usize].declarations
    }

    /// The app of a file.
    pub fn app_of_file(&self, file: FileId) -> AppId {
        self.files[file.0 as usize].app
    }

    /// The object with this index in its file.
    pub fn object_in(&self, file: FileId, index: u32) -> ObjectId {
        ObjectId(self.files[file.0 as usize].first_object + index)
    }

    /// The place from which the code of a file looks.
    pub fn viewpoint(&self, file: FileId) -> Viewpoint<'_> {
        Viewpoint {
            app: self.app_of_file(file),
            declarations: self.declarations(file),
        }
    }

    /// An object.
    pub fn object(&self, object: ObjectId) -> &ObjectDeclaration {
        let entry = self.entry(object);
        &self.declarations(entry.file).objects[entry.index as usize]
    }

    /// The name of an object.
    pub fn object_name(&self, object: ObjectId) -> &str {
        let declarations = self.declarations(self.file_of(object));
        declarations.names.text(self.object(object).name)
    }

    /// The namespace of an object; empty without one.
    pub fn namespace_of(&self, object: ObjectId) -> &str {
        let declarations = self.declarations(self.file_of(object));
        declarations.namespace.map_or("", |name| declarations.names.text(name))
    }

    /// The text of a property of an object.
    pub fn object_property(&self, object: ObjectId, name: &str) -> Option<&str> {
        let declarations = self.declarations(self.file_of(object));
        declarations.property_text(declarations.object_properties(self.object(object)), name)
    }

    /// What an extension extends; the report around a request page.
    pub fn base_of(&self, object: ObjectId) -> Option<ObjectId> {
        self.entry(object).base
    }

    /// The extensions of an object that an app sees.
    pub fn extensions(&self, app: AppId, object: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
        let all: &[ObjectId] = self.extensions.get(&object).map_or(&[], Vec::as_slice);
        all.iter().copied().filter(move |&it| self.sees(app, self.app_of(it)))
    }

    /// The members of this name that an object itself declares.
    pub fn own_members(&self, object: ObjectId, name: NameKey) -> impl Iterator<Item = MemberId> + '_ {
        let members = self.entry(object).members.of(&self.lookup);
        let first = members.partition_point(|&(key, _)| key < name);
        members[first..]
            .iter()
            .take_while(move |&&(key, _)| key == name)
            .map(move |&(_, index)| MemberId { object, index })
    }

    /// The members of this name of an object and of its extensions that an app sees.
    pub fn members(&self, app: AppId, object: ObjectId, name: NameKey) -> impl Iterator<Item = MemberId> + '_ {
        self.own_members(object, name).chain(
            self.extensions(app, object)
                .flat_map(move |extension| self.own_members(extension, name)),
        )
    }

    /// A field of a table or one of its extensions that an app sees.
    pub fn field(&self, app: AppId, table: ObjectId, name: NameKey) -> Option<MemberId> {
        self.members(app, table, name)
            .find(|&it| self.member(it).kind == MemberKind::Field)
    }

    /// The fields of the primary key of a table: those of its first key, else the field with the lowest number.
    pub fn primary_key(&self, table: ObjectId) -> Vec<MemberId> {
        let declarations = self.declarations(self.file_of(table));
        let object = self.object(table);
        let app = self.app_of(table);
        let members = || object.members.indices().map(|index| MemberId { object: table, index });
        if let Some(key) = members().find(|&it| self.member(it).kind == MemberKind::Key) {
            let fields = declarations.fields_of(self.member(key)).iter();
            return fields
                .filter_map(|&name| self.field(app, table, declarations.names.key(name)))
                .collect();
        }
        let fields = members().filter(|&it| self.member(it).kind == MemberKind::Field);
        fields.min_by_key(|&it| self.member(it).number).into_iter().collect()
    }

    /// A member.
    pub fn member(&self, member: MemberId) -> &Member {
        &self.declarations(self.file_of(member.object)).members[member.index as usize]
    }

    /// The name of a member.
    pub fn member_name(&self, member: MemberId) -> &str {
        let declarations = self.declarations(self.file_of(member.object));
        declarations
            .names
            .text(declarations.members[member.index as usize].name)
    }

    /// The type of a member; of a procedure that of its result.
    pub fn type_of(&self, member: MemberId) -> Type {
        let file = self.file_of(member.object);
        self.type_in(file, self.member(member).of_type)
    }

    /// A type of a file.
    pub fn type_in(&self, file: FileId, of_type: TypeId) -> Type {
        if of_type == TypeId::NONE {
            return Type::None;
        }
        let types = &self.files[file.0 as usize].types;
        types
            .get(of_type.0 as usize)
            .copied()
            .unwrap_or(Type::Unknown(Cause::Damage))
    }

    /// A type that is made of others.
    pub fn compound_type(&self, compound: CompoundId) -> Option<Compound> {
        self.compounds.get(compound.0 as usize).copied()
    }

    /// The number of a type that is made of others, if some declaration has it.
    pub(crate) fn known_compound(&self, compound: Compound) -> Option<CompoundId> {
        self.compound_ids.get(&compound).copied()
    }

    pub(crate) fn compound_count(&self) -> u32 {
        self.compounds.len() as u32
    }

    /// The record that an object works on: `SourceTable`, `TableNo`, the table that is extended, the table itself.
    pub fn source_table(&self, object: ObjectId) -> Option<Type> {
        let declaration = self.object(object);
        let target = match declaration.kind {
            ObjectKind::Table => object,
            ObjectKind::TableExtension => match self.base_of(object) {
                Some(table) => table,
                None => {
                    return Some(Type::UnknownRecord {
                        cause: self.missing(self.app_of(object)),
                        is_temporary: false,
                    });
                }
            },
            ObjectKind::PageExtension | ObjectKind::PageCustomization => {
                return match self.base_of(object) {
                    Some(page) => self.source_table(page),
                    None => Some(Type::UnknownRecord {
                        cause: self.missing(self.app_of(object)),
                        is_temporary: false,
                    }),
                };
            }
            ObjectKind::Page | ObjectKind::Codeunit | ObjectKind::RequestPage => {
                let file = self.file_of(object);
                let names = &self.declarations(file).names;
                let reference = declaration.source?;
                let is_temporary = declaration.kind == ObjectKind::Page
                    && self
                        .object_property(object, "SourceTableTemporary")
                        .is_some_and(|it| it.eq_ignore_ascii_case("true"));
                return Some(self.object_type(
                    ObjectWord::Record,
                    reference,
                    is_temporary,
                    names,
                    self.viewpoint(file),
                ));
            }
            _ => return None,
        };
        Some(Type::Record {
            table: target,
            is_temporary: false,
        })
    }
}
