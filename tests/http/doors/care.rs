//! The doors to what once was: histories, the trash, former bytes; and to the care of bytes.

use serde_json::{Value, json};

use super::{Door, EVERYBODY, SIGNED_IN, Things, door};
use crate::support::TestServer;

/// Current revisions of a node, a media and a term.
pub fn revisions(server: &TestServer, nid: i64, mid: i64, tid: i64) -> [i64; 3] {
    let term = server.get(&format!("/taxonomy/term/{tid}")).as_admin();
    let term = term.send().expect(200).json();
    let revision = |value: &Value| value[0]["value"].as_i64().expect("a number");
    [
        revision(&server.node(nid)["vid"]),
        revision(&server.media(mid)["vid"]),
        revision(&term["revision_id"]),
    ]
}

/// Path of an upload in parts that the administrator has begun.
pub fn begun(server: &TestServer, nid: i64) -> String {
    let place = server.upload_path(nid, "file", "Original File");
    let request = server
        .put(&place)
        .as_admin()
        .header("Upload-Complete", "?0");
    let request = request.header("Content-Location", "public://doors/parts.txt");
    let answer = request.body("text/plain", "").send().expect(201);
    server.path_of(answer.header("location").expect("a Location"))
}

/// Who may change a thing sees its history. Who may change a term may revert it as well.
pub fn history_doors() -> Vec<Door> {
    let editors_of_nodes = [200, 200, 403, 401];
    let editors_of_media = [200, 403, 403, 401];
    let editors_of_terms = [200, 200, 403, 401];
    vec![
        door(editors_of_nodes, |server, things| {
            server.get(&format!("/api/v1/items/{}/revisions", things.nid))
        }),
        door(editors_of_nodes, |server, things| {
            server.get(&state(things, "items", ""))
        }),
        door(editors_of_nodes, |server, things| {
            server.get(&state(things, "items", "/changes"))
        }),
        door([200, 403, 403, 401], |server, things| {
            server.post(&state(things, "items", "/revert"))
        }),
        door([404, 404, 404, 404], |server, things| {
            server.get(&format!("/api/v1/items/{}/revisions", things.trashed))
        }),
        door(editors_of_media, |server, things| {
            server.get(&format!("/api/v1/media/{}/revisions", things.mid))
        }),
        door(editors_of_media, |server, things| {
            server.get(&state(things, "media", ""))
        }),
        door(editors_of_media, |server, things| {
            server.get(&state(things, "media", "/changes"))
        }),
        door([200, 403, 403, 401], |server, things| {
            server.post(&state(things, "media", "/revert"))
        }),
        door(editors_of_terms, |server, things| {
            server.get(&format!("/api/v1/terms/{}/revisions", things.tid))
        }),
        door(editors_of_terms, |server, things| {
            server.get(&state(things, "terms", ""))
        }),
        door(editors_of_terms, |server, things| {
            server.get(&state(things, "terms", "/changes"))
        }),
        door(editors_of_terms, |server, things| {
            server.post(&state(things, "terms", "/revert"))
        }),
    ]
}

/// Path of the current state of a thing in its history, or of what is below it.
fn state(things: &Things, noun: &str, below: &str) -> String {
    let [node, media, term] = things.revisions;
    let (id, revision) = match noun {
        "items" => (things.nid, node),
        "media" => (things.mid, media),
        _ => (things.tid, term),
    };
    format!("/api/v1/{noun}/{id}/revisions/{revision}{below}")
}

/// What lies in the trash is there for those who may delete it.
pub fn trash_doors() -> Vec<Door> {
    vec![
        door(SIGNED_IN, |server, _| server.get("/api/v1/trash")),
        door([200, 404, 404, 401], |server, things| {
            server.get(&trashed(things))
        }),
        door([204, 404, 404, 401], |server, things| {
            server.post(&format!("{}/restore", trashed(things)))
        }),
        door([204, 404, 404, 401], |server, things| {
            server.delete(&trashed(things))
        }),
        door([200, 200, 200, 401], |server, _| {
            server.delete("/api/v1/trash")
        }),
    ]
}

fn trashed(things: &Things) -> String {
    format!("/api/v1/trash/node/{}", things.trashed)
}

/// Former bytes, the audit of all bytes, backups, and uploads in parts.
pub fn byte_doors() -> Vec<Door> {
    vec![
        door(EVERYBODY, |server, things| {
            server.get(&format!("/api/v1/files/{}/versions", things.fid))
        }),
        door(EVERYBODY, |server, things| {
            server.get(&format!("/api/v1/files/{}/versions/1/content", things.fid))
        }),
        door([200, 403, 403, 401], |server, _| {
            server.get("/api/v1/fixity")
        }),
        door([200, 403, 403, 401], |server, _| {
            server.get("/api/v1/backups")
        }),
        door([201, 201, 403, 401], |server, things| {
            let request = server.put(&server.upload_path(things.nid, "image", "Service File"));
            let request = request.header("Content-Location", "public://doors/parts.png");
            let request = request.header("Upload-Complete", "?0");
            request.body("image/png", "")
        }),
        door([204, 404, 404, 401], |server, things| {
            server.head(&things.upload)
        }),
        door([204, 404, 404, 401], |server, things| {
            let request = server.patch(&things.upload).header("Upload-Offset", "0");
            let request = request.header("Upload-Complete", "?0");
            request.body("application/partial-upload", "bytes")
        }),
        door([204, 404, 404, 401], |server, things| {
            server.delete(&things.upload)
        }),
    ]
}

/// How the server runs is for administrators. What is switched off already stays so.
pub fn server_doors() -> Vec<Door> {
    let administrators = [200, 403, 403, 401];
    vec![
        door(administrators, |server, _| server.get("/api/v1/server")),
        door(administrators, |server, _| {
            server.get("/api/v1/server/requests")
        }),
        door(administrators, |server, _| {
            let off = json!({"lan": {"enabled": false}});
            server.patch("/api/v1/server").json(off)
        }),
    ]
}
