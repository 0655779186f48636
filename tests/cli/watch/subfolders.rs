//! What folders in a watched folder become.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Desk, targets};

#[test]
fn folders_become_collections() {
    let desk = Desk::without_rule();
    let top = desk.collection("Top");
    let rule = json!({"subfolders": "collections", "collection": top});
    let desk = Desk {
        id: desk.watch(desk.folder.path(), rule),
        ..desk
    };
    desk.put("Box_1/Folder 2/a.txt", "a");
    desk.put("Box_1/b.txt", "b");
    let above = |entity: &Value| -> Value {
        let nid = targets(entity, "field_member_of")[0];
        desk.get(&format!("/node/{nid}?_format=json"))
    };
    let (a, b) = (
        desk.item(&desk.done("Box_1/Folder 2/a.txt")),
        desk.item(&desk.done("Box_1/b.txt")),
    );
    let (inner, outer) = (above(&a), above(&b));
    assert_eq!(inner["title"][0]["value"], "Folder 2");
    assert_eq!(outer["title"][0]["value"], "Box 1");
    assert_eq!(
        above(&inner)["nid"],
        outer["nid"],
        "one folder is one collection"
    );
    assert_eq!(targets(&outer, "field_member_of"), [top]);
    let model = desk.client.term("islandora_models", "Collection");
    assert_eq!(targets(&inner, "field_model"), [model]);
}

#[test]
fn folders_become_books_with_their_pages_in_natural_order() {
    let desk = Desk::new(json!({"subfolders": "paged", "sidecar": "any"}));
    desk.put("Atlas.json", r#"{"title": "The Atlas"}"#);
    for page in ["p10", "p2", "p1"] {
        desk.put(&format!("Atlas/{page}.txt"), page);
    }
    let rows = ["p1", "p2", "p10"].map(|page| desk.done(&format!("Atlas/{page}.txt")));
    in_order(&desk, &rows);
    desk.put("Atlas/p3.txt", "a page that was forgotten");
    desk.done("Atlas/p3.txt");
    let rows = ["p1", "p2", "p3", "p10"].map(|page| desk.file(&format!("Atlas/{page}.txt")));
    in_order(&desk, &rows);
    let pages = rows.map(|row| desk.item(&row));
    let book = targets(&pages[0], "field_member_of");
    assert!(
        pages
            .iter()
            .all(|page| targets(page, "field_member_of") == book),
        "one book"
    );
    let book = desk.get(&format!("/node/{}?_format=json", book[0]));
    assert_eq!(book["title"][0]["value"], "The Atlas");
    let term = |name: &str| desk.client.term("islandora_models", name);
    assert_eq!(targets(&book, "field_model"), [term("Paged Content")]);
    assert_eq!(targets(&pages[0], "field_model"), [term("Page")]);
}

/// Waits until the items of some rows stand in their order, from 1.
#[track_caller]
fn in_order(desk: &Desk, rows: &[Value]) {
    let begun = Instant::now();
    let wanted: Vec<usize> = (1..=rows.len()).collect();
    loop {
        let weights: Vec<Value> = rows
            .iter()
            .map(|row| desk.item(row)["field_weight"][0]["value"].clone())
            .collect();
        if json!(weights) == json!(wanted) {
            return;
        }
        assert!(begun.elapsed() < super::STUCK, "{weights:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn folders_become_compound_objects_or_are_not_looked_into() {
    let desk = Desk::new(json!({"subfolders": "compound"}));
    desk.put("letter/envelope.png", super::picture(1));
    desk.put("letter/text.txt", "Dear Ann");
    let rows = ["letter/envelope.png", "letter/text.txt"].map(|name| desk.done(name));
    in_order(&desk, &rows);
    let parts = rows.map(|row| desk.item(&row));
    let whole = desk.get(&format!(
        "/node/{}?_format=json",
        targets(&parts[0], "field_member_of")[0]
    ));
    let term = |name: &str| desk.client.term("islandora_models", name);
    assert_eq!(targets(&whole, "field_model"), [term("Compound Object")]);
    assert_eq!(targets(&parts[0], "field_model"), [term("Image")]);

    let other = super::directory();
    let desk = Desk {
        id: desk.watch(other.path(), json!({})),
        folder: other,
        ..desk
    };
    desk.put("inside/a.txt", "not this");
    desk.put("b.txt", "this");
    desk.done("b.txt");
    assert_eq!(desk.files().len(), 1);
}
