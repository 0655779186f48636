//! A client that asks as Islandora Workbench does: with `Accept: */*`, Basic credentials, each time on a connection of its own.

use serde_json::{Value, json};

use super::{ADMIN, Person, Request, Response, TestServer, merge, png};

/// Has the role that the tests of Workbench give to their second user, as far as there are such permissions.
pub const LIMITED: Person = Person {
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
pub struct WorkbenchClient<'s> {
    pub server: &'s TestServer,
    pub person: Person,
    /// Whether media are addressed by `/media/{mid}` instead of `/media/{mid}/edit`.
    pub standalone_media: bool,
}

/// Runs a task for both people and both addresses of media.
pub fn for_each(task: impl Fn(&WorkbenchClient<'_>)) {
    let server = TestServer::start();
    server.introduce(LIMITED);
    for (person, standalone_media) in [(ADMIN, false), (LIMITED, true), (LIMITED, false)] {
        let client = WorkbenchClient {
            server: &server,
            person,
            standalone_media,
        };
        client.begins();
        task(&client);
    }
}

impl WorkbenchClient<'_> {
    pub fn ask(&self, method: &str, path: &str) -> Request<'_> {
        let request = self.server.request(method, path).signed_in(self.person);
        let request = request.header("Accept", "*/*");
        request.header("User-Agent", "Islandora Workbench")
    }

    pub fn get(&self, path: &str) -> Value {
        self.ask("GET", path).send().expect(200).json()
    }

    pub fn write(&self, method: &str, path: &str, body: Value, status: u16) -> Response {
        self.ask(method, path).json(body).send().expect(status)
    }

    /// Every task: the versions, and the fields of what it is about.
    pub fn begins(&self) {
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

    pub fn term(&self, vocabulary: &str, name: &str) -> i64 {
        let name = name.replace(' ', "+");
        let path = format!("/term_from_term_name?vocab={vocabulary}&name={name}&_format=json");
        self.get(&path)[0]["tid"][0]["value"]
            .as_i64()
            .expect("a term")
    }

    pub fn media_use(&self, name: &str) -> i64 {
        let path = format!("/term_from_uri?_format=json&uri=http://pcdm.org/use%23{name}");
        self.get(&path)[0]["tid"][0]["value"]
            .as_i64()
            .expect("a term")
    }

    /// A row of a table: the number of its item.
    pub fn creates(&self, title: &str, fields: Value) -> i64 {
        let body = merge(
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

    pub fn uploads(&self, bundle: &str, field: &str, name: &str, bytes: &[u8]) -> i64 {
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

    pub fn adds_image(&self, nid: i64, name: &str) -> i64 {
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

    pub fn media_path(&self, mid: i64) -> String {
        match self.standalone_media {
            true => format!("/media/{mid}?_format=json"),
            false => format!("/media/{mid}/edit?_format=json"),
        }
    }

    pub fn media_of(&self, nid: i64) -> Vec<Value> {
        let media = self.get(&format!("/node/{nid}/media?_format=json"));
        media.as_array().expect("a list").clone()
    }

    /// The file goes before its media.
    pub fn removes_media(&self, mid: i64) {
        let media = self.get(&self.media_path(mid));
        let fid = &media["field_media_image"][0]["target_id"];
        let file = format!("/entity/file/{fid}?_format=json");
        self.get(&file);
        self.ask("DELETE", &file).send().expect(204);
        self.ask("DELETE", &self.media_path(mid)).send().expect(204);
    }

    pub fn removes(&self, nid: i64) {
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
