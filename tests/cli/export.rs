//! `isolario export`: tables on disk, by a running program or straight from the data directory.

use std::path::Path;
use std::process::Output;

use serde_json::json;

use crate::client::Client;
use crate::program::{complained, isolario, run, said};

const JSON: &str = "Content-Type: application/json\r\n";

/// Runs the command in a folder, so that the name of a file is one below it.
fn export(data: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = isolario(data, &["export"]);
    command.args(arguments).current_dir(folder);
    command.output().expect("it starts")
}

fn create(client: &Client, title: &str, parent: Option<i64>) -> i64 {
    let parents: Vec<_> = parent.iter().map(|nid| json!({"target_id": nid})).collect();
    let node = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": title}],
        "field_model": [{"target_id": client.term("islandora_models", "Image")}], "field_member_of": parents});
    let (status, body) = client.send("POST", "/node?_format=json", JSON, &node.to_string());
    assert_eq!(status, 201, "{body}");
    let node: serde_json::Value = serde_json::from_str(&body).expect("JSON");
    node["nid"][0]["value"].as_i64().expect("an id")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

#[test]
fn a_running_program_and_a_data_directory_write_the_same_tables() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let place = create(&client, "Harbour", None);
    let map = create(&client, "Map of the quay", Some(place));
    create(&client, "Letter", Some(map));
    create(&client, "Map of Rome", None);
    let tables = |names: [&str; 4]| {
        let columns = "--columns=node_id,title,field_model";
        let id = map.to_string();
        let orders = [
            vec![names[0], columns],
            vec![names[1], columns, "--collection", "1"],
            vec![names[2], columns, "--search", "map", "--terms", "ids"],
            vec![names[3], "--columns", "title", "--ids", &id, "--bom"],
        ];
        for order in orders {
            said(export(data.path(), folder.path(), &order));
        }
        names.map(|name| std::fs::read_to_string(folder.path().join(name)).expect("a table"))
    };
    let running = tables(["all.csv", "below.csv", "found.csv", "one.csv"]);
    let image = client.term("islandora_models", "Image");
    client.stop();
    let stopped = tables(["all2.csv", "below2.csv", "found2.csv", "one2.csv"]);
    assert_eq!(running, stopped);
    let head = "node_id,title,field_model\r\n";
    let row = |nid: i64, title: &str| format!("{nid},{title},islandora_models:Image\r\n");
    let below = format!("{head}{}{}", row(2, "Map of the quay"), row(3, "Letter"));
    assert_eq!(running[1], below);
    let found = format!("{head}2,Map of the quay,{image}\r\n4,Map of Rome,{image}\r\n");
    assert_eq!(running[2], found);
    assert_eq!(running[3], "\u{feff}title\r\nMap of the quay\r\n");
    assert_eq!(running[0].lines().count(), 5);
    assert_eq!(names(folder.path()).len(), 8, "nothing else is left");
    said(export(data.path(), folder.path(), &["all.xlsx"]));
    let workbook = std::fs::read(folder.path().join("all.xlsx")).unwrap();
    assert!(workbook.starts_with(b"PK"));
}

#[test]
fn what_cannot_be_exported_leaves_the_file_of_that_name_as_it_is() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    Client::start(data.path()).stop();
    std::fs::write(folder.path().join("a.csv"), "mine").unwrap();
    for (arguments, words) in [
        (["a.csv", "--collection", "7"], "there is no node 7"),
        (
            ["a.csv", "--columns", "title,nope"],
            "There is no column \"nope\".",
        ),
        (
            ["nowhere/a.csv", "--terms", "ids"],
            "No such file or directory",
        ),
    ] {
        let complaint = complained(&export(data.path(), folder.path(), &arguments), 1);
        assert!(complaint.contains(words), "{complaint}");
    }
    for arguments in [
        ["a.csv", "--terms=labels", "--bom"],
        ["a.csv", "--ids=1", "--search=a"],
        ["a.csv", "--ids", "x"],
    ] {
        complained(&export(data.path(), folder.path(), &arguments), 2);
    }
    assert_eq!(names(folder.path()), ["a.csv"]);
    assert_eq!(std::fs::read(folder.path().join("a.csv")).unwrap(), b"mine");
    let nowhere = tempfile::tempdir().unwrap();
    let missing = nowhere.path().join("none");
    let complaint = complained(&run(&missing, &["export", "/tmp/never.csv"]), 1);
    assert!(complaint.contains("There is no repository"), "{complaint}");
}

#[test]
fn a_killed_export_leaves_the_file_of_that_name_as_it_is() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    create(&client, "Harbour", None);
    client.stop();
    for name in ["a.csv", "a.xlsx", "a.zip"] {
        let target = folder.path().join(name);
        std::fs::write(&target, "mine").unwrap();
        let files = if name == "a.zip" { "--files" } else { "--bom" };
        let mut command = isolario(data.path(), &["export", name, files]);
        command
            .current_dir(folder.path())
            .env("ISOLARIO_KILL_AT", "copied");
        let killed = command.output().expect("it starts");
        assert_eq!(killed.status.code(), None, "{name} was killed");
        assert_eq!(std::fs::read(&target).unwrap(), b"mine");
        said(export(data.path(), folder.path(), &[name, files]));
        assert_ne!(std::fs::read(&target).unwrap(), b"mine");
    }
}
