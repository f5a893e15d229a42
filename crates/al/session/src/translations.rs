//! What the rules may know of a project's translations: read only where a rule runs that asks for them.

use std::path::Path;
use std::sync::Arc;

use candor_al_rules::{RuleId, Translations, translation_key};
use candor_al_workspace::configuration::Configuration;
use candor_al_workspace::file_system::FileSystem;
use candor_al_workspace::translations::{TranslationFiles, TranslationQuestion};

use crate::notes::Notes;
use crate::plan::Plan;

/// Why nothing can be missing in a project, whatever its files say.
const NO_FEATURE: &str = "app.json does not switch on the feature TranslationFile";
const NAMESPACES: &str = "its translation files name texts by namespace (the feature TranslationsWithNamespaces)";
const NO_LANGUAGE: &str =
    "no language is known to be demanded: none is set (LanguagesToTranslate), and no readable translation file has one";

/// The plan of the project in `root` with what its rules may know of its translations.
pub(crate) fn with_translations(
    plan: Plan,
    configuration: &Configuration,
    known: &TranslationFiles,
    files: &dyn FileSystem,
    root: &Path,
    notes: &mut Notes,
) -> Plan {
    if !plan.selection.contains(RuleId::LC0091) || why_never_read(configuration).is_some() {
        return plan;
    }
    let languages = configuration
        .alcops
        .languages_to_translate
        .as_deref()
        .unwrap_or_default();
    let question = TranslationQuestion {
        languages,
        key: translation_key,
    };
    let found = known.read(files, root, question);
    notes.add_workspace(&found.warnings, Some(root));
    if found.languages.is_empty() {
        return plan;
    }
    let languages = found
        .languages
        .iter()
        .map(|language| (language.name.clone(), Arc::clone(&language.translated)));
    plan.with_translations(Translations::new(
        languages,
        Arc::clone(&found.objects),
        found.content_hash,
    ))
}

fn why_never_read(configuration: &Configuration) -> Option<&'static str> {
    let manifest = &configuration.manifest;
    if !manifest.has_feature("TranslationFile") {
        Some(NO_FEATURE)
    } else if manifest.has_feature("TranslationsWithNamespaces") {
        Some(NAMESPACES)
    } else {
        None
    }
}

/// Why a rule that runs can find nothing in a project, where that is so for want of translations.
pub(crate) fn why_inert(rule: RuleId, plan: &Plan, configuration: &Configuration) -> Option<&'static str> {
    if rule != RuleId::LC0091 || plan.context.translations.is_some() {
        return None;
    }
    why_never_read(configuration).or(Some(NO_LANGUAGE))
}
