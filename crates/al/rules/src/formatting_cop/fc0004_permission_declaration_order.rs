//! FC0004: permissions that are hard to find because they are in no order.

use std::borrow::Cow;
use std::cmp::Ordering;

use candor_al_syntax::ast::{Object, PermissionEntry, Property, QualifiedName, unquoted};
use candor_al_syntax::edit::{EditSet, rearrange};
use candor_al_syntax::{DirectiveKind, Keyword, Node, NodeId, NodeKind, TokenKind, TokenRef, Tree};

use crate::context::Context;
use crate::facts::{has_natural_order, natural_order};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A `Permissions` property whose entries are not sorted, of any object, permission sets included. One finding for each
object, on the property.

Tables come first, by name, `table` before `tabledata` of the same name; then codeunits, pages, queries, reports and
XMLports, each by name. Names are compared as people read them: case, spaces and quotes do not count, numbers count by
their value, a wildcard comes last. It is the order of the sort command of AZ AL Dev Tools. The entries inside a
`#region` are sorted for themselves.

## Why

Lists of permissions grow long, and two people add to them at once. In a sorted list an entry is found at a glance,
nothing is granted twice, and two changes rarely collide.

## Example

```al
codeunit 50100 Posting
{
    Permissions = tabledata "G/L Register" = rm,
                  tabledata "G/L Entry" = rim;
}
```

## Better

```al
codeunit 50100 Posting
{
    Permissions = tabledata "G/L Entry" = rim,
                  tabledata "G/L Register" = rm;
}
```

## When to ignore it

When the order tells something else; regions with a sorted list each tell it better. A list with any other directive, such
as `#pragma` or `#if`, is not flagged, nor one with letters in its names that are no Latin ones.

## Fix

Sorts the entries. Each place keeps its indentation, its comma and the comments beside it, so look whether a comment was
about the entry that has gone elsewhere; a comment inside an entry goes along. Safe, because the order of permissions has
no effect.
"#;

const SORT: FixProvider = FixProvider::new(
    "PermissionDeclarationOrderCodeFixProvider",
    "ALCops: Sort permission declarations alphabetically",
    Safety::Safe,
);

pub(crate) struct PermissionDeclarationOrder;

impl Rule for PermissionDeclarationOrder {
    const METADATA: Metadata = Metadata {
        id: "FC0004",
        name: "PermissionDeclarationOrder",
        title: "Permissions entries must be sorted",
        cop: Cop::Formatting,
        category: Category::Style,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("FC0004 of ALCops"),
        fixes: &[SORT],
        kinds: &[NodeKind::PermissionList],
        documentation: DOCUMENTATION,
    };

    /// The property.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, _context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(property) = node.parent().and_then(Property::cast) else {
            return;
        };
        let is_of_object = || property.node().parent().and_then(Object::cast).is_some();
        if !property.is("Permissions") || !is_of_object() {
            return;
        }
        let blocks = blocks(property).unwrap_or_default();
        let is_sorted = |block: &Vec<Entry<'_>>| block.is_sorted_by(|left, right| order(left, right).is_le());
        if !blocks.iter().all(is_sorted) {
            report.at(property.range(), property.node().id());
        }
    }

    fn message(_property: &Self::State, _tree: &Tree) -> String {
        "In an unsorted list of permissions entries are hard to find and easily doubled. Sort them: tables by name, then \
         codeunits, pages, queries, reports and XMLports."
            .to_owned()
    }

    fn fix(&property: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let property = Property::cast(tree.node(property))?;
        let mut edits = EditSet::new();
        for block in blocks(property)? {
            let nodes =
                |entries: &[Entry<'_>]| -> Vec<NodeId> { entries.iter().map(|entry| entry.node.id()).collect() };
            let places = nodes(&block);
            let mut sorted = block;
            sorted.sort_by(order);
            let in_tree = |ids: Vec<NodeId>| -> Vec<_> { ids.into_iter().map(|id| tree.node(id)).collect() };
            if !places.is_empty() {
                edits
                    .add_all(&rearrange(&in_tree(places), &in_tree(nodes(&sorted)))?)
                    .ok()?;
            }
        }
        Some(edits)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "unsorted lists, on the whole property, once for each object",
                r#"
                codeunit 50100 A
                {
                    ObsoleteState = Pending;
                    [|Permissions = tabledata "B 10" = r,
                                  tabledata "B 2" = r,
                                  tabledata A = r;|]
                }
                permissionset 50101 C
                {
                    [|permissions = tabledata A = RIMD, table A = X;|]
                }
                permissionsetextension 50102 D extends C
                {
                    [|Permissions = codeunit A = X, table B = X;|]
                }
                permissionset 50103 E
                {
                    [|Permissions = tabledata * = R, tabledata A = R;|]
                }
                permissionset 50104 F
                {
                    [|Permissions = report A = X, query B = X;|]
                }
                codeunit 50105 G
                {
                    [|Permissions = tabledata 21 = r, tabledata 3 = r;|]
                }
                codeunit 50106 H
                {
                    [|Permissions = tabledata B.C."D" = r, tabledata B.A."D" = r;|]
                }
                permissionset 50107 I
                {
                    [|Permissions = tabledata Überweisung = R, tabledata Änderung = R;|]
                }
                "#,
            )
            .silent(
                "letters with accents beside those without",
                r"
                permissionset 50100 A
                {
                    Permissions = tabledata Abc = R, tabledata Änderung = R, tabledata Zahlung = R;
                }
                ",
            )
            .silent(
                "sorted lists, one entry, equal names",
                r#"
                codeunit 50100 A
                {
                    Permissions = tabledata "a" = r, tabledata "A-C" = r, tabledata AB = r, tabledata "A B" = r,
                                  tabledata "B 2" = r,
                                  tabledata B10 = r, tabledata b10 = r, tabledata "B 10" = r;
                }
                permissionset 50101 C
                {
                    Permissions = table A = X, tabledata A = RIMD, system B = X, table C = X, tabledata * = R,
                                  codeunit A = X, page A = X, query A = X, report A = X, xmlport A = X, xmlport B = X;
                }
                codeunit 50102 D
                {
                    Permissions = tabledata Z = r;
                }
                table 50103 E
                {
                    fields
                    {
                        field(1; F; Integer)
                        {
                            AccessByPermission = tabledata B = R, tabledata A = R;
                        }
                    }
                }
                "#,
            )
            .silent(
                "names whose order is not known for certain",
                r#"
                codeunit 50100 A
                {
                    Permissions = tabledata Z = r, tabledata "Þing" = r, tabledata A = r;
                }
                "#,
            )
            .silent(
                "regions are sorted for themselves",
                r"
                permissionset 50100 A
                {
                    Permissions =
                        tabledata F = R,
                #region first
                        tabledata B = R,
                        tabledata C = R,
                #region inner
                        tabledata A = R,
                #endregion
                        tabledata D = R,
                #endregion
                #region second
                        tabledata A = R,
                #endregion
                        tabledata G = R;
                }
                ",
            )
            .flags(
                "an unsorted region",
                r"
                permissionset 50100 A
                {
                    [|Permissions =
                        tabledata F = R,
                #region first
                        tabledata C = R,
                        tabledata B = R,
                #endregion
                        tabledata G = R;|]
                }
                ",
            )
            .silent(
                "other directives, and regions that do not end in the list",
                r"
                codeunit 50100 A
                {
                    Permissions = tabledata C = r,
                #pragma warning disable AL0432
                                  tabledata B = r;
                #pragma warning restore AL0432
                }
                codeunit 50101 B
                {
                    Permissions = tabledata C = r,
                #if C
                                  tabledata A = r,
                #endif
                                  tabledata B = r;
                }
                codeunit 50102 C
                {
                    Permissions = tabledata C = r,
                #region D
                                  tabledata B = r, tabledata A = r;
                #endregion
                }
                ",
            )
            .suppressed(
                "a pragma around the property",
                r"
                codeunit 50100 A
                {
                #pragma warning disable FC0004
                    [|Permissions = tabledata C = r,
                                  tabledata B = r;|]
                #pragma warning restore FC0004
                }
                ",
            )
            .says(
                "which order",
                r"
                codeunit 50100 A
                {
                    Permissions = tabledata C = r, tabledata B = r;
                }
                ",
                "In an unsorted list of permissions entries are hard to find and easily doubled. Sort them: tables by \
                 name, then codeunits, pages, queries, reports and XMLports.",
            )
            .fixes(
                "only the entries move, each place keeps what is around it",
                r#"
                codeunit 50100 A
                {
                    Permissions =
                        tabledata Customer = RIM, // first
                        codeunit B=X,
                      /* third */ tabledata "Cust. Ledger Entry" = r
                        , table Customer = x;
                }
                "#,
                r#"
                codeunit 50100 A
                {
                    Permissions =
                        tabledata "Cust. Ledger Entry" = r, // first
                        table Customer = x,
                      /* third */ tabledata Customer = RIM
                        , codeunit B=X;
                }
                "#,
            )
            .fixes(
                "no entry leaves its region",
                r"
                permissionset 50100 A
                {
                    Permissions = tabledata G = R,
                #region first
                        tabledata C = R,
                        tabledata B = R,
                #endregion
                        tabledata F = R;
                }
                ",
                r"
                permissionset 50100 A
                {
                    Permissions = tabledata F = R,
                #region first
                        tabledata B = R,
                        tabledata C = R,
                #endregion
                        tabledata G = R;
                }
                ",
            )
    }
}

/// An entry and what it is sorted by.
struct Entry<'t> {
    node: Node<'t>,
    object_type: Keyword,
    /// Empty for a wildcard.
    name: Cow<'t, str>,
}

impl<'t> Entry<'t> {
    fn of(entry: PermissionEntry<'t>) -> Self {
        let name = entry.object().map_or("", |object| object.node().text());
        let is_qualified = entry.object().is_some_and(QualifiedName::is_qualified);
        Self {
            node: entry.node(),
            object_type: entry.object_type_token().map_or(Keyword::None, TokenRef::keyword),
            name: if is_qualified { name.into() } else { unquoted(name) },
        }
    }
}

fn order(left: &Entry<'_>, right: &Entry<'_>) -> Ordering {
    let by_group = group(left.object_type).cmp(&group(right.object_type));
    let by_name = || natural_order(&left.name, &right.name);
    let by_type = || is_data(left.object_type).cmp(&is_data(right.object_type));
    by_group.then_with(by_name).then_with(by_type)
}

/// Where the entries of a type stand. Words without a place of their own, such as `system`, stand among the tables.
fn group(object_type: Keyword) -> u8 {
    match object_type {
        Keyword::Codeunit => 1,
        Keyword::Page => 2,
        Keyword::Query => 3,
        Keyword::Report => 4,
        Keyword::XmlPort => 5,
        _ => 0,
    }
}

fn is_data(object_type: Keyword) -> bool {
    object_type == Keyword::TableData
}

/// The entries that are sorted together: those outside of all regions, and those of each region without the regions in
/// it. None where it is open what that is: a directive of another kind decides, a region does not end, or letters have
/// no order that all agree on.
fn blocks(property: Property<'_>) -> Option<Vec<Vec<Entry<'_>>>> {
    let mut entries = property.permissions()?.entries().map(Entry::of).peekable();
    let mut blocks: Vec<Vec<Entry<'_>>> = vec![Vec::new()];
    let mut open: Vec<usize> = vec![0];
    // Directives inside an entry would travel with it.
    let mut end_of_entry = 0;
    for token in property.node().tokens() {
        if let Some(entry) = entries.next_if(|entry| entry.node.range().start == token.range().start) {
            end_of_entry = entry.node.range().end;
            if !has_natural_order(&entry.name) {
                return None;
            }
            blocks[*open.last()?].push(entry);
        }
        match token.kind() {
            TokenKind::DisabledText => return None,
            TokenKind::Directive if token.range().start < end_of_entry => return None,
            TokenKind::Directive => match token.directive()?.kind {
                DirectiveKind::Region => {
                    open.push(blocks.len());
                    blocks.push(Vec::new());
                }
                DirectiveKind::EndRegion => {
                    open.pop()?;
                }
                _ => return None,
            },
            _ => {}
        }
    }
    (open == [0]).then_some(blocks)
}
