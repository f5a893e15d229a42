//! Parameters: which of them a procedure needs.

use candor_al_syntax::ast::{Method, Parameter, same_name};
use candor_al_syntax::{Node, TokenKind};

/// The parameters whose names the body does not hold.
pub(crate) fn unused_parameters<'t>(procedure: Method<'t>, body: Node<'t>) -> Vec<Parameter<'t>> {
    let mut unused: Vec<Parameter<'t>> = procedure.parameters().filter(|it| it.name_token().is_some()).collect();
    for token in body.tokens() {
        match token.kind() {
            TokenKind::Identifier | TokenKind::QuotedIdentifier => {
                unused.retain(|it| !it.name_token().is_some_and(|name| same_name(name.text(), token.text())));
            }
            TokenKind::DisabledText => unused.retain(|it| !it.name().is_some_and(|name| mentions(token.text(), &name))),
            _ => continue,
        }
        if unused.is_empty() {
            break;
        }
    }
    unused
}

/// Whether text that is switched off may use the name: whether it holds it at all.
fn mentions(text: &str, name: &str) -> bool {
    let (text, name) = (text.as_bytes(), name.as_bytes());
    !name.is_empty() && text.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name))
}

/// Whether the action of an error or a notification may call the procedure of a codeunit, which then takes just that.
pub(crate) fn is_called_by_action(procedure: Method<'_>) -> bool {
    let mut parameters = procedure.parameters();
    let (Some(parameter), None) = (parameters.next(), parameters.next()) else {
        return false;
    };
    let of_type = parameter.type_reference().and_then(|it| it.node().first_token());
    of_type.is_some_and(|word| {
        ["ErrorInfo", "Notification"]
            .iter()
            .any(|name| word.text().eq_ignore_ascii_case(name))
    })
}
