//! AC0027: a locked label that says its own name, and does not call itself a token.

use candor_al_syntax::ast::{LabelValue, unquoted};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, label_variables};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A variable of type `Label` with `Locked = true` whose text is its own name, while the name does not end with `Tok` (in
exactly this spelling). One of the suffixes `Msg`, `Err`, `Qst`, `Lbl`, `Txt` does not count as part of the name; upper
and lower case do not matter, nor do marks and blanks in the text.

## Why

A locked text that repeats its name is a word for programs: a key, a tag, the name of a field in some file. By convention
such labels end with `Tok`; any other suffix promises a text for people.

## Example

```al
codeunit 50100 Export
{
    var
        CustomerNoLbl: Label 'Customer-No', Locked = true;
}
```

## Better

```al
codeunit 50100 Export
{
    var
        CustomerNoTok: Label 'Customer-No', Locked = true;
}
```

## When to ignore it

When people read the text all the same. Labels of obsolete objects are not flagged.
";

/// What names of labels end with by convention, `Tok` aside.
const SUFFIXES: &[&str] = &["Msg", "Err", "Qst", "Lbl", "Txt"];

pub(crate) struct LabelTokenRequiresTokSuffix;

impl Rule for LabelTokenRequiresTokSuffix {
    const METADATA: Metadata = Metadata {
        id: "AC0027",
        name: "LabelTokenRequiresTokSuffix",
        title: "Locked label that repeats its own name is a token: suffix Tok",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0027 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::LabelType],
        documentation: DOCUMENTATION,
    };

    /// The name.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some((declaration, label)) = label_variables(node) else {
            return;
        };
        if label.locked() != Some(true) {
            return;
        }
        for name in declaration.node().children_of(NodeKind::Name) {
            let is_token = names_itself(&unquoted(name.text()), label);
            if is_token && !is_in_obsolete_object(node, context) {
                report.at(name.range(), name.id());
            }
        }
    }

    fn message(&name: &Self::State, tree: &Tree) -> String {
        let name = unquoted(tree.node(name).text());
        format!(
            "`{name}` is locked and its text is its own name, so it is a token for programs. Call it `{}Tok`, or unlock \
             it if people read it.",
            without_suffix(&name)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "the text is the name without its suffix, whatever the case, on the name",
                r#"
                codeunit 50100 A
                {
                    var
                        [|CustomerLbl|]: Label 'customer', Locked = true;
                        [|Vendor|]: Label 'Vendor', Comment = 'x', LOCKED = TRUE;
                        [|"Bank Account"|]: Label 'Bank Account', Locked = true;
                        [|ItemTxt|], ItemTok, OtherTxt: Label 'ITEM', Locked = true;
                        [|Err|]: Label 'Err', Locked = true;

                    [Obsolete('no exemption', '25.0')]
                    procedure B()
                    var
                        [|LocationQst|]: Label 'Location', Locked = true;
                    begin
                    end;
                }
                "#,
            )
            .flags(
                "marks and blanks of the text do not count",
                r"
                codeunit 50100 A
                {
                    var
                        [|CustomerNoLbl|]: Label 'Customer No.', Locked = true;
                        [|ApiKeyMsg|]: Label '{api-key}', Locked = true;
                        [|CaféErr|]: Label 'CAFÉ!', Locked = true;
                }
                ",
            )
            .silent(
                "the suffix Tok, other texts, empty texts, labels that are not locked",
                r"
                codeunit 50100 A
                {
                    var
                        CustomerTok: Label 'Customer', Locked = true;
                        VendorLbl: Label 'The vendor', Locked = true;
                        BankLbl: Label '', Locked = true;
                        ItemLbl: Label 'Item';
                        PlaceLbl: Label 'Place', Locked = false;
                        KeyLblTxt: Label 'Key', Locked = true;
                        AreaLBL: Label 'Area', Locked = true;
                        Lbl: Label '...', Locked = true;
                }
                codeunit 50101 B
                {
                    ObsoleteState = Pending;

                    var
                        CustomerLbl: Label 'Customer', Locked = true;
                }
                ",
            )
            .suppressed(
                "a pragma around the declaration",
                r"
                codeunit 50100 A
                {
                    var
                #pragma warning disable AC0027
                        [|CustomerLbl|]: Label 'Customer', Locked = true;
                #pragma warning restore AC0027
                }
                ",
            )
            .says(
                "which label, and what to call it",
                r"
                codeunit 50100 A
                {
                    var
                        CustomerLbl: Label 'Customer', Locked = true;
                }
                ",
                "`CustomerLbl` is locked and its text is its own name, so it is a token for programs. Call it \
                 `CustomerTok`, or unlock it if people read it.",
            )
    }
}

/// Whether the text of a label is the name of its variable, which does not end with `Tok`.
fn names_itself(name: &str, label: LabelValue<'_>) -> bool {
    if name.ends_with("Tok") {
        return false;
    }
    let (name, text) = (without_suffix(name), label.text());
    let lower_case_name = || name.chars().flat_map(char::to_lowercase);
    let is_name =
        |characters: &mut dyn Iterator<Item = char>| characters.flat_map(char::to_lowercase).eq(lower_case_name());
    !text.is_empty() && (is_name(&mut text.chars()) || is_name(&mut text.chars().filter(|it| it.is_alphanumeric())))
}

/// The name without one of the usual suffixes, unless it is nothing but a suffix.
fn without_suffix(name: &str) -> &str {
    let mut stems = SUFFIXES.iter().filter_map(|suffix| name.strip_suffix(suffix));
    stems.next().filter(|stem| !stem.is_empty()).unwrap_or(name)
}
