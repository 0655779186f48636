//! `/api/v1/items` narrowed by facets, and `/api/v1/items/facets`.

use serde_json::{Value, json};

use crate::support::{Request, TestServer};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

/// A collection with a map of Rome and one of both towns, and in a collection below it a photograph of Venice.
struct Maps {
    server: TestServer,
    collection: i64,
    below: i64,
    rome: i64,
    venice: i64,
    nids: [i64; 3],
}

impl Maps {
    fn new() -> Maps {
        let server = TestServer::start();
        let [rome, venice] = ["Rome", "Venice"].map(|name| server.create_term("subject", name));
        let model = server.term("islandora_models", "Collection");
        let within = |title: &str, parents: &[i64]| {
            let parents: Vec<Value> = parents
                .iter()
                .map(|nid| json!({"target_id": nid}))
                .collect();
            let fields = json!({"field_model": [{"target_id": model}], "field_member_of": parents});
            server.create_object_with(title, fields)
        };
        let collection = within("Maps", &[]);
        let below = within("Photographs", &[collection]);
        let item = |title: &str, parent: i64, towns: &[i64], date: &str| {
            let towns: Vec<Value> = towns.iter().map(|tid| json!({"target_id": tid})).collect();
            let fields = json!({"field_member_of": [{"target_id": parent}], "field_subject": towns,
                "field_edtf_date_created": [{"value": date}]});
            server.create_object_with(title, fields)
        };
        let nids = [
            item("First", collection, &[rome], "1901"),
            item("Second", collection, &[rome, venice], "1902"),
            item("Third", below, &[venice], "1902"),
        ];
        Maps {
            server,
            collection,
            below,
            rome,
            venice,
            nids,
        }
    }

    fn list(&self, query: &str) -> Vec<i64> {
        let path = format!("/api/v1/items?sort=title&{query}");
        let answer = get(self.server.get(&path).as_admin());
        assert_eq!(answer["current"], true, "{query}");
        let items = answer["items"].as_array().expect("items").iter();
        let nids = items.map(|item| item["nid"].as_i64().expect("a nid"));
        nids.collect()
    }

    fn facets(&self, query: &str) -> Value {
        let path = format!("/api/v1/items/facets?{query}");
        get(self.server.get(&path).as_admin())
    }
}

/// The names of values, and how many items have them.
fn counts(answer: &Value, facet: usize) -> Vec<(&str, i64)> {
    let values = answer["facets"][facet]["values"].as_array();
    let values = values.expect("values").iter().map(|value| {
        let label = value["label"].as_str().expect("a label");
        (label, value["count"].as_i64().expect("a count"))
    });
    values.collect()
}

#[test]
fn a_list_is_narrowed_by_values_of_facets() {
    let maps = Maps::new();
    let (rome, venice) = (maps.rome, maps.venice);
    let [first, second, third] = maps.nids;
    let of_rome = format!("chosen=subject:{rome}");
    let of_either = format!("{of_rome}&chosen=subject:{venice}");
    assert_eq!(maps.list(&of_rome), [first, second]);
    assert_eq!(maps.list(&of_either), [first, second, third]);
    assert_eq!(
        maps.list(&format!("{of_either}&chosen=collection:{}", maps.below)),
        [third]
    );
    assert_eq!(maps.list(&format!("{of_rome}&q=sec")), [second]);
    let within = format!("collection={}&{of_either}", maps.collection);
    assert_eq!(maps.list(&within), [first, second]);
    assert_eq!(
        maps.list(&format!("{within}&below=true&order=desc")),
        [third, second, first]
    );
    let path = format!("/api/v1/items/ids?sort=title&{within}&below=true&offset=1");
    let numbers = get(maps.server.get(&path).as_admin());
    assert_eq!(numbers["nids"], json!([second, third]));
    let path = format!("/api/v1/items/position?nid={third}&sort=title&{within}&below=true");
    assert_eq!(get(maps.server.get(&path).as_admin())["offset"], 2);
}

#[test]
fn the_counts_are_those_of_the_list() {
    let maps = Maps::new();
    let (rome, of) = (maps.rome, format!("collection={}", maps.collection));
    let direct = maps.facets(&format!("{of}&facets=subject&histogram=true"));
    assert_eq!(counts(&direct, 0), [("Rome", 2), ("Venice", 1)]);
    assert_eq!(direct["total"], 3);
    assert_eq!(direct["histogram"]["undated"], 1);
    let all = maps.facets(&format!("{of}&below=true&facets=subject,collection"));
    assert_eq!(all["total"], 4);
    assert_eq!(counts(&all, 0), [("Rome", 2), ("Venice", 2)]);
    assert_eq!(counts(&all, 1), [("Maps", 4), ("Photographs", 1)]);
    // A facet ignores what was chosen of it, the bars what was chosen of dates.
    let chosen = format!("{of}&chosen=subject:{rome}&date=1902&facets=subject&histogram=true");
    let chosen = maps.facets(&chosen);
    assert_eq!(
        (&chosen["total"], counts(&chosen, 0)),
        (&json!(1), vec![("Rome", 1), ("Venice", 1)])
    );
    let bars = &chosen["histogram"]["bars"];
    assert_eq!(
        bars,
        &json!([{"year": 1901, "count": 1}, {"year": 1902, "count": 1}])
    );
    let lacking = maps.facets("lacks=field_subject&facets=subject");
    assert_eq!(
        (&lacking["total"], counts(&lacking, 0)),
        (&json!(2), vec![])
    );
    let named = maps.facets("facets=subject&named=VEN");
    assert_eq!(counts(&named, 0), [("Venice", 2)]);
    // The name of each value is read for this, so it is done for one facet.
    for facets in ["facets=subject,model&named=ven", "named=ven"] {
        let path = format!("/api/v1/items/facets?{facets}");
        let refusal = maps.server.get(&path).as_admin().send();
        let message = "The \"named\" parameter must be left out unless one facet is counted.";
        refusal.expect_message(400, message);
    }
}

#[test]
fn agents_are_counted_by_what_they_did() {
    let server = TestServer::start();
    let agent = server.create_term("person", "Ada");
    for relator in ["relators:pht", "relators:aut"] {
        let fields = json!({"field_linked_agent": [{"target_id": agent, "rel_type": relator}]});
        server.create_object_with("Made", fields);
    }
    let path = "/api/v1/items/facets?facets=agent,agent.role,agent.relators.pht";
    let answer = get(server.get(path).as_admin());
    assert_eq!(counts(&answer, 0), [("Ada", 2)]);
    assert_eq!(counts(&answer, 1), [("Author", 1), ("Photographer", 1)]);
    assert_eq!(counts(&answer, 2), [("Ada", 1)]);
}

#[test]
fn few_items_are_told_with_words_that_are_close() {
    let server = TestServer::start();
    server.create_object("Lighthouse");
    let answer = get(server.get("/api/v1/items/facets?q=lighthouze").as_admin());
    assert_eq!(
        answer["close_matches"],
        json!([{"word": "lighthouze", "close": ["lighthouse"]}])
    );
    let many = "w ".repeat(40);
    let path = format!("/api/v1/items/facets?q={}", many.trim().replace(' ', "+"));
    assert_eq!(get(server.get(&path).as_admin())["is_cut"], true);
}

#[test]
fn a_visitor_learns_nothing_of_hidden_items() {
    let maps = Maps::new();
    let [first, ..] = maps.nids;
    let hide = json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]});
    let path = format!("/node/{first}?_format=json");
    maps.server
        .patch(&path)
        .as_admin()
        .json(hide)
        .send()
        .expect(200);
    let path = format!(
        "/api/v1/items/facets?collection={}&facets=subject,status",
        maps.collection
    );
    let answer = get(maps.server.get(&path));
    assert_eq!(counts(&answer, 0), [("Rome", 1), ("Venice", 1)]);
    assert_eq!(counts(&answer, 1), [("published", 2)]);
    let chosen = get(maps.server.get("/api/v1/items?chosen=status:unpublished"));
    assert_eq!(chosen["total"], 0);
}

#[test]
fn a_narrowed_list_is_changed_as_one() {
    let maps = Maps::new();
    let list = format!(
        "collection={}&below=true&chosen=subject:{}&sort=title",
        maps.collection, maps.venice
    );
    let change = json!({"act": "set", "field": "field_extent", "values": [{"value": "1 map"}]});
    let batch = maps.server.run_batch(json!({"list": list}), change);
    assert_eq!(batch["changed"], 2);
}
