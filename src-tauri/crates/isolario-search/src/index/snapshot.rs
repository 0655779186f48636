//! The index as of one commit, to search in.

use std::collections::BTreeSet;
use std::sync::Arc;

use tantivy::index::SegmentId;
use tantivy::{Searcher, SegmentReader};

use super::schema::Fields;
use crate::bits::Bits;
use crate::error::SearchError;

/// The index as of one commit.
pub struct Snapshot {
    pub searcher: Searcher,
    pub fields: Fields,
    /// The last event that it knows of.
    pub last_event: i64,
    /// What was found out about each segment, in the order of the searcher.
    segments: Vec<Arc<SegmentFacts>>,
}

/// What holds for a segment as long as it is not changed.
struct SegmentFacts {
    id: SegmentId,
    delete_opstamp: Option<u64>,
    /// The documents that were not replaced or deleted since.
    alive: Bits,
    languages: Vec<String>,
}

/// A segment to search in.
#[derive(Clone, Copy)]
pub struct Segment<'s> {
    pub reader: &'s SegmentReader,
    pub fields: &'s Fields,
    pub alive: &'s Bits,
}

impl Snapshot {
    /// Looks at the segments that the last snapshot did not have.
    pub fn new(
        searcher: Searcher,
        fields: Fields,
        last_event: i64,
        last: Option<&Snapshot>,
    ) -> Result<Snapshot, SearchError> {
        let known = last.map_or(&[][..], |last| &last.segments);
        let readers = searcher.segment_readers().iter();
        let segments = readers.map(|reader| {
            let is_same = |known: &&Arc<SegmentFacts>| {
                known.id == reader.segment_id() && known.delete_opstamp == reader.delete_opstamp()
            };
            match known.iter().find(is_same) {
                Some(known) => Ok(Arc::clone(known)),
                None => SegmentFacts::of(reader, &fields).map(Arc::new),
            }
        });
        let segments = segments.collect::<Result<_, SearchError>>()?;
        Ok(Snapshot {
            searcher,
            fields,
            last_event,
            segments,
        })
    }

    /// The segments.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        let readers = self.searcher.segment_readers().iter();
        readers.zip(&self.segments).map(|(reader, facts)| Segment {
            reader,
            fields: &self.fields,
            alive: &facts.alive,
        })
    }

    /// The codes of the languages that stems were written of.
    pub fn languages(&self) -> Vec<String> {
        let languages = self.segments.iter().flat_map(|segment| &segment.languages);
        let languages: BTreeSet<&String> = languages.collect();
        languages.into_iter().cloned().collect()
    }
}

impl SegmentFacts {
    fn of(reader: &SegmentReader, fields: &Fields) -> Result<SegmentFacts, SearchError> {
        let alive = match reader.alive_bitset() {
            None => Bits::all(reader.max_doc()),
            Some(alive) => {
                let mut bits = Bits::none(reader.max_doc());
                alive
                    .iter_alive()
                    .for_each(|document| bits.insert(document));
                bits
            }
        };
        let mut languages = Vec::new();
        let index = reader.inverted_index(fields.language)?;
        let mut stream = index.terms().stream()?;
        while stream.advance() {
            languages.push(String::from_utf8_lossy(stream.key()).into_owned());
        }
        Ok(SegmentFacts {
            id: reader.segment_id(),
            delete_opstamp: reader.delete_opstamp(),
            alive,
            languages,
        })
    }
}
