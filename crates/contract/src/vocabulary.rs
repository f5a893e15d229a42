//! Closed vocabularies: which reasons belong to which code.
//!
//! A product writes one table with [`vocabulary!`](crate::vocabulary!). From
//! it come the enums that code uses, the names that JSON carries, the rows
//! that documentation prints and the lists that tests walk.

use std::fmt::{self, Write as _};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::ErrorCode;

/// A closed set of reasons that belong to one code.
///
/// Implemented by the enums that [`vocabulary!`](crate::vocabulary!) makes and
/// by [`NoReason`].
pub trait Reason: fmt::Debug + Copy + Eq + Send + Sync + 'static {
    /// Every reason of the set, in the order of the table.
    const ALL: &'static [Self];

    /// The reason as it is written in an envelope.
    fn as_str(self) -> &'static str;

    /// What the reason says, in one line.
    fn meaning(self) -> &'static str;

    /// What an agent does about it, in one line.
    fn reaction(self) -> &'static str;
}

/// The empty set: a code that a product uses without reasons, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoReason {}

impl Reason for NoReason {
    const ALL: &'static [Self] = &[];

    fn as_str(self) -> &'static str {
        match self {}
    }

    fn meaning(self) -> &'static str {
        match self {}
    }

    fn reaction(self) -> &'static str {
        match self {}
    }
}

/// What a failure is about, in a product's own terms: the fields that stand
/// between `candidates` and `detail` in an envelope.
pub trait Place: fmt::Debug + Clone + Default + Send + Sync + 'static {
    /// The names of all fields, in the order in which they are written.
    const FIELDS: &'static [&'static str];

    /// The fields that are known, in the order of [`Place::FIELDS`].
    fn fields(&self) -> Vec<(&'static str, &str)>;
}

/// A product's whole vocabulary. Write it with
/// [`vocabulary!`](crate::vocabulary!).
pub trait Vocabulary: 'static {
    /// Reasons of [`ErrorCode::Invalid`]; an error may come without one.
    type Invalid: Reason;
    /// Reasons of [`ErrorCode::NotFound`]; an error always has one.
    type NotFound: Reason;
    /// Reasons of [`ErrorCode::Ambiguous`]; an error may come without one.
    type Ambiguous: Reason;
    /// Reasons of [`ErrorCode::Stale`]; an error may come without one.
    type Stale: Reason;
    /// Reasons of [`ErrorCode::Unavailable`]; an error always has one.
    type Unavailable: Reason;
    /// Reasons of [`ErrorCode::Faulted`]; an error may come without one.
    type Faulted: Reason;
    /// What a failure is about.
    type Place: Place;
    /// One thing to choose from when a call was ambiguous.
    type Candidate: Serialize + fmt::Debug + Clone + Send + Sync + 'static;
}

/// One row of the documentation of a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VocabularyRow {
    /// The code.
    pub error: ErrorCode,
    /// The reason; `None` in the row that stands for the code itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// What it says.
    pub meaning: &'static str,
    /// What an agent does about it.
    pub reaction: &'static str,
}

/// All rows of a vocabulary: for each code, its own row and then its reasons.
pub fn vocabulary_rows<V: Vocabulary>() -> Vec<VocabularyRow> {
    let mut rows = Vec::new();
    push_rows::<V::Invalid>(ErrorCode::Invalid, &mut rows);
    push_rows::<V::NotFound>(ErrorCode::NotFound, &mut rows);
    push_rows::<V::Ambiguous>(ErrorCode::Ambiguous, &mut rows);
    push_rows::<V::Stale>(ErrorCode::Stale, &mut rows);
    push_rows::<V::Unavailable>(ErrorCode::Unavailable, &mut rows);
    push_rows::<V::Faulted>(ErrorCode::Faulted, &mut rows);
    rows
}

fn push_rows<R: Reason>(error: ErrorCode, rows: &mut Vec<VocabularyRow>) {
    rows.push(VocabularyRow {
        error,
        reason: None,
        meaning: error.meaning(),
        reaction: error.reaction(),
    });
    rows.extend(R::ALL.iter().map(|reason| VocabularyRow {
        error,
        reason: Some(reason.as_str()),
        meaning: reason.meaning(),
        reaction: reason.reaction(),
    }));
}

/// A vocabulary as a Markdown table, for documentation.
pub fn vocabulary_markdown<V: Vocabulary>() -> String {
    let mut text = String::from("| `error` | `reason` | meaning | what an agent does |\n| --- | --- | --- | --- |\n");
    for row in vocabulary_rows::<V>() {
        let reason = row.reason.map_or_else(String::new, |reason| format!("`{reason}`"));
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "| `{}` | {reason} | {} | {} |",
            row.error, row.meaning, row.reaction
        );
    }
    text
}

/// A vocabulary as JSON: for each code its meaning, its reaction and its
/// reasons; then the names of the place fields.
pub fn vocabulary_json<V: Vocabulary>() -> Value {
    let mut codes = Map::new();
    for row in vocabulary_rows::<V>() {
        let code = codes
            .entry(row.error.as_str())
            .or_insert_with(|| json!({"meaning": row.meaning, "reaction": row.reaction, "reasons": {}}));
        if let Some(reason) = row.reason {
            code["reasons"][reason] = json!({"meaning": row.meaning, "reaction": row.reaction});
        }
    }
    json!({"errors": codes, "place": V::Place::FIELDS})
}

/// Defines a product's vocabulary from one table.
///
/// The six codes stand in their fixed order. A code without reasons gets
/// `NoReason {}`; any other gets the name of the enum to make, and for each
/// reason its meaning and what an agent does about it.
///
/// ```
/// candor_contract::vocabulary! {
///     /// The errors of a shop.
///     pub struct ShopVocabulary {
///         candidate: String,
///         place: ShopPlace { shelf: "shelf", item_id: "itemId" },
///         Invalid => NoReason {},
///         NotFound => ShopNotFound {
///             NoSuchItem("no item has this name", "pick one from `candidates`"),
///             NoSuchShelf("no shelf has this number", "stop"),
///         },
///         Ambiguous => NoReason {},
///         Stale => NoReason {},
///         Unavailable => ShopUnavailable { Closed("the shop is closed", "come back later") },
///         Faulted => NoReason {},
///     }
/// }
///
/// use candor_contract::ToolError;
/// let error = ToolError::<ShopVocabulary>::not_found(ShopNotFound::NoSuchItem, "There is no `peer`.")
///     .place(ShopPlace { shelf: Some("7".into()), ..Default::default() })
///     .candidates(vec!["pear".into()]);
/// assert_eq!(
///     error.to_json(),
///     r#"{"error":"NotFound","message":"There is no `peer`.","reason":"NoSuchItem","candidates":["pear"],"shelf":"7"}"#
/// );
/// ```
///
/// A reason cannot be given to a code it does not belong to:
///
/// ```compile_fail
/// # candor_contract::vocabulary! {
/// #     /// The errors of a shop.
/// #     pub struct ShopVocabulary {
/// #         candidate: String,
/// #         place: ShopPlace { shelf: "shelf" },
/// #         Invalid => NoReason {},
/// #         NotFound => ShopNotFound { NoSuchItem("no item has this name", "stop") },
/// #         Ambiguous => NoReason {},
/// #         Stale => NoReason {},
/// #         Unavailable => ShopUnavailable { Closed("the shop is closed", "come back later") },
/// #         Faulted => NoReason {},
/// #     }
/// # }
/// # use candor_contract::ToolError;
/// ToolError::<ShopVocabulary>::unavailable(ShopNotFound::NoSuchItem, "There is no `peer`.");
/// ```
#[macro_export]
macro_rules! vocabulary {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            candidate: $candidate:ty,
            place: $place:ident { $($field:ident : $key:literal),* $(,)? },
            Invalid => $invalid:ident { $($invalid_rows:tt)* },
            NotFound => $not_found:ident { $($not_found_rows:tt)* },
            Ambiguous => $ambiguous:ident { $($ambiguous_rows:tt)* },
            Stale => $stale:ident { $($stale_rows:tt)* },
            Unavailable => $unavailable:ident { $($unavailable_rows:tt)* },
            Faulted => $faulted:ident { $($faulted_rows:tt)* } $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility struct $name;

        /// What a failure is about.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        $visibility struct $place {
            $(
                #[doc = concat!("Written as `", $key, "`.")]
                pub $field: ::core::option::Option<::std::string::String>,
            )*
        }

        impl $crate::Place for $place {
            const FIELDS: &'static [&'static str] = &[$($key),*];

            fn fields(&self) -> ::std::vec::Vec<(&'static str, &str)> {
                let known: ::std::vec::Vec<(&'static str, ::core::option::Option<&str>)> =
                    ::std::vec![$(($key, self.$field.as_deref())),*];
                known
                    .into_iter()
                    .filter_map(|(key, value)| ::core::option::Option::Some((key, value?)))
                    .collect()
            }
        }

        $crate::vocabulary!(@reasons [$visibility] "Invalid" $invalid { $($invalid_rows)* });
        $crate::vocabulary!(@reasons [$visibility] "NotFound" $not_found { $($not_found_rows)* });
        $crate::vocabulary!(@reasons [$visibility] "Ambiguous" $ambiguous { $($ambiguous_rows)* });
        $crate::vocabulary!(@reasons [$visibility] "Stale" $stale { $($stale_rows)* });
        $crate::vocabulary!(@reasons [$visibility] "Unavailable" $unavailable { $($unavailable_rows)* });
        $crate::vocabulary!(@reasons [$visibility] "Faulted" $faulted { $($faulted_rows)* });

        impl $crate::Vocabulary for $name {
            type Invalid = $crate::vocabulary!(@type $invalid);
            type NotFound = $crate::vocabulary!(@type $not_found);
            type Ambiguous = $crate::vocabulary!(@type $ambiguous);
            type Stale = $crate::vocabulary!(@type $stale);
            type Unavailable = $crate::vocabulary!(@type $unavailable);
            type Faulted = $crate::vocabulary!(@type $faulted);
            type Place = $place;
            type Candidate = $candidate;
        }
    };

    (@type NoReason) => { $crate::NoReason };
    (@type $name:ident) => { $name };

    (@reasons [$visibility:vis] $code:literal NoReason {}) => {};
    (@reasons [$visibility:vis] $code:literal $name:ident {
        $($variant:ident ($meaning:literal, $reaction:literal)),+ $(,)?
    }) => {
        #[doc = concat!("Why a call failed with `", $code, "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $visibility enum $name {
            $(
                #[doc = concat!($meaning, ": ", $reaction, ".")]
                $variant,
            )+
        }

        impl $crate::Reason for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant),)+
                }
            }

            fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }

            fn reaction(self) -> &'static str {
                match self {
                    $(Self::$variant => $reaction,)+
                }
            }
        }
    };
}
