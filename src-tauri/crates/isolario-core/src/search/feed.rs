//! Feeds the index with the events of the repository, after their commits. What an index shows is known by the number of
//! its last event, so nothing is lost by a crash: a start goes on where the index is.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::affected::AffectedItems;
use super::documents::{DocumentDraft, Documents};
use super::place::IndexPlace;
use super::rebuild::{BuiltIndex, IndexingError, blocking, build_next, size};
use crate::repository::Repository;
use isolario_db::{DbError, EventArrivals};
use isolario_model::content::ContentModel;
use isolario_search::{Change, SearchError, SearchIndex};

/// Events that are read at once.
const EVENTS: u32 = 1_000;
/// Items that are indexed at once.
const ITEMS: usize = 1_000;
/// Items that are read at once.
const READ: usize = 64;
/// Bytes of texts that are indexed at once.
const MOST_BYTES: usize = 8 << 20;

/// After work on the index, the pause is so many times as long as the work took, unless a search waits for it.
const REST: u32 = 20;
const LONGEST_REST: Duration = Duration::from_secs(2);

/// After such a time without a change, memory and threads are given back.
const IDLE: Duration = Duration::from_secs(10);
/// After a failure it is tried again.
const RETRY: Duration = Duration::from_secs(10);

/// Opens the index, makes it anew if it must, and feeds it until the program closes.
pub async fn run(repository: Arc<Repository>) {
    repository.search.set_followed(true);
    let mut follower = Follower::new(repository);
    follower.open().await;
    follower.follow().await;
    follower.repository.search.set_followed(false);
}

/// The task that owns the index.
struct Follower {
    repository: Arc<Repository>,
    /// The content model of the index that is fed, or is made.
    model: Arc<ContentModel>,
    place: IndexPlace,
    index: Option<Arc<SearchIndex>>,
    rebuild: Option<JoinHandle<Result<BuiltIndex, IndexingError>>>,
    /// The last event whose items are known.
    seen: i64,
    items: AffectedItems,
    arrivals: EventArrivals,
    commits: watch::Receiver<u64>,
    /// When items were indexed last, and how long it took.
    last: Option<(Instant, Duration)>,
    /// Where the index lies, until searches ask it.
    new: Option<PathBuf>,
    /// Whether it was made anew.
    is_rebuilt: bool,
    /// Whether the index has given back its memory.
    rests: bool,
}

impl Follower {
    fn new(repository: Arc<Repository>) -> Follower {
        let model = repository.model();
        Follower {
            place: IndexPlace::of(&repository.directory, &model),
            model,
            index: None,
            rebuild: None,
            seen: 0,
            items: AffectedItems::default(),
            arrivals: repository.db.event_arrivals(),
            commits: repository.db.commits(),
            last: None,
            new: None,
            is_rebuilt: false,
            rests: true,
            repository,
        }
    }

    /// Opens the newest index that follows this database.
    async fn open(&mut self) {
        for directory in self.place.indexes() {
            let path = directory.clone();
            let opened = tokio::task::spawn_blocking(move || SearchIndex::open(&path)).await;
            let index = match opened {
                Ok(Ok(index)) => index,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the index of searches is made anew");
                    continue;
                }
                Err(error) => {
                    tracing::error!(%error, "the index of searches cannot be opened");
                    continue;
                }
            };
            let last = index.last_event();
            if last == 0 || self.has_event(last).await {
                return self.adopt(BuiltIndex { index, directory });
            }
            tracing::warn!("the index of searches follows another database and is made anew");
        }
    }

    async fn has_event(&self, id: i64) -> bool {
        let known = self.repository.db.read(move |read| read.has_event(id));
        known.await.unwrap_or(false)
    }

    /// Feeds this index from now on. Where another can be asked, searches ask this one once it shows as much.
    fn adopt(&mut self, built: BuiltIndex) {
        self.seen = built.index.last_event();
        self.items = AffectedItems::default();
        self.index = Some(Arc::new(built.index));
        self.new = Some(built.directory);
        self.rests = false;
        if self.repository.search.index().is_none() {
            self.publish();
        }
    }

    /// Lets searches ask the index that is fed, and removes the others.
    fn publish(&mut self) {
        let Some(directory) = self.new.take() else {
            return;
        };
        self.repository.search.set_index(self.index.clone());
        if let Err(error) = self.place.leave_only(&directory) {
            tracing::warn!(%error, "a former index of searches cannot be removed");
        }
        let is_rebuilt = std::mem::take(&mut self.is_rebuilt);
        let search = &self.repository.search;
        search.tell(|status| status.rebuilds += u64::from(is_rebuilt));
    }

    async fn follow(&mut self) {
        let repository = Arc::clone(&self.repository);
        let closing = &repository.closing;
        while !closing.is_cancelled() {
            let step = match self.look_after_rebuild().await {
                Ok(()) => self.step().await,
                Err(error) => Err(error),
            };
            match step {
                Ok(true) => {}
                Ok(false) => {
                    closing.run_until_cancelled(self.wait()).await;
                }
                Err(error) => {
                    self.fail(&error);
                    closing.run_until_cancelled(tokio::time::sleep(RETRY)).await;
                }
            }
        }
        if let Some(rebuild) = self.rebuild.take() {
            // It sees for itself that the program closes.
            let _ = rebuild.await;
        }
    }

    /// Begins a rebuild where one is needed or asked for, and takes the index of one that is complete.
    async fn look_after_rebuild(&mut self) -> Result<(), IndexingError> {
        let is_asked = self.repository.search.takes_rebuild();
        if self.rebuild.is_none() && (self.takes_model() || is_asked || self.index.is_none()) {
            let repository = Arc::clone(&self.repository);
            self.rebuild = Some(tokio::spawn(build_next(repository, self.place.clone())));
        }
        if self.rebuild.as_ref().is_some_and(JoinHandle::is_finished)
            && let Some(rebuild) = self.rebuild.take()
        {
            let built = rebuild
                .await
                .map_err(|error| IndexingError::Search(SearchError::Engine(error.to_string())))?;
            let built = built?;
            self.is_rebuilt = true;
            self.adopt(built);
        }
        Ok(())
    }

    /// Takes the present content model. Returns whether it needs another index.
    fn takes_model(&mut self) -> bool {
        let model = self.repository.model();
        if Arc::ptr_eq(&model, &self.model) {
            return false;
        }
        let place = IndexPlace::of(&self.repository.directory, &model);
        self.model = model;
        std::mem::replace(&mut self.place, place) != self.place
    }

    /// Indexes some items. Returns whether there may be more.
    async fn step(&mut self) -> Result<bool, IndexingError> {
        let Some(index) = self.index.clone() else {
            return Ok(false);
        };
        self.pause().await;
        let before = self.seen;
        if self.items.direct.is_empty() {
            self.read_events().await?;
        }
        let began = Instant::now();
        self.commits.borrow_and_update();
        let changes = self.changes().await?;
        if changes.is_empty() {
            self.settle();
            // Those that were read may concern no item, and not be the last.
            return Ok(self.seen > before);
        }
        let last_event = match self.is_done() {
            true => self.seen,
            false => index.last_event(),
        };
        blocking(move || index.apply(&changes, last_event)).await?;
        self.last = Some((Instant::now(), began.elapsed()));
        self.rests = false;
        self.settle();
        Ok(true)
    }

    fn is_done(&self) -> bool {
        self.items.direct.is_empty() && self.items.wide.is_empty()
    }

    /// Tells which changes searches show.
    fn settle(&mut self) {
        if self.is_done() {
            self.publish();
        }
        let (seen, is_done) = (self.seen, self.is_done());
        let waiting = self.items.direct.len() + self.items.wide.len();
        self.repository.search.tell(|status| {
            status.waiting = waiting;
            status.problem = None;
            if is_done {
                status.settled = seen;
            }
        });
    }

    async fn read_events(&mut self) -> Result<(), DbError> {
        let after = self.seen;
        let read = self.repository.db.read(move |read| {
            let events = read.events_after(after, EVENTS)?;
            let last = events.last().map(|event| event.id);
            Ok::<_, DbError>((last, AffectedItems::of(read, &events)?))
        });
        let (last, items) = read.await?;
        self.seen = last.unwrap_or(self.seen);
        self.items.direct.extend(items.direct);
        self.items.wide.extend(items.wide);
        Ok(())
    }

    /// The next items, those of the events themselves first.
    fn take_items(&mut self) -> Vec<i64> {
        let items = match self.items.direct.is_empty() {
            false => &mut self.items.direct,
            true => &mut self.items.wide,
        };
        let take = |items: &mut BTreeSet<i64>| items.pop_first();
        std::iter::from_fn(|| take(items)).take(READ).collect()
    }

    /// What the next items are now. Those that are too much at once wait.
    async fn changes(&mut self) -> Result<Vec<Change>, DbError> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        let are_wide = self.items.direct.is_empty();
        while self.items.direct.is_empty() == are_wide
            && changes.len() < ITEMS
            && bytes <= MOST_BYTES
        {
            let ids = self.take_items();
            if ids.is_empty() {
                break;
            }
            for (nid, draft) in self.drafts(ids).await? {
                if bytes > MOST_BYTES {
                    self.items.direct.insert(nid);
                    continue;
                }
                changes.push(match draft {
                    Some(draft) => {
                        let document = draft.complete(&self.repository).await;
                        bytes += size(&document);
                        Change::Put(Box::new(document))
                    }
                    None => Change::Delete(nid),
                });
            }
        }
        Ok(changes)
    }

    /// What the database knows of items; nothing of one that there is not.
    async fn drafts(&self, ids: Vec<i64>) -> Result<Vec<(i64, Option<DocumentDraft>)>, DbError> {
        let model = self.repository.model();
        let read = self.repository.db.read(move |read| {
            let documents = Documents::new(read, &model);
            let drafts = ids.into_iter().map(|nid| Ok((nid, documents.whole(nid)?)));
            drafts.collect::<Result<Vec<_>, DbError>>()
        });
        read.await
    }

    /// Leaves the machine to those who write, unless a search waits. Changes that come one by one are thus indexed
    /// together; many that wait are indexed at once where nobody wrote during the last work.
    async fn pause(&self) {
        let Some((ended, took)) = self.last else {
            return;
        };
        let leaves = self.is_done() || self.commits.has_changed().unwrap_or(false);
        let rest = (took * REST).min(LONGEST_REST);
        let left = rest.saturating_sub(ended.elapsed());
        if !leaves || left.is_zero() || self.repository.search.is_awaited() {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(left) => {}
            () = self.repository.search.woken() => {}
            () = self.repository.closing.cancelled() => {}
        }
    }

    /// Waits for an event, a request or the end of a rebuild.
    async fn wait(&mut self) {
        let rebuild = async {
            match &mut self.rebuild {
                Some(rebuild) => {
                    while !rebuild.is_finished() {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            is_open = self.arrivals.next() => if !is_open {
                // The writer has gone; the program is about to close.
                std::future::pending().await
            },
            () = self.repository.search.woken() => {}
            () = rebuild => {}
            () = tokio::time::sleep(IDLE), if !self.rests => self.give_back().await,
        }
    }

    async fn give_back(&mut self) {
        self.rests = true;
        if let Some(index) = self.index.clone()
            && let Err(error) = blocking(move || index.rest()).await
        {
            self.fail(&error.into());
        }
    }

    /// Begins again at the last event that the index shows. One that is damaged is made anew.
    fn fail(&mut self, error: &IndexingError) {
        if matches!(error, IndexingError::Closing) {
            return;
        }
        tracing::error!(%error, "changes are not found for the time being");
        let problem = format!("Changes are not found for the time being: {error}.");
        let search = &self.repository.search;
        search.tell(|status| status.problem = Some(problem));
        if let IndexingError::Search(SearchError::Damaged(_)) = error {
            self.index = None;
            search.set_index(None);
        }
        self.seen = self.index.as_ref().map_or(0, |index| index.last_event());
        self.items = AffectedItems::default();
    }
}
