//! Files of any name and of none, and a site that takes only those that its content model lists.

use serde_json::{Value, json};

use super::{Desk, targets};

/// Names of files, the MIME types that they get, and the models of their items.
const FILES: [(&str, &str, &str); 10] = [
    ("data.json", "application/json", "Binary"),
    ("notes.md", "text/markdown", "Digital Document"),
    ("letter.eml", "message/rfc822", "Digital Document"),
    ("table.csv", "text/csv", "Digital Document"),
    ("photo.HEIC", "image/heic", "Image"),
    ("photo.dng", "image/x-adobe-dng", "Image"),
    ("bell.flac", "audio/flac", "Audio"),
    ("page.html", "text/html", "Digital Document"),
    ("odd ;%2e'\"è.x-y", "application/octet-stream", "Binary"),
    ("README", "application/octet-stream", "Binary"),
];

fn model_of(desk: &Desk, row: &Value) -> String {
    let model = targets(&desk.item(row), "field_model")[0];
    let term = desk.get(&format!("/taxonomy/term/{model}?_format=json"));
    term["name"][0]["value"].as_str().expect("a name").into()
}

#[test]
fn any_file_is_taken_with_its_type_and_its_bytes() {
    let desk = Desk::new(json!({"scheme": "public", "sidecar": "none"}));
    for (name, _, _) in FILES {
        desk.put(name, format!("the bytes of {name}"));
    }
    for (name, mime, model) in FILES {
        let row = desk.done(name);
        let media = desk.media(&row);
        assert_eq!(media["bundle"][0]["target_id"], "file", "{name}");
        assert_eq!(media["field_mime_type"][0]["value"], mime, "{name}");
        assert_eq!(model_of(&desk, &row), model, "{name}");
        let url = media["field_media_file"][0]["url"].as_str().expect("one");
        let path = &url[url.find("/sites/").expect("a path")..];
        assert_eq!(desk.client.get(path), (200, format!("the bytes of {name}")));
    }
}

#[test]
fn a_sidecar_beside_any_file_is_still_a_sidecar() {
    let desk = Desk::new(json!({}));
    desk.put("table.json", r#"{"title": "From the sidecar"}"#);
    desk.put("table.csv", "a,b");
    let item = desk.item(&desk.done("table.csv"));
    assert_eq!(item["title"][0]["value"], "From the sidecar");
    assert_eq!(desk.items(), 1, "the sidecar became no item");
}

#[test]
fn a_site_with_the_lists_takes_only_what_they_name() {
    let lists = "[files]\nlisted_extensions_only = true\n";
    let allowed = format!("{lists}[folders]\nallowed = [{:?}]\n", super::allowed());
    let mut desk = Desk::with_configuration(Some(&allowed));
    desk.id = desk.watch(desk.folder.path(), json!({}));
    for (name, reason) in [
        ("notes.md", "The repository takes no files that end in .md."),
        (
            "README",
            "The repository takes no files without an extension.",
        ),
    ] {
        desk.put(name, "x");
        assert_eq!(desk.failed(name)["reason"], reason);
    }
    desk.put("a.txt", "x");
    desk.done("a.txt");
    assert_eq!(desk.items(), 1);
}
