//! The cells of `/api/v1/export`, and what they are when they are loaded again.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::v1_export::table;
use crate::support::TestServer;
use crate::support::content_model::{bundles, fields, sample};

/// A value of a cell as Islandora Workbench sends it.
fn item(server: &TestServer, field: &Value, text: &str) -> Value {
    let term = |text: &str| match (text.parse::<i64>(), text.split_once(':')) {
        (Ok(tid), _) => tid,
        (_, Some((vocabulary, name))) => server.term(vocabulary, name),
        _ => panic!("{text} is no term"),
    };
    match field["type"].as_str().expect("a type") {
        "entity_reference" if field["target_type"] == "taxonomy_term" => {
            json!({"target_id": term(text)})
        }
        "entity_reference" => json!({"target_id": text}),
        "typed_relation" => {
            let (relator, agent) = text.rsplit_once(':').expect("an agent");
            let (relator, agent) = match relator.matches(':').count() {
                1 => (relator, agent),
                _ => text.split_at(text.match_indices(':').nth(1).expect("a relator").0),
            };
            json!({"rel_type": relator, "target_id": term(agent.trim_start_matches(':'))})
        }
        "geolocation" => {
            let (lat, lng) = text.split_once(',').expect("a point");
            json!({"lat": lat, "lng": lng})
        }
        "link" => match text.split_once("%%") {
            Some((uri, title)) => json!({"uri": uri, "title": title}),
            None => json!({"uri": text}),
        },
        _ => json!({"value": text}),
    }
}

#[test]
fn what_workbench_loads_again_is_the_same_row() {
    let server = TestServer::shared();
    for bundle in bundles("node") {
        let kind = bundle["id"].as_str().expect("a name");
        let mut body =
            json!({"type": [{"target_id": kind}], "title": [{"value": "All, \"fields\""}]});
        let sampled = fields(&bundle).iter().filter_map(|field| {
            let name = field["name"].as_str().expect("a name").to_owned();
            Some((name, sample(server, field)?.0))
        });
        let mut sampled: BTreeMap<String, Value> = sampled.collect();
        if kind == "islandora_object" {
            sampled.insert("field_weight".into(), json!([{"value": 3}]));
            sampled.insert(
                "field_coordinates".into(),
                json!([{"lat": -33.9, "lng": 18.4}, {"lat": 1, "lng": -2.5}]),
            );
            sampled.insert(
                "field_extent".into(),
                json!([{"value": "1 map"}, {"value": "a box,\r\nof wood"}]),
            );
        }
        let names: Vec<String> = sampled.keys().cloned().collect();
        sampled
            .into_iter()
            .for_each(|(name, items)| body[&name] = items);
        let created = server
            .post("/node")
            .as_admin()
            .json(body)
            .send()
            .expect(201);
        for terms in ["names", "ids"] {
            let of = |nid: i64| {
                let columns = names.join(",");
                table(
                    server,
                    &format!("nids={nid}&terms={terms}&columns={columns}"),
                )
            };
            let written = of(created.created()).remove(0);
            let mut loaded = json!({"type": [{"target_id": kind}], "title": [{"value": "Loaded"}]});
            for field in fields(&bundle) {
                let name = field["name"].as_str().expect("a name");
                let Some(cell) = written.get(name) else {
                    continue;
                };
                assert!(!cell.is_empty(), "{name}");
                let values = cell.split('|').map(|text| item(server, field, text));
                loaded[name] = values.collect();
            }
            let loaded = server
                .post("/node")
                .as_admin()
                .json(loaded)
                .send()
                .expect(201);
            assert_eq!(of(loaded.created()), [written]);
        }
    }
}

#[test]
fn no_spreadsheet_calculates_a_cell_and_several_values_stay_apart() {
    let server = TestServer::start();
    let values = ["=1+1", "a|b\\", "'=2", "-0500", "'s-Gravenhage"];
    for formula in [
        "=HYPERLINK(\"http://a\")",
        "+1",
        "-1+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\t=1",
        "'=1",
    ] {
        let nid = server.create_object(formula);
        let row = &table(&server, &format!("nids={nid}"))[0];
        assert_eq!(row["title"], format!("'{formula}"));
    }
    let items: Vec<Value> = values.iter().map(|value| json!({"value": value})).collect();
    let nid = server.create_object_with(
        "T",
        json!({"field_extent": items, "field_description": [{"value": "one|text\\"}]}),
    );
    let row = &table(&server, &format!("nids={nid}"))[0];
    assert_eq!(
        row["field_extent"],
        "'=1+1|a\\|b\\\\|'=2|-0500|'s-Gravenhage"
    );
    assert_eq!(row["field_description"], "one|text\\");
    let read = isolario_model::tables::unguard(&row["field_extent"]);
    assert_eq!(isolario_model::tables::split(read), values);
}

#[test]
fn terms_are_names_uris_or_ids() {
    let server = TestServer::start();
    let vocabulary = json!([{"target_id": "subject"}]);
    let term = json!({"vid": vocabulary, "name": [{"value": "Maps: old"}], "field_authority_link": [{"uri": "http://example.org/maps", "source": "lcsh"}]});
    let maps = server
        .post("/taxonomy/term")
        .as_admin()
        .json(term)
        .send()
        .expect(201)
        .created();
    let quays = server.create_term("subject", "Quays");
    let agent = server.create_term("person", "Doe, Jane");
    let nid = server.create_object_with(
        "T",
        json!({
            "field_subject": [{"target_id": maps}, {"target_id": quays}],
            "field_linked_agent": [{"target_id": agent, "rel_type": "relators:aut"}],
        }),
    );
    for (terms, subjects, agents) in [
        (
            "names",
            "subject:Maps: old|subject:Quays".to_owned(),
            "relators:aut:person:Doe, Jane".to_owned(),
        ),
        (
            "uris",
            "http://example.org/maps|subject:Quays".to_owned(),
            "relators:aut:person:Doe, Jane".to_owned(),
        ),
        (
            "ids",
            format!("{maps}|{quays}"),
            format!("relators:aut:{agent}"),
        ),
    ] {
        let row = &table(&server, &format!("nids={nid}&terms={terms}"))[0];
        assert_eq!(
            (&row["field_subject"], &row["field_linked_agent"]),
            (&subjects, &agents)
        );
    }
}

#[test]
fn excel_is_told_that_it_is_utf_8() {
    let server = TestServer::shared();
    let nid = server.create_object("Ünïcödé");
    let text = |bom: &str| {
        let path = format!("/api/v1/export?nids={nid}&columns=title{bom}");
        server.get(&path).as_admin().send().expect(200).text()
    };
    assert_eq!(text(""), "title\r\nÜnïcödé\r\n");
    assert_eq!(text("&bom=true"), "\u{feff}title\r\nÜnïcödé\r\n");
}
