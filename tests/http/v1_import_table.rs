//! `/api/v1/import/table`: items that a table makes and changes.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Person, TestServer, outcome};

/// What an import would do.
fn check(server: &TestServer, person: Person, query: &str, table: &str) -> Value {
    let path = format!("/api/v1/import/table?check=true&{query}");
    let request = server
        .post(&path)
        .signed_in(person)
        .body("text/csv", table.to_owned());
    request.send().expect(200).json()
}

/// Imports a table, and waits until that has ended.
fn import(server: &TestServer, query: &str, table: &str) -> Value {
    let path = format!("/api/v1/import/table?{query}");
    let request = server
        .post(&path)
        .as_admin()
        .body("text/csv", table.to_owned());
    server.batch_ended(&request.send().expect(202).json())
}

fn refused(server: &TestServer, table: impl Into<Vec<u8>>) -> String {
    let request = server
        .post("/api/v1/import/table")
        .as_admin()
        .body("text/csv", table);
    let answer = request.send().expect(422).json();
    answer["message"].as_str().unwrap_or_default().to_owned()
}

fn exported(server: &TestServer, query: &str) -> String {
    let path = format!("/api/v1/export?{query}");
    server.get(&path).as_admin().send().expect(200).text()
}

fn counts(check: &Value) -> [Option<u64>; 3] {
    ["creates", "updates", "unchanged"].map(|name| check[name].as_u64())
}

#[test]
fn an_exported_table_that_is_given_back_changes_only_what_was_changed() {
    let server = TestServer::start();
    let subject = server.create_term("subject", "Harbours");
    let create = |title: &str| {
        let fields = json!({"field_subject": [{"target_id": subject}],
            "field_abstract": [{"value": "<p>On <em>paper</em></p>", "format": "basic_html"}],
            "field_edtf_date_created": [{"value": "1901"}], "field_note": [{"value": "a|b"}, {"value": "=1+1"}]});
        server.create_object_with(title, fields)
    };
    let (quay, bay) = (create("Quay"), create("Bay"));
    let revision = |nid| server.node(nid)["vid"][0]["value"].clone();
    let before = [revision(quay), revision(bay)];
    for terms in ["names", "uris", "ids"] {
        let table = exported(&server, &format!("terms={terms}&bom=true"));
        let seen = check(&server, ADMIN, "", &table);
        assert_eq!(
            counts(&seen),
            [Some(0), Some(0), Some(2)],
            "{terms}: {seen}"
        );
    }
    let plain = format!("node_id,field_subject\n{quay},harbours\n");
    let seen = check(&server, ADMIN, "", &plain);
    assert_eq!(counts(&seen), [Some(0), Some(0), Some(1)], "{seen}");
    assert_eq!(seen["changed_cells"], 0, "{seen}");
    let table = exported(
        &server,
        "columns=node_id,title,field_note,field_edtf_date_created",
    );
    let edited = table
        .replace("Quay", "\"Quay, east\"")
        .replace("1901\r\n2", "\r\n2");
    let seen = check(&server, ADMIN, "", &edited);
    assert_eq!(counts(&seen), [Some(0), Some(1), Some(1)], "{seen}");
    assert_eq!(seen["changes"][0]["column"], "title");
    assert_eq!(seen["changes"][0]["before"], "Quay");
    assert_eq!(seen["changes"][0]["after"], "Quay, east");
    assert_eq!(
        [revision(quay), revision(bay)],
        before,
        "a check writes nothing"
    );
    let batch = import(&server, "name=maps.csv", &edited);
    assert_eq!(outcome(&batch), [Some(1), Some(0)], "{batch}");
    assert_eq!(batch["change"]["name"], "maps.csv");
    let node = server.node(quay);
    assert_eq!(node["title"][0]["value"], "Quay, east");
    assert_eq!(node["field_edtf_date_created"], json!([]));
    assert_eq!(node["field_note"].as_array().map(Vec::len), Some(2));
    assert_eq!(node["field_abstract"][0]["format"], "basic_html");
    assert_eq!(revision(bay), before[1]);
    server.undo_batch(&batch);
    assert_eq!(server.node(quay)["title"][0]["value"], "Quay");
    assert_eq!(
        server.node(quay)["field_edtf_date_created"][0]["value"],
        "1901"
    );
}

#[test]
fn rows_become_items_with_parents_and_terms_and_one_undo_takes_all_back() {
    let server = TestServer::start();
    let home = server.create_object("Home");
    let table = "id;Title;field_model;field_subject;field_linked_agent;parent_id;published\n\
        a;Maps;Collection;;;;1\n\
        b;Quay;Image;Boats|Harbours;relators:aut:person:Doe, Jane;a;0\n\
        c;Lagoon;Image;Harbours;;a;\n";
    let denied = check(&server, ADMIN, "", table);
    assert_eq!(
        denied["problems"].as_array().map(Vec::len),
        Some(3),
        "{denied}"
    );
    let query = format!("create_terms=true&collection={home}");
    let seen = check(&server, ADMIN, &query, table);
    assert_eq!(counts(&seen), [Some(3), Some(0), Some(0)], "{seen}");
    assert_eq!(
        seen["new_terms"],
        json!(["person:Doe, Jane", "subject:Boats", "subject:Harbours"])
    );
    let batch = import(&server, &query, table);
    assert_eq!(outcome(&batch), [Some(6), Some(0)], "{batch}");
    let path = format!("/api/v1/batches/{}/items", batch["id"]);
    let items = server.get(&path).as_admin().send().expect(200).json();
    let id = |index: usize| items["items"][index]["id"].as_i64().expect("an id");
    let quay = server.node(id(1));
    assert_eq!(quay["field_member_of"][0]["target_id"], id(0));
    assert_eq!(quay["status"][0]["value"], false);
    assert_eq!(quay["field_linked_agent"][0]["rel_type"], "relators:aut");
    assert_eq!(quay["field_subject"].as_array().map(Vec::len), Some(2));
    assert_eq!(server.node(id(2))["status"][0]["value"], true);
    let harbours = quay["field_subject"][1]["target_id"].clone();
    let undone = server.undo_batch(&batch);
    assert_eq!(outcome(&undone), [Some(6), Some(0)], "{undone}");
    for path in [
        format!("/node/{}", id(1)),
        format!("/taxonomy/term/{harbours}"),
    ] {
        server.get(&path).as_admin().send().expect(404);
    }
    let again = server.undo_batch(&undone);
    assert_eq!(outcome(&again), [Some(6), Some(0)], "{again}");
    assert_eq!(server.node(id(1))["title"][0]["value"], "Quay");
}

#[test]
fn everything_that_is_wrong_is_told_with_its_place_and_a_suggestion() {
    let server = TestServer::start();
    server.create_term("subject", "Harbours");
    let nid = server.create_object("One");
    let columns = check(&server, ADMIN, "", "title,titel,field_modell,title\nA,,,\n");
    let told = |seen: &Value| {
        let problems = seen["problems"].as_array().expect("problems").iter();
        let words = ["row", "column", "code", "suggestion"];
        let told = problems.map(|problem| words.map(|name| problem[name].clone()));
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        json!(told(&columns)),
        json!([
            [1, "titel", "unknown_column", "title"],
            [1, "field_modell", "unknown_column", "field_model"],
            [1, "title", "repeated_column", null]
        ])
    );
    let table = format!(
        "node_id,title,type,field_model,field_subject,field_edtf_date_created,published\n\
        ,,,Image,Harbors,1901,\n\
        ,B,,Image,,1901-13,maybe\n\
        ,C,islandora_objekt,Image,,,\n\
        999999,D,,Image,,,\n\
        {nid},E,,Image,,,\n\
        {nid},F,,Image,,,\n"
    );
    let seen = check(&server, ADMIN, "", &table);
    assert_eq!(
        json!(told(&seen)),
        json!([
            [2, "field_subject", "unknown_term", "Harbours"],
            [2, "title", "required", null],
            [3, "published", "not_a_choice", null],
            [3, "field_edtf_date_created", "not_a_date", null],
            [4, "type", "unknown_type", "islandora_object"],
            [5, "node_id", "unknown_item", null],
            [7, "", "repeated_item", null]
        ]),
        "{seen}"
    );
    let words = refused(&server, table);
    assert!(words.starts_with("The table has 7 problems."), "{words}");
    assert_eq!(server.node(nid)["title"][0]["value"], "One");
}

#[test]
fn people_import_what_they_may_change_by_hand() {
    let server = TestServer::start();
    let table = "title,field_model,field_subject\nA,Image,New\n";
    let seen = check(&server, DEPOSITOR, "create_terms=true", table);
    let problem = &seen["problems"][0];
    assert_eq!(problem["code"], "forbidden");
    let told = problem["reason"].as_str().unwrap_or_default();
    assert!(told.contains("'create terms in subject'"), "{seen}");
    let nid = server.create_object("One");
    let table = format!("node_id,title\n{nid},Two\n,Three\n");
    let seen = check(&server, PLAIN, "", &table);
    let problems = seen["problems"].as_array().expect("problems");
    assert!(!problems.is_empty() && problems[0]["row"] == 2, "{seen}");
    let path = "/api/v1/import/table";
    let request = server.post(path).body("text/csv", table);
    request.send().expect(401);
}

#[test]
fn an_item_that_somebody_has_changed_since_is_a_question() {
    let server = TestServer::start();
    let nid = server.create_object("One");
    let table = exported(&server, "columns=node_id,title,changed").replace("One", "Mine");
    let later = table.replace("20", "19");
    assert_eq!(counts(&check(&server, ADMIN, "", &table))[1], Some(1));
    let seen = check(&server, ADMIN, "", &later);
    assert_eq!(seen["problems"][0]["column"], "changed", "{seen}");
    let batch = import(&server, "overwrite=true", &later);
    assert_eq!(outcome(&batch), [Some(1), Some(0)]);
    assert_eq!(server.node(nid)["title"][0]["value"], "Mine");
}

#[test]
fn what_is_no_table_is_refused_with_a_sentence() {
    let server = TestServer::start();
    let wide = vec!["title"; 1_001].join(",");
    for (table, words) in [
        (b"".to_vec(), "no row below its heading"),
        (b"title\n".to_vec(), "no row below its heading"),
        (b"title\n\xff\xfe\n".to_vec(), "not in UTF-8 in line 2"),
        (b"\xff\xfet\0i\0".to_vec(), "UTF-16"),
        (format!("{wide}\nA\n").into_bytes(), "at most 1000 columns"),
        (b"title\nA,B\n".to_vec(), "Row 2 has more cells"),
        (
            [b"title\n".to_vec(), vec![b'A'; (1 << 20) + 1]].concat(),
            "more than 1048576 bytes",
        ),
        (b"PK\x03\x04".to_vec(), "no row below its heading"),
    ] {
        let said = refused(&server, table);
        assert!(said.contains(words), "{said:?} instead of {words:?}");
    }
    let named = server.post("/api/v1/import/table?name=maps.pdf").as_admin();
    named.body("text/csv", "title\nA\n").send().expect(422);
    let left = std::fs::read_dir(server.directory().join("imports"));
    assert_eq!(left.map(Iterator::count).unwrap_or_default(), 0);
    // A cell that is protected from being calculated is what it was.
    let batch = import(&server, "", "title,field_model\n'=1+1,Image\n");
    assert_eq!(outcome(&batch), [Some(1), Some(0)]);
    assert!(exported(&server, "columns=title").contains("'=1+1"));
}

#[test]
fn a_workbook_is_read_as_its_first_sheet_and_a_bomb_is_not() {
    let server = TestServer::start();
    let subject = server.create_term("subject", "Harbours");
    let fields = json!({"field_subject": [{"target_id": subject}], "field_note": [{"value": "two\nlines"}],
        "field_edtf_date_created": [{"value": "1901"}]});
    server.create_object_with("Quay", fields);
    let path = "/api/v1/export?format=xlsx";
    let workbook = server.get(path).as_admin().send().expect(200).body;
    let path = "/api/v1/import/table?check=true&name=maps.xlsx";
    let ask = |bytes: Vec<u8>| server.post(path).as_admin().body("text/csv", bytes).send();
    let seen = ask(workbook).expect(200).json();
    assert_eq!(counts(&seen), [Some(0), Some(0), Some(1)], "{seen}");
    for (bytes, words) in [
        (b"PK\x03\x04".to_vec(), "It is no XLSX"),
        (bomb(), "when it is unpacked"),
    ] {
        let answer = ask(bytes).expect(422).json();
        let said = answer["message"].as_str().unwrap_or_default().to_owned();
        assert!(said.contains(words), "{said}");
    }
}

/// An OpenDocument workbook with this content of its first sheet.
fn ods(rows: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("content.xml", options).expect("a part");
    let content = format!(
        r#"<office:document-content><office:body><office:spreadsheet><table:table table:name="Maps">{rows}</table:table>
        <table:table table:name="Other"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell>
        </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#
    );
    std::io::Write::write_all(&mut archive, content.as_bytes()).expect("memory");
    archive.finish().expect("a ZIP").into_inner()
}

#[test]
fn the_first_sheet_of_an_opendocument_workbook_is_read() {
    let server = TestServer::start();
    let path = "/api/v1/import/table?check=true&name=maps.ods";
    let ask = |rows: &str| {
        server
            .post(path)
            .as_admin()
            .body("text/csv", ods(rows))
            .send()
    };
    let heading = "<table:table-row><table:table-cell><text:p>title</text:p></table:table-cell><table:table-cell>\
        <text:p>field_model</text:p></table:table-cell><table:table-cell><text:p>field_edtf_date_created</text:p>\
        </table:table-cell><table:table-cell table:number-columns-repeated=\"16381\"/></table:table-row>";
    let row = "<table:table-row><table:table-cell><office:annotation><text:p>No</text:p></office:annotation>\
        <text:p>Quay &amp; pier</text:p></table:table-cell><table:table-cell><text:p>Image</text:p></table:table-cell>\
        <table:table-cell office:value-type=\"date\" office:date-value=\"1901-05-03\"><text:p>3 May</text:p>\
        </table:table-cell></table:table-row><table:table-row table:number-rows-repeated=\"1048000\">\
        <table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>";
    let seen = ask(&format!("{heading}{row}")).expect(200).json();
    assert_eq!(counts(&seen), [Some(1), Some(0), Some(0)], "{seen}");
    let wide = "<table:table-row><table:table-cell table:number-columns-repeated=\"4000000000\"><text:p>a</text:p>\
        </table:table-cell></table:table-row>";
    let long = row.replace(
        "<table:table-row>",
        "<table:table-row table:number-rows-repeated=\"4000000000\">",
    );
    for (rows, words) in [
        (wide, "columns"),
        (&*format!("{heading}{long}"), "rows"),
        ("<a></b>", "It is no ODS"),
    ] {
        let answer = ask(rows).expect(422).json();
        let said = answer["message"].as_str().unwrap_or_default().to_owned();
        assert!(said.contains(words), "{said}");
    }
}

/// A sheet of 300 MB in a few hundred kilobytes.
fn bomb() -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive
        .start_file("xl/worksheets/sheet1.xml", options)
        .expect("a part");
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..300 {
        std::io::Write::write_all(&mut archive, &spaces).expect("memory");
    }
    archive.finish().expect("a ZIP").into_inner()
}
