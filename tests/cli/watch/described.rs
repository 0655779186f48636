//! What an item knows of itself: from the folder's rule, the name of the file, and what lies beside it.

use serde_json::json;

use super::{Desk, picture, targets};

#[test]
fn a_file_becomes_an_item_with_its_bytes() {
    let desk = Desk::without_rule();
    let collection = desk.collection("Scans");
    let desk = Desk {
        id: desk.watch(desk.folder.path(), json!({"collection": collection})),
        ..desk
    };
    desk.put("Map_of__Venice.png", picture(1));
    let row = desk.done("Map_of__Venice.png");
    let item = desk.item(&row);
    assert_eq!(item["title"][0]["value"], "Map of Venice");
    assert_eq!(targets(&item, "field_member_of"), [collection]);
    assert_eq!(
        targets(&item, "field_model"),
        [desk.client.term("islandora_models", "Image")]
    );
    let media = desk.media(&row);
    assert_eq!(media["bundle"][0]["target_id"], "image");
    assert_eq!(media["field_width"][0]["value"], 7);
    let url = media["field_media_image"][0]["url"]
        .as_str()
        .expect("an address");
    assert!(url.contains("/_flysystem/fedora/"), "{url}");
    assert_eq!(desk.bytes(url), picture(1));
    let events = desk.get(&format!("/api/v1/items/{}/revisions", row["item"]["nid"]));
    assert_eq!(events["revisions"][0]["origin"], "watch", "{events}");
}

#[test]
fn a_rule_says_what_all_files_have_in_common() {
    let desk = Desk::new(json!({
        "template": {"field_rights": "Free", "field_language": ["English"]},
        "name_pattern": r"^(?<field_local_identifier>[A-Z]+\d+)_(?<title>.+)\.\w+$",
        "published": false, "scheme": "public", "media_use": "Preservation Master File",
        "model": "Binary", "media_type": "file",
    }));
    desk.put("AB12_A letter.tif", "not much of a picture");
    let row = desk.done("AB12_A letter.tif");
    let item = desk.item(&row);
    assert_eq!(item["title"][0]["value"], "A letter");
    assert_eq!(item["field_local_identifier"][0]["value"], "AB12");
    assert_eq!(item["field_rights"][0]["value"], "Free");
    assert_eq!(
        targets(&item, "field_language"),
        [desk.client.term("language", "English")]
    );
    assert_eq!(item["status"][0]["value"], false);
    assert_eq!(
        targets(&item, "field_model"),
        [desk.client.term("islandora_models", "Binary")]
    );
    let media = desk.media(&row);
    let master = desk
        .client
        .term("islandora_media_use", "Preservation Master File");
    assert_eq!(targets(&media, "field_media_use"), [master]);
    let url = media["field_media_file"][0]["url"]
        .as_str()
        .expect("an address");
    assert!(url.contains("/sites/default/files/"), "{url}");

    desk.put("nothing.tif", "no identifier in the name");
    let reason = desk.failed("nothing.tif")["reason"].to_string();
    assert!(reason.contains("does not fit the pattern"), "{reason}");
}

#[test]
fn descriptions_lie_beside_the_files() {
    let desk = Desk::new(json!({"create_terms": true, "settle_seconds": 1.0}));
    desk.put(
        "a.json",
        r#"{"title": "By JSON", "field_subject": ["Maps", "Islands"], "field_weight": 3}"#,
    );
    desk.put(
        "b.xmp",
        "<rdf:Description><dc:title><rdf:Alt><rdf:li>By XMP</rdf:li></rdf:Alt></dc:title>\
        <dc:creator><rdf:Seq><rdf:li>Ann Smith</rdf:li></rdf:Seq></dc:creator></rdf:Description>",
    );
    desk.put(
        "metadata.csv",
        "file,title,field_subject,field_edtf_date_created,field_coordinates\n\
        c.txt,By a table,maps|Sea,1571~,\"45.4,12.3\"\n",
    );
    let item_of = |name: &str| {
        desk.put(name, format!("text of {name}"));
        desk.item(&desk.done(name))
    };
    // The first one that names a term decides how it is written.
    let [a, b, c] = ["a.txt", "b.txt", "c.txt"].map(item_of);
    let term = |name: &str| desk.client.term("subject", name);
    assert_eq!(a["title"][0]["value"], "By JSON");
    assert_eq!(
        targets(&a, "field_subject"),
        [term("Maps"), term("Islands")]
    );
    assert_eq!(a["field_weight"][0]["value"], 3);
    assert_eq!(b["title"][0]["value"], "By XMP");
    assert_eq!(b["field_linked_agent"][0]["rel_type"], "relators:cre");
    assert_eq!(
        targets(&b, "field_linked_agent"),
        [desk.client.term("person", "Ann Smith")]
    );
    assert_eq!(c["title"][0]["value"], "By a table");
    assert_eq!(
        targets(&c, "field_subject"),
        [term("Maps"), term("Sea")],
        "one term for Maps and maps"
    );
    assert_eq!(c["field_edtf_date_created"][0]["value"], "1571~");
    assert_eq!(c["field_coordinates"][0]["lat"], 45.4);
    assert_eq!(
        desk.files().len(),
        3,
        "descriptions are no files of their own"
    );
}

#[test]
fn terms_are_found_by_name_or_uri_and_not_made_unasked() {
    let desk = Desk::new(json!({}));
    let uri = "http://purl.org/coar/resource_type/c_18cc";
    desk.put("found.txt", "found");
    desk.put(
        "found.txt.json",
        json!({"field_model": [uri], "field_language": "english"}).to_string(),
    );
    let item = desk.item(&desk.done("found.txt"));
    assert_eq!(
        targets(&item, "field_model"),
        [desk.client.term("islandora_models", "Audio")]
    );
    assert_eq!(
        targets(&item, "field_language"),
        [desk.client.term("language", "English")]
    );
    desk.put("missing.txt.json", r#"{"field_subject": "Unheard of"}"#);
    desk.put("missing.txt", "missing");
    let reason = desk.failed("missing.txt")["reason"].to_string();
    assert!(
        reason.contains("There is no term") && reason.contains("Unheard of"),
        "{reason}"
    );
    desk.put("odd.txt.json", r#"{"field_nowhere": "x"}"#);
    desk.put("odd.txt", "odd");
    let reason = desk.failed("odd.txt")["reason"].to_string();
    assert!(
        reason.contains("There is no field field_nowhere"),
        "{reason}"
    );
}

#[test]
fn an_item_gets_the_defaults_of_its_collection_where_nothing_else_says() {
    let desk = Desk::without_rule();
    let collection = desk.collection("Scans");
    let values = json!({
        "field_rights": [{"value": "Free"}], "field_extent": [{"value": "1 plate"}],
    });
    let template = json!({"type": "islandora_object", "values": values}).to_string();
    let path = format!("/api/v1/collections/{collection}/templates");
    let json = "Content-Type: application/json\r\n";
    let (status, said) = desk.client.send("PUT", &path, json, &template);
    assert_eq!(status, 200, "{said}");
    let rule = json!({"collection": collection, "template": {"field_extent": "2 plates"}});
    let desk = Desk {
        id: desk.watch(desk.folder.path(), rule),
        ..desk
    };
    desk.put("Quay.png", picture(1));
    let item = desk.item(&desk.done("Quay.png"));
    assert_eq!(item["field_rights"][0]["value"], "Free");
    assert_eq!(item["field_extent"][0]["value"], "2 plates");
}
