//! `/api/v1/items/{nid}/finding-aid`: what is in a collection, for who may see it, in EAD 3 and as a page.

use serde_json::{Value, json};

use crate::support::{TestServer, merge};

fn member(server: &TestServer, model: &str, parent: Option<i64>) -> Value {
    let model = json!({"field_model": [{"target_id": server.term("islandora_models", model)}]});
    match parent {
        Some(nid) => merge(model, json!({"field_member_of": [{"target_id": nid}]})),
        None => model,
    }
}

/// A collection with a sheet, and with another one that has a hidden sheet.
fn maps(server: &TestServer) -> i64 {
    let maps = server.create_object_with("Maps", member(server, "Collection", None));
    let bays = server.create_object_with("Bays", member(server, "Collection", Some(maps)));
    let extent = json!({"field_extent": [{"value": "2 sheets & a <key>"}]});
    let sheet = merge(member(server, "Image", Some(maps)), extent);
    server.create_object_with("Atoll", sheet);
    let hidden = json!({"status": [{"value": false}]});
    let secret = merge(member(server, "Image", Some(bays)), hidden);
    server.create_object_with("Secret bay", secret);
    maps
}

/// The titles of a finding aid in EAD with the level of their components.
fn titles(ead: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(ead).expect("XML");
    let titles = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://ead3.archivists.org/schema/", "unittitle")));
    let component = |node: roxmltree::Node<'_, '_>| {
        let component = node.parent().and_then(|did| did.parent());
        let level = component.and_then(|component| component.attribute("level"));
        level.unwrap_or_default().to_owned()
    };
    let text = |node: roxmltree::Node<'_, '_>| node.text().unwrap_or_default().to_owned();
    titles.map(|node| (component(node), text(node))).collect()
}

#[test]
fn a_collection_is_described_with_what_is_below_it_for_who_may_see_it() {
    let server = TestServer::start();
    let path = format!("/api/v1/items/{}/finding-aid", maps(&server));
    let named = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        let named = list.iter();
        named
            .map(|(level, title)| ((*level).to_owned(), (*title).to_owned()))
            .collect()
    };
    let answer = server.get(&path).as_admin().send().expect(200);
    assert_eq!(answer.header("content-type"), Some("application/xml"));
    let all = [
        ("collection", "Maps"),
        ("item", "Atoll"),
        ("series", "Bays"),
        ("item", "Secret bay"),
    ];
    let mut said = titles(&answer.text());
    let mut expected = named(&all);
    said.sort();
    expected.sort();
    assert_eq!(said, expected);
    assert!(
        answer
            .text()
            .contains("<physdesc>2 sheets &amp; a &lt;key&gt;</physdesc>")
    );
    let shown = server.get(&path).send().expect(200).text();
    assert_eq!(titles(&shown).len(), 3);
    assert!(!shown.contains("Secret"));
}

#[test]
fn the_page_says_the_same_and_runs_nothing() {
    let server = TestServer::start();
    let path = format!("/api/v1/items/{}/finding-aid?format=html", maps(&server));
    let page = server.get(&path).as_admin().send().expect(200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page
        .header("content-security-policy")
        .unwrap_or_default()
        .to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let text = page.text();
    assert!(
        text.contains("<dt>Extent</dt><dd dir=\"auto\">2 sheets &amp; a &lt;key&gt;</dd>"),
        "{text}"
    );
    assert!(text.contains(">Secret bay</a></h3>"), "{text}");
    assert!(!text.contains("Authored"), "{text}");
}

#[test]
fn a_long_one_is_whole_and_an_empty_one_has_no_components() {
    let server = TestServer::start();
    let maps = server.create_object_with("Maps", member(&server, "Collection", None));
    for number in 0..120 {
        server.create_object_with(
            &format!("Sheet {number}"),
            member(&server, "Image", Some(maps)),
        );
    }
    let path = format!("/api/v1/items/{maps}/finding-aid");
    let all = titles(&server.get(&path).send().expect(200).text());
    assert_eq!(all.len(), 121);
    let empty = server.create_object_with("Empty", member(&server, "Collection", None));
    let path = format!("/api/v1/items/{empty}/finding-aid");
    let text = server.get(&path).send().expect(200).text();
    assert!(!text.contains("<dsc"), "{text}");
}

#[test]
fn what_is_in_a_collection_of_several_collections_is_listed_once() {
    let server = TestServer::start();
    let collection = |title: &str, parents: &[i64]| {
        let parents: Vec<Value> = parents
            .iter()
            .map(|nid| json!({ "target_id": nid }))
            .collect();
        let fields = member(&server, "Collection", None);
        server.create_object_with(title, merge(fields, json!({ "field_member_of": parents })))
    };
    let top = collection("Top", &[]);
    let mut above = [top, top];
    for level in 0..20 {
        above = ["left", "right"].map(|side| collection(&format!("{level} {side}"), &above));
    }
    let path = format!("/api/v1/items/{top}/finding-aid");
    let said = titles(&server.get(&path).send().expect(200).text());
    let times = |title: &str| said.iter().filter(|(_, said)| said == title).count();
    assert_eq!(
        [
            times("Top"),
            times("0 left"),
            times("1 left"),
            times("19 right")
        ],
        [1, 1, 2, 2]
    );
}

#[test]
fn what_is_no_collection_has_none() {
    let server = TestServer::start();
    let item = server.create_object("Alone");
    for path in [item, 9999].map(|nid| format!("/api/v1/items/{nid}/finding-aid")) {
        server.get(&path).as_admin().send().expect(404);
    }
    let wrong = format!("/api/v1/items/{item}/finding-aid?format=pdf");
    server.get(&wrong).as_admin().send().expect(400);
}
