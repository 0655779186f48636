//! `/api/v1/search`: what is found, where it stands, close matches and suggestions.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, encoded, hits};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

#[track_caller]
fn upload(server: &TestServer, nid: i64, path: (&str, &str, &str), text: &str) -> i64 {
    let (media_type, media_use, name) = path;
    let upload = server.put(&server.upload_path(nid, media_type, media_use));
    let upload = upload.as_admin().header("Content-Location", name);
    upload
        .body("text/plain", text.to_owned())
        .send()
        .expect(201)
        .created()
}

#[test]
fn an_item_is_found_by_whatever_is_said_of_it() {
    let server = TestServer::start();
    let painter = server.create_term_with(
        "person",
        "Wölfflin, Heinrich",
        json!({"field_alternate_name": [{"value": "Heinz Wolf"}]}),
    );
    let topic = server.create_term("subject", "Kupferstiche");
    let nid = server.create_object_with(
        "Ansicht der Stadt",
        json!({
            "field_linked_agent": [{"target_id": painter, "rel_type": "relators:art"}],
            "field_subject": [{"target_id": topic}],
            "field_identifier": [{"value": "Inv. 1903-17b"}],
            "field_description": [{"value": "Mit einem Zeppelin über dem Fluss"}],
            "field_rights": [{"value": "<p>Nur im <b>Lesesaal</b></p>", "format": "basic_html"}],
            "field_edtf_date_created": [{"value": "1903-05"}],
        }),
    );
    upload(
        &server,
        nid,
        ("file", "Original File", "public://notizbuch.txt"),
        "x",
    );
    upload(
        &server,
        nid,
        ("extracted_text", "Extracted Text", "public://words.txt"),
        "first page\u{c}second page with a Quittung in it",
    );
    for typed in [
        "ansicht",
        "stadt ansicht",
        "wolfflin",
        "\"heinz wolf\"",
        "artist",
        "kupferstiche",
        "1903-17b",
        "zeppelin",
        "lesesaal",
        "notizbuch",
        "quittung",
        "date:1903",
        "subject:kupfer*",
        "title:ansicht zeppelin",
        "file:notizbuch",
        "text:quittung",
        "description:zeppelin",
        "identifier:1903-17b",
        "Person:heinrich",
    ] {
        assert_eq!(server.found(typed), [nid], "{typed}");
    }
    for typed in [
        "subject:zeppelin",
        "date:1904",
        "-ansicht zeppelin",
        "basic_html",
        "\"stadt ansicht\"",
    ] {
        assert_eq!(server.found(typed), [0; 0], "{typed}");
    }
}

#[test]
fn a_hit_says_where_it_is_and_what_is_to_be_marked() {
    let server = TestServer::start();
    let nid = server.create_object("A map of <Venice> & more");
    upload(
        &server,
        nid,
        ("extracted_text", "Extracted Text", "public://venice.txt"),
        "first page\u{c}on the second page stands Venice, too",
    );
    let answer = get(server.search("venice", "").as_admin());
    let hit = &answer["hits"][0];
    assert_eq!(hit["item"]["title"], "A map of <Venice> & more");
    let parts = |texts: &[(&str, bool)]| {
        let parts = texts.iter();
        let parts = parts.map(|(text, marked)| json!({"text": text, "marked": marked}));
        Value::Array(parts.collect())
    };
    let passages = hit["passages"].as_array().expect("passages");
    let passage = |field: &str| passages.iter().find(|one| one["field"] == field);
    let title = passage("title").expect("in the title");
    assert_eq!(
        title["parts"],
        parts(&[("A map of <", false), ("Venice", true), ("> & more", false)])
    );
    assert_eq!(title["page"], Value::Null);
    let text = passage("text").expect("in the text");
    assert_eq!(text["page"], 2);
    assert_eq!(
        text["parts"],
        parts(&[
            ("on the second page stands ", false),
            ("Venice", true),
            (", too", false)
        ])
    );
    assert_eq!(
        (&text["begins_within"], &text["ends_within"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn few_hits_come_with_words_that_are_close() {
    let server = TestServer::start();
    let nid = server.create_object("Lithographie");
    let answer = get(server.search("litographie", "").as_admin());
    assert_eq!(hits(&answer), [0; 0]);
    assert_eq!(
        answer["close_matches"],
        json!([{"word": "litographie", "close": ["lithographie"]}])
    );
    assert_eq!(server.found("lithographie"), [nid]);
}

#[test]
fn pages_hold_every_hit_once() {
    let server = TestServer::start();
    for number in 0..12 {
        server.create_object(&format!("Sheet {number:02}"));
    }
    for sort in ["relevance", "title", "created", "changed", "date"] {
        let whole = server.found_with("sheet", &format!("&sort={sort}&limit=200"));
        assert_eq!(whole.len(), 12, "{sort}");
        let (mut paged, mut after) = (Vec::new(), String::new());
        loop {
            let parameters = format!("&sort={sort}&limit=5{after}");
            let page = get(server.search("sheet", &parameters).as_admin());
            paged.extend(hits(&page));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        assert_eq!(paged, whole, "{sort}");
        let jumped = server.found_with("sheet", &format!("&sort={sort}&limit=3&offset=4"));
        assert_eq!(jumped, whole[4..7], "{sort}");
    }
    let up = server.found_with("sheet", "&sort=title");
    let mut down = server.found_with("sheet", "&sort=title&order=desc");
    down.reverse();
    assert_eq!(up, down);
}

#[test]
fn who_types_gets_suggestions() {
    let server = TestServer::start();
    let tid = server.create_term("person", "Müller, Johanna");
    let fields = json!({"field_linked_agent": [{"target_id": tid, "rel_type": "relators:aut"}]});
    let nid = server.create_object_with("Mullion of a window", fields);
    server.until_searchable();
    let answer = server.get("/api/v1/search/suggestions?q=mull").as_admin();
    let answer = get(answer);
    assert_eq!(
        answer["items"],
        json!([{"nid": nid, "title": "Mullion of a window"}])
    );
    assert_eq!(
        answer["values"],
        json!([{"facet": "agent", "value": tid.to_string(), "label": "Müller, Johanna"}])
    );
    assert_eq!(
        server.found_with("", &format!("&chosen=agent.relators.aut:{tid}")),
        [nid]
    );
    assert_eq!(
        server.found_with("", &format!("&chosen=agent.relators.pht:{tid}")),
        [0; 0]
    );
}

#[test]
fn what_cannot_be_meant_is_refused_in_words() {
    let server = TestServer::shared();
    server.until_searchable();
    for parameters in [
        "sort=best",
        "order=up",
        "chosen=subject",
        "chosen=nothing:1",
        "facets=nothing",
        "date=soon",
        "stems=maybe",
        "below=0",
        "limit=0",
        "limit=201",
        "values=0",
        "after=x",
        "offset=-1",
        "offset=1&after=eyJ",
        "histogram=1",
    ] {
        let path = format!("/api/v1/search?{parameters}");
        server.get(&path).send().expect(400);
    }
}

#[test]
fn messages_of_revisions_are_not_found() {
    let server = TestServer::start();
    let body = json!({"revision_log": [{"value": "Template Xylophon applied"}]});
    server.create_object_with("Plain", body);
    assert_eq!(server.found("xylophon"), [0; 0]);
    let listed = server.get("/api/v1/items?q=xylophon").as_admin();
    assert_eq!(get(listed)["total"], 0);
}

#[test]
fn others_learn_how_to_search_here() {
    let server = TestServer::shared();
    server.until_searchable();
    let answer = server.get("/api/v1/search").send().expect(200);
    let link = answer.header("link").expect("a link").to_owned();
    let path = format!("<{}/opensearch.xml>; rel=\"search\"", server.base());
    assert!(link.starts_with(&path), "{link}");
    let page = server
        .get("/")
        .header("Accept", "text/html")
        .send()
        .expect(200);
    let link = page.header("link").expect("a link").to_owned();
    assert!(
        link.starts_with("</opensearch.xml>; rel=\"search\""),
        "{link}"
    );
    let document = server.get("/opensearch.xml").send().expect(200);
    let mime = "application/opensearchdescription+xml";
    assert_eq!(document.header("content-type"), Some(mime));
    let template = format!(
        "template=\"{}/api/v1/search?q={{searchTerms}}",
        server.base()
    );
    assert!(document.text().contains(&template), "{}", document.text());
    assert_eq!(encoded("a ü"), "a%20%C3%BC");
}
