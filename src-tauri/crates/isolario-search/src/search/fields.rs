//! In which fields the words of a query stand.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::SegmentMatches;
use super::columns;
use super::plan::WordPlan;
use super::postings::{Sink, Within};
use crate::access::Access;
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::schema::ID;

/// The fields of some items in which words stand, that the actor may read. `words` are those of a query, for what may be
/// searched.
pub fn matched_fields<'w>(
    segments: &[SegmentMatches<'_>],
    words: impl Fn(&[Access]) -> Cow<'w, [WordPlan]>,
    ids: &[i64],
) -> Result<HashMap<i64, BTreeSet<String>>, SearchError> {
    let mut fields: HashMap<i64, BTreeSet<String>> = HashMap::new();
    for one in segments {
        let documents = documents(one, ids)?;
        if documents.is_empty() {
            continue;
        }
        let mut by_field = ByField {
            bound: documents.bound(),
            fields: BTreeMap::new(),
        };
        for words in words(&one.accesses.all).iter() {
            let within = Within::of(&documents);
            one.segment.add_words(words, within, &mut by_field)?;
        }
        let column = columns::numbers(&one.segment, ID)?.values;
        for (field, mut found) in by_field.fields {
            found.keep(&documents);
            for document in found.iter() {
                let of_item = fields.entry(column.get_val(document)).or_default();
                of_item.insert(field.clone());
            }
        }
    }
    Ok(fields)
}

/// The found documents of a segment with one of some ids.
fn documents(one: &SegmentMatches<'_>, ids: &[i64]) -> Result<Bits, SearchError> {
    let mut documents = Bits::none(one.found.bound());
    for id in ids {
        let term = one.segment.fields.id_term(*id);
        one.segment
            .add_term(&term, Within::of(&one.found), &mut documents)?;
    }
    documents.keep(&one.found);
    Ok(documents)
}

/// The documents of each field.
struct ByField {
    bound: u32,
    fields: BTreeMap<String, Bits>,
}

impl Sink for ByField {
    fn of_field(&mut self, field: &str) -> &mut Bits {
        let field = self.fields.entry(field.to_owned());
        field.or_insert_with(|| Bits::none(self.bound))
    }
}
