//! `/api/v1/terms`: terms of vocabularies, and as somebody types.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, limit, text};
use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_db::{Page, TERM_ORDERS, TermFilter, TermRow};
use isolario_model::content::{ContentModel, EntityKind};

/// Which terms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TermsQuery {
    /// Vocabularies with commas between them; without it, all.
    vocabulary: Option<String>,
    /// What somebody has typed: first come names that begin with it, then names with words that
    /// do. Without it, all terms.
    q: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 20)]
    limit: Option<String>,
}

/// A term as lists show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermInList {
    tid: i64,
    #[schema(format = "uuid")]
    uuid: String,
    name: String,
    vocabulary: String,
    /// The external URI of the term.
    uri: Option<String>,
    /// How many things that the viewer may see refer to it.
    uses: i64,
}

/// One page of terms.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermList {
    terms: Vec<TermInList>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// Counted up to 10,000.
    total: i64,
    /// False where there are more than `total`.
    total_is_exact: bool,
}

impl TermList {
    /// A page as clients read it.
    pub(super) fn of(page: Page<TermRow>) -> TermList {
        TermList {
            terms: page.rows.into_iter().map(term).collect(),
            next: page.next.map(|cursor| cursor.encode()),
            total: page.total.count,
            total_is_exact: page.total.is_exact,
        }
    }
}

/// Terms by name
#[utoipa::path(get, operation_id = "list_terms", path = "/api/v1/terms", tag = "lists", params(TermsQuery), responses(
    (status = 200, body = TermList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<TermsQuery>,
) -> Result<Json<TermList>, ApiError> {
    let terms = TermFilter {
        vocabularies: vocabularies(&context.repository.model(), query.vocabulary.as_ref())?,
        text: query.q.unwrap_or_default(),
    };
    let after = after(query.after.as_ref(), &TERM_ORDERS)?;
    let limit = limit(query.limit.as_ref(), 20)?;
    context
        .read_lists(move |snapshot| {
            let read = snapshot.read;
            let page = read.term_page(&terms, &snapshot.viewer, after.as_ref(), limit)?;
            Ok(Json(TermList::of(page)))
        })
        .await
}

fn vocabularies(model: &ContentModel, context: Option<&String>) -> Result<Vec<String>, ApiError> {
    let Some(context) = text(context) else {
        let all = model.bundles_of(EntityKind::Term);
        return Ok(all.map(|bundle| bundle.id.clone()).collect());
    };
    let mut names: Vec<String> = context
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect();
    names.sort();
    names.dedup();
    match names
        .iter()
        .find(|name| model.bundle(EntityKind::Term, name).is_none())
    {
        None => Ok(names),
        Some(name) => Err(ApiError::bad_request(format!(
            "There is no vocabulary \"{name}\"."
        ))),
    }
}

/// A term as lists show it.
pub(super) fn term(row: TermRow) -> TermInList {
    TermInList {
        tid: row.tid,
        uuid: row.uuid,
        name: row.name,
        vocabulary: row.vocabulary,
        uri: row.uri,
        uses: row.uses,
    }
}
