//! Every kind of request × every way to sign in × everybody: the answer depends on who asks, never
//! on how they signed in.

mod addresses;
mod care;
mod covered;
mod credentials;

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Person, Request, TestServer, png};

/// A way to sign in, ready to be used by one person.
enum Way {
    Basic(Person),
    Bearer(String),
    Cookie { cookie: String, csrf_token: String },
    Window(String),
    Nobody,
}

impl Way {
    fn bearer(server: &TestServer, person: Person) -> Way {
        let token = server
            .get("/jwt/token")
            .signed_in(person)
            .send()
            .expect(200)
            .json();
        Way::Bearer(token["token"].as_str().expect("a token").to_owned())
    }

    fn cookie(server: &TestServer, person: Person) -> Way {
        let body = json!({"name": person.name, "pass": person.password});
        let answer = server
            .post("/user/login?_format=json")
            .json(body)
            .send()
            .expect(200);
        let cookie = answer.header("set-cookie").expect("a cookie");
        Way::Cookie {
            cookie: cookie.split(';').next().expect("a pair").to_owned(),
            csrf_token: answer.json()["csrf_token"]
                .as_str()
                .expect("a token")
                .to_owned(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Way::Basic(_) => "Basic",
            Way::Bearer(_) => "bearer",
            Way::Cookie { .. } => "cookie",
            Way::Window(_) => "window",
            Way::Nobody => "nothing",
        }
    }

    fn sign<'a>(&self, request: Request<'a>) -> Request<'a> {
        match self {
            Way::Basic(person) => request.signed_in(*person),
            Way::Bearer(token) => request.bearer(token),
            Way::Cookie { cookie, csrf_token } => {
                let request = request.header("Cookie", cookie.clone());
                request.header("X-CSRF-Token", csrf_token.clone())
            }
            Way::Window(key) => request.header("Authorization", format!("Window {key}")),
            Way::Nobody => request,
        }
    }
}

/// What a request is made to: new ones for every attempt, for some attempts succeed.
struct Things {
    nid: i64,
    hidden: i64,
    mid: i64,
    hidden_mid: i64,
    fid: i64,
    tid: i64,
    /// Current revisions of the node, the media and the term.
    revisions: [i64; 3],
    /// A node in the trash.
    trashed: i64,
    /// Path of an upload in parts that the administrator has begun.
    upload: String,
}

impl Things {
    fn new(server: &TestServer) -> Things {
        let nid = server.create_object("Shown");
        let other = server.create_object("Holder of a hidden media");
        let mid = server.upload_image(nid, "public://doors/shown.png");
        let hidden_mid = server.upload_image(other, "public://doors/hidden.png");
        let hide = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
        server
            .patch(&format!("/media/{hidden_mid}"))
            .as_admin()
            .json(hide)
            .send()
            .expect(200);
        let tid = server.create_term("tags", "Shown");
        let trashed = server.create_object("Thrown away");
        let path = format!("/node/{trashed}");
        server.delete(&path).as_admin().send().expect(204);
        Things {
            revisions: care::revisions(server, nid, mid, tid),
            upload: care::begun(server, nid),
            trashed,
            nid,
            hidden: server.create_object_with("Hidden", json!({"status": [{"value": false}]})),
            mid,
            hidden_mid,
            fid: server.media(mid)["field_media_image"][0]["target_id"]
                .as_i64()
                .expect("a file"),
            tid,
        }
    }
}

/// A kind of request, and the status for admin, depositor, plain and nobody.
struct Door {
    make: for<'a> fn(&'a TestServer, &Things) -> Request<'a>,
    statuses: [u16; 4],
}

const EVERYBODY: [u16; 4] = [200, 200, 200, 200];
const SIGNED_IN: [u16; 4] = [200, 200, 200, 401];

fn door(statuses: [u16; 4], make: for<'a> fn(&'a TestServer, &Things) -> Request<'a>) -> Door {
    Door { make, statuses }
}

fn title(bundle: &str) -> Value {
    json!({"type": [{"target_id": bundle}], "title": [{"value": "Written"}]})
}

fn term(vocabulary: &str) -> Value {
    json!({"vid": [{"target_id": vocabulary}], "name": [{"value": "Written"}]})
}

fn node_doors() -> Vec<Door> {
    vec![
        door(EVERYBODY, |server, things| {
            server.get(&format!("/node/{}?_format=json", things.nid))
        }),
        door(EVERYBODY, |server, things| {
            server.head(&format!("/node/{}?_format=jsonld", things.nid))
        }),
        door([200, 403, 403, 401], |server, things| {
            server.get(&format!("/node/{}?_format=json", things.hidden))
        }),
        door([200, 403, 403, 401], |server, things| {
            server.get(&format!("/node/{}?_format=jsonld", things.hidden))
        }),
        door([201, 201, 403, 401], |server, _| {
            server.post("/node").json(server.object("Written"))
        }),
        door([201, 403, 403, 401], |server, _| {
            server.post("/node").json(title("page"))
        }),
        door([200, 200, 403, 401], |server, things| {
            server
                .patch(&format!("/node/{}", things.nid))
                .json(title("islandora_object"))
        }),
        door([204, 403, 403, 401], |server, things| {
            server.delete(&format!("/node/{}", things.nid))
        }),
    ]
}

fn media_doors() -> Vec<Door> {
    vec![
        door(EVERYBODY, |server, things| {
            server.get(&format!("/media/{}?_format=json", things.mid))
        }),
        door([200, 403, 403, 401], |server, things| {
            server.get(&format!("/media/{}?_format=json", things.hidden_mid))
        }),
        door([201, 201, 403, 401], |server, things| {
            let source = json!([{"target_id": things.fid}]);
            let body = json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Written"}], "field_media_image": source});
            server.post("/entity/media").json(body)
        }),
        door([200, 403, 403, 401], |server, things| {
            let body = json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Written"}]});
            server.patch(&format!("/media/{}", things.mid)).json(body)
        }),
        door([204, 403, 403, 401], |server, things| {
            server.delete(&format!("/media/{}", things.mid))
        }),
        door([201, 201, 403, 401], |server, things| {
            let request = server.put(&server.upload_path(things.nid, "image", "Service File"));
            request
                .header("Content-Location", "public://doors/new.png")
                .body("image/png", png(7, 5))
        }),
        door([204, 204, 403, 401], |server, things| {
            server
                .put(&server.upload_path(things.nid, "image", "Original File"))
                .body("image/png", png(20, 10))
        }),
        door([204, 204, 403, 401], |server, things| {
            server
                .put(&format!("/media/{}/source", things.mid))
                .body("image/png", png(20, 10))
        }),
        door([201, 201, 403, 401], |server, _| {
            let request = server.post("/file/upload/media/image/field_media_image");
            let request = request.header("Content-Disposition", "file; filename=\"door.png\"");
            request.body("application/octet-stream", png(7, 5))
        }),
        door(EVERYBODY, |server, things| {
            server.get(&format!("/entity/file/{}", things.fid))
        }),
        door([204, 403, 403, 401], |server, things| {
            server.delete(&format!("/entity/file/{}", things.fid))
        }),
    ]
}

fn other_doors() -> Vec<Door> {
    vec![
        door(EVERYBODY, |server, things| {
            server.get(&format!("/taxonomy/term/{}?_format=json", things.tid))
        }),
        door([201, 201, 403, 401], |server, _| {
            server.post("/taxonomy/term").json(term("tags"))
        }),
        door([201, 403, 403, 401], |server, _| {
            server.post("/taxonomy/term").json(term("genre"))
        }),
        door([200, 200, 403, 401], |server, things| {
            server
                .patch(&format!("/taxonomy/term/{}", things.tid))
                .json(term("tags"))
        }),
        door([204, 403, 403, 401], |server, things| {
            server.delete(&format!("/taxonomy/term/{}", things.tid))
        }),
        door([200, 403, 200, 401], |server, _| {
            server.get("/user/3?_format=json")
        }),
        door([200, 403, 200, 401], |server, _| {
            server.get("/api/v1/users/3")
        }),
        door([200, 403, 403, 401], |server, _| {
            server.get("/api/v1/users")
        }),
        door([200, 403, 403, 401], |server, _| {
            server.patch("/api/v1/users/3").json(json!({"roles": []}))
        }),
        door([422, 403, 403, 401], |server, _| {
            server.post("/api/v1/users").json(json!({}))
        }),
        door([200, 403, 403, 401], |server, _| {
            server.get("/api/v1/roles")
        }),
        door(SIGNED_IN, |server, _| server.get("/jwt/token")),
        door(EVERYBODY, |server, _| server.get("/api/v1/session")),
        door(EVERYBODY, |server, _| server.get("/api/v1/content-model")),
        door(EVERYBODY, |server, _| server.get("/api/v1/items")),
        door(EVERYBODY, |server, _| server.get("/api/v1/counts")),
        door(EVERYBODY, |server, _| server.get("/api/v1/collections")),
        door(EVERYBODY, |server, _| server.get("/api/v1/media")),
        door(EVERYBODY, |server, _| server.get("/api/v1/labels?node=1")),
        door(EVERYBODY, |server, _| {
            server.get("/api/v1/terms?vocabulary=tags")
        }),
        door([200, 404, 404, 404], |server, things| {
            server.get(&format!("/api/v1/items/{}", things.hidden))
        }),
        door([200, 404, 404, 404], |server, things| {
            server.get(&format!("/api/v1/items/{}/media", things.hidden))
        }),
    ]
}

fn doors() -> Vec<Door> {
    let mut doors = node_doors();
    doors.extend(media_doors());
    doors.extend(other_doors());
    doors.extend(addresses::other_addresses());
    doors.extend(addresses::token_doors());
    doors.extend(care::history_doors());
    doors.extend(care::trash_doors());
    doors.extend(care::byte_doors());
    doors.extend(care::server_doors());
    doors
}

#[test]
fn the_answer_depends_on_who_asks_and_never_on_how() {
    let server = TestServer::start();
    let mut things = Things::new(&server);
    let mut wrong = Vec::new();
    let people = [Some(ADMIN), Some(DEPOSITOR), Some(PLAIN), None];
    for (index, person) in people.into_iter().enumerate() {
        let ways = ways(&server, person);
        for door in doors() {
            for way in &ways {
                let answer = way.sign((door.make)(&server, &things)).send();
                if answer.status != door.statuses[index] {
                    let expected = door.statuses[index];
                    let way = way.name();
                    wrong.push(format!(
                        "{person:?} by {way}: {} {}, not {expected}",
                        answer.request, answer.status
                    ));
                }
                if answer.status < 300 && !answer.request.starts_with(['G', 'H']) {
                    // Nobody may leave many uploads unfinished.
                    server.delete(&things.upload).as_admin().send();
                    things = Things::new(&server);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn ways(server: &TestServer, person: Option<Person>) -> Vec<Way> {
    let Some(person) = person else {
        return vec![Way::Nobody];
    };
    let mut ways = vec![
        Way::Basic(person),
        Way::bearer(server, person),
        Way::cookie(server, person),
    ];
    if person == ADMIN {
        ways.push(Way::Window(server.window_key()));
    }
    ways
}
