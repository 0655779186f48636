//! Characters that no name and no line of text holds.

use serde_json::{Value, json};

use crate::support::{TestServer, merge};

fn told(path: &str, code: &str) -> String {
    format!("{path}: This value may not hold the control character {code}.")
}

#[test]
fn a_text_holds_no_nul_and_a_line_of_text_no_control_character() {
    let server = TestServer::shared();
    let sent = json!({
        "title": [{"value": "a\u{0}b"}],
        "revision_log": [{"value": "a\u{0}b"}],
        "field_abstract": [{"value": "a\u{0}b", "format": "plain_text"}],
        "field_alternative_title": [{"value": "\u{1b}[2J"}],
        "field_description": [{"value": "a\u{c}b\u{0}"}],
        "field_extent": [{"value": "a"}, {"value": "b\u{9b}"}],
    });
    let body = merge(server.object("Checked"), sent);
    let answer = server.post("/node?_format=json").as_admin().json(body);
    let wanted = [
        told("revision_log.0.value", "U+0000"),
        told("title.0.value", "U+0000"),
        told("field_abstract.0.value", "U+0000"),
        told("field_alternative_title.0.value", "U+001B"),
        told("field_description.0.value", "U+0000"),
        told("field_extent.1.value", "U+009B"),
    ];
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    answer.send().expect_violations(&wanted);
}

#[test]
fn a_change_is_held_to_the_same() {
    let server = TestServer::shared();
    let nid = server.create_object("Checked");
    let change = |field: &str, items: Value| {
        let body = json!({"type": [{"target_id": "islandora_object"}], field: items});
        let request = server.patch(&format!("/node/{nid}")).as_admin();
        request.json(body).send()
    };
    change("title", json!([{"value": "a\u{0}"}]))
        .expect_violations(&[&told("title.0.value", "U+0000")]);
    change("title", json!([{"value": "\u{7f}"}]))
        .expect_violations(&[&told("title.0.value", "U+007F")]);
}

#[test]
fn line_breaks_tabs_page_breaks_and_invisible_letters_are_kept() {
    let server = TestServer::shared();
    for (field, text) in [
        ("title", "two\r\nlines\tand a tab"),
        ("title", "photo\u{202e}gpj.exe"),
        (
            "title",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
        ),
        ("field_description", "one\u{c}two\n"),
    ] {
        let body = merge(server.object("Kept"), json!({field: [{"value": text}]}));
        let node = server.post("/node?_format=json").as_admin().json(body);
        assert_eq!(node.send().expect(201).value(field), text);
    }
}

#[test]
fn names_of_terms_media_files_links_and_accounts_hold_none() {
    let server = TestServer::shared();
    let name = json!([{"value": "a\u{0}b"}]);
    let term = json!({"vid": [{"target_id": "tags"}], "name": name});
    let term = server
        .post("/taxonomy/term?_format=json")
        .as_admin()
        .json(term);
    term.send()
        .expect_violations(&[&told("name.0.value", "U+0000")]);

    let link = json!([{"uri": "http://a.example/b", "title": "a\u{7}", "source": "viaf"}]);
    let term = json!({
        "vid": [{"target_id": "subject"}],
        "name": [{"value": "Linked"}],
        "field_authority_link": link,
    });
    let term = server
        .post("/taxonomy/term?_format=json")
        .as_admin()
        .json(term);
    term.send()
        .expect_violations(&[&told("field_authority_link.0.title", "U+0007")]);

    let film = json!([{"value": "https://a.example/film"}]);
    let media = json!({
        "bundle": [{"target_id": "remote_video"}],
        "name": name,
        "field_media_oembed_video": film,
    });
    let media = server
        .post("/entity/media?_format=json")
        .as_admin()
        .json(media);
    media
        .send()
        .expect_violations(&[&told("name.0.value", "U+0000")]);

    let file = server
        .post("/file/upload/media/file/field_media_file?_format=json")
        .as_admin()
        .header("Content-Disposition", "file; filename*=UTF-8''a%00b.txt");
    let file = file
        .body("application/octet-stream", "x")
        .send()
        .expect(400);
    assert!(file.message().contains("control characters"));

    let account = json!({"name": "a\u{0}b", "password": "long enough", "roles": []});
    let account = server.post("/api/v1/users").as_admin().json(account);
    account
        .send()
        .expect_violations(&["name: A name may hold neither colons nor control characters."]);
}
