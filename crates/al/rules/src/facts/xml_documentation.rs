//! The XML in `///` comments, as far as rules ask about it: which parameters it speaks of, and whether of a result.

use std::borrow::Cow;

use candor_al_syntax::{Node, TextRange, TokenKind, TokenRef, Tree};

use super::documentation::is_documentation;
use super::trivia::{leading_trivia, line_ends};

/// What an outermost element of documentation speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Subject<'t> {
    /// `<param name="…">`: a parameter, by its name as written there; none where no name is given.
    Parameter(Option<Cow<'t, str>>),
    /// `<returns>`: the result.
    Result,
}

/// An element of documentation, from its start tag to its end tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Element<'t> {
    pub(crate) subject: Subject<'t>,
    pub(crate) range: TextRange,
}

/// The `///` lines above a declaration. None if there are none, or if a blank line or something else parts them: then
/// it is open which of them are meant.
pub(crate) fn documentation_block(node: Node<'_>) -> Option<TextRange> {
    let is_line = |token: &TokenRef<'_>| token.kind() == TokenKind::LineComment && is_documentation(*token);
    let mut lines = leading_trivia(node.first_token()?).filter(is_line);
    let first = lines.next()?;
    let mut last = first;
    for line in lines {
        let between = node.tree().slice(TextRange::new(last.range().end, line.range().start));
        let are_neighbours = between.trim().is_empty() && line_ends(between) == 1;
        if !are_neighbours {
            return None;
        }
        last = line;
    }
    Some(TextRange::new(first.range().start, last.range().end))
}

/// The outermost elements about parameters and the result, in text order. None where the text is not XML, or where such
/// an element stands inside another one: then a tag is missing somewhere.
///
/// Elements without an end tag (`<param name="X"/>`) document nothing and are left out.
pub(crate) fn documented_elements(tree: &Tree, block: TextRange) -> Option<Vec<Element<'_>>> {
    let mut scanner = Scanner {
        text: tree.slice(block),
        position: 0,
    };
    let mut elements = Vec::new();
    // Start tags without an end tag yet: name, subject, start.
    let mut open: Vec<(&str, Option<Subject<'_>>, usize)> = Vec::new();
    while let Some(tag) = scanner.next_tag().ok()? {
        let is_of_interest = tag.name.eq_ignore_ascii_case("param") || tag.name.eq_ignore_ascii_case("returns");
        match tag.form {
            Form::Start { .. } if is_of_interest && !open.is_empty() => return None,
            Form::Start { name } => {
                let is_parameter = tag.name.eq_ignore_ascii_case("param");
                let subject = if is_parameter {
                    Subject::Parameter(name)
                } else {
                    Subject::Result
                };
                open.push((tag.name, is_of_interest.then_some(subject), tag.start));
            }
            Form::End => {
                let (name, subject, start) = open.pop()?;
                if !name.eq_ignore_ascii_case(tag.name) {
                    return None;
                }
                let range = TextRange::new(block.start + start as u32, block.start + scanner.position as u32);
                elements.extend(subject.map(|subject| Element { subject, range }));
            }
            Form::Whole => {}
        }
    }
    open.is_empty().then_some(elements)
}

/// The text is not XML.
struct NotXml;

struct Tag<'t> {
    name: &'t str,
    form: Form<'t>,
    /// Offset of its `<` in the block.
    start: usize,
}

enum Form<'t> {
    /// `<name …>` with the value of its attribute `name`.
    Start { name: Option<Cow<'t, str>> },
    /// `</name>`
    End,
    /// `<name …/>`
    Whole,
}

struct Scanner<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// Goes behind `mark` if it comes next.
    fn takes(&mut self, mark: &str) -> bool {
        let is_next = self.rest().starts_with(mark);
        self.position += if is_next { mark.len() } else { 0 };
        is_next
    }

    /// Goes behind the next `mark`, and gives what stands before it.
    fn until(&mut self, mark: &str) -> Result<&'t str, NotXml> {
        let (text, _) = self.rest().split_once(mark).ok_or(NotXml)?;
        self.position += text.len() + mark.len();
        Ok(text)
    }

    /// The next tag; none at the end.
    fn next_tag(&mut self) -> Result<Option<Tag<'t>>, NotXml> {
        while let Some(length) = self.rest().find('<') {
            let start = self.position + length;
            self.position = start + 1;
            if self.takes("!--") {
                self.until("-->")?;
            } else if self.takes("![CDATA[") {
                self.until("]]>")?;
            } else if self.takes("?") {
                self.until("?>")?;
            } else if self.takes("/") {
                let name = self.name().ok_or(NotXml)?;
                self.skip_blanks();
                let form = if self.takes(">") { Form::End } else { return Err(NotXml) };
                return Ok(Some(Tag { name, form, start }));
            } else if let Some(name) = self.name() {
                let form = self.behind_name()?;
                return Ok(Some(Tag { name, form, start }));
            }
            // Any other `<` is text: people write `a < b` in comments.
        }
        Ok(None)
    }

    fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | ':' | '.');
        let length = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let name = &rest[..length];
        self.position += length;
        name.starts_with(char::is_alphabetic).then_some(name)
    }

    /// The attributes of a tag and its end.
    fn behind_name(&mut self) -> Result<Form<'t>, NotXml> {
        let mut name_value = None;
        loop {
            self.skip_blanks();
            if self.takes("/>") {
                return Ok(Form::Whole);
            }
            if self.takes(">") {
                return Ok(Form::Start { name: name_value });
            }
            let attribute = self.name().ok_or(NotXml)?;
            self.skip_blanks();
            if !self.takes("=") {
                return Err(NotXml);
            }
            self.skip_blanks();
            let quote = ["\"", "'"].into_iter().find(|quote| self.takes(quote)).ok_or(NotXml)?;
            let value = self.until(quote)?;
            if attribute.eq_ignore_ascii_case("name") {
                name_value = Some(decoded(value));
            }
        }
    }

    /// Goes behind blanks, line ends, and the `///` that a line begins with.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            let skipped = self.rest().len() - rest.len();
            let is_new_line = self.rest()[..skipped].contains('\n');
            self.position += skipped;
            if !(is_new_line && self.takes("///")) {
                return;
            }
        }
    }
}

/// A value of an attribute with the characters that its entities stand for.
fn decoded(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return value.into();
    }
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    let replaced = |text: String, (entity, character): (&str, &str)| text.replace(entity, character);
    entities.into_iter().fold(value.to_owned(), replaced).into()
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{NodeKind, Symbols, parse};

    use super::*;

    /// The elements in the documentation of a procedure: what they speak of, and how they begin and end.
    fn elements(documentation: &str) -> Option<Vec<String>> {
        let tree = parse(
            format!("codeunit 1 A\n{{\n{documentation}\nprocedure B() begin end; }}"),
            &Symbols::none(),
        );
        let procedure = tree.nodes().find(|node| node.kind() == NodeKind::Procedure).unwrap();
        let found = documented_elements(&tree, documentation_block(procedure)?)?;
        let in_words = |element: Element<'_>| {
            let text = tree.slice(element.range);
            assert!(text.starts_with('<') && text.ends_with('>'), "{text}");
            match element.subject {
                Subject::Parameter(name) => format!("param {}", name.unwrap_or("?".into())),
                Subject::Result => "returns".to_owned(),
            }
        };
        Some(found.into_iter().map(in_words).collect())
    }

    #[test]
    fn parameters_and_results_are_found_wherever_their_tags_break() {
        let documentation = "\
/// <summary>See <see cref=\"C\"/>, <paramref name='X'/> or a < b.</summary>
/// <param name=\"D\">
/// text
/// </param>
    /// <Param
    ///   name = 'E F' >text</PARAM >
/// <returns></returns>
/// <remarks><b>no</b></remarks>";
        assert_eq!(elements(documentation).unwrap(), ["param D", "param E F", "returns"]);
    }

    #[test]
    fn names_may_hold_entities_or_be_missing() {
        let documentation = "/// <param name=\"&quot;B &amp; C&quot;\">x</param> <param>y</param>";
        assert_eq!(elements(documentation).unwrap(), ["param \"B & C\"", "param ?"]);
    }

    #[test]
    fn elements_without_end_tag_document_nothing() {
        assert_eq!(elements("/// <param name=\"B\"/><returns />").unwrap(), [""; 0]);
        assert_eq!(elements("/// just text").unwrap(), [""; 0]);
        assert_eq!(elements("/// <!-- <param> --><![CDATA[<param>]]>").unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_not_xml_is_not_judged() {
        for text in [
            "<param name=\"B\">",
            "</param>",
            "<param name=\"B\"></returns>",
            "<summary><param name=\"B\">x</param></summary>",
            "<summary>if a <b then</summary>",
            "<param name=B>x</param>",
            "<param name=\"B>x</param>",
            "<!-- x",
        ] {
            assert_eq!(elements(&format!("/// {text}")), None, "{text}");
        }
    }

    #[test]
    fn the_lines_have_to_stand_together() {
        let param = "/// <param name=\"B\">x</param>";
        assert_eq!(elements(&format!("{param}\n    {param}")).unwrap().len(), 2);
        assert_eq!(elements(&format!("{param}\n\n{param}")), None);
        assert_eq!(
            elements(&format!("{param}\n#pragma warning disable AA0001\n{param}")),
            None
        );
        assert_eq!(elements(&format!("// why\n\n{param}\n\n// how")).unwrap().len(), 1);
        assert_eq!(elements("/** <param name=\"B\">x</param> */"), None);
        assert_eq!(elements("// none"), None);
    }
}
