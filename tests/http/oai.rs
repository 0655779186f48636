//! OAI-PMH 2.0 at `/oai/request`: verbs, selections, tokens, deleted records and errors.

use std::io::Read;

use serde_json::{Value, json};

use crate::support::{TestServer, encoded};

/// A collection and an item in it.
fn collection(server: &TestServer, title: &str) -> i64 {
    let model = server.term("islandora_models", "Collection");
    server.create_object_with(title, json!({"field_model": [{"target_id": model}]}))
}

fn member(server: &TestServer, title: &str, of: i64) -> i64 {
    server.create_object_with(title, json!({"field_member_of": [{"target_id": of}]}))
}

fn change(server: &TestServer, nid: i64, fields: Value) {
    let body = crate::support::merge(json!({"type": [{"target_id": "islandora_object"}]}), fields);
    server
        .patch(&format!("/node/{nid}?_format=json"))
        .json(body)
        .as_admin()
        .send()
        .expect(200);
}

fn identifier(server: &TestServer, nid: i64) -> String {
    let uuid = server.node(nid)["uuid"][0]["value"].clone();
    format!("urn:uuid:{}", uuid.as_str().expect("a UUID"))
}

#[test]
fn the_repository_says_who_it_is() {
    let server = TestServer::start_with(
        "name = \"Ships & <charts>\"\n[harvesting]\nadmin_email = \"a@example.org\"\n",
    );
    let answer = server.harvest("verb=Identify");
    for words in [
        "<repositoryName>Ships &amp; &lt;charts&gt;</repositoryName>",
        "<protocolVersion>2.0</protocolVersion>",
        "<adminEmail>a@example.org</adminEmail>",
        "<deletedRecord>persistent</deletedRecord>",
        "<granularity>YYYY-MM-DDThh:mm:ssZ</granularity>",
        "<compression>gzip</compression>",
    ] {
        assert!(answer.text.contains(words), "{}", answer.text);
    }
    assert_eq!(TestServer::shared().harvest("verb=Identify").error, None);
    let formats = server.harvest("verb=ListMetadataFormats");
    assert_eq!(formats.prefixes, ["datacite", "mods", "oai_dc"]);
}

#[test]
fn what_was_written_is_harvested_at_once() {
    let server = TestServer::start();
    assert_eq!(
        server
            .harvest("verb=ListRecords&metadataPrefix=oai_dc")
            .error
            .as_deref(),
        Some("noRecordsMatch")
    );
    let nid = server.create_object("Chart of Candia");
    server.create_object_with("Draft", json!({"status": [{"value": false}]}));
    for prefix in ["oai_dc", "mods", "datacite"] {
        let list = server.harvest(&format!("verb=ListRecords&metadataPrefix={prefix}"));
        assert_eq!(list.titles(), ["Chart of Candia"]);
    }
    let wanted = identifier(&server, nid);
    let one = server.harvest(&format!(
        "verb=GetRecord&metadataPrefix=oai_dc&identifier={wanted}"
    ));
    assert_eq!(one.titles(), ["Chart of Candia"]);
    let headers = server.harvest("verb=ListIdentifiers&metadataPrefix=oai_dc");
    assert_eq!(headers.records[0].identifier, wanted);
    let formats = server.harvest(&format!("verb=ListMetadataFormats&identifier={wanted}"));
    assert_eq!(formats.prefixes.len(), 3);
}

#[test]
fn who_harvests_again_from_the_date_of_the_answer_gets_what_changed() {
    let server = TestServer::start();
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    let [gone, hidden, kept] = ["Gone", "Hidden", "Kept"].map(|title| server.create_object(title));
    let first = server.harvest(list);
    assert_eq!(first.titles(), ["Gone", "Hidden", "Kept"]);
    server
        .delete(&format!("/node/{gone}?_format=json"))
        .as_admin()
        .send()
        .expect(204);
    change(&server, hidden, json!({"status": [{"value": false}]}));
    server.create_object("New");
    let second = server.harvest(&format!("{list}&from={}", first.date));
    assert_eq!(second.titles(), ["New"]);
    let deleted = second
        .records
        .iter()
        .filter(|record| record.is_deleted)
        .count();
    assert_eq!(deleted, 2, "{}", second.text);
    let third = server.harvest(&format!("{list}&from={}", second.date));
    assert_eq!(third.error.as_deref(), Some("noRecordsMatch"));
    change(&server, hidden, json!({"status": [{"value": true}]}));
    let fourth = server.harvest(&format!("{list}&from={}", second.date));
    assert_eq!(fourth.titles(), ["Hidden"]);
    let until = server.harvest(&format!("{list}&until={}", first.records[0].datestamp));
    assert_eq!(until.titles(), ["Kept"]);
    let one = server.harvest(&format!(
        "verb=GetRecord&metadataPrefix=oai_dc&identifier={}",
        identifier(&server, kept)
    ));
    assert!(!one.records[0].is_deleted);
}

#[test]
fn a_record_changes_with_what_it_shows_of_others() {
    let server = TestServer::start();
    let subject = server.create_term("subject", "Islets");
    server.create_object_with("Map", json!({"field_subject": [{"target_id": subject}]}));
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    let first = server.harvest(list);
    assert!(first.text.contains("<dc:subject>Islets</dc:subject>"));
    let renamed = json!({"vid": [{"target_id": "subject"}], "name": [{"value": "Islands"}]});
    let path = format!("/taxonomy/term/{subject}?_format=json");
    server
        .patch(&path)
        .json(renamed)
        .as_admin()
        .send()
        .expect(200);
    let second = server.harvest(&format!("{list}&from={}", first.date));
    assert!(
        second.text.contains("<dc:subject>Islands</dc:subject>"),
        "{}",
        second.text
    );
    let link =
        json!([{"uri": "http://id.loc.gov/authorities/subjects/sh85068433", "source": "lcsh"}]);
    let known = json!({"vid": [{"target_id": "subject"}], "field_authority_link": link});
    server
        .patch(&path)
        .json(known)
        .as_admin()
        .send()
        .expect(200);
    let list = "verb=ListRecords&metadataPrefix=mods";
    let third = server.harvest(&format!("{list}&from={}", second.date));
    assert!(third.text.contains("sh85068433"), "{}", third.text);
}

#[test]
fn public_collections_are_sets_of_all_below_them() {
    let server = TestServer::start();
    assert_eq!(
        server.harvest("verb=ListSets").error.as_deref(),
        Some("noSetHierarchy")
    );
    let maps = collection(&server, "Maps");
    let sea = member(&server, "Sea", maps);
    member(&server, "Chart", sea);
    server.create_object("Letter");
    let sets = server.harvest("verb=ListSets").sets;
    assert_eq!(sets, [(format!("collection-{maps}"), "Maps".to_owned())]);
    let list = format!("verb=ListRecords&metadataPrefix=oai_dc&set=collection-{maps}");
    let first = server.harvest(&list);
    assert_eq!(first.titles(), ["Sea", "Chart"]);
    assert_eq!(first.records[1].sets, [format!("collection-{maps}")]);
    server
        .delete(&format!("/node/{sea}?_format=json"))
        .as_admin()
        .send()
        .expect(204);
    let second = server.harvest(&format!("{list}&from={}", first.date));
    assert!(
        second.records.iter().any(|record| record.is_deleted),
        "{}",
        second.text
    );
    for set in ["collection-999", "collection-x", "x", ""] {
        let answer = server.harvest(&format!("verb=ListRecords&metadataPrefix=oai_dc&set={set}"));
        assert_eq!(answer.error.as_deref(), Some("noRecordsMatch"));
    }
}

#[test]
fn a_long_list_comes_in_parts_while_others_write() {
    let server = TestServer::start_with("[harvesting]\npage = 2\n");
    let items: Vec<i64> = (0..7)
        .map(|number| server.create_object(&format!("Item {number}")))
        .collect();
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    let first = server.harvest(list);
    assert_eq!(first.titles(), ["Item 0", "Item 1"]);
    change(
        &server,
        items[5],
        json!({"title": [{"value": "Item 5 again"}]}),
    );
    server.create_object("Item 7");
    let mut titles = Vec::new();
    let mut token = first.token.clone().expect("more");
    while !token.is_empty() {
        let answer = server.harvest(&format!("verb=ListRecords&resumptionToken={token}"));
        titles.extend(answer.titles().into_iter().map(str::to_owned));
        token = answer.token.expect("a token, empty at last");
        // Somebody else harvests meanwhile.
        server.harvest(list);
    }
    assert_eq!(titles, ["Item 2", "Item 3", "Item 4", "Item 6"]);
    let rest = server.harvest_all(&format!("{list}&from={}", first.date));
    let rest: Vec<&str> = rest
        .iter()
        .filter_map(|record| record.title.as_deref())
        .collect();
    assert_eq!(rest, ["Item 5 again", "Item 7"]);
}

#[test]
fn sets_come_in_parts_too() {
    let server = TestServer::start_with("[harvesting]\npage = 2\n");
    for title in ["A", "B", "C"] {
        collection(&server, title);
    }
    let first = server.harvest("verb=ListSets");
    assert_eq!(first.sets.len(), 2);
    let rest = server.harvest(&format!(
        "verb=ListSets&resumptionToken={}",
        first.token.expect("more")
    ));
    assert_eq!(rest.sets[0].1, "C");
    assert_eq!(rest.token.as_deref(), Some(""));
}

#[test]
fn wrong_requests_are_answered_by_their_codes() {
    let server = TestServer::shared();
    let wrong = [
        ("", "badVerb"),
        ("verb=Harvest", "badVerb"),
        ("verb=Identify&verb=Identify", "badVerb"),
        ("verb=Identify&set=a", "badArgument"),
        ("verb=GetRecord&metadataPrefix=oai_dc", "badArgument"),
        ("verb=ListRecords", "badArgument"),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=mods",
            "badArgument",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&from=yesterday",
            "badArgument",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&from=2026-13-01",
            "badArgument",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01T00:00:00",
            "badArgument",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-02&until=2026-01-01",
            "badArgument",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-02T00:00:00Z",
            "badArgument",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=1,2",
            "badArgument",
        ),
        ("verb=ListRecords&resumptionToken=1,2", "badResumptionToken"),
        (
            "verb=ListRecords&resumptionToken=-1,0,0,0,0,0,oai_dc",
            "badResumptionToken",
        ),
        ("verb=ListSets&resumptionToken=", "badResumptionToken"),
        (
            "verb=ListRecords&metadataPrefix=marc",
            "cannotDisseminateFormat",
        ),
        (
            "verb=ListRecords&metadataPrefix=schema_org",
            "cannotDisseminateFormat",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&until=1650-01-01",
            "noRecordsMatch",
        ),
        (
            "verb=ListRecords&metadataPrefix=oai_dc&from=9999-12-31",
            "noRecordsMatch",
        ),
        (
            "verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:a:1",
            "idDoesNotExist",
        ),
        (
            "verb=ListMetadataFormats&identifier=urn:uuid:of-nothing",
            "idDoesNotExist",
        ),
    ];
    for (query, code) in wrong {
        assert_eq!(
            server.harvest(query).error.as_deref(),
            Some(code),
            "{query}"
        );
    }
    let hostile = encoded("<a b=\"c\">&\u{1}'");
    let answer = server.harvest(&format!("verb=ListIdentifiers&metadataPrefix={hostile}"));
    assert_eq!(answer.error.as_deref(), Some("cannotDisseminateFormat"));
}

#[test]
fn a_form_asks_as_an_address_does() {
    let server = TestServer::start();
    server.create_object("Chart");
    let form = "application/x-www-form-urlencoded";
    let asked = server
        .post("/oai/request")
        .body(form, "verb=ListRecords&metadataPrefix=oai_dc");
    let answer = crate::support::OaiAnswer::read(&asked.send().expect(200), &server.base());
    assert_eq!(answer.titles(), ["Chart"]);
    server
        .post("/oai/request")
        .body("text/plain", "verb=Identify")
        .send()
        .expect(415);
}

#[test]
fn an_answer_is_compressed_for_those_who_take_it() {
    let server = TestServer::shared();
    let asked = server
        .get("/oai/request?verb=Identify")
        .header("accept-encoding", "gzip");
    let answer = asked.send().expect(200);
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    let mut decoder = flate2::read::GzDecoder::new(&answer.body[..]);
    decoder.read_to_string(&mut text).expect("gzip");
    assert!(text.contains("<Identify>"));
}

#[test]
fn what_visitors_may_not_view_is_not_harvested() {
    let server = TestServer::start();
    server.create_object("Chart");
    server.harvest("verb=ListRecords&metadataPrefix=oai_dc");
    server.allow_nothing("anonymous");
    server.get("/oai/request?verb=Identify").send().expect(401);
    let server = TestServer::start_with("[harvesting]\nenabled = false\n");
    server.get("/oai/request?verb=Identify").send().expect(404);
}
