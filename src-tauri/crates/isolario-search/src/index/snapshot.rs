//! The index as of one commit, to search in.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use tantivy::columnar::StrColumn;
use tantivy::directory::error::OpenReadError;
use tantivy::index::{SegmentComponent, SegmentId};
use tantivy::{Searcher, SegmentReader, TantivyError};

use super::schema::{Fields, TITLE_KEY};
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
    titles: Arc<OnceLock<Option<StrColumn>>>,
}

/// A segment to search in.
#[derive(Clone, Copy)]
pub struct Segment<'s> {
    pub reader: &'s SegmentReader,
    pub fields: &'s Fields,
    pub alive: &'s Bits,
    titles: &'s OnceLock<Option<StrColumn>>,
}

impl Segment<'_> {
    /// The titles, if there are any. Opening them reads all, so they stay open as long as the segment is searched.
    pub fn titles(&self) -> Result<Option<&StrColumn>, SearchError> {
        if let Some(open) = self.titles.get() {
            return Ok(open.as_ref());
        }
        let titles = self.reader.fast_fields().str(TITLE_KEY)?;
        Ok(self.titles.get_or_init(|| titles).as_ref())
    }
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
            let known = known.iter().find(|known| known.id == reader.segment_id());
            match known {
                Some(known) if known.delete_opstamp == reader.delete_opstamp() => {
                    Ok(Arc::clone(known))
                }
                known => SegmentFacts::of(reader, &fields, known).map(Arc::new),
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
            titles: &facts.titles,
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
    /// Of a segment that may be known from before documents of it were deleted.
    fn of(
        reader: &SegmentReader,
        fields: &Fields,
        known: Option<&Arc<SegmentFacts>>,
    ) -> Result<SegmentFacts, SearchError> {
        let languages = match known {
            Some(known) => known.languages.clone(),
            None => languages(reader, fields)?,
        };
        Ok(SegmentFacts {
            id: reader.segment_id(),
            delete_opstamp: reader.delete_opstamp(),
            alive: alive(reader)?,
            languages,
            titles: known.map_or_else(Arc::default, |known| Arc::clone(&known.titles)),
        })
    }
}

/// The documents that were not deleted. The file of them is read as it is: 64 of them at a time, behind their number. A
/// merge may have removed it since the reader was opened; then the reader is asked for one after the other.
fn alive(reader: &SegmentReader) -> Result<Bits, SearchError> {
    let Some(known) = reader.alive_bitset() else {
        return Ok(Bits::all(reader.max_doc()));
    };
    let file = match reader.open_read(SegmentComponent::Delete) {
        Err(OpenReadError::FileDoesNotExist(_)) => {
            let mut alive = Bits::none(reader.max_doc());
            known.iter_alive().for_each(|number| alive.insert(number));
            return Ok(alive);
        }
        opened => opened.map_err(TantivyError::from)?,
    };
    let content = file.read_bytes()?;
    let (number, words) = content
        .split_at_checked(size_of::<u32>())
        .unwrap_or_default();
    let words = words.as_chunks().0.iter();
    let alive = Bits::of(
        reader.max_doc(),
        words.map(|word| u64::from_le_bytes(*word)),
    );
    match number == reader.max_doc().to_le_bytes() && alive.count() == reader.num_docs() as usize {
        true => Ok(alive),
        false => Err(SearchError::Damaged(
            "other documents were deleted".to_owned(),
        )),
    }
}

fn languages(reader: &SegmentReader, fields: &Fields) -> Result<Vec<String>, SearchError> {
    let mut languages = Vec::new();
    let index = reader.inverted_index(fields.language)?;
    let mut stream = index.terms().stream()?;
    while stream.advance() {
        languages.push(String::from_utf8_lossy(stream.key()).into_owned());
    }
    Ok(languages)
}

#[cfg(test)]
mod tests {
    use tantivy::indexer::NoMergePolicy;
    use tantivy::schema::{INDEXED, Schema};
    use tantivy::{Index, IndexWriter, Term, doc};

    use super::*;

    #[test]
    fn an_open_reader_needs_no_file_that_a_merge_has_removed() {
        let directory = tempfile::tempdir().unwrap();
        let mut schema = Schema::builder();
        let number = schema.add_u64_field("number", INDEXED);
        let index = Index::create_in_dir(directory.path(), schema.build()).unwrap();
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).unwrap();
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for value in 0..20u64 {
            writer.add_document(doc!(number => value)).unwrap();
        }
        writer.commit().unwrap();
        writer.delete_term(Term::from_field_u64(number, 7));
        writer.commit().unwrap();
        let searcher = index.reader().unwrap().searcher();
        let segment = searcher.segment_reader(0);
        let known = alive(segment).unwrap();
        let names = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let deleted: Vec<_> = names
            .filter(|name| name.extension().is_some_and(|ending| ending == "del"))
            .collect();
        assert_eq!(deleted.len(), 1);
        std::fs::remove_file(&deleted[0]).unwrap();
        assert_eq!(alive(segment).unwrap(), known);
        assert_eq!(known.iter().count(), 19);
    }
}
