//! `/api/v1/saved-searches`: saved, counted, changed, deleted and restored; and what cannot be saved.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, encoded, merge};

pub const PATH: &str = "/api/v1/saved-searches";

pub fn save<'s>(server: &'s TestServer, name: &str, query: &str) -> Request<'s> {
    let search = json!({"name": name, "query": query});
    server.post(PATH).json(search)
}

pub fn path_of(search: &Value) -> String {
    format!("{PATH}/{}", search["id"])
}

fn count(server: &TestServer, search: &Value) -> Value {
    let path = format!("{PATH}/counts?id={}", search["id"]);
    let counts = server.get(&path).as_admin().send().expect(200).json();
    counts["counts"][0]["count"].clone()
}

#[test]
fn a_saved_search_counts_what_its_list_holds() {
    let server = TestServer::start();
    server.until_searchable();
    let collection = server.create_object("Harbour");
    let member = json!({"field_member_of": [{"target_id": collection}]});
    let subject = server.create_term("subject", "Quays");
    let described = json!({"field_subject": [{"target_id": subject}]});
    let described = merge(described, member.clone());
    server.create_object_with("Map of the quay", described);
    for query in [
        String::new(),
        "q=map".into(),
        format!("collection={collection}"),
        format!("collection={collection}&below=true&q=map"),
        "view=recent&sort=title&order=desc".into(),
        format!("chosen=subject:{subject}&chosen=status%3Apublished&q=quay"),
        "lacks=field_subject&date=1400%2F1969".into(),
    ] {
        let saved = save(&server, "One", &query).as_admin().send();
        let saved = saved.expect(201).json();
        assert_eq!(saved["query"], query);
        let list = server.get(&format!("/api/v1/items?{query}")).as_admin();
        let list = list.send().expect(200).json();
        assert_eq!(count(&server, &saved), list["total"], "{query}");
    }
    let saved = save(&server, "Maps", "q=map").as_admin().send();
    let saved = saved.expect(201).json();
    assert_eq!(count(&server, &saved), 1);
    server.create_object_with("Map of the pier", member);
    assert_eq!(count(&server, &saved), 2);
}

#[test]
fn one_is_changed_deleted_and_restored_as_it_was() {
    let server = TestServer::start();
    let answer = save(&server, "Maps", "q=map").as_plain().send().expect(201);
    let saved = answer.json();
    let path = path_of(&saved);
    let location = answer.header("location").expect("an address").to_owned();
    assert!(location.ends_with(&path), "{location}");
    assert_eq!(saved["owner"], json!({"uid": 3, "name": "plain"}));
    assert_eq!(
        (&saved["public"], &saved["own"]),
        (&json!(false), &json!(true))
    );
    let all = json!({"update": true, "share": false, "delete": true});
    assert_eq!(saved["may"], all);
    let change = json!({"name": "Charts", "query": "q=chart"});
    let changed = server.patch(&path).as_plain().json(change).send();
    let changed = changed.expect(200).json();
    assert_eq!([&changed["name"], &changed["query"]], ["Charts", "q=chart"]);
    let restore = format!("{path}/restore");
    let words = format!("The saved search {} is not deleted.", saved["id"]);
    server
        .post(&restore)
        .as_plain()
        .send()
        .expect_message(409, &words);
    server.delete(&path).as_plain().send().expect(204);
    server.get(&path).as_plain().send().expect(404);
    server.delete(&path).as_plain().send().expect(404);
    let list = server.get(PATH).as_plain().send().expect(200).json();
    assert_eq!(list["total"], 0);
    let restored = server.post(&restore).as_plain().send().expect(200).json();
    assert_eq!(
        [&restored["name"], &restored["query"]],
        ["Charts", "q=chart"]
    );
    server.delete(&path).as_plain().send().expect(204);
    let next = save(&server, "Next", "")
        .as_plain()
        .send()
        .expect(201)
        .json();
    assert!(next["id"].as_i64() > saved["id"].as_i64());
}

#[test]
fn all_come_by_name_page_by_page() {
    let server = TestServer::start();
    for name in ["b", "A", "ä", "a", "Zoo", "c"] {
        save(&server, name, "").as_plain().send().expect(201);
    }
    let (mut names, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("{PATH}?limit=2{after}");
        let page = server.get(&path).as_plain().send().expect(200).json();
        assert_eq!(page["total"], 6);
        let searches = page["searches"].as_array().expect("searches").iter();
        names.extend(searches.map(|search| search["name"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(names, ["A", "a", "b", "c", "Zoo", "ä"]);
}

#[test]
fn what_is_no_query_of_a_list_is_not_saved() {
    let server = TestServer::start();
    for query in [
        "sort=nothing",
        "chosen=nowhere:1",
        "chosen=subject",
        "view=trash",
        "collection=0",
        "collection=x",
        "date=never",
        "has=field_nowhere",
        "term=1,2,3,4,5,6,7,8,9,10,11",
        "media_type=cat",
        "order=up",
        "limit=5",
        "after=abc",
        "offset=3",
        "q=a&q=b",
        "x=1",
        "\u{1}",
        "q=a b",
        "q=a#b",
        "q=%zz&view=%",
        "q=ä",
        "sort=title;DROP TABLE saved_search",
    ] {
        let answer = save(&server, "Bad", query).as_plain().send();
        let status = answer.status;
        assert!(
            [201, 400].contains(&status),
            "{query:?}: {status} {}",
            answer.text()
        );
        // What is saved can be asked.
        if status == 201 {
            let query = answer.json()["query"].as_str().expect("a text").to_owned();
            server.get(&format!("/api/v1/items?{}", query.replace(' ', "%20")));
        }
    }
    let list = server.get(PATH).as_plain().send().expect(200).json();
    let saved = list["searches"].as_array().expect("searches").len();
    assert!(saved <= 3, "{list}");
}

#[test]
fn names_queries_and_numbers_have_bounds() {
    let server = TestServer::start();
    for name in ["", " ", " a", "a\nb", "\u{0}", &"x".repeat(101)] {
        save(&server, name, "").as_plain().send().expect(422);
    }
    save(&server, &"ü".repeat(100), "")
        .as_plain()
        .send()
        .expect(201);
    let long = |length: usize| format!("q={}", "x".repeat(length - 2));
    save(&server, "Long", &long(4096))
        .as_plain()
        .send()
        .expect(201);
    save(&server, "Long", &long(4097))
        .as_plain()
        .send()
        .expect(422);
    for _ in 2..200 {
        save(&server, "Same", "").as_plain().send().expect(201);
    }
    let words = "This account has 200 saved searches. Delete one first.";
    save(&server, "More", "")
        .as_plain()
        .send()
        .expect_message(429, words);
    save(&server, "Other", "").as_depositor().send().expect(201);
    let list = server.get(PATH).as_plain().send().expect(200).json();
    let path = path_of(&list["searches"][0]);
    server.delete(&path).as_plain().send().expect(204);
    save(&server, "More", "").as_plain().send().expect(201);
    let restore = format!("{path}/restore");
    server
        .post(&restore)
        .as_plain()
        .send()
        .expect_message(429, words);
}

#[test]
fn bodies_and_numbers_that_make_no_sense_are_refused() {
    let server = TestServer::start();
    // What stands behind it would be kept unread.
    let hidden = save(&server, "Maps", "q=map#&view=unfiled").as_plain();
    hidden.send().expect(400);
    for (body, status) in [
        (json!({}), 422),
        (json!([]), 422),
        (json!({"name": "A"}), 422),
        (json!({"name": 1, "query": ""}), 422),
        (json!({"name": "A", "query": "", "public": "yes"}), 422),
        (json!({"name": "A", "query": "", "owner": 1}), 422),
    ] {
        server
            .post(PATH)
            .as_plain()
            .json(body)
            .send()
            .expect(status);
    }
    for id in ["x", "-1", "0", "99999999999999999999", "%00", "1.5"] {
        let path = format!("{PATH}/{id}");
        server.get(&path).as_plain().send().expect(404);
        let changed = server.patch(&path).as_plain().json(json!({"name": "A"}));
        changed.send().expect(404);
    }
    for id in ["", "0", "x", "1,", "1,2,3,4,5,6,7,8,9,10,11"] {
        let path = format!("{PATH}/counts?id={}", encoded(id));
        server.get(&path).as_plain().send().expect(400);
    }
    let path = format!("{PATH}/counts");
    server.get(&path).as_plain().send().expect(400);
    let none = server.get(&format!("{path}?id=7,8")).as_plain().send();
    assert_eq!(none.expect(200).json(), json!({"counts": []}));
}
