//! `/api/v1/items`, `/api/v1/collections`, `/api/v1/counts`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Request, TestServer, png};

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
fn any_place_of_a_list_is_jumped_to_and_its_numbers_are_had_alone() {
    let server = TestServer::shared();
    let nid = collection(server, 12);
    let base = format!("collection={nid}&sort=weight&order=desc");
    let whole = ids(&get(server
        .get(&format!("/api/v1/items?{base}&limit=200"))
        .as_admin()));
    for offset in [0, 5, 11, 12, 4000] {
        let path = format!("/api/v1/items?{base}&limit=4&offset={offset}");
        let page = get(server.get(&path).as_admin());
        let expected: Vec<i64> = whole.iter().skip(offset).take(4).copied().collect();
        assert_eq!(
            (ids(&page), &page["total"]),
            (expected, &json!(12)),
            "{offset}"
        );
    }
    let numbers = |query: &str| {
        get(server
            .get(&format!("/api/v1/items/ids?{base}&{query}"))
            .as_admin())
    };
    let first = numbers("limit=7");
    assert_eq!(first["nids"], json!(whole[..7]));
    let after = first["next"].as_str().expect("more");
    let rest = numbers(&format!("limit=10000&after={after}"));
    assert_eq!(
        (&rest["nids"], &rest["next"]),
        (&json!(whole[7..]), &Value::Null)
    );
    assert_eq!(numbers("offset=3&limit=2")["nids"], json!(whole[3..5]));
    let position = |nid: i64| {
        let path = format!("/api/v1/items/position?nid={nid}&{base}");
        get(server.get(&path).as_admin())["offset"].clone()
    };
    assert_eq!(position(whole[8]), 8);
    assert_eq!(position(nid), Value::Null);
}

#[test]
fn a_list_is_sorted_by_any_field_of_the_content_model() {
    let server = TestServer::shared();
    let nid = collection(server, 0);
    let [audio, image] = ["Audio", "Image"].map(|name| server.term("islandora_models", name));
    let described = [
        json!({"field_extent": [{"value": "b"}], "field_model": [{"target_id": image}]}),
        json!({"field_extent": [{"value": "C"}]}),
        json!({"field_extent": [{"value": "A"}, {"value": "z"}], "field_model": [{"target_id": audio}]}),
        json!({}),
    ];
    let members = described.map(|mut fields| {
        fields["field_member_of"] = json!([{"target_id": nid}]);
        server.create_object_with("Sorted", fields)
    });
    for (sort, up, down) in [
        ("field_extent", [2, 0, 1, 3], [1, 0, 2, 3]),
        ("field_model", [2, 0, 1, 3], [3, 1, 0, 2]),
    ] {
        for (order, expected) in [("asc", up), ("desc", down)] {
            let path = format!("/api/v1/items?collection={nid}&sort={sort}&order={order}");
            let expected = expected.map(|number| members[number]);
            let whole = get(server.get(&path).as_admin());
            assert_eq!(ids(&whole), expected, "{sort} {order}");
            let first = get(server.get(&format!("{path}&limit=1")).as_admin());
            let after = first["next"].as_str().expect("more");
            let rest = get(server.get(&format!("{path}&after={after}")).as_admin());
            assert_eq!(ids(&rest), expected[1..], "{sort} {order}");
            let last = get(server.get(&format!("{path}&offset=3")).as_admin());
            assert_eq!(ids(&last), expected[3..], "{sort} {order}");
        }
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
    assert_eq!(item["bytes"], png(7, 5).len());
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
        .expect(404);
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

#[test]
fn filters_ask_for_what_is_described() {
    let server = TestServer::shared();
    let nid = collection(server, 1);
    let [harbours, towers] = ["Harbours", "Towers"].map(|name| server.create_term("subject", name));
    let italian = server.create_term("language", "Isolan");
    let member = |title: &str, fields: Value| {
        let within = json!({"field_member_of": [{"target_id": nid}]});
        server.create_object_with(title, crate::support::merge(within, fields))
    };
    let chart = member(
        "Chart",
        json!({"field_subject": [{"target_id": harbours}, {"target_id": towers}],
            "field_language": [{"target_id": italian}],
            "field_edtf_date_created": [{"value": "1569/1571~"}]}),
    );
    let view = member(
        "View",
        json!({"field_subject": [{"target_id": harbours}], "field_extent": [{"value": "1 sheet"}],
            "field_edtf_date_issued": [{"value": "18XX"}]}),
    );
    server.upload_image(view, "public://items/described.png");
    let list = |query: &str| -> BTreeSet<i64> {
        let path = format!("/api/v1/items?collection={nid}&{query}");
        ids(&get(server.get(&path).as_admin()))
            .into_iter()
            .collect()
    };
    assert_eq!(
        list(&format!("term={harbours}")),
        BTreeSet::from([chart, view])
    );
    assert_eq!(
        list(&format!("term={harbours},{towers}")),
        BTreeSet::from([chart])
    );
    assert_eq!(list(&format!("term={italian}")), BTreeSet::from([chart]));
    assert_eq!(list("date=1400/1600"), BTreeSet::from([chart]));
    assert_eq!(list("date=1571"), BTreeSet::from([chart]));
    assert_eq!(list("date=1850/.."), BTreeSet::from([view]));
    assert!(list("date=1601/1799").is_empty());
    assert_eq!(list("has=field_extent"), BTreeSet::from([view]));
    assert_eq!(
        list("has=field_subject&lacks=field_extent"),
        BTreeSet::from([chart])
    );
    assert_eq!(list("has=field_edtf_date_created"), BTreeSet::from([chart]));
    assert!(list("has=field_weight").is_disjoint(&BTreeSet::from([chart, view])));
    assert_eq!(list("media_type=image"), BTreeSet::from([view]));
    assert!(list("media_type=audio").is_empty());
}

#[test]
fn a_list_tells_the_fields_that_it_is_asked_for() {
    let server = TestServer::shared();
    let nid = collection(server, 0);
    server.create_object_with(
        "Chart",
        json!({"field_member_of": [{"target_id": nid}], "field_extent": [{"value": "1 sheet"}]}),
    );
    let path = format!("/api/v1/items?collection={nid}");
    let plain = get(server.get(&path).as_admin());
    assert_eq!(plain["items"][0].get("fields"), None);
    let path = format!("{path}&fields=field_extent,field_member_of,field_subject");
    let fields = get(server.get(&path).as_admin())["items"][0]["fields"].clone();
    assert_eq!(fields["field_extent"][0]["value"], "1 sheet");
    assert_eq!(fields["field_member_of"][0]["target_id"], nid);
    assert_eq!(fields.get("field_subject"), None);
}

#[test]
fn what_is_said_about_a_revision_is_not_searched() {
    let server = TestServer::shared();
    let log = json!({"revision_log": [{"value": "zyzzogeton template"}]});
    let nid = server.create_object_with("Sworn log of the pilots", log);
    let found = |word: &str| {
        let path = format!("/api/v1/items?q={word}");
        let list = server.get(&path).as_admin().send().expect(200).json();
        list["items"].as_array().map(Vec::len)
    };
    assert_eq!(
        [found("zyzzogeton"), found("sworn+pilots")],
        [Some(0), Some(1)]
    );
    let node = server.node(nid);
    assert_eq!(node["revision_log"][0]["value"], "zyzzogeton template");
}
