//! Lists of whole resources: a JSON array, each element as the resource itself answers.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};

use serde::Serialize;

use super::ApiError;
use super::request_format::Format;
use super::v1::RequestContext;
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::refusal_to_view;
use isolario_db::{DbError, Read};
use isolario_model::content::{Bundle, EntityKind};
use isolario_model::formats;

/// How many resources are read and written at once.
pub const PART: usize = 50;

/// Those of the resources that the actor may view, written one after the other with commas between them.
///
/// # Errors
/// What the database refuses.
pub fn write_resources(
    context: &RequestContext,
    read: &Read<'_>,
    kind: EntityKind,
    ids: &[i64],
) -> Result<Vec<u8>, DbError> {
    let model = &context.repository.model();
    let fields = ResponseContext {
        read,
        model,
        actor: &context.actor,
        base: &context.base.0,
    };
    let mut written = Vec::new();
    for id in ids {
        let Some(entity) = read.entity(kind, *id)? else {
            continue;
        };
        if refusal_to_view(read, &context.actor, &entity)?.is_some() {
            continue;
        }
        if !written.is_empty() {
            written.push(b',');
        }
        let known = model.bundle(kind, &entity.bundle).cloned();
        let bundle = known.unwrap_or_else(|| Bundle::unknown(kind, &entity.bundle));
        written.extend(formats::json::encode_entity(&entity, &bundle, &fields));
    }
    Ok(written)
}

/// An answer of resources that are written already.
pub fn whole(written: &[u8]) -> Response {
    json(Body::from([b"[", written, b"]"].concat()))
}

/// An answer that is read and written in parts while it is sent, so that a long list needs no memory. `part` gives what
/// is written for a state, and the next state; `None` after the last.
///
/// # Errors
/// What `part` refuses at first. Later, the answer breaks off.
pub async fn in_parts<S, F, R>(start: S, part: F) -> Result<Response, ApiError>
where
    S: Send + 'static,
    F: Fn(S) -> R + Send + 'static,
    R: Future<Output = Result<(Vec<u8>, Option<S>), ApiError>> + Send,
{
    let (first, next) = part(start).await?;
    if next.is_none() {
        return Ok(whole(&first));
    }
    let mut is_empty = first.is_empty();
    let opening = Bytes::from([b"[", first.as_slice()].concat());
    let rest = stream::try_unfold((next, part), |(state, part)| async move {
        let Some(state) = state else {
            return Ok::<_, String>(None);
        };
        let (written, next) = part(state).await.map_err(|refusal| refusal.message)?;
        Ok(Some((written, (next, part))))
    });
    let rest = rest.map_ok(move |written| {
        let comma: &[u8] = if is_empty || written.is_empty() {
            b""
        } else {
            b","
        };
        is_empty &= written.is_empty();
        Bytes::from([comma, written.as_slice()].concat())
    });
    let closing = stream::once(async { Ok(Bytes::from_static(b"]")) });
    let list = stream::once(async { Ok(opening) })
        .chain(rest)
        .chain(closing);
    Ok(json(Body::from_stream(list)))
}

/// An answer of other rows.
pub fn of<T: Serialize>(rows: &[T]) -> Response {
    // Rows of texts can always be written.
    json(Body::from(serde_json::to_vec(rows).unwrap_or_default()))
}

fn json(body: Body) -> Response {
    let mime = HeaderValue::from_static(Format::Json.mime());
    ([(header::CONTENT_TYPE, mime)], body).into_response()
}
