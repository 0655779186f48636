//! The request of a row.

use serde_json::{Value, json};

use super::people::OWNER;
use super::{Row, Things};
use crate::support::{PLAIN, Request, Response, TestServer, png};

/// The request of a row, made to things in its state.
pub fn ask<'s>(server: &'s TestServer, row: &Row, things: &Things) -> Request<'s> {
    let (path, query) = row.parts();
    let is_read = ["GET", "HEAD"].contains(&row.method.as_str());
    if is_read {
        return server.request(&row.method, &things.fill(&row.path, row.state));
    }
    let request = server.request(&row.method, &things.fill(path, row.state));
    match row.method.as_str() {
        "PUT" => put(request, path, query, things),
        "POST" => post(server, request, path, query, row, things),
        "PATCH" => patch(request, path, query, things),
        _ => request,
    }
}

/// The path of a saved search that the request of a row has made.
pub fn saved_search(row: &Row, answer: &Response) -> Option<String> {
    let made = row.method == "POST" && row.parts().0 == "/api/v1/saved-searches";
    (made && answer.status == 201)
        .then(|| format!("/api/v1/saved-searches/{}", answer.json()["id"]))
}

fn put<'s>(request: Request<'s>, path: &str, body: &str, things: &Things) -> Request<'s> {
    if path.ends_with("/templates") {
        return request.json(json!({"type": "islandora_object", "values": {}}));
    }
    if path.ends_with("/definition") || path.contains("/presence/") {
        return request.json(json!({}));
    }
    if path.ends_with("/picture-adjustment") {
        return request.json(json!({"rotation": 90}));
    }
    let named = ["/{node}/", "/add_derivative/"];
    let request = match named.iter().any(|part| path.contains(part)) {
        true => request.header("Content-Location", things.place()),
        false => request,
    };
    match body {
        "begun" => request
            .header("Upload-Complete", "?0")
            .body("image/png", ""),
        _ => request.body("image/png", png(20, 10)),
    }
}

fn post<'s>(
    server: &TestServer,
    request: Request<'s>,
    path: &str,
    body: &str,
    row: &Row,
    things: &Things,
) -> Request<'s> {
    match path {
        _ if body == "nothing" => request.json(json!({})),
        "/node" if body == "page" => request.json(titled("page")),
        "/node" if body == "status" => {
            let hidden = json!({"status": [{"value": false}]});
            request.json(crate::support::merge(server.object("Written"), hidden))
        }
        "/node" => request.json(server.object("Written")),
        "/entity/media" => {
            let file: i64 = things.fill("{unused}", row.state).parse().expect("a fid");
            let source = json!([{"target_id": file, "alt": "A picture"}]);
            request.json(json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Written"}], "field_media_image": source}))
        }
        "/entity/path_alias" => {
            let node = things.fill("/node/{node}", row.state);
            let alias = things.place().replace("public:/", "");
            request.json(json!({"path": [{"value": node}], "alias": [{"value": alias}]}))
        }
        "/entity/redirect" => {
            let source = things.place().replace("public://", "");
            let target = json!([{"uri": "internal:/node"}]);
            request
                .json(json!({"redirect_source": [{"path": source}], "redirect_redirect": target}))
        }
        "/oai/request" => request.body("application/x-www-form-urlencoded", "verb=Identify"),
        "/taxonomy/term" if body == "genre" => request.json(named("genre")),
        "/taxonomy/term" => request.json(named("tags")),
        "/api/v1/users" if !body.is_empty() => {
            let name = format!("an {body}");
            request.json(json!({"name": name, "password": "a new password", "roles": [body]}))
        }
        "/api/v1/saved-searches" => {
            request.json(json!({"name": "Maps", "query": "q=map", "public": body == "public"}))
        }
        "/api/v1/share_links" => {
            let item: i64 = things.fill("{node}", row.state).parse().expect("a nid");
            let name = things.place();
            request.json(json!({"item": item, "name": name, "expires": "2999-01-01T00:00:00Z"}))
        }
        "/api/v1/session/link" => request.json(json!({"key": "none"})),
        "/api/v1/users"
        | "/api/v1/roles"
        | "/api/v1/tokens"
        | "/user/login"
        | "/api/v1/backups"
        | "/api/v1/watched-folders"
        | "/api/v1/watched-folders/dry-run" => request.json(json!({})),
        _ if path.starts_with("/file/upload/media/") => {
            let extension = if path.contains("/audio/") {
                "mp3"
            } else {
                "png"
            };
            let name = format!("file; filename=\"sent.{extension}\"");
            let request = request.header("Content-Disposition", name);
            request.body("application/octet-stream", png(7, 5))
        }
        _ => request,
    }
}

fn patch<'s>(request: Request<'s>, path: &str, body: &str, things: &Things) -> Request<'s> {
    match (path, body) {
        ("/api/v1/saved-searches/{search}", "private") => request.json(json!({"public": false})),
        ("/node/{node}" | "/node/{ownerless}", "") => request.json(titled("islandora_object")),
        ("/node/{node}", "alias") => {
            let alias = things.place().replace("public:/", "");
            let changed = json!({"path": [{"alias": alias}]});
            request.json(crate::support::merge(titled("islandora_object"), changed))
        }
        ("/node/{node}", field) => {
            let changed = json!({field: [reserved(field)]});
            request.json(crate::support::merge(titled("islandora_object"), changed))
        }
        ("/media/{media}", "uid") => {
            request.json(json!({"bundle": [{"target_id": "image"}], "uid": [reserved("uid")]}))
        }
        ("/media/{media}" | "/media/{media}/edit", _) => request
            .json(json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Written"}]})),
        ("/taxonomy/term/{term}", _) => request.json(named("tags")),
        ("/api/v1/users/{user}", "roles") => request.json(json!({"roles": [OWNER.name]})),
        (
            "/api/v1/users/{user}"
            | "/api/v1/roles/editor"
            | "/api/v1/watched-folders/0"
            | "/api/v1/saved-searches/0"
            | "/api/v1/saved-searches/{search}",
            _,
        ) => request.json(json!({})),
        ("/api/v1/repository", _) => request.json(json!({})),
        ("/api/v1/server", _) => request.json(json!({"lan": {"enabled": false}})),
        ("/api/v1/uploads/{upload}", _) => {
            let request = request.header("Upload-Offset", "0");
            let request = request.header("Upload-Complete", "?0");
            request.body("application/partial-upload", "bytes")
        }
        _ => panic!("nobody said what to send to {path}"),
    }
}

/// Another value of a field that not everybody may set. Hidden nodes become shown ones.
fn reserved(field: &str) -> Value {
    match field {
        "uid" => json!({"target_id": PLAIN.uid}),
        "created" => json!({"value": 1_000_000_000}),
        // Long after these things.
        "publish_on" => json!({"value": 4_000_000_000_i64}),
        "promote" => json!({"value": false}),
        _ => json!({"value": true}),
    }
}

fn titled(bundle: &str) -> Value {
    json!({"type": [{"target_id": bundle}], "title": [{"value": "Written"}]})
}

fn named(vocabulary: &str) -> Value {
    json!({"vid": [{"target_id": vocabulary}], "name": [{"value": "Written"}]})
}
