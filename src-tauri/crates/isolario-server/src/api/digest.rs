//! Checksums in headers: those that a client sends with a body, and those that it wants of a file
//! (RFC 9530); and `Digest` (RFC 3230), which came before them.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sfv::{Dictionary, GenericBareItem, ListEntry, Parser};

use super::ApiError;
use isolario_blobs::{Algorithm, Checksum};
use isolario_model::content::FileRecord;

/// The checksum of the whole file (RFC 9530, 3).
pub const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
const WANT_REPR_DIGEST: HeaderName = HeaderName::from_static("want-repr-digest");

/// The checksums that a client declares for the bytes that it sends.
#[derive(Debug, Default, PartialEq)]
pub struct DeclaredDigests {
    /// Of the body of this request (RFC 9530, 2).
    pub content: Vec<Checksum>,
    /// Of the whole file.
    pub whole: Vec<Checksum>,
}

/// Every checksum of an algorithm we know. Others promise nothing that could be checked.
///
/// # Errors
/// 400 for a header that cannot be read.
pub fn declared_digests(headers: &HeaderMap) -> Result<DeclaredDigests, ApiError> {
    let mut whole = structured(headers, "repr-digest")?;
    whole.extend(before_structured_fields(headers)?);
    Ok(DeclaredDigests {
        content: structured(headers, "content-digest")?,
        whole,
    })
}

fn structured(headers: &HeaderMap, name: &str) -> Result<Vec<Checksum>, ApiError> {
    let members = dictionary(headers, name).ok_or_else(|| unreadable(name))?;
    let known = members
        .iter()
        .filter_map(|(key, member)| Some((algorithm(key.as_str())?, member)));
    known
        .map(|(algorithm, member)| checksum(algorithm, member).ok_or_else(|| unreadable(name)))
        .collect()
}

fn unreadable(name: &str) -> ApiError {
    ApiError::bad_request(format!("The {name} header cannot be read."))
}

/// A Dictionary (RFC 9651, 3.2) over all lines of a header; empty without the header, `None` where it
/// is malformed.
fn dictionary(headers: &HeaderMap, name: &str) -> Option<Dictionary> {
    let lines: Vec<&[u8]> = headers
        .get_all(name)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    Parser::new(&lines.join(&b", "[..])).parse().ok()
}

fn algorithm(key: &str) -> Option<Algorithm> {
    match key {
        "sha-512" => Some(Algorithm::Sha512),
        "sha-256" => Some(Algorithm::Sha256),
        "md5" => Some(Algorithm::Md5),
        _ => None,
    }
}

fn key(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Sha512 => "sha-512",
        Algorithm::Sha256 => "sha-256",
        Algorithm::Sha1 => "sha",
        Algorithm::Md5 => "md5",
    }
}

fn checksum(algorithm: Algorithm, member: &ListEntry) -> Option<Checksum> {
    match member {
        ListEntry::Item(item) => sized(algorithm, item.bare_item.as_byte_sequence()?.to_vec()),
        ListEntry::InnerList(_) => None,
    }
}

fn sized(algorithm: Algorithm, value: Vec<u8>) -> Option<Checksum> {
    (value.len() == algorithm.size()).then_some(Checksum { algorithm, value })
}

/// `SHA-256=…`, comma-separated (RFC 3230, 4.3.2).
fn before_structured_fields(headers: &HeaderMap) -> Result<Vec<Checksum>, ApiError> {
    let mut found = Vec::new();
    for line in headers.get_all("digest") {
        let text = line.to_str().map_err(|_| unreadable("digest"))?;
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or_else(|| unreadable("digest"))?;
            if let Some(algorithm) = algorithm(&name.trim().to_ascii_lowercase()) {
                let value = STANDARD.decode(value.trim()).ok();
                let checksum = value.and_then(|value| sized(algorithm, value));
                found.push(checksum.ok_or_else(|| unreadable("digest"))?);
            }
        }
    }
    Ok(found)
}

/// Which checksum of a file a client would like, by weight (RFC 9530, 4): 10 most, 0 not at all.
#[derive(Debug, Default, PartialEq)]
pub struct DigestPreference(Vec<(Algorithm, i64)>);

/// What `Want-Repr-Digest` says; `None` where there is no such header or it cannot be read: a wish is
/// no reason to refuse anything.
pub fn digest_preference(headers: &HeaderMap) -> Option<DigestPreference> {
    headers.get(&WANT_REPR_DIGEST)?;
    let members = dictionary(headers, WANT_REPR_DIGEST.as_str())?;
    let weighed = members.iter().filter_map(|(key, member)| {
        let weight = match member {
            ListEntry::Item(item) => match &item.bare_item {
                GenericBareItem::Integer(weight) => i64::from(*weight),
                _ => return None,
            },
            ListEntry::InnerList(_) => return None,
        };
        Some((algorithm(key.as_str())?, weight)).filter(|_| (0..=10).contains(&weight))
    });
    Some(DigestPreference(weighed.collect()))
}

impl DigestPreference {
    /// The algorithm to use among these, the strongest first: the one that weighs most, else SHA-512,
    /// which is always to be had, unless the client will not have it.
    pub fn choose(&self, available: &[Algorithm]) -> Option<Algorithm> {
        let weight = |algorithm: Algorithm| {
            let mut weights = self.0.iter();
            let found = weights.find(|(named, _)| *named == algorithm);
            found.map(|(_, weight)| *weight)
        };
        let mut best = None;
        for &algorithm in available {
            let weight = weight(algorithm).unwrap_or(0);
            if weight > best.map_or(0, |(_, most)| most) {
                best = Some((algorithm, weight));
            }
        }
        let unasked = Some(Algorithm::Sha512).filter(|sha512| weight(*sha512) != Some(0));
        best.map(|(algorithm, _)| algorithm).or(unasked)
    }

    /// The algorithm to use for bytes that are only arriving.
    pub fn of_arriving(&self) -> Option<Algorithm> {
        self.choose(&[Algorithm::Sha512, Algorithm::Sha256, Algorithm::Md5])
    }

    /// The checksum of a stored file to answer with, of those that were made when it arrived.
    pub fn of_stored(&self, file: &FileRecord) -> Option<Checksum> {
        let kept = [
            (Algorithm::Sha512, Some(&file.sha512)),
            (Algorithm::Sha256, file.sha256.as_ref()),
            (Algorithm::Md5, file.md5.as_ref()),
        ];
        let available: Vec<Algorithm> = kept
            .iter()
            .filter_map(|(algorithm, value)| value.map(|_| *algorithm))
            .collect();
        let chosen = self.choose(&available)?;
        let (_, value) = kept
            .into_iter()
            .find(|(algorithm, _)| *algorithm == chosen)?;
        sized(chosen, hex::decode(value?).ok()?)
    }
}

/// The value of a digest header.
pub fn field_value(checksum: &Checksum) -> Option<HeaderValue> {
    let (key, value) = (key(checksum.algorithm), STANDARD.encode(&checksum.value));
    HeaderValue::try_from(format!("{key}=:{value}:")).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with(name: &'static str, lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        headers
    }

    fn any_checksum() -> impl Strategy<Value = Checksum> {
        let algorithms = [Algorithm::Sha512, Algorithm::Sha256, Algorithm::Md5];
        let algorithm = prop::sample::select(algorithms.to_vec());
        algorithm.prop_flat_map(|algorithm| {
            prop::collection::vec(any::<u8>(), algorithm.size())
                .prop_map(move |value| Checksum { algorithm, value })
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_among_anything_else(
            checksum in any_checksum(),
            other in "[a-z][a-z0-9*_.-]{0,8}-x(=(:[A-Za-z0-9+/]{4}:|-?[0-9]{1,9}|\"[a-z ]*\"|\\?1|\\(1 2\\)))?(;q=1)?",
            first in any::<bool>(),
        ) {
            let ours = field_value(&checksum).unwrap().to_str().unwrap().to_owned();
            let lines = if first { [&*ours, &*other] } else { [&*other, &*ours] };
            for name in ["repr-digest", "content-digest"] {
                let read = declared_digests(&with(name, &lines)).unwrap();
                prop_assert_eq!([read.content, read.whole].concat(), vec![checksum.clone()]);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(line in prop::collection::vec(0x20_u8..=0xFF, 0..80)) {
            for name in ["repr-digest", "content-digest", "digest", "want-repr-digest"] {
                let Ok(value) = HeaderValue::from_bytes(&line) else { continue };
                let headers = HeaderMap::from_iter([(HeaderName::from_static(name), value)]);
                if let Err(error) = declared_digests(&headers) {
                    prop_assert_eq!(error.status.as_u16(), 400);
                }
                digest_preference(&headers);
            }
        }

        #[test]
        fn nothing_unacceptable_is_chosen(weights in prop::collection::vec(0_i64..=10, 3)) {
            let all = [Algorithm::Sha512, Algorithm::Sha256, Algorithm::Md5];
            let line = format!("sha-512={}, sha-256={}, md5={}", weights[0], weights[1], weights[2]);
            let chosen = digest_preference(&with("want-repr-digest", &[&line])).unwrap().choose(&all);
            let most = *weights.iter().max().unwrap();
            let weight = chosen.map(|chosen| weights[all.iter().position(|one| *one == chosen).unwrap()]);
            prop_assert_eq!(weight, (most > 0).then_some(most));
        }
    }

    #[test]
    fn malformed_checksums_are_refused() {
        for line in [
            "sha-256",
            "sha-256=YWJj",
            "sha-256=:YWJj:",
            "sha-256=:YWJj",
            "sha-512=5",
            "sha-512=(:YWJj:)",
            "SHA-256=:YWJj:",
            "md5=:YWJj:, ",
        ] {
            assert!(
                declared_digests(&with("repr-digest", &[line])).is_err(),
                "{line}"
            );
        }
        for line in ["SHA-256", "SHA-256=YWJj", "md5=***"] {
            assert!(
                declared_digests(&with("digest", &[line])).is_err(),
                "{line}"
            );
        }
    }

    #[test]
    fn sha_512_stands_in_for_what_is_not_to_be_had() {
        let has = [Algorithm::Sha512];
        let chosen = |line| {
            digest_preference(&with("want-repr-digest", &[line]))
                .unwrap()
                .choose(&has)
        };
        assert_eq!(chosen("sha-256=10"), Some(Algorithm::Sha512));
        assert_eq!(chosen("unixsum=3, sha-512=1"), Some(Algorithm::Sha512));
        assert_eq!(chosen("sha-256=10, sha-512=0"), None);
        assert_eq!(
            digest_preference(&with("want-repr-digest", &["sha-256=1,,"])),
            None
        );
        assert_eq!(digest_preference(&HeaderMap::new()), None);
    }
}
