//! What of the answers' types is published. Agents pay for every byte, and the keys of an answer speak for themselves: so
//! only types are, and not documentation, nor that a number of things is not negative.

use schemars::Schema;
use serde_json::Value;

/// The schema of a whole answer.
pub(crate) fn answer(schema: &mut Schema) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        property.remove("description");
        property.remove("minimum");
        property.remove("maximum");
    }
}

/// The schema of an entry of a list in an answer: which of its keys are always there follows from the tool's description.
pub(crate) fn entry(schema: &mut Schema) {
    answer(schema);
    schema.remove("description");
    schema.remove("required");
}

/// The schema of a choice between words.
pub(crate) fn choice(schema: &mut Schema) {
    schema.remove("description");
}
