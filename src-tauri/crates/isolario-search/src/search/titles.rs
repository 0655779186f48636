//! Items in the order of their titles. The titles of a segment are numbered in their order; those of several segments are
//! compared as texts, and only as many as are needed to find a page anywhere in the list.

use std::cmp::Ordering;
use std::ops::Bound;

use tantivy::columnar::{Column, StrColumn};

use super::SegmentMatches;
use super::columns;
use super::order::Page;
use crate::error::SearchError;
use crate::index::schema::ID;

/// Documents of a segment that are looked at one by one.
const FEW: usize = 64;

/// The ids of a page by title.
pub fn by_title(
    found: &[SegmentMatches<'_>],
    is_descending: bool,
    page: Page,
) -> Result<Vec<i64>, SearchError> {
    let all = found.iter().map(|one| one.found.count()).sum();
    let end = page.end(all);
    let mut lists = Vec::new();
    for one in found {
        lists.extend(Titles::of(one, is_descending, end)?);
    }
    skip(&mut lists, page.offset)?;
    merge(&mut lists, is_descending, page)
}

/// The found documents of a segment in the order of their titles.
struct Titles<'s> {
    titles: &'s StrColumn,
    ids: Column<i64>,
    /// The rank of the title among those of the segment, and the document, as one number.
    ranked: Vec<u64>,
    /// Where the next document of the list is.
    next: usize,
    is_descending: bool,
}

impl<'s> Titles<'s> {
    /// None if it has no document. Those behind the end of the page are left out.
    fn of(
        one: &'s SegmentMatches<'_>,
        is_descending: bool,
        end: usize,
    ) -> Result<Option<Titles<'s>>, SearchError> {
        let Some(titles) = one.segment.titles()? else {
            return Ok(None);
        };
        let mut list = Titles {
            titles,
            ids: columns::numbers(&one.segment, ID)?,
            ranked: Vec::new(),
            next: 0,
            is_descending,
        };
        let ordinals = &list.titles.ords().values;
        let mut ranked = Vec::with_capacity(one.found.count());
        let mut values = Vec::new();
        columns::blocks(&one.found, |block| {
            values.resize(block.len(), 0);
            ordinals.get_vals(block, &mut values);
            let ranks = values.iter().map(|ordinal| list.turned(*ordinal));
            ranked.extend(ranks.zip(block).map(|(rank, document)| {
                // There are no more titles than documents.
                rank << 32 | u64::from(*document)
            }));
        });
        if (1..ranked.len()).contains(&end) {
            let (_, last, _) = ranked.select_nth_unstable(end - 1);
            let last = rank_of(*last);
            ranked.retain(|one| rank_of(*one) <= last);
        }
        ranked.sort_unstable();
        list.ranked = ranked;
        Ok((!list.ranked.is_empty()).then_some(list))
    }

    /// From the number of a title to its rank and back: in a descending order they count from the end.
    fn turned(&self, number: u64) -> u64 {
        let titles = self.titles.dictionary().num_terms() as u64;
        match self.is_descending {
            true => titles.saturating_sub(1).saturating_sub(number),
            false => number,
        }
    }

    fn title(&self, at: usize) -> Result<Option<String>, SearchError> {
        let Some(one) = self.ranked.get(at) else {
            return Ok(None);
        };
        let mut title = String::new();
        self.titles
            .ord_to_str(self.turned(rank_of(*one)), &mut title)?;
        Ok(Some(title))
    }

    /// How many come before a title, and how many come before it or have it.
    fn around(&self, title: &str) -> Result<(usize, usize), SearchError> {
        let dictionary = self.titles.dictionary();
        let first_from = |bound| -> Result<u64, SearchError> {
            let (first, _) = dictionary.term_bounds_to_ord(bound, Bound::Unbounded)?;
            Ok(match first {
                Bound::Included(number) => number,
                Bound::Excluded(number) => number + 1,
                Bound::Unbounded => 0,
            })
        };
        let titles = dictionary.num_terms() as u64;
        let from = first_from(Bound::Included(title))?.min(titles);
        let beyond = first_from(Bound::Excluded(title))?.min(titles);
        let (from, beyond) = match self.is_descending {
            true => (titles - beyond, titles - from),
            false => (from, beyond),
        };
        let before = |rank| self.ranked.partition_point(|own| rank_of(*own) < rank);
        Ok((before(from), before(beyond)))
    }

    /// Where the documents end that have the same title as the next one.
    fn end_of_group(&self) -> usize {
        let rank = self.ranked.get(self.next).map(|one| rank_of(*one));
        self.ranked
            .partition_point(|own| Some(rank_of(*own)) <= rank)
    }
}

fn rank_of(ranked: u64) -> u64 {
    ranked >> 32
}

/// Goes forward in all lists to about where a page starts, by halving the longest.
fn skip(lists: &mut [Titles<'_>], offset: usize) -> Result<(), SearchError> {
    let mut ends: Vec<usize> = lists.iter().map(|list| list.ranked.len()).collect();
    loop {
        let lengths = lists.iter().zip(&ends).map(|(list, end)| end - list.next);
        let Some((longest, length)) = lengths.enumerate().max_by_key(|(_, length)| *length) else {
            return Ok(());
        };
        let middle = lists[longest].next + length / 2;
        let title = lists[longest].title(middle)?;
        let Some(title) = title.filter(|_| length > FEW && offset > FEW) else {
            return Ok(());
        };
        let around = lists.iter().map(|list| list.around(&title));
        let around = around.collect::<Result<Vec<(usize, usize)>, SearchError>>()?;
        let before: usize = around.iter().map(|(before, _)| before).sum();
        let with: usize = around.iter().map(|(_, with)| with).sum();
        for (number, (before_it, with_it)) in around.iter().enumerate() {
            match (with <= offset, before <= offset) {
                (true, _) => lists[number].next = *with_it,
                (false, true) => lists[number].next = *before_it,
                (false, false) => ends[number] = *before_it,
            }
        }
        if with > offset && before <= offset {
            return Ok(());
        }
    }
}

/// Reads a page from where the lists are.
fn merge(
    lists: &mut [Titles<'_>],
    is_descending: bool,
    page: Page,
) -> Result<Vec<i64>, SearchError> {
    let mut position: usize = lists.iter().map(|list| list.next).sum();
    let heads = lists.iter().map(|list| list.title(list.next));
    let mut heads = heads.collect::<Result<Vec<Option<String>>, SearchError>>()?;
    let compare = |left: &String, right: &String| -> Ordering {
        match is_descending {
            true => right.cmp(left),
            false => left.cmp(right),
        }
    };
    let mut found = Vec::new();
    while found.len() < page.limit {
        let least = heads
            .iter()
            .flatten()
            .min_by(|left, right| compare(left, right));
        let Some(title) = least.cloned() else {
            break;
        };
        let mut ids = Vec::new();
        for (list, head) in lists.iter_mut().zip(&mut heads) {
            if head.as_ref() != Some(&title) {
                continue;
            }
            let end = list.end_of_group();
            let group = &list.ranked[list.next..end];
            ids.extend(group.iter().map(|one| list.ids.values.get_val(*one as u32)));
            list.next = end;
            *head = list.title(end)?;
        }
        ids.sort_unstable();
        if is_descending {
            ids.reverse();
        }
        let skipped = page.offset.saturating_sub(position).min(ids.len());
        position += ids.len();
        let left = page.limit - found.len();
        found.extend(ids.into_iter().skip(skipped).take(left));
    }
    Ok(found)
}
