//! Query parameters, refused with words when they make no sense.

use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::api::ApiError;
use crate::db::Cursor;

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

/// An id.
pub fn id(name: &str, value: Option<&String>) -> Result<Option<i64>, ApiError> {
    text(value)
        .map(|text| {
            text.parse::<i64>()
                .ok()
                .filter(|id| *id > 0)
                .ok_or_else(|| refused(name, "a whole number above 0"))
        })
        .transpose()
}

/// Ids with commas between them.
pub fn ids(name: &str, value: Option<&String>) -> Result<Vec<i64>, ApiError> {
    let Some(text) = text(value) else {
        return Ok(Vec::new());
    };
    text.split(',')
        .map(|part| part.trim().parse().ok().filter(|id: &i64| *id > 0))
        .collect::<Option<_>>()
        .ok_or_else(|| refused(name, "whole numbers above 0 with commas between them"))
}

/// One of several words.
pub fn choice<T: Clone>(
    name: &str,
    value: Option<&String>,
    choices: &[(&str, T)],
) -> Result<Option<T>, ApiError> {
    let Some(text) = text(value) else {
        return Ok(None);
    };
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    choices
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, choice)| Some(choice.clone()))
        .ok_or_else(|| refused(name, &format!("one of {}", words.join(", "))))
}

/// How many rows a page may hold.
pub const LONGEST_PAGE: usize = 200;

/// The length of a page, from 1 to 200.
pub fn limit(value: Option<&String>, default: usize) -> Result<usize, ApiError> {
    limit_up_to(value, default, LONGEST_PAGE)
}

/// The length of a page whose rows are small, from 1 to `most`.
pub fn limit_up_to(value: Option<&String>, default: usize, most: usize) -> Result<usize, ApiError> {
    text(value).map_or(Ok(default), |text| {
        text.parse::<usize>()
            .ok()
            .filter(|limit| (1..=most).contains(limit))
            .ok_or_else(|| refused("limit", &format!("a whole number from 1 to {most}")))
    })
}

/// How many rows stand before a page.
pub fn offset(name: &str, value: Option<&String>) -> Result<Option<i64>, ApiError> {
    text(value)
        .map(|text| {
            text.parse::<i64>()
                .ok()
                .filter(|rows| *rows >= 0)
                .ok_or_else(|| refused(name, "a whole number from 0"))
        })
        .transpose()
}

/// The cursor of an earlier page of a list in one of these orders.
pub fn after<O: AsRef<str>>(
    value: Option<&String>,
    orders: &[O],
) -> Result<Option<Cursor>, ApiError> {
    let Some(text) = text(value) else {
        return Ok(None);
    };
    orders
        .iter()
        .find_map(|order| Cursor::decode(text, order.as_ref()))
        .map(Some)
        .ok_or_else(|| refused("after", "the \"next\" of an earlier page of this very list"))
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
    ApiError::new(StatusCode::NOT_FOUND, format!("There is no {thing} {id}."))
}
