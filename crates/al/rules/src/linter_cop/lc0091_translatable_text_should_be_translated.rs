//! LC0091: a text that is not translated into every language of the app.

use std::sync::Arc;

use candor_al_syntax::ast::{LabelValue, Property, PropertyOwner, unquoted};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::{Context, method_of};
use crate::facts::{
    ACTIONS, CONTROLS, is_in_obsolete_object, is_obsolete, label_ids, label_variables, property_ids, report_label_ids,
};
use crate::rule::{Report, Rule};
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};
#[cfg(test)]
use crate::{Translations, testing::Tester, translation_key};

const DOCUMENTATION: &str = r#"
## What it flags

A text that people read and that is not translated into one of the languages of the app: its unit in the XLIFF file is
missing, has no `target`, a blank one, or one with the state `needs-translation`. It looks at captions, tooltips and option
captions of objects, fields, values of enums, controls and actions, at `Label` variables and at the labels of reports, as
far as they are written in the source, not blank and not locked.

## Why

Where a translation is missing, users read the text in the language of the developers, in the middle of their own. Nothing
fails, so nobody notices before they do.

## Example

```al
enum 50100 Priority
{
    Extensible = true;

    value(1; High)
    {
        Caption = 'High';
    }
}
```

## Better

Put the text into every file of translations:

```xml
<trans-unit id="Enum 4130293374 - EnumValue 3116416530 - Property 2879900210">
  <source>High</source>
  <target>Hoch</target>
</trans-unit>
```

Or lock it, when it is the same in all languages:

```al
enum 50100 Priority
{
    Extensible = true;

    value(1; High)
    {
        Caption = 'High', Locked = true;
    }
}
```

## Settings

`LanguagesToTranslate` in `alcops.json` names the languages that are demanded, such as `["de-DE", "fr-FR"]`, also those that
have no file yet. Without it they are the languages of the XLIFF files in the folder `Translations`: the `target-language` of
the first `file` of each. The file that the compiler writes (`App.g.xlf`) and files whose target is the language of the source
demand nothing.

The rule is silent unless `features` in `app.json` names `TranslationFile`, and when it names `TranslationsWithNamespaces`.
It is silent about a language with a file that cannot be read, which is a warning.

Texts of an extension of a table, page, report or enum stand in translation files under its own name or that of another
object. The rule looks at them once a translation file, be it the one that the compiler writes, has a text of it.
It does not look at changes to elements of other objects (`modify`), at analysis views, and at labels in triggers of
nested data items and of nodes of an XMLport.

## When to ignore it

While the translators are still at work. Obsolete elements and objects are not flagged.
"#;

pub(crate) struct TranslatableTextShouldBeTranslated;

/// A text without a translation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Untranslated {
    /// The property, or the label.
    node: NodeId,
    /// The token of the label's name; none for a property.
    name: Option<u32>,
    /// The languages it is not translated into; how many there are is known only to the project.
    languages: Arc<str>,
}

impl Rule for TranslatableTextShouldBeTranslated {
    const METADATA: Metadata = Metadata {
        id: "LC0091",
        name: "TranslatableTextShouldBeTranslated",
        title: "Translatable text lacks a translation",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Translations,
        settings: &["LanguagesToTranslate"],
        origin: Origin::Same("LC0091 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Property, NodeKind::LabelType, NodeKind::ReportLabel],
        documentation: DOCUMENTATION,
    };

    type State = Untranslated;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        // Of most projects nothing is known, so this comes first.
        if context.facts().translations.is_none() {
            return;
        }
        match node.kind() {
            NodeKind::Property => find_property(node, context, report),
            NodeKind::LabelType => find_variables(node, context, report),
            _ => find_report_label(node, context, report),
        }
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let node = tree.node(state.node);
        let text = match (state.name, Property::cast(node)) {
            (Some(name), _) => format!("The label `{}`", unquoted(tree.token(name).text())),
            (None, Some(property)) => {
                let name = property.canonical_name().unwrap_or(property.name());
                match property.owner().and_then(PropertyOwner::name_token) {
                    Some(owner) => format!("`{name}` of `{}`", unquoted(owner.text())),
                    None => format!("`{name}` of the request page"),
                }
            }
            (None, None) => "The text".to_owned(),
        };
        format!(
            "{text} is not translated into {}. Translate it in the XLIFF files, or add `Locked = true` if it is the same \
             in every language.",
            state.languages
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        cases(tests)
    }
}

fn find_property<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Untranslated>) {
    let Some(property) = Property::cast(node) else { return };
    let (is_tool_tip, is_option) = (property.is("ToolTip"), property.is("OptionCaption"));
    if !is_tool_tip && !is_option && !property.is("Caption") {
        return;
    }
    let Some(owner) = property.owner() else { return };
    let kind = owner.node().kind();
    let is_looked_at = match kind {
        kind if CONTROLS.contains(kind) => true,
        kind if ACTIONS.contains(kind) || kind == NodeKind::Field => !is_option,
        NodeKind::EnumValue | NodeKind::RequestPage => !is_option && !is_tool_tip,
        kind => kind.is_object() && !is_option && !is_tool_tip,
    };
    if !is_looked_at || !property.label().is_some_and(is_translatable) {
        return;
    }
    let is_hidden = || is_obsolete(owner) || is_in_obsolete_object(node, context);
    let ids = property_ids(property, owner, context);
    if let Some(languages) = missing(&ids, context)
        && !is_hidden()
    {
        let state = Untranslated {
            node: node.id(),
            name: None,
            languages,
        };
        report.at(node.range(), state);
    }
}

fn find_variables<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Untranslated>) {
    let Some((declaration, label)) = label_variables(node) else {
        return;
    };
    let Some(section) = declaration.node().parent().filter(|_| is_translatable(label)) else {
        return;
    };
    let is_in_obsolete_method = || {
        let method = method_of(node).and_then(candor_al_syntax::ast::Method::cast);
        method.is_some_and(|method| method.attribute("Obsolete").is_some())
    };
    if is_in_obsolete_object(node, context) || is_in_obsolete_method() {
        return;
    }
    for name in declaration.name_tokens() {
        let ids = label_ids(&unquoted(name.text()), section, context);
        if let Some(languages) = missing(&ids, context) {
            let state = Untranslated {
                node: node.id(),
                name: Some(name.index()),
                languages,
            };
            report.at(name.range(), state);
        }
    }
}

fn find_report_label<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Untranslated>) {
    let label = node.child(NodeKind::LabelValue).and_then(LabelValue::cast);
    let name = node.child(NodeKind::Name).and_then(Node::first_token);
    let (Some(name), true) = (name, label.is_some_and(is_translatable)) else {
        return;
    };
    let ids = report_label_ids(&unquoted(name.text()), node, context);
    if let Some(languages) = missing(&ids, context)
        && !is_in_obsolete_object(node, context)
    {
        let state = Untranslated {
            node: node.id(),
            name: Some(name.index()),
            languages,
        };
        report.at(name.range(), state);
    }
}

/// Whether there is something to translate. What `Locked` says may not be understood; then nobody can tell.
fn is_translatable(label: LabelValue<'_>) -> bool {
    let is_locked = label.attribute("Locked").is_some() && label.locked() != Some(false);
    !is_locked && !label.text().trim().is_empty()
}

/// The languages a text with one of these ids is missing in, as messages list them; none when there are none, or no id.
fn missing(ids: &[u64], context: &Context<'_>) -> Option<Arc<str>> {
    let translations = context.facts().translations.as_ref().filter(|_| !ids.is_empty())?;
    let languages = translations.missing(ids);
    (!languages.is_empty()).then(|| languages.join(", ").into())
}

/// A project that wants German and Danish, where these ids are translated into both, and these objects are known.
#[cfg(test)]
fn project(translated: &[&str], objects: &[&str]) -> Translations {
    let keys = |ids: &[&str]| -> Arc<[u64]> {
        let mut keys: Vec<u64> = ids.iter().map(|id| translation_key(id)).collect();
        keys.sort_unstable();
        keys.into()
    };
    let languages = ["de-DE", "da-DK"].map(|name| (name.to_owned(), keys(translated)));
    Translations::new(languages, keys(objects), 0)
}

#[cfg(test)]
fn cases(tests: Tester) -> Tester {
    tests
        .silent("a project of whose translations nothing is known", "page 50100 A { Caption = 'A'; }")
        .in_project(|file| file.translations = Some(project(&[], &[])))
        .flags(
            "properties of tables, on the whole property",
            r"
            table 50100 A
            {
                [|Caption = 'A', Locked = false;|]

                fields
                {
                    field(1; B; Option)
                    {
                        [|CAPTION = 'B';|]
                        [|ToolTip = 'Specifies B.', Comment = 'b';|]
                        OptionCaption = 'C,D';
                        Description = 'E';
                    }
                }
            }
            ",
        )
        .flags(
            "pages: controls and actions, however nested",
            r"
            page 50100 A
            {
                [|Caption = 'A';|]
                AboutTitle = 'A';

                layout
                {
                    area(Content)
                    {
                        group(B)
                        {
                            [|Caption = 'B';|]
                            field(C; Rec.C)
                            {
                                [|Caption = 'C';|]
                                [|ToolTip = 'Specifies C.';|]
                                [|OptionCaption = 'D,E';|]
                            }
                        }
                    }
                }
                actions
                {
                    area(Processing)
                    {
                        group(F)
                        {
                            [|Caption = 'F';|]
                            action(G)
                            {
                                [|Caption = 'G';|]
                                [|ToolTip = 'Does G.';|]
                            }
                        }
                    }
                }
                views
                {
                    view(H)
                    {
                        Caption = 'H';
                    }
                }
            }
            ",
        )
        .flags(
            "labels of reports and labels that are variables, on their names",
            r"
            report 50100 A
            {
                [|Caption = 'A';|]

                dataset
                {
                    dataitem(B; B)
                    {
                        trigger OnAfterGetRecord()
                        var
                            [|C|]: Label 'C';
                        begin
                        end;
                    }
                }
                requestpage
                {
                    [|Caption = 'D';|]
                }
                labels
                {
                    [|E|] = 'E';
                    label([|F|]; 'F')
                }

                var
                    [|G|], [|H|]: Label 'G';
                    I: TextConst ENU = 'I';
                    J: Text;

                procedure K()
                var
                    [|L|]: Label 'L';
                begin
                end;
            }
            ",
        )
        .flags(
            "other objects",
            r"
            enum 50100 A
            {
                [|Caption = 'A';|]
                value(0; B) { [|Caption = 'B';|] }
            }
            xmlport 50100 A { [|Caption = 'A';|] }
            query 50100 A { [|Caption = 'A';|] elements { } }
            permissionset 50100 A { [|Caption = 'A';|] }
            profile A { [|Caption = 'A';|] RoleCenter = B; }
            codeunit 50100 A
            {
                var
                    [|B|]: Label 'B';
            }
            ",
        )
        .flags(
            "an extension of an object in the same file",
            r"
            enum 50100 A { }
            enumextension 50101 B extends a
            {
                value(0; C) { [|Caption = 'C';|] }
            }
            ",
        )
        .silent(
            "locked and blank texts, and what nobody knows the id of",
            r"
            table 50100 A
            {
                Caption = 'A', Locked = true;
                fields
                {
                    field(1; B; Integer) { Caption = ''; }
                    field(2; C; Integer) { Caption = ' '; }
                    field(3; D; Integer) { Caption = 'D', Comment = 'd', LOCKED = TRUE; }
                    field(4; E; Integer) { CaptionML = ENU = 'E'; }
                }
                var
                    F: Label 'F', Locked = true;
            }
            tableextension 50101 B extends G
            {
                fields
                {
                    field(50100; H; Integer) { Caption = 'H'; }
                    modify(I) { Caption = 'I'; }
                }
                var
                    J: Label 'J';
            }
            pageextension 50102 C extends K
            {
                layout
                {
                    modify(L) { Caption = 'L'; }
                    addlast(M) { field(N; Rec.N) { Caption = 'N'; } }
                }
            }
            ",
        )
        .silent(
            "obsolete ones",
            r"
            table 50100 A
            {
                ObsoleteState = Pending;
                Caption = 'A';
                fields { field(1; B; Integer) { Caption = 'B'; } }
                var
                    C: Label 'C';
            }
            enum 50101 D
            {
                value(0; E) { Caption = 'E'; ObsoleteState = Removed; }
            }
            codeunit 50102 F
            {
                [Obsolete('No.', '1.0')]
                procedure G()
                var
                    H: Label 'H';
                begin
                end;
            }
            ",
        )
        .suppressed(
            "a pragma around the property",
            r"
            table 50100 A
            {
            #pragma warning disable LC0091
                [|Caption = 'A';|]
            #pragma warning restore LC0091
            }
            ",
        )
        .flags_broken(
            "a field that is being typed is left alone, the table around it is not",
            r"
            table 50100 A
            {
                [|Caption = 'A';|]
                fields
                {
                    field(1 B; Integer) { Caption = 'B'; }
                }
            }
            ",
        )
        .says(
            "which property of what, and the languages in the order of their names",
            r#"
            enum 50100 A { value(0; "B C") { caption = 'B'; } }
            "#,
            "`Caption` of `B C` is not translated into da-DK, de-DE. Translate it in the XLIFF files, or add `Locked = true` \
             if it is the same in every language.",
        )
        .says(
            "which label",
            r#"
            codeunit 50100 A { var "B C": Label 'B'; }
            "#,
            "The label `B C` is not translated into da-DK, de-DE. Translate it in the XLIFF files, or add `Locked = true` if \
             it is the same in every language.",
        )
        .in_project(|file| {
            file.translations = Some(project(
                &[
                    "Page 2931038265 - Control 2961552353 - Property 2879900210",
                    "Page 2931038265 - Action 1692444235 - Method 1377591017 - NamedType 2384180296",
                    "Report 2858589782 - ReportLabel 973805576",
                    "Table 2328808854 - Field 1296262074 - Method 2126772001 - NamedType 1978266064",
                ],
                &[],
            ));
        })
        .silent(
            "translated texts, under ids as public files have them",
            r"
            page 50100 MyPage
            {
                layout { area(Content) { group(X) { field(Name; Rec.Name) { caption = 'Name'; } } } }
                actions
                {
                    area(Processing)
                    {
                        action(ActionName)
                        {
                            trigger OnAction()
                            var
                                TestOnActionErr: Label 'OnAction Error';
                            begin
                            end;
                        }
                    }
                }
            }
            report 50100 MyReport { labels { MyReportLabel = 'x'; } }
            table 50100 MyTable
            {
                fields
                {
                    field(1; MyField; Integer)
                    {
                        trigger OnValidate()
                        var
                            TestOnValidateErr: Label 'OnValidate Error';
                        begin
                        end;
                    }
                }
            }
            ",
        )
        .flags(
            "the case of names counts",
            r"
            report 50100 MYREPORT { labels { [|MyReportLabel|] = 'x'; } }
            ",
        )
        .in_project(|file| {
            let key = |kind: &str| format!("{kind} 2931038265");
            file.translations = Some(project(&[], &[&key("PageExtension"), &key("Table"), &key("Enum")]));
        })
        .flags(
            "extensions whose own name, or that of what they extend, is in the files",
            r"
            pageextension 50100 MyPage extends Other
            {
                layout { addlast(B) { field(C; Rec.C) { [|Caption = 'C';|] } } }
            }
            tableextension 50100 Another extends MyPage
            {
                fields { field(50100; D; Integer) { [|Caption = 'D';|] } }
            }
            enumextension 50100 Another extends MyPage
            {
                value(0; E) { [|Caption = 'E';|] }
            }
            reportextension 50100 MyPage extends MyPage
            {
                requestpage { layout { addlast(B) { field(C; D) { Caption = 'C'; } } } }
            }
            ",
        )
}
