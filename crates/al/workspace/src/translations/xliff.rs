//! XLIFF 1.2, as far as it says what is translated.
//!
//! One pass over the events of the text; nothing of it is kept but numbers. Entities that the file declares itself are
//! never expanded: a reference to one counts as text in a target, and is an error where an id or a language stands.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// The namespace of XLIFF 1.2.
const NAMESPACE: &str = "urn:oasis:names:tc:xliff:document:1.2";

/// What stands between the segments of an id.
const SEPARATOR: &str = " - ";

/// The languages of the first `file` element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Languages {
    pub(super) source: Option<String>,
    pub(super) target: Option<String>,
}

/// The units of a file, by the keys of their ids.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct Units {
    /// Those that are translated; sorted, none twice.
    pub(super) translated: Vec<u64>,
    /// The keys of the first segments of all ids; sorted, none twice.
    pub(super) objects: Vec<u64>,
}

/// A file that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Xliff {
    pub(super) languages: Languages,
    /// None when nobody wanted them.
    pub(super) units: Option<Units>,
}

/// Why a file cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where, in bytes.
    pub(super) offset: usize,
    pub(super) reason: String,
    /// What was known of its languages until then.
    pub(super) languages: Languages,
}

/// Reads a file. Its units are read only if `is_wanted` says so of its languages.
pub(super) fn read(
    text: &str,
    key: fn(&str) -> u64,
    is_wanted: impl FnOnce(&Languages) -> bool,
) -> Result<Xliff, Fault> {
    let mut reading = Reading {
        text,
        key,
        prefix: "",
        languages: None,
        units: Units::default(),
        unit: None,
        target: None,
    };
    let read = reading.run(is_wanted);
    let languages = reading.languages.unwrap_or_default();
    match read {
        Ok(is_whole) => {
            let mut units = reading.units;
            for keys in [&mut units.translated, &mut units.objects] {
                keys.sort_unstable();
                keys.dedup();
            }
            Ok(Xliff {
                languages,
                units: is_whole.then_some(units),
            })
        }
        Err((offset, reason)) => Err(Fault {
            offset,
            reason,
            languages,
        }),
    }
}

struct Reading<'a> {
    text: &'a str,
    key: fn(&str) -> u64,
    /// What stands in front of the names of XLIFF's elements, with the colon; usually nothing.
    prefix: &'a str,
    languages: Option<Languages>,
    units: Units,
    /// The unit that is open.
    unit: Option<Unit>,
    /// The target of it that is open.
    target: Option<Target>,
}

struct Unit {
    key: u64,
    depth: u32,
}

struct Target {
    depth: u32,
    /// Whether its state says that somebody has yet to translate it.
    is_open: bool,
    is_blank: bool,
}

/// Place and reason of a fault.
type Trouble = (usize, String);

impl Reading<'_> {
    /// Whether the file was read to its end.
    fn run(&mut self, is_wanted: impl FnOnce(&Languages) -> bool) -> Result<bool, Trouble> {
        let mut reader = Reader::from_str(self.text);
        let mut is_wanted = Some(is_wanted);
        let mut depth = 0;
        let mut has_root = false;
        loop {
            let offset = reader.buffer_position() as usize;
            let event = reader.read_event();
            let event = event.map_err(|error| (reader.error_position() as usize, error.to_string()))?;
            let opened = match &event {
                Event::Start(element) | Event::Empty(element) => Some(element),
                _ => None,
            };
            if let Some(element) = opened {
                depth += 1;
                if !has_root {
                    self.open_root(element, offset)?;
                    has_root = true;
                }
                self.open(element, depth, offset)?;
                if let Some(languages) = &self.languages
                    && let Some(is_wanted) = is_wanted.take()
                    && !is_wanted(languages)
                {
                    return Ok(false);
                }
            }
            match event {
                Event::Empty(_) | Event::End(_) => {
                    self.close(depth);
                    depth -= 1;
                }
                Event::Text(text) => self.fill(&text.into_inner()),
                Event::CData(text) => self.fill(&text.into_inner()),
                Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                    Ok(Some(character)) => self.fill(character.encode_utf8(&mut [0; 4])),
                    Ok(None) => self.fill("?"),
                    Err(error) => return Err((offset, error.to_string())),
                },
                Event::Eof if depth > 0 => return Err((offset, "it ends before all elements are closed".to_owned())),
                Event::Eof if !has_root => return Err((offset, "there is no element in it".to_owned())),
                Event::Eof if self.languages.is_none() => {
                    return Err((offset, "there is no `file` element in it".to_owned()));
                }
                Event::Eof => return Ok(true),
                _ => {}
            }
        }
    }

    /// Holds the outermost element up: it says which kind of file this is, and how the names of its elements begin.
    fn open_root(&mut self, element: &BytesStart<'_>, offset: usize) -> Result<(), Trouble> {
        let name = element.name();
        let (local, prefix) = name.decompose();
        let declaration = match &prefix {
            Some(prefix) => format!("xmlns:{}", prefix.as_ref()),
            None => "xmlns".to_owned(),
        };
        let namespace = attribute(element, &declaration, offset)?;
        if local.as_ref() != "xliff" || namespace.as_deref() != Some(NAMESPACE) {
            let reason = format!("its outermost element is not `xliff` of the namespace {NAMESPACE}");
            return Err((offset, reason));
        }
        // The name itself may not outlive the event; the text does.
        let length = prefix.map_or(0, |prefix| prefix.as_ref().len() + 1);
        self.prefix = self.text.get(offset + 1..offset + 1 + length).unwrap_or_default();
        Ok(())
    }

    fn open(&mut self, element: &BytesStart<'_>, depth: u32, offset: usize) -> Result<(), Trouble> {
        let name = element.name();
        match name.as_ref().strip_prefix(self.prefix) {
            Some("file") if self.languages.is_none() => {
                self.languages = Some(Languages {
                    source: language(element, "source-language", offset)?,
                    target: language(element, "target-language", offset)?,
                });
            }
            Some("trans-unit") if self.unit.is_none() => {
                if let Some(id) = attribute(element, "id", offset)? {
                    let object = id.split(SEPARATOR).next().unwrap_or_default();
                    let object = (self.key)(object);
                    // Units of an object stand together, so this keeps the list short.
                    if self.units.objects.last() != Some(&object) {
                        self.units.objects.push(object);
                    }
                    let key = (self.key)(&id);
                    self.unit = Some(Unit { key, depth });
                }
            }
            // Suggestions (`alt-trans`) have targets as well; those stand deeper.
            Some("target") if self.unit.as_ref().is_some_and(|unit| unit.depth + 1 == depth) => {
                let state = attribute(element, "state", offset)?;
                self.target = Some(Target {
                    depth,
                    is_open: state.as_deref() == Some("needs-translation"),
                    is_blank: true,
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn fill(&mut self, text: &str) {
        if let Some(target) = &mut self.target
            && !text.trim().is_empty()
        {
            target.is_blank = false;
        }
    }

    fn close(&mut self, depth: u32) {
        if let Some(target) = self.target.take_if(|target| target.depth == depth)
            && let Some(unit) = &self.unit
            && !target.is_blank
            && !target.is_open
        {
            self.units.translated.push(unit.key);
        }
        self.unit.take_if(|unit| unit.depth == depth);
    }
}

fn language(element: &BytesStart<'_>, name: &str, offset: usize) -> Result<Option<String>, Trouble> {
    let value = attribute(element, name, offset)?;
    Ok(value
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty()))
}

/// The value of an attribute, with nothing but XML's own five entities and numbers of characters resolved.
fn attribute(element: &BytesStart<'_>, name: &str, offset: usize) -> Result<Option<String>, Trouble> {
    for attribute in element.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| (offset, error.to_string()))?;
        if attribute.key.as_ref() == name {
            let value = quick_xml::escape::unescape(&attribute.value);
            return value
                .map(|value| Some(value.into_owned()))
                .map_err(|error| (offset, error.to_string()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that shows what it was made from: bytes, added up.
    fn key(id: &str) -> u64 {
        id.bytes().map(u64::from).sum()
    }

    fn in_file(units: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<xliff version=\"1.2\" xmlns=\"{NAMESPACE}\"><file source-language=\"en-US\" \
             target-language=\"de-DE\"><body><group id=\"body\">{units}</group></body></file></xliff>"
        )
    }

    fn translated(units: &str) -> Vec<u64> {
        let read = read(&in_file(units), key, |_| true).unwrap_or_else(|fault| panic!("{units}: {fault:?}"));
        read.units.unwrap().translated
    }

    fn fault(text: &str) -> (String, String) {
        let fault = read(text, key, |_| true).unwrap_err();
        (text[fault.offset..].chars().take(8).collect(), fault.reason)
    }

    #[test]
    fn a_unit_is_translated_when_its_target_says_something_that_is_not_waiting() {
        for (target, expected) in [
            ("<target>Artikel</target>", true),
            ("<target state=\"translated\">Artikel</target>", true),
            ("<target state=\"needs-review-translation\">Artikel</target>", true),
            ("<target state=\"needs-translation\">Artikel</target>", false),
            ("<target state=\"needs-translation\"/>", false),
            ("<target> \n\u{a0}</target>", false),
            ("<target>&#160;&#x20;</target>", false),
            ("<target>&#65;</target>", true),
            ("<target>&amp;</target>", true),
            ("<target>&own;</target>", true),
            ("<target><![CDATA[ x ]]></target>", true),
            ("<target><g id=\"1\">Artikel</g></target>", true),
            ("<target><x id=\"1\"/></target>", false),
            ("<target></target>", false),
            ("<target/>", false),
            ("", false),
            ("<alt-trans><target>Artikel</target></alt-trans>", false),
            ("<note>Artikel</note>", false),
        ] {
            let unit = format!("<trans-unit id=\"A\"><source>Item</source>{target}</trans-unit>");
            assert_eq!(translated(&unit), if expected { vec![65] } else { vec![] }, "{target}");
        }
    }

    #[test]
    fn ids_are_unescaped_and_their_first_segments_are_kept() {
        let units =
            "<trans-unit id=\"A - B&quot;\"><target>x</target></trans-unit><trans-unit id='C - D'/><trans-unit/>";
        let read = read(&in_file(units), key, |_| true).unwrap();
        let units = read.units.unwrap();
        assert_eq!(units.translated, [key("A - B\"")]);
        assert_eq!(units.objects, [65, 67]);
    }

    #[test]
    fn elements_may_have_a_prefix() {
        let text = format!(
            "<x:xliff xmlns:x=\"{NAMESPACE}\" xmlns:y=\"z\"><x:file target-language=\"de-DE\"><x:trans-unit id=\"A\">\
             <y:target>no</y:target></x:trans-unit><x:trans-unit id=\"B\"><x:target>yes</x:target></x:trans-unit></x:file>\
             </x:xliff>"
        );
        assert_eq!(read(&text, key, |_| true).unwrap().units.unwrap().translated, [66]);
    }

    #[test]
    fn languages_are_those_of_the_first_file_and_decide_how_much_is_read() {
        let text = format!(
            "<xliff xmlns=\"{NAMESPACE}\"><file source-language=\"en-US\" target-language=\" fr-FR \"/><file \
             target-language=\"de-DE\"></broken>"
        );
        let header = read(&text, key, |languages| languages.target.as_deref() == Some("de-DE")).unwrap();
        assert_eq!(header.units, None);
        assert_eq!(header.languages.target.as_deref(), Some("fr-FR"));
        let fault = read(&text, key, |_| true).unwrap_err();
        assert_eq!(fault.languages.target.as_deref(), Some("fr-FR"));
    }

    #[test]
    fn what_is_broken_has_a_place() {
        let (place, reason) = fault(&in_file("<trans-unit id=\"A\"><target>x</trans-unit>"));
        assert_eq!(place, "</trans-");
        assert!(reason.contains("expected `</target>`"), "{reason}");
        assert_eq!(fault(&in_file("<trans-unit id=\"&own;\"/>")).0, "<trans-u");
        assert_eq!(fault(&in_file("<trans-unit id=A/>")).0, "<trans-u");
        assert_eq!(fault(&in_file("a & b")).0, "& b</gro");
        let cut = in_file("").replace("</file></xliff>", "");
        assert_eq!(
            fault(&cut),
            (String::new(), "it ends before all elements are closed".to_owned())
        );
        assert_eq!(fault("").1, "there is no element in it");
        let bare = format!("<xliff xmlns=\"{NAMESPACE}\"/>");
        assert_eq!(fault(&bare).1, "there is no `file` element in it");
        for text in [
            "<xliff/>",
            "<tmx/>",
            "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\"/>",
        ] {
            assert!(
                fault(text).1.starts_with("its outermost element is not `xliff`"),
                "{text}"
            );
        }
    }

    #[test]
    fn entities_of_the_file_are_not_expanded() {
        let bomb = "<!DOCTYPE xliff [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
        let text = in_file("<trans-unit id=\"A\"><target>&b;</target></trans-unit>");
        let text = text.replacen('\n', bomb, 1);
        assert_eq!(read(&text, key, |_| true).unwrap().units.unwrap().translated, [65]);
    }

    #[test]
    fn endless_nesting_is_no_crash() {
        let text = in_file(&"<g>".repeat(200_000));
        assert_eq!(fault(&text).0, "</group>");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "(<[/a-z!?& =\"'>-]{0,8}|&[a-z#0-9]{0,4};?|[ -~\\u{a0}\\u{1F600}]{0,6}){0,40}",
            cut in 0_usize..400,
        ) {
            let _ = read(&text, key, |_| true);
            let whole = in_file(&format!("<trans-unit id=\"A\"><target>{text}</target></trans-unit>"));
            let end = whole.floor_char_boundary(cut);
            if let Err(fault) = read(&whole[..end], key, |_| true) {
                assert!(fault.offset <= end);
            }
        }
    }
}
