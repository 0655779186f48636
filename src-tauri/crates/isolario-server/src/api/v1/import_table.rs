//! `/api/v1/import/table`: items of a table, as a batch.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;

use super::batches::{BatchStatus, started};
use super::parameters::{Parameters, choice, id, text};
use super::request_context::{RequestContext, require_sign_in};
use super::search::WORDS;
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_core::actions::batches::TableOptions;
use isolario_core::actions::batches::table::{
    TableCheck, TableProblem, begin_table, check_table, receive_table,
};
use isolario_model::origin::Origin;

/// The name of a table that has none.
const UNNAMED: &str = "table.csv";
/// Problems that an answer names.
pub(super) const MOST_PROBLEMS: usize = 1_000;

/// How a table is imported.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportTableQuery {
    /// The name of the table; its ending says the format.
    #[param(value_type = Option<String>, example = "maps.csv")]
    name: Option<String>,
    /// Id of a collection that new items become members of, unless the table says something else.
    #[param(value_type = Option<i64>, minimum = 1)]
    collection: Option<String>,
    /// `true` to write nothing, and be told what would change and what is wrong.
    #[param(value_type = Option<bool>)]
    check: Option<String>,
    /// `true` to make terms that there are not.
    #[param(value_type = Option<bool>)]
    create_terms: Option<String>,
    /// `true` to change items also that somebody has changed since the time in the column `changed`.
    #[param(value_type = Option<bool>)]
    overwrite: Option<String>,
    /// Columns to pass by, with commas between them.
    #[param(value_type = Option<String>)]
    ignore: Option<String>,
}

impl ImportTableQuery {
    fn options(&self) -> Result<TableOptions, ApiError> {
        let flag = |name, value: &Option<String>| choice(name, value.as_ref(), &WORDS);
        let ignored = text(self.ignore.as_ref()).map(|names| {
            let names = names.split(',').map(|name| name.trim().to_owned());
            names.collect()
        });
        Ok(TableOptions {
            collection: id("collection", self.collection.as_ref())?,
            creates_terms: flag("create_terms", &self.create_terms)?.unwrap_or(false),
            ignored: ignored.unwrap_or_default(),
            overwrites: flag("overwrite", &self.overwrite)?.unwrap_or(false),
        })
    }
}

/// Import a table
///
/// A row with a `node_id` changes that item, in the cells that differ from it; another row makes an item. The columns
/// are those of `GET /api/v1/export`, with `id` and `parent_id` by which rows name one another. The whole table is read
/// and checked before anything is written. Then its rows are carried out in the background, as a batch, which is taken
/// back as one change.
#[utoipa::path(post, operation_id = "import_table", path = "/api/v1/import/table", tag = "lists", params(ImportTableQuery),
    request_body(content = values::Binary, content_type = "text/csv", description = "The table, in CSV, ODS or XLSX"), responses(
    (status = 200, description = "What the import would do, and the first thousand problems; nothing was written", body = TableCheck),
    (status = 202, description = "The import has begun", body = BatchStatus),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    Refused<413>,
    (status = 422, description = "It is no table, or it has problems; nothing was written", body = Message),
    (status = 429, description = "The actor has too many changes of many items in progress", body = Message),
    (status = 507, description = "The disk of the repository is full", body = Message)))]
pub async fn import_table(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Parameters(query): Parameters<ImportTableQuery>,
    body: Body,
) -> Result<Response, ApiError> {
    require_sign_in(&context.actor)?;
    let options = query.options()?;
    let only_check = choice("check", query.check.as_ref(), &WORDS)?.unwrap_or(false);
    let name = text(query.name.as_ref()).unwrap_or(UNNAMED).to_owned();
    let (repository, actor) = (&context.repository, &context.actor);
    let refused = |refusal| ApiError::from_refusal(actor, refusal);
    let rows = receive_table(repository, &name, body.into_data_stream()).await;
    let rows = rows.map_err(refused)?;
    let checked = check_table(repository, actor, &rows, &options, &|_| {}).await;
    let mut check = checked.map_err(refused)?;
    if only_check {
        let more = check.problems.len().saturating_sub(MOST_PROBLEMS);
        check.problems.truncate(MOST_PROBLEMS);
        check.more_problems += more as u64;
        return Ok(Json(check).into_response());
    }
    refuse_problems("The table", &check.problems, check.more_problems)?;
    let begun = begin_table(repository, actor, origin, name, rows, options).await;
    let answer: (StatusCode, Json<BatchStatus>) = started(context.clone(), begun).await?;
    Ok(answer.into_response())
}

/// Refuses what has problems, and tells the first one.
pub(super) fn refuse_problems(
    what: &str,
    problems: &[TableProblem],
    more: u64,
) -> Result<(), ApiError> {
    let Some(first) = problems.first() else {
        return Ok(());
    };
    let all = problems.len() as u64 + more;
    let TableProblem {
        row,
        column,
        reason,
        ..
    } = first;
    Err(ApiError::unprocessable(format!(
        "{what} has {all} problems. The first one is in row {row}: {column} {reason}"
    )))
}
