//! In which order items are listed.

use super::SegmentMatches;
use super::columns;
use super::top::{Least, part};
use crate::error::SearchError;
use crate::index::schema::{CHANGED, CREATED, FIRST_DAY, ID, UNDATED};

/// Up to so many items are sorted from the first.
const FEW: usize = 4_096;

/// By what items are ordered. Equal ones are ordered by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// How well the words fit, the best first.
    #[default]
    Relevance,
    Title,
    Created,
    Changed,
    /// The first day of the date. Items without one are the last in both directions.
    Date,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub offset: usize,
    pub limit: usize,
}

impl Page {
    /// Where it ends in a list of so many.
    pub fn end(self, all: usize) -> usize {
        self.offset.saturating_add(self.limit).min(all)
    }
}

/// The ids of a page by a column of numbers.
pub fn by_number(
    found: &[SegmentMatches<'_>],
    order: Order,
    is_descending: bool,
    page: Page,
) -> Result<Vec<i64>, SearchError> {
    let name = match order {
        Order::Created => CREATED,
        Order::Changed => CHANGED,
        _ => FIRST_DAY,
    };
    let undated = (order == Order::Date).then_some(UNDATED.0);
    let turned = |number: i64| if is_descending { !number } else { number };
    let key = |number: i64| match Some(number) == undated {
        true => i64::MAX,
        false => turned(number),
    };
    let all = found.iter().map(|one| one.found.count()).sum();
    let end = page.end(all);
    // Calls with the key of each item, and what reads its id.
    let for_each = |each: &mut dyn FnMut(i64, &dyn Fn() -> i64)| -> Result<(), SearchError> {
        for one in found {
            let column = columns::numbers(&one.segment, name)?.values;
            let ids = columns::numbers(&one.segment, ID)?.values;
            columns::for_each(&column, &column, &one.found, |document, number, _| {
                each(key(number), &|| turned(ids.get_val(document)));
            });
        }
        Ok(())
    };
    let ids = |page: Vec<(i64, i64)>| page.into_iter().map(|(_, id)| turned(id)).collect();
    if end <= FEW {
        let mut least: Least<(i64, i64)> = Least::new(end);
        for_each(&mut |key, id| {
            if least.highest().is_none_or(|(highest, _)| key <= *highest) {
                least.push((key, id()));
            }
        })?;
        return Ok(ids(least.page(page.offset)));
    }
    // Far into the list: first the keys between which the page lies, then what has them.
    let mut keys = Vec::with_capacity(all);
    for_each(&mut |key, _| keys.push(key))?;
    let keys = part(keys, page.offset..end);
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return Ok(Vec::new());
    };
    let mut before = 0;
    let mut between = Vec::new();
    for_each(&mut |key, id| {
        before += usize::from(key < *first);
        if (first..=last).contains(&&key) {
            between.push((key, id()));
        }
    })?;
    Ok(ids(part(between, page.offset - before..end - before)))
}
