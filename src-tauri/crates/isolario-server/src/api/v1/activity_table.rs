//! The list of changes as a table.

use axum::body::Body;
use axum::response::IntoResponse;
use futures_util::stream::unfold;

use super::export::headers;
use super::request_context::{RequestContext, ViewerSnapshot};
use crate::api::ApiError;
use isolario_core::events::{VisibleEvent, visible_event};
use isolario_db::{DbError, EventFilter};
use isolario_model::fields::iso;
use isolario_model::tables::guard;

/// Events that are walked past at once.
const STRETCH: i64 = 5_000;

const COLUMNS: [&str; 9] = [
    "time", "person", "origin", "action", "kind", "id", "label", "revision", "batch",
];

/// Every change that the actor may view, the newest first, in CSV (RFC 4180). The table is made while it is sent.
pub fn table(context: RequestContext, filter: EventFilter, is_told: bool) -> impl IntoResponse {
    let heading = written([COLUMNS.map(str::to_owned)]);
    let chunks = unfold(Some((heading, None)), move |state| {
        let (context, filter) = (context.clone(), filter.clone());
        async move {
            let (chunk, start) = state?;
            let next = match start {
                Some(start) if start <= 1 => None,
                _ if !is_told => None,
                start => match stretch(context, filter, start).await {
                    Ok(next) => Some(next),
                    Err(error) => return Some((Err(error), None)),
                },
            };
            Some((Ok(chunk), next.map(|(chunk, start)| (chunk, Some(start)))))
        }
    });
    (
        headers("activity.csv", "text/csv; charset=utf-8"),
        Body::from_stream(chunks),
    )
}

/// The lines of the changes before an event, and where the next ones begin.
async fn stretch(
    context: RequestContext,
    filter: EventFilter,
    start: Option<i64>,
) -> Result<(Vec<u8>, i64), std::io::Error> {
    let read = context.read(move |snapshot| {
        let start = match start {
            Some(start) => start,
            None => snapshot.read.last_event()? + 1,
        };
        let from = start - STRETCH;
        let rows = changes(snapshot, &filter, from, start)?;
        Ok::<_, ApiError>((written(rows.into_iter().map(row)), from))
    });
    read.await
        .map_err(|_| std::io::Error::other("the changes cannot be read"))
}

fn changes(
    snapshot: &ViewerSnapshot<'_>,
    filter: &EventFilter,
    from: i64,
    before: i64,
) -> Result<Vec<VisibleEvent>, DbError> {
    let events = snapshot
        .read
        .events_between(filter, from, before, usize::MAX)?;
    let mut seen = Vec::new();
    for event in events {
        let visible = visible_event(snapshot.read, &snapshot.context.actor, event)?;
        seen.extend(visible);
    }
    Ok(seen)
}

fn row(VisibleEvent { event, actor_name }: VisibleEvent) -> [String; 9] {
    let number = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
    [
        iso(event.at),
        actor_name.unwrap_or_default(),
        event.origin,
        event.action,
        event.kind.target_type().to_owned(),
        event.entity_id.to_string(),
        event.label,
        number(event.revision),
        number(event.batch),
    ]
}

fn written(rows: impl IntoIterator<Item = [String; 9]>) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Rows of one length in memory: nothing of it can fail.
        let _ = table.write_record(row.map(|cell| guard(&cell).into_owned()));
    }
    table.into_inner().unwrap_or_default()
}
