//! The translation files of a project.

use std::sync::Arc;

use candor_al_workspace::faults::{Effect, Fault, FaultyFileSystem, Operation};
use candor_al_workspace::file_system::Disk;
use candor_al_workspace::translations::{TranslationFiles, TranslationQuestion, Translations};

use crate::support::Tree;

/// Makes a short id readable: `A` is 65.
fn key(id: &str) -> u64 {
    id.bytes().map(u64::from).sum()
}

fn xliff(target_language: &str, units: &[(&str, &str)]) -> String {
    let units = units.iter().map(|(id, target)| {
        format!("        <trans-unit id=\"{id}\"><source>x</source><target>{target}</target></trans-unit>\n")
    });
    format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff version=\"1.2\" \
         xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n  <file source-language=\"en-US\" \
         target-language=\"{target_language}\" original=\"App\">\n    <body>\n{}    </body>\n  </file>\n</xliff>\n",
        units.collect::<String>()
    )
}

fn ask(tree: &Tree, languages: &[&str]) -> Arc<Translations> {
    TranslationFiles::new().read(&Disk, tree.root(), question(&owned(languages)))
}

fn owned(languages: &[&str]) -> Vec<String> {
    languages.iter().map(|&name| name.to_owned()).collect()
}

fn question(languages: &[String]) -> TranslationQuestion<'_> {
    TranslationQuestion { languages, key }
}

/// Languages and what is translated into them, in short.
fn told(translations: &Translations) -> Vec<(&str, &[u64])> {
    let languages = translations.languages.iter();
    languages
        .map(|language| (language.name.as_str(), &*language.translated))
        .collect()
}

fn warnings(tree: &Tree, translations: &Translations) -> Vec<String> {
    translations
        .warnings
        .iter()
        .map(|warning| tree.plain(warning))
        .collect()
}

#[test]
fn without_a_folder_there_are_only_the_languages_asked_for() {
    let tree = Tree::new(&[("app.json", "{}")]);
    assert_eq!(told(&ask(&tree, &[])), []);
    let asked = ask(&tree, &["de-DE", " ", "da-DK", "DE-de"]);
    assert_eq!(told(&asked), [("da-DK", &[][..]), ("de-DE", &[])]);
    assert_eq!(warnings(&tree, &asked), [""; 0]);
}

#[test]
fn every_language_of_a_file_counts_but_that_of_the_source() {
    let tree = Tree::new(&[
        ("Translations/App.g.xlf", &xliff("en-US", &[("G - 1", "")])),
        ("Translations/App.en-US.xlf", &xliff("en-US", &[("A", "x")])),
        (
            "Translations/App.de-DE.xlf",
            &xliff("de-DE", &[("A", "x"), ("B", " "), ("C - D", "x")]),
        ),
        ("Translations/More.de-DE.XLF", &xliff("de-de", &[("B", "x")])),
        ("Translations/App.fr-FR.xlf", &xliff("fr-FR", &[])),
        ("Translations/Notes.txt", "no translation"),
        ("Translations/Old/App.es-ES.xlf", &xliff("es-ES", &[])),
    ]);
    let found = ask(&tree, &[]);
    assert_eq!(told(&found), [("de-DE", &[65, 66, key("C - D")][..]), ("fr-FR", &[])]);
    assert_eq!(*found.objects, [65, 66, 67, 71]);
    assert_eq!(warnings(&tree, &found), [""; 0]);
}

#[test]
fn of_languages_nobody_asks_for_only_the_head_is_read() {
    let broken = xliff("fr-FR", &[("A", "x")]).replace("</body>", "</oops>");
    let tree = Tree::new(&[
        ("Translations/App.de-DE.xlf", &xliff("de-DE", &[("A", "x")])),
        ("Translations/App.fr-FR.xlf", &broken),
    ]);
    let files = TranslationFiles::new();
    let german = files.read(&Disk, tree.root(), question(&owned(&["de-DE"])));
    assert_eq!(told(&german), [("de-DE", &[65][..])]);
    assert_eq!(warnings(&tree, &german), [""; 0]);
    let both = files.read(&Disk, tree.root(), question(&owned(&["de-DE", "fr-FR"])));
    assert_eq!(
        warnings(&tree, &both).len(),
        1,
        "what was left out is read when it is wanted"
    );
}

#[test]
fn a_broken_file_is_a_warning_with_its_place_and_nothing_is_known_of_its_language() {
    let broken = xliff("de-DE", &[("A", "x")]).replace("</target>", "</tarjet>");
    let tree = Tree::new(&[
        ("Translations/App.de-DE.xlf", &broken),
        ("Translations/App.fr-FR.xlf", &xliff("fr-FR", &[])),
    ]);
    for asked in [&[][..], &["de-DE", "fr-FR"]] {
        let found = ask(&tree, asked);
        assert_eq!(told(&found), [("fr-FR", &[][..])]);
        assert_eq!(
            warnings(&tree, &found),
            [
                "Translations/App.de-DE.xlf:5:55: is no translation file (XLIFF 1.2) that can be used: ill-formed \
                 document: expected `</target>`, but `</tarjet>` was found; nothing is known of its translations"
            ]
        );
        assert_eq!(found.warnings[0].problem.code(), "invalid_translation");
    }
}

#[test]
fn a_file_that_does_not_say_its_language_may_hold_any_translation() {
    let tree = Tree::new(&[
        ("Translations/App.xlf", "<tmx/>"),
        ("Translations/App.fr-FR.xlf", &xliff("fr-FR", &[])),
    ]);
    assert_eq!(told(&ask(&tree, &["da-DK", "fr-FR"])), [("fr-FR", &[][..])]);
    tree.write("Translations/App.xlf", xliff("", &[]));
    let found = ask(&tree, &["da-DK", "fr-FR"]);
    assert_eq!(told(&found), [("fr-FR", &[][..])]);
    assert_eq!(
        warnings(&tree, &found),
        [
            "Translations/App.xlf:3:3: is no translation file (XLIFF 1.2) that can be used: its first `file` element has no \
             target-language; nothing is known of its translations"
        ]
    );
}

#[test]
fn what_cannot_be_read_is_a_warning_and_tried_again() {
    let tree = Tree::new(&[("Translations/App.de-DE.xlf", &xliff("de-DE", &[("A", "x")]))]);
    let refused = std::io::ErrorKind::PermissionDenied;
    let disk = FaultyFileSystem::new(
        Disk,
        [
            Fault::new(Operation::List, "Translations", Effect::Fail(refused)),
            Fault::new(Operation::Read, "App.de-DE.xlf", Effect::Fail(refused)),
        ],
    );
    let files = TranslationFiles::new();
    let german = owned(&["de-DE"]);
    let ask = || files.read(&disk, tree.root(), question(&german));
    let no_folder = ask();
    assert_eq!(told(&no_folder), []);
    assert!(warnings(&tree, &no_folder)[0].starts_with("Translations: the folder could not be read"));
    let no_file = ask();
    assert_eq!(told(&no_file), []);
    assert!(warnings(&tree, &no_file)[0].starts_with("Translations/App.de-DE.xlf: the file could not be read"));
    assert_ne!(no_folder.content_hash, no_file.content_hash);
    let found = ask();
    assert_eq!(told(&found), [("de-DE", &[65][..])]);
    assert_eq!(warnings(&tree, &found), [""; 0]);
}

#[test]
fn a_file_is_read_again_when_it_changes_and_only_then() {
    let tree = Tree::new(&[("Translations/App.de-DE.xlf", &xliff("de-DE", &[("A", "x")]))]);
    let disk = FaultyFileSystem::new(Disk, []);
    let files = TranslationFiles::new();
    let ask = || files.read(&disk, tree.root(), question(&[]));
    let first = ask();
    std::thread::sleep(std::time::Duration::from_millis(60));
    let second = ask();
    let reads = disk.count(Operation::Read);
    assert!(Arc::ptr_eq(&first, &second));
    assert!(Arc::ptr_eq(&first, &ask()));
    assert_eq!(
        disk.count(Operation::Read),
        reads,
        "its stamp says that it is as it was"
    );
    tree.write("Translations/App.de-DE.xlf", xliff("de-DE", &[("B", "x")]));
    let changed = ask();
    assert_eq!(told(&changed), [("de-DE", &[66][..])]);
    assert_ne!(changed.content_hash, first.content_hash);
    std::fs::remove_file(tree.path("Translations/App.de-DE.xlf")).unwrap();
    assert_eq!(told(&ask()), []);
}
