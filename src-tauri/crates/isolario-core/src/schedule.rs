//! Publishes and unpublishes items at the times that were set for them (`publish_on`, `unpublish_on`): an embargo, and its
//! counterpart, the expiry.
//!
//! What fell due while the program did not run is done at its start. The clock is read again every now and then, so that a
//! clock that is set forward is noticed.

use std::sync::Arc;
use std::time::Duration;

use chrono::Utc;

use crate::actions::{Author, Refusal, write_entity};
use crate::repository::Repository;
use isolario_db::{DbError, Write};
use isolario_model::content::entity::{PUBLISH_ON, UNPUBLISH_ON};
use isolario_model::content::{ContentModel, Entity, EntityKind};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, Subject, permit};

/// Items that are looked up at once.
const ITEMS: u32 = 100;
/// After this time the schedule and the clock are read again: a new time in it, and a clock that was set, are noticed so
/// soon. It does not follow the commits, which would make each of them write its index at once.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
const SHORTEST_WAIT: Duration = Duration::from_secs(1);

/// Follows the schedule of a repository until the program closes.
pub async fn run(repository: Arc<Repository>) {
    loop {
        let wait = match do_what_is_due(&repository).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(%error, "items could not be published or unpublished at their time");
                LONGEST_WAIT
            }
        };
        tokio::select! {
            () = repository.closing.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Publishes and unpublishes what is due, and returns how long nothing will be.
async fn do_what_is_due(repository: &Arc<Repository>) -> Result<Duration, Refusal> {
    loop {
        let now = Utc::now().timestamp();
        let (due, next) = repository
            .db
            .read_lists(move |read| {
                Ok::<_, DbError>((read.scheduled(now, ITEMS)?, read.next_scheduled()?))
            })
            .await?;
        if due.is_empty() || repository.closing.is_cancelled() {
            let seconds = next.map_or(u64::MAX, |next| u64::try_from(next - now).unwrap_or(0));
            return Ok(Duration::from_secs(seconds).clamp(SHORTEST_WAIT, LONGEST_WAIT));
        }
        let model = repository.model();
        let change = move |write: &mut Write<'_>| -> Result<bool, Refusal> {
            let mut changed = false;
            for nid in due {
                changed |= follow_schedule(write, &model, nid, now)?;
            }
            Ok(changed)
        };
        if !repository.db.write(change).await? {
            return Ok(LONGEST_WAIT);
        }
    }
}

/// Publishes or unpublishes an item, and takes the time out of its schedule. False: its time has not come.
fn follow_schedule(
    write: &mut Write<'_>,
    model: &ContentModel,
    nid: i64,
    now: i64,
) -> Result<bool, Refusal> {
    let Some(mut item) = write.entity(EntityKind::Node, nid)? else {
        return Ok(false);
    };
    let Some(published) = take_due(&mut item, now) else {
        return Ok(false);
    };
    item.set_value("status", published);
    if published {
        item.end_review();
    }
    let program = Actor::program();
    let permitted = permit(&program, Operation::Update, &Subject::of(&item))?;
    let said = match published {
        true => "Published at the time that was set.",
        false => "Unpublished at the time that was set.",
    };
    let author = Author {
        log: Some(said.to_owned()),
        ..Author::new(&program, Origin::Schedule)
    };
    write_entity::update(write, &permitted, model, item, &author)?;
    Ok(true)
}

/// Takes the times that have come out of the schedule of an item. Whether it is published by the latest of them; `None`:
/// none has come.
fn take_due(item: &mut Entity, now: i64) -> Option<bool> {
    let (publish, unpublish) = item.schedule();
    let publish = publish.filter(|time| *time <= now);
    let unpublish = unpublish.filter(|time| *time <= now);
    if publish.is_some() {
        item.set(PUBLISH_ON, Vec::new());
    }
    if unpublish.is_some() {
        item.set(UNPUBLISH_ON, Vec::new());
    }
    match (publish, unpublish) {
        (None, None) => None,
        (publish, unpublish) => Some(publish > unpublish),
    }
}
