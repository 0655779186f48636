//! `/api/v1/share_links`: what somebody without an account sees who was given a link, and until when.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{DEPOSITOR, Person, Request, Response, TestServer, hits, png};
use crate::v1_users::change;

const PATH: &str = "/api/v1/share_links";
const LATE: &str = "2999-01-01T00:00:00Z";

fn hidden_in(parent: Option<i64>) -> Value {
    let parents = parent.map(|nid| json!({"target_id": nid}));
    let parents: Vec<Value> = parents.into_iter().collect();
    json!({"status": [{"value": false}], "field_member_of": parents})
}

/// A collection with an item and its picture, and a letter elsewhere. None of them is public.
struct Drafts {
    server: TestServer,
    maps: i64,
    chart: i64,
    letter: i64,
}

impl Drafts {
    fn new() -> Drafts {
        let server = TestServer::start();
        let maps = server.create_object_with("Maps of the harbour", hidden_in(None));
        let chart = server.create_object_with("Harbour chart", hidden_in(Some(maps)));
        let letter = server.create_object_with("Harbour letter", hidden_in(None));
        let original = server.term("islandora_media_use", "Original File");
        let put = server.put(&format!("/node/{chart}/media/image/{original}"));
        let put = put.header("Content-Location", "public://chart.png");
        let put = put.as_admin().body("image/png", png(7, 5));
        put.send().expect(201);
        Drafts {
            server,
            maps,
            chart,
            letter,
        }
    }

    fn share(&self, item: i64, name: &str, expires: &str) -> Request<'_> {
        let body = json!({"item": item, "name": name, "expires": expires});
        self.server.post(PATH).json(body)
    }

    /// A link of the administrator to the collection.
    fn link(&self) -> Link<'_> {
        let made = self.share(self.maps, "Reviewer", LATE).as_admin().send();
        Link::open(&self.server, &made.expect(201).json())
    }

    fn revoke(&self, link: &Link<'_>, person: Person) -> Response {
        let path = format!("{PATH}/{}", link.id);
        self.server.delete(&path).signed_in(person).send()
    }
}

/// A browser in which a link was opened.
struct Link<'s> {
    server: &'s TestServer,
    id: i64,
    cookie: String,
}

impl Link<'_> {
    fn open<'s>(server: &'s TestServer, made: &Value) -> Link<'s> {
        let url = made["url"].as_str().expect("an address");
        let (_, key) = url.split_once("/share#").expect("a key");
        let answer = present(server, key).expect(200);
        let cookie = answer.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
        Link {
            server,
            id: made["id"].as_i64().expect("a number"),
            cookie: cookie.split(';').next().expect("a pair").to_owned(),
        }
    }

    fn ask(&self, method: &str, path: &str) -> Request<'_> {
        let request = self.server.request(method, path);
        request.header("Cookie", self.cookie.clone())
    }

    fn get(&self, path: &str) -> Response {
        self.ask("GET", path).send()
    }
}

fn present(server: &TestServer, key: &str) -> Response {
    let body = json!({"key": key});
    server.post("/api/v1/session/link").json(body).send()
}

#[test]
fn a_link_shows_its_item_and_everything_below_and_nothing_else() {
    let drafts = Drafts::new();
    let (maps, chart, letter) = (drafts.maps, drafts.chart, drafts.letter);
    let item = |nid: i64| format!("/node/{nid}?_format=json");
    drafts.server.get(&item(chart)).send().expect(401);
    let link = drafts.link();
    link.get(&item(maps)).expect(200);
    link.get(&item(chart)).expect(200);
    link.get(&item(letter)).expect(401);

    let below = link.get(&format!("/api/v1/items?collection={maps}"));
    let below = below.expect(200).json();
    assert_eq!(below["items"][0]["title"], "Harbour chart");
    assert_eq!(below["total"], 1, "{below}");
    let found = link.get("/api/v1/search?q=harbour").expect(200).json();
    let all = drafts
        .server
        .get("/api/v1/search?q=harbour")
        .as_admin()
        .send()
        .json();
    assert_eq!(hits(&found).len(), 2, "{:?} {:?}", hits(&found), hits(&all));
    assert!(!found.to_string().contains("letter"));

    let media = link.get(&format!("/api/v1/items/{chart}/media"));
    let media = media.expect(200).json();
    let url = media["media"][0]["file"]["url"].as_str().expect("a url");
    let path = url.splitn(4, '/').nth(3).expect("a path");
    let bytes = link.get(&format!("/{path}")).expect(200);
    assert_eq!(bytes.body, png(7, 5));
    let path = format!("/{}", path.split('?').next().unwrap_or_default());
    let signed_in = drafts.server.get(&path).as_admin().send().expect(200);
    for bytes in [bytes, signed_in] {
        let caching = bytes.header("cache-control").unwrap_or_default();
        assert!(!caching.contains("public"), "{caching}");
    }
    assert_ne!(drafts.server.get(&path).send().status, 200);

    let session = link.get("/api/v1/session").expect(200).json();
    assert_eq!(session["user"], Value::Null);
    let shown = json!({"nid": maps, "title": "Maps of the harbour"});
    assert_eq!(session["link"]["item"], shown);
}

#[test]
fn a_link_shows_its_item_also_where_visitors_see_nothing() {
    let drafts = Drafts::new();
    drafts.server.allow_nothing("anonymous");
    let link = drafts.link();
    let shown = |path: &str| link.get(path).status;
    assert_eq!(shown(&format!("/node/{}?_format=json", drafts.chart)), 200);
    assert_eq!(shown(&format!("/node/{}?_format=json", drafts.letter)), 401);
    let media = link.get(&format!("/api/v1/items/{}/media", drafts.chart));
    let media = media.expect(200).json();
    assert_eq!(media["media"].as_array().map(Vec::len), Some(1), "{media}");
}

#[test]
fn a_link_changes_nothing() {
    let drafts = Drafts::new();
    let link = drafts.link();
    let (maps, chart) = (drafts.maps, drafts.chart);
    let body = drafts.server.object("Other");
    let more = json!({"item": maps, "name": "More", "expires": LATE});
    let requests = [
        ("PATCH", format!("/node/{chart}?_format=json"), body.clone()),
        ("DELETE", format!("/node/{chart}?_format=json"), json!({})),
        ("POST", "/node?_format=json".to_owned(), body),
        ("POST", PATH.to_owned(), more),
        ("POST", "/api/v1/batches".to_owned(), json!({})),
    ];
    for (method, path, body) in requests {
        let answer = link.ask(method, &path).json(body).send();
        assert_eq!(answer.status, 401, "{method} {path}");
    }
    link.get(&format!("{PATH}?item={maps}")).expect(401);
    link.get(&format!("/api/v1/items/{chart}/revisions"))
        .expect(401);
    // Who signs in does so, whatever link they came by.
    let log_in = json!({"name": DEPOSITOR.name, "pass": DEPOSITOR.password});
    let log_in = link.ask("POST", "/user/login?_format=json").json(log_in);
    log_in.send().expect(200);
}

#[test]
fn a_link_ends_when_it_is_revoked_and_with_the_rights_of_its_maker() {
    let drafts = Drafts::new();
    let server = &drafts.server;
    let permissions = [
        "access content",
        "view media",
        "view any unpublished content",
        "share content",
    ];
    server.add_role("sharer", &permissions);
    let account = |body: Value| {
        change(server, DEPOSITOR.uid, body)
            .as_admin()
            .send()
            .expect(200);
    };
    let item = format!("/node/{}?_format=json", drafts.chart);
    let share = || {
        drafts
            .share(drafts.maps, "Mine", LATE)
            .signed_in(DEPOSITOR)
            .send()
    };
    share().expect(404);
    account(json!({"roles": ["sharer"]}));
    let mine = Link::open(server, &share().expect(201).json());
    mine.get(&item).expect(200);
    account(json!({"roles": []}));
    let answer = mine.get(&item).expect(401);
    let cookie = answer.header("set-cookie").unwrap_or_default();
    assert!(cookie.contains("Max-Age=0"), "{cookie}");
    account(json!({"roles": ["sharer"], "active": false}));
    mine.get(&item).expect(401);
    account(json!({"active": true}));
    mine.get(&item).expect(200);

    // One's own a person may end also without the right to share.
    let of_admin = drafts.link();
    account(json!({"roles": []}));
    drafts.revoke(&of_admin, DEPOSITOR).expect(404);
    drafts.revoke(&mine, DEPOSITOR).expect(204);
    account(json!({"roles": ["sharer"]}));
    drafts.revoke(&of_admin, DEPOSITOR).expect(204);
    mine.get(&item).expect(401);
    of_admin.get(&item).expect(401);
}

#[test]
fn a_link_ends_at_its_time() {
    let drafts = Drafts::new();
    let soon = (chrono::Utc::now() + chrono::Duration::seconds(3)).to_rfc3339();
    let made = drafts.share(drafts.chart, "Soon", &soon).as_admin().send();
    let link = Link::open(&drafts.server, &made.expect(201).json());
    let item = format!("/node/{}?_format=json", drafts.chart);
    let begun = Instant::now();
    while link.get(&item).status == 200 {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not end");
        sleep(Duration::from_millis(100));
    }
    let past = drafts.share(drafts.chart, "Past", "2001-01-01T00:00:00Z");
    past.as_admin().send().expect(422);
    present(&drafts.server, "nothing").expect(404);
}

#[test]
fn links_are_listed_for_those_who_may_end_them() {
    let drafts = Drafts::new();
    let server = &drafts.server;
    let link = drafts.link();
    let share = |item: i64, name: &str| drafts.share(item, name, LATE).as_admin().send();
    share(drafts.maps, "Reviewer").expect(422);
    share(drafts.letter, "Other").expect(201);
    let names = |query: &str| -> Vec<Value> {
        let listed = server.get(&format!("{PATH}{query}")).as_admin().send();
        let listed = listed.expect(200).json()["links"].clone();
        let links = listed.as_array().cloned().expect("links");
        links.iter().map(|link| link["name"].clone()).collect()
    };
    assert_eq!(names(""), ["Other", "Reviewer"]);
    assert_eq!(names(&format!("?item={}", drafts.maps)), ["Reviewer"]);
    let listed = server.get(PATH).signed_in(DEPOSITOR).send().expect(200);
    assert_eq!(listed.json()["total"], 0);

    // In the trash, the item is shown to nobody. The link works again when it is back.
    let item = format!("/node/{}?_format=json", drafts.maps);
    server.delete(&item).as_admin().send().expect(204);
    link.get(&item).expect(404);
    let restore = format!("/api/v1/trash/node/{}/restore", drafts.maps);
    server.post(&restore).as_admin().send().expect(204);
    link.get(&item).expect(200);
    let events = server.get("/api/v1/activity?limit=50").as_admin().send();
    let events = events.expect(200).text();
    assert!(events.contains("issue_link"), "{events}");
}
