//! `rows1`: a 128-bit hash of each row, whatever stands before or behind it.

use super::canonical::{Column, Values};
use arrow::array::{Array, AsArray};
use arrow::datatypes::DataType;
use xxhash_rust::xxh3::xxh3_128;

/// Odd, so that multiplying loses nothing; its bits are those of the golden ratio's fraction.
const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// Mixes `cell` of a column with the given seed into the hash of what stands left of it.
#[inline]
pub(super) fn fold(hash: u128, cell: u128, seed: u128) -> u128 {
    let mixed = (hash ^ cell).wrapping_add(seed).wrapping_mul(FACTOR);
    mixed ^ (mixed >> 71)
}

/// The last step: without it the sum over all rows would say little about the last column.
#[inline]
pub(super) fn finish(hash: u128) -> u128 {
    let mixed = (hash ^ (hash >> 64)).wrapping_mul(FACTOR);
    let mixed = (mixed ^ (mixed >> 67)).wrapping_mul(FACTOR);
    mixed ^ (mixed >> 64)
}

/// A constant of its own for everything that has a name.
pub(super) fn seed(of: &str) -> u128 {
    xxh3_128(format!("candor digest 1/{of}").as_bytes())
}

/// Seed of the column at `position` (0-based): equal cells at two positions count differently.
pub(super) fn column_seed(position: usize, class: &str) -> u128 {
    seed(&format!("column/{position}/{class}"))
}

/// The hash of every cell. Equal values have equal hashes, whatever their type's width, unit or layout.
pub(super) fn cell_hashes(column: &Column) -> Vec<u128> {
    let null = seed("null");
    let mut hashes = match &column.values {
        Values::Nothing => vec![null; column.rows],
        Values::Fixed { width: 1, bytes } => {
            let known = [xxh3_128(&[0]), xxh3_128(&[1])];
            bytes.iter().map(|value| known[usize::from(*value != 0)]).collect()
        }
        Values::Fixed { width: 8, bytes } => fixed::<8>(bytes),
        Values::Fixed { width: 16, bytes } => fixed::<16>(bytes),
        Values::Fixed { width, bytes } => bytes.chunks_exact(*width).map(xxh3_128).collect(),
        Values::Unsigned(bytes) => bytes.chunks_exact(8).map(unsigned).collect(),
        Values::Bytes(array) => text(array),
        Values::List { offsets, items } => list(column, offsets, items),
        Values::Struct(fields) => structure(column, fields),
        Values::Map { offsets, keys, values } => map(column, offsets, keys, values),
        Values::Union { kinds, places, fields } => union(kinds, places, fields),
    };
    if let Some(nulls) = &column.nulls {
        for (hash, valid) in hashes.iter_mut().zip(nulls.iter()) {
            if !valid {
                *hash = null;
            }
        }
    }
    hashes
}

fn fixed<const WIDTH: usize>(bytes: &[u8]) -> Vec<u128> {
    let (cells, _) = bytes.as_chunks::<WIDTH>();
    cells.iter().map(|cell| xxh3_128(cell)).collect()
}

/// An unsigned integer hashes as the signed one of the same value; beyond it, as 16 bytes.
fn unsigned(bytes: &[u8]) -> u128 {
    let value = bytes
        .iter()
        .rev()
        .fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
    if i64::try_from(value).is_ok() {
        xxh3_128(bytes)
    } else {
        xxh3_128(&u128::from(value).to_le_bytes())
    }
}

fn text(array: &dyn Array) -> Vec<u128> {
    let rows = 0..array.len();
    match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            rows.map(|row| xxh3_128(array.value(row).as_bytes())).collect()
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            rows.map(|row| xxh3_128(array.value(row).as_bytes())).collect()
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            rows.map(|row| xxh3_128(array.value(row).as_bytes())).collect()
        }
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            rows.map(|row| xxh3_128(array.value(row))).collect()
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            rows.map(|row| xxh3_128(array.value(row))).collect()
        }
        DataType::BinaryView => {
            let array = array.as_binary_view();
            rows.map(|row| xxh3_128(array.value(row))).collect()
        }
        _ => {
            let array = array.as_fixed_size_binary();
            rows.map(|row| xxh3_128(array.value(row))).collect()
        }
    }
}

fn list(column: &Column, offsets: &[usize], items: &Column) -> Vec<u128> {
    let (start, seed_of_items) = (seed("list"), seed(items.class));
    let hashes = cell_hashes(items);
    (0..column.rows)
        .map(|row| {
            let items = &hashes[offsets[row]..offsets[row + 1]];
            let folded = items.iter().fold(start, |hash, item| fold(hash, *item, seed_of_items));
            finish(fold(folded, items.len() as u128, start))
        })
        .collect()
}

fn structure(column: &Column, fields: &[Column]) -> Vec<u128> {
    let mut hashes = vec![seed("struct"); column.rows];
    for field in fields {
        let seed_of_field = seed(field.class);
        for (hash, cell) in hashes.iter_mut().zip(cell_hashes(field)) {
            *hash = fold(*hash, cell, seed_of_field);
        }
    }
    for hash in &mut hashes {
        *hash = finish(*hash);
    }
    hashes
}

/// The entries of a map are a set: their hashes are added, so that their order does not count.
fn map(column: &Column, offsets: &[usize], keys: &Column, values: &Column) -> Vec<u128> {
    let (start, seed_of_keys, seed_of_values) = (seed("map"), seed(keys.class), seed(values.class));
    let (keys, values) = (cell_hashes(keys), cell_hashes(values));
    (0..column.rows)
        .map(|row| {
            let entries = offsets[row]..offsets[row + 1];
            let count = entries.len() as u128;
            let sum = entries.fold(0_u128, |sum, entry| {
                let pair = fold(fold(start, keys[entry], seed_of_keys), values[entry], seed_of_values);
                sum.wrapping_add(finish(pair))
            });
            finish(fold(sum, count, start))
        })
        .collect()
}

fn union(kinds: &[i8], places: &[usize], fields: &[(i8, Column)]) -> Vec<u128> {
    let start = seed("union");
    let hashes: Vec<(i8, u128, Vec<u128>)> = fields
        .iter()
        .map(|(kind, field)| (*kind, seed(field.class), cell_hashes(field)))
        .collect();
    kinds
        .iter()
        .zip(places)
        .map(|(kind, place)| {
            let field = hashes.iter().find(|(known, ..)| known == kind);
            let (cell, seed_of_field) = field.map_or((0, 0), |(_, seed, cells)| (cells[*place], *seed));
            finish(fold(
                fold(start, cell, seed_of_field),
                u128::from(kind.cast_unsigned()),
                start,
            ))
        })
        .collect()
}
