//! `/api/v1/vocabularies/{vocabulary}/…`: the terms as a tree, those that nothing uses, and those with similar names.

use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, id, limit, not_found, offset};
use super::request_context::RequestContext;
use super::terms::{TermInList, TermList, term};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::similar_names::similar_names;
use isolario_db::{PLACE_ORDER, TERM_ORDERS, TermsBelow};
use isolario_model::content::EntityKind;

/// Terms of a group that are told.
const MOST_IN_GROUP: usize = 50;

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UnusedTermsQuery {
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// Which terms of the tree.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TermTreeQuery {
    /// Id of a term; without it, the terms that are below none.
    #[param(value_type = Option<i64>, minimum = 1)]
    below: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// A term of a tree.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermInTree {
    #[serde(flatten)]
    term: TermInList,
    /// What the terms below the same one are ordered by, before their names.
    weight: i64,
    /// Whether there are terms below it.
    has_below: bool,
}

/// One page of the terms directly below a term.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermTreeList {
    terms: Vec<TermInTree>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// Counted up to 10,000.
    total: i64,
    /// False where there are more than `total`.
    total_is_exact: bool,
}

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SimilarTermsQuery {
    /// `next` of the previous page.
    #[param(value_type = Option<i64>, minimum = 0)]
    after: Option<String>,
    /// Groups of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
}

/// Terms whose names probably mean the same.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermGroup {
    /// By name; of a large group, the first 50.
    terms: Vec<TermInList>,
}

/// One page of groups of terms.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermGroupList {
    groups: Vec<TermGroup>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// How many groups there are.
    total: usize,
}

/// Terms of a vocabulary as a tree
///
/// The terms directly below one of them, or below none, by weight and name. A term below several is listed below each. A
/// term whose parents are in the trash is listed below none.
#[utoipa::path(get, operation_id = "list_term_tree", path = "/api/v1/vocabularies/{vocabulary}/tree", tag = "lists",
    params(("vocabulary" = String, Path, description = "Name of the vocabulary"), TermTreeQuery), responses(
    (status = 200, body = TermTreeList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "There is no such vocabulary", body = Message)))]
pub async fn tree(
    context: RequestContext,
    Path(vocabulary): Path<String>,
    Parameters(query): Parameters<TermTreeQuery>,
) -> Result<Json<TermTreeList>, ApiError> {
    let below = TermsBelow {
        vocabulary: known(&context, vocabulary)?,
        parent: id("below", query.below.as_ref())?.unwrap_or(0),
    };
    let after = after(query.after.as_ref(), &[PLACE_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read_lists(move |snapshot| {
            let (read, viewer) = (snapshot.read, &snapshot.viewer);
            let page = read.terms_below(&below, viewer, after.as_ref(), limit)?;
            let terms = page.rows.into_iter().map(|placed| TermInTree {
                term: term(placed.term),
                weight: placed.weight,
                has_below: placed.has_below,
            });
            Ok(Json(TermTreeList {
                terms: terms.collect(),
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
                total_is_exact: page.total.is_exact,
            }))
        })
        .await
}

/// Terms of a vocabulary that nothing uses
///
/// Nothing that the viewer may see refers to them.
#[utoipa::path(get, operation_id = "list_unused_terms", path = "/api/v1/vocabularies/{vocabulary}/unused", tag = "lists",
    params(("vocabulary" = String, Path, description = "Name of the vocabulary"), UnusedTermsQuery), responses(
    (status = 200, body = TermList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "There is no such vocabulary", body = Message)))]
pub async fn unused(
    context: RequestContext,
    Path(vocabulary): Path<String>,
    Parameters(query): Parameters<UnusedTermsQuery>,
) -> Result<Json<TermList>, ApiError> {
    let vocabulary = known(&context, vocabulary)?;
    let after = after(query.after.as_ref(), &TERM_ORDERS[..1])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read_lists(move |snapshot| {
            let (read, viewer) = (snapshot.read, &snapshot.viewer);
            let page = read.unused_term_page(&vocabulary, viewer, after.as_ref(), limit)?;
            Ok(Json(TermList::of(page)))
        })
        .await
}

/// Terms of a vocabulary with similar names
///
/// The names are equal but for case, diacritics, punctuation and the order of their words, or one letter apart. Names
/// with different numbers are different.
#[utoipa::path(get, operation_id = "list_similar_terms", path = "/api/v1/vocabularies/{vocabulary}/similar", tag = "lists",
    params(("vocabulary" = String, Path, description = "Name of the vocabulary"), SimilarTermsQuery), responses(
    (status = 200, body = TermGroupList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "There is no such vocabulary", body = Message)))]
pub async fn similar(
    context: RequestContext,
    Path(vocabulary): Path<String>,
    Parameters(query): Parameters<SimilarTermsQuery>,
) -> Result<Json<TermGroupList>, ApiError> {
    let vocabulary = known(&context, vocabulary)?;
    let from = offset("after", query.after.as_ref())?.unwrap_or(0);
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let limit = limit(query.limit.as_ref(), 50)?;
    context
        .read_lists(move |snapshot| {
            let (read, viewer) = (snapshot.read, &snapshot.viewer);
            let all = read.whole_vocabulary(&vocabulary, viewer)?;
            let names: Vec<&str> = all.iter().map(|term| term.name.as_str()).collect();
            let found = similar_names(&names);
            let mut groups = Vec::new();
            for group in found.iter().skip(from).take(limit) {
                let places = group.iter().take(MOST_IN_GROUP);
                let tids = places.filter_map(|place| all.get(*place).map(|term| term.tid));
                let tids: Vec<i64> = tids.collect();
                let rows = read.terms_by_id(&tids, viewer)?;
                let terms = rows.into_iter().map(term).collect();
                groups.push(TermGroup { terms });
            }
            let end = from.saturating_add(limit);
            Ok(Json(TermGroupList {
                groups,
                next: (end < found.len()).then(|| end.to_string()),
                total: found.len(),
            }))
        })
        .await
}

pub(super) fn known(context: &RequestContext, vocabulary: String) -> Result<String, ApiError> {
    let model = context.repository.model();
    match model.bundle(EntityKind::Term, &vocabulary) {
        Some(_) => Ok(vocabulary),
        None => Err(not_found("vocabulary", vocabulary)),
    }
}
