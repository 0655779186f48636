//! The same file through the folder, through REST and through the window leaves the same rows and the same bytes.

use std::path::Path;

use isolario_program::app::{App, LocalUpload, Options};
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
const OWN: [&str; 13] = [
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
    "target_uuid",
    "url",
    "default_langcode",
];

/// A resource without what is its own.
fn alike(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kind = fields.get("target_type").cloned();
            let is_own = kind
                .is_some_and(|kind| ["node", "file"].contains(&kind.as_str().unwrap_or_default()));
            let kept = fields.into_iter().filter(|(name, _)| match name.as_str() {
                "target_id" => !is_own,
                name => !OWN.contains(&name),
            });
            kept.map(|(name, value)| (name, alike(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(alike).collect(),
        other => other,
    }
}

/// Makes an item for a file; its number.
fn item(desk: &Desk, name: &str, model: &str) -> i64 {
    let title = name.split('.').next().expect("a stem");
    let node = json!({
        "type": [{"target_id": "islandora_object"}], "title": [{"value": title}],
        "field_model": [{"target_id": desk.client.term("islandora_models", model)}],
    });
    let (status, node) = desk.ask("POST", "/node?_format=json", &node);
    assert_eq!(status, 201, "{node}");
    node["nid"][0]["value"].as_i64().expect("a number")
}

/// Uploads a file as a client does.
fn by_rest(desk: &Desk, nid: i64, name: &str, mime: &str, media_type: &str) {
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
}

/// Uploads files as the window does that has this server in it.
fn by_window(data: &Path, uploads: Vec<LocalUpload>) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let options = Options {
            data: Some(data.to_owned()),
            listen: Some(([127, 0, 0, 1], 0).into()),
            base_url: None,
            ..Options::default()
        };
        let server = App::start(options).await.expect("it starts");
        for upload in uploads {
            let outcome = server.put_file(upload, |_| {}).await;
            assert_eq!(outcome.status, 201, "{:?}", outcome.message);
        }
        server.stop().await;
    });
}

/// The item, media and file behind a number, and the address of the bytes.
fn left_behind(desk: &Desk, nid: i64) -> ([Value; 3], String) {
    let media = desk.get(&format!("/api/v1/items/{nid}/media"));
    let media = desk.get(&format!("/media/{}?_format=json", media["media"][0]["mid"]));
    let (file, url) = file_of(desk, &media);
    let node = desk.get(&format!("/node/{nid}?_format=json"));
    ([node, media, file].map(alike), url)
}

#[test]
fn the_folder_and_rest_and_the_window_leave_the_same_behind() {
    let desk = Desk::new(json!({}));
    let media_use = desk.client.term("islandora_media_use", "Original File");
    let (mut items, mut uploads) = (Vec::new(), Vec::new());
    for (name, mime, media_type, model) in KINDS {
        let [rest, window] = ["REST", "the window"].map(|_| item(&desk, name, model));
        by_rest(&desk, rest, name, mime, media_type);
        desk.put(name, bytes(name));
        let folder = desk.done(name)["item"]["nid"].as_i64().expect("a number");
        uploads.push(LocalUpload {
            path: desk.path(name),
            nid: window,
            media_type: media_type.to_owned(),
            use_tid: media_use,
            content_location: format!("fedora://window/{name}"),
            mime: mime.to_owned(),
            if_match: None,
        });
        items.push((name, [folder, rest, window]));
    }
    let Desk {
        client,
        data,
        folder,
        id,
    } = desk;
    let stopped = client.stop();
    by_window(data.path(), uploads);
    let desk = Desk {
        client: stopped.start_again(data.path()),
        data,
        folder,
        id,
    };
    for (name, origins) in items {
        let [folder, rest, window] = origins.map(|nid| left_behind(&desk, nid));
        assert_eq!(folder.0, rest.0, "{name}: the folder and REST");
        assert_eq!(window.0, rest.0, "{name}: the window and REST");
        for url in [folder.1, rest.1, window.1] {
            assert_eq!(desk.bytes(&url), bytes(name), "{name}");
        }
    }
    let counts = desk.get("/api/v1/watched-folders")["folders"][0]["counts"].clone();
    assert_eq!(counts["done"], KINDS.len());
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
