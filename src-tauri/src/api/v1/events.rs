//! `/api/v1/events`: committed changes as they happen, as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event as Message, KeepAlive};
use futures_util::Stream;
use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::Parameters;
use super::shapes;
use super::shapes::UserName;
use crate::api::{ApiError, AppState, Peer};
use crate::auth::Actor;
use crate::auth::cookie::Session;
use crate::db::{Credentials, DbError, Event};
use crate::events::{Heard, Listener, heard};
use crate::fields::iso;
use crate::repository::{Door, Repository};

/// From where to listen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Number of the last event already known; without it and without `Last-Event-ID`, from now on.
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
    /// `window`, `rest`, `watch` or `command`.
    door: String,
    /// `create`, `update`, `delete`, `restore` or `purge`.
    action: String,
    /// `node`, `media`, `taxonomy_term`, `file` or `user`.
    kind: &'static str,
    entity_id: i64,
    /// Number of the revision that the change made.
    vid: Option<i64>,
    /// What the thing was called then.
    label: String,
    /// Nodes in whose lists it appears.
    parents: Vec<i64>,
}

/// Changes as they happen
///
/// Messages are named `change`, their data is a `Change`. Holds nothing that the listener may not see
/// at that moment; for those who have signed in. A listener that was away resumes with `Last-Event-ID` or `after`.
#[utoipa::path(get, path = "/api/v1/events", tag = "lists", params(EventsQuery,
    ("Last-Event-ID" = Option<i64>, Header, description = "Number of the last event already known")),
    responses(
    (status = 200, content_type = "text/event-stream", body = Change),
    (status = 400, description = "A parameter makes no sense", body = shapes::Message),
    (status = 401, description = "Nobody has signed in", body = shapes::Message),
))]
pub async fn events(
    State(repository): State<AppState>,
    Extension(actor): Extension<Actor>,
    Extension(door): Extension<Door>,
    session: Option<Extension<Session>>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
    Parameters(query): Parameters<EventsQuery>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, ApiError> {
    if actor.is_anonymous() {
        return Err(ApiError::unauthenticated());
    }
    let after = start(&headers, query.after.as_deref())?;
    let closing = match peer {
        Some(Extension(peer)) => peer.closing,
        None => repository.closing.clone(),
    };
    let db = repository.db.clone();
    let listening = Listening {
        credentials: credentials_of(&repository, actor.uid).await?,
        listener: Listener::open(db, closing, after).await?,
        repository,
        actor,
        door,
        session: session.map(|Extension(session)| session),
    };
    let messages = stream::unfold(listening, |mut listening| async {
        let messages = listening.next().await?;
        Some((stream::iter(messages), listening))
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(messages.flatten().map(Ok)).keep_alive(keep_alive))
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
struct Listening {
    listener: Listener,
    repository: AppState,
    actor: Actor,
    door: Door,
    session: Option<Session>,
    /// When the password was last changed, as it was when the stream began.
    credentials: Option<i64>,
}

async fn credentials_of(repository: &Repository, uid: i64) -> Result<Option<i64>, DbError> {
    let found = repository
        .db
        .read(move |read| read.credentials(uid))
        .await?;
    let found: Option<Credentials> = found;
    Ok(found.map(|credentials| credentials.changed))
}

impl Listening {
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
        let Some(events) = self.listener.next().await? else {
            return Ok(None);
        };
        let Some(actor) = self.actor_now().await? else {
            return Ok(None);
        };
        let db = &self.repository.db;
        let heard = db.read(move |read| hear(read, &actor, events)).await?;
        Ok(Some(heard.into_iter().filter_map(message).collect()))
    }

    /// Who listens, as they stand now; `None` once their sign-in is over.
    async fn actor_now(&self) -> Result<Option<Actor>, DbError> {
        if self.door == Door::Window {
            return Ok(Some(self.actor.clone()));
        }
        if credentials_of(&self.repository, self.actor.uid).await? != self.credentials {
            return Ok(None);
        }
        if let Some(session) = &self.session {
            let hash = session.hash();
            if self
                .repository
                .db
                .read(move |read| read.session(&hash))
                .await?
                .is_none()
            {
                return Ok(None);
            }
        }
        self.repository.authenticator.actor(self.actor.uid).await
    }
}

fn hear(
    read: &crate::db::Read<'_>,
    actor: &Actor,
    events: Vec<Event>,
) -> Result<Vec<Heard>, DbError> {
    let mut all = Vec::with_capacity(events.len());
    for event in events {
        all.extend(heard(read, actor, event)?);
    }
    Ok(all)
}

/// What somebody hears of an event, written out.
pub fn change(heard: Heard) -> Change {
    let event = heard.event;
    Change {
        id: event.id,
        at: iso(event.at),
        actor: heard.actor_name.map(|name| UserName {
            uid: event.actor,
            name,
        }),
        door: event.door,
        action: event.action,
        kind: event.kind.target_type(),
        entity_id: event.entity_id,
        vid: event.revision,
        label: event.label,
        parents: event.parents,
    }
}

fn message(heard: Heard) -> Option<Message> {
    let change = change(heard);
    let message = Message::default().event("change").id(change.id.to_string());
    message.json_data(&change).ok()
}
