//! The pages of the documentation, each form of page with what it tells.

/// A method of a type.
#[expect(clippy::struct_excessive_bools, reason = "facts of a page, each on its own")]
pub(crate) struct Method {
    pub(crate) owner: String,
    name: String,
    /// As written in the file: `(Field: Any, FromValue?: Any)`.
    parameters: String,
    /// Type of the result; with `?` when it may be left out.
    result: Option<String>,
    pub(crate) is_static: bool,
    is_property: bool,
    is_unqualified: bool,
    is_deprecated: bool,
    /// The runtime it came with.
    since: String,
}

/// A closed list of names that is a type.
pub(crate) struct OptionType {
    pub(crate) name: String,
    pub(crate) members: Vec<String>,
}

/// A property with the nodes it belongs to and, where they are few, its values.
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) owners: Vec<String>,
    pub(crate) values: Vec<String>,
}

/// A trigger: its signature.
pub(crate) struct Trigger(pub(crate) String);

/// An attribute of a method or variable.
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) parameters: String,
}

/// A table of the platform.
pub(crate) struct SystemTable {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) fields: Vec<String>,
}

impl Method {
    /// One line of the file: flags, runtime, signature.
    pub(crate) fn in_words(&self) -> String {
        let flags: String = [
            (self.is_static, 's'),
            (self.is_property, 'p'),
            (self.is_unqualified, 'u'),
            (self.is_deprecated, 'd'),
        ]
        .into_iter()
        .filter_map(|(is_set, letter)| is_set.then_some(letter))
        .collect();
        let result = self.result.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        format!("{flags}@{} {}{}{result}", self.since, self.name, self.parameters)
    }
}

/// The text of the first heading.
fn heading(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim)
}

/// The lines of the section with this heading of the second level or lower.
fn section<'t>(text: &'t str, title: &str) -> impl Iterator<Item = &'t str> {
    let is_title =
        move |line: &&str| line.starts_with("##") && line.trim_matches(['#', ' ']).eq_ignore_ascii_case(title);
    text.lines()
        .skip_while(move |line| !is_title(line))
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
}

/// The cells of the first column of a table in a section, its head left out.
fn first_cells<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let cells = section(text, title).filter(|line| line.starts_with('|'));
    cells
        .skip(2)
        .filter_map(|line| line.split('|').nth(1))
        .map(|cell| cell.trim().trim_matches('*').trim())
        .filter(|cell| !cell.is_empty())
        .collect()
}

/// The first line of code of the section on syntax.
fn syntax(text: &str) -> Option<&str> {
    let mut lines = section(text, "Syntax")
        .skip_while(|line| !line.starts_with("```"))
        .skip(1);
    lines.find(|line| !line.trim().is_empty()).map(str::trim)
}

/// `Record` of `# Record data type`.
pub(crate) fn type_name(text: &str) -> Option<String> {
    let heading = heading(text)?;
    let name = heading
        .strip_suffix(" data type")
        .or_else(|| heading.strip_suffix(" Data Type"))?;
    Some(name.to_owned())
}

/// Whether the page of a type lists the page of a method among those that need no instance.
pub(crate) fn is_listed_as_static(text: &str, page: &str) -> bool {
    let link = format!("({page})");
    section(text, "Static methods").any(|line| line.contains(&link))
}

/// A page such as `isolationlevel-option.md`.
pub(crate) fn option_type(text: &str) -> Option<OptionType> {
    let name = heading(text)?.split(' ').next()?.to_owned();
    let members = first_cells(text, "Members").into_iter().map(str::to_owned).collect();
    Some(OptionType { name, members })
}

/// A page such as `record-setrange-method.md`.
pub(crate) fn method(text: &str) -> Option<Method> {
    let line = syntax(text)?;
    let (result, call) = match line.split_once(":=") {
        Some((before, behind)) => (Some(before.trim()), behind.trim_matches([']', ' '])),
        None => (None, line),
    };
    let (callee, arguments) = call.split_once('(')?;
    let (owner, name) = callee.trim().split_once('.')?;
    let arguments = arguments.trim_end().strip_suffix(')')?;
    let version = text
        .lines()
        .find(|line| line.contains("**Version**"))
        .unwrap_or_default();
    let since = version
        .split("runtime version ")
        .nth(1)
        .map(|it| {
            it.chars()
                .take_while(|it| it.is_ascii_digit() || *it == '.')
                .collect::<String>()
        })
        .unwrap_or_default();
    let result = result.map(|result| {
        let of_type = result_type(text).unwrap_or_else(|| "?".to_owned());
        if result.starts_with('[') {
            format!("{of_type}?")
        } else {
            of_type
        }
    });
    Some(Method {
        owner: owner.trim().to_owned(),
        name: name.trim().to_owned(),
        parameters: format!("({})", parameters(arguments)),
        result,
        is_static: false,
        is_property: text.contains("invoked using property access syntax"),
        is_unqualified: text.contains("invoked without specifying the data type name"),
        is_deprecated: version.contains("deprecated"),
        since: since.trim_end_matches('.').to_owned(),
    })
}

/// A closed list that has no page of its own but is told by the description of a method that gives it: `Values include
/// 'A', 'B' …`.
pub(crate) fn told_option_type(text: &str) -> Option<OptionType> {
    let name = result_type(text)?;
    let line = text.lines().find(|line| line.contains("Values include '"))?;
    let behind = line.split_once("Values include ")?.1;
    let members: Vec<String> = behind.split('\'').skip(1).step_by(2).map(str::to_owned).collect();
    (!members.is_empty()).then_some(OptionType { name, members })
}

/// The type in the section on the result: `[Dictionary of [Text, Text]](…)` without the link.
fn result_type(text: &str) -> Option<String> {
    section(text, "Return value").find_map(linked_type)
}

fn linked_type(line: &str) -> Option<String> {
    let behind = line.split_once("Type: [")?.1;
    let name = behind.split_once("](").map_or(behind, |(name, _)| name);
    Some(name.to_owned())
}

/// `Field: Any [, FromValue: Any]` as `Field: Any, FromValue?: Any`; `,...` stays as `...` behind the last one.
fn parameters(arguments: &str) -> String {
    let mut written = String::new();
    let mut is_optional = false;
    let mut depth = 0;
    // In `Dictionary of [Text, Text]` the bracket stands behind `of`; elsewhere it opens what may be left out.
    let mut word = String::new();
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut in_type = 0;
    for character in arguments.chars() {
        match character {
            '[' if word.trim_end().ends_with(" of") || in_type > 0 => {
                in_type += 1;
                word.push(character);
            }
            ']' if in_type > 0 => {
                in_type -= 1;
                word.push(character);
            }
            '[' => {
                if !word.trim().is_empty() {
                    parts.push((is_optional, std::mem::take(&mut word)));
                }
                depth += 1;
                is_optional = true;
            }
            ']' => {
                if !word.trim().is_empty() {
                    parts.push((is_optional, std::mem::take(&mut word)));
                }
                depth -= 1;
                is_optional = depth > 0;
            }
            ',' if in_type == 0 => {
                if !word.trim().is_empty() {
                    parts.push((is_optional, std::mem::take(&mut word)));
                }
            }
            _ => word.push(character),
        }
    }
    if !word.trim().is_empty() {
        parts.push((is_optional, word));
    }
    for (is_optional, part) in parts {
        let part = part.trim();
        if part == "..." {
            written.push_str("...");
            continue;
        }
        if !written.is_empty() {
            written.push_str(", ");
        }
        match part.split_once(':') {
            Some((name, of_type)) => {
                written.push_str(name.trim());
                if is_optional {
                    written.push('?');
                }
                written.push_str(": ");
                written.push_str(of_type.trim());
            }
            None => written.push_str(part),
        }
    }
    written
}

/// A page such as `devenv-pagetype-property.md`.
pub(crate) fn property(text: &str) -> Option<Property> {
    // `# PageType Property`, `# Subtype Property (Codeunit)`, `# Subtype (Codeunit) Property`
    let heading = heading(text)?;
    let (name, rest) = heading.split_once(' ')?;
    let name = name.trim_matches('"').to_owned();
    let is_property = rest
        .split(' ')
        .all(|word| word.starts_with('(') || word.eq_ignore_ascii_case("property"));
    if !is_property || !text.contains("DO_NOT_EDIT") {
        return None;
    }
    let generated = text.split("IMPORTANT: END>DO_NOT_EDIT").next().unwrap_or(text);
    let owners = section(generated, "Applies to")
        .filter_map(|line| line.trim().strip_prefix('-'))
        .map(|owner| owner.trim().to_owned())
        .collect();
    let values = first_cells(generated, "Property value")
        .into_iter()
        .map(str::to_owned)
        .collect();
    Some(Property { name, owners, values })
}

/// A page such as `devenv-onqueryclosepage-page-trigger.md`.
pub(crate) fn trigger(text: &str) -> Option<Trigger> {
    let code = section(text, "Syntax")
        .skip_while(|line| !line.starts_with("```"))
        .skip(1);
    let mut lines = code.take_while(|line| !line.starts_with("```"));
    let line = lines.find_map(|line| {
        let line = line.trim();
        line.strip_prefix("trigger ").map(str::to_owned).or_else(|| {
            // Events of the platform show a subscriber; the name of the event is in the heading.
            let signature = line.strip_prefix("local procedure ")?.split_once('(')?.1;
            let name = heading(text)?.split(' ').next()?;
            Some(format!("{name}({signature}"))
        })
    })?;
    let (call, result) = line.rsplit_once(')')?;
    let (name, arguments) = call.split_once('(')?;
    let arguments = arguments
        .replace(';', ",")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let has_result = result.trim_start().starts_with(':');
    let result = has_result.then(|| result_type(text).unwrap_or_else(|| "?".to_owned()));
    let result = result.map(|it| format!(": {it}")).unwrap_or_default();
    Some(Trigger(format!("{}({arguments}){result}", name.trim())))
}

/// A page such as `devenv-eventsubscriber-attribute.md`.
pub(crate) fn attribute(text: &str) -> Option<Attribute> {
    let mut words = heading(text)?.split(' ');
    let name = words.next()?.to_owned();
    if !words.next()?.eq_ignore_ascii_case("attribute") {
        return None;
    }
    let line = syntax(text).unwrap_or_default();
    let inner = line
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(']'))
        .unwrap_or_default();
    let arguments = inner.split_once('(').and_then(|(_, it)| it.strip_suffix(')'));
    let parameters = arguments.map(|it| format!("({})", parameters(it))).unwrap_or_default();
    Some(Attribute { name, parameters })
}

/// A page about a virtual table that tells its number and fields.
pub(crate) fn system_table(text: &str) -> Option<SystemTable> {
    let name = heading(text)?.strip_suffix(" virtual table")?;
    let id = text.split("(ID ").nth(1)?.split(')').next()?;
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rows = text.lines().filter(|line| line.starts_with('|')).skip(2);
    let fields = rows.filter_map(|line| line.split('|').nth(1));
    Some(SystemTable {
        id: id.to_owned(),
        name: name.to_owned(),
        fields: fields.map(|field| field.trim().to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Record.SetRange(Any [, Any]) Method\n> **Version**: _Available or changed with runtime version 1.0._\n\n\
        ## Syntax\n```AL\n[Ok := ]  Record.SetRange(var Field: Any [, FromValue: Dictionary of [Text, Text]] [, More: Any,...])\n```\n\
        > This method can be invoked using property access syntax.\n\
        ## Return Value\n*[Optional] Ok*  \n&emsp;Type: [Boolean](../boolean/boolean-data-type.md)  \n";

    #[test]
    fn a_method_tells_its_signature() {
        let method = method(PAGE).expect("a method");
        assert_eq!(method.owner, "Record");
        assert_eq!(
            method.in_words(),
            "p@1.0 SetRange(var Field: Any, FromValue?: Dictionary of [Text, Text], More?: Any...): Boolean?"
        );
    }

    #[test]
    fn a_trigger_tells_its_parameters_and_result() {
        let page = "# OnFind (Page) trigger\n## Syntax\n```AL\ntrigger OnFind(Which: Text; var Other: Code): Ok\nbegin\n```\n\
            ## Return value\n*Ok*  \n&emsp;Type: [Boolean](x.md)\n";
        assert_eq!(
            trigger(page).map(|it| it.0).as_deref(),
            Some("OnFind(Which: Text, var Other: Code): Boolean")
        );
    }

    #[test]
    fn a_property_tells_its_values() {
        let page = "# DO_NOT_EDIT\n# Gesture Property\n## Applies to\n-   Page Action\n\n## Property value\n\n\
            |Value|With|\n|--|--|\n|**None**|1.0|\n|**Left**|1.0|\n";
        // The first heading counts.
        assert!(property(page).is_none());
        let property = property(&page[page.find("# Gesture").unwrap_or(0)..].replace("|--|--|", "|--|DO_NOT_EDIT|"))
            .expect("a property");
        assert_eq!(property.owners, ["Page Action"]);
        assert_eq!(property.values, ["None", "Left"]);
    }

    #[test]
    fn a_virtual_table_tells_its_fields() {
        let page = "# Date virtual table\nThe table (ID 2000000007) has\n| Field | D |\n|---|---|\n|Period Type |x|\n";
        let table = system_table(page).expect("a table");
        assert_eq!((table.id.as_str(), table.name.as_str()), ("2000000007", "Date"));
        assert_eq!(table.fields, ["Period Type"]);
    }
}
