//! `/api/v1/search`: facets, what is below a collection, and dates.

use serde_json::{Value, json};

use crate::support::{Request, TestServer};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

#[test]
fn facets_count_what_the_other_facets_leave() {
    let server = TestServer::start();
    let [rome, venice] = ["Rome", "Venice"].map(|name| server.create_term("subject", name));
    let [image, audio] = ["Image", "Audio"].map(|name| server.term("islandora_models", name));
    for (model, topics) in [
        (image, vec![rome]),
        (image, vec![rome, venice]),
        (audio, vec![venice]),
        (audio, vec![]),
    ] {
        let topics: Vec<Value> = topics.iter().map(|tid| json!({"target_id": tid})).collect();
        let fields = json!({"field_model": [{"target_id": model}], "field_subject": topics});
        server.create_object_with("Counted", fields);
    }
    let ask = |chosen: &str| {
        get(server
            .search("counted", &format!("&facets=subject,model{chosen}"))
            .as_admin())
    };
    let counts = |answer: &Value, facet: usize| -> Vec<(String, i64, bool)> {
        let values = answer["facets"][facet]["values"]
            .as_array()
            .expect("values")
            .iter();
        let values = values.map(|value| {
            let label = value["label"].as_str().expect("a label").to_owned();
            (
                label,
                value["count"].as_i64().expect("a count"),
                value["chosen"] == true,
            )
        });
        let mut values: Vec<_> = values.collect();
        values.sort();
        values
    };
    let named = |label: &str, count: i64, chosen: bool| (label.to_owned(), count, chosen);
    let all = ask("");
    assert_eq!(all["total"], 4);
    assert_eq!(
        counts(&all, 0),
        [named("Rome", 2, false), named("Venice", 2, false)]
    );
    assert_eq!(
        counts(&all, 1),
        [named("Audio", 2, false), named("Image", 2, false)]
    );
    let one = ask(&format!("&chosen=subject:{rome}"));
    assert_eq!(one["total"], 2);
    assert_eq!(
        counts(&one, 0),
        [named("Rome", 2, true), named("Venice", 2, false)]
    );
    assert_eq!(counts(&one, 1), [named("Image", 2, false)]);
    let either = ask(&format!("&chosen=subject:{rome}&chosen=subject:{venice}"));
    assert_eq!(either["total"], 3);
    let both = ask(&format!("&chosen=subject:{venice}&chosen=model:{audio}"));
    assert_eq!(both["total"], 1);
    assert_eq!(
        counts(&both, 1),
        [named("Audio", 1, true), named("Image", 1, false)]
    );
}

#[test]
fn what_is_below_a_collection_is_found_there() {
    let server = TestServer::start();
    let model = server.term("islandora_models", "Collection");
    let collection = |title: &str, parent: Option<i64>| {
        let member = parent.map(|nid| json!([{"target_id": nid}]));
        let fields = json!({"field_model": [{"target_id": model}], "field_member_of": member.unwrap_or(json!([]))});
        server.create_object_with(title, fields)
    };
    let upper = collection("Upper", None);
    let lower = collection("Lower", Some(upper));
    let other = collection("Other", None);
    let item =
        server.create_object_with("Leaf", json!({"field_member_of": [{"target_id": lower}]}));
    assert_eq!(
        server.found_with("leaf", &format!("&below={upper}")),
        [item]
    );
    assert_eq!(
        server.found_with("leaf", &format!("&below={other}")),
        [0; 0]
    );
    let answer = get(server.search("leaf", "&facets=collection").as_admin());
    let values = answer["facets"][0]["values"]
        .as_array()
        .expect("values")
        .iter();
    let mut labels: Vec<&str> = values
        .map(|value| value["label"].as_str().expect("a label"))
        .collect();
    labels.sort_unstable();
    assert_eq!(labels, ["Lower", "Upper"]);
    // The whole branch moves.
    let change = json!({"type": [{"target_id": "islandora_object"}], "field_member_of": [{"target_id": other}]});
    let path = format!("/node/{lower}?_format=json");
    server
        .patch(&path)
        .as_admin()
        .json(change)
        .send()
        .expect(200);
    assert_eq!(
        server.found_with("leaf", &format!("&below={upper}")),
        [0; 0]
    );
    assert_eq!(
        server.found_with("leaf", &format!("&below={other}")),
        [item]
    );
    server
        .search("leaf", "&below=999999")
        .as_admin()
        .send()
        .expect(404);
}

#[test]
fn dates_are_counted_by_time() {
    let server = TestServer::start();
    for date in ["1901", "1905", "1905-06", ""] {
        let fields = match date {
            "" => json!({}),
            date => json!({"field_edtf_date_created": [{"value": date}]}),
        };
        server.create_object_with("Dated", fields);
    }
    let answer = get(server
        .search("dated", "&histogram=true&date=1905")
        .as_admin());
    assert_eq!(answer["total"], 2);
    let histogram = &answer["histogram"];
    assert_eq!(
        (&histogram["years"], &histogram["undated"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(histogram["bars"][0], json!({"year": 1901, "count": 1}));
    assert_eq!(histogram["bars"][4], json!({"year": 1905, "count": 2}));
}
