//! Roles in collections: what somebody was given there holds there and in everything below, and nowhere else.

use serde_json::{Value, json};

use crate::support::{DEPOSITOR, PLAIN, Request, Response, TestServer, hits, merge, png};
use crate::v1_users::change;

fn inside(parents: &[i64]) -> Value {
    let parents = parents.iter().map(|nid| json!({"target_id": nid}));
    json!({"field_member_of": parents.collect::<Vec<_>>()})
}

fn hidden() -> Value {
    json!({"status": [{"value": false}]})
}

fn collection(server: &TestServer, title: &str, fields: Value) -> i64 {
    let model = server.term("islandora_models", "Collection");
    let model = json!({"field_model": [{"target_id": model}]});
    server.create_object_with(title, merge(model, fields))
}

fn give<'s>(server: &'s TestServer, roles: &[(i64, &str)]) -> Request<'s> {
    let roles = roles.iter();
    let roles = roles.map(|(collection, role)| json!({"collection": collection, "role": role}));
    let roles: Vec<Value> = roles.collect();
    change(server, PLAIN.uid, json!({ "collection_roles": roles })).as_admin()
}

/// Two collections, the first with one inside, and an item in each that is hidden.
struct Shelves {
    server: TestServer,
    maps: i64,
    atlases: i64,
    letters: i64,
    /// In maps, in atlases, in letters.
    items: [i64; 3],
}

impl Shelves {
    fn new() -> Shelves {
        let server = TestServer::start();
        let maps = collection(&server, "Maps", json!({}));
        let atlases = collection(&server, "Atlases", merge(inside(&[maps]), hidden()));
        let letters = collection(&server, "Letters", json!({}));
        let item = |title: &str, parent: i64| {
            server.create_object_with(title, merge(inside(&[parent]), hidden()))
        };
        let items = [
            item("Harbour chart", maps),
            item("Harbour atlas", atlases),
            item("Harbour letter", letters),
        ];
        Shelves {
            server,
            maps,
            atlases,
            letters,
            items,
        }
    }

    /// The status of a request by somebody who may do nothing but in collections.
    fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Response {
        let request = self.server.request(method, path).as_plain();
        match body {
            Some(body) => request.json(body).send(),
            None => request.send(),
        }
    }

    fn reads(&self) -> [u16; 3] {
        self.items
            .map(|nid| self.ask("GET", &format!("/node/{nid}"), None).status)
    }

    fn renames(&self, nid: i64) -> u16 {
        let body = merge(self.typed(), json!({"title": [{"value": "Renamed"}]}));
        self.ask("PATCH", &format!("/node/{nid}"), Some(body))
            .status
    }

    fn moves(&self, nid: i64, parents: &[i64]) -> u16 {
        let body = merge(self.typed(), inside(parents));
        self.ask("PATCH", &format!("/node/{nid}"), Some(body))
            .status
    }

    fn creates(&self, parents: &[i64]) -> Response {
        let body = merge(self.server.object("New"), inside(parents));
        self.ask("POST", "/node?_format=json", Some(body))
    }

    fn typed(&self) -> Value {
        json!({"type": [{"target_id": "islandora_object"}]})
    }

    fn listed(&self, query: &str) -> Vec<i64> {
        let path = format!("/api/v1/items?{query}");
        let list = self.ask("GET", &path, None).expect(200).json();
        let rows = list["items"].as_array().expect("rows").iter();
        let mut nids: Vec<i64> = rows.filter_map(|row| row["nid"].as_i64()).collect();
        nids.sort_unstable();
        assert_eq!(list["total"], nids.len(), "{list}");
        nids
    }
}

#[test]
fn a_role_in_a_collection_holds_there_and_below_and_nowhere_else() {
    let shelves = Shelves::new();
    let (server, [chart, atlas, letter]) = (&shelves.server, shelves.items);
    assert_eq!(shelves.reads(), [403, 403, 403]);
    let given = give(server, &[(shelves.maps, "editor")]).send().expect(200);
    assert_eq!(
        given.json()["collection_roles"],
        json!([{"collection": shelves.maps, "title": "Maps", "role": {"name": "editor", "label": "Editor"}}])
    );
    assert_eq!(shelves.reads(), [200, 200, 403]);
    assert_eq!(
        [chart, atlas, letter].map(|nid| shelves.renames(nid)),
        [200, 200, 403]
    );
    shelves.creates(&[shelves.atlases]).expect(201);
    for parents in [
        &[][..],
        &[shelves.letters],
        &[shelves.maps, shelves.letters],
    ] {
        shelves.creates(parents).expect(403);
    }
    let upload = |nid: i64| {
        let path = server.upload_path(nid, "image", "Original File");
        let request = server.put(&path).as_plain().body("image/png", png(7, 5));
        let request = request.header("content-location", format!("public://{nid}.png"));
        request.send().status
    };
    assert_eq!([upload(atlas), upload(letter)], [201, 404]);
    let delete = |nid: i64| shelves.ask("DELETE", &format!("/node/{nid}"), None).status;
    assert_eq!([delete(chart), delete(letter)], [204, 403]);
    give(server, &[]).send().expect(200);
    assert_eq!(shelves.reads()[1..], [403, 403]);
}

#[test]
fn lists_counts_and_search_show_what_single_answers_do() {
    let shelves = Shelves::new();
    let (server, [chart, atlas, _]) = (&shelves.server, shelves.items);
    let [maps, atlases, letters] = [shelves.maps, shelves.atlases, shelves.letters];
    server.until_searchable();
    let searched = || {
        let answer = server.search("harbour", "").as_plain().send().expect(200);
        let mut found = hits(&answer.json());
        found.sort_unstable();
        found
    };
    assert_eq!(
        (shelves.listed(""), searched()),
        (vec![maps, letters], vec![])
    );
    give(server, &[(maps, "editor")]).send().expect(200);
    assert_eq!(shelves.listed(""), [maps, atlases, letters, chart, atlas]);
    assert_eq!(searched(), [chart, atlas]);
    assert_eq!(shelves.listed(&format!("collection={letters}")), [0; 0]);
    assert_eq!(
        shelves.listed(&format!("collection={maps}")),
        [atlases, chart]
    );
    let below = format!("collection={maps}&below=true");
    assert_eq!(shelves.listed(&below), [atlases, chart, atlas]);
    let counts = format!("/api/v1/collections/counts?nid={maps},{letters}");
    let counts = shelves.ask("GET", &counts, None).expect(200).json();
    let of = |number: usize| {
        let counts = &counts["counts"][number];
        [&counts["items"], &counts["subcollections"]].map(Value::as_i64)
    };
    assert_eq!([of(0), of(1)], [[Some(2), Some(1)], [Some(0), Some(0)]]);
    let item = format!("/api/v1/items/{atlas}");
    let may = shelves.ask("GET", &item, None).expect(200).json()["may"].clone();
    assert_eq!(
        may,
        json!({"update": true, "delete": true, "share": false, "add_media": true, "add_item": true})
    );
}

#[test]
fn who_moves_an_item_has_the_right_in_both_collections() {
    let shelves = Shelves::new();
    let [chart, atlas, letter] = shelves.items;
    let [maps, atlases, letters] = [shelves.maps, shelves.atlases, shelves.letters];
    give(&shelves.server, &[(maps, "editor")])
        .send()
        .expect(200);
    assert_eq!(shelves.moves(chart, &[atlases]), 200);
    for parents in [&[letters][..], &[maps, letters], &[]] {
        assert_eq!(shelves.moves(atlas, parents), 403, "to {parents:?}");
    }
    assert_eq!(shelves.moves(letter, &[maps]), 403);
    let both = [(maps, "editor"), (letters, "editor")];
    give(&shelves.server, &both).send().expect(200);
    assert_eq!(shelves.moves(atlas, &[letters]), 200);
    assert_eq!(shelves.moves(letter, &[letters, maps]), 200);
    give(&shelves.server, &[(maps, "editor")])
        .send()
        .expect(200);
    assert_eq!(shelves.reads(), [200, 403, 200]);
}

#[test]
fn where_nobody_sees_anything_a_role_in_a_collection_shows_what_is_published_there() {
    let shelves = Shelves::new();
    let (server, [chart, ..]) = (&shelves.server, shelves.items);
    server.allow_nothing("authenticated");
    server.add_role("reader", &["access content", "view media"]);
    let shown = server.create_object_with("Shown", inside(&[shelves.maps]));
    server.upload_image(shown, "public://shown.png");
    let read = |nid: i64| shelves.ask("GET", &format!("/node/{nid}"), None).status;
    assert_eq!(read(shown), 403);
    give(server, &[(shelves.maps, "reader")]).send().expect(200);
    assert_eq!(
        [shown, shelves.maps, shelves.letters, chart].map(read),
        [200, 200, 403, 403]
    );
    assert_eq!(shelves.listed(""), [shelves.maps, shown]);
    let media = format!("/api/v1/items/{shown}/media");
    let media = shelves.ask("GET", &media, None).expect(200).json();
    assert_eq!(media["media"].as_array().map(Vec::len), Some(1), "{media}");
}

#[test]
fn roles_in_collections_are_given_by_those_who_may_give_them() {
    let shelves = Shelves::new();
    let (server, [chart, ..]) = (&shelves.server, shelves.items);
    let refused = |roles: &[(i64, &str)], words: &str| {
        let text = give(server, roles).send().expect(422).text();
        assert!(text.contains(words), "{text}");
    };
    refused(
        &[(chart, "editor")],
        &format!("There is no collection {chart}."),
    );
    refused(&[(99_999, "editor")], "There is no collection 99999.");
    refused(&[(shelves.maps, "reeve")], "There is no role reeve.");
    let malformed = json!({"collection_roles": [{"collection": "1"}]});
    change(server, PLAIN.uid, malformed)
        .as_admin()
        .send()
        .expect(422);
    let own = json!({"collection_roles": [{"collection": shelves.maps, "role": "editor"}]});
    change(server, DEPOSITOR.uid, own.clone())
        .as_depositor()
        .send()
        .expect(403);
    server.allow("depositor", &["administer users"]);
    change(server, PLAIN.uid, own)
        .as_depositor()
        .send()
        .expect(403);
    server.add_role("clerk", &["create media"]);
    give(server, &[(shelves.maps, "clerk")]).send().expect(200);
    let held = server.delete("/api/v1/roles/clerk").as_admin().send();
    let words = held.expect(409).text();
    assert!(words.contains("Take the role"), "{words}");
}

#[test]
fn who_may_change_an_item_learns_who_has_roles_where_it_is() {
    let shelves = Shelves::new();
    let (server, [_, atlas, letter]) = (&shelves.server, shelves.items);
    give(server, &[(shelves.maps, "editor")]).send().expect(200);
    let people = |nid: i64| shelves.ask("GET", &format!("/api/v1/items/{nid}/people"), None);
    people(letter).expect(404);
    assert_eq!(
        people(atlas).expect(200).json(),
        json!({"people": [{"user": {"uid": PLAIN.uid, "name": "plain"}, "role": {"name": "editor", "label": "Editor"},
                           "collection": {"nid": shelves.maps, "title": "Maps"}}]})
    );
    let session = shelves
        .ask("GET", "/api/v1/session", None)
        .expect(200)
        .json();
    let there = session["user"]["collection_permissions"]
        .as_array()
        .expect("permissions");
    assert!(
        there.contains(&json!("edit any islandora_object content")),
        "{there:?}"
    );
}

#[test]
fn a_search_tells_only_of_places_to_which_the_way_is_seen() {
    let shelves = Shelves::new();
    let (server, [chart, atlas, _]) = (&shelves.server, shelves.items);
    let library = collection(server, "Library", json!({}));
    let cellar = collection(server, "Cellar", merge(inside(&[library]), hidden()));
    let [maps, atlases] = [shelves.maps, shelves.atlases];
    let body = merge(shelves.typed(), inside(&[cellar]));
    let moved = server.patch(&format!("/node/{maps}")).as_admin().json(body);
    moved.send().expect(200);
    give(server, &[(maps, "editor")]).send().expect(200);
    server.until_searchable();
    let find = |more: &str| {
        let found = server.search("harbour", more).as_plain().send();
        let found = found.expect(200).json();
        let mut nids = hits(&found);
        nids.sort_unstable();
        (nids, found["facets"][0]["values"].clone())
    };
    assert_eq!(find(&format!("&below={library}")).0, [0; 0]);
    assert_eq!(find(&format!("&below={atlases}")).0, [atlas]);
    let (nids, values) = find("&facets=collection");
    assert_eq!(nids, [chart, atlas]);
    let values = values.as_array().expect("values").iter();
    let values: Vec<_> = values
        .map(|one| (one["value"].clone(), one["count"].clone()))
        .collect();
    let told = |nid: i64, count: i64| (json!(nid.to_string()), json!(count));
    assert_eq!(values, [told(maps, 2), told(atlases, 1)]);
}
