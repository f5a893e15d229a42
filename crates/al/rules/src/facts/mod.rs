//! What several rules ask about AL: language facts, each in one place.

mod calls;
mod complexity;
mod counting;
mod documentation;
mod events;
mod interfaces;
mod labels;
mod names;
mod natural_order;
mod obsolete;
mod parameters;
mod switched_off;
mod tool_tips;
mod translation_ids;
mod trivia;
mod xml_documentation;

pub(crate) use calls::{arguments_of, built_in_call, is_record_method, receiver_of};
pub(crate) use complexity::{cyclomatic_complexity, maintainability_index, measured_body};
pub(crate) use counting::{Counting, counted_name, counting_at};
pub(crate) use documentation::{
    Audience, DOCUMENTED_OBJECTS, has_fixed_access, signature, undocumented_object, undocumented_procedure,
};
pub(crate) use events::{has_fixed_signature, is_event_publisher, is_event_subscriber, is_test_handler};
pub(crate) use interfaces::implements_interface_method;
pub(crate) use labels::label_variables;
pub(crate) use names::{owner_name, quoted_if_needed};
pub(crate) use natural_order::{has_natural_order, natural_order};
pub(crate) use obsolete::{
    is_in_obsolete_code, is_in_obsolete_object, is_obsolete, is_obsolete_method, is_obsolete_object,
};
pub(crate) use parameters::{is_called_by_action, unused_parameters};
pub(crate) use switched_off::sets_property_when_switched_on;
pub(crate) use tool_tips::ToolTip;
pub(crate) use translation_ids::{ACTIONS, CONTROLS, label_ids, property_ids, report_label_ids};
pub(crate) use trivia::{has_comment_or_directive, leading_trivia, line_ends, trailing_trivia};
pub(crate) use xml_documentation::{Subject, documentation_block, documented_elements};
