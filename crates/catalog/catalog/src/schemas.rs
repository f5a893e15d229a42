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
            "delimiter": {"type": "string"},
            "quote": {"type": "string"},
            "escape": {"type": "string"},
            "comment": {"type": "string"},
            "has_header": {"type": "boolean"},
            "skip_rows": {"type": "integer", "minimum": 0},
            "null_values": {"type": "array", "items": {"type": "string"}},
            "decimal": {"type": "string", "enum": [".", ","]},
            "thousands": {"type": "string"},
            "encoding": {"type": "string"}
        },
        "additionalProperties": false
    })
}
