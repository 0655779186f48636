//! What became of each item of a batch, as a table.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, stream};

use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_db::{BatchItem, BatchItemState};
use isolario_model::tables::guard;

/// Rows that are read at once.
const PAGE: usize = 1_000;
const HEADING: [&str; 4] = ["outcome", "id", "address", "message"];

/// A CSV with a row for each item of a batch: what became of it, its id, its path in the repository, and why it was not
/// changed. It is made while it is read.
pub fn report(
    repository: &Arc<Repository>,
    id: i64,
) -> impl Stream<Item = Result<Bytes, Refusal>> + Send + 'static {
    let repository = repository.clone();
    stream::try_unfold(Some(0), move |from| {
        let repository = repository.clone();
        async move {
            let Some(from) = from else { return Ok(None) };
            let page = repository
                .db
                .read(move |read| read.batch_items(id, from, PAGE));
            let page = page.await?;
            let next = page.last().map(|last| last.position + 1);
            let mut lines = csv::Writer::from_writer(Vec::new());
            let broken = |error: csv::Error| Refusal::Storage(error.to_string());
            if from == 0 {
                lines.write_record(HEADING).map_err(broken)?;
            }
            for item in page {
                lines.write_record(row_of(item)).map_err(broken)?;
            }
            let bytes = lines.into_inner();
            let bytes = bytes.map_err(|error| Refusal::Storage(error.to_string()))?;
            Ok(Some((Bytes::from(bytes), next)))
        }
    })
}

fn row_of(item: BatchItem) -> [String; 4] {
    let outcome = match (item.state, item.parts) {
        (BatchItemState::Changed, Some(_)) => "created",
        (state, _) => state.name(),
    };
    let path = match item.id {
        0 => String::new(),
        id => item.kind.path(id),
    };
    let message = item.message.unwrap_or_default();
    let message = guard(&message).into_owned();
    [outcome.to_owned(), item.id.to_string(), path, message]
}
