//! An index: opened, changed as events come, and made anew.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tantivy::index::{IndexMeta, IndexSettings, SegmentComponent, SegmentMeta};
use tantivy::store::Compressor;
use tantivy::{Index, IndexReader, ReloadPolicy};

use super::schema::{Fields, register_tokenizers, schema};
use super::sealed::SealedDirectory;
use super::snapshot::Snapshot;
use super::writer::{Effort, Writer, last_event};
use crate::document::{Change, SearchDocument};
use crate::error::{SearchError, Unusable, guarded};
use isolario_platform::files;

/// The file that names the segments of an index.
const META: &str = "meta.json";

/// An index in a directory.
pub struct SearchIndex {
    index: Index,
    directory: SealedDirectory,
    fields: Fields,
    reader: IndexReader,
    /// Opened with the first change, since it takes threads and memory.
    writer: Mutex<Option<Writer>>,
    snapshot: RwLock<Arc<Snapshot>>,
}

impl SearchIndex {
    /// Opens an index and looks whether all its files are there and as long as they were written. What is changed within
    /// them is recognised when it is read, and at once by `verify`.
    ///
    /// # Errors
    /// Why it must be made anew.
    pub fn open(directory: &Path) -> Result<SearchIndex, Unusable> {
        guarded(|| {
            look_at_names(directory)?;
            let sealed = SealedDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
            let index = Index::open(sealed.clone())?;
            let meta = index.load_metas()?;
            let payload = meta.payload.as_deref().ok_or(Unusable::Unfinished)?;
            let last_event = last_event(payload).ok_or(Unusable::OtherVersion)?;
            let (schema, fields) = schema();
            if meta.schema != schema {
                return Err(Unusable::OtherVersion);
            }
            for name in files(&meta) {
                sealed.look_at(&name)?;
            }
            Ok(SearchIndex::read(index, sealed, fields, last_event)?)
        })
    }

    fn read(
        index: Index,
        directory: SealedDirectory,
        fields: Fields,
        last_event: i64,
    ) -> Result<SearchIndex, SearchError> {
        register_tokenizers(&index);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader: IndexReader = reader.doc_store_cache_num_blocks(0).try_into()?;
        let snapshot = Snapshot::new(reader.searcher(), fields.clone(), last_event, None)?;
        Ok(SearchIndex {
            index,
            directory,
            fields,
            reader,
            writer: Mutex::default(),
            snapshot: RwLock::new(Arc::new(snapshot)),
        })
    }

    /// Reads all files and compares them with their checksums. Searches go on meanwhile.
    ///
    /// # Errors
    /// A failing disk; damage.
    pub fn verify(&self) -> Result<(), SearchError> {
        // Files of merged segments may be removed meanwhile.
        let meta = self.index.load_metas()?;
        for name in files(&meta) {
            match self.directory.verify(&name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let names = files(&self.index.load_metas()?);
                    if names.contains(&name) {
                        return Err(error.into());
                    }
                }
                verified => verified?,
            }
        }
        Ok(())
    }

    /// The last event that searches know of.
    pub fn last_event(&self) -> i64 {
        self.snapshot().last_event
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        let segments = self.snapshot();
        let counts = segments.segments().map(|segment| segment.alive.count());
        counts.sum()
    }

    /// Fills the disk after so many bytes.
    #[cfg(test)]
    pub(crate) fn set_space(&self, bytes: usize) {
        self.directory.space().set_limit(bytes);
    }

    /// The index as of the last commit.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        let snapshot = self.snapshot.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&snapshot)
    }

    /// Changes items. When it returns, searches show all changes up to the last event; if it fails, none of them.
    ///
    /// # Errors
    /// A full disk (`SearchError::is_full`) or failing one; damage.
    pub fn apply(&self, changes: &[Change], last_event: i64) -> Result<(), SearchError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        // A merge in the background may have found the disk full, which changes nothing.
        let _ = self.directory.space().was_full();
        let applied = guarded(|| {
            let open = match writer.take() {
                Some(open) => open,
                None => Writer::open(&self.index, &self.fields, Effort::Small)?,
            };
            let open = writer.insert(open);
            changes.iter().try_for_each(|change| open.change(change))?;
            open.commit(last_event)?;
            self.reload(last_event)
        });
        if applied.is_err() {
            // What was not committed is forgotten with the writer.
            guarded(|| {
                drop(writer.take());
                Ok::<_, SearchError>(())
            })?;
        }
        self.directory.space().explain(applied)
    }

    fn reload(&self, last_event: i64) -> Result<(), SearchError> {
        self.reader.reload()?;
        let (searcher, fields) = (self.reader.searcher(), self.fields.clone());
        let last = self.snapshot();
        let snapshot = Snapshot::new(searcher, fields, last_event, Some(&last))?;
        *self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
        Ok(())
    }

    /// Gives back the threads and the memory that changes take. It waits for merges of segments.
    ///
    /// # Errors
    /// As `apply`.
    pub fn rest(&self) -> Result<(), SearchError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = match writer.take() {
            None => Ok(()),
            Some(open) => guarded(|| {
                open.close()?;
                self.reload(self.last_event())
            }),
        };
        self.directory.rest(false);
        self.directory.space().explain(closed)
    }
}

/// An index that is made anew. It replaces what the directory held, and can be opened once it is finished.
pub struct Rebuild {
    index: Index,
    directory: SealedDirectory,
    fields: Fields,
    writer: Writer,
}

impl Rebuild {
    /// Removes the directory with all that it holds and begins an empty index there.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn start(directory: &Path) -> Result<Rebuild, SearchError> {
        match files::remove_dir_all(directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => std::fs::create_dir_all(directory)?,
        }
        let sealed = SealedDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
        Rebuild::start_in(sealed)
    }

    /// In a directory that is empty.
    pub(crate) fn start_in(directory: SealedDirectory) -> Result<Rebuild, SearchError> {
        directory.rest(true);
        let sealed = directory.clone();
        let started = guarded(|| {
            let (schema, fields) = schema();
            let settings = IndexSettings {
                docstore_compression: Compressor::None,
                docstore_compress_dedicated_thread: false,
                ..IndexSettings::default()
            };
            let index = Index::create(sealed, schema, settings)?;
            register_tokenizers(&index);
            let writer = Writer::open(&index, &fields, Effort::Rebuild)?;
            Ok((index, fields, writer))
        });
        let (index, fields, writer) = directory.space().explain(started)?;
        Ok(Rebuild {
            index,
            directory,
            fields,
            writer,
        })
    }

    /// Adds an item, each once.
    ///
    /// # Errors
    /// As `SearchIndex::apply`.
    pub fn add(&mut self, document: &SearchDocument) -> Result<(), SearchError> {
        let added = guarded(|| self.writer.add(document));
        self.directory.space().explain(added)
    }

    /// Completes the index. The event is the last whose change every document shows.
    ///
    /// # Errors
    /// As `SearchIndex::apply`.
    pub fn finish(mut self, last_event: i64) -> Result<SearchIndex, SearchError> {
        let directory = self.directory.clone();
        let finished = guarded(|| {
            self.writer.commit(last_event)?;
            self.writer.close()?;
            SearchIndex::read(self.index, self.directory, self.fields, last_event)
        });
        directory.rest(false);
        directory.space().explain(finished)
    }
}

/// Looks whether a directory can be that of an index, before anything in it is opened.
fn look_at_names(directory: &Path) -> Result<(), Unusable> {
    let mut is_begun = false;
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unusable::Missing),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_file() {
            return Err(Unusable::Foreign(name.display().to_string()));
        }
        is_begun |= name == META;
    }
    is_begun.then_some(()).ok_or(Unusable::Missing)
}

/// The files that an index needs beside the one that names them.
fn files(meta: &IndexMeta) -> Vec<PathBuf> {
    use SegmentComponent::{Delete, FastFields, FieldNorms, Positions, Postings, Store, Terms};
    let of_segment = |segment: &SegmentMeta| -> Vec<PathBuf> {
        let parts = [Postings, Positions, FastFields, FieldNorms, Terms, Store];
        let parts = parts
            .into_iter()
            .chain(segment.has_deletes().then_some(Delete));
        parts.map(|part| segment.relative_path(part)).collect()
    };
    meta.segments.iter().flat_map(of_segment).collect()
}
