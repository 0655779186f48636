//! Writes documents. Those that wait to be written are bounded by their size.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::schema::Field;
use tantivy::schema::document::CompactDocValue;
use tantivy::{Document, Index, IndexWriter, TantivyDocument};

use super::encode::encode;
use super::schema::{Fields, VERSION};
use crate::document::{Change, SearchDocument};
use crate::error::SearchError;

/// How much memory and how many threads a writer takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// For changes as they come.
    Small,
    /// For all items at once.
    Rebuild,
}

/// The least that the engine takes.
const SMALL_MEMORY: usize = 15_000_000;
const REBUILD_MEMORY: usize = 40_000_000;

/// Bytes of texts that wait to be written.
const MOST_WAITING: usize = 8 << 20;

/// A thread of the engine that takes nothing for so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Changes the index.
pub struct Writer {
    fields: Fields,
    engine: IndexWriter<QueuedDocument>,
    queue: Arc<Queue>,
}

impl Writer {
    /// Only one can be open.
    pub fn open(index: &Index, fields: &Fields, effort: Effort) -> Result<Writer, SearchError> {
        let (memory, threads) = match effort {
            Effort::Small => (SMALL_MEMORY, 1),
            Effort::Rebuild => (REBUILD_MEMORY, 2),
        };
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(memory)
            .num_worker_threads(threads)
            .num_merge_threads(1)
            .build();
        let engine = index.writer_with_options(options)?;
        engine.set_merge_policy(Box::new(merge_policy()));
        // The first operation gets the number of the last commit, and a merge skips it in segments of which that commit
        // deleted documents. So an operation that is none takes the number.
        engine.run([])?;
        Ok(Writer {
            fields: fields.clone(),
            engine,
            queue: Arc::default(),
        })
    }

    /// Takes a change.
    pub fn change(&mut self, change: &Change) -> Result<(), SearchError> {
        match change {
            Change::Put(document) => {
                self.delete(document.id);
                self.add(document)
            }
            Change::Delete(id) => {
                self.delete(*id);
                Ok(())
            }
        }
    }

    fn delete(&mut self, id: i64) {
        self.engine.delete_term(self.fields.id_term(id));
    }

    /// Takes a document of which the index has no other state.
    pub fn add(&mut self, document: &SearchDocument) -> Result<(), SearchError> {
        let encoded = encode(&self.fields, document);
        let permit = self.queue.enter(size(document))?;
        let _opstamp = self.engine.add_document(QueuedDocument {
            document: encoded,
            _permit: permit,
        })?;
        Ok(())
    }

    /// Makes the changes lasting, with the last event that they show.
    pub fn commit(&mut self, last_event: i64) -> Result<(), SearchError> {
        let mut commit = self.engine.prepare_commit()?;
        commit.set_payload(&payload(last_event));
        commit.commit()?;
        Ok(())
    }

    /// Waits until no segments are merged.
    pub fn close(self) -> Result<(), SearchError> {
        Ok(self.engine.wait_merging_threads()?)
    }
}

/// About the memory of a document that waits. Texts are there for words, beginnings and stems.
fn size(document: &SearchDocument) -> usize {
    let texts = document.texts.iter().map(|text| 3 * text.text.len() + 128);
    texts.sum::<usize>() + 256 * document.facets.len() + 1_024
}

/// What a commit says about itself.
fn payload(last_event: i64) -> String {
    format!("isolario {VERSION} {last_event}")
}

/// The last event of a commit; none if another layout wrote it.
pub fn last_event(payload: &str) -> Option<i64> {
    let ours = format!("isolario {VERSION} ");
    payload.strip_prefix(&ours)?.parse().ok()
}

/// Segments are merged in steps of eight times their size, so that there are never many.
fn merge_policy() -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_num_segments(6);
    policy.set_min_layer_size(128);
    policy.set_level_log_size(3.0);
    policy.set_del_docs_ratio_before_merge(0.3);
    policy
}

/// The documents that wait to be written.
#[derive(Default)]
struct Queue {
    bytes: Mutex<usize>,
    left: Condvar,
}

impl Queue {
    /// Waits until there is space, and takes it.
    fn enter(self: &Arc<Queue>, bytes: usize) -> Result<Permit, SearchError> {
        let waiting = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > MOST_WAITING;
        let waited = self.left.wait_timeout_while(waiting, PATIENCE, is_full);
        let (mut waiting, patience) = waited.unwrap_or_else(PoisonError::into_inner);
        if patience.timed_out() {
            return Err(SearchError::Engine("nothing is written".to_owned()));
        }
        *waiting += bytes;
        Ok(Permit {
            queue: Arc::clone(self),
            bytes,
        })
    }
}

/// The space of a document that waits.
struct Permit {
    queue: Arc<Queue>,
    bytes: usize,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut bytes = self
            .queue
            .bytes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *bytes -= self.bytes;
        self.queue.left.notify_one();
    }
}

/// A document that waits. The engine drops it once it is written.
struct QueuedDocument {
    document: TantivyDocument,
    _permit: Permit,
}

impl Document for QueuedDocument {
    type Value<'a> = CompactDocValue<'a>;
    type FieldsValuesIter<'a> = Box<dyn Iterator<Item = (Field, CompactDocValue<'a>)> + 'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        Box::new(self.document.field_values())
    }
}

#[cfg(test)]
mod tests {
    use tantivy::indexer::NoMergePolicy;

    use super::*;
    use crate::index::schema::{register_tokenizers, schema};
    use crate::tests::support::{item, put};

    #[test]
    fn the_first_change_after_a_crash_is_in_segments_that_are_merged() {
        let (schema, fields) = schema();
        let index = Index::create_in_ram(schema);
        register_tokenizers(&index);
        let open = || Writer::open(&index, &fields, Effort::Small).unwrap();
        // Ended before segments were merged. The last commit deleted a document of a segment that is not the largest.
        let mut crashed = open();
        crashed.engine.set_merge_policy(Box::new(NoMergePolicy));
        for ids in [&[1, 2, 3, 4][..], &[5, 6, 7], &[8], &[9], &[10], &[11]] {
            for id in ids {
                crashed.change(&put(item(*id, "before"))).unwrap();
            }
            crashed.commit(1).unwrap();
        }
        crashed.change(&Change::Delete(5)).unwrap();
        crashed.commit(2).unwrap();
        crashed.close().unwrap();

        let mut opened = open();
        opened.change(&put(item(6, "after"))).unwrap();
        opened.commit(3).unwrap();
        opened.close().unwrap();
        let segments = index.searchable_segment_metas().unwrap();
        assert!(segments.len() < 7, "nothing was merged");
        let documents: u32 = segments.iter().map(|segment| segment.num_docs()).sum();
        assert_eq!(documents, 10);
    }
}
