//! The meaning of AL: what is declared, what AL brings along, and what every name means.
//!
//! This crate is pure. It knows no files, no clock, no threads and no rules.
//!
//! * [`declarations_of`] takes the declarations out of a tree: compact, of one file alone, equal as long as nothing that
//!   is declared changes. An edit of a body leaves them equal.
//! * [`built_ins`] is what AL brings along, as far as Microsoft documents it.
//! * [`Universe`] holds the declarations of many apps, each seeing those it depends on. Apps are added in the order of
//!   their dependencies, so trees are needed for one app at a time.
//! * [`bind`] says what each name in a tree means and what each expression is: a [`Binding`].
//!
//! What is not known is `Unknown`, with its [`Cause`]; whoever asks stays silent about it.

mod binding;
mod builtin;
mod coverage;
mod declaration;
mod dependencies;
mod lower;
mod lower_types;
mod name;
mod types;
mod universe;

pub use binding::{Binding, SYSTEM_FIELDS, Symbol, SystemVariable, Variable, VariableKind, bind};
pub use builtin::{
    BuiltInMethod, BuiltInOption, BuiltInType, BuiltIns, MethodFacts, OptionFacts, ParameterFacts, PropertyFacts,
    SystemTableFacts, TypeFacts, WellKnown, built_ins, well_known,
};
pub use coverage::{Coverage, UnboundName, coverage_of};
pub use declaration::{
    FileDeclarations, Member, MemberAccess, MemberFlags, MemberKind, ObjectDeclaration, ObjectKind, ObjectReference,
    ObjectWord, Parameter, PropertyValue, Span, TypeId, TypeReference,
};
pub use dependencies::{AppGroup, AppIdentity, arrange};
pub use lower::{DeclarationNodes, declarations_of};
pub use name::{KeyMap, KeySet, NameId, NameKey, Names};
pub use types::{Cause, Compound, CompoundId, NameType, Type};
pub use universe::{AppDescription, AppId, FileId, MemberId, ObjectId, Universe, Viewpoint};
