//! The list of changes as a table.

use std::io;

use axum::body::Body;
use axum::response::IntoResponse;
use futures_util::stream::{StreamExt, once, try_unfold};

use super::export::download_headers;
use super::request_context::{RequestContext, ViewerSnapshot};
use crate::api::ApiError;
use isolario_core::csv_table::CsvTable;
use isolario_core::events::{VisibleEvent, visible_event};
use isolario_db::{DbError, EventFilter};
use isolario_model::fields::iso;
use isolario_model::tables::guard;

/// Events that are walked past at once.
const STRETCH: i64 = 5_000;

const COLUMNS: [&str; 9] = [
    "time", "person", "origin", "action", "kind", "id", "label", "revision", "batch",
];

/// Every change before an event that the actor may view, the newest first, in CSV (RFC 4180). The table is made while it
/// is sent.
pub fn table(context: RequestContext, filter: EventFilter, before: i64) -> impl IntoResponse {
    let heading = once(async { written([COLUMNS.map(str::to_owned)]) });
    let rows = try_unfold(before, move |before| {
        let (context, filter) = (context.clone(), filter.clone());
        async move {
            match before > 1 {
                true => stretch(context, filter, before).await.map(Some),
                false => Ok(None),
            }
        }
    });
    (
        download_headers("activity.csv", "text/csv; charset=utf-8"),
        Body::from_stream(heading.chain(rows)),
    )
}

/// The lines of the changes before an event, and before which event the next ones are.
async fn stretch(
    context: RequestContext,
    filter: EventFilter,
    before: i64,
) -> io::Result<(Vec<u8>, i64)> {
    let read = context.read(move |snapshot| {
        let rows = changes(snapshot, &filter, before - STRETCH, before)?;
        Ok::<_, ApiError>(written(rows.into_iter().map(row)))
    });
    let lines = read.await.unwrap_or_else(|_| {
        tracing::error!("a table of changes broke off");
        Err(io::Error::other("the changes cannot be read"))
    });
    Ok((lines?, before - STRETCH))
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

fn written(rows: impl IntoIterator<Item = [String; 9]>) -> io::Result<Vec<u8>> {
    let mut table = CsvTable::new(false);
    for row in rows {
        table.add(row.map(|cell| guard(&cell).into_owned()))?;
    }
    table.take()
}
