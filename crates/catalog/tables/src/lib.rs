//! Arrow tables in files: import, snapshots, digests, pages, cells as JSON.
