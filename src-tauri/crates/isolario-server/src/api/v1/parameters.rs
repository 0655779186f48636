//! Query parameters, refused with words when they make no sense.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::api::{ApiError, ErrorCode};
use isolario_db::Cursor;

/// The query of a request, by name. Parameters nobody asked for are ignored.
pub struct Parameters<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Query::try_from_uri(&parts.uri)
            .map(|Query(parameters)| Parameters(parameters))
            .map_err(|refusal| ApiError::bad_request(refusal.body_text()))
    }
}

/// The text of a parameter; an empty one counts as not given.
pub fn text(value: Option<&String>) -> Option<&str> {
    value.map(String::as_str).filter(|text| !text.is_empty())
}

/// A parameter that is not any text; an empty one is refused like any other that makes no sense.
fn read<T>(
    value: Option<&String>,
    read: impl FnOnce(&str) -> Option<T>,
    refusal: impl FnOnce() -> ApiError,
) -> Result<Option<T>, ApiError> {
    value.map(|text| read(text).ok_or_else(refusal)).transpose()
}

/// A whole number of nothing but digits.
fn whole(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// An id.
pub fn id(name: &str, value: Option<&String>) -> Result<Option<i64>, ApiError> {
    let positive = |text: &str| whole(text).filter(|id| *id > 0);
    read(value, positive, || refused(name, "a whole number above 0"))
}

/// Ids with commas between them.
pub fn ids(name: &str, value: Option<&String>) -> Result<Vec<i64>, ApiError> {
    let part = |part: &str| whole(part.trim()).filter(|id| *id > 0);
    let all = |text: &str| text.split(',').map(part).collect();
    let expected = "whole numbers above 0 with commas between them";
    Ok(read(value, all, || refused(name, expected))?.unwrap_or_default())
}

/// One of several words.
pub fn choice<T: Clone>(
    name: &str,
    value: Option<&String>,
    choices: &[(&str, T)],
) -> Result<Option<T>, ApiError> {
    let find = |text: &str| choices.iter().find(|(word, _)| *word == text);
    let refusal = || {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        refused(name, &format!("one of {}", words.join(", ")))
    };
    let chosen = read(value, find, refusal)?;
    Ok(chosen.map(|(_, choice)| choice.clone()))
}

/// How many rows a page may hold.
pub const LONGEST_PAGE: usize = 200;

/// The length of a page, from 1 to 200.
pub fn limit(value: Option<&String>, default: usize) -> Result<usize, ApiError> {
    limit_up_to(value, default, LONGEST_PAGE)
}

/// The length of a page, from 1 to 200, under another name.
pub fn limit_named(name: &str, value: Option<&String>, default: usize) -> Result<usize, ApiError> {
    length(name, value, default, LONGEST_PAGE)
}

/// The length of a page whose rows are small, from 1 to `most`.
pub fn limit_up_to(value: Option<&String>, default: usize, most: usize) -> Result<usize, ApiError> {
    length("limit", value, default, most)
}

fn length(
    name: &str,
    value: Option<&String>,
    default: usize,
    most: usize,
) -> Result<usize, ApiError> {
    let length = |text: &str| usize::try_from(whole(text)?).ok();
    let bounded = |text: &str| length(text).filter(|limit| (1..=most).contains(limit));
    let refusal = || refused(name, &format!("a whole number from 1 to {most}"));
    Ok(read(value, bounded, refusal)?.unwrap_or(default))
}

/// How many rows stand before a page.
pub fn offset(name: &str, value: Option<&String>) -> Result<Option<i64>, ApiError> {
    read(value, whole, || refused(name, "a whole number from 0"))
}

/// The version of an earlier answer, since which something is to happen.
pub fn since(value: Option<&String>) -> Result<Option<u64>, ApiError> {
    let version = |text: &str| u64::try_from(whole(text)?).ok();
    read(value, version, || {
        refused("since", "the \"version\" of an earlier answer")
    })
}

/// A moment, in Unix seconds.
pub fn moment(name: &str, value: Option<&String>) -> Result<Option<i64>, ApiError> {
    let at = |text: &str| chrono::DateTime::parse_from_rfc3339(text).ok();
    let found = read(value, at, || {
        refused(name, "a time such as 2026-11-22T09:30:00Z")
    })?;
    Ok(found.map(|at| at.timestamp()))
}

/// The cursor of an earlier page of a list in one of these orders. An empty one is that of the beginning, where
/// walks start.
pub fn after<O: AsRef<str>>(
    value: Option<&String>,
    orders: &[O],
) -> Result<Option<Cursor>, ApiError> {
    let mut orders = orders.iter();
    let cursor = |text: &str| orders.find_map(|order| Cursor::decode(text, order.as_ref()));
    let given = value.filter(|text| !text.is_empty());
    let expected = "the \"next\" of an earlier page of this very list";
    read(given, cursor, || refused("after", expected))
}

/// The refusal of a parameter.
pub fn refused(name: &str, expected: &str) -> ApiError {
    ApiError::bad_request(format!("The \"{name}\" parameter must be {expected}."))
}

/// The id in a path, or 404.
pub fn path_id(thing: &str, text: &str) -> Result<i64, ApiError> {
    text.parse().map_err(|_| not_found(thing, text))
}

/// 404 for a thing that is not there, or not for this viewer.
pub fn not_found(thing: &str, id: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("There is no {thing} {id}."))
}
