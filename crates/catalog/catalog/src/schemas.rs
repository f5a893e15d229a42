//! The published schemas of arguments whose types say less than is known about them.

use schemars::{Schema, SchemaGenerator, json_schema};

/// Types for the columns of a file, by name or in order.
pub(crate) fn column_types(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            {"type": "object", "additionalProperties": {"type": "string"}},
            {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
        ]
    })
}

/// How a text file is read.
pub(crate) fn reader_options(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "delimiter": {"description": "Between fields, such as \";\" or \"\\t\"", "type": "string"},
            "quote": {"description": "Around fields; empty for none", "type": "string"},
            "escape": {"description": "Before a quote inside a field", "type": "string"},
            "comment": {"description": "Lines that begin with it are passed over", "type": "string"},
            "has_header": {"description": "Whether the first line names the columns", "type": "boolean"},
            "skip_rows": {"description": "Lines before the header", "type": "integer", "minimum": 0},
            "null_values": {"description": "Texts that mean no value", "type": "array", "items": {"type": "string"}},
            "decimal": {"description": "The decimal sign", "type": "string", "enum": [".", ","]},
            "thousands": {"description": "The sign between thousands", "type": "string"},
            "encoding": {"description": "Such as utf-8, utf-16le, windows-1252", "type": "string"}
        },
        "additionalProperties": false
    })
}
