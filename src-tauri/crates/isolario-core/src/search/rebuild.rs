//! Makes an index anew, of all items, while the repository is in use.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::documents::{DocumentDraft, Documents};
use super::place::IndexPlace;
use crate::progress::ReportProgress;
use crate::repository::{RebuildProgress, Repository};
use isolario_db::DbError;
use isolario_search::{Rebuild, SearchDocument, SearchError, SearchIndex};

/// Items that are read in one snapshot.
const CHUNK: usize = 500;

/// Bytes of texts that are given to the index at once.
const MOST_BYTES: usize = 4 << 20;

/// How often progress is said.
const BETWEEN_WORDS: Duration = Duration::from_millis(500);

/// Why an index does not follow the repository.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexingError {
    #[error(transparent)]
    Database(#[from] DbError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the directory of the index cannot be used: {0}")]
    Disk(#[from] std::io::Error),
    #[error("the program closes")]
    Closing,
}

/// Runs what waits for the disk or the processor.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SearchError> + Send + 'static,
) -> Result<T, SearchError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(SearchError::Engine(error.to_string())))
}

/// Makes a new index in a directory.
pub(super) async fn build(
    repository: &Repository,
    directory: &Path,
    tell: impl Fn(RebuildProgress),
) -> Result<SearchIndex, IndexingError> {
    let db = &repository.db;
    // What changes from now on is indexed again.
    let (last_event, of) = db
        .read(|read| Ok::<_, DbError>((read.last_event()?, read.last_node()?)))
        .await?;
    tell(RebuildProgress { done: 0, of });
    let directory = directory.to_owned();
    let mut rebuild = blocking(move || Rebuild::start(&directory)).await?;
    let mut done = 0;
    loop {
        let chunk = read_chunk(repository, done).await?;
        let Some(last) = chunk.last else { break };
        rebuild = add(repository, rebuild, chunk.drafts).await?;
        done = last;
        tell(RebuildProgress { done, of });
    }
    Ok(blocking(move || rebuild.finish(last_event)).await?)
}

/// Some items, and the last of them.
struct Chunk {
    drafts: Vec<DocumentDraft>,
    last: Option<i64>,
}

async fn read_chunk(repository: &Repository, after: i64) -> Result<Chunk, DbError> {
    let model = repository.model();
    let read = repository.db.read(move |read| {
        let ids = read.nodes_after(after, CHUNK)?;
        let documents = Documents::new(read, &model);
        let drafts = ids.iter().map(|nid| documents.whole(*nid));
        let drafts = drafts.filter_map(Result::transpose);
        Ok(Chunk {
            drafts: drafts.collect::<Result<_, DbError>>()?,
            last: ids.last().copied(),
        })
    });
    read.await
}

async fn add(
    repository: &Repository,
    mut rebuild: Rebuild,
    drafts: Vec<DocumentDraft>,
) -> Result<Rebuild, IndexingError> {
    let (mut ready, mut bytes) = (Vec::new(), 0);
    for draft in drafts {
        if repository.closing.is_cancelled() {
            return Err(IndexingError::Closing);
        }
        let document = draft.complete(repository).await;
        bytes += size(&document);
        ready.push(document);
        if bytes > MOST_BYTES {
            rebuild = add_all(rebuild, std::mem::take(&mut ready)).await?;
            bytes = 0;
        }
    }
    Ok(add_all(rebuild, ready).await?)
}

async fn add_all(
    mut rebuild: Rebuild,
    documents: Vec<SearchDocument>,
) -> Result<Rebuild, SearchError> {
    blocking(move || {
        documents.iter().try_for_each(|one| rebuild.add(one))?;
        Ok(rebuild)
    })
    .await
}

/// Bytes of the texts of a document.
pub(super) fn size(document: &SearchDocument) -> usize {
    document.texts.iter().map(|text| text.text.len()).sum()
}

/// Makes the index of a repository anew: by the task that owns it, or here where there is none. Returns the number of
/// its items.
///
/// # Errors
/// A sentence.
pub async fn reindex(repository: &Repository, say: &ReportProgress) -> Result<usize, String> {
    if repository.search.is_followed() {
        return wait_for_task(repository, say).await;
    }
    let place = IndexPlace::of(&repository.directory, &repository.model());
    let directory = place.next();
    let tell = |progress: RebuildProgress| say(in_words(progress));
    let built = build(repository, &directory, tell).await;
    let index = built.map_err(|error| format!("The index was not made: {error}."))?;
    let left = place.leave_only(&directory);
    left.map_err(|error| format!("Former indexes cannot be removed: {error}."))?;
    Ok(index.items())
}

async fn wait_for_task(repository: &Repository, say: &ReportProgress) -> Result<usize, String> {
    let before = repository.search.status().rebuilds;
    repository.search.ask_for_rebuild();
    loop {
        tokio::time::sleep(BETWEEN_WORDS).await;
        let status = repository.search.status();
        if status.rebuilds > before {
            let index = repository.search.index();
            return Ok(index.map_or(0, |index| index.items()));
        }
        match (status.rebuild, status.problem) {
            (Some(progress), _) => say(in_words(progress)),
            (None, Some(problem)) => return Err(problem),
            (None, None) if repository.closing.is_cancelled() => {
                return Err("The program closes.".to_owned());
            }
            (None, None) => {}
        }
    }
}

fn in_words(progress: RebuildProgress) -> String {
    format!("Indexing: {} of {}", progress.done, progress.of)
}

/// A new index and where it lies.
pub(super) struct BuiltIndex {
    pub index: SearchIndex,
    pub directory: PathBuf,
}

/// Makes the next index of a place, and tells how far it is.
pub(super) async fn build_next(
    repository: Arc<Repository>,
    place: IndexPlace,
) -> Result<BuiltIndex, IndexingError> {
    let directory = place.next();
    let search = &repository.search;
    let tell = |progress| search.tell(|status| status.rebuild = Some(progress));
    let built = build(&repository, &directory, tell).await;
    search.tell(|status| status.rebuild = None);
    Ok(BuiltIndex {
        index: built?,
        directory,
    })
}
