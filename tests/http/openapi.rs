//! `/openapi.json`: the document is whole, and the one that the user interface was built from.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::routes::templates;
use crate::support::{TestServer, png};

/// The document as it is served.
pub fn document(server: &TestServer) -> Value {
    server.get("/openapi.json").send().expect(200).json()
}

#[test]
fn the_user_interface_knows_this_very_interface() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/openapi.json");
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("ui/openapi.json is there"))
            .expect("it is JSON");
    let served = document(TestServer::shared());
    assert!(
        kept == served,
        "ui/openapi.json is not what the server says now: write it anew and run the generator of the types"
    );
}

#[test]
fn every_reference_has_its_schema() {
    let document = document(TestServer::shared());
    assert!(
        document["openapi"]
            .as_str()
            .is_some_and(|version| version.starts_with("3."))
    );
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap_or_default();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

#[test]
fn every_documented_path_is_served() {
    let server = TestServer::start_with("[harvesting]\nsitemap = true\n");
    let picture = json!({"picture": STANDARD.encode(png(7, 5))});
    let named = server.patch("/api/v1/repository").json(picture);
    named.as_admin().send().expect(200);
    let ids = Ids::new(&server);
    let document = document(&server);
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.keys().any(|path| path.starts_with("/api/v1/")));
    for (path, methods) in paths {
        // Streams never end, and no tiles are made here (tests/cli/derivatives/tiles.rs asks for some).
        let is_made = path.ends_with("/{row}") || path.starts_with("/iiif/image/");
        let is_asked = !path.ends_with("/events") && !is_made;
        let get = methods.get("get").filter(|_| is_asked);
        if let Some(get) = get {
            let path = format!("{}{}", ids.fill(path), required_query(get));
            let answer = server.get(&path).as_admin().send();
            let served = answer.status != 404 && answer.status < 500;
            assert!(served, "{path}: {} {}", answer.status, answer.text());
        }
    }
}

/// Methods that an address allows and the document lacks. HEAD goes with GET and GET with HEAD, and at some
/// addresses a browser gets the page.
fn undocumented(documented: &Value, allow: &str, is_page: bool) -> Vec<String> {
    let known = |method: &str| match method {
        "GET" | "HEAD" => documented.get("get").or(documented.get("head")).is_some(),
        "OPTIONS" => true,
        other => documented.get(other.to_lowercase()).is_some(),
    };
    let methods = allow.split(", ").filter(|method| !known(method));
    methods
        .filter(|method| !(is_page && ["GET", "HEAD"].contains(method)))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_route_and_method_is_documented() {
    let server = TestServer::shared();
    let document = document(server);
    let paths = document["paths"].as_object().expect("paths");
    let ids = Ids::new(server);
    let mut missing = Vec::new();
    for template in templates() {
        let documented = paths.iter().find(|(path, _)| same(path, &template));
        let Some((path, methods)) = documented else {
            missing.extend((!is_of_the_page(&template)).then_some(template));
            continue;
        };
        let options = server
            .request("OPTIONS", &ids.fill(path))
            .send()
            .expect(200);
        let allow = options.header("allow").expect("methods");
        let is_page = ["/node", "/taxonomy/term", "/user/login"].contains(&path.as_str());
        let more = undocumented(methods, allow, is_page);
        missing.extend(more.iter().map(|method| format!("{method} {path}")));
    }
    assert!(missing.is_empty(), "not in the document: {missing:?}");
}

/// Whether two templates are of one path, whatever they call its parts.
fn same(one: &str, other: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.split('/');
        let named = |part: &str| if part.starts_with('{') { "{}" } else { part }.to_owned();
        parts.map(named).collect()
    };
    parts(one) == parts(other)
}

/// The files that the user interface is made of: they take nothing but a name.
fn is_of_the_page(template: &str) -> bool {
    ["/assets/{*path}"].contains(&template)
}

/// Things that the placeholders of documented paths may name.
pub struct Ids {
    node: i64,
    collection: i64,
    media: i64,
    file: String,
    term: i64,
    /// The current revisions of the node, the media and the term.
    revisions: [String; 3],
    /// A term in the trash.
    trashed: i64,
    /// An upload in parts that has begun.
    upload: String,
    watched: String,
    saved_search: String,
    alias: String,
    redirect: String,
    /// A change of many items.
    batch: String,
}

fn batch(server: &TestServer, nid: i64) -> String {
    let change = json!({"act": "replace_text", "find": "absent", "by": ""});
    let request = json!({"items": {"nids": [nid]}, "change": change});
    let begun = server.post("/api/v1/batches").as_admin().json(request);
    begun.send().expect(202).json()["id"].to_string()
}

impl Ids {
    /// Makes them.
    pub fn new(server: &TestServer) -> Ids {
        let node = server.create_object("Documented");
        let media = server.upload_image(node, "public://openapi/a.png");
        let upload = server
            .put(&server.upload_path(node, "image", "Service File"))
            .as_admin();
        let upload = upload.header("Content-Location", "fedora://openapi/a.png");
        upload.body("image/png", png(7, 5)).send().expect(201);
        let term = server.create_term("tags", "Documented");
        let trashed = server.create_term("tags", "Thrown away");
        let path = format!("/taxonomy/term/{trashed}");
        server.delete(&path).as_admin().send().expect(204);
        let path = format!("/taxonomy/term/{term}");
        let term_now = server.get(&path).send().expect(200).json();
        let revision = |resource: &Value, field: &str| resource[field][0]["value"].to_string();
        let model = server.term("islandora_models", "Collection");
        let model = json!({"field_model": [{"target_id": model}]});
        Ids {
            collection: server.create_object_with("Documented collection", model),
            revisions: [
                revision(&server.node(node), "vid"),
                revision(&server.media(media), "vid"),
                revision(&term_now, "revision_id"),
            ],
            trashed,
            upload: begin_upload(server, node),
            watched: watched(server),
            saved_search: saved_search(server),
            batch: batch(server, node),
            alias: alias(server, node),
            redirect: redirect(server),
            node,
            media,
            file: server.media(media)["field_media_image"][0]["target_id"].to_string(),
            term,
        }
    }

    fn of_entity(&self, path: &str) -> String {
        let noun = path.split('/').nth(2).unwrap_or_default();
        match noun {
            "entity_form_display" => "node.page.default".to_owned(),
            "field_config" => "node.page.body".to_owned(),
            "field_storage_config" => "node.body".to_owned(),
            "node_type" => "page".to_owned(),
            "media_type" => "image".to_owned(),
            "taxonomy_vocabulary" => "tags".to_owned(),
            "path_alias" => self.alias.clone(),
            _ => self.redirect.clone(),
        }
    }

    /// A path with its placeholders filled.
    pub fn fill(&self, path: &str) -> String {
        let parts: Vec<String> = path.split('/').map(|part| self.part(path, part)).collect();
        parts.join("/")
    }

    fn part(&self, path: &str, part: &str) -> String {
        let Some(name) = part
            .strip_prefix('{')
            .and_then(|part| part.strip_suffix('}'))
        else {
            return part.to_owned();
        };
        match name {
            "nid" if path.ends_with("/finding-aid") => self.collection.to_string(),
            "nid" | "node" => self.node.to_string(),
            "mid" | "media" => self.media.to_string(),
            "fid" | "file" => self.file.clone(),
            "tid" | "term" | "taxonomy_term" => self.term.to_string(),
            "uid" | "user" => "1".to_owned(),
            "vid" => {
                let nouns = ["/items/", "/media/", "/terms/"];
                let noun = nouns.iter().position(|noun| path.contains(noun));
                self.revisions[noun.expect("a noun with a history")].clone()
            }
            "batch" => self.batch.clone(),
            "role" => "editor".to_owned(),
            "vocabulary" => "tags".to_owned(),
            "version" => "1".to_owned(),
            "level" | "column" | "row" => "0".to_owned(),
            "page" => "1".to_owned(),
            "record_format" => "oai_dc".to_owned(),
            "image_version" => "3".to_owned(),
            "region" => "full".to_owned(),
            "size" => "max".to_owned(),
            "rotation" => "0".to_owned(),
            "quality" => "default.jpg".to_owned(),
            "kind" => "taxonomy_term".to_owned(),
            "id" if path.starts_with("/entity/") => self.of_entity(path),
            "id" if path.starts_with("/iiif/") => self.file.clone(),
            "id" if path.contains("/watched-folders/") => self.watched.clone(),
            "id" if path.contains("/saved-searches/") => self.saved_search.clone(),
            "id" if path.contains("/uploads/") => self.upload.clone(),
            "id" => self.trashed.to_string(),
            "media_type" | "bundle" => "image".to_owned(),
            "use_tid" => self.term.to_string(),
            "entity_type" => "media".to_owned(),
            "field" => "field_media_image".to_owned(),
            "scheme" => "fedora".to_owned(),
            "path" => "openapi/a.png".to_owned(),
            other => panic!("{other} is new here"),
        }
    }
}

/// What the query has to have, with something that may be there.
pub fn required_query(operation: &Value) -> String {
    let parameters = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let names: Vec<String> = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query" && parameter["required"] == true)
        .map(|parameter| format!("{}=root", parameter["name"].as_str().unwrap_or_default()))
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("?{}", names.join("&"))
    }
}

/// Id of an upload in parts of which nothing has come yet.
fn begin_upload(server: &TestServer, node: i64) -> String {
    let path = server.upload_path(node, "image", "Thumbnail Image");
    let begun = server.put(&path).as_admin().header("Upload-Complete", "?0");
    let begun = begun.header("Content-Location", "public://openapi/part.png");
    let begun = begun.body("image/png", "").send().expect(201);
    let address = begun.header("location").expect("an address");
    address.rsplit('/').next().expect("an id").to_owned()
}

/// Ids differ with every call, so that each has an address of its own.
fn alias(server: &TestServer, node: i64) -> String {
    let path = format!("/node/{node}");
    let alias =
        json!({"path": [{"value": path}], "alias": [{"value": format!("/documented/{node}")}]});
    let made = server.post("/entity/path_alias").as_admin().json(alias);
    made.send().expect(201).json()["id"][0]["value"].to_string()
}

fn redirect(server: &TestServer) -> String {
    let source = format!("documented-{}", server.create_term("tags", "Redirected"));
    let redirect = json!({"redirect_source": [{"path": source}], "redirect_redirect": [{"uri": "internal:/node"}]});
    let made = server.post("/entity/redirect").as_admin().json(redirect);
    made.send().expect(201).json()["rid"][0]["value"].to_string()
}

fn saved_search(server: &TestServer) -> String {
    let search = json!({"name": "Documented", "query": "q=documented"});
    let saved = server.post("/api/v1/saved-searches").as_admin();
    saved.json(search).send().expect(201).json()["id"].to_string()
}

/// Number of a folder that is watched while the tests run.
fn watched(server: &TestServer) -> String {
    let incoming = server.directory().join("incoming");
    std::fs::create_dir_all(&incoming).expect("made");
    let folder = tempfile::tempdir_in(incoming).expect("a directory");
    let rule = serde_json::json!({"path": folder.path()});
    let added = server.post("/api/v1/watched-folders").as_admin();
    added.json(rule).send().expect(201).json()["id"].to_string()
}
