//! The contract: error envelope, vocabulary, hints, schema policy, journal and new_errors.
