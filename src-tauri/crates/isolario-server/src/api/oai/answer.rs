//! The document of an answer (OAI-PMH 2.0, section 3.2).

use std::io::Write;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use chrono::{DateTime, SecondsFormat, Utc};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::error::OaiError;
use crate::api::ui::accepts_gzip;
use isolario_model::formats::xml::escape;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">
"#;

/// What a verb answers.
pub struct VerbAnswer {
    /// The element around it.
    pub verb: &'static str,
    /// The last second (Unix) of which a list knows every change.
    pub known: Option<i64>,
    pub body: String,
}

/// A time in Unix seconds as UTCdatetime (section 3.3).
pub fn datestamp(seconds: i64) -> String {
    let time = DateTime::<Utc>::from_timestamp(seconds, 0).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// An element with a text.
pub fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>\n", escape(text))
}

/// The answer to a request, compressed where the client takes it.
pub fn response(
    headers: &HeaderMap,
    address: &str,
    pairs: &[(String, String)],
    answered: Result<VerbAnswer, OaiError>,
) -> Response {
    let document = document(address, pairs, answered);
    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    let body = match accepts_gzip(headers) {
        true => {
            let written = compressed.write_all(document.as_bytes());
            written.and_then(|()| compressed.finish()).ok()
        }
        false => None,
    };
    let is_compressed = body.is_some();
    let mut response = Response::new(Body::from(body.unwrap_or_else(|| document.into_bytes())));
    let headers = response.headers_mut();
    let mime = HeaderValue::from_static("text/xml; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, mime);
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn document(
    address: &str,
    pairs: &[(String, String)],
    answered: Result<VerbAnswer, OaiError>,
) -> String {
    let is_repeated = !answered.as_ref().is_err_and(OaiError::is_of_arguments);
    let attributes: String = match is_repeated {
        true => {
            let written = pairs
                .iter()
                .map(|(name, value)| format!(" {name}=\"{}\"", escape(value)));
            written.collect()
        }
        false => String::new(),
    };
    let now = Utc::now().timestamp();
    let (known, body) = match answered {
        Ok(VerbAnswer { verb, known, body }) => (known, format!("<{verb}>\n{body}</{verb}>\n")),
        Err(OaiError { code, words }) => (
            None,
            format!("<error code=\"{code}\">{}</error>\n", escape(&words)),
        ),
    };
    // Who harvests next from this time on misses nothing.
    let date = known.map_or(now, |known| now.min(known + 1));
    format!(
        "{HEAD}{}<request{attributes}>{}</request>\n{body}</OAI-PMH>\n",
        element("responseDate", &datestamp(date)),
        escape(address),
    )
}
