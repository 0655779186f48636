//! What somebody looks at is made first.

use super::{Desk, LARGE};

#[test]
fn what_somebody_looks_at_does_not_wait_for_what_came_before() {
    let desk = Desk::new();
    let items: Vec<i64> = (0..12).map(|_| desk.item()).collect();
    for nid in &items {
        desk.original(*nid, &format!("public://{nid}.png"), LARGE);
    }
    let (last, others) = items.split_last().expect("items");
    let look = format!("/api/v1/jobs/look?items={last}");
    let (status, answer) = desk.client.ask("POST", &look, "Content-Length: 0\r\n", "");
    assert_eq!(status, 204, "{answer}");
    // Media have their numbers in the order in which they are made.
    let thumbnail = |nid: i64| desk.made(nid, "Thumbnail Image", 1)["mid"].as_i64();
    let looked_at = thumbnail(*last);
    let later = others.iter().filter(|nid| thumbnail(**nid) > looked_at);
    assert!(later.count() > 0, "it waited for all others");
}
