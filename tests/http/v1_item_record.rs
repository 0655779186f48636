//! `/api/v1/items/{nid}/records/{record_format}`: an item as a record of a metadata format.

use serde_json::{Value, json};

use crate::support::{Response, TestServer};

/// A map with an agent, dates, a language and words that XML must escape.
fn map(server: &TestServer) -> i64 {
    let person = server.create_term_with(
        "person",
        "Coronelli, Vincenzo",
        json!({"field_authority_link": [{"uri": "http://viaf.org/viaf/41925105", "source": "viaf"}]}),
    );
    let subject = server.create_term("subject", "Islands & <lagoons>");
    server.create_object_with(
        "Isolario dell'Atlante Veneto",
        json!({
            "field_linked_agent": [{"target_id": person, "rel_type": "relators:aut"}],
            "field_subject": [{"target_id": subject}],
            "field_edtf_date_issued": [{"value": "1696~"}],
            "field_description": [{"value": "Printed in Venice"}],
            "field_rights": [{"value": "Public domain"}],
        }),
    )
}

#[track_caller]
fn record(server: &TestServer, nid: i64, format: &str) -> Response {
    let path = format!("/api/v1/items/{nid}/records/{format}");
    server.get(&path).send().expect(200)
}

/// The text of an answer that is well-formed XML.
#[track_caller]
fn well_formed(answer: &Response) -> String {
    let text = answer.text();
    roxmltree::Document::parse(&text).expect("well-formed XML");
    text
}

#[track_caller]
fn assert_says(record: &str, words: &[&str]) {
    let record = record.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in words {
        assert!(record.contains(words), "{words} is not in {record}");
    }
}

#[test]
fn an_item_is_written_in_every_shipped_format() {
    let server = TestServer::shared();
    let nid = map(server);
    let core = record(server, nid, "oai_dc");
    assert_eq!(core.header("content-type"), Some("application/xml"));
    assert_says(
        &well_formed(&core),
        &[
            "<dc:title>Isolario dell'Atlante Veneto</dc:title>",
            "<dc:creator>Coronelli, Vincenzo</dc:creator>",
            "<dc:subject>Islands &amp; &lt;lagoons&gt;</dc:subject>",
            "<dc:date>1696~</dc:date>",
            "<dc:identifier>urn:uuid:",
            "<dc:rights>Public domain</dc:rights>",
        ],
    );
    assert_says(
        &well_formed(&record(server, nid, "mods")),
        &[
            "<titleInfo> <title>Isolario dell'Atlante Veneto</title>",
            "<name type=\"personal\" valueURI=\"http://viaf.org/viaf/41925105\">",
            "<roleTerm type=\"code\" authority=\"marcrelator\">aut</roleTerm>",
            "<dateIssued encoding=\"edtf\">1696~</dateIssued>",
        ],
    );
    assert_says(
        &well_formed(&record(server, nid, "datacite")),
        &[
            "<publicationYear>1696</publicationYear>",
            "<creatorName nameType=\"Personal\">Coronelli, Vincenzo</creatorName>",
        ],
    );
    let schema = record(server, nid, "schema_org");
    assert_eq!(schema.header("content-type"), Some("application/ld+json"));
    let schema: Value = schema.json();
    assert_eq!(schema["name"], "Isolario dell'Atlante Veneto");
    assert_eq!(schema["creator"]["name"], "Coronelli, Vincenzo");
}

#[test]
fn a_record_shows_its_reader_what_the_item_shows() {
    let server = TestServer::start();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let path = format!("/api/v1/items/{hidden}/records/oai_dc");
    server.get(&path).send().expect(404);
    server.get(&path).as_admin().send().expect(200);
    let shown =
        server.create_object_with("Shown", json!({"field_member_of": [{"target_id": hidden}]}));
    assert!(!record(&server, shown, "oai_dc").text().contains("Hidden"));
}

#[test]
fn a_record_that_the_client_has_is_not_sent_again() {
    let server = TestServer::shared();
    let path = format!("/api/v1/items/{}/records/mods", map(server));
    let etag = server.get(&path).send().expect(200).etag().to_owned();
    server
        .get(&path)
        .header("if-none-match", etag)
        .send()
        .expect(304);
}

#[test]
fn an_unknown_format_is_named() {
    let server = TestServer::shared();
    let path = format!("/api/v1/items/{}/records/marc", map(server));
    server
        .get(&path)
        .send()
        .expect_message(404, "There is no record format marc.");
}

#[test]
fn a_repository_has_formats_of_its_own() {
    let crosswalk = json!({"own": {
        "root": "o:thing", "namespaces": {"o": "urn:own"}, "namespace": "urn:own",
        "rules": [{"from": ["dcterms:title"], "write": {"o:called": {"@lang": "{language}", "#text": "{text}"}}}],
    }});
    let server = TestServer::start_with_files(&[("crosswalk.json", &crosswalk.to_string())]);
    let nid = server.create_object("Chart");
    assert_says(
        &well_formed(&record(&server, nid, "own")),
        &[">Chart</o:called>"],
    );
    record(&server, nid, "oai_dc");
}
