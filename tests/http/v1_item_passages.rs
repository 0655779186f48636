//! What lists of found items say: where words stand, which come first, and words only as they are typed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{TestServer, encoded};

fn get(server: &TestServer, path: &str) -> Value {
    server.until_searchable();
    server.get(path).as_admin().send().expect(200).json()
}

fn nids(list: &Value) -> Vec<i64> {
    let items = list["items"].as_array().expect("items").iter();
    items
        .map(|item| item["nid"].as_i64().expect("a nid"))
        .collect()
}

fn with_text(server: &TestServer, title: &str, text: &str) -> i64 {
    let nid = server.create_object(title);
    let upload = server.put(&server.upload_path(nid, "extracted_text", "Extracted Text"));
    let name = format!("public://{nid}.txt");
    let upload = upload.as_admin().header("Content-Location", name.as_str());
    upload
        .body("text/plain", text.to_owned())
        .send()
        .expect(201);
    nid
}

#[test]
fn items_of_a_list_say_where_the_words_stand() {
    let server = TestServer::start();
    let book = with_text(
        &server,
        "A book",
        "first page\u{c}the second: Houses of Venice",
    );
    let map = server.create_object("Map of Venice");
    let other = server.create_object("Other");
    let path = format!("/api/v1/items/passages?q=venice&nid={book},{map},{other},999999");
    let answer = get(&server, &path);
    let items = answer["items"].as_array().expect("items");
    let of = |nid: i64| items.iter().find(|one| one["nid"] == nid);
    assert_eq!(items.len(), 2, "{answer}");
    let passage = &of(book).expect("the book")["passages"][0];
    assert_eq!(
        (&passage["field"], &passage["page"]),
        (&json!("text"), &json!(2))
    );
    let title = &of(map).expect("the map")["passages"][0];
    assert_eq!(title["parts"][1], json!({"text": "Venice", "marked": true}));
    // What is typed may be the beginning of a word, or another form of it.
    for typed in ["ven", "house", "second house"] {
        let path = format!("/api/v1/items/passages?q={}&nid={book}", encoded(typed));
        assert_eq!(get(&server, &path)["items"][0]["nid"], book, "{typed}");
        let exact = get(&server, &format!("{path}&stems=false"));
        assert_eq!(exact["items"], json!([]), "{typed}");
    }
    let nothing = get(&server, "/api/v1/items/passages?q=&nid=1");
    assert_eq!(nothing, json!({ "items": [] }));
    for refused in ["nid=1", "q=a", "q=a&nid=0", "q=a&nid=1&stems=x"] {
        let path = format!("/api/v1/items/passages?{refused}");
        server.get(&path).send().expect(400);
    }
    let many: Vec<String> = (1..=51).map(|nid| nid.to_string()).collect();
    let path = format!("/api/v1/items/passages?q=a&nid={}", many.join(","));
    server.get(&path).send().expect(400);
}

#[test]
fn files_are_read_until_the_words_are_found() {
    let server = TestServer::start();
    let nid = with_text(&server, "Two texts", "nothing of it");
    let upload = server.put(&server.upload_path(nid, "extracted_text", "Transcript"));
    let upload = upload
        .as_admin()
        .header("Content-Location", "public://2.txt");
    let text = "typed\u{c}by hand: an island";
    upload.body("text/plain", text).send().expect(201);
    let path = format!("/api/v1/items/passages?q=island&nid={nid}");
    let passages = get(&server, &path)["items"][0]["passages"].clone();
    assert_eq!(passages.as_array().map(Vec::len), Some(1), "{passages}");
    assert_eq!((&passages[0]["page"]), &json!(2));
    let marks = get(&server, &format!("/api/v1/items/{nid}/marks?q=island"));
    assert_eq!(marks["pages"], json!([{"page": 2, "count": 1}]));
}

#[test]
fn an_answer_reads_so_much_of_files_and_no_more() {
    let server = TestServer::start();
    // Together they are a file longer than an answer reads.
    let text = format!("{}island", " ".repeat((2 << 20) - 6));
    let nids: Vec<String> = (0..17)
        .map(|number| with_text(&server, &format!("Book {number}"), &text).to_string())
        .collect();
    let began = Instant::now();
    let search = loop {
        let search = get(&server, "/api/v1/search?q=island&limit=50");
        if search["current"] == true {
            break search;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{search}");
    };
    let hits = search["hits"].as_array().expect("hits");
    let with_passages = hits.iter().filter(|hit| hit["passages"] != json!([]));
    assert_eq!((hits.len(), with_passages.count()), (17, 16));
    let path = format!("/api/v1/items/passages?q=island&nid={}", nids.join(","));
    let items = get(&server, &path)["items"].clone();
    assert_eq!(items.as_array().map(Vec::len), Some(16));
    let path = format!("/api/v1/items/{}/marks?q=island", nids[16]);
    assert_eq!(
        get(&server, &path)["pages"],
        json!([{"page": 1, "count": 1}])
    );
}

#[test]
fn marks_are_counted_on_each_page_as_they_are_spelled() {
    let server = TestServer::start();
    let text = "A house\u{c}Houses, HOUSES\u{c}none\u{c}the old house of Häuser";
    let nid = with_text(&server, "Houses in the title do not count", text);
    let marks = |parameters: &str| get(&server, &format!("/api/v1/items/{nid}/marks?{parameters}"));
    assert_eq!(
        marks("q=house"),
        json!({
            "pages": [{"page": 1, "count": 1}, {"page": 2, "count": 2}, {"page": 4, "count": 1}],
            "spellings": ["house", "houses"],
        })
    );
    assert_eq!(marks("q=haus")["spellings"], json!(["häuser"]));
    let phrase = marks(&format!("q={}", encoded("\"old house\"")));
    assert_eq!(phrase["spellings"], json!(["old house"]));
    assert_eq!(marks("q=house&stems=false")["spellings"], json!(["house"]));
    assert_eq!(
        marks("q=title%3Ahouses"),
        json!({"pages": [], "spellings": []})
    );
    for (path, status) in [
        (format!("/api/v1/items/{nid}/marks"), 400),
        ("/api/v1/items/999999/marks?q=a".to_owned(), 404),
    ] {
        server.get(&path).as_admin().send().expect(status);
    }
}

#[test]
fn a_list_of_found_items_begins_with_what_fits_best() {
    let server = TestServer::start();
    let model = server.term("islandora_models", "Collection");
    let shelf = server.create_object_with("Shelf", json!({"field_model": [{"target_id": model}]}));
    let within = |title: &str, text: &str| {
        let fields = json!({"field_member_of": [{"target_id": shelf}], "field_description": [{"value": text}]});
        server.create_object_with(title, fields)
    };
    let least = within(
        "A list",
        &format!("island {}", "of other things ".repeat(60)),
    );
    let most = within("Island", "island, an island");
    let beside = server.create_object("The island");
    let list = |parameters: &str| get(&server, &format!("/api/v1/items?q=island&{parameters}"));
    let best = list("sort=relevance");
    assert_eq!(nids(&best), [most, beside, least]);
    assert_eq!(best["total"], 3);
    for place in [
        format!("collection={shelf}"),
        format!("collection={shelf}&below=true"),
        "status=1&type=islandora_object&collection=".to_owned() + &shelf.to_string(),
        format!("lacks=field_subject&view=recent&below=true&collection={shelf}"),
    ] {
        let whole = list(&format!("sort=relevance&{place}"));
        assert_eq!(
            (nids(&whole), &whole["total"]),
            (vec![most, least], &json!(2)),
            "{place}"
        );
        let first = list(&format!("sort=relevance&limit=1&{place}"));
        let next = first["next"].as_str().expect("another page");
        let second = list(&format!("sort=relevance&limit=1&{place}&after={next}"));
        assert_eq!(
            (nids(&second), &second["next"]),
            (vec![least], &Value::Null),
            "{place}"
        );
        let jumped = list(&format!("sort=relevance&offset=1&limit=9&{place}"));
        assert_eq!(nids(&jumped), [least], "{place}");
        let beyond = list(&format!("sort=relevance&offset=9000000000&{place}"));
        assert_eq!(
            (nids(&beyond), &beyond["total"]),
            (vec![], &json!(2)),
            "{place}"
        );
        let path = format!("/api/v1/items/position?q=island&sort=relevance&nid={least}&{place}");
        assert_eq!(get(&server, &path)["offset"], 1, "{place}");
        let path = format!("/api/v1/items/position?q=island&sort=relevance&nid={beside}&{place}");
        assert_eq!(get(&server, &path)["offset"], Value::Null, "{place}");
        let path = format!("/api/v1/items/position?q=island&sort=relevance&nid={shelf}&{place}");
        assert_eq!(get(&server, &path)["offset"], Value::Null, "{place}");
        let path = format!("/api/v1/items/ids?q=island&sort=relevance&{place}");
        assert_eq!(get(&server, &path)["nids"], json!([most, least]), "{place}");
    }
    // Without words nothing fits better than anything else.
    let all = get(&server, "/api/v1/items?sort=relevance");
    assert_eq!(nids(&all), nids(&get(&server, "/api/v1/items")));
    server
        .get("/api/v1/items?q=a&sort=relevance&after=x")
        .send()
        .expect(400);
}

#[test]
fn words_without_a_language_are_found_by_german_and_english_stems() {
    let server = TestServer::start();
    let houses = server.create_object("Houses");
    let hauser = server.create_object("Häuser am Fluss");
    let list = |parameters: &str| nids(&get(&server, &format!("/api/v1/items?{parameters}")));
    assert_eq!(server.found("house"), [houses]);
    assert_eq!(server.found("haus"), [hauser]);
    assert_eq!(server.found_with("house", "&stems=false"), [0; 0]);
    assert_eq!(list("q=haus%20fluss"), [hauser]);
    assert_eq!(list("q=hou"), [houses]);
    assert_eq!(list("q=housing"), [houses]);
    assert_eq!(list("q=hou&stems=false"), [0; 0]);
    assert_eq!(list("q=HOUSES&stems=false"), [houses]);
    server
        .get("/api/v1/items?q=a&stems=maybe")
        .send()
        .expect(400);
}
