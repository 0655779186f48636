//! `/api/v1/batches`: a change of many items is one request, one job, one entry of the activity and one undo.

use serde_json::{Value, json};

use crate::support::{Person, Request, TestServer, merge, outcome};

/// May change what is their own.
const OWNER: Person = Person {
    uid: 4,
    name: "owner",
    password: "an owner's password",
    permissions: &[
        "create islandora_object content",
        "edit own islandora_object content",
    ],
};

/// A repository with so many items, each with an extent.
fn with_items(count: usize) -> (TestServer, Vec<i64>) {
    let server = TestServer::start();
    let extent = |number: usize| json!({"field_extent": [{"value": format!("{number} mapp")}]});
    let made = (0..count)
        .map(|number| server.create_object_with(&format!("Sheet {number}"), extent(number)));
    let nids = made.collect();
    (server, nids)
}

fn replace_mapp() -> Value {
    json!({"act": "replace_text", "fields": ["field_extent"], "find": "mapp", "by": "map", "match_case": true})
}

fn request(nids: &[i64], change: &Value) -> Value {
    json!({"items": {"nids": nids}, "change": change})
}

#[track_caller]
fn preview(request: Request, body: Value) -> Value {
    request.json(body).send().expect(200).json()
}

#[track_caller]
fn run(server: &TestServer, body: Value) -> Value {
    let request = server.post("/api/v1/batches").as_admin();
    server.batch_ended(&request.json(body).send().expect(202).json())
}

fn extents(server: &TestServer, nids: &[i64]) -> Vec<String> {
    let nodes = nids.iter().map(|nid| server.node(*nid));
    let text = |node: Value| {
        node["field_extent"][0]["value"]
            .as_str()
            .unwrap_or("")
            .to_owned()
    };
    nodes.map(text).collect()
}

fn change(server: &TestServer, nid: i64, mut fields: Value) {
    fields["type"] = json!([{"target_id": "islandora_object"}]);
    let change = server
        .patch(&format!("/node/{nid}?_format=json"))
        .as_admin();
    change.json(fields).send().expect(200);
}

#[test]
fn a_preview_counts_every_item_and_changes_none() {
    let (server, nids) = with_items(5);
    let empty = server.create_object("Without extent");
    let all: Vec<i64> = nids.iter().copied().chain([empty, 99_999]).collect();
    let mut body = request(&all, &replace_mapp());
    body["examples"] = json!(2);
    let found = preview(server.post("/api/v1/batches/preview").as_admin(), body);
    let counts = ["changes", "stays", "denied", "invalid"].map(|name| found[name].as_i64());
    assert_eq!(counts, [5, 1, 1, 0].map(Some));
    let items = found["items"].as_array().expect("items");
    assert_eq!(items.len(), 4, "two that change, and two others");
    let field = &items[0]["fields"][0];
    assert_eq!(field["before"][0]["value"], "0 mapp");
    assert_eq!(field["after"][0]["value"], "0 map");
    assert_eq!(
        (&items[2]["reason"], &items[3]["title"]),
        (&json!("lacks"), &json!(""))
    );
    assert_eq!(extents(&server, &nids[..1]), ["0 mapp"]);
}

#[test]
fn a_change_of_many_is_one_entry_of_the_activity_and_one_undo() {
    let (server, nids) = with_items(3);
    let batch = run(&server, request(&nids, &replace_mapp()));
    assert_eq!(
        (&batch["state"], &batch["changed"]),
        (&json!("done"), &json!(3))
    );
    assert_eq!(extents(&server, &nids), ["0 map", "1 map", "2 map"]);
    let activity = |query: &str| -> Vec<Value> {
        let path = format!("/api/v1/activity?action=update&kind=node{query}");
        let list = server.get(&path).as_admin().send().expect(200).json();
        list["changes"].as_array().expect("a list").clone()
    };
    let entries = activity("");
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["many"]["changed"], 3);
    assert_eq!(entries[0]["many"]["fields"], json!(["field_extent"]));
    let further = activity(&format!("&after={}", entries[0]["id"]));
    assert_eq!(
        further,
        Vec::<Value>::new(),
        "the other changes of the batch"
    );
    let path = format!("/api/v1/items/{}/revisions", nids[0]);
    let history = server.get(&path).as_admin().send().expect(200).json();
    assert_eq!(history["revisions"][0]["batch"], batch["id"]);
    let back = server.undo_batch(&batch);
    assert_eq!(
        (&back["undoes"], &back["changed"]),
        (&batch["id"], &json!(3))
    );
    assert_eq!(extents(&server, &nids), ["0 mapp", "1 mapp", "2 mapp"]);
    server.undo_batch(&back);
    assert_eq!(extents(&server, &nids), ["0 map", "1 map", "2 map"]);
}

#[test]
fn items_are_named_by_a_list() {
    let (server, nids) = with_items(2);
    let folder = server.create_object("Folder");
    let inside =
        json!({"field_member_of": [{"target_id": folder}], "field_extent": [{"value": "9 mapp"}]});
    let member = server.create_object_with("Member", inside);
    let list = format!("collection={folder}&below=true");
    let batch = run(
        &server,
        json!({"items": {"list": list}, "change": replace_mapp()}),
    );
    assert_eq!((&batch["total"], &batch["changed"]), (&json!(1), &json!(1)));
    assert_eq!(extents(&server, &[member, nids[0]]), ["9 map", "0 mapp"]);
    let unknown = json!({"items": {"list": "collection=99999"}, "change": replace_mapp()});
    server
        .post("/api/v1/batches")
        .as_admin()
        .json(unknown)
        .send()
        .expect(404);
}

#[test]
fn the_policy_is_asked_for_every_item() {
    let (server, nids) = with_items(2);
    server.introduce(OWNER);
    let own = merge(
        server.object("Own"),
        json!({"field_extent": [{"value": "7 mapp"}]}),
    );
    let made = server
        .post("/node?_format=json")
        .signed_in(OWNER)
        .json(own)
        .send()
        .expect(201)
        .json();
    let own = made["nid"][0]["value"].as_i64().expect("a nid");
    let all = [nids[0], own, nids[1]];
    let found = preview(
        server.post("/api/v1/batches/preview").signed_in(OWNER),
        request(&all, &replace_mapp()),
    );
    assert_eq!(
        (&found["changes"], &found["denied"]),
        (&json!(1), &json!(2))
    );
    let begun = server
        .post("/api/v1/batches")
        .signed_in(OWNER)
        .json(request(&all, &replace_mapp()));
    let batch = server.batch_ended(&begun.send().expect(202).json());
    assert_eq!(
        (&batch["changed"], &batch["refused"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(extents(&server, &all), ["0 mapp", "7 map", "1 mapp"]);
    let path = format!("/api/v1/batches/{}/items?state=refused", batch["id"]);
    let refused = server.get(&path).signed_in(OWNER).send().expect(200).json();
    assert_eq!(refused["items"][1]["id"], nids[1]);
    // Others' batches do not exist for somebody who is no administrator.
    let other = run(&server, request(&nids, &replace_mapp()));
    let path = format!("/api/v1/batches/{}", other["id"]);
    server.get(&path).signed_in(OWNER).send().expect(404);
    server
        .post(&format!("{path}/undo"))
        .signed_in(OWNER)
        .send()
        .expect(404);
}

#[test]
fn what_breaks_a_rule_is_counted_and_left() {
    let (server, nids) = with_items(2);
    let clear = json!({"act": "set", "field": "title", "values": []});
    let found = preview(
        server.post("/api/v1/batches/preview").as_admin(),
        request(&nids, &clear),
    );
    assert_eq!(
        (&found["changes"], &found["invalid"]),
        (&json!(0), &json!(2))
    );
    // An item cannot be a member of itself.
    let into = json!({"act": "move", "to": nids[0]});
    let batch = run(&server, request(&nids, &into));
    assert_eq!(
        (&batch["changed"], &batch["refused"]),
        (&json!(1), &json!(1))
    );
    for change in [
        json!({"act": "set", "field": "field_none", "values": []}),
        json!({"act": "replace_text", "find": "", "by": "a"}),
        json!({"act": "add", "field": "nid", "values": [1]}),
        json!({"act": "vanish"}),
    ] {
        let refused = server
            .post("/api/v1/batches")
            .as_admin()
            .json(request(&nids, &change));
        refused.send().expect(422);
    }
}

#[test]
fn what_somebody_has_changed_meanwhile_is_left_and_said() {
    let (server, nids) = with_items(3);
    let set = json!({"act": "set", "field": "field_extent", "values": [{"value": "1 map"}]});
    let seen = preview(
        server.post("/api/v1/batches/preview").as_admin(),
        request(&nids, &set),
    );
    change(
        &server,
        nids[0],
        json!({"field_extent": [{"value": "theirs"}]}),
    );
    change(
        &server,
        nids[1],
        json!({"title": [{"value": "Other title"}]}),
    );
    let mut body = request(&nids, &set);
    body["seen"] = seen["seen"].clone();
    let batch = run(&server, body);
    assert_eq!(
        (&batch["changed"], &batch["refused"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(extents(&server, &nids), ["theirs", "1 map", "1 map"]);
    change(
        &server,
        nids[1],
        json!({"field_extent": [{"value": "later"}]}),
    );
    let back = server.undo_batch(&batch);
    assert_eq!((&back["changed"], &back["refused"]), (&json!(1), &json!(1)));
    assert_eq!(extents(&server, &nids), ["theirs", "later", "2 mapp"]);
    assert_eq!(server.node(nids[1])["title"][0]["value"], "Other title");
}

#[test]
fn a_cancelled_change_says_how_far_it_came_and_can_be_taken_back() {
    let (server, nids) = with_items(450);
    let begun = server
        .post("/api/v1/batches")
        .as_admin()
        .json(request(&nids, &replace_mapp()));
    let begun = begun.send().expect(202).json();
    let path = format!("/api/v1/batches/{}", begun["id"]);
    server
        .post(&format!("{path}/cancel"))
        .as_admin()
        .send()
        .expect(204);
    let batch = server.batch_ended(&begun);
    let changed = batch["changed"].as_u64().expect("a number");
    let found = extents(&server, &nids)
        .into_iter()
        .filter(|extent| extent.ends_with("map"));
    assert_eq!(found.count() as u64, changed, "{batch}");
    let back = server.undo_batch(&batch);
    assert_eq!(back["changed"], changed);
    assert!(
        extents(&server, &nids)
            .iter()
            .all(|extent| extent.ends_with("mapp"))
    );
    server
        .post(&format!("{path}/cancel"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.batch_ended(&begun)["changed"], changed);
}

#[test]
fn a_description_is_given_to_many_items() {
    let (server, nids) = with_items(2);
    let empty = server.create_object("Without extent");
    let all = [nids[0], empty];
    let values =
        json!({"field_extent": [{"value": "1 plate"}], "field_rights": [{"value": "Free"}]});
    let describe = |replace: bool| json!({"act": "describe", "values": values, "replace": replace});
    let found = preview(
        server.post("/api/v1/batches/preview").as_admin(),
        request(&all, &describe(false)),
    );
    assert_eq!(
        (&found["changes"], &found["fields"]),
        (&json!(2), &json!({"field_extent": 1, "field_rights": 2}))
    );
    let batch = run(&server, request(&all, &describe(false)));
    assert_eq!(extents(&server, &all), ["0 mapp", "1 plate"]);
    assert_eq!(server.node(nids[0])["field_rights"][0]["value"], "Free");
    run(&server, request(&nids, &describe(true)));
    assert_eq!(extents(&server, &nids), ["1 plate", "1 plate"]);
    let back = server.undo_batch(&batch);
    assert_eq!(outcome(&back), [Some(2), Some(0)]);
    assert_eq!(
        extents(&server, &all),
        ["1 plate", ""],
        "only what it changed"
    );
    assert_eq!(server.node(nids[0])["field_rights"], json!([]));
    let unknown = json!({"act": "describe", "values": {"field_none": [{"value": "a"}]}});
    let begun = server.post("/api/v1/batches").as_admin();
    begun.json(request(&all, &unknown)).send().expect(422);
}

#[test]
fn many_items_are_put_in_order_and_back() {
    let (server, nids) = with_items(3);
    let weights = |all: &[i64]| -> Vec<Value> {
        let nodes = all.iter().map(|nid| server.node(*nid));
        nodes
            .map(|node| node["field_weight"][0]["value"].clone())
            .collect()
    };
    let order = |weights: &[(i64, i64)]| {
        let weights = weights
            .iter()
            .map(|(nid, weight)| json!({"nid": nid, "weight": weight}));
        json!({"act": "order", "weights": weights.collect::<Vec<_>>()})
    };
    run(&server, request(&nids[..1], &order(&[(nids[0], 7)])));
    let wanted = order(&[(nids[0], 2), (nids[1], 1)]);
    let batch = run(&server, request(&nids, &wanted));
    assert_eq!(weights(&nids), [json!(2), json!(1), Value::Null]);
    assert_eq!(batch["change"], json!({"act": "order"}), "not each weight");
    let activity = server.get("/api/v1/activity?action=update").as_admin();
    let activity = activity.send().expect(200).json();
    let many = &activity["changes"][0]["many"];
    assert_eq!(
        (&many["act"], &many["fields"]),
        (&json!("order"), &json!(["field_weight"]))
    );
    server.undo_batch(&batch);
    assert_eq!(weights(&nids), [json!(7), Value::Null, Value::Null]);
}

#[test]
fn what_a_search_finds_is_changed_as_one() {
    let (server, nids) = with_items(3);
    let topic = server.create_term("subject", "Soundings");
    for nid in &nids[..2] {
        change(
            &server,
            *nid,
            json!({"field_subject": [{"target_id": topic}]}),
        );
    }
    let found = format!("q=sheet%20-2&chosen=subject:{topic}");
    let items = json!({"items": {"search": found}, "change": replace_mapp()});
    let ahead = preview(
        server.post("/api/v1/batches/preview").as_admin(),
        items.clone(),
    );
    assert_eq!(ahead["changes"], 2);
    assert_eq!(outcome(&run(&server, items)), [Some(2), Some(0)]);
    assert_eq!(extents(&server, &nids), ["0 map", "1 map", "2 mapp"]);
    for nonsense in ["chosen=nothing:1", "date=never", "below=none"] {
        let body = json!({"items": {"search": nonsense}, "change": replace_mapp()});
        let asked = server.post("/api/v1/batches").as_admin();
        asked.json(body).send().expect(400);
    }
}
