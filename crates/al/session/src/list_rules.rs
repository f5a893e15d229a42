//! The tool `list_rules`, and the catalogue of rules for the command line.

use candor_al_rules::{Cop, RuleId};
use candor_contract::{ReplyBudget, json_bytes};

use crate::plan::chosen_cops;
use crate::repair::least_safe;
use crate::session::{Call, room_beside};
use crate::tools::{ListRulesArguments, ListRulesResult, RuleEntry};
use crate::vocabulary::AlError;

impl Call<'_> {
    pub(crate) fn list_rules(&mut self, arguments: &ListRulesArguments) -> Result<ListRulesResult, AlError> {
        let root = self.session.known_project(arguments.project_path.as_deref())?;
        let chosen = self.cops(arguments.analyzers.as_deref())?;
        let view = self.view(&root, chosen.as_deref())?;
        let cops = chosen.unwrap_or_else(|| {
            let own = chosen_cops(&view.snapshot.configuration);
            own.into_iter().chain([Cop::Candor]).collect()
        });
        let filter = arguments
            .cop_filter
            .as_deref()
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let wanted = filter.map(Cop::from_name);
        if let (Some(name), Some(None)) = (filter, wanted) {
            let known: Vec<_> = Cop::ALL.iter().map(|cop| cop.name()).collect();
            self.notes.warn(format!(
                "copFilter: there is no cop {name}; known are {}",
                known.join(", ")
            ));
        }
        let is_listed = |rule: &RuleId| {
            let cop = rule.metadata().cop;
            cops.contains(&cop) && wanted.is_none_or(|wanted| wanted == Some(cop))
        };
        let mut result = ListRulesResult {
            rules: Vec::new(),
            warnings: self.warnings(),
            content_version: view.snapshot.content_version.to_string(),
        };
        let mut budget = ReplyBudget::new(room_beside(json_bytes(&result)));
        let mut left_out = 0;
        for rule in RuleId::ALL.iter().copied().filter(is_listed) {
            let entry = if arguments.verbose {
                verbose_entry(rule)
            } else {
                entry(rule)
            };
            if left_out == 0 && budget.take(&entry) {
                result.rules.push(entry);
            } else {
                left_out += 1;
            }
        }
        if left_out > 0 {
            let last = result.rules.last().map_or("", |rule| rule.id.as_str());
            result.warnings.push(format!(
                "{left_out} rules after {last} did not fit into the reply; narrow it with copFilter, or without verbose"
            ));
        }
        Ok(result)
    }
}

fn entry(rule: RuleId) -> RuleEntry {
    let metadata = rule.metadata();
    RuleEntry {
        id: metadata.id.to_owned(),
        title: metadata.title.to_owned(),
        cop: Some(metadata.cop.name().to_owned()),
        description: None,
        severity: None,
        category: None,
        cop_name: None,
        has_code_fix: None,
        help_uri: None,
        fix_safety: None,
    }
}

fn verbose_entry(rule: RuleId) -> RuleEntry {
    let metadata = rule.metadata();
    RuleEntry {
        cop: None,
        description: Some(metadata.description()),
        severity: Some(metadata.severity.into()),
        category: Some(metadata.category.name().to_owned()),
        cop_name: Some(metadata.cop.name().to_owned()),
        has_code_fix: Some(!metadata.fixes.is_empty()),
        help_uri: metadata.help_uri(),
        fix_safety: least_safe(rule),
        ..entry(rule)
    }
}
