//! `/api/v1/import/table`: items of a table, as a batch.

use std::path::Path;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;

use super::batches::{BatchStatus, started};
use super::parameters::{Parameters, choice, id, refused, text};
use super::request_context::{RequestContext, require_sign_in};
use super::search::WORDS;
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_config::allowed_folders::FolderUse;
use isolario_core::actions::batches::table::{
    TableCheck, TableProblem, begin_table, check_table, receive_table,
};
use isolario_core::actions::batches::{TableFolder, TableOptions};
use isolario_model::origin::Origin;

/// The name of a table that has none.
const UNNAMED: &str = "table.csv";
/// Problems that an answer names.
pub(super) const MOST_PROBLEMS: usize = 10_000;

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
    /// The folder of this machine in which the files lie that the rows name. For administrators, and only folders that
    /// are allowed in config.toml, were chosen in the window, or lie in `incoming`. A ZIP brings its files itself.
    #[param(value_type = Option<String>, example = "/srv/scans/maps")]
    files: Option<String>,
    /// Columns to pass by, with commas between them.
    #[param(value_type = Option<String>)]
    ignore: Option<String>,
    /// A JSON object that says for headings of other programs which columns they stand for; `""` to pass one by.
    #[param(value_type = Option<String>, example = r#"{"Dublin Core:Title": "title"}"#)]
    columns: Option<String>,
    /// What stands between several values of a cell; `|` without it.
    #[param(value_type = Option<String>, example = ";")]
    separator: Option<String>,
}

impl ImportTableQuery {
    fn options(&self) -> Result<TableOptions, ApiError> {
        let flag = |name, value: &Option<String>| choice(name, value.as_ref(), &WORDS);
        let ignored = text(self.ignore.as_ref()).map(|names| {
            let names = names.split(',').map(|name| name.trim().to_owned());
            names.collect()
        });
        let columns = text(self.columns.as_ref())
            .map(serde_json::from_str)
            .transpose();
        let columns = columns
            .map_err(|_| refused("columns", "a JSON object of headings with names of columns"))?;
        Ok(TableOptions {
            collection: id("collection", self.collection.as_ref())?,
            creates_terms: flag("create_terms", &self.create_terms)?.unwrap_or(false),
            ignored: ignored.unwrap_or_default(),
            overwrites: flag("overwrite", &self.overwrite)?.unwrap_or(false),
            columns: columns.unwrap_or_default(),
            separator: text(self.separator.as_ref()).map(str::to_owned),
        })
    }
}

impl ImportTableQuery {
    /// The folder of the files, where one is named.
    fn folder(&self, context: &RequestContext) -> Result<Option<TableFolder>, ApiError> {
        let Some(named) = text(self.files.as_ref()) else {
            return Ok(None);
        };
        context.must_be_administrator()?;
        let folders = &context.repository.folders;
        let found = folders.find_with_parts(Path::new(named), FolderUse::Import);
        let (place, parts) = found.map_err(ApiError::unprocessable)?;
        let folder = TableFolder::of_machine(&place);
        let folder = folder.map_err(|refusal| ApiError::unprocessable(refusal.to_string()))?;
        Ok(Some(TableFolder { parts, ..folder }))
    }
}

/// Import a table
///
/// A row with a `node_id` changes that item, in the cells that differ from it; another row makes an item. The columns
/// are those of `GET /api/v1/export`, with `id` and `parent_id` by which rows name one another, and `file` (or
/// `file:` and the name of a media use) for a file of the row. Files come with the table in a ZIP, or lie in a folder of
/// the machine. The whole table is read
/// and checked before anything is written. Then its rows are carried out in the background, as a batch, which is taken
/// back as one change.
#[utoipa::path(post, operation_id = "import_table", path = "/api/v1/import/table", tag = "lists", params(ImportTableQuery),
    request_body(content = values::Binary, content_type = "text/csv", description = "The table, in CSV, ODS or XLSX, or a ZIP with one of them and its files"), responses(
    (status = 200, description = "What the import would do, and the first ten thousand problems; nothing was written", body = TableCheck),
    (status = 202, description = "The import has begun", body = BatchStatus),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not name folders of the machine", body = Message),
    (status = 408, description = "The body came too slowly", body = Message),
    Refused<413>,
    (status = 422, description = "It is no table, it has problems, or the folder is not allowed; nothing was written", body = Message),
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
    let from_refusal = |refusal| ApiError::from_refusal(actor, refusal);
    let folder = query.folder(&context)?;
    let rows = receive_table(repository, &name, body.into_data_stream()).await;
    let mut rows = rows.map_err(from_refusal)?;
    if let Some(folder) = folder {
        rows.set_folder(folder);
    }
    let checked = check_table(repository, actor, &rows, &options, &|_| {}).await;
    let mut check = checked.map_err(from_refusal)?;
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
