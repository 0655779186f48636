//! `/api/v1/export`: items as tables that can be loaded again.

use std::collections::BTreeMap;

use serde_json::json;

use crate::support::{TestServer, encoded};

/// The rows of a table in CSV, by the names of their columns.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows = reader.deserialize().collect::<Result<_, _>>();
    rows.expect("a table")
}

/// The table that an administrator gets.
pub fn table(server: &TestServer, query: &str) -> Vec<BTreeMap<String, String>> {
    let request = server.get(&format!("/api/v1/export?{query}")).as_admin();
    rows(&request.send().expect(200).text())
}

fn titles(table: &[BTreeMap<String, String>]) -> Vec<&str> {
    table.iter().map(|row| row["title"].as_str()).collect()
}

#[test]
fn columns_are_those_of_the_types_unless_others_are_asked_for() {
    let server = TestServer::start();
    let heading = |query: &str| {
        let path = format!("/api/v1/export?{query}");
        let text = server.get(&path).as_admin().send().expect(200).text();
        text.lines().next().map(str::to_owned).unwrap_or_default()
    };
    let of_items = heading("");
    assert!(
        of_items.starts_with("node_id,title,field_model,field_full_title,"),
        "{of_items}"
    );
    assert!(
        of_items.ends_with(",field_display_hints,published"),
        "{of_items}"
    );
    assert!(!of_items.contains("body"), "{of_items}");
    server
        .post("/node")
        .as_admin()
        .json(json!({"type": [{"target_id": "page"}], "title": [{"value": "P"}]}))
        .send()
        .expect(201);
    assert_eq!(heading(""), "node_id,title,body,published");
    let item = server.create_object("I");
    assert!(heading("").ends_with(",field_display_hints,body,published"));
    assert_eq!(heading("type=page"), "node_id,title,body,published");
    assert_eq!(heading(&format!("nids={item}")), of_items);
    let all = "published,url_alias,uuid,type,langcode,uid,created,changed,promote,title,node_id";
    assert_eq!(heading(&format!("columns={all}")), all);
    let row = &table(&server, &format!("nids={item}&columns={all}"))[0];
    let node = server.node(item);
    assert_eq!(
        (
            row["title"].as_str(),
            row["published"].as_str(),
            row["type"].as_str()
        ),
        ("I", "1", "islandora_object")
    );
    assert_eq!(row["uuid"], node["uuid"][0]["value"]);
    assert_eq!(row["created"], node["created"][0]["value"]);
    assert_eq!(
        (row["langcode"].as_str(), row["url_alias"].as_str()),
        ("en", "")
    );
}

#[test]
fn lists_searches_and_saved_searches_are_exported_whole() {
    let server = TestServer::start();
    server.until_searchable();
    let collection = server.create_object_with(
        "Box",
        json!({"field_model": [{"target_id": server.term("islandora_models", "Collection")}]}),
    );
    let member = |of: i64| json!({"field_member_of": [{"target_id": of}]});
    let folder = server.create_object_with("Folder", member(collection));
    let letter = server.create_object_with("Letter of Venice", member(folder));
    server.create_object("Letter of Rome");
    assert_eq!(
        titles(&table(&server, &format!("collection={collection}"))),
        ["Folder"]
    );
    let below = format!("collection={collection}&below=true");
    assert_eq!(
        titles(&table(&server, &below)),
        ["Folder", "Letter of Venice"]
    );
    assert_eq!(
        titles(&table(&server, "q=letter&sort=title&order=desc")),
        ["Letter of Venice", "Letter of Rome"]
    );
    let saved = json!({"name": "Letters", "query": format!("{below}&q=letter")});
    let saved = server
        .post("/api/v1/saved-searches")
        .as_admin()
        .json(saved)
        .send()
        .expect(201)
        .json();
    let path = format!("saved_search={}", saved["id"]);
    assert_eq!(titles(&table(&server, &path)), ["Letter of Venice"]);
    server
        .get(&format!("/api/v1/export?{path}"))
        .as_plain()
        .send()
        .expect(404);
    assert_eq!(
        titles(&table(
            &server,
            &format!("nids={letter},{folder},{letter},999999")
        )),
        ["Folder", "Letter of Venice"]
    );
}

#[test]
fn a_long_table_has_every_item_once() {
    let server = TestServer::start();
    for number in 0..450 {
        server.create_object(&format!("Item {number}"));
    }
    let answer = server
        .get("/api/v1/export?columns=node_id,title")
        .as_admin()
        .send()
        .expect(200);
    assert_eq!(
        answer.header("content-type"),
        Some("text/csv; charset=utf-8")
    );
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"items.csv\"")
    );
    let table = rows(&answer.text());
    let expected: Vec<String> = (0..450).map(|number| format!("Item {number}")).collect();
    assert_eq!(titles(&table), expected);
    assert!(answer.text().ends_with("Item 449\r\n"));
}

#[test]
fn a_table_has_what_the_reader_sees() {
    let server = TestServer::start();
    let hidden = json!({"status": [{"value": false}]});
    let term = json!({"vid": [{"target_id": "subject"}], "name": [{"value": "Secret"}], "status": [{"value": false}]});
    let secret = server
        .post("/taxonomy/term")
        .as_admin()
        .json(term)
        .send()
        .expect(201)
        .created();
    let shown =
        server.create_object_with("Shown", json!({"field_subject": [{"target_id": secret}]}));
    let draft = server.create_object_with("Draft", hidden);
    let path = format!("/api/v1/export?nids={shown},{draft}");
    let seen = server.get(&path).send().expect(200).text();
    assert!(
        !seen.contains("Secret") && !seen.contains("Draft"),
        "{seen}"
    );
    let seen = rows(&seen);
    assert_eq!(
        (titles(&seen), &seen[0]["field_subject"]),
        (vec!["Shown"], &secret.to_string())
    );
    let all = table(&server, &format!("nids={shown},{draft}"));
    assert_eq!(titles(&all), ["Shown", "Draft"]);
    assert_eq!(
        (&*all[0]["field_subject"], &*all[1]["published"]),
        ("subject:Secret", "0")
    );
}

#[test]
fn what_cannot_be_exported_is_refused_before_the_first_byte() {
    let server = TestServer::shared();
    let nid = server.create_object("One");
    for (query, words) in [
        (
            "format=ods",
            "The \"format\" parameter must be one of csv, xlsx.",
        ),
        (
            "terms=labels",
            "The \"terms\" parameter must be one of names, uris, ids.",
        ),
        (
            "bom=yes",
            "The \"bom\" parameter must be one of false, true.",
        ),
        ("columns=title,nope", "There is no column \"nope\"."),
        ("columns=title,,node_id", "There is no column \"\"."),
        (
            "columns=title,title",
            "The column \"title\" is named twice.",
        ),
        (
            "nids=",
            "The \"nids\" parameter must be whole numbers above 0 with commas between them.",
        ),
        (
            "nids=1&q=map",
            "Items are named by \"nids\", by \"saved_search\" or by a list, and not by two of them.",
        ),
        (
            "saved_search=0",
            "The \"saved_search\" parameter must be a whole number above 0.",
        ),
    ] {
        let answer = server
            .get(&format!("/api/v1/export?{query}"))
            .as_admin()
            .send();
        answer.expect_message(400, words);
    }
    let many = vec![nid.to_string(); 1001].join(",");
    let answer = server
        .get(&format!("/api/v1/export?nids={many}"))
        .as_admin()
        .send();
    answer.expect_message(
        400,
        "The \"nids\" parameter must be at most a thousand ids.",
    );
    server
        .get("/api/v1/export?collection=999999")
        .as_admin()
        .send()
        .expect(404);
    let odd = encoded("\u{0}'); DROP TABLE node; --");
    server
        .get(&format!("/api/v1/export?columns={odd}"))
        .as_admin()
        .send()
        .expect(400);
}

/// What a file in a ZIP says.
fn part(archive: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).expect("a ZIP");
    let part = archive.by_name(name).expect("the part");
    std::io::read_to_string(part).expect("a text")
}

#[test]
fn a_workbook_has_texts_and_no_formulas() {
    let server = TestServer::start();
    let nid = server.create_object("=1+1 & <Ünïcödé>\u{2028}");
    let path = format!("/api/v1/export?format=xlsx&nids={nid}&columns=node_id,title");
    let answer = server.get(&path).as_admin().send().expect(200);
    let mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    assert_eq!(answer.header("content-type"), Some(mime));
    let name = "attachment; filename=\"items.xlsx\"";
    assert_eq!(answer.header("content-disposition"), Some(name));
    let sheet = part(&answer.body, "xl/worksheets/sheet1.xml");
    let title = "<c r=\"B2\" t=\"inlineStr\"><is><t>'=1+1 &amp; &lt;Ünïcödé&gt;";
    assert!(sheet.contains(title), "{sheet}");
    assert!(!sheet.contains("<f>") && !sheet.contains("<v>"), "{sheet}");
    server.until_staging_is_empty();
}

#[test]
fn what_a_workbook_cannot_hold_is_refused_in_words() {
    let server = TestServer::start();
    let long = |letters: usize| json!({"field_description": [{"value": "a".repeat(letters)}]});
    let whole = server.create_object_with("Long", long(32_767));
    let longer = server.create_object_with("Longer", long(32_768));
    let ask = |nid: i64| {
        let path = format!("/api/v1/export?format=xlsx&nids={nid}");
        server.get(&path).as_admin().send()
    };
    let sheet = part(&ask(whole).expect(200).body, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains(&"a".repeat(32_767)));
    let words = "A cell of XLSX holds 32767 letters at most, and one of field_description has more. Leave the column out, or choose CSV.";
    ask(longer).expect(422).expect_message(422, words);
    server.until_staging_is_empty();
}
