//! What Islandora Workbench asks in each of its tasks, by an administrator, and by somebody who may change what is their
//! own.

use serde_json::{Value, json};

use crate::support::workbench::for_each;
use crate::support::{ADMIN, png};

fn of(target: i64, kind: &str) -> Value {
    json!([{"target_id": target.to_string(), "target_type": kind}])
}

#[test]
fn create() {
    for_each(|client| {
        let name = format!(
            "Subject of {} {}",
            client.person.name, client.standalone_media
        );
        let path = format!(
            "/term_from_term_name?vocab=subject&name={}&_format=json",
            name.replace(' ', "%20")
        );
        assert_eq!(client.get(&path), json!([]));
        let term = json!({
            "vid": [{"target_id": "subject", "target_type": "taxonomy_vocabulary"}], "status": [{"value": true}],
            "name": [{"value": name}], "description": [{"value": "", "format": null}], "weight": [{"value": 0}],
            "parent": [{"target_type": "taxonomy_term", "target_id": null}], "default_langcode": [{"value": true}],
            "path": [{"alias": null, "pid": null, "langcode": "en"}],
        });
        let made = client.write("POST", "/taxonomy/term?_format=json", term, 201);
        let tid = made.value("tid").as_i64().expect("a number");
        let nid = client.creates("A row", json!({"field_subject": of(tid, "taxonomy_term")}));
        let alias = format!("/row-{nid}");
        client
            .ask("GET", &format!("{alias}?_format=json"))
            .send()
            .expect(404);
        let body =
            json!({"path": [{"value": format!("/node/{nid}")}], "alias": [{"value": alias}]});
        client.write("POST", "/entity/path_alias?_format=json", body, 201);
        assert_eq!(
            client.get(&format!("{alias}?_format=json"))["nid"][0]["value"],
            nid
        );
        let mid = client.adds_image(nid, "row.png");
        let media = client.media_of(nid);
        let uuid = media[0]["field_media_image"][0]["target_uuid"]
            .as_str()
            .expect("a UUID");
        let path =
            format!("/islandora_workbench_integration/file_hash?file_uuid={uuid}&algorithm=sha1");
        assert_eq!(
            client.get(&path)[0]["checksum"].as_str().map(str::len),
            Some(40)
        );
        let uses = [
            client.media_use("OriginalFile"),
            client.media_use("ServiceFile"),
        ];
        let uses = uses.map(|tid| json!({"target_id": tid, "target_type": "taxonomy_term"}));
        let body = json!({"bundle": [{"target_id": "image"}], "field_media_use": uses});
        client.write("PATCH", &client.media_path(mid), body, 200);
    });
}

#[test]
fn create_paged_content_and_compounds() {
    for_each(|client| {
        let book = client.creates("Book", json!({}));
        for number in 1..=2 {
            client
                .ask("HEAD", &format!("/node/{book}?_format=json"))
                .send()
                .expect(200);
            // Workbench names the type of nodes as that of the target.
            let page = json!({"field_member_of": of(book, "node_type"), "field_weight": [{"value": number.to_string()}]});
            let nid = client.creates("Page", page);
            client.get(&format!("/node/{nid}?_format=json"));
            client.adds_image(nid, &format!("book/page-{number}.png"));
            assert_eq!(client.media_of(nid).len(), 1);
        }
        let members = client.get(&format!("/node/{book}/members?_format=json"));
        assert_eq!(members.as_array().map(Vec::len), Some(2));
        client
            .server
            .get(&format!("/node/{book}/media?_format=json"))
            .send()
            .expect(200);
    });
}

#[test]
fn update() {
    for_each(|client| {
        let nid = client.creates("Before", json!({"field_identifier": [{"value": "A"}]}));
        client.get("/entity/node_type/islandora_object?_format=json");
        let path = format!("/node/{nid}?_format=json");
        let node = client.get(&path);
        assert_eq!(
            node["field_subject"],
            json!([]),
            "what has no value is there all the same"
        );
        let mut appended = node["field_identifier"].as_array().expect("a list").clone();
        appended.push(json!({"value": "B"}));
        let body = json!({
            "type": [{"target_id": "islandora_object"}], "field_identifier": appended,
            "revision_log": [{"value": "Updated by Islandora Workbench."}],
        });
        let changed = client.write("PATCH", &path, body, 200);
        assert_eq!(
            changed.json()["field_identifier"].as_array().map(Vec::len),
            Some(2)
        );
        let body = json!({"type": [{"target_id": "islandora_object"}], "field_identifier": []});
        client.write("PATCH", &path, body, 200);
        let wrong = json!({"type": [{"target_id": "islandora_object"}], "field_subject": of(999_999, "taxonomy_term")});
        client.write("PATCH", &path, wrong, 422);
        // What a client has read of references, it sends back when it adds another.
        let model = node["field_model"].clone();
        let body = json!({"type": [{"target_id": "islandora_object"}], "field_model": model});
        client.write("PATCH", &path, body, 200);
    });
}

#[test]
fn delete_and_roll_back() {
    for_each(|client| {
        let nid = client.creates("To be deleted", json!({}));
        client.adds_image(nid, "deleted.png");
        client.removes(nid);
        client
            .ask("HEAD", &format!("/node/{nid}?_format=json"))
            .send()
            .expect(404);
    });
}

#[test]
fn add_change_and_delete_media() {
    for_each(|client| {
        let nid = client.creates("Media", json!({}));
        let mid = client.adds_image(nid, "first.png");
        let path = client.media_path(mid);
        client.ask("HEAD", &path).send().expect(200);
        let media = client.get(&path);
        assert!(client.get("/entity/media_type/image?_format=json")["new_revision"].is_boolean());
        let fid = client.uploads("image", "field_media_image", "second.png", png(20, 10));
        let former = &media["field_media_image"][0]["target_id"];
        client
            .ask("DELETE", &format!("/entity/file/{former}?_format=json"))
            .send()
            .expect(204);
        let body = json!({
            "bundle": [{"target_id": "image"}],
            "field_media_image": [{"target_id": fid, "target_type": "file", "alt": "Another"}],
            "revision_log_message": [{"value": "Updated by Islandora Workbench."}],
        });
        client.write("PATCH", &path, body, 200);
        let media = client.get(&path);
        assert_eq!(media["field_media_image"][0]["target_id"], fid);
        let url = media["field_media_image"][0]["url"]
            .as_str()
            .expect("a URL")
            .to_owned();
        let bytes = client.server.path_of(&url);
        client.server.head(&bytes).send().expect(200);
        client.server.get(&bytes).send().expect(200);
        client.removes_media(mid);
        assert!(client.media_of(nid).is_empty());
        client.ask("GET", &path).send().expect(404);
    });
}

#[test]
fn alternative_texts() {
    for_each(|client| {
        let nid = client.creates("Alternative texts", json!({}));
        let mid = client.adds_image(nid, "alt.png");
        let mut image = client.media_of(nid)[0]["field_media_image"].clone();
        image[0]["alt"] = json!("A map of the west");
        let body = json!({"bundle": [{"target_id": "image", "target_type": "media_type"}], "field_media_image": image});
        client.write("PATCH", &client.media_path(mid), body, 200);
        assert_eq!(
            client.media_of(nid)[0]["field_media_image"][0]["alt"],
            "A map of the west"
        );
    });
}

#[test]
fn terms() {
    for_each(|client| {
        client.get("/entity/taxonomy_vocabulary/subject?_format=json");
        let body = json!({"vid": [{"target_id": "subject"}], "name": [{"value": "Maps"}]});
        let made = client.write("POST", "/taxonomy/term?_format=json", body, 201);
        let path = format!("/taxonomy/term/{}?_format=json", made.value("tid"));
        let term = client.get(&path);
        assert_eq!(term["vid"][0]["target_id"], "subject");
        let body = json!({"vid": term["vid"], "name": [{"value": "Charts"}], "path": term["path"], "parent": term["parent"]});
        let changed = client.write("PATCH", &path, body, 200);
        assert_eq!(changed.value("name"), "Charts");
        client.ask("DELETE", &path).send().expect(204);
    });
}

#[test]
fn redirects_are_for_administrators() {
    for_each(|client| {
        client
            .ask("HEAD", "/entity/redirect?_format=json")
            .send()
            .expect(405);
        let source = "former/address";
        client.server.head(&format!("/{source}")).send().expect(404);
        let body = json!({
            "type": [{"value": "redirect"}], "redirect_source": [{"path": source}],
            "redirect_redirect": [{"uri": "internal:/node/1"}], "status_code": [{"value": 301}],
        });
        let is_admin = client.person == ADMIN;
        let status = if is_admin { 201 } else { 403 };
        let made = client.write("POST", "/entity/redirect?_format=json", body, status);
        if is_admin {
            client.server.head(&format!("/{source}")).send().expect(301);
            let path = format!("/entity/redirect/{}", made.value("rid"));
            client.ask("DELETE", &path).send().expect(204);
        }
    });
}

#[test]
fn exports_and_views() {
    for_each(|client| {
        let id = format!("{}-{}", client.person.name, client.standalone_media);
        let nid = client.creates("Exported", json!({"field_identifier": [{"value": id}]}));
        client.adds_image(nid, "exported.png");
        let mut titles = 0;
        for page in 0.. {
            let path = format!("/views/nodes?page={page}&items_per_page=2");
            client.ask("HEAD", &path).send().expect(200);
            let nodes = client.get(&path);
            let nodes = nodes.as_array().expect("a list");
            titles += nodes.len();
            let is_whole = |node: &Value| node["field_model"][0]["target_id"].is_i64();
            assert!(nodes.iter().all(is_whole));
            if nodes.is_empty() {
                break;
            }
        }
        assert!(titles >= 1);
        let path = format!("/views/node_exists?field_identifier={id}");
        assert_eq!(client.get(&path), json!([{"nid": nid.to_string()}]));
        let model =
            &client.get(&format!("/node/{nid}?_format=json"))["field_model"][0]["target_id"];
        client.get(&format!("/taxonomy/term/{model}?_format=json"));
        client
            .ask("GET", "/views/terms?name=xxx&_format=json")
            .send()
            .expect(200);
    });
}
