//! The same file through the folder and through REST leaves the same rows and the same bytes.

use serde_json::{Value, json};

use super::Desk;

/// A file of every kind that the repository tells apart, with its MIME type, media type and model.
const KINDS: [(&str, &str, &str, &str); 7] = [
    ("scan.png", "image/png", "image", "Image"),
    ("master.tif", "image/tiff", "file", "Image"),
    ("bell.mp3", "audio/mpeg", "audio", "Audio"),
    ("film.mp4", "video/mp4", "video", "Video"),
    (
        "letter.pdf",
        "application/pdf",
        "document",
        "Digital Document",
    ),
    ("note.txt", "text/plain", "document", "Digital Document"),
    ("box.zip", "application/zip", "file", "Binary"),
];

fn bytes(name: &str) -> Vec<u8> {
    match name {
        "scan.png" => super::picture(1),
        name => format!("bytes of {name}").into_bytes(),
    }
}

/// What differs between two things that are alike: which they are, and when.
const OWN: [&str; 14] = [
    "nid",
    "mid",
    "fid",
    "vid",
    "uuid",
    "created",
    "changed",
    "revision_timestamp",
    "revision_created",
    "uri",
    "target_id",
    "target_uuid",
    "url",
    "default_langcode",
];

/// A resource without what is its own.
fn alike(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, value)| {
                let reference = name == "target_id" && value.is_string();
                reference || !OWN.contains(&name.as_str())
            });
            kept.map(|(name, value)| (name, alike(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(alike).collect(),
        other => other,
    }
}

/// Makes an item and uploads its file as a client does; number of the media, and of the item.
fn by_rest(desk: &Desk, name: &str, mime: &str, media_type: &str, model: &str) -> (i64, i64) {
    let title = name.split('.').next().expect("a stem");
    let node = json!({
        "type": [{"target_id": "islandora_object"}], "title": [{"value": title}],
        "field_model": [{"target_id": desk.client.term("islandora_models", model)}],
    });
    let (status, node) = desk.ask("POST", "/node?_format=json", &node);
    assert_eq!(status, 201, "{node}");
    let nid = node["nid"][0]["value"].as_i64().expect("a number");
    let media_use = desk.client.term("islandora_media_use", "Original File");
    let place = format!("/node/{nid}/media/{media_type}/{media_use}");
    let bytes = bytes(name);
    let headers = format!(
        "Content-Type: {mime}\r\nContent-Location: fedora://rest/{name}\r\nContent-Length: {}\r\n",
        bytes.len()
    );
    let mut stream = desk.client.begin("PUT", &place, &headers);
    std::io::Write::write_all(&mut stream, &bytes).expect("sent");
    let (status, answer) = crate::program::read_answer(stream);
    assert_eq!(status, 201, "{answer}");
    let media = desk.get(&format!("/api/v1/items/{nid}/media"));
    (media["media"][0]["mid"].as_i64().expect("a number"), nid)
}

#[test]
fn the_folder_and_rest_leave_the_same_behind() {
    let desk = Desk::new(json!({}));
    for (name, mime, media_type, model) in KINDS {
        let (mid, nid) = by_rest(&desk, name, mime, media_type, model);
        desk.put(name, bytes(name));
        let row = desk.done(name);
        let mine = [desk.item(&row), desk.media(&row)];
        let theirs = [
            desk.get(&format!("/node/{nid}?_format=json")),
            desk.get(&format!("/media/{mid}?_format=json")),
        ];
        let [ours, sent] = [&mine[1], &theirs[1]].map(|media| file_of(&desk, media));
        assert_eq!(desk.bytes(&ours.1), bytes(name), "{name}: by the folder");
        assert_eq!(desk.bytes(&sent.1), bytes(name), "{name}: by REST");
        assert_eq!(alike(ours.0), alike(sent.0), "{name}: file");
        for (mine, theirs) in mine.into_iter().zip(theirs) {
            assert_eq!(alike(mine), alike(theirs), "{name}");
        }
    }
    let states = desk.get("/api/v1/watched-folders")["folders"][0]["counts"].clone();
    assert_eq!(states["done"], KINDS.len());
}

/// The file of a media, and the address of its bytes.
fn file_of(desk: &Desk, media: &Value) -> (Value, String) {
    let fields = media.as_object().expect("an object");
    let item = fields.iter().find_map(|(name, items)| {
        let is_source = name.starts_with("field_media_") && items[0]["target_type"] == "file";
        is_source.then(|| items[0].clone())
    });
    let item = item.expect("a file");
    let url = item["url"].as_str().expect("an address");
    let url = url.to_owned();
    (
        desk.get(&format!("/entity/file/{}?_format=json", item["target_id"])),
        url,
    )
}
