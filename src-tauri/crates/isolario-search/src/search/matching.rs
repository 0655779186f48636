//! Which documents of a segment a plan finds. Each part of it becomes a set, and the sets are combined.

use super::columns;
use super::plan::{Plan, WordPlan};
use super::postings::Within;
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::schema::{FIRST_DAY, LAST_DAY};
use crate::index::snapshot::Segment;

impl Segment<'_> {
    /// The documents among some that the plan finds.
    pub fn matching(&self, plan: &Plan, within: &Bits) -> Result<Bits, SearchError> {
        let mut found = Bits::none(within.bound());
        match plan {
            Plan::Words(words) => {
                self.add_words(words, Within::of(within), &mut found)?;
                found.keep(within);
            }
            Plan::Date { first, last } => self.add_dated(*first, *last, within, &mut found)?,
            Plan::Not(inner) => {
                found.clone_from(within);
                found.remove(&self.matching(inner, within)?);
            }
            Plan::All(parts) => {
                found.clone_from(within);
                for part in self.cheapest_first(parts)? {
                    if found.is_empty() {
                        break;
                    }
                    found = self.matching(part, &found)?;
                }
            }
            Plan::Any(parts) => {
                for part in parts {
                    found.add(&self.matching(part, within)?);
                }
            }
        }
        Ok(found)
    }

    /// What finds few documents comes first, since the rest is then looked up for these alone.
    fn cheapest_first<'p>(&self, parts: &'p [Plan]) -> Result<Vec<&'p Plan>, SearchError> {
        let mut costs = Vec::new();
        for part in parts {
            let cost = match part {
                Plan::Words(words) if !words.is_prefix => self.cost(words)?,
                Plan::Words(_) => u64::MAX - 2,
                Plan::Date { .. } => u64::MAX - 1,
                Plan::Not(_) | Plan::All(_) | Plan::Any(_) => u64::MAX,
            };
            costs.push((cost, part));
        }
        costs.sort_by_key(|(cost, _)| *cost);
        Ok(costs.into_iter().map(|(_, part)| part).collect())
    }

    /// About how many documents words find: those of the rarest of them.
    fn cost(&self, words: &WordPlan) -> Result<u64, SearchError> {
        let mut least = u64::MAX;
        for (_, word) in &words.entries {
            let occurrences = self.occurrences(word, &words.readable)?;
            let documents = occurrences.iter().map(|one| u64::from(one.info.doc_freq));
            least = least.min(documents.sum());
        }
        Ok(least)
    }

    fn add_dated(
        &self,
        first: i64,
        last: i64,
        within: &Bits,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        let starts = columns::days(self, FIRST_DAY)?;
        let ends = columns::days(self, LAST_DAY)?;
        columns::for_each(&starts, &ends, within, |document, start, end| {
            if start <= end && start <= last && end >= first {
                found.insert(document);
            }
        });
        Ok(())
    }
}
