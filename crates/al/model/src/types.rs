//! What an expression is.

use crate::builtin::{BuiltInOption, BuiltInType};
use crate::declaration::{ObjectKind, ObjectWord};
use crate::name::NameId;
use crate::universe::{FileId, ObjectId};

/// Why something is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Cause {
    /// A member of a .NET type: its assembly is not read.
    DotNet,
    /// An object that neither the project nor its dependencies declare although all of them are there: one of the
    /// platform that Microsoft does not document.
    PlatformObject,
    /// An object that is not declared, while some dependency of the project is missing.
    MissingDependency,
    /// A member that the documentation of a built-in type does not have.
    UndocumentedMember,
    /// A member of a value that may have any type.
    AnyValue,
    /// A name that nothing visible has.
    UnknownName,
    /// The text around is broken.
    Damage,
}

impl Cause {
    /// Every cause, the expected ones first.
    pub const ALL: &'static [Self] = &[
        Self::DotNet,
        Self::PlatformObject,
        Self::MissingDependency,
        Self::UndocumentedMember,
        Self::AnyValue,
        Self::UnknownName,
        Self::Damage,
    ];

    /// A short name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::DotNet => "member of a .NET type",
            Self::PlatformObject => "undocumented object of the platform",
            Self::MissingDependency => "missing dependency",
            Self::UndocumentedMember => "undocumented member of a built-in type",
            Self::AnyValue => "member of a value of any type",
            Self::UnknownName => "unknown name",
            Self::Damage => "broken text",
        }
    }
}

/// The number of a type that is made of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CompoundId(pub u32);

/// A type that is made of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compound {
    /// An array with elements of a type.
    Array(Type),
    /// A `List`.
    List(Type),
    /// A `Dictionary`.
    Dictionary(Type, Type),
    /// An option; its members are a stretch of the lists of the file.
    Option(FileId, crate::declaration::Span),
    /// An option declared by a local variable; its members are a stretch of the lists of the binding.
    LocalOption(crate::declaration::Span),
    /// A .NET type by its alias in the names of the file.
    DotNet(FileId, NameId),
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Not known.
    Unknown(Cause),
    /// No value: a call of a procedure without result, an action.
    None,
    /// A value whose type is only known when the program runs.
    Any,
    /// A built-in type.
    Simple(BuiltInType),
    /// `Text` with its length; 0 for no limit.
    Text(u32),
    /// `Code` with its length; 0 for no limit.
    Code(u32),
    /// A label with the length its text may have; 0 for no limit.
    Label(u32),
    /// A value of a closed list of AL itself.
    Option(BuiltInOption),
    /// A record.
    Record {
        /// Its table.
        table: ObjectId,
        /// Whether the variable says `temporary`.
        is_temporary: bool,
    },
    /// A record of a documented table of the platform.
    SystemRecord {
        /// The index of its table among those that are documented.
        table: u8,
        /// Whether the variable says `temporary`.
        is_temporary: bool,
    },
    /// A record whose table is not known.
    UnknownRecord {
        /// Why not.
        cause: Cause,
        /// Whether the variable says `temporary`.
        is_temporary: bool,
    },
    /// An instance of an object, a value of an enum, an interface.
    Object(ObjectWord, ObjectId),
    /// An instance of an object that is not known.
    UnknownObject(ObjectWord, Cause),
    /// A part of a page, by the page it shows.
    Part(ObjectId),
    /// The filters of a test page, by the table of the page.
    TestFilter(Option<ObjectId>),
    /// A type that is made of others.
    Compound(CompoundId),
    /// No value but a name in front of `.` or `::`.
    Name(NameType),
}

/// A name that is no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameType {
    /// A built-in type: `Session` of `Session.LogMessage`.
    Type(BuiltInType),
    /// A kind of object: `Codeunit` of `Codeunit::"Sales-Post"`.
    Kind(ObjectKind),
    /// A closed list of AL itself: `IsolationLevel`.
    Option(BuiltInOption),
    /// An enum.
    Enum(ObjectId),
    /// A namespace, behind a kind of object or not.
    Namespace(Option<ObjectKind>),
}

impl Type {
    /// Whether nothing is known about it.
    pub fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown(_))
    }

    /// Whether it is a record, its table known or not.
    pub fn is_record(self) -> bool {
        matches!(
            self,
            Self::Record { .. } | Self::SystemRecord { .. } | Self::UnknownRecord { .. }
        )
    }

    /// Whether it is a record whose variable says `temporary`.
    pub fn is_temporary_record(self) -> bool {
        matches!(
            self,
            Self::Record { is_temporary: true, .. }
                | Self::SystemRecord { is_temporary: true, .. }
                | Self::UnknownRecord { is_temporary: true, .. }
        )
    }

    /// Whether it is text of some kind: `Text`, `Code`, a label or text constant.
    pub fn is_text(self) -> bool {
        let known = crate::builtin::well_known();
        match self {
            Self::Text(_) | Self::Code(_) | Self::Label(_) => true,
            Self::Simple(of) => of == known.text_constant || of == known.text || of == known.code,
            _ => false,
        }
    }
}
