//! OAI-PMH: which items others may harvest, in the order in which their records changed. Nothing is done for it until
//! somebody harvests: a request takes over what has changed since the one before.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::repository::Repository;
use crate::search::{AffectedItems, ParentCache, ParentFacts, TermCache};
use isolario_db::{DbError, Event, HarvestEntry, HarvestProgress, Read, Write};
use isolario_model::content::{Entity, EntityKind};
use isolario_search::Source;

/// Items that are written in one transaction.
const ITEMS: usize = 256;
/// Events that are read at once.
const EVENTS: u32 = 1_000;
/// After this time a request is answered as of the last time, or not yet. The work goes on.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// An answer is as of so long ago at most, seconds: it is better late than without what has happened.
const OLDEST: i64 = 60;

/// Takes over what was committed before it was asked. Returns the last second (Unix) of which every change is known,
/// and which will not change; `None` while much is taken over, such as all items for the first time. `whole_second`
/// says whether the second in which it is asked is one of them: then it must end first, if something was changed in it.
///
/// # Errors
/// What the database refuses.
pub async fn last_complete_second(
    repository: &Arc<Repository>,
    whole_second: bool,
) -> Result<Option<i64>, DbError> {
    let asked = Utc::now();
    let own = Arc::clone(repository);
    let work = tokio::spawn(async move {
        let _turn = own.harvest_turn.lock().await;
        take_over(&own, asked, whole_second).await
    });
    if let Ok(ended) = tokio::time::timeout(LONGEST_WAIT, work).await {
        ended.unwrap_or(Err(DbError::Closed))?;
    }
    let progress = repository.db.read(|read| read.harvest_progress()).await?;
    let oldest = (asked.timestamp() - OLDEST).max(1);
    let whole = progress.filter(|progress| progress.time >= oldest);
    Ok(whole.map(|progress| progress.time - 1))
}

/// Takes over the items, if nobody has harvested before, and then the events since the last time.
async fn take_over(
    repository: &Repository,
    asked: DateTime<Utc>,
    whole_second: bool,
) -> Result<(), DbError> {
    let mut progress = repository.db.read(begun).await?;
    // Somebody who asked later has had it taken over.
    if progress.time > asked.timestamp() {
        return Ok(());
    }
    while let Some(after) = progress.node {
        let (last, entries) = items_after(repository, after, asked.timestamp() - 1).await?;
        progress.node = last;
        store(repository, entries, progress).await?;
    }
    let until = match whole_second {
        true => end_of_second(repository, asked).await?,
        false => asked.timestamp(),
    };
    let until = until.max(progress.time);
    let before = progress;
    let last = repository.db.read(|read| read.last_event()).await?;
    while progress.event < last {
        let (event, items) = changed_items(repository, progress, (last, until)).await?;
        for items in items.chunks(ITEMS) {
            let entries = changed_entries(repository, items.to_vec()).await?;
            store(repository, entries, progress).await?;
        }
        progress.event = event;
        store(repository, Vec::new(), progress).await?;
    }
    progress.time = until;
    match progress == before {
        true => Ok(()),
        false => store(repository, Vec::new(), progress).await,
    }
}

fn begun(read: &Read<'_>) -> Result<HarvestProgress, DbError> {
    let progress = read.harvest_progress()?;
    Ok(progress.unwrap_or(HarvestProgress {
        event: read.last_event()?,
        time: 0,
        node: Some(0),
    }))
}

async fn store(
    repository: &Repository,
    entries: Vec<(HarvestEntry, Vec<i64>)>,
    progress: HarvestProgress,
) -> Result<(), DbError> {
    if repository.closing.is_cancelled() {
        return Err(DbError::Closed);
    }
    let change = move |write: &mut Write<'_>| {
        for (entry, sets) in &entries {
            write.note_harvest(entry, sets)?;
        }
        write.set_harvest_progress(&progress)
    };
    repository.db.write(change).await
}

/// Some public items after an id, and the last id that was looked at; `None` where there is none.
async fn items_after(
    repository: &Repository,
    after: i64,
    latest: i64,
) -> Result<(Option<i64>, Vec<(HarvestEntry, Vec<i64>)>), DbError> {
    let read = repository.db.read(move |read| {
        let ids = read.nodes_after(after, ITEMS)?;
        let mut entries = Vec::new();
        let entry_maker = EntryMaker::of(read);
        for nid in &ids {
            if let Some(node) = read.entity(EntityKind::Node, *nid)?
                && node.is_published()
            {
                entries.push(entry_maker.of_public(&node, node.changed().clamp(0, latest))?);
            }
        }
        Ok::<_, DbError>((ids.last().copied(), entries))
    });
    read.await
}

/// The time from which on changes have another datestamp than those before the request. Where something was changed in
/// the second in which it was asked, that second must end first.
async fn end_of_second(repository: &Repository, asked: DateTime<Utc>) -> Result<i64, DbError> {
    let newest = repository.db.read(|read| {
        let newest = read.events_after(read.last_event()? - 1, 1)?;
        Ok::<_, DbError>(newest.first().map(|event| event.at))
    });
    if newest.await?.is_none_or(|at| at < asked.timestamp()) {
        return Ok(asked.timestamp());
    }
    let left = 1_000_u32.saturating_sub(asked.timestamp_subsec_millis());
    tokio::time::sleep(Duration::from_millis(u64::from(left))).await;
    Ok(asked.timestamp() + 1)
}

/// The items whose records some of the next events have changed, with their datestamps, and the last of these events.
async fn changed_items(
    repository: &Repository,
    progress: HarvestProgress,
    (last, until): (i64, i64),
) -> Result<(i64, Vec<(i64, i64)>), DbError> {
    let read = repository.db.read_lists(move |read| {
        let mut events = read.events_after(progress.event, EVENTS)?;
        events.retain(|event| event.id <= last);
        let seen = events.last().map_or(last, |event| event.id);
        let mut items = BTreeMap::new();
        // Records say nothing of files.
        let is_told = |event: &&Event| matches!(event.kind, EntityKind::Node | EntityKind::Term);
        for event in events.iter().filter(is_told) {
            let affected = AffectedItems::of(read, std::slice::from_ref(event))?;
            let datestamp = event.at.clamp(progress.time, until);
            let mut affected: Vec<i64> = affected.direct.into_iter().chain(affected.wide).collect();
            if event.kind == EntityKind::Term {
                // Records say more of terms than searches: their addresses at authorities.
                affected.extend(read.nodes_referring_to(EntityKind::Term, event.entity_id)?);
            }
            items.extend(affected.into_iter().map(|nid| (nid, datestamp)));
        }
        Ok::<_, DbError>((seen, items.into_iter().collect()))
    });
    read.await
}

/// How changed items are now. What never was public stays untold.
async fn changed_entries(
    repository: &Repository,
    items: Vec<(i64, i64)>,
) -> Result<Vec<(HarvestEntry, Vec<i64>)>, DbError> {
    let read = repository.db.read(move |read| {
        let mut entries = Vec::new();
        let entry_maker = EntryMaker::of(read);
        for (nid, datestamp) in items {
            let node = read.entity(EntityKind::Node, nid)?;
            match node.filter(Entity::is_published) {
                Some(node) => entries.push(entry_maker.of_public(&node, datestamp)?),
                None => {
                    let known = read.harvest_entry_of(nid)?;
                    let known = known.filter(|entry| !entry.deleted);
                    entries.extend(known.map(|entry| {
                        let entry = HarvestEntry {
                            datestamp,
                            deleted: true,
                            ..entry
                        };
                        (entry, Vec::new())
                    }));
                }
            }
        }
        Ok::<_, DbError>(entries)
    });
    read.await
}

/// Makes the entries of items of a snapshot.
struct EntryMaker<'r> {
    read: &'r Read<'r>,
    terms: TermCache,
    parents: ParentCache,
}

impl<'r> EntryMaker<'r> {
    fn of(read: &'r Read<'r>) -> EntryMaker<'r> {
        EntryMaker {
            read,
            terms: TermCache::default(),
            parents: ParentCache::default(),
        }
    }

    /// The entry of a public item, and the collections above it that everybody may know of.
    fn of_public(
        &self,
        node: &Entity,
        datestamp: i64,
    ) -> Result<(HarvestEntry, Vec<i64>), DbError> {
        let above = self.parents.above(self.read, &self.terms, node)?;
        let is_set = |source: &Source| {
            matches!(
                source,
                Source::Linked {
                    published: true,
                    ..
                }
            )
        };
        let sets = above
            .iter()
            .filter(|one| one.facts.is_collection && is_set(&one.source));
        let mut sets: Vec<i64> = sets.map(|one| one.nid).collect();
        sets.sort_unstable();
        sets.dedup();
        let entry = HarvestEntry {
            nid: node.id,
            uuid: node.uuid.clone(),
            datestamp,
            deleted: false,
            is_collection: ParentFacts::of(self.read, &self.terms, node)?.is_collection,
        };
        Ok((entry, sets))
    }
}
