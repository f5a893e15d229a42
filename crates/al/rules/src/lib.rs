//! The rules of Candor for AL: one file per rule.
//!
//! This crate is pure. It knows no files, no clock, no threads and no protocol: [`check`] turns a tree and a few facts
//! about its project into [`Finding`]s, a finding words itself ([`Finding::message`]) and builds its fixes
//! ([`Finding::fix`]) only when asked. What goes wrong inside a rule becomes an [`Incident`] and stops nothing else.
//!
//! **To find a rule**, open `src/<cop>/<id>_<name>.rs`; everything about it is there, in this order: its page, what is
//! known about it, what it remembers, how it finds, what it says, how it repairs, its tests.
//!
//! **To add a rule**, write such a file (copy the one that is most alike) and add its line to the table below.
//!
//! Most rules look at the tree of a file. Those that look at a project, its manifest or its settings, are asked by
//! [`check_project`]; see `project.rs`.
//!
//! Two policies hold for all rules. Text that is not AL is no ground for an accusation: see `damage.rs`. And a fix
//! changes tokens through [`candor_al_syntax::edit`], never text, so that comments and directives survive.

mod check;
mod context;
mod damage;
mod facts;
mod finding;
mod fix_all;
mod incident;
mod meaning;
mod metadata;
mod page;
mod project;
mod registry;
mod rule;
mod selection;
mod settings;
mod suppression;
#[cfg(test)]
mod testing;
mod translations;

pub use check::{Checked, RuleObserver, RuleTimes, check, check_observed};
pub use context::{FileContext, Punctuation, RuntimeVersion};
pub use finding::Finding;
pub use fix_all::{ChosenFix, FixProblem, FixedText, fix_all};
pub use incident::{Incident, IncidentWork, install_panic_hook};
pub use meaning::Workspace;
pub use metadata::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};
pub use page::{index, page};
pub use project::{CheckedProject, Place, Placed, ProjectFacts, ProjectFinding, SettingsProblem, check_project};
pub use selection::RuleSelection;
pub use settings::{ScopeLeaving, StatementBlockSpacing};
pub use suppression::Suppressions;
pub use translations::{Translations, translation_key};

use candor_al_syntax::edit::EditSet;
use candor_al_syntax::{Node, Tree};
use context::Context;
use rule::{Report, Rule};
#[cfg(test)]
use testing::Tester;

registry::rules! {
    application_cop {
        AC0007 ac0007_install_and_upgrade_codeunits_should_be_internal InstallAndUpgradeCodeunitsShouldBeInternal,
        AC0008 ac0008_table_data_per_company_declaration TableDataPerCompanyDeclaration,
        AC0009 ac0009_permission_set_caption_length PermissionSetCaptionLength,
        AC0012 ac0012_integration_event_in_internal_codeunit IntegrationEventInInternalCodeunit,
        AC0014 ac0014_tool_tip_must_end_with_punctuation ToolTipMustEndWithPunctuation,
        AC0015 ac0015_tool_tip_should_start_with_specifies ToolTipShouldStartWithSpecifies,
        AC0016 ac0016_tool_tip_do_not_use_line_breaks ToolTipDoNotUseLineBreaks,
        AC0017 ac0017_tool_tip_maximum_length ToolTipMaximumLength,
        AC0018 ac0018_empty_caption_locked EmptyCaptionLocked,
        AC0019 ac0019_zero_enum_value_reserved_for_empty ZeroEnumValueReservedForEmpty,
        AC0020 ac0020_label_with_tok_suffix_must_be_locked LabelWithTokSuffixMustBeLocked,
        AC0021 ac0021_label_locked_must_have_tok_suffix LabelLockedMustHaveTokSuffix,
        AC0022 ac0022_enum_empty_value_has_caption EnumEmptyValueHasCaption,
        AC0023 ac0023_enum_value_has_empty_caption EnumValueHasEmptyCaption,
        AC0024 ac0024_public_event_publisher PublicEventPublisher,
        AC0027 ac0027_label_token_requires_tok_suffix LabelTokenRequiresTokSuffix,
    }
    common {
        CM0001 cm0001_configuration_could_not_be_loaded ConfigurationCouldNotBeLoaded,
    }
    candor {
        CN0001 cn0001_syntax_error SyntaxError,
    }
    documentation_cop {
        DC0003 dc0003_empty_statement_requires_comment EmptyStatementRequiresComment,
        DC0004 dc0004_public_procedure_requires_documentation PublicProcedureRequiresDocumentation,
        DC0005 dc0005_xml_documentation_procedure_consistency XmlDocumentationProcedureConsistency,
        DC0006 dc0006_internal_procedure_requires_documentation InternalProcedureRequiresDocumentation,
        DC0007 dc0007_public_object_requires_documentation PublicObjectRequiresDocumentation,
        DC0008 dc0008_internal_object_requires_documentation InternalObjectRequiresDocumentation,
        DC0009 dc0009_event_requires_documentation EventRequiresDocumentation,
        DC0010 dc0010_internal_event_requires_documentation InternalEventRequiresDocumentation,
    }
    formatting_cop {
        FC0001 fc0001_semicolon_after_method_or_trigger_declaration SemicolonAfterMethodOrTriggerDeclaration,
        FC0002 fc0002_casing_mismatch CasingMismatch,
        FC0003 fc0003_use_parenthesis_for_function_call UseParenthesisForFunctionCall,
        FC0004 fc0004_permission_declaration_order PermissionDeclarationOrder,
        FC0005 fc0005_use_parenthesis_for_method_assignment UseParenthesisForMethodAssignment,
        FC0006 fc0006_permission_values_should_be_lowercase PermissionValuesShouldBeLowercase,
        FC0007 fc0007_statement_blocks_separated_by_blank_line StatementBlocksSeparatedByBlankLine,
    }
    linter_cop {
        LC0003 lc0003_object_id_in_declaration ObjectIdInDeclaration,
        LC0007 lc0007_maintainability_index_metric MaintainabilityIndexMetric,
        LC0008 lc0008_maintainability_index_threshold_exceeded MaintainabilityIndexThresholdExceeded,
        LC0009 lc0009_cyclomatic_complexity_metric CyclomaticComplexityMetric,
        LC0010 lc0010_cyclomatic_complexity_threshold_exceeded CyclomaticComplexityThresholdExceeded,
        LC0020 lc0020_application_area_redundancy ApplicationAreaRedundancy,
        LC0028 lc0028_identifiers_in_event_subscribers IdentifiersInEventSubscribers,
        LC0031 lc0031_record_instance_isolation_level RecordInstanceIsolationLevel,
        LC0033 lc0033_app_manifest_runtime_behind AppManifestRuntimeBehind,
        LC0040 lc0040_explicitly_set_run_trigger ExplicitlySetRunTrigger,
        LC0048 lc0048_error_invocation_using_text_constant ErrorInvocationUsingTextConstant,
        LC0054 lc0054_interface_object_name_guide InterfaceObjectNameGuide,
        LC0081 lc0081_use_is_empty_method_instead_of_count UseIsEmptyMethodInsteadOfCount,
        LC0082 lc0082_use_query_or_find_with_next_instead_of_count UseQueryOrFindWithNextInsteadOfCount,
        LC0091 lc0091_translatable_text_should_be_translated TranslatableTextShouldBeTranslated,
        LC0095 lc0095_parameter_not_referenced ParameterNotReferenced,
        LC0097 lc0097_mixed_exit_and_named_return_assignment MixedExitAndNamedReturnAssignment,
        LC0099 lc0099_event_subscriber_parameter_not_referenced EventSubscriberParameterNotReferenced,
    }
    platform_cop {
        PC0019 pc0019_filter_string_single_quote_escaping FilterStringSingleQuoteEscaping,
        PC0032 pc0032_report_layout_property_length ReportLayoutPropertyLength,
    }
    test_automation_cop {
        TA0001 ta0001_global_method_requires_test_attribute GlobalMethodRequiresTestAttribute,
    }
}
