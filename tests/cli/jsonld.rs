//! Linked data, as a processor understands it that knows nothing of ours: PyLD (`make install-test-rust`
//! installs it) turns each document into triples, and these are the ones written down here.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::in_sources;

const PROCESSOR: &str = "
import json, sys
from pyld import jsonld
print(jsonld.to_rdf(json.load(sys.stdin), {'format': 'application/n-quads'}))
";
const JSON: &str = "Content-Type: application/json\r\n";

/// The triples of a document, one a line, in order.
fn triples(document: &str) -> Vec<String> {
    let python = in_sources(".tools/pyld/bin/python");
    let mut child = Command::new(&python)
        .args(["-c", PROCESSOR])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            let python = python.display();
            panic!("{python}: {error}. `make install-test-rust` installs it.")
        });
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(document.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "no JSON-LD: {document}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines: Vec<String> = text
        .lines()
        .map(str::to_owned)
        .filter(|line| !line.is_empty())
        .collect();
    lines.sort();
    lines
}

/// What is written down here, in full: prefixes, and `~` for the address of the server.
fn in_full(client: &Client, written: &str) -> Vec<String> {
    const PREFIXES: [(&str, &str); 12] = [
        ("a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"),
        ("rdf:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
        ("dcterms:", "http://purl.org/dc/terms/"),
        ("schema:", "http://schema.org/"),
        ("pcdm:", "http://pcdm.org/models#"),
        ("use:", "http://pcdm.org/use#"),
        (
            "ebucore:",
            "http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#",
        ),
        ("premis:", "http://www.loc.gov/premis/rdf/v1#"),
        ("iana:", "http://www.iana.org/assignments/relation/"),
        ("relators:", "http://id.loc.gov/vocabulary/relators/"),
        ("co:", "http://purl.org/co/"),
        ("skos:", "http://www.w3.org/2004/02/skos/core#"),
    ];
    let base = format!("http://{}", client.serving.address);
    let word = |word: &str| {
        let prefix = |(prefix, full): &(&str, &str)| match word.strip_prefix(prefix) {
            Some("") => Some(format!("<{full}>")),
            Some(rest) if prefix.ends_with(':') => Some(format!("<{full}{rest}>")),
            _ => None,
        };
        match word.strip_prefix('~') {
            Some(path) => format!("<{base}{path}>"),
            None => PREFIXES
                .iter()
                .find_map(prefix)
                .unwrap_or_else(|| word.replace("xsd:", "http://www.w3.org/2001/XMLSchema#")),
        }
    };
    let line = |line: &str| {
        let mut words = line.trim().splitn(3, ' ');
        let words: Vec<String> = words.by_ref().map(word).collect();
        format!("{} .", words.join(" "))
    };
    let mut lines: Vec<String> = written
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(line)
        .collect();
    lines.sort();
    lines
}

/// Times differ from run to run.
fn without_times(lines: Vec<String>) -> Vec<String> {
    let timeless = |line: String| match line.split_once(" \"20") {
        Some((before, after)) if after.contains("#dateTime>") => {
            let (_, kind) = after.split_once('"').expect("an end");
            format!("{before} \"TIME\"{kind}")
        }
        _ => line,
    };
    lines.into_iter().map(timeless).collect()
}

#[track_caller]
fn assert_says(client: &Client, path: &str, written: &str) {
    let (status, document) = client.get(&format!("{path}?_format=jsonld"));
    assert_eq!(status, 200, "{document}");
    let said = without_times(triples(&document));
    assert_eq!(
        said.join("\n"),
        in_full(client, written).join("\n"),
        "{path}"
    );
}

fn created(client: &Client, path: &str, body: &Value) -> i64 {
    let (status, answer) = client.send("POST", path, JSON, &body.to_string());
    assert_eq!(status, 201, "{answer}");
    let resource: Value = serde_json::from_str(&answer).expect("JSON");
    let id = ["nid", "tid"]
        .iter()
        .find_map(|name| resource[*name][0]["value"].as_i64());
    id.expect("an id")
}

fn term(client: &Client, vocabulary: &str, name: &str, description: Option<&str>) -> i64 {
    let mut body = json!({"vid": [{"target_id": vocabulary}], "name": [{"value": name}]});
    if let Some(text) = description {
        body["description"] = json!([{"value": text, "format": "plain_text"}]);
    }
    created(client, "/taxonomy/term?_format=json", &body)
}

/// An object of which nothing but the model must be said.
fn object(client: &Client, model: &str, title: &str, fields: &Value) -> i64 {
    let mut body = json!({
        "type": [{"target_id": "islandora_object"}],
        "title": [{"value": title}],
        "field_model": [{"target_id": client.term("islandora_models", model)}],
    });
    let body_fields = body.as_object_mut().expect("an object");
    body_fields.extend(fields.as_object().cloned().unwrap_or_default());
    created(client, "/node?_format=json", &body)
}

#[test]
fn a_node_says_what_was_written_into_its_fields() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let person = term(&client, "person", "Benedetto Bordone", None);
    let sea = term(&client, "subject", "Sea", None);
    let english = client.term("language", "English");
    let collection = object(&client, "Collection", "Atlases", &json!({}));
    let fields = json!({
        "field_alt_title": [{"value": "Libro \u{201e}de tutte l\u{2019}isole\u{201c}"}],
        "field_linked_agent": [{"target_id": person, "rel_type": "relators:cre"}],
        "field_edtf_date_created": [{"value": "1528"}],
        "field_edtf_date_issued": [{"value": "1528-06"}],
        "field_edtf_date": [{"value": "1528-06-01"}, {"value": "[1529,1531]"}, {"value": "153X-XX"}, {"value": "1540-35~"}],
        "field_note": [{"value": "<p>Torn & mended</p>", "format": "basic_html"}],
        "field_subject": [{"target_id": sea}],
        "field_member_of": [{"target_id": collection}],
        "field_weight": [{"value": 7}],
        "field_identifier": [{"value": "ms. 7"}],
        "field_language": [{"target_id": english}],
        "field_volume": [{"value": "a field without a predicate"}],
    });
    let nid = object(&client, "Image", "Isolario", &fields);
    let written = format!(
        r#"
        ~/node/{nid} a pcdm:Object
        ~/node/{nid} a <http://purl.org/coar/resource_type/c_c513>
        ~/node/{nid} dcterms:title "Isolario"@en
        ~/node/{nid} dcterms:alternative "Libro „de tutte l’isole“"@en
        ~/node/{nid} dcterms:contributor ~/taxonomy/term/{person}
        ~/node/{nid} relators:cre ~/taxonomy/term/{person}
        ~/node/{nid} dcterms:created "1528"
        ~/node/{nid} dcterms:created "1528"^^<xsd:gYear>
        ~/node/{nid} dcterms:issued "1528-06"
        ~/node/{nid} dcterms:issued "1528-06"^^<xsd:gYearMonth>
        ~/node/{nid} dcterms:date "1528-06-01"
        ~/node/{nid} dcterms:date "1528-06-01"^^<xsd:date>
        ~/node/{nid} dcterms:date "1529"
        ~/node/{nid} dcterms:date "1529"^^<xsd:gYear>
        ~/node/{nid} dcterms:date "1530-01"
        ~/node/{nid} dcterms:date "1530-01"^^<xsd:gYearMonth>
        ~/node/{nid} dcterms:date "1540-07"
        ~/node/{nid} dcterms:date "1540-07"^^<xsd:gYearMonth>
        ~/node/{nid} skos:note "<p>Torn & mended</p>"@en
        ~/node/{nid} dcterms:subject ~/taxonomy/term/{sea}
        ~/node/{nid} pcdm:memberOf ~/node/{collection}
        ~/node/{nid} co:index "7"^^<xsd:int>
        ~/node/{nid} dcterms:identifier "ms. 7"
        ~/node/{nid} dcterms:language ~/taxonomy/term/{english}
        ~/node/{nid} schema:author ~/user/1
        ~/node/{nid} schema:dateCreated "TIME"^^<xsd:dateTime>
        ~/node/{nid} schema:dateModified "TIME"^^<xsd:dateTime>
        ~/node/{nid} schema:sameAs ~/node/{nid}
        ~/node/{collection} a pcdm:Object
        ~/taxonomy/term/{person} a schema:Person
        ~/taxonomy/term/{sea} a schema:Thing
        ~/taxonomy/term/{english} a schema:Language
        ~/user/1 a schema:Person
        "#
    );
    assert_says(&client, &format!("/node/{nid}"), &written);
}

#[test]
fn a_media_speaks_of_its_file_and_a_file_and_a_person_of_themselves() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let nid = client.object();
    let media_use = client.term("islandora_media_use", "Original File");
    let place = format!("/node/{nid}/media/file/{media_use}");
    assert_eq!(client.put(&place, "fedora://a map.txt", "islands").0, 201);
    let file = "~/_flysystem/fedora/a%20map.txt";
    let written = format!(
        r#"
        {file} a pcdm:File
        {file} a use:OriginalFile
        {file} pcdm:fileOf ~/node/{nid}
        {file} dcterms:title "a map.txt"@en
        {file} rdf:label "a map.txt"@en
        {file} ebucore:hasMimeType "text/plain"
        {file} premis:hasSize "7"^^<xsd:int>
        {file} schema:author ~/user/1
        {file} schema:dateCreated "TIME"^^<xsd:dateTime>
        {file} schema:dateModified "TIME"^^<xsd:dateTime>
        {file} iana:describedby ~/media/1
        ~/node/{nid} a pcdm:Object
        ~/user/1 a schema:Person
        "#
    );
    assert_says(&client, "/media/1", &written);
    let written = format!("{file} a ~/rest/type/file/file");
    assert_says(&client, "/entity/file/1", &written);
    let written = "~/user/1 a schema:Person\n~/user/1 schema:name \"admin\"";
    assert_says(&client, "/user/1", written);
}

#[test]
fn a_term_says_its_name_and_what_it_means() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let sea = term(&client, "subject", "Sea", Some("All that is blue"));
    let written = format!(
        r#"
        ~/taxonomy/term/{sea} a schema:Thing
        ~/taxonomy/term/{sea} schema:name "Sea"@en
        ~/taxonomy/term/{sea} schema:description "All that is blue"@en
        ~/taxonomy/term/{sea} schema:dateModified "TIME"^^<xsd:dateTime>
        "#
    );
    assert_says(&client, &format!("/taxonomy/term/{sea}"), &written);
}

#[test]
fn a_page_and_a_person_with_a_record_elsewhere_speak_in_their_own_types() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let page = json!({"type": "page", "title": ["About"], "body": [{"value": "Who we are", "format": "plain_text"}]});
    let page = created(&client, "/node?_format=json", &page);
    let written = format!(
        r#"
        ~/node/{page} a schema:WebPage
        ~/node/{page} schema:name "About"@en
        ~/node/{page} schema:text "Who we are"@en
        ~/node/{page} schema:author ~/user/1
        ~/node/{page} schema:dateCreated "TIME"^^<xsd:dateTime>
        ~/node/{page} schema:dateModified "TIME"^^<xsd:dateTime>
        ~/node/{page} schema:sameAs ~/node/{page}
        ~/user/1 a schema:Person
        "#
    );
    assert_says(&client, &format!("/node/{page}"), &written);
    let bordone = json!({
        "vid": "person",
        "name": ["Bordone"],
        "field_authority_link": [{"uri": "http://viaf.org/viaf/42", "source": "viaf"}],
    });
    let bordone = created(&client, "/taxonomy/term?_format=json", &bordone);
    let written = format!(
        r#"
        ~/taxonomy/term/{bordone} a schema:Person
        ~/taxonomy/term/{bordone} schema:name "Bordone"@en
        ~/taxonomy/term/{bordone} schema:sameAs <http://viaf.org/viaf/42>
        ~/taxonomy/term/{bordone} schema:dateModified "TIME"^^<xsd:dateTime>
        "#
    );
    assert_says(&client, &format!("/taxonomy/term/{bordone}"), &written);
}
