//! An answer against the recorded one.
//!
//! Compared: status; media type, except on empty 201 and 204 answers; Location; Allow without HEAD
//! and OPTIONS; the WWW-Authenticate scheme; the links in order; the body. Not compared: key order,
//! members that only the answer has, who made a revision, thumbnails of media that are no images,
//! `path` and the weak digests, HTML, and order inside JSON-LD.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::case::{Body, Case};
use super::json::JsonComparison;
use super::names::Names;
use super::{pattern, required_fields};
use crate::support::Response;

/// Collects the differences of one answer.
pub struct Comparison<'n, 's> {
    names: &'n mut Names<'s>,
    case: &'n Case,
    /// The revision before the request, where it is a PATCH.
    revision: Option<i64>,
    pub differences: Vec<String>,
}

impl<'n, 's> Comparison<'n, 's> {
    pub fn new(names: &'n mut Names<'s>, case: &'n Case, revision: Option<i64>) -> Self {
        Comparison {
            names,
            case,
            revision,
            differences: Vec::new(),
        }
    }

    fn differ(
        &mut self,
        what: &str,
        recorded: impl std::fmt::Debug,
        answered: impl std::fmt::Debug,
    ) {
        self.differences
            .push(format!("{what}: expected {recorded:?}, got {answered:?}"));
    }

    /// Compares status, headers and body.
    pub fn answer(&mut self, answer: &Response) {
        self.status(answer);
        self.location(answer);
        if self.case.compared.is_none() {
            self.content_type(answer);
            self.allow(answer);
            self.challenge(answer);
            self.links(answer);
        }
        self.body(answer);
    }

    fn status(&mut self, answer: &Response) {
        let status = &self.case.expected.status;
        let good = match status {
            Value::Array(any) => any.contains(&Value::from(answer.status)),
            Value::String(_) => (400..500).contains(&answer.status),
            one => *one == answer.status,
        };
        if !good {
            let start: String = answer.text().chars().take(200).collect();
            self.differ("status", status, format!("{} {start}", answer.status));
        }
    }

    fn recorded(&self, header: &str) -> Option<&'n Value> {
        self.case.expected.headers.get(header)
    }

    fn location(&mut self, answer: &Response) {
        let location = answer.header("location");
        match (self.recorded("location").and_then(Value::as_str), location) {
            (Some(recorded), Some(location)) => {
                if let Err(why) = pattern::matches(self.names, recorded, location) {
                    self.differences.push(format!("Location: {why}"));
                }
            }
            (None, None) => {}
            // a redirect is one of several answers that fit
            (None, Some(_)) if self.case.expected.status.is_array() => {}
            (recorded, location) => self.differ("Location", recorded, location),
        }
    }

    fn content_type(&mut self, answer: &Response) {
        let empty = answer.body.is_empty() && [201, 204].contains(&answer.status);
        let Some(recorded) = self.recorded("content-type").filter(|_| !empty) else {
            return;
        };
        let mime = answer.header("content-type").unwrap_or_default();
        let mime = mime.split(';').next().unwrap_or_default().trim();
        let good = match recorded {
            Value::String(one) => one.split(';').next() == Some(mime),
            other => other["$in"]
                .as_array()
                .is_some_and(|any| any.contains(&Value::from(mime))),
        };
        if !good {
            self.differ("Content-Type", recorded, mime);
        }
    }

    fn allow(&mut self, answer: &Response) {
        let Some(recorded) = self.recorded("allow") else {
            return;
        };
        let least = recorded.get("$superset");
        let wanted = method_set(least.unwrap_or(recorded));
        let allowed = method_set(&Value::from(answer.header("allow").unwrap_or_default()));
        let good = match least {
            Some(_) => wanted.is_subset(&allowed),
            None => wanted == allowed,
        };
        if !good {
            self.differ("Allow", wanted, allowed);
        }
    }

    fn challenge(&mut self, answer: &Response) {
        let answered: Vec<&str> = answer
            .all("www-authenticate")
            .filter_map(|value| value.split_whitespace().next())
            .collect();
        let good = match self.recorded("www-authenticate") {
            None => answered.is_empty(),
            Some(Value::Array(schemes)) => schemes
                .iter()
                .map(Value::as_str)
                .eq(answered.iter().map(|one| Some(*one))),
            Some(_) => !answered.is_empty(),
        };
        if !good {
            self.differ(
                "WWW-Authenticate",
                self.recorded("www-authenticate"),
                answered,
            );
        }
    }

    fn links(&mut self, answer: &Response) {
        let nothing = Vec::new();
        let recorded = self.recorded("link").and_then(Value::as_array);
        if recorded.is_none() && self.case.decided.is_some() {
            return;
        }
        let recorded = recorded.unwrap_or(&nothing);
        let links = answer.links();
        for (index, pair) in recorded.iter().zip(&links).enumerate() {
            let link = pair.0.as_str().unwrap_or_default();
            if let Err(why) = pattern::matches(self.names, link, pair.1) {
                self.differences
                    .push(format!("Link {index} {:?}: {why}", pair.1));
                return;
            }
        }
        if recorded.len() != links.len() {
            let all: Vec<_> = recorded.iter().filter_map(Value::as_str).collect();
            self.differ("Links", all, links);
        }
    }

    fn body(&mut self, answer: &Response) {
        match &self.case.expected.body {
            Body::Any(any) => self.check("any body", *any),
            Body::Empty(empty) if *empty == answer.body.is_empty() => {}
            Body::Empty(_) => self.differ("body", "nothing", answer.text()),
            Body::Text(text) if *text == answer.text() => {}
            Body::Text(text) => self.differ("body", text, answer.text()),
            Body::Bytes(bytes) => self.bytes(bytes, &answer.body),
            Body::Json(recorded) => self.json(recorded, answer),
        }
    }

    fn bytes(&mut self, recorded: &str, bytes: &[u8]) {
        use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
        let good = match recorded.strip_prefix("sha1:") {
            Some(sha1) => hex::encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes)) == sha1,
            None => recorded.as_bytes() == bytes,
        };
        if !good {
            self.differ("bytes", recorded, String::from_utf8_lossy(bytes));
        }
    }

    fn json(&mut self, recorded: &Value, answer: &Response) {
        let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else {
            let start: String = answer.text().chars().take(200).collect();
            return self.differ("body", "JSON", start);
        };
        let linked = recorded.get("@graph").is_some();
        let mut json = JsonComparison::new(self.names, self.revision, linked);
        json.compare("", recorded, &body);
        self.differences.extend(json.differences);
        for field in required_fields::missing(&body) {
            self.differences
                .push(format!("{field} of the interface is missing"));
        }
    }

    /// What is asked of an answer beside equality.
    pub fn checks(&mut self, answer: &Response, get: Option<&Response>) {
        for name in self.case.expected.checks.keys() {
            match (name.as_str(), get) {
                ("head_equals_get", Some(get)) => self.head_equals_get(answer, get),
                ("etag_strong", _) => self.check(
                    name,
                    answer
                        .header("etag")
                        .is_some_and(|etag| etag.starts_with('"')),
                ),
                ("sets_cookie", _) => self.check(name, answer.header("set-cookie").is_some()),
                ("absent_local", _) => self.absent_local(),
                _ => self.differences.push(format!("no such check: {name}")),
            }
        }
    }

    fn check(&mut self, name: &str, good: bool) {
        if !good {
            self.differences.push(format!("not so: {name}"));
        }
    }

    fn head_equals_get(&mut self, head: &Response, get: &Response) {
        self.check("HEAD has no body", head.body.is_empty());
        let mut headers = [head.headers.clone(), get.headers.clone()];
        for list in &mut headers {
            list.retain(|(name, _)| name != "date");
            list.sort();
        }
        if head.status != get.status || headers[0] != headers[1] {
            self.differ(
                "HEAD and GET",
                (get.status, &headers[1]),
                (head.status, &headers[0]),
            );
        }
    }

    /// The request named an absolute path: nothing may have been written there.
    fn absent_local(&mut self) {
        let named = self.case.request.headers.get("Content-Location");
        let path = self.names.fill(named.map_or("", String::as_str));
        self.check(
            "absent_local",
            path.starts_with('/') && !Path::new(&path).exists(),
        );
    }
}

/// Methods of a list or of a header, without the ones that are always there.
fn method_set(value: &Value) -> BTreeSet<String> {
    let methods: Vec<&str> = match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().unwrap_or_default().split(',').collect(),
    };
    methods
        .into_iter()
        .map(|method| method.trim().to_owned())
        .filter(|method| !["", "HEAD", "OPTIONS"].contains(&method.as_str()))
        .collect()
}
