//! Bytes that the repository has already.

use serde_json::json;

use super::{Desk, targets};

#[test]
fn the_same_bytes_are_taken_and_told_of() {
    let desk = Desk::new(json!({}));
    desk.put("a.txt", "twins");
    let first = desk.done("a.txt");
    desk.put("b.txt", "twins");
    let second = desk.done("b.txt");
    assert_eq!(second["same_bytes"], first["item"]);
    assert!(
        second["reason"]
            .as_str()
            .is_some_and(|words| words.contains("The same bytes"))
    );
    assert_eq!(desk.items(), 2);
}

#[test]
fn the_same_bytes_are_left_out_where_the_rule_says_so() {
    let desk = Desk::new(json!({"duplicates": "skip"}));
    desk.put("a.txt", "twins");
    let first = desk.done("a.txt");
    desk.put("b.txt", "twins");
    let second = desk.wait("b.txt", |file| file["state"] == "skipped");
    assert_eq!(second["same_bytes"], first["item"]);
    assert_eq!(desk.items(), 1);
}

#[test]
fn the_item_that_has_the_bytes_is_put_into_the_collection_where_the_rule_says_so() {
    let desk = Desk::new(json!({}));
    desk.put("a.txt", "twins");
    let first = desk.done("a.txt");
    let (other, collection) = (super::directory(), desk.collection("Linked"));
    let id = desk.watch(
        other.path(),
        json!({"duplicates": "link", "collection": collection}),
    );
    std::fs::write(other.path().join("b.txt"), "twins").expect("written");
    let desk = Desk { id, ..desk };
    desk.wait("b.txt", |file| file["state"] == "skipped");
    assert_eq!(targets(&desk.item(&first), "field_member_of"), [collection]);
}

#[test]
fn blank_pages_of_a_book_are_pages() {
    let desk = Desk::new(json!({"duplicates": "skip", "subfolders": "paged"}));
    for page in 1..=3 {
        desk.put(&format!("book/p{page}.txt"), "blank");
    }
    for page in 1..=3 {
        desk.done(&format!("book/p{page}.txt"));
    }
    assert_eq!(desk.items(), 4);
}
