//! What a request names beside the thing that it is made to, in its body or its parameters: what somebody may not see is
//! answered as what is not there.

use serde_json::{Value, json};

use crate::support::{DEPOSITOR, PLAIN, Person, Request, TestServer, merge, png};

/// A number that nothing has.
const MISSING: i64 = 999_999;

/// Status and body, without the number that was named.
fn answer(request: Request, id: i64) -> (u16, String) {
    let answer = request.send();
    (answer.status, answer.text().replace(&id.to_string(), "#"))
}

/// Fails unless the request is answered the same whichever of the two numbers it names.
#[track_caller]
fn same<'s>(request: impl Fn(i64) -> Request<'s>, hidden: i64) -> u16 {
    let (found, missing) = (request(hidden), request(MISSING));
    let (found, missing) = (answer(found, hidden), answer(missing, MISSING));
    assert_eq!(found, missing);
    found.0
}

/// Hidden things.
struct Hidden {
    node: i64,
    term: i64,
    media: i64,
    file: i64,
}

impl Hidden {
    fn on(server: &TestServer) -> Hidden {
        let hide = json!({"status": [{"value": false}]});
        let node = server.create_object_with("Hidden", hide.clone());
        let media = server.upload_image(node, "public://hidden-references/hidden.png");
        let file = server.media(media)["field_media_image"][0]["target_id"].as_i64();
        let term = server.create_term("genre", "Hidden");
        let change = merge(json!({"vid": [{"target_id": "genre"}]}), hide);
        let request = server.patch(&format!("/taxonomy/term/{term}")).as_admin();
        request.json(change).send().expect(200);
        Hidden {
            node,
            term,
            media,
            file: file.expect("a fid"),
        }
    }
}

fn image(field: &str, target: Value) -> Value {
    let body = json!({"bundle": [{"target_id": "image"}], "name": [{"value": "A picture"}]});
    merge(body, json!({field: [target]}))
}

#[test]
fn a_body_names_what_is_hidden_as_what_is_not_there() {
    let server = TestServer::start();
    let hidden = Hidden::on(&server);
    let own = server.create_object("Own");
    for (field, id) in [
        ("field_member_of", hidden.node),
        ("field_genre", hidden.term),
    ] {
        let body = |id: i64| merge(server.object("New"), json!({field: [{"target_id": id}]}));
        let create = |id| server.post("/node").as_depositor().json(body(id));
        assert_eq!(same(create, id), 422, "{field}");
        let path = format!("/node/{own}");
        let change = |id| server.patch(&path).as_depositor().json(body(id));
        assert_eq!(same(change, id), 422, "{field}");
    }
    for (field, id) in [
        ("field_media_of", hidden.node),
        ("field_media_image", hidden.file),
    ] {
        let body = |id: i64| image(field, json!({"target_id": id}));
        let create = |id| server.post("/entity/media").as_depositor().json(body(id));
        assert_eq!(same(create, id), 422, "{field}");
    }
}

#[test]
fn a_uuid_of_what_is_hidden_is_a_uuid_of_nothing() {
    let server = TestServer::start();
    let uuid = server.node(Hidden::on(&server).node)["uuid"][0]["value"].clone();
    let uuid = uuid.as_str().expect("a uuid");
    let missing = "00000000-0000-4000-8000-000000000000";
    let name = |uuid: &str| {
        let member = json!({"field_member_of": [{"target_uuid": uuid}]});
        let body = merge(server.object("New"), member);
        let answer = server.post("/node").as_depositor().json(body).send();
        (answer.status, answer.text().replace(uuid, "#"))
    };
    assert_eq!(name(uuid), name(missing));
    assert_eq!(name(uuid).0, 422);
}

#[test]
fn an_upload_to_what_is_hidden_is_an_upload_to_nothing() {
    let server = TestServer::start();
    let hidden = Hidden::on(&server);
    let own = server.create_object("Own");
    let original = server.term("islandora_media_use", "Original File");
    let put = |path: &str| {
        let request = server.put(path);
        let request = request.header("Content-Location", "public://hidden-references/new.png");
        request.body("image/png", png(7, 5))
    };
    for media_type in ["image", "unknown"] {
        let to_node = |nid| put(&format!("/node/{nid}/media/{media_type}/{original}"));
        assert_eq!(same(|nid| to_node(nid).as_plain(), hidden.node), 404);
        assert_eq!(same(to_node, hidden.node), 404);
    }
    let with_use = |tid| put(&format!("/node/{own}/media/image/{tid}")).as_depositor();
    assert_eq!(same(with_use, hidden.term), 404);
    // Who may change an item gives it media, whether they see it or not.
    let path = format!("/node/{}/media/image/{original}", hidden.node);
    put(&path).as_depositor().send().expect(204);
}

#[test]
fn a_parameter_names_what_is_hidden_as_what_is_not_there() {
    let server = TestServer::start();
    let hidden = Hidden::on(&server);
    let of_the_term = json!({"field_genre": [{"target_id": hidden.term}], "field_member_of": [{"target_id": hidden.node}]});
    server.create_object_with("Shown", of_the_term);
    for (path, id) in [
        ("/api/v1/items?term=", hidden.term),
        ("/api/v1/items?model=", hidden.term),
        ("/api/v1/items?collection=", hidden.node),
        ("/api/v1/items/ids?term=", hidden.term),
        ("/api/v1/items/ids?collection=", hidden.node),
        ("/api/v1/export?term=", hidden.term),
        ("/api/v1/export?collection=", hidden.node),
        ("/api/v1/export?nids=", hidden.node),
        ("/api/v1/items/facets?collection=", hidden.node),
        ("/api/v1/items/position?nid=", hidden.node),
        ("/api/v1/collections?parent=", hidden.node),
        ("/api/v1/jobs?item=", hidden.node),
        ("/api/v1/pictures?items=", hidden.node),
        ("/api/v1/media?mid=", hidden.media),
        ("/api/v1/labels?node=", hidden.node),
        ("/api/v1/labels?media=", hidden.media),
        ("/api/v1/labels?file=", hidden.file),
        ("/api/v1/labels?taxonomy_term=", hidden.term),
    ] {
        for person in [None::<Person>, Some(PLAIN), Some(DEPOSITOR)] {
            let ask = |id: i64| {
                let request = server.get(&format!("{path}{id}"));
                match person {
                    Some(person) => request.signed_in(person),
                    None => request,
                }
            };
            same(ask, id);
        }
    }
}

#[test]
fn a_reference_to_what_is_hidden_says_no_more_than_one_to_what_is_gone() {
    let server = TestServer::start();
    let hidden = Hidden::on(&server);
    let gone = server.create_object("Gone");
    let fields = json!({
        "field_member_of": [{"target_id": hidden.node}, {"target_id": gone}],
        "field_genre": [{"target_id": hidden.term}],
    });
    let nid = server.create_object_with("Shown", fields);
    let path = format!("/node/{gone}");
    server.delete(&path).as_admin().send().expect(204);
    let path = format!("/node/{nid}?_format=json");
    let read = server.get(&path).as_plain().send().expect(200).json();
    let only = |id: i64| json!({"target_id": id});
    assert_eq!(
        read["field_member_of"],
        json!([only(hidden.node), only(gone)])
    );
    assert_eq!(read["field_genre"], json!([only(hidden.term)]));
    let whole = server.get(&path).as_admin().send().expect(200).json();
    let url = format!("/node/{}", hidden.node);
    assert_eq!(whole["field_member_of"][0]["url"], url);
    let path = format!("/node/{nid}?_format=jsonld");
    let read = server.get(&path).as_plain().send().expect(200).text();
    assert!(!read.contains(&format!("/{}?", hidden.node)), "{read}");
    assert!(!read.contains(&format!("/term/{}", hidden.term)), "{read}");
}
