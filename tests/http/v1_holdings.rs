//! `/api/v1/reports/holdings`: how much there is, of what the asker may see.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, merge};

const PATH: &str = "/api/v1/reports/holdings";

fn inside(nid: i64) -> Value {
    json!({"field_member_of": [{"target_id": nid}]})
}

fn of_model(server: &TestServer, name: &str) -> Value {
    json!({"field_model": [{"target_id": server.term("islandora_models", name)}]})
}

fn report(request: Request<'_>) -> Value {
    request.send().expect(200).json()
}

/// The row of a list of a report that has this value of this key.
fn row(report: &Value, list: &str, key: &str, value: &str) -> Value {
    let rows = report[list].as_array().expect("a list").iter();
    let found = rows.clone().find(|row| row[key] == value);
    found.cloned().unwrap_or(Value::Null)
}

/// Two collections, one in the other, with an item each: that below is hidden.
fn filled(server: &TestServer) -> [i64; 4] {
    let collection = of_model(server, "Collection");
    let maps = server.create_object_with("Maps", collection.clone());
    let below = server.create_object_with("Sheets", merge(collection, inside(maps)));
    let image = of_model(server, "Image");
    let extent = json!({"field_extent": [{"value": "1 sheet"}]});
    let shown =
        server.create_object_with("Atoll", merge(merge(image.clone(), inside(maps)), extent));
    let hidden = json!({"status": [{"value": false}]});
    let hidden = server.create_object_with("Bay", merge(merge(image, inside(below)), hidden));
    [maps, below, shown, hidden]
}

#[test]
fn everything_is_counted_once_for_who_may_see_it() {
    let server = TestServer::start_with("[derivatives]\nenabled = false\n");
    let [_, _, shown, hidden] = filled(&server);
    for nid in [shown, hidden] {
        server.upload_image(nid, &format!("public://{nid}.png"));
    }
    server.create_object("Alone");
    let all = report(server.get(PATH).as_admin());
    assert_eq!(
        [&all["items"], &all["published"], &all["collections"]],
        [3, 2, 2]
    );
    assert_eq!(all["files"], 2);
    assert_eq!(row(&all, "models", "label", "Image")["items"], 3);
    assert_eq!(
        row(&all, "models", "label", "Image")["vocabulary"],
        "islandora_models"
    );
    assert_eq!(row(&all, "fields", "name", "field_extent")["items"], 1);
    assert_eq!(
        row(&all, "media_uses", "label", "Original File")["files"],
        2
    );
    assert_eq!(
        row(&all, "formats", "mime", "image/png")["bytes"],
        all["bytes"]
    );
    let months = all["months"].as_array().expect("months");
    assert_eq!(
        (months.len(), &months[0]["items"], &months[0]["files"]),
        (1, &json!(3), &json!(2))
    );
    let seen = report(server.get(PATH).as_plain());
    assert_eq!(
        [&seen["items"], &seen["published"], &seen["files"]],
        [2, 2, 1]
    );
    assert_eq!(row(&seen, "models", "label", "Image")["items"], 2);
    server
        .delete(&format!("/node/{hidden}"))
        .as_admin()
        .send()
        .expect(204);
    let left = report(server.get(PATH).as_admin());
    assert_eq!([&left["items"], &left["files"]], [2, 1]);
}

#[test]
fn a_collection_is_reported_with_everything_below_it() {
    let server = TestServer::start();
    let [maps, below, ..] = filled(&server);
    server.create_object("Elsewhere");
    let of = |nid: i64| format!("{PATH}?collection={nid}");
    let all = report(server.get(&of(maps)).as_admin());
    assert_eq!([&all["items"], &all["collections"]], [2, 1]);
    assert_eq!(all["collection"], json!({"nid": maps, "title": "Maps"}));
    let inner = report(server.get(&of(below)).as_admin());
    assert_eq!([&inner["items"], &inner["collections"]], [1, 0]);
    let seen = report(server.get(&of(maps)).as_plain());
    assert_eq!([&seen["items"], &seen["collections"]], [1, 1]);
}

#[test]
fn a_report_is_a_table_for_spreadsheets() {
    let server = TestServer::start();
    let [.., shown, _] = filled(&server);
    let subject = server.create_term("subject", "=1+1");
    let change = json!({"type": [{"target_id": "islandora_object"}], "field_subject": [{"target_id": subject}]});
    let path = format!("/node/{shown}?_format=json");
    server
        .patch(&path)
        .json(change)
        .as_admin()
        .send()
        .expect(200);
    let path = format!("{PATH}?format=csv&fields=field_extent,field_subject");
    let table = server.get(&path).as_admin().send().expect(200);
    assert_eq!(
        table.header("content-disposition"),
        Some("attachment; filename=\"holdings.csv\"")
    );
    let text = table.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "section,name,label,items,files,bytes");
    assert!(lines.contains(&"total,,,2,0,0"), "{text}");
    assert!(lines.contains(&"field,field_extent,Extent,1,,"), "{text}");
    assert!(
        lines.contains(&&*format!("field_subject,{subject},'=1+1,1,,")),
        "{text}"
    );
    assert!(!text.contains("field_genre"), "{text}");
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let server = TestServer::shared();
    let refused = |query: &str| {
        let answer = server.get(&format!("{PATH}?{query}")).as_admin().send();
        answer.expect(400).text()
    };
    assert!(refused("fields=field_none").contains("which field_none is not"));
    refused("terms=0");
    refused("format=pdf");
    refused("collection=a");
    server
        .get(&format!("{PATH}?collection=999999"))
        .as_admin()
        .send()
        .expect(404);
}
