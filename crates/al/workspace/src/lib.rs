//! Files, settings, rulesets, refresh and guarded writes of AL projects.
