//! Entity tags and conditional requests (RFC 9110, 13).

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use isolario_core::actions::Precondition;

/// A strong tag: the revision, and a hash of the very bytes. The same resource in another format,
/// or with another thing's name in it, has another tag; the revision in front is what `If-Match` compares.
pub fn etag(revision: i64, body: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, body);
    format!("\"{revision}-{}\"", hex::encode(&digest.as_ref()[..12]))
}

/// What `If-Match` insists on: the revisions in tags of ours. Weak tags and those of others match
/// nothing (RFC 9110, 13.1.1).
pub fn expected(headers: &HeaderMap) -> Precondition {
    match Tags::read(headers, &header::IF_MATCH) {
        None => Precondition::Unsaid,
        Some(Tags::Any) => Precondition::Existing,
        Some(Tags::These(tags)) => {
            let strong = tags.iter().filter(|tag| !tag.weak);
            Precondition::Revisions(strong.filter_map(Tag::revision).collect())
        }
    }
}

/// Whether `If-Match` names this very tag, by the strong comparison.
pub fn is_expected(headers: &HeaderMap, etag: &str) -> bool {
    let names = |tag: &Tag| !tag.weak && tag.quoted == etag.as_bytes();
    Tags::read(headers, &header::IF_MATCH).is_some_and(|tags| tags.any(names))
}

/// Whether `If-None-Match` names this tag, by the weak comparison (RFC 9110, 13.1.2).
pub fn is_known_to_client(headers: &HeaderMap, etag: &str) -> bool {
    let names = |tag: &Tag| tag.quoted == etag.as_bytes();
    Tags::read(headers, &header::IF_NONE_MATCH).is_some_and(|tags| tags.any(names))
}

/// What a condition is about.
#[derive(Debug, PartialEq)]
enum Tags {
    /// `*`: whatever there is.
    Any,
    These(Vec<Tag>),
}

/// An entity tag (RFC 9110, 8.8.3).
#[derive(Debug, PartialEq)]
struct Tag {
    weak: bool,
    /// With its quotes.
    quoted: Vec<u8>,
}

impl Tag {
    /// The revision in a tag of ours.
    fn revision(&self) -> Option<i64> {
        let inner = std::str::from_utf8(&self.quoted).ok()?;
        inner.trim_matches('"').split('-').next()?.parse().ok()
    }
}

impl Tags {
    /// All lines of a header; `None` where there is none.
    fn read(headers: &HeaderMap, name: &HeaderName) -> Option<Tags> {
        if !headers.contains_key(name) {
            return None;
        }
        let lines: Vec<&[u8]> = headers
            .get_all(name)
            .iter()
            .map(HeaderValue::as_bytes)
            .collect();
        let value = lines.join(&b',');
        Some(match value.trim_ascii() {
            b"*" => Tags::Any,
            list => Tags::These(read_list(list)),
        })
    }

    fn any(&self, fits: impl Fn(&Tag) -> bool) -> bool {
        match self {
            Tags::Any => true,
            Tags::These(tags) => tags.iter().any(fits),
        }
    }
}

/// The tags of a list. A tag may have commas in it; what is no tag is passed over.
fn read_list(mut rest: &[u8]) -> Vec<Tag> {
    let mut tags = Vec::new();
    loop {
        rest = rest.trim_ascii_start();
        let (weak, after) = match rest.strip_prefix(b"W/") {
            Some(after) => (true, after),
            None => (false, rest),
        };
        let quoted = after.strip_prefix(b"\"").and_then(|inner| {
            let end = inner.iter().position(|byte| *byte == b'"')?;
            after.split_at_checked(end + 2)
        });
        let comma = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b',');
        if let Some((tag, behind)) = quoted {
            let is_whole = behind
                .trim_ascii_start()
                .first()
                .is_none_or(|byte| *byte == b',');
            tags.extend(is_whole.then(|| Tag {
                weak,
                quoted: tag.to_vec(),
            }));
            rest = behind;
        }
        match comma(rest) {
            Some(at) => rest = &rest[at + 1..],
            None => return tags,
        }
    }
}

/// Adds the tag to a response, and empties it with 304 when the client has these bytes already.
pub fn answer(headers: &HeaderMap, etag: &str, mut response: Response<Body>) -> Response<Body> {
    if !response.headers().contains_key(header::ETAG)
        && let Ok(value) = HeaderValue::from_str(etag)
    {
        response.headers_mut().insert(header::ETAG, value);
    }
    if is_known_to_client(headers, etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn conditions(name: &HeaderName, lines: &[&[u8]]) -> HeaderMap {
        let line = |line: &&[u8]| (name.clone(), HeaderValue::from_bytes(line).unwrap());
        lines.iter().map(line).collect()
    }

    #[test]
    fn every_tag_of_a_list_counts_and_weak_ones_only_where_they_may() {
        let cases: [(&[&[u8]], Precondition, bool); 12] = [
            (&[], Precondition::Unsaid, false),
            (&[b"*"], Precondition::Existing, true),
            (&[b" * "], Precondition::Existing, true),
            (&[b"\"5-ab\""], Precondition::Revisions(vec![5]), true),
            (
                &[b"\"x\", \"4-a\" , \"5-ab\""],
                Precondition::Revisions(vec![4, 5]),
                true,
            ),
            (
                &[b"\"4-a\"", b"\"5-ab\""],
                Precondition::Revisions(vec![4, 5]),
                true,
            ),
            (&[b"W/\"5-ab\""], Precondition::Revisions(vec![]), true),
            (
                &[b"W/\"5-ab\",,\"6-ab\""],
                Precondition::Revisions(vec![6]),
                true,
            ),
            (&[b"\"a,\"5-ab\""], Precondition::Revisions(vec![]), false),
            (&[b"\"a,*,b\""], Precondition::Revisions(vec![]), false),
            (&[b"5-ab, \"5-a"], Precondition::Revisions(vec![]), false),
            (&[b""], Precondition::Revisions(vec![]), false),
        ];
        for (lines, insists_on, is_known) in cases {
            let headers = conditions(&header::IF_MATCH, lines);
            assert_eq!(expected(&headers), insists_on, "{headers:?}");
            let headers = conditions(&header::IF_NONE_MATCH, lines);
            assert_eq!(
                is_known_to_client(&headers, "\"5-ab\""),
                is_known,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn the_bytes_of_a_file_are_compared_by_the_whole_tag() {
        let known =
            |value: &[u8]| is_expected(&conditions(&header::IF_MATCH, &[value]), "\"ab-1\"");
        assert!(known(b"*") && known(b"\"x\",\"ab-1\""));
        assert!(!known(b"W/\"ab-1\"") && !known(b"\"ab-2\"") && !known(b"ab-1"));
    }

    proptest! {
        #[test]
        fn any_text_is_read(value in prop::collection::vec(0x20_u8..0x7f, 0..40)) {
            let headers = conditions(&header::IF_MATCH, &[&value]);
            prop_assert_ne!(expected(&headers), Precondition::Unsaid);
        }

        #[test]
        fn tags_are_found_in_any_list(texts in prop::collection::vec("[!#-~]{0,9}", 1..5), weak: bool) {
            let mark = if weak { "W/" } else { "" };
            let tags: Vec<String> = texts.iter().map(|text| format!("{mark}\"{text}\"")).collect();
            let read = read_list(tags.join(", ").as_bytes());
            let quoted: Vec<Vec<u8>> = texts.iter().map(|text| format!("\"{text}\"").into()).collect();
            prop_assert!(read.iter().all(|tag| tag.weak == weak));
            prop_assert_eq!(read.into_iter().map(|tag| tag.quoted).collect::<Vec<_>>(), quoted);
        }
    }
}
