//! Link headers, as a site writes them.

use reqwest::header::{HeaderMap, HeaderValue, LINK};

/// A Link header.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    pub target: String,
    pub rel: String,
}

/// Targets and relations of all Link headers. A target has no comma where a header holds several.
pub fn links_of(headers: &HeaderMap<HeaderValue>) -> Vec<Link> {
    let values = headers.get_all(LINK).into_iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(",<").flat_map(|part| part.split(", <")))
        .filter_map(link_of)
        .collect()
}

fn link_of(text: &str) -> Option<Link> {
    let (target, parameters) = text.trim().trim_start_matches('<').split_once('>')?;
    let rel = parameters.split(';').find_map(|one| {
        let (name, value) = one.split_once('=')?;
        (name.trim() == "rel").then(|| value.trim().trim_matches('"').to_owned())
    })?;
    Some(Link {
        target: target.to_owned(),
        rel,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_headers_are_read_one_by_one_and_in_a_line() {
        let mut headers = HeaderMap::new();
        let line = "<http://a/media/1>; rel=\"related\"; title=\"Original File\", <http://a/media/2>; title=\"A; B\"; rel=related";
        headers.append(LINK, HeaderValue::from_static(line));
        headers.append(
            LINK,
            HeaderValue::from_static("<http://a/b>; rel=\"canonical\""),
        );
        let links = links_of(&headers);
        let read: Vec<(&str, &str)> = links
            .iter()
            .map(|link| (link.target.as_str(), link.rel.as_str()))
            .collect();
        assert_eq!(
            read,
            [
                ("http://a/media/1", "related"),
                ("http://a/media/2", "related"),
                ("http://a/b", "canonical")
            ]
        );
    }
}
