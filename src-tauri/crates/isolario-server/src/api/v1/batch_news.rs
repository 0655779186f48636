//! Messages of the event stream about batches, instead of one for each item.

use std::collections::BTreeSet;

use axum::response::sse::Event as Message;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::batches::BatchStateName;
use isolario_core::actions::batches::is_visible;
use isolario_core::events::visible_event;
use isolario_core::repository::Repository;
use isolario_db::{Batch, DbError, Event, Read};
use isolario_model::policy::Actor;

/// The data of one message named `batch`.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchNews {
    id: i64,
    #[schema(value_type = BatchStateName)]
    state: &'static str,
    /// For its author and administrators: items, how many were tried, changed and refused.
    total: Option<i64>,
    done: Option<i64>,
    changed: Option<i64>,
    refused: Option<i64>,
}

/// The batches that a listener hears of.
#[derive(Clone)]
pub struct BatchListener {
    changes: watch::Receiver<u64>,
    /// Batches that have not ended and of which the listener may see a change.
    seen: BTreeSet<i64>,
}

impl BatchListener {
    /// Hears of what happens from now on.
    pub fn new(repository: &Repository) -> BatchListener {
        BatchListener {
            changes: repository.batches.changes(),
            seen: BTreeSet::new(),
        }
    }

    /// Waits until a batch has come further.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            std::future::pending().await
        }
    }

    /// The messages about batches, with these further changes of theirs.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn messages(
        &mut self,
        read: &Read<'_>,
        actor: &Actor,
        events: Vec<Event>,
    ) -> Result<Vec<Message>, DbError> {
        for event in events {
            let Some(id) = event.batch.filter(|id| !self.seen.contains(id)) else {
                continue;
            };
            if visible_event(read, actor, event)?.is_some() {
                self.seen.insert(id);
            }
        }
        let mut batches = Vec::new();
        for batch in read.open_batches()? {
            if is_visible(&batch, actor) {
                self.seen.insert(batch.id);
                batches.push(batch);
            }
        }
        for id in self.seen.clone() {
            if let Some(batch) = read.batch(id)?.filter(|batch| batch.ended.is_some()) {
                self.seen.remove(&id);
                batches.push(batch);
            }
        }
        Ok(batches
            .iter()
            .filter_map(|batch| message(batch, actor))
            .collect())
    }
}

fn message(batch: &Batch, actor: &Actor) -> Option<Message> {
    let number = |number: i64| is_visible(batch, actor).then_some(number);
    let news = BatchNews {
        id: batch.id,
        state: batch.state.name(),
        total: number(batch.total),
        done: number(batch.done),
        changed: number(batch.changed),
        refused: number(batch.refused),
    };
    Message::default().event("batch").json_data(&news).ok()
}
