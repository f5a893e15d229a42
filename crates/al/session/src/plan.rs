//! Which rules run in a project, which do not and why, and what the rules may know of the project.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use candor_al_rules::{
    Cop, FileContext, Punctuation, RuleId, RuleSelection, RuntimeVersion, ScopeLeaving, Severity,
    StatementBlockSpacing, Translations,
};
use candor_al_syntax::Symbols;
use candor_al_workspace::configuration::{
    self as workspace, Action, Configuration, ConfigurationOptions, analyzer_name,
};

use crate::check::{RuleChoice, SuppressedBy};
use crate::vocabulary::AlError;

/// What the workspace has to know of the rules, and of this user, to read a project's settings.
pub(crate) fn configuration_options() -> ConfigurationOptions {
    ConfigurationOptions {
        available_cops: Cop::ALL.iter().map(|cop| cop.name().to_owned()).collect(),
        external_cache: candor_contract::candor_home().map(|home| home.join("al").join("external")),
    }
}

/// What becomes of a rule in a project.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    /// It runs, with this severity.
    Runs(Severity),
    /// The project's ruleset or manifest switches it off; says which.
    Suppressed(String),
    /// Its cop does not run, or the caller did not choose it.
    CopNotChosen,
    /// It is off by default, and nobody asked for it.
    OffByDefault,
}

/// How the rules are run over the files of a project.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    decisions: Vec<Decision>,
    /// The rules that would run, if the project did not switch them off.
    silenced: Vec<RuleId>,
    /// The rules that run.
    pub(crate) selection: RuleSelection,
    /// What the rules may know.
    pub(crate) context: FileContext,
    /// The preprocessor symbols that are defined.
    pub(crate) symbols: Symbols,
    /// Stands for all of this: plans with the same fingerprint find the same.
    pub(crate) fingerprint: u64,
}

impl Plan {
    /// The plan of a project, with its own choice of cops or another.
    pub(crate) fn of_project(configuration: &Configuration, cops: Option<&[Cop]>) -> Self {
        let cops = cops.map_or_else(|| chosen_cops(configuration), <[Cop]>::to_vec);
        let decisions: Vec<Decision> = RuleId::ALL
            .iter()
            .map(|&rule| decide(rule, configuration, &cops))
            .collect();
        let would_run = |rule: &RuleId| {
            let is_suppressed = matches!(decisions[*rule as usize], Decision::Suppressed(_));
            is_suppressed && rule.metadata().enabled_by_default && cops.contains(&rule.metadata().cop)
        };
        let silenced = RuleId::ALL.iter().copied().filter(would_run).collect();
        Self::new(decisions, silenced, configuration, &[])
    }

    /// The plan of a project as a command line wants it.
    pub(crate) fn of_choice(configuration: &Configuration, choice: &ChosenRules, symbols: &[String]) -> Self {
        let (mut decisions, mut silenced) = match &choice.selected {
            None => {
                let plan = Self::of_project(configuration, None);
                (plan.decisions, plan.silenced)
            }
            Some(selected) => {
                let decision = |&rule: &RuleId| {
                    // Where the text is not AL, the rules that were asked for are blind; that must be said.
                    if selected[rule as usize] || rule == RuleId::CN0001 {
                        Decision::Runs(rule.metadata().severity)
                    } else {
                        Decision::CopNotChosen
                    }
                };
                (RuleId::ALL.iter().map(decision).collect(), Vec::new())
            }
        };
        for &rule in RuleId::ALL {
            if choice.ignored[rule as usize] {
                decisions[rule as usize] = Decision::CopNotChosen;
            }
        }
        silenced.retain(|&rule| !choice.ignored[rule as usize]);
        Self::new(decisions, silenced, configuration, symbols)
    }

    /// The same, with the rules running that the project switches off, so that what they would say can be shown as
    /// suppressed. [`Self::reports`] does not change.
    pub(crate) fn with_silenced_rules(mut self) -> Self {
        let severity = |rule: RuleId| self.selection.severity(rule).unwrap_or(rule.metadata().severity);
        let rules = self.rules().chain(self.silenced.iter().copied());
        self.selection = RuleSelection::with_severities(rules.map(|rule| (rule, severity(rule))));
        self
    }

    /// The same, with what is translated in the project.
    pub(crate) fn with_translations(mut self, translations: Translations) -> Self {
        let mut hasher = DefaultHasher::new();
        (self.fingerprint, &translations).hash(&mut hasher);
        self.fingerprint = hasher.finish();
        self.context.translations = Some(translations);
        self
    }

    fn new(
        decisions: Vec<Decision>,
        silenced: Vec<RuleId>,
        configuration: &Configuration,
        more_symbols: &[String],
    ) -> Self {
        let running = RuleId::ALL.iter().filter_map(|&rule| match decisions[rule as usize] {
            Decision::Runs(severity) => Some((rule, severity)),
            _ => None,
        });
        let selection = RuleSelection::with_severities(running);
        let manifest = &configuration.manifest;
        let own_symbols = manifest.preprocessor_symbols.iter().map(|symbol| symbol.value.as_str());
        let mut symbols: Vec<&str> = own_symbols.chain(more_symbols.iter().map(String::as_str)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let context = facts_of(configuration);
        let mut hasher = DefaultHasher::new();
        (&decisions, &context, &symbols).hash(&mut hasher);
        Self {
            selection,
            context,
            symbols: symbols.into_iter().collect(),
            fingerprint: hasher.finish(),
            decisions,
            silenced,
        }
    }

    /// Whether a rule that runs asks what names mean.
    pub(crate) fn needs_meaning(&self) -> bool {
        self.selection.needs_meaning()
    }

    /// What is found hangs on this version of something else as well.
    pub(crate) fn depend_on(&mut self, version: u64) {
        let mut hasher = DefaultHasher::new();
        (self.fingerprint, version).hash(&mut hasher);
        self.fingerprint = hasher.finish();
    }

    /// What becomes of a rule.
    pub(crate) fn decision(&self, rule: RuleId) -> &Decision {
        &self.decisions[rule as usize]
    }

    /// Whether findings of a rule are wanted. [`RuleId::CN0001`] is always looked for, and not always asked for.
    pub(crate) fn reports(&self, rule: RuleId) -> bool {
        matches!(self.decision(rule), Decision::Runs(_))
    }

    /// Who keeps a rule that runs from being reported; none for one that is reported.
    pub(crate) fn silenced_by(&self, rule: RuleId) -> Option<SuppressedBy> {
        match self.decision(rule) {
            Decision::Suppressed(why) => Some(SuppressedBy::Project(why.clone())),
            Decision::Runs(_) | Decision::CopNotChosen | Decision::OffByDefault => None,
        }
    }

    /// The rules whose findings are wanted, sorted by id.
    pub(crate) fn rules(&self) -> impl Iterator<Item = RuleId> {
        RuleId::ALL.iter().copied().filter(|&rule| self.reports(rule))
    }
}

/// What the rules may know of a project: facts of its manifest and the settings of its `alcops.json`.
fn facts_of(configuration: &Configuration) -> FileContext {
    let runtime = configuration
        .manifest
        .runtime
        .as_ref()
        .map(|runtime| runtime.value.as_str());
    let settings = &configuration.alcops;
    let punctuations = settings.tool_tip_punctuations.iter().map(|it| Punctuation {
        character: it.character.clone(),
        name: it.name.clone(),
    });
    let mut facts = FileContext::default()
        .with_runtime(runtime.and_then(|text| text.parse::<RuntimeVersion>().ok()))
        .with_tool_tip_punctuations(punctuations)
        .with_mandatory_affixes(configuration.affixes.all());
    facts.cyclomatic_complexity_threshold = settings.cyclomatic_complexity_threshold;
    facts.maintainability_index_threshold = settings.maintainability_index_threshold;
    facts.statement_block_spacing = spacing_of(settings.statement_block_spacing);
    facts
}

fn spacing_of(setting: workspace::StatementBlockSpacing) -> StatementBlockSpacing {
    StatementBlockSpacing {
        control_flow_before: setting.control_flow_before,
        control_flow_after: setting.control_flow_after,
        scope_leaving: match setting.scope_leaving {
            workspace::ScopeLeaving::Off => ScopeLeaving::Off,
            workspace::ScopeLeaving::ExitOnly => ScopeLeaving::ExitOnly,
            workspace::ScopeLeaving::ErrorOnly => ScopeLeaving::ErrorOnly,
            workspace::ScopeLeaving::ExitAndError => ScopeLeaving::ExitAndError,
        },
        else_chain_before: setting.else_chain_before,
        one_liners: setting.one_liners,
    }
}

fn decide(rule: RuleId, configuration: &Configuration, cops: &[Cop]) -> Decision {
    let metadata = rule.metadata();
    // A text that is not AL is never in order, so nobody can switch that off. Only a caller who asks for other cops
    // does not get it.
    if rule == RuleId::CN0001 {
        return Decision::Runs(metadata.severity);
    }
    let ruleset = &configuration.ruleset;
    let path = || {
        let path = ruleset.path.as_ref();
        path.map_or_else(String::new, |path| format!(" {}", path.display()))
    };
    if ruleset.is_suppressed(metadata.id) {
        return Decision::Suppressed(format!("the ruleset{} gives it the action None", path()));
    }
    if let Some(other) = counterpart(rule).filter(|other| ruleset.switches_off(other.id())) {
        return Decision::Suppressed(format!(
            "the ruleset{} gives {other} the action None, which switches off both rules about the maintainability index",
            path(),
            other = other.id()
        ));
    }
    if configuration.manifest.suppresses(metadata.id) {
        return Decision::Suppressed("suppressWarnings in app.json names it".to_owned());
    }
    if !cops.contains(&metadata.cop) {
        return Decision::CopNotChosen;
    }
    if !metadata.enabled_by_default && !ruleset.switches_on(metadata.id) {
        return Decision::OffByDefault;
    }
    Decision::Runs(
        ruleset
            .severity(metadata.id)
            .and_then(severity_of)
            .unwrap_or(metadata.severity),
    )
}

/// The rule that is switched off together with this one: the two are one computation in the analyzer they come from, and
/// rulesets written for it count on that.
const fn counterpart(rule: RuleId) -> Option<RuleId> {
    match rule {
        RuleId::LC0007 => Some(RuleId::LC0008),
        RuleId::LC0008 => Some(RuleId::LC0007),
        _ => None,
    }
}

/// The cops that run in a project unless a caller chooses. The settings of the others are looked at whenever one of these
/// runs: nobody names `ALCops.Common` among the analyzers, each brings it along.
pub(crate) fn chosen_cops(configuration: &Configuration) -> Vec<Cop> {
    let names = configuration.cops.cops.iter();
    let mut cops: Vec<Cop> = names.filter_map(|name| Cop::from_name(name)).collect();
    if !cops.is_empty() && !cops.contains(&Cop::Common) {
        cops.push(Cop::Common);
    }
    cops
}

const fn severity_of(action: Action) -> Option<Severity> {
    match action {
        Action::None => None,
        Action::Hidden => Some(Severity::Hidden),
        Action::Info => Some(Severity::Info),
        Action::Warning => Some(Severity::Warning),
        Action::Error => Some(Severity::Error),
    }
}

/// The cops that an `analyzers` argument names, and a warning for each that we do not have.
///
/// # Errors
/// `Invalid` for an empty list, for blank entries, and for names that nobody's analyzer has when nothing else would run.
pub(crate) fn cops_of_argument(analyzers: &[String]) -> Result<(Vec<Cop>, Vec<String>), AlError> {
    if analyzers.is_empty() {
        return Err(AlError::invalid(
            "Argument `analyzers` is empty, so nothing would run. Name cops, or leave it out for the project's choice.",
        )
        .detail("analyzers"));
    }
    let mut cops = Vec::new();
    let mut unknown = Vec::new();
    for (index, spec) in analyzers.iter().enumerate() {
        let Some(name) = analyzer_name(spec) else {
            return Err(AlError::invalid(format!(
                "Argument `analyzers[{index}]` names no cop (given: {spec:?}). Known are {}.",
                known_cops()
            ))
            .detail(format!("analyzers[{index}]")));
        };
        match Cop::from_name(name) {
            Some(cop) if cops.contains(&cop) => {}
            Some(cop) => cops.push(cop),
            None => unknown.push((name, is_of_others(spec, name))),
        }
    }
    let misspelt = unknown.iter().find(|(_, is_of_others)| !is_of_others);
    if let (true, Some((name, _))) = (cops.is_empty(), misspelt) {
        let near = candor_contract::nearest_names(name, Cop::ALL.iter().map(|cop| cop.short_name()));
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!(" Did you mean {}?", near.join(" or "))
        };
        return Err(AlError::invalid(format!(
            "Argument `analyzers` names no cop that is available ({:?}), so nothing would run.{hint} Known are {}.",
            candor_contract::shortened(name, 300),
            known_cops()
        ))
        .detail("analyzers"));
    }
    let warnings = unknown.iter().map(|(name, _)| {
        format!(
            "analyzers: the cop {name} is not available and was left out; known are {}",
            known_cops()
        )
    });
    Ok((cops, warnings.collect()))
}

/// Whether an analyzer that we do not have may well be somebody else's: one of Microsoft's, the compiler, or a file.
fn is_of_others(spec: &str, name: &str) -> bool {
    const OTHERS: [&str; 6] = [
        "CodeCop",
        "UICop",
        "PerTenantExtensionCop",
        "AppSourceCop",
        "Compiler",
        "BusinessCentral.LinterCop",
    ];
    let spec = spec.trim();
    let is_file = Path::new(spec)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("dll"));
    spec.starts_with("${") || is_file || OTHERS.iter().any(|other| other.eq_ignore_ascii_case(name))
}

fn known_cops() -> String {
    Cop::ALL.iter().map(|cop| cop.name()).collect::<Vec<_>>().join(", ")
}

/// A [`RuleChoice`] that is known to mean something.
#[derive(Debug, Clone)]
pub(crate) struct ChosenRules {
    /// By number of the rule; none when the project chooses.
    selected: Option<Vec<bool>>,
    ignored: Vec<bool>,
}

impl ChosenRules {
    /// # Errors
    /// `Invalid` for a word that is neither an id, a cop nor `ALL`.
    pub(crate) fn read(choice: &RuleChoice) -> Result<Self, AlError> {
        Ok(Self {
            selected: match choice.select.as_slice() {
                [] => None,
                words => Some(rules_of_words(words, "select")?),
            },
            ignored: rules_of_words(&choice.ignore, "ignore")?,
        })
    }
}

fn rules_of_words(words: &[String], option: &str) -> Result<Vec<bool>, AlError> {
    let mut chosen = vec![false; RuleId::ALL.len()];
    for word in words {
        let name = word.trim();
        if name.eq_ignore_ascii_case("ALL") {
            chosen.fill(true);
        } else if let Some(rule) = RuleId::from_id(name) {
            chosen[rule as usize] = true;
        } else if let Some(cop) = Cop::from_name(name) {
            RuleId::of_cop(cop).for_each(|rule| chosen[rule as usize] = true);
        } else {
            return Err(unknown_rule_or_cop(word, option));
        }
    }
    Ok(chosen)
}

fn unknown_rule_or_cop(word: &str, option: &str) -> AlError {
    let ids = RuleId::ALL.iter().map(|rule| rule.id());
    let names = Cop::ALL.iter().flat_map(|cop| [cop.name(), cop.short_name()]);
    let near = candor_contract::nearest_names(word, ids.chain(names).chain(["ALL"]));
    let hint = if near.is_empty() {
        format!(" Known are rule ids, ALL, and the cops {}.", known_cops())
    } else {
        format!(" Did you mean {}?", near.join(" or "))
    };
    AlError::invalid(format!("{word:?} is neither a rule, a cop nor ALL.{hint}")).detail(option)
}
