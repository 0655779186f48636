//! `/api/v1/saved-searches`: whose they are, who shares them, and that they tell nobody what is hidden.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Person, TestServer};
use crate::v1_saved_searches::{PATH, path_of, save};
use crate::v1_users::change;

fn names(server: &TestServer, person: Option<Person>) -> Vec<String> {
    let request = server.get(PATH);
    let request = match person {
        Some(person) => request.signed_in(person),
        None => request,
    };
    let list = request.send().expect(200).json();
    let searches = list["searches"].as_array().expect("searches").clone();
    assert_eq!(list["total"], searches.len());
    let name = |search: &Value| search["name"].as_str().expect("a name").to_owned();
    searches.iter().map(name).collect()
}

fn share(server: &TestServer, name: &str, query: &str) -> Value {
    let search = json!({"name": name, "query": query, "public": true});
    let saved = server.post(PATH).as_depositor().json(search).send();
    saved.expect(201).json()
}

#[test]
fn private_ones_are_their_owners_alone() {
    let server = TestServer::start();
    let saved = save(&server, "Mine", "q=map").as_plain().send();
    let path = path_of(&saved.expect(201).json());
    assert_eq!(names(&server, Some(PLAIN)), ["Mine"]);
    for person in [ADMIN, DEPOSITOR] {
        assert!(names(&server, Some(person)).is_empty());
        server.get(&path).signed_in(person).send().expect(404);
        let renamed = server.patch(&path).signed_in(person);
        renamed.json(json!({"name": "Yours"})).send().expect(404);
        server.delete(&path).signed_in(person).send().expect(404);
    }
    assert!(names(&server, None).is_empty());
    server.get(&path).send().expect(404);
    server.delete(&path).send().expect(401);
    server.delete(&path).as_plain().send().expect(204);
    let restore = format!("{path}/restore");
    server.post(&restore).as_admin().send().expect(404);
    let id = path.rsplit('/').next().expect("an id");
    let counts = server.get(&format!("{PATH}/counts?id={id}")).as_admin();
    assert_eq!(counts.send().expect(200).json(), json!({"counts": []}));
    assert!(!server.log().contains("Mine"));
}

#[test]
fn those_for_all_are_shared_by_who_edits_the_items_of_all() {
    let server = TestServer::start();
    let words = "The following permissions are required: 'administer nodes' OR 'bypass node access' OR 'edit any islandora_object content'.";
    let search = json!({"name": "Maps", "query": "q=map", "public": true});
    let refused = server.post(PATH).as_plain().json(search).send();
    refused.expect_message(403, words);
    let own = save(&server, "Mine", "")
        .as_plain()
        .send()
        .expect(201)
        .json();
    let public = json!({"public": true});
    let refused = server.patch(&path_of(&own)).as_plain().json(public).send();
    refused.expect_message(403, words);
    let shared = share(&server, "Maps", "q=map");
    assert_eq!(names(&server, None), ["Maps"]);
    assert_eq!(names(&server, Some(PLAIN)), ["Maps", "Mine"]);
    let seen = server.get(&path_of(&shared)).send().expect(200).json();
    let nothing = json!({"update": false, "share": false, "delete": false});
    assert_eq!((&seen["may"], &seen["owner"]), (&nothing, &Value::Null));
    server
        .delete(&path_of(&shared))
        .as_plain()
        .send()
        .expect_message(403, words);
    // Others who may share rename and delete it; its owner alone takes it back.
    let path = path_of(&shared);
    let renamed = server
        .patch(&path)
        .as_admin()
        .json(json!({"name": "All maps"}));
    let renamed = renamed.send().expect(200).json();
    assert_eq!(renamed["owner"]["uid"], 2);
    let may = json!({"update": true, "share": false, "delete": true});
    assert_eq!(renamed["may"], may);
    let private = server
        .patch(&path)
        .as_admin()
        .json(json!({"public": false}));
    private
        .send()
        .expect_message(403, "A private search is its owner's.");
    server.delete(&path).as_admin().send().expect(204);
    server
        .post(&format!("{path}/restore"))
        .as_admin()
        .send()
        .expect(200);
    let private = server
        .patch(&path)
        .as_depositor()
        .json(json!({"public": false}));
    private.send().expect(200);
    assert_eq!(names(&server, Some(ADMIN)), Vec::<String>::new());
}

#[test]
fn those_of_a_disabled_account_stay_for_all_and_can_be_deleted() {
    let server = TestServer::start();
    let shared = share(&server, "Maps", "q=map");
    save(&server, "Mine", "").as_depositor().send().expect(201);
    let disabled = change(&server, DEPOSITOR.uid, json!({"active": false}));
    disabled.as_admin().send().expect(200);
    assert_eq!(names(&server, Some(ADMIN)), ["Maps"]);
    server
        .delete(&path_of(&shared))
        .as_admin()
        .send()
        .expect(204);
    assert!(names(&server, Some(ADMIN)).is_empty());
}

#[test]
fn counts_are_those_of_whoever_looks() {
    let server = TestServer::start();
    server.until_searchable();
    let hidden = json!({"status": [{"value": false}]});
    let collection = server.create_object_with("Hidden maps", hidden.clone());
    let member = json!({"field_member_of": [{"target_id": collection}]});
    server.create_object_with("Map", member);
    let ids: Vec<String> = ["q=map", &format!("collection={collection}")]
        .iter()
        .map(|query| share(&server, query, query)["id"].to_string())
        .collect();
    let path = format!("{PATH}/counts?id={}", ids.join(","));
    let counts = |person: Option<Person>| -> Vec<Value> {
        let request = server.get(&path);
        let request = match person {
            Some(person) => request.signed_in(person),
            None => request,
        };
        let counts = request.send().expect(200).json();
        let counts = counts["counts"].as_array().expect("counts").clone();
        counts.into_iter().map(|one| one["count"].clone()).collect()
    };
    assert_eq!(counts(Some(ADMIN)), [json!(2), json!(1)]);
    // As of a collection that is not there.
    assert_eq!(counts(Some(PLAIN)), [json!(1), Value::Null]);
    assert_eq!(counts(None), [json!(1), Value::Null]);
    let missing = share(&server, "Gone", "collection=987654")["id"].to_string();
    let path = format!("{PATH}/counts?id={missing}");
    let gone = server.get(&path).as_admin().send().expect(200).json();
    assert_eq!(gone["counts"][0]["count"], Value::Null);
}

#[test]
fn who_may_see_no_content_sees_what_is_their_own() {
    let server = TestServer::start();
    share(&server, "Maps", "q=map");
    save(&server, "Mine", "").as_plain().send().expect(201);
    server.allow_nothing("anonymous");
    server.allow_nothing("authenticated");
    assert_eq!(names(&server, Some(PLAIN)), ["Mine"]);
    assert!(names(&server, None).is_empty());
}
