//! In which order items are listed.

use super::SegmentMatches;
use super::columns;
use super::top::Least;
use crate::error::SearchError;
use crate::index::schema::{CHANGED, CREATED, FIRST_DAY, ID, UNDATED};

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
    let all = found.iter().map(|one| one.found.count()).sum();
    let mut least: Least<(i64, i64)> = Least::new(page.end(all));
    for one in found {
        let column = columns::numbers(&one.segment, name)?.values;
        let ids = columns::numbers(&one.segment, ID)?.values;
        columns::for_each(&column, &column, &one.found, |document, number, _| {
            let key = match Some(number) == undated {
                true => i64::MAX,
                false => turned(number),
            };
            if least.highest().is_none_or(|(highest, _)| key <= *highest) {
                least.push((key, turned(ids.get_val(document))));
            }
        });
    }
    let page = least.page(page.offset).into_iter();
    Ok(page.map(|(_, id)| turned(id)).collect())
}
