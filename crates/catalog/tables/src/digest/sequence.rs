//! `seq1`: BLAKE3 over every column's values in the order of the rows.

use super::canonical::{Column, Values};
use super::rows::cell_hashes;
use arrow::array::{Array, AsArray, GenericByteArray, OffsetSizeTrait};
use arrow::datatypes::{ArrowNativeType, ByteArrayType, DataType};
use blake3::Hasher;

/// Marks a row in the stream of exceptions as null.
const NULL: u8 = 0;
/// Marks a row in the stream of exceptions as an unsigned integer beyond the signed range.
const BEYOND_SIGNED: u8 = 1;

/// The streams of one column. Rows that are null are named in `exceptions` and absent from the other streams, so that
/// neither the garbage behind a null nor the boundaries of batches have any influence.
pub(super) struct Streams {
    class: &'static str,
    rows: u64,
    exceptions: Hasher,
    lengths: Hasher,
    values: Hasher,
    children: Vec<Streams>,
}

impl Streams {
    pub(super) fn new(class: &'static str) -> Self {
        Self {
            class,
            rows: 0,
            exceptions: Hasher::new(),
            lengths: Hasher::new(),
            values: Hasher::new(),
            children: Vec::new(),
        }
    }

    /// Takes in the rows of `column`.
    pub(super) fn update(&mut self, column: &Column) {
        self.except(column);
        match &column.values {
            Values::Nothing => {}
            Values::Fixed { width, bytes } => self.fixed(column, *width, bytes),
            Values::Unsigned(bytes) => self.fixed(column, 8, bytes),
            Values::Bytes(array) => self.bytes(column, array),
            Values::List { offsets, items } => {
                self.lengths_of(column, offsets);
                self.child(0, items);
            }
            Values::Struct(fields) => {
                for (place, field) in fields.iter().enumerate() {
                    self.child(place, field);
                }
            }
            // A map is a set and a union changes its type from row to row: their cells' hashes stand for them.
            Values::Map { .. } | Values::Union { .. } => {
                let mut stream = Vec::with_capacity(column.rows * 16);
                for (row, hash) in cell_hashes(column).into_iter().enumerate() {
                    if !column.is_null(row) {
                        stream.extend_from_slice(&hash.to_le_bytes());
                    }
                }
                self.values.update(&stream);
            }
        }
        self.rows += column.rows as u64;
    }

    /// The digest of the column.
    pub(super) fn finish(&self) -> blake3::Hash {
        let mut whole = Hasher::new();
        whole.update(self.class.as_bytes());
        whole.update(&[0]);
        whole.update(&self.rows.to_le_bytes());
        whole.update(self.exceptions.finalize().as_bytes());
        whole.update(self.lengths.finalize().as_bytes());
        whole.update(self.values.finalize().as_bytes());
        whole.update(&(self.children.len() as u64).to_le_bytes());
        for child in &self.children {
            whole.update(child.finish().as_bytes());
        }
        whole.finalize()
    }

    /// Names the rows that the other streams leave out or cannot tell apart, in the order of the rows.
    fn except(&mut self, column: &Column) {
        let beyond = match &column.values {
            // The rows of a column without a value need no list: class and count say it all.
            Values::Nothing => return,
            Values::Unsigned(bytes) => Some(bytes.as_slice()),
            _ if column.nulls.is_none() => return,
            _ => None,
        };
        let mut stream = Vec::new();
        for row in 0..column.rows {
            let mark = if column.is_null(row) {
                NULL
            } else if beyond.is_some_and(|bytes| bytes[row * 8 + 7] >= 0x80) {
                BEYOND_SIGNED
            } else {
                continue;
            };
            stream.push(mark);
            stream.extend_from_slice(&(self.rows + row as u64).to_le_bytes());
        }
        self.exceptions.update(&stream);
    }

    fn fixed(&mut self, column: &Column, width: usize, bytes: &[u8]) {
        if column.nulls.is_none() {
            self.values.update(bytes);
            return;
        }
        let mut stream = Vec::with_capacity(bytes.len());
        for (row, value) in bytes.chunks_exact(width).enumerate() {
            if !column.is_null(row) {
                stream.extend_from_slice(value);
            }
        }
        self.values.update(&stream);
    }

    fn bytes(&mut self, column: &Column, array: &dyn Array) {
        match array.data_type() {
            DataType::Utf8 => self.contiguous(column, array.as_string::<i32>()),
            DataType::LargeUtf8 => self.contiguous(column, array.as_string::<i64>()),
            DataType::Binary => self.contiguous(column, array.as_binary::<i32>()),
            DataType::LargeBinary => self.contiguous(column, array.as_binary::<i64>()),
            DataType::Utf8View => {
                let array = array.as_string_view();
                self.scattered(column, |row| array.value(row).as_bytes());
            }
            DataType::BinaryView => {
                let array = array.as_binary_view();
                self.scattered(column, |row| array.value(row));
            }
            _ => {
                let array = array.as_fixed_size_binary();
                self.scattered(column, |row| array.value(row));
            }
        }
    }

    fn contiguous<T: ByteArrayType>(&mut self, column: &Column, array: &GenericByteArray<T>)
    where
        T::Offset: OffsetSizeTrait,
    {
        let offsets = array.value_offsets();
        let mut lengths = Vec::with_capacity(column.rows * 4);
        let mut stream = Vec::new();
        for row in 0..column.rows {
            if column.is_null(row) {
                continue;
            }
            let (start, end) = (offsets[row].as_usize(), offsets[row + 1].as_usize());
            push_length(&mut lengths, end - start);
            if column.nulls.is_some() {
                stream.extend_from_slice(&array.value_data()[start..end]);
            }
        }
        self.lengths.update(&lengths);
        if column.nulls.is_some() {
            self.values.update(&stream);
        } else if column.rows > 0 {
            // Without nulls the values stand one after the other: no copy.
            self.values
                .update(&array.value_data()[offsets[0].as_usize()..offsets[column.rows].as_usize()]);
        }
    }

    fn scattered<'a>(&mut self, column: &Column, value: impl Fn(usize) -> &'a [u8]) {
        let mut lengths = Vec::with_capacity(column.rows * 4);
        let mut stream = Vec::new();
        for row in 0..column.rows {
            if !column.is_null(row) {
                let value = value(row);
                push_length(&mut lengths, value.len());
                stream.extend_from_slice(value);
            }
        }
        self.lengths.update(&lengths);
        self.values.update(&stream);
    }

    fn lengths_of(&mut self, column: &Column, offsets: &[usize]) {
        let mut lengths = Vec::with_capacity(column.rows * 4);
        for row in 0..column.rows {
            if !column.is_null(row) {
                push_length(&mut lengths, offsets[row + 1] - offsets[row]);
            }
        }
        self.lengths.update(&lengths);
    }

    fn child(&mut self, place: usize, column: &Column) {
        if self.children.len() == place {
            self.children.push(Self::new(column.class));
        }
        self.children[place].update(column);
    }
}

/// Four bytes, or a mark of four and then eight: almost every length is short.
fn push_length(lengths: &mut Vec<u8>, length: usize) {
    match u32::try_from(length) {
        Ok(short) if short != u32::MAX => lengths.extend_from_slice(&short.to_le_bytes()),
        _ => {
            lengths.extend_from_slice(&u32::MAX.to_le_bytes());
            lengths.extend_from_slice(&(length as u64).to_le_bytes());
        }
    }
}
