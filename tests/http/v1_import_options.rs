//! `/api/v1/import/table`: headings of other programs, pauses, and what became of each row.

use serde_json::{Value, json};

use crate::support::{ADMIN, Person, Request, TestServer, outcome};

fn check(server: &TestServer, person: Person, query: &str, table: &str) -> Value {
    let path = format!("/api/v1/import/table?check=true&{query}");
    let request = server.post(&path).signed_in(person);
    request.body("text/csv", table).send().expect(200).json()
}

fn import(server: &TestServer, query: &str, table: &str) -> Value {
    let path = format!("/api/v1/import/table?{query}");
    let request = server.post(&path).as_admin().body("text/csv", table);
    server.batch_ended(&request.send().expect(202).json())
}

#[test]
fn headings_of_other_programs_are_guessed_and_stand_for_what_is_said() {
    let server = TestServer::start();
    let table = "Dublin Core:Title,dcterms:extent,Field Notes\nQuay,3 sheets;2 maps,x\n";
    let seen = check(&server, ADMIN, "", table);
    assert_eq!(seen["columns"][1]["heading"], "dcterms:extent");
    assert_eq!(seen["columns"][1]["cells"], json!(["3 sheets;2 maps"]));
    let problems = seen["problems"].as_array().expect("a list").iter();
    let guesses: Vec<_> = problems
        .map(|problem| problem["suggestion"].as_str())
        .collect();
    assert_eq!(
        guesses,
        [Some("title"), Some("field_extent"), Some("field_note")]
    );
    let meant = json!({"Dublin Core:Title": "title", "dcterms:extent": "field_extent"});
    let meant = crate::support::encoded(&meant.to_string());
    let query = format!("columns={meant}&ignore=Field%20Notes&separator=%3B");
    let model = "Model\nImage\n";
    let with_model: Vec<String> = table
        .lines()
        .zip(model.lines())
        .map(|(row, cell)| format!("{row},{cell}"))
        .collect();
    let batch = import(&server, &query, &with_model.join("\n"));
    assert_eq!(outcome(&batch), [Some(1), Some(0)], "{batch}");
    let item = server.node(1);
    assert_eq!(item["title"][0]["value"], "Quay");
    assert_eq!(item["field_extent"][1]["value"], "2 maps");
    let path = "/api/v1/import/table?check=true&columns=title";
    let wrong = server.post(path).as_admin().body("text/csv", table);
    wrong.send().expect(400);
}

#[test]
fn an_import_waits_goes_on_and_says_what_became_of_each_row() {
    let server = TestServer::start();
    let rows = (0..5_000).map(|number| format!("Sheet {number},Image\n"));
    let table = format!("title,field_model\n{}", rows.collect::<String>());
    let request = server.post("/api/v1/import/table").as_admin();
    let begun = request.body("text/csv", table).send().expect(202).json();
    let batch = begun["id"].as_i64().expect("a number");
    let tell = |what: &str| {
        let path = format!("/api/v1/batches/{batch}/{what}");
        server.post(&path).as_admin().send().expect(200).json()
    };
    assert_eq!(tell("pause")["state"], "paused");
    let state = || {
        let path = format!("/api/v1/batches/{batch}");
        server.get(&path).as_admin().send().expect(200).json()
    };
    // The step that was under way ends, and no other begins.
    let mut done = Value::Null;
    while state()["done"] != done {
        done = state()["done"].clone();
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    assert!(done.as_u64() < Some(5_000) && state()["ended"].is_null());
    assert_eq!(tell("resume")["state"], "running");
    let ended = server.batch_ended(&begun);
    assert_eq!(outcome(&ended), [Some(5_000), Some(0)], "{ended}");
    let path = format!("/api/v1/batches/{batch}/report");
    let report = server.get(&path).as_admin().send().expect(200).text();
    let mut lines = report.lines();
    assert_eq!(lines.next(), Some("outcome,id,address,message"));
    assert_eq!(lines.next(), Some("created,1,/node/1,"));
    assert_eq!(lines.count(), 4_999);
    server.get(&path).as_plain().send().expect(404);
    let again = server.post(&format!("/api/v1/batches/{batch}/pause"));
    again.as_admin().send().expect(409);
}

#[test]
fn an_import_that_waits_is_listed_and_its_last_rows_are_told() {
    let server = TestServer::start();
    let rows = (0..1_000).map(|number| format!("Sheet {number},Image,subject:New {number}\n"));
    let table = format!(
        "title,field_model,field_subject\n{}",
        rows.collect::<String>()
    );
    let request = server
        .post("/api/v1/import/table?create_terms=true")
        .as_admin();
    let begun = request.body("text/csv", table).send().expect(202).json();
    let path = format!("/api/v1/batches/{}", begun["id"]);
    let paused = server.post(&format!("{path}/pause")).as_admin().send();
    assert_eq!(paused.expect(200).json()["can_pause"], true);
    let listed = |request: Request| request.send().expect(200).json()["batches"].clone();
    let open = listed(server.get("/api/v1/batches").as_admin());
    assert_eq!(
        (&open[0]["id"], &open[0]["state"]),
        (&begun["id"], &"paused".into())
    );
    assert_eq!(listed(server.get("/api/v1/batches").as_plain()), json!([]));
    let resumed = server.post(&format!("{path}/resume")).as_admin().send();
    resumed.expect(200);
    server.batch_ended(&begun);
    assert_eq!(listed(server.get("/api/v1/batches").as_admin()), json!([]));
    let latest = server.get(&format!("{path}/items?latest=true&limit=2"));
    let latest = latest.as_admin().send().expect(200).json();
    let titles = [0, 1].map(|index| latest["items"][index]["title"].clone());
    assert_eq!(titles, ["Sheet 999", "Sheet 998"]);
}
