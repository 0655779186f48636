//! `/api/v1/events`: committed changes as they happen, as server-sent events.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event as Message, KeepAlive};
use futures_util::Stream;
use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use super::batch_news::BatchListener;
use super::parameters::Parameters;
use super::request_context::require_sign_in;
use super::responses::UserName;
use crate::api::openapi::{refusals, values};
use crate::api::{ApiError, AppState, Peer};
use isolario_core::events::{Listener, StreamPermit, VisibleEvent, visible_event};
use isolario_core::repository::Repository;
use isolario_db::{DbError, Event};
use isolario_model::content::ContentModel;
use isolario_model::fields::iso;
use isolario_model::policy::Actor;

/// What can happen to a thing.
pub const ACTIONS: [(&str, &str); 9] = [
    ("create", "create"),
    ("update", "update"),
    ("delete", "delete"),
    ("restore", "restore"),
    ("purge", "purge"),
    ("issue_token", "issue_token"),
    ("revoke_token", "revoke_token"),
    ("issue_link", "issue_link"),
    ("revoke_link", "revoke_link"),
];

values::schemas! {
    /// What happened to a thing.
    ChangeAction => values::one_of(values::names(&ACTIONS));
}

/// From where to listen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Number of the last event that the client has. Without it and without `Last-Event-ID`, the stream begins now.
    #[param(value_type = Option<i64>, minimum = 0)]
    after: Option<String>,
}

/// The data of one message named `change`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Change {
    id: i64,
    #[schema(format = DateTime)]
    at: String,
    /// Who made the change, where the listener may know.
    actor: Option<UserName>,
    #[schema(value_type = values::Origin)]
    origin: String,
    #[schema(value_type = ChangeAction)]
    action: String,
    #[schema(value_type = values::EntityKind)]
    kind: &'static str,
    entity_id: i64,
    /// Number of the revision that the change made.
    vid: Option<i64>,
    /// Label of the resource at that time.
    label: String,
    /// Nodes in whose lists it appears.
    parents: Vec<i64>,
    /// The change of many items that it is part of.
    batch: Option<i64>,
}

/// Changes as they happen
///
/// Messages are named `change`, their data is a `Change`. Holds nothing that the listener may not see
/// at that moment; for those who have signed in. A listener that was away resumes with `Last-Event-ID` or `after`.
/// The changes of a batch are not told one by one: messages named `batch`, whose data is a `BatchNews`, tell its author
/// the progress, and everybody who may see one of its changes the end.
/// A message named `content_model` tells that the content model has changed, one named `presence` that somebody has
/// opened or left an item, or begins or ends to edit a field (`PUT /api/v1/items/{nid}/presence/{page}`).
/// The first message has only an `id`: the event after which the stream begins.
#[utoipa::path(get, path = "/api/v1/events", tag = "lists", params(EventsQuery,
    ("Last-Event-ID" = Option<i64>, Header, minimum = 0, nullable = false, description = "Number of the last event already known")),
    responses(
    (status = 200, content_type = "text/event-stream", body = Change),
    (status = 400, description = "A parameter has a value that it cannot have", body = refusals::Message),
    (status = 401, description = "The request has no credentials", body = refusals::Message),
    (status = 429, description = "The account or the address has too many event streams", body = refusals::Message),
    (status = 503, description = "The server has too many event streams", body = refusals::Message),
))]
pub async fn events(
    State(app): State<AppState>,
    Extension(actor): Extension<Actor>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
    Parameters(query): Parameters<EventsQuery>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, ApiError> {
    require_sign_in(&actor)?;
    let after = start(&headers, query.after.as_deref())?;
    // Requests from within the program come from this machine.
    let (address, closing) = match peer {
        Some(Extension(peer)) => (peer.address.ip(), peer.closing),
        None => (Ipv4Addr::LOCALHOST.into(), app.repository.closing.clone()),
    };
    let limits = &app.repository.config.limits;
    let counted = app.streams.open(limits, &actor, address);
    let counted = counted.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let db = app.repository.db.clone();
    let listener = Listener::open(db, closing, after).await?;
    // Whoever hears of no event before the connection is lost resumes here.
    let place = Message::default().id(listener.last().to_string());
    let listening = EventStream {
        _counted: counted,
        listener,
        batches: BatchListener::new(&app.repository),
        model: app.repository.model_changes(),
        presence: app.presence.changes(),
        repository: app.repository.clone(),
        actor,
    };
    let messages = stream::unfold(listening, |mut listening| async {
        let messages = listening.next().await?;
        Some((stream::iter(messages), listening))
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    let messages = stream::iter([place]).chain(messages.flatten());
    Ok(Sse::new(messages.map(Ok)).keep_alive(keep_alive))
}

/// A browser that lost its connection says where it was; that is newer than the address it began with.
fn start(headers: &HeaderMap, after: Option<&str>) -> Result<Option<i64>, ApiError> {
    let last = headers.get("last-event-id");
    let last = last.map(|value| value.to_str().unwrap_or_default());
    last.or(after)
        .filter(|text| !text.is_empty())
        .map(|text| {
            text.parse()
                .ok()
                .filter(|number| *number >= 0)
                .ok_or_else(|| {
                    ApiError::bad_request(
                        "The number of the last known event must be a whole number.",
                    )
                })
        })
        .transpose()
}

/// One open stream.
struct EventStream {
    /// Until the stream ends.
    _counted: Option<StreamPermit>,
    listener: Listener,
    batches: BatchListener,
    model: watch::Receiver<Arc<ContentModel>>,
    presence: watch::Receiver<u64>,
    repository: Arc<Repository>,
    actor: Actor,
}

impl EventStream {
    /// The next messages; `None` ends the stream.
    async fn next(&mut self) -> Option<Vec<Message>> {
        match self.try_next().await {
            Ok(messages) => messages,
            Err(error) => {
                tracing::warn!(%error, "an event stream broke off");
                None
            }
        }
    }

    async fn try_next(&mut self) -> Result<Option<Vec<Message>>, DbError> {
        let events = tokio::select! {
            events = self.listener.next() => match events? {
                Some(events) => events,
                None => return Ok(None),
            },
            () = self.batches.changed() => Vec::new(),
            Ok(()) = self.model.changed() => return self.bare_message("content_model"),
            Ok(()) = self.presence.changed() => return self.bare_message("presence"),
        };
        let Some(actor) = self.actor_now()? else {
            return Ok(None);
        };
        let (db, mut batches) = (&self.repository.db, self.batches.clone());
        let answer = db.read(move |read| {
            let (many, single) = events
                .into_iter()
                .partition(|event: &Event| event.batch.is_some());
            let mut messages: Vec<Message> = visible_events(read, &actor, single)?
                .into_iter()
                .filter_map(message)
                .collect();
            messages.extend(batches.messages(read, &actor, many)?);
            Ok::<_, DbError>((messages, batches))
        });
        let (messages, batches) = answer.await?;
        self.batches = batches;
        Ok(Some(messages))
    }

    /// A message that something has changed, which the listener asks for then.
    fn bare_message(&self, name: &str) -> Result<Option<Vec<Message>>, DbError> {
        let message = || Message::default().event(name).data("{}");
        Ok(self.actor_now()?.map(|_| vec![message()]))
    }

    /// Who listens, as they stand now; `None` once their sign-in is over.
    fn actor_now(&self) -> Result<Option<Actor>, DbError> {
        let authenticator = &self.repository.authenticator;
        authenticator.as_of_now(self.actor.uid, &self.actor.sign_in)
    }
}

fn visible_events(
    read: &isolario_db::Read<'_>,
    actor: &Actor,
    events: Vec<Event>,
) -> Result<Vec<VisibleEvent>, DbError> {
    let mut all = Vec::with_capacity(events.len());
    for event in events {
        all.extend(visible_event(read, actor, event)?);
    }
    Ok(all)
}

/// The JSON of an event.
pub fn change(visible_event: VisibleEvent) -> Change {
    let event = visible_event.event;
    Change {
        id: event.id,
        at: iso(event.at),
        actor: visible_event.actor_name.map(|name| UserName {
            uid: event.actor,
            name,
        }),
        origin: event.origin,
        action: event.action,
        kind: event.kind.target_type(),
        entity_id: event.entity_id,
        vid: event.revision,
        label: event.label,
        parents: event.parents,
        batch: event.batch,
    }
}

fn message(visible_event: VisibleEvent) -> Option<Message> {
    let change = change(visible_event);
    let message = Message::default().event("change").id(change.id.to_string());
    message.json_data(&change).ok()
}
