//! Text that an `#if` switches off: what it would say in another configuration.

use candor_al_syntax::TokenKind;
use candor_al_syntax::ast::Object;

/// Whether the object sets the property in text that an `#if` switches off, so that it has a value there already.
pub(crate) fn sets_property_when_switched_on(object: Object<'_>, name: &str) -> bool {
    let node = object.node();
    let switched_off = node.tokens().filter(|token| token.kind() == TokenKind::DisabledText);
    let of_object = switched_off.filter(|token| node.tree().covering_node(token.range()) == node);
    of_object
        .into_iter()
        .any(|token| token.text().lines().any(|line| sets(line, name)))
}

fn sets(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    let is_named = line
        .get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name));
    is_named && line[name.len()..].trim_start().starts_with('=')
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{Symbols, parse};

    use super::*;

    #[test]
    fn a_property_counts_where_the_object_itself_would_have_it() {
        for (inside, expected) in [
            ("\n#if A\n    access = Internal;\n#endif\n", true),
            (
                "\n#if not A\n    Access = Public;\n#else\n    ACCESS=Internal;\n#endif\n",
                true,
            ),
            (
                "\n#if A\n    AccessByPermission = tabledata B = R;\n    // Access\n#endif\n",
                false,
            ),
            (
                "\n    procedure B()\n    begin\n#if A\n    Access = 1;\n#endif\n    end;\n",
                false,
            ),
            ("\n#if not A\n    Access = Internal;\n#endif\n", false),
        ] {
            let tree = parse(format!("codeunit 1 C\n{{{inside}}}"), &Symbols::none());
            let object = tree.nodes().find_map(Object::cast).expect("the text has an object");
            assert_eq!(sets_property_when_switched_on(object, "Access"), expected, "{inside}");
        }
    }
}
