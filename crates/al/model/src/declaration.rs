//! What a file declares: the objects and their members, without bodies and places.
//!
//! Declarations of a file are a value of their own: made from its tree alone, equal as long as nothing declared changes,
//! and independent of every other file. An edit of a body leaves them equal, so nobody else has to look again.

use candor_al_syntax::NodeKind;

use crate::name::{NameId, NameKey, Names};

/// The kinds of object, and request pages, which are objects inside reports and `XMLports`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is the object of its name")]
pub enum ObjectKind {
    Table,
    TableExtension,
    Page,
    PageExtension,
    PageCustomization,
    Report,
    ReportExtension,
    Codeunit,
    Query,
    XmlPort,
    Enum,
    EnumExtension,
    Interface,
    PermissionSet,
    PermissionSetExtension,
    Entitlement,
    Profile,
    ProfileExtension,
    ControlAddIn,
    DotNetPackage,
    RequestPage,
}

impl ObjectKind {
    /// The kind of the object that a node is.
    pub fn of_node(kind: NodeKind) -> Option<Self> {
        Some(match kind {
            NodeKind::Table => Self::Table,
            NodeKind::TableExtension => Self::TableExtension,
            NodeKind::Page => Self::Page,
            NodeKind::PageExtension => Self::PageExtension,
            NodeKind::PageCustomization => Self::PageCustomization,
            NodeKind::Report => Self::Report,
            NodeKind::ReportExtension => Self::ReportExtension,
            NodeKind::Codeunit => Self::Codeunit,
            NodeKind::Query => Self::Query,
            NodeKind::XmlPort => Self::XmlPort,
            NodeKind::Enum => Self::Enum,
            NodeKind::EnumExtension => Self::EnumExtension,
            NodeKind::Interface => Self::Interface,
            NodeKind::PermissionSet => Self::PermissionSet,
            NodeKind::PermissionSetExtension => Self::PermissionSetExtension,
            NodeKind::Entitlement => Self::Entitlement,
            NodeKind::Profile => Self::Profile,
            NodeKind::ProfileExtension => Self::ProfileExtension,
            NodeKind::ControlAddIn => Self::ControlAddIn,
            NodeKind::DotNetPackage => Self::DotNetPackage,
            NodeKind::RequestPage => Self::RequestPage,
            _ => return None,
        })
    }

    /// What an extension of this kind extends.
    pub fn extended(self) -> Option<Self> {
        Some(match self {
            Self::TableExtension => Self::Table,
            Self::PageExtension | Self::PageCustomization => Self::Page,
            Self::ReportExtension => Self::Report,
            Self::EnumExtension => Self::Enum,
            Self::PermissionSetExtension => Self::PermissionSet,
            Self::ProfileExtension => Self::Profile,
            _ => return None,
        })
    }

    /// How AL code writes the kind in front of `::`: `Database` for tables.
    pub fn code_word(self) -> Option<&'static str> {
        Some(match self {
            Self::Table => "Database",
            Self::Page => "Page",
            Self::Report => "Report",
            Self::Codeunit => "Codeunit",
            Self::Query => "Query",
            Self::XmlPort => "Xmlport",
            Self::Enum => "Enum",
            Self::PermissionSet => "PermissionSet",
            _ => return None,
        })
    }
}

/// A stretch of one of the arrays of [`FileDeclarations`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first index.
    pub start: u32,
    /// The index behind the last.
    pub end: u32,
}

impl Span {
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The indices.
    pub fn indices(self) -> std::ops::Range<u32> {
        self.start..self.end
    }
}

/// A reference to an object as written: by name, with a namespace in front or not, or by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectReference {
    /// By name.
    Name {
        /// The namespace, its parts joined by dots.
        namespace: Option<NameId>,
        /// The name.
        name: NameId,
    },
    /// By number.
    Number(u32),
}

/// The number of a type in its file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeId(pub u32);

impl TypeId {
    /// No type: a procedure without result, an action.
    pub const NONE: Self = Self(u32::MAX);
}

/// The word that makes a type out of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum ObjectWord {
    Record,
    Codeunit,
    Page,
    Report,
    Query,
    XmlPort,
    Enum,
    Interface,
    ControlAddIn,
    TestPage,
    TestPart,
    TestRequestPage,
    RequestPage,
}

impl ObjectWord {
    /// The kind of object that stands behind the word.
    pub fn object_kind(self) -> ObjectKind {
        match self {
            Self::Record => ObjectKind::Table,
            Self::Codeunit => ObjectKind::Codeunit,
            Self::Page | Self::TestPage | Self::TestPart => ObjectKind::Page,
            Self::Report | Self::TestRequestPage | Self::RequestPage => ObjectKind::Report,
            Self::Query => ObjectKind::Query,
            Self::XmlPort => ObjectKind::XmlPort,
            Self::Enum => ObjectKind::Enum,
            Self::Interface => ObjectKind::Interface,
            Self::ControlAddIn => ObjectKind::ControlAddIn,
        }
    }
}

/// A type as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeReference {
    /// A type of AL by its name, with the length in brackets behind it (0 without).
    Simple {
        /// Its name.
        name: NameId,
        /// Characters.
        length: u32,
    },
    /// An object: `Record Customer temporary`.
    Object {
        /// The word in front.
        word: ObjectWord,
        /// The object.
        object: ObjectReference,
        /// Whether the word `temporary` stands behind it.
        is_temporary: bool,
    },
    /// `array [..] of`
    Array(TypeId),
    /// `List of`
    List(TypeId),
    /// `Dictionary of`
    Dictionary(TypeId, TypeId),
    /// `Option` with its members, a stretch of [`FileDeclarations::lists`]; an empty member has an empty name.
    Option(Span),
    /// `Label` with the length its text may have: its own if it is locked, `MaxLength` otherwise, 0 for no limit.
    Label {
        /// Characters.
        length: u32,
        /// Whether it is not translated.
        is_locked: bool,
    },
    /// `TextConst`
    TextConstant,
    /// `DotNet` with the alias.
    DotNet(NameId),
    /// The type of a field of a table: a query column, a report column.
    FieldOf {
        /// The table.
        table: ObjectReference,
        /// The field.
        field: NameId,
    },
    /// The text is broken here.
    Broken,
}

/// What a member is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum MemberKind {
    /// A field of a table.
    Field,
    /// A key of a table.
    Key,
    /// A field group of a table.
    FieldGroup,
    /// A global variable.
    Variable,
    /// A procedure.
    Procedure,
    /// An event of a control add-in.
    Event,
    /// A field, label, group or other control of a page that shows no object of its own.
    Control,
    /// A part of a page; its type is the page it shows.
    Part,
    /// A control add-in on a page.
    UserControl,
    /// An action of a page.
    Action,
    /// A view of a page.
    View,
    /// A data item of a report; a record.
    DataItem,
    /// A data item of a query.
    QueryDataItem,
    /// A column or filter of a report or query.
    Column,
    /// A label of a report.
    Label,
    /// A layout of a report.
    Layout,
    /// A node of an `XMLport` that is a variable: a text, or the record of a table element.
    XmlNode,
    /// A node of an `XMLport` that shows a field.
    XmlField,
    /// A value of an enum.
    EnumValue,
    /// An alias of a .NET type.
    DotNetType,
}

/// Who may use a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the modifier of its name")]
pub enum MemberAccess {
    Public,
    Internal,
    Protected,
    Local,
}

/// Facts about members that are either so or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MemberFlags(pub u16);

impl MemberFlags {
    /// Declared obsolete by attribute or property.
    pub const OBSOLETE: Self = Self(1);
    /// An event that others subscribe to.
    pub const PUBLISHER: Self = Self(1 << 1);
    /// A procedure that subscribes to an event.
    pub const SUBSCRIBER: Self = Self(1 << 2);
    /// A `TryFunction`.
    pub const TRY: Self = Self(1 << 3);
    /// A test.
    pub const TEST: Self = Self(1 << 4);
    /// A procedure that answers for the user in tests.
    pub const HANDLER: Self = Self(1 << 5);
    /// A field that is computed (`FlowField`).
    pub const FLOW_FIELD: Self = Self(1 << 6);
    /// A field that only takes filters.
    pub const FLOW_FILTER: Self = Self(1 << 7);
    /// A procedure with a result that has a name.
    pub const NAMED_RESULT: Self = Self(1 << 8);
    /// A procedure without statements: the body of an event, of an interface.
    pub const EMPTY: Self = Self(1 << 9);

    /// Whether all of `other` holds.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn set(&mut self, other: Self, holds: bool) {
        if holds {
            self.0 |= other.0;
        }
    }
}

/// A member of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// What it is.
    pub kind: MemberKind,
    /// Who may use it.
    pub access: MemberAccess,
    /// What else is so.
    pub flags: MemberFlags,
    /// Its name.
    pub name: NameId,
    /// The number of a field, the ordinal of an enum value; 0 for others.
    pub number: i32,
    /// Its type; of a procedure, that of its result.
    pub of_type: TypeId,
    /// The parameters of a procedure, the properties of a field or enum value, the fields of a key or field group.
    pub details: Span,
}

/// A parameter of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: NameId,
    /// Its type.
    pub of_type: TypeId,
    /// Whether the argument is changed.
    pub is_var: bool,
}

/// A property of an object, field or enum value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyValue {
    /// Its name.
    pub name: NameKey,
    /// Its value as written if that is short and says something to code; empty for texts.
    pub value: NameId,
}

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectDeclaration {
    /// What it is.
    pub kind: ObjectKind,
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// Its name; of a request page that of the report around it.
    pub name: NameId,
    /// What it extends or customizes.
    pub base: Option<ObjectReference>,
    /// The interfaces it implements or extends, a stretch of [`FileDeclarations::references`].
    pub interfaces: Span,
    /// `SourceTable` of a page, `TableNo` of a codeunit.
    pub source: Option<ObjectReference>,
    /// Its members.
    pub members: Span,
    /// Its properties.
    pub properties: Span,
    /// The object around a request page, by its index in the file.
    pub parent: Option<u32>,
}

/// Everything that a file declares.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct FileDeclarations {
    /// All names.
    pub names: Names,
    /// The namespace, its parts joined by dots.
    pub namespace: Option<NameId>,
    /// The namespaces that are used.
    pub usings: Vec<NameId>,
    /// The objects.
    pub objects: Vec<ObjectDeclaration>,
    /// The members of all objects, those of one object together.
    pub members: Vec<Member>,
    /// The parameters of all procedures.
    pub parameters: Vec<Parameter>,
    /// The types, each once.
    pub types: Vec<TypeReference>,
    /// Members of options, fields of keys.
    pub lists: Vec<NameId>,
    /// Interfaces.
    pub references: Vec<ObjectReference>,
    /// Properties.
    pub properties: Vec<PropertyValue>,
}

impl FileDeclarations {
    /// The parameters of a procedure.
    pub fn parameters(&self, member: &Member) -> &[Parameter] {
        if matches!(member.kind, MemberKind::Procedure | MemberKind::Event) {
            member.details.of(&self.parameters)
        } else {
            &[]
        }
    }

    /// The properties of an object.
    pub fn object_properties(&self, object: &ObjectDeclaration) -> &[PropertyValue] {
        object.properties.of(&self.properties)
    }

    /// The properties of a field or enum value.
    pub fn member_properties(&self, member: &Member) -> &[PropertyValue] {
        if matches!(member.kind, MemberKind::Field | MemberKind::EnumValue) {
            member.details.of(&self.properties)
        } else {
            &[]
        }
    }

    /// The fields of a key or field group.
    pub fn fields_of(&self, member: &Member) -> &[NameId] {
        if matches!(member.kind, MemberKind::Key | MemberKind::FieldGroup) {
            member.details.of(&self.lists)
        } else {
            &[]
        }
    }

    /// The value of a property among these, as written.
    pub fn property_text<'d>(&'d self, among: &[PropertyValue], name: &str) -> Option<&'d str> {
        let key = NameKey::of(name);
        let found = among.iter().find(|it| it.name == key)?;
        Some(self.names.text(found.value))
    }
}
