//! `/api/v1/items`, `/api/v1/collections`, `/api/v1/counts`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Request, TestServer};

/// A collection with some members, on a server of its own.
fn collection(server: &TestServer, members: usize) -> i64 {
    let model = server.term("islandora_models", "Collection");
    let nid = server.create_object_with("Maps", json!({"field_model": [{"target_id": model}]}));
    for number in 0..members {
        let member = json!({"field_member_of": [{"target_id": nid}], "field_weight": [{"value": number + 1}]});
        server.create_object_with(&format!("Map {number:02}"), member);
    }
    nid
}

fn ids(list: &Value) -> Vec<i64> {
    let items = list["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| item["nid"].as_i64().expect("a nid"))
        .collect()
}

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

#[test]
fn pages_hold_every_member_once_and_in_order() {
    let server = TestServer::shared();
    let nid = collection(server, 12);
    for (sort, order) in [
        ("title", "asc"),
        ("title", "desc"),
        ("created", "asc"),
        ("changed", "desc"),
        ("nid", "desc"),
        ("weight", "asc"),
        ("date", "asc"),
    ] {
        let base = format!("/api/v1/items?collection={nid}&sort={sort}&order={order}");
        let whole = ids(&get(server.get(&format!("{base}&limit=200")).as_admin()));
        assert_eq!(whole.len(), 12, "{sort}");
        let mut paged = Vec::new();
        let mut after = String::new();
        loop {
            let page = get(server.get(&format!("{base}&limit=5{after}")).as_admin());
            assert_eq!(page["total"], 12, "{sort}");
            paged.extend(ids(&page));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        assert_eq!(paged, whole, "{sort} {order}");
    }
}

#[test]
fn titles_are_sorted_both_ways() {
    let server = TestServer::shared();
    let nid = collection(server, 5);
    let path = format!("/api/v1/items?collection={nid}&sort=title");
    let up = ids(&get(server.get(&format!("{path}&order=asc")).as_admin()));
    let mut down = ids(&get(server.get(&format!("{path}&order=desc")).as_admin()));
    down.reverse();
    assert_eq!(up, down);
}

#[test]
fn an_item_shows_what_the_desk_needs() {
    let server = TestServer::shared();
    let nid = server.create_object_with(
        "Shown",
        json!({"field_edtf_date_created": [{"value": "1571~"}]}),
    );
    server.upload_image(nid, "public://items/shown.png");
    let item = get(server.get(&format!("/api/v1/items/{nid}")).as_admin());
    assert_eq!(item["title"], "Shown");
    assert_eq!(item["model"]["name"], "Image");
    assert_eq!(item["date"], "1571~");
    assert_eq!(item["mime"], "image/png");
    assert_eq!(item["media_count"], 1);
    assert_eq!(item["is_collection"], false);
    assert_eq!(item["ancestors"], json!([]));
    assert_eq!(
        (&item["picture"]["width"], &item["picture"]["height"]),
        (&json!(7), &json!(5))
    );
    let picture = server.path_of(item["picture"]["url"].as_str().expect("an address"));
    server.get(&picture).send().expect(200);
}

#[test]
fn a_picture_of_a_hidden_item_comes_with_a_ticket() {
    let server = TestServer::shared();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    server.upload_image(nid, "public://items/hidden.png");
    let item = get(server.get(&format!("/api/v1/items/{nid}")).as_admin());
    let picture = server.path_of(item["picture"]["url"].as_str().expect("an address"));
    server.get(&picture).send().expect(200);
    server
        .get(picture.split('?').next().expect("a path"))
        .send()
        .expect(401);
}

#[test]
fn views_and_filters_choose() {
    let server = TestServer::shared();
    let nid = collection(server, 2);
    let hidden = server.create_object_with(
        "Zebra hidden",
        json!({"status": [{"value": false}], "field_member_of": [{"target_id": nid}]}),
    );
    let with_file = server.create_object_with(
        "Zebra with a file",
        json!({"field_member_of": [{"target_id": nid}]}),
    );
    server.upload_image(with_file, "public://items/filter.png");
    let loose = server.create_object("Zebra of nobody");
    let list = |query: &str| -> BTreeSet<i64> {
        ids(&get(server
            .get(&format!("/api/v1/items?limit=200&{query}"))
            .as_admin()))
        .into_iter()
        .collect()
    };
    assert!(
        list("view=unpublished").contains(&hidden) && !list("view=unpublished").contains(&loose)
    );
    assert!(
        list("view=unfiled&q=Zebra").contains(&loose)
            && !list("view=unfiled&q=Zebra").contains(&hidden)
    );
    let without = list(&format!("view=without_original&collection={nid}"));
    assert!(without.contains(&hidden) && !without.contains(&with_file));
    assert_eq!(
        list(&format!("collection={nid}&status=0")),
        BTreeSet::from([hidden])
    );
    assert_eq!(
        list(&format!("collection={nid}&q=zebra")),
        BTreeSet::from([hidden, with_file])
    );
    let model = server.term("islandora_models", "Collection");
    assert!(
        list(&format!("model={model}")).contains(&nid)
            && !list(&format!("model={model}")).contains(&loose)
    );
    assert!(list("type=page").is_empty() || !list("type=page").contains(&loose));
    assert!(list("view=recent&sort=changed&order=desc").contains(&loose));
}

#[test]
fn lists_and_counts_show_nobody_more_than_they_may_see() {
    let server = TestServer::start();
    let nid = collection(&server, 3);
    server.create_object_with(
        "Hidden",
        json!({"status": [{"value": false}], "field_member_of": [{"target_id": nid}]}),
    );
    let total = |request: Request| get(request)["total"].clone();
    let path = format!("/api/v1/items?collection={nid}");
    assert_eq!(total(server.get(&path).as_admin()), 4);
    assert_eq!(total(server.get(&path).as_plain()), 3);
    assert_eq!(total(server.get(&path)), 3);
    let counts = |request: Request| get(request)["all"].clone();
    assert_eq!(counts(server.get("/api/v1/counts").as_admin()), 5);
    assert_eq!(counts(server.get("/api/v1/counts").as_plain()), 4);
    let collections = get(server.get("/api/v1/collections?parent=root").as_plain());
    assert_eq!(collections["collections"][0]["items"], 3);
}

#[test]
fn collections_are_a_tree() {
    let server = TestServer::start();
    let model = server.term("islandora_models", "Collection");
    let top = collection(&server, 1);
    let fields =
        json!({"field_model": [{"target_id": model}], "field_member_of": [{"target_id": top}]});
    let inner = server.create_object_with("Inner", fields);
    let root = get(server.get("/api/v1/collections?parent=root").as_admin());
    assert_eq!(root["total"], 1);
    assert_eq!(root["collections"][0]["nid"], top);
    assert_eq!(root["collections"][0]["subcollections"], 1);
    let below = get(server
        .get(&format!("/api/v1/collections?parent={top}"))
        .as_admin());
    assert_eq!(below["collections"][0]["nid"], inner);
    let item = get(server.get(&format!("/api/v1/items/{inner}")).as_admin());
    assert_eq!(item["ancestors"], json!([{"nid": top, "title": "Maps"}]));
}

#[test]
fn nonsense_is_refused_with_a_sentence() {
    let server = TestServer::shared();
    for query in [
        "limit=0",
        "limit=201",
        "limit=x",
        "sort=colour",
        "order=up",
        "view=nope",
        "status=2",
        "collection=x",
        "model=x",
        "after=zzz",
        "type=nope",
    ] {
        server
            .get(&format!("/api/v1/items?{query}"))
            .as_admin()
            .send()
            .expect_refusal();
    }
    server
        .get("/api/v1/items/99999999")
        .as_admin()
        .send()
        .expect(404);
    server
        .get("/api/v1/collections?parent=x")
        .as_admin()
        .send()
        .expect_refusal();
}
