//! The columns of a segment: one value for each document.

use std::sync::Arc;

use tantivy::columnar::{Column, ColumnValues};

use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::snapshot::Segment;

/// Documents that are read at a time.
const BLOCK: usize = 128;

type Values = Arc<dyn ColumnValues<i64>>;

/// A column of numbers, of which every document has one.
pub fn numbers(segment: &Segment<'_>, name: &str) -> Result<Column<i64>, SearchError> {
    Ok(segment.reader.fast_fields().i64(name)?)
}

/// A column of days.
pub fn days(segment: &Segment<'_>, name: &str) -> Result<Values, SearchError> {
    Ok(numbers(segment, name)?.values)
}

/// Calls with some documents in blocks, in their order.
pub fn blocks(documents: &Bits, mut each: impl FnMut(&[u32])) {
    let mut block = [0; BLOCK];
    let mut filled = 0;
    for document in documents.iter() {
        block[filled] = document;
        filled += 1;
        if filled == BLOCK {
            each(&block);
            filled = 0;
        }
    }
    each(&block[..filled]);
}

/// Calls with the values of some documents in two columns.
pub fn for_each(
    first: &Values,
    second: &Values,
    documents: &Bits,
    mut each: impl FnMut(u32, i64, i64),
) {
    let mut values = ([0; BLOCK], [0; BLOCK]);
    blocks(documents, |block| {
        first.get_vals(block, &mut values.0[..block.len()]);
        second.get_vals(block, &mut values.1[..block.len()]);
        for (document, (first, second)) in block.iter().zip(values.0.iter().zip(&values.1)) {
            each(*document, *first, *second);
        }
    });
}
