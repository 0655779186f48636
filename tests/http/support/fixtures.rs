//! Things that most tests need to be there.

use serde_json::{Value, json};

use super::{TestServer, png};

impl TestServer {
    /// The id of a term that every new repository has.
    #[track_caller]
    pub fn term(&self, vocabulary: &str, name: &str) -> i64 {
        self.term_entry(vocabulary, name)["tid"]
            .as_i64()
            .expect("a tid")
    }

    /// The list entry of a term: `tid`, `uuid`, `name`, `uri`.
    #[track_caller]
    pub fn term_entry(&self, vocabulary: &str, name: &str) -> Value {
        let query = name.replace(' ', "%20");
        let path = format!("/api/v1/terms?vocabulary={vocabulary}&q={query}&limit=200");
        let answer = self.get(&path).as_admin().send().expect(200).json();
        let terms = answer["terms"].as_array().cloned().unwrap_or_default();
        terms
            .into_iter()
            .find(|term| term["name"] == name)
            .unwrap_or_else(|| panic!("no term {name} in {vocabulary}: {answer}"))
    }

    /// Body of a new object with that title and the model Image.
    pub fn object(&self, title: &str) -> Value {
        json!({
            "type": [{"target_id": "islandora_object", "target_type": "node_type"}],
            "title": [{"value": title}],
            "field_model": [{"target_id": self.term("islandora_models", "Image"), "target_type": "taxonomy_term"}],
        })
    }

    /// A new published object of the administrator; its id.
    #[track_caller]
    pub fn create_object(&self, title: &str) -> i64 {
        self.create_object_with(title, json!({}))
    }

    /// The same with more fields, or other ones.
    #[track_caller]
    pub fn create_object_with(&self, title: &str, fields: Value) -> i64 {
        let body = merge(self.object(title), fields);
        self.post("/node?_format=json")
            .as_admin()
            .json(body)
            .send()
            .expect(201)
            .created()
    }

    /// Path of the upload endpoint for a node, media type and media use.
    #[track_caller]
    pub fn upload_path(&self, nid: i64, media_type: &str, media_use: &str) -> String {
        let tid = self.term("islandora_media_use", media_use);
        format!("/node/{nid}/media/{media_type}/{tid}")
    }

    /// An image of 7 × 5 as Original File of a node; the media id.
    #[track_caller]
    pub fn upload_image(&self, nid: i64, location: &str) -> i64 {
        self.put(&self.upload_path(nid, "image", "Original File"))
            .as_admin()
            .header("Content-Location", location)
            .body("image/png", png(7, 5))
            .send()
            .expect(201)
            .created()
    }

    /// Body of a media as the administrator sees it.
    #[track_caller]
    pub fn media(&self, mid: i64) -> Value {
        self.get(&format!("/media/{mid}?_format=json"))
            .as_admin()
            .send()
            .expect(200)
            .json()
    }

    /// Body of a node as the administrator sees it.
    #[track_caller]
    pub fn node(&self, nid: i64) -> Value {
        self.get(&format!("/node/{nid}?_format=json"))
            .as_admin()
            .send()
            .expect(200)
            .json()
    }

    /// The public path of an address that the server printed.
    pub fn path_of(&self, url: &str) -> String {
        url.strip_prefix(&self.base()).unwrap_or(url).to_owned()
    }
}

/// The members of the second object replace or join those of the first.
pub fn merge(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}
