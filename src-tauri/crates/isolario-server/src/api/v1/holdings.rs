//! `/api/v1/reports/holdings`: how much a repository or a collection holds.

use std::io;

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::export::download_headers;
use super::parameters::{Parameters, choice, id, limit_named, refused, text};
use super::request_context::{ListSnapshot, RequestContext, require_sign_in};
use super::responses::NodeTitle;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::actions::Refusal;
use isolario_core::csv_table::CsvTable;
use isolario_db::{FormatHoldings, Holdings, MonthHoldings, TermHoldings};
use isolario_model::content::{EntityKind, FieldDefinition, Target, model_roles};
use isolario_model::tables::guard;

values::schemas! {
    /// The format of a report.
    ReportFormat => values::one_of(["json", "csv"]);
}

/// Which report.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HoldingsQuery {
    /// Node id of a collection: the report is of everything below it. Without it, of the repository.
    #[param(value_type = Option<i64>, minimum = 1)]
    collection: Option<String>,
    /// Names of fields with commas between them: how many items have a value of these. Without it, of all fields.
    #[param(value_type = Option<String>)]
    fields: Option<String>,
    /// How many terms of each field are told, the most used.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 10)]
    terms: Option<String>,
    /// `json` as without it.
    #[param(value_type = Option<ReportFormat>)]
    format: Option<String>,
}

/// How much the actor sees of a repository or collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldingsReport {
    /// `null`: the report is of the repository.
    collection: Option<NodeTitle>,
    /// Without collections.
    items: i64,
    /// Those of the items that are published.
    published: i64,
    /// Without the one that the report is of.
    collections: i64,
    /// Current files of media, each once.
    files: i64,
    bytes: i64,
    /// How many items have each model, the most first.
    models: Vec<ReportedTerm>,
    /// The most bytes first.
    formats: Vec<ReportedFormat>,
    /// The most bytes first.
    media_uses: Vec<ReportedMediaUse>,
    /// In the order of the form of an item.
    fields: Vec<ReportedField>,
    /// The fields with terms, in the order of the form of an item.
    terms: Vec<ReportedTerms>,
    /// The months in which something was added, the first one first.
    months: Vec<ReportedMonth>,
}

/// The items of a term.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedTerm {
    tid: i64,
    label: String,
    vocabulary: String,
    items: i64,
}

/// The files of one format.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedFormat {
    /// Number in the PRONOM registry; `null` where the format was not recognised.
    puid: Option<String>,
    name: Option<String>,
    /// MIME type, where no format was recognised; `null` elsewhere.
    mime: Option<String>,
    files: i64,
    bytes: i64,
}

/// The files of one media use.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedMediaUse {
    /// `null`: without a media use.
    label: Option<String>,
    files: i64,
    bytes: i64,
}

/// How many items have a value of a field.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedField {
    name: String,
    label: String,
    items: i64,
}

/// The most used terms of a field.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedTerms {
    name: String,
    label: String,
    terms: Vec<ReportedTerm>,
}

/// What was added in a month.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedMonth {
    /// In UTC.
    #[schema(example = "2027-01")]
    month: String,
    items: i64,
    files: i64,
    bytes: i64,
}

/// What a repository or collection holds
///
/// Items, files, bytes, formats, filled fields, the most used terms and growth. Only what the actor may view is counted.
#[utoipa::path(get, operation_id = "report_holdings", path = "/api/v1/reports/holdings", tag = "lists", params(HoldingsQuery), responses(
    (status = 200, description = "The report; as CSV, a table with its name in Content-Disposition", content(
        (HoldingsReport = "application/json"), (String = "text/csv"))),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
))]
pub async fn report(
    context: RequestContext,
    Parameters(query): Parameters<HoldingsQuery>,
) -> Result<Response, ApiError> {
    require_sign_in(&context.actor)?;
    let actor = context.actor.clone();
    let collection = id("collection", query.collection.as_ref())?;
    let most_terms = limit_named("terms", query.terms.as_ref(), 10)?;
    let formats = [("json", false), ("csv", true)];
    let is_csv = choice("format", query.format.as_ref(), &formats)?.unwrap_or(false);
    let answer = context.read_lists(move |snapshot| {
        if let Some(nid) = collection {
            snapshot.place(nid)?;
        }
        let held = snapshot.read.holdings(collection, &snapshot.viewer)?;
        let asked: Option<Vec<&str>> =
            text(query.fields.as_ref()).map(|names| names.split(',').map(str::trim).collect());
        written(snapshot, collection, held, asked.as_deref(), most_terms)
    });
    let report = answer.await?;
    Ok(match is_csv {
        false => Json(report).into_response(),
        true => {
            let table = report.to_csv().map_err(|error| Refusal::disk(&error));
            let table = table.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
            (
                download_headers("holdings.csv", "text/csv; charset=utf-8"),
                table,
            )
                .into_response()
        }
    })
}

fn written(
    snapshot: &ListSnapshot<'_>,
    collection: Option<i64>,
    held: Holdings,
    asked: Option<&[&str]>,
    most_terms: usize,
) -> Result<HoldingsReport, ApiError> {
    let roles = model_roles();
    let item = snapshot
        .model()
        .bundle(EntityKind::Node, &roles.bundles.item);
    let known: Vec<&FieldDefinition> = item.iter().flat_map(|bundle| &bundle.fields).collect();
    let terms_of = |field: &str, most: usize| {
        let of_field = held.terms.iter().filter(|term| term.field == field);
        let terms = of_field
            .take(most)
            .map(|term| reported_term(snapshot, term));
        terms.collect::<Result<Vec<_>, _>>()
    };
    let others = known
        .iter()
        .filter(|field| field.name != roles.fields.model);
    let terms = others.map(|field| {
        Ok(ReportedTerms {
            name: field.name.clone(),
            label: field.label.clone(),
            terms: terms_of(&field.name, most_terms)?,
        })
    });
    let mut terms = terms.collect::<Result<Vec<_>, ApiError>>()?;
    terms.retain(|field| !field.terms.is_empty());
    let title = |nid| -> Result<NodeTitle, ApiError> {
        let title = snapshot.node(nid)?.title;
        Ok(NodeTitle { nid, title })
    };
    let label = |tid: i64| -> Result<String, ApiError> {
        let term = visible_term(snapshot, tid)?;
        Ok(term.map_or_else(|| tid.to_string(), |term| term.label))
    };
    let media_uses = held.media_uses.iter().map(|held| {
        Ok(ReportedMediaUse {
            label: held.term.map(label).transpose()?,
            files: held.files,
            bytes: held.bytes,
        })
    });
    Ok(HoldingsReport {
        collection: collection.map(title).transpose()?,
        items: held.items,
        published: held.published,
        collections: held.collections,
        files: held.formats.iter().map(|format| format.files).sum(),
        bytes: held.formats.iter().map(|format| format.bytes).sum(),
        models: terms_of(&roles.fields.model, usize::MAX)?,
        media_uses: media_uses.collect::<Result<_, ApiError>>()?,
        fields: filled_fields(&known, asked, &held.filled)?,
        terms,
        formats: held.formats.into_iter().map(ReportedFormat::from).collect(),
        months: held.months.into_iter().map(ReportedMonth::from).collect(),
    })
}

/// How many items have a value of the fields that are asked for.
fn filled_fields(
    known: &[&FieldDefinition],
    asked: Option<&[&str]>,
    filled: &[(String, i64)],
) -> Result<Vec<ReportedField>, ApiError> {
    let is_known = |name: &&&str| known.iter().any(|field| field.name == **name);
    if let Some(strange) = asked.and_then(|names| names.iter().find(|name| !is_known(name))) {
        let expected = format!("names of fields of items, which {strange} is not");
        return Err(refused("fields", &expected));
    }
    let is_asked = |name: &str| asked.is_none_or(|names| names.contains(&name));
    let fields = known.iter().filter(|field| is_asked(&field.name));
    let reported = fields.map(|field| ReportedField {
        name: field.name.clone(),
        label: field.label.clone(),
        items: filled
            .iter()
            .find(|(name, _)| *name == field.name)
            .map_or(0, |(_, items)| *items),
    });
    Ok(reported.collect())
}

impl From<FormatHoldings> for ReportedFormat {
    fn from(held: FormatHoldings) -> ReportedFormat {
        ReportedFormat {
            puid: held.puid,
            name: held.name,
            mime: held.mime,
            files: held.files,
            bytes: held.bytes,
        }
    }
}

impl From<MonthHoldings> for ReportedMonth {
    fn from(held: MonthHoldings) -> ReportedMonth {
        ReportedMonth {
            month: held.month,
            items: held.items,
            files: held.files,
            bytes: held.bytes,
        }
    }
}

fn reported_term(
    snapshot: &ListSnapshot<'_>,
    held: &TermHoldings,
) -> Result<ReportedTerm, ApiError> {
    let term = visible_term(snapshot, held.term)?;
    let (label, vocabulary) = term.map_or_else(
        || (held.term.to_string(), String::new()),
        |term| (term.label, term.bundle),
    );
    Ok(ReportedTerm {
        tid: held.term,
        label,
        vocabulary,
        items: held.items,
    })
}

fn visible_term(snapshot: &ListSnapshot<'_>, tid: i64) -> Result<Option<Target>, ApiError> {
    let term = snapshot.read.target(EntityKind::Term, tid)?;
    Ok(term.filter(|term| snapshot.viewer.terms.allows(term.published, term.owner)))
}

impl HoldingsReport {
    /// A row for each number of items, files or bytes: what it is of, its name and its label.
    fn to_csv(&self) -> io::Result<Vec<u8>> {
        let mut rows = Rows(CsvTable::new(false));
        let names = ["section", "name", "label", "items", "files", "bytes"];
        rows.0.add(names)?;
        let total = [self.items, self.files, self.bytes].map(Some);
        rows.add(["total", "", ""], total)?;
        for (section, items) in [
            ("published items", self.published),
            ("collections", self.collections),
        ] {
            rows.add([section, "", ""], [Some(items), None, None])?;
        }
        for term in &self.models {
            rows.add_term("model", term)?;
        }
        for format in &self.formats {
            let name = format.puid.as_deref().unwrap_or_default();
            let label = format.name.as_ref().or(format.mime.as_ref());
            let label = label.map_or("", String::as_str);
            rows.add(
                ["format", name, label],
                [None, Some(format.files), Some(format.bytes)],
            )?;
        }
        for used in &self.media_uses {
            let label = used.label.as_deref().unwrap_or_default();
            rows.add(
                ["media use", "", label],
                [None, Some(used.files), Some(used.bytes)],
            )?;
        }
        for field in &self.fields {
            rows.add(
                ["field", &field.name, &field.label],
                [Some(field.items), None, None],
            )?;
        }
        for field in &self.terms {
            for term in &field.terms {
                rows.add_term(&field.name, term)?;
            }
        }
        for month in &self.months {
            let numbers = [month.items, month.files, month.bytes].map(Some);
            rows.add(["month", &month.month, ""], numbers)?;
        }
        rows.0.take()
    }
}

/// The rows of the CSV.
struct Rows(CsvTable);

impl Rows {
    fn add(&mut self, words: [&str; 3], numbers: [Option<i64>; 3]) -> io::Result<()> {
        let words = words.map(|word| guard(word).into_owned());
        let numbers =
            numbers.map(|number| number.map_or_else(String::new, |number| number.to_string()));
        self.0.add(words.into_iter().chain(numbers))
    }

    fn add_term(&mut self, section: &str, term: &ReportedTerm) -> io::Result<()> {
        let words = [section, &term.tid.to_string(), &term.label];
        self.add(words, [Some(term.items), None, None])
    }
}
