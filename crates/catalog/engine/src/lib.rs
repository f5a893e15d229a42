//! Recipes in SQL: parsing, identity, planning, materialising; the only crate that knows DataFusion.
