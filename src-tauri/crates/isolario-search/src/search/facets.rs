//! How many of the found items have which value of a facet.

use std::collections::{HashMap, HashSet};

use tantivy::columnar::StrColumn;

use super::columns;
use crate::access::{Access, Accesses, is_one_of};
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::schema::facet_column;
use crate::index::snapshot::Segment;

/// How many values of a facet are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetRequest {
    /// The name of the facet.
    pub facet: String,
    /// The most frequent values that are told; those that were chosen are told in any case.
    pub limit: usize,
}

/// The values of a facet, the most frequent first, then by the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCounts {
    /// The name of the facet.
    pub facet: String,
    /// Values, and how many items have them.
    pub values: Vec<(String, usize)>,
    /// How many other values there are.
    pub more: usize,
}

/// Counts the values of a facet over all segments.
#[derive(Default)]
pub struct FacetCounter {
    counts: HashMap<String, usize>,
}

impl FacetCounter {
    /// Counts some documents of a segment.
    pub fn count(
        &mut self,
        segment: &Segment<'_>,
        accesses: &Accesses,
        facet: &str,
        documents: &Bits,
    ) -> Result<(), SearchError> {
        let open = |access: Access| -> Result<Option<StrColumn>, SearchError> {
            let name = facet_column(access, facet);
            Ok(segment.reader.fast_fields().str(&name)?)
        };
        let mut known = Vec::new();
        for access in &accesses.all {
            known.extend(open(*access)?.map(FacetColumn::of));
        }
        for (access, places) in &accesses.places {
            if let Some(column) = open(*access)? {
                known.push(FacetColumn::of_places(column, places)?);
            }
        }
        match &known[..] {
            [] => Ok(()),
            [column] => self.count_column(column, documents),
            columns => self.count_columns(columns, documents),
        }
    }

    fn count_column(
        &mut self,
        of_facet: &FacetColumn,
        documents: &Bits,
    ) -> Result<(), SearchError> {
        let column = &of_facet.column;
        let mut counts = vec![0_usize; column.dictionary().num_terms()];
        if of_facet.told.is_none() && 2 * documents.count() > documents.bound() as usize {
            // All values lie side by side, so they are counted first, and then those of the others taken away.
            let mut others = Bits::all(documents.bound());
            others.remove(documents);
            for_each_value(column, |ordinal| counts[ordinal] += 1);
            for_each_ordinal(column, &others, |_, ordinal| counts[ordinal] -= 1);
        } else {
            of_facet.for_each(documents, |_, ordinal| counts[ordinal] += 1);
        }
        self.add(column, &counts)
    }

    /// Counts a value once that an item has in several columns: its own, and of something linked to it.
    fn count_columns(
        &mut self,
        columns: &[FacetColumn],
        documents: &Bits,
    ) -> Result<(), SearchError> {
        let values = SharedValues::of(columns)?;
        if !values
            .is_shared
            .iter()
            .flatten()
            .any(|is_shared| *is_shared)
        {
            let mut columns = columns.iter();
            return columns.try_for_each(|column| self.count_column(column, documents));
        }
        let sizes = columns.iter();
        let sizes = sizes.map(|one| one.column.dictionary().num_terms());
        let mut counts: Vec<Vec<usize>> = sizes.map(|size| vec![0; size]).collect();
        let mut counted = HashSet::new();
        for (column, first) in columns.iter().zip(&values.first) {
            column.for_each(documents, |document, ordinal| {
                let (column, ordinal) = first[ordinal];
                let is_shared = values.is_shared[column][ordinal];
                if !is_shared || counted.insert((document, column, ordinal)) {
                    counts[column][ordinal] += 1;
                }
            });
        }
        let mut counts = columns.iter().zip(&counts);
        counts.try_for_each(|(one, counts)| self.add(&one.column, counts))
    }

    fn add(&mut self, column: &StrColumn, counts: &[usize]) -> Result<(), SearchError> {
        let found = counts.iter().zip(0_u64..).filter(|(count, _)| **count > 0);
        let (counts, ordinals): (Vec<usize>, Vec<u64>) =
            found.map(|(count, at)| (*count, at)).unzip();
        let mut counts = counts.into_iter();
        let dictionary = column.dictionary();
        dictionary.sorted_ords_to_term_cb(&ordinals, |value| {
            let count = counts.next().unwrap_or_default();
            match std::str::from_utf8(value)
                .ok()
                .and_then(|value| self.counts.get_mut(value))
            {
                Some(sum) => *sum += count,
                None => {
                    let value = String::from_utf8_lossy(value).into_owned();
                    self.counts.insert(value, count);
                }
            }
        })?;
        Ok(())
    }

    /// The most frequent values, and those that were chosen.
    pub fn most_frequent(self, request: &FacetRequest, chosen: &[String]) -> FacetCounts {
        let mut values: Vec<(String, usize)> = self.counts.into_iter().collect();
        values.sort_unstable_by(|(left, left_count), (right, right_count)| {
            right_count.cmp(left_count).then_with(|| left.cmp(right))
        });
        let all = values.len();
        let mut rank = 0;
        values.retain(|(value, _)| {
            rank += 1;
            rank <= request.limit || chosen.contains(value)
        });
        FacetCounts {
            facet: request.facet.clone(),
            more: all - values.len(),
            values,
        }
    }
}

/// A column of a facet.
struct FacetColumn {
    column: StrColumn,
    /// Of which values, by their ordinals, the actor may know; `None`: of all.
    told: Option<Vec<bool>>,
}

impl FacetColumn {
    fn of(column: StrColumn) -> FacetColumn {
        FacetColumn { column, told: None }
    }

    /// Of which only the values are told that are one of some nodes.
    fn of_places(column: StrColumn, places: &HashSet<i64>) -> Result<FacetColumn, SearchError> {
        let mut told = Vec::new();
        let mut values = column.dictionary().stream()?;
        while values.advance() {
            let value = std::str::from_utf8(values.key()).unwrap_or_default();
            told.push(is_one_of(places, value));
        }
        Ok(FacetColumn {
            column,
            told: Some(told),
        })
    }

    /// Calls with each document and the ordinal of each of its values that are told.
    fn for_each(&self, documents: &Bits, mut each: impl FnMut(u32, usize)) {
        for_each_ordinal(&self.column, documents, |document, ordinal| {
            let is_told = |told: &Vec<bool>| told.get(ordinal).is_some_and(|told| *told);
            if self.told.as_ref().is_none_or(is_told) {
                each(document, ordinal);
            }
        });
    }
}

/// Which values of several columns are the same. A value is known by the column and ordinal in which it comes first.
struct SharedValues {
    first: Vec<Vec<(usize, usize)>>,
    is_shared: Vec<Vec<bool>>,
}

impl SharedValues {
    /// Reads the values of all columns side by side, which are in their order.
    fn of(columns: &[FacetColumn]) -> Result<SharedValues, SearchError> {
        let mut streams = Vec::new();
        for column in columns {
            let mut stream = column.column.dictionary().stream()?;
            let is_some = stream.advance();
            streams.push((stream, is_some));
        }
        let mut first = vec![Vec::new(); columns.len()];
        let mut is_shared = vec![Vec::new(); columns.len()];
        loop {
            let left = streams.iter().filter(|(_, is_some)| *is_some);
            let Some(least) = left.map(|(stream, _)| stream.key().to_vec()).min() else {
                break;
            };
            let mut known: Option<(usize, usize)> = None;
            for (column, (stream, is_some)) in streams.iter_mut().enumerate() {
                if !*is_some || stream.key() != least {
                    continue;
                }
                if let Some((column, ordinal)) = known {
                    is_shared[column][ordinal] = true;
                }
                known = known.or(Some((column, first[column].len())));
                first[column].extend(known);
                is_shared[column].push(false);
                *is_some = stream.advance();
            }
        }
        Ok(SharedValues { first, is_shared })
    }
}

/// Calls with the ordinal of each value of all documents.
fn for_each_value(column: &StrColumn, mut each: impl FnMut(usize)) {
    let values = &column.ords().values;
    let mut block = [0; 1_024];
    for start in (0..values.num_vals()).step_by(block.len()) {
        let left = (values.num_vals() - start) as usize;
        let block = &mut block[..left.min(1_024)];
        values.get_range(u64::from(start), block);
        block.iter().for_each(|ordinal| each(*ordinal as usize));
    }
}

/// Calls with each document and the ordinal of each of its values.
fn for_each_ordinal(column: &StrColumn, documents: &Bits, mut each: impl FnMut(u32, usize)) {
    let ordinals = column.ords();
    let (mut of, mut rows, mut values) = (Vec::new(), Vec::new(), Vec::new());
    columns::blocks(documents, |block| {
        of.clear();
        rows.clear();
        ordinals.row_ids_for_docs(block, &mut of, &mut rows);
        values.resize(rows.len(), 0);
        ordinals.values.get_vals(&rows, &mut values);
        for (document, ordinal) in of.iter().zip(&values) {
            each(*document, usize::try_from(*ordinal).unwrap_or(usize::MAX));
        }
    });
}
