//! What Islandora Workbench asks in each of its tasks: the same requests, with `Accept: */*`, Basic credentials, each on a
//! connection of its own; by an administrator, and by somebody who may change what is their own.

use serde_json::{Value, json};

use crate::support::{ADMIN, Person, Request, Response, TestServer, png};

/// Has the role that the tests of Workbench give to their second user, as far as there are such permissions.
const LIMITED: Person = Person {
    uid: 4,
    name: "test-user",
    password: "testPassword",
    permissions: &[
        "access content",
        "create islandora_object content",
        "edit own islandora_object content",
        "delete own islandora_object content",
        "create image media",
        "create file media",
        "edit own image media",
        "edit own file media",
        "delete own image media",
        "delete own file media",
        "delete own files",
        "create terms in subject",
        "edit terms in subject",
        "delete terms in subject",
        "create url aliases",
        "administer url aliases",
        "update media",
        "use islandora workbench",
        "view checksums",
        "view media",
        "view own unpublished content",
        "view own unpublished media",
    ],
};

/// Asks as one person.
struct Client<'s> {
    server: &'s TestServer,
    person: Person,
    /// Whether media are addressed by `/media/{mid}` instead of `/media/{mid}/edit`.
    standalone_media: bool,
}

/// Runs a task for both people and both addresses of media.
fn for_each(task: impl Fn(&Client<'_>)) {
    let server = TestServer::start();
    server.introduce(LIMITED);
    for (person, standalone_media) in [(ADMIN, false), (LIMITED, true), (LIMITED, false)] {
        let client = Client {
            server: &server,
            person,
            standalone_media,
        };
        client.begins();
        task(&client);
    }
}

impl Client<'_> {
    fn ask(&self, method: &str, path: &str) -> Request<'_> {
        let request = self.server.request(method, path).signed_in(self.person);
        let request = request.header("Accept", "*/*");
        request.header("User-Agent", "Islandora Workbench")
    }

    fn get(&self, path: &str) -> Value {
        self.ask("GET", path).send().expect(200).json()
    }

    fn write(&self, method: &str, path: &str, body: Value, status: u16) -> Response {
        self.ask(method, path).json(body).send().expect(status)
    }

    /// Every task: the versions, and the fields of what it is about.
    fn begins(&self) {
        let integration = "/islandora_workbench_integration";
        for path in ["version", "core_version"] {
            self.get(&format!("{integration}/{path}"));
        }
        for (kind, bundle) in [
            ("node", "islandora_object"),
            ("media", "image"),
            ("taxonomy_term", "tags"),
        ] {
            let form = self.get(&format!(
                "/entity/entity_form_display/{kind}.{bundle}.default?_format=json"
            ));
            for dependency in form["dependencies"]["config"].as_array().expect("a list") {
                let name = dependency.as_str().expect("a name");
                if let Some(name) = name.strip_prefix(&format!("field.field.{kind}.{bundle}.")) {
                    self.get(&format!(
                        "/entity/field_config/{kind}.{bundle}.{name}?_format=json"
                    ));
                    self.get(&format!(
                        "{integration}/node_actions/field_storage_config/{kind}/{name}"
                    ));
                }
            }
        }
    }

    fn term(&self, vocabulary: &str, name: &str) -> i64 {
        let name = name.replace(' ', "+");
        let path = format!("/term_from_term_name?vocab={vocabulary}&name={name}&_format=json");
        self.get(&path)[0]["tid"][0]["value"]
            .as_i64()
            .expect("a term")
    }

    fn media_use(&self, name: &str) -> i64 {
        let path = format!("/term_from_uri?_format=json&uri=http://pcdm.org/use%23{name}");
        self.get(&path)[0]["tid"][0]["value"]
            .as_i64()
            .expect("a term")
    }

    /// A row of a table: the number of its item.
    fn creates(&self, title: &str, fields: Value) -> i64 {
        let body = crate::support::merge(
            json!({
                "type": [{"target_id": "islandora_object", "target_type": "node_type"}],
                "title": [{"value": title}],
                "field_model": [{"target_id": self.term("islandora_models", "Image").to_string(), "target_type": "taxonomy_term"}],
            }),
            fields,
        );
        let made = self.write("POST", "/node?_format=json", body, 201);
        let nid = made.value("nid").as_i64().expect("a number");
        let node = made.json();
        for name in ["promote", "status", "langcode", "uuid", "type", "created"] {
            assert!(node[name][0].is_object(), "{name}");
        }
        let location = made.header("location").expect("an address");
        assert!(location.ends_with(&format!("/node/{nid}")));
        nid
    }

    fn uploads(&self, bundle: &str, field: &str, name: &str, bytes: &[u8]) -> i64 {
        let path = format!("/file/upload/media/{bundle}/{field}?_format=json");
        let disposition = format!("file; filename=\"{name}\"; filename*=utf-8''{name}");
        let request = self
            .ask("POST", &path)
            .header("Content-Disposition", disposition);
        let made = request
            .body("application/octet-stream", bytes.to_vec())
            .send()
            .expect(201);
        assert!(made.value("uuid").is_string());
        made.value("fid").as_i64().expect("a number")
    }

    fn adds_image(&self, nid: i64, name: &str) -> i64 {
        self.get("/entity/media_type/image?_format=json");
        let fid = self.uploads("image", "field_media_image", name, png(7, 5));
        let body = json!({
            "bundle": [{"target_id": "image", "target_type": "media_type"}],
            "name": [{"value": name}],
            "field_media_image": [{"target_id": fid, "target_type": "file", "alt": "A picture"}],
            "field_media_of": [{"target_id": nid, "target_type": "node"}],
            "field_media_use": [{"target_id": self.media_use("OriginalFile"), "target_type": "taxonomy_term"}],
            "status": {"value": "1"},
        });
        let path = if self.standalone_media {
            "/entity/media?_format=json"
        } else {
            "/entity/media"
        };
        let made = self.write("POST", path, body, 201);
        made.value("mid").as_i64().expect("a number")
    }

    fn media_path(&self, mid: i64) -> String {
        match self.standalone_media {
            true => format!("/media/{mid}?_format=json"),
            false => format!("/media/{mid}/edit?_format=json"),
        }
    }

    fn media_of(&self, nid: i64) -> Vec<Value> {
        let media = self.get(&format!("/node/{nid}/media?_format=json"));
        media.as_array().expect("a list").clone()
    }

    /// The file goes before its media.
    fn removes_media(&self, mid: i64) {
        let media = self.get(&self.media_path(mid));
        let fid = &media["field_media_image"][0]["target_id"];
        let file = format!("/entity/file/{fid}?_format=json");
        self.get(&file);
        self.ask("DELETE", &file).send().expect(204);
        self.ask("DELETE", &self.media_path(mid)).send().expect(204);
    }

    fn removes(&self, nid: i64) {
        self.ask("HEAD", &format!("/node/{nid}?_format=json"))
            .send()
            .expect(200);
        for media in self.media_of(nid) {
            self.removes_media(media["mid"][0]["value"].as_i64().expect("a number"));
        }
        self.ask("DELETE", &format!("/node/{nid}?_format=json"))
            .send()
            .expect(204);
        self.ask("GET", &format!("/node/{nid}?_format=json"))
            .send()
            .expect(404);
    }
}

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
