//! OAI-PMH as a harvester asks it. Each answer is compared with what the specification demands of it (OAI-PMH 2.0).

use std::collections::BTreeSet;

use chrono::NaiveDateTime;
use roxmltree::{Document, Node};

use super::{Response, TestServer};

/// A record or header of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Harvested {
    pub identifier: String,
    pub datestamp: String,
    pub sets: Vec<String>,
    pub is_deleted: bool,
    /// The text of its first title.
    pub title: Option<String>,
}

/// An answer that is as the specification demands.
#[derive(Debug)]
pub struct OaiAnswer {
    pub text: String,
    pub date: String,
    /// Code of the error.
    pub error: Option<String>,
    pub records: Vec<Harvested>,
    /// Sets with their names.
    pub sets: Vec<(String, String)>,
    pub prefixes: Vec<String>,
    /// The resumption token, empty in the last answer of several.
    pub token: Option<String>,
}

impl TestServer {
    /// The answer to a query.
    #[track_caller]
    pub fn harvest(&self, query: &str) -> OaiAnswer {
        let answer = self
            .get(&format!("/oai/request?{query}"))
            .send()
            .expect(200);
        OaiAnswer::read(&answer, &self.base())
    }

    /// All records of a list.
    #[track_caller]
    pub fn harvest_all(&self, query: &str) -> Vec<Harvested> {
        let verb = query.split('&').next().expect("a verb");
        let mut answer = self.harvest(query);
        let mut records = Vec::new();
        loop {
            assert_eq!(answer.error, None, "{}", answer.text);
            records.append(&mut answer.records);
            match answer.token.as_deref().unwrap_or_default() {
                "" => return records,
                token => answer = self.harvest(&format!("{verb}&resumptionToken={token}")),
            }
        }
    }
}

fn children<'a>(node: Node<'a, 'a>) -> Vec<Node<'a, 'a>> {
    node.children().filter(Node::is_element).collect()
}

fn text_of(node: Node<'_, '_>) -> String {
    node.text().unwrap_or_default().to_owned()
}

/// The texts of children of a name.
fn texts(node: Node<'_, '_>, name: &str) -> Vec<String> {
    let children = node
        .children()
        .filter(|child| child.tag_name().name() == name);
    children.map(text_of).collect()
}

#[track_caller]
fn assert_is_a_second(text: &str) {
    let read = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%SZ");
    assert!(read.is_ok() && text.len() == 20, "{text} is no UTCdatetime");
}

impl OaiAnswer {
    /// Reads an answer (sections 3.2, 3.3 and 4).
    #[track_caller]
    pub fn read(answer: &Response, base: &str) -> OaiAnswer {
        assert_eq!(
            answer.header("content-type"),
            Some("text/xml; charset=utf-8")
        );
        let text = answer.text();
        let document = Document::parse(&text).expect("well-formed XML");
        let root = document.root_element();
        let name = root.tag_name();
        assert_eq!(
            name.namespace(),
            Some("http://www.openarchives.org/OAI/2.0/")
        );
        assert_eq!(name.name(), "OAI-PMH");
        let parts = children(root);
        let names: Vec<&str> = parts.iter().map(|part| part.tag_name().name()).collect();
        assert_eq!(names[..2], ["responseDate", "request"], "{text}");
        assert_eq!(names.len(), 3, "one error or verb: {text}");
        let date = text_of(parts[0]);
        assert_is_a_second(&date);
        assert_eq!(text_of(parts[1]), format!("{base}/oai/request"));
        let error = (names[2] == "error").then(|| parts[2].attribute("code").expect("a code"));
        match error {
            Some("badVerb" | "badArgument") => assert_eq!(parts[1].attributes().len(), 0, "{text}"),
            Some(_) => assert!(parts[1].attribute("verb").is_some(), "{text}"),
            None => assert_eq!(parts[1].attribute("verb"), Some(names[2]), "{text}"),
        }
        let body = parts[2];
        for address in texts(body, "adminEmail") {
            let host = address.split_once('@').expect("an e-mail address").1;
            assert!(host.contains('.'), "{address} is none to the schema");
        }
        let read = OaiAnswer {
            date,
            error: error.map(str::to_owned),
            records: children(body).into_iter().filter_map(record).collect(),
            sets: children(body).into_iter().filter_map(set).collect(),
            prefixes: children(body)
                .into_iter()
                .flat_map(|format| texts(format, "metadataPrefix"))
                .collect(),
            token: texts(body, "resumptionToken").pop(),
            text: text.clone(),
        };
        read.assert_is_complete(names[2]);
        read
    }

    /// What each verb must have, and no record twice.
    #[track_caller]
    fn assert_is_complete(&self, verb: &str) {
        match verb {
            "ListRecords" | "ListIdentifiers" => assert!(!self.records.is_empty(), "{}", self.text),
            "GetRecord" => assert_eq!(self.records.len(), 1, "{}", self.text),
            "ListSets" => assert!(!self.sets.is_empty(), "{}", self.text),
            "ListMetadataFormats" => assert!(self.prefixes.contains(&"oai_dc".to_owned())),
            _ => {}
        }
        let identifiers: BTreeSet<&str> = self
            .records
            .iter()
            .map(|one| one.identifier.as_str())
            .collect();
        assert_eq!(identifiers.len(), self.records.len(), "{}", self.text);
    }

    /// The titles of records that are not deleted.
    pub fn titles(&self) -> Vec<&str> {
        self.records
            .iter()
            .filter_map(|record| record.title.as_deref())
            .collect()
    }
}

/// A record with its metadata, or a header (section 2.5).
fn record(node: Node<'_, '_>) -> Option<Harvested> {
    let (header, metadata) = match node.tag_name().name() {
        "header" => (node, None),
        "record" => {
            let parts = children(node);
            let names: Vec<&str> = parts.iter().map(|part| part.tag_name().name()).collect();
            assert!(
                names == ["header"] || names == ["header", "metadata"],
                "{names:?}"
            );
            assert_eq!(
                names.len() == 1,
                parts[0].attribute("status") == Some("deleted"),
                "a deleted record has no metadata"
            );
            (parts[0], parts.get(1).copied())
        }
        _ => return None,
    };
    let names: Vec<&str> = children(header)
        .iter()
        .map(|part| part.tag_name().name())
        .collect();
    assert_eq!(names[..2], ["identifier", "datestamp"]);
    assert!(
        names[2..].iter().all(|name| *name == "setSpec"),
        "{names:?}"
    );
    let datestamp = texts(header, "datestamp").remove(0);
    assert_is_a_second(&datestamp);
    let record = metadata.map(children);
    if let Some(record) = &record {
        assert_eq!(record.len(), 1, "metadata has one element");
        assert!(
            record[0].tag_name().namespace().is_some(),
            "it is of a namespace"
        );
    }
    let title = metadata.and_then(|metadata| {
        let mut all = metadata.descendants();
        all.find(|node| node.tag_name().name() == "title")
            .map(text_of)
    });
    Some(Harvested {
        identifier: texts(header, "identifier").remove(0),
        datestamp,
        sets: texts(header, "setSpec"),
        is_deleted: header.attribute("status") == Some("deleted"),
        title,
    })
}

fn set(node: Node<'_, '_>) -> Option<(String, String)> {
    (node.tag_name().name() == "set").then(|| {
        let names: Vec<&str> = children(node)
            .iter()
            .map(|part| part.tag_name().name())
            .collect();
        assert_eq!(names[..2], ["setSpec", "setName"]);
        (
            texts(node, "setSpec").remove(0),
            texts(node, "setName").remove(0),
        )
    })
}
