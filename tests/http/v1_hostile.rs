//! `/api/v1`: long walks, and questions nobody should ask.

use serde_json::{Value, json};

use crate::support::TestServer;

fn get(server: &TestServer, path: &str) -> Value {
    server.get(path).as_admin().send().expect(200).json()
}

#[test]
fn two_hundred_and_fifty_items_are_walked_without_gaps_or_doubles() {
    let server = TestServer::start();
    let mut made: Vec<i64> = (0..250)
        .map(|number| server.create_object(&format!("Sheet {}", number % 40)))
        .collect();
    for order in ["sort=title", "sort=created&order=desc", "sort=date"] {
        let (mut seen, mut after) = (Vec::new(), String::new());
        loop {
            let page = get(&server, &format!("/api/v1/items?{order}&limit=33{after}"));
            assert_eq!(
                (&page["total"], &page["total_is_exact"]),
                (&json!(250), &json!(true))
            );
            let items = page["items"].as_array().expect("items");
            seen.extend(items.iter().filter_map(|item| item["nid"].as_i64()));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        seen.sort_unstable();
        made.sort_unstable();
        assert_eq!(seen, made, "{order}");
    }
}

#[test]
fn numbers_in_titles_sort_by_size() {
    let server = TestServer::start();
    for title in ["Page 10", "page 9", "Page 100"] {
        server.create_object(title);
    }
    let list = get(&server, "/api/v1/items?sort=title");
    let items = list["items"].as_array().expect("items");
    let titles: Vec<&str> = items
        .iter()
        .filter_map(|item| item["title"].as_str())
        .collect();
    assert_eq!(titles, ["page 9", "Page 10", "Page 100"]);
}

#[test]
fn a_cursor_is_good_for_its_own_list_only() {
    let server = TestServer::start();
    for title in ["A", "B", "C"] {
        server.create_object(title);
    }
    let page = get(&server, "/api/v1/items?sort=title&limit=1");
    let next = page["next"].as_str().expect("a next page");
    get(
        &server,
        &format!("/api/v1/items?sort=title&limit=1&after={next}"),
    );
    for path in [
        format!("/api/v1/items?sort=created&after={next}"),
        format!("/api/v1/items?sort=title&order=desc&after={next}"),
        format!("/api/v1/items?sort=title&offset=1&after={next}"),
        format!("/api/v1/media?after={next}"),
        format!("/api/v1/terms?after={next}"),
        "/api/v1/items?after=%00".into(),
        "/api/v1/items?after=e30".into(),
        format!("/api/v1/items?after={}", "A".repeat(4000)),
        "/api/v1/media?after=1".into(),
        "/api/v1/events?after=-1".into(),
        "/api/v1/events?after=x".into(),
    ] {
        let answer = server.get(&path).as_admin().send().expect(400);
        assert!(!answer.message().is_empty(), "{path}");
    }
}

#[test]
fn nonsense_everywhere_is_refused_with_a_sentence() {
    let server = TestServer::shared();
    let many: Vec<String> = (1..=201).map(|id: i32| id.to_string()).collect();
    for path in [
        "/api/v1/collections?limit=0".to_owned(),
        "/api/v1/collections?parent=-1".into(),
        "/api/v1/collections?after=x".into(),
        "/api/v1/terms?vocabulary=nope".into(),
        "/api/v1/terms?limit=99999999999999999999".into(),
        "/api/v1/media?limit=-1".into(),
        "/api/v1/labels?node=1,x".into(),
        "/api/v1/labels?user=0".into(),
        format!("/api/v1/labels?node={}", many.join(",")),
        "/api/v1/items?limit=1&limit=2".into(),
        "/api/v1/items?offset=-1".into(),
        "/api/v1/items?offset=99999999999999999999".into(),
        "/api/v1/items?sort=field_nope".into(),
        "/api/v1/items?sort=field_description".into(),
        "/api/v1/items?sort=field_member_of".into(),
        "/api/v1/items/ids?limit=10001".into(),
        "/api/v1/items/ids?collection=x".into(),
        "/api/v1/export?limit=1&columns=nope".into(),
        "/api/v1/export?nids=1,x".into(),
        "/api/v1/export?format=zip&format=csv".into(),
        "/api/v1/export?chosen=subject".into(),
        "/api/v1/items?chosen=nothing:1".into(),
        "/api/v1/items?chosen=subject".into(),
        "/api/v1/items/ids?chosen=subject:".into(),
        "/api/v1/items/position?nid=1&chosen=member_of:1".into(),
        format!("/api/v1/items?{}", "chosen=subject:1&".repeat(101)),
        "/api/v1/items/facets?facets=nothing".into(),
        "/api/v1/items/facets?facets=member_of".into(),
        "/api/v1/items/facets?values=201".into(),
        "/api/v1/items/facets?histogram=maybe".into(),
        "/api/v1/items/facets?date=yesterday".into(),
        "/api/v1/items/position".into(),
        "/api/v1/items/position?nid=-1".into(),
        "/api/v1/items/position?nid=1&nid=2".into(),
        "/api/v1/items/position?nid=1&sort=field_nope".into(),
        "/api/v1/media?mid=0".into(),
        "/api/v1/items?term=1,x".into(),
        "/api/v1/items?term=1,2,3,4,5,6,7,8,9,10,11".into(),
        "/api/v1/items?date=yesterday".into(),
        "/api/v1/items?has=nope".into(),
        "/api/v1/items?lacks=field_extent,nope".into(),
        "/api/v1/items?media_type=nope".into(),
        format!("/api/v1/items?fields={}", many.join(",")),
        "/api/v1/items?collection=9223372036854775808".into(),
    ] {
        let answer = server.get(&path).as_admin().send().expect(400);
        assert!(!answer.message().is_empty(), "{path}");
    }
    for path in [
        "/api/v1/items/x",
        "/api/v1/items/-1",
        "/api/v1/items/0/media",
        "/api/v1/items/1.5/revisions",
    ] {
        server.get(path).as_admin().send().expect(404);
    }
}

#[test]
fn whatever_is_typed_is_only_words() {
    let server = TestServer::shared();
    let nid = server.create_object("Quinquireme of Nineveh");
    for typed in [
        "%22",
        "*",
        "a%22%20OR%20b",
        "NEAR(a%20b)",
        "title%3Aa",
        "%00",
        "%F0%9F%97%BA",
        "%CC%81",
        "-",
        "^a",
        "(",
        "%27%3B%20DROP%20TABLE%20node",
        "%E2%80%94%20%E2%80%94",
        "AND",
        "a%20NOT",
        "%FF",
    ] {
        for path in ["items", "terms"] {
            server
                .get(&format!("/api/v1/{path}?q={typed}"))
                .as_admin()
                .send()
                .expect(200);
        }
    }
    let long = "word%20".repeat(300);
    server
        .get(&format!("/api/v1/items?q={long}"))
        .as_admin()
        .send()
        .expect(200);
    let found = get(server, "/api/v1/items?q=NINEV%20quinq");
    assert_eq!(found["items"][0]["nid"], nid);
    assert_eq!(found["total"], 1);
}
