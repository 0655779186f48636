//! `isolario import TABLE`: items of a table, by a running program or straight into the data directory.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::program::{isolario, said};

fn import(data: &Path, folder: &Path, arguments: &[&str], kill_at: Option<&str>) -> Output {
    let mut command = isolario(data, &["import"]);
    command.args(arguments).current_dir(folder);
    if let Some(point) = kill_at {
        command.env("ISOLARIO_KILL_AT", point);
    }
    command.output().expect("it starts")
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file");
}

fn rows(first: usize, last: usize) -> String {
    let rows = (first..=last).map(|number| format!("r{number},Sheet {number},Image\n"));
    format!("id,title,field_model\n{}", rows.collect::<String>())
}

/// Waits until a batch has ended, and there are so many items.
fn until_items(client: &Client, batch: usize, wanted: i64) {
    let count = || {
        let (_, body) = client.get("/api/v1/items?limit=1");
        let list: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        list["total"].as_i64()
    };
    let started = Instant::now();
    let state = || client.get(&format!("/api/v1/batches/{batch}")).1;
    while !state().contains("\"ended\":\"") || count() != Some(wanted) {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{:?} {}",
            count(),
            state()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_running_program_and_a_data_directory_take_the_same_tables() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let client = Client::start(data.path());
    write(folder, "new.csv", &rows(1, 3));
    let text = said(import(
        data.path(),
        folder,
        &["new.csv", "--report", "result.csv"],
        None,
    ));
    assert!(text.contains("3 changes, 0 rows refused"), "{text}");
    let report = std::fs::read_to_string(folder.join("result.csv")).unwrap();
    assert_eq!(
        report,
        "outcome,id,address,message\ncreated,1,/node/1,\ncreated,2,/node/2,\ncreated,3,/node/3,\n"
    );
    let (status, body) = client.send("GET", "/node/3?_format=json", "", "");
    assert!(status == 200 && body.contains("Sheet 3"), "{body}");
    write(folder, "wrong.csv", "node_id,title,subjekt\n1,,x\n77,A,\n");
    let output = import(data.path(), folder, &["wrong.csv"], None);
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(words.contains("There is no such column."), "{words}");
    client.stop();
    write(
        folder,
        "again.csv",
        "node_id,title\n1,Sheet one\n2,Sheet 2\n",
    );
    let text = said(import(data.path(), folder, &["again.csv", "--check"], None));
    assert!(text.contains("1 items that change, 1 that stay"), "{text}");
    assert!(
        text.contains("\"Sheet one\" instead of \"Sheet 1\""),
        "{text}"
    );
    let text = said(import(data.path(), folder, &["again.csv"], None));
    assert!(text.contains("1 changes, 0 rows refused"), "{text}");
    write(folder, "bad.csv", "node_id,title\n1,\n77,A\n");
    let output = import(data.path(), folder, &["bad.csv", "--report", "p.csv"], None);
    assert_eq!(output.status.code(), Some(1));
    let report = std::fs::read_to_string(folder.join("p.csv")).unwrap();
    assert_eq!(report.lines().count(), 3, "{report}");
    assert!(report.starts_with("row,column,value,problem,suggestion\n2,title,,"));
}

#[test]
fn an_import_that_was_killed_goes_on_at_its_next_row() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut stopped = Client::start(data.path()).stop();
    write(folder.path(), "long.csv", &rows(1, 450));
    // The first time nothing is committed; the second time two hundred rows are.
    for (before, point) in ["table", "table:2"].into_iter().enumerate() {
        let killed = import(data.path(), folder.path(), &["long.csv"], Some(point));
        assert_eq!(killed.status.code(), None, "it was killed");
        let client = stopped.start_again(data.path());
        let expected = if point == "table" { 450 } else { 900 };
        until_items(&client, before + 1, expected);
        stopped = client.stop();
    }
    // What an import has left when it was stopped goes at the next start.
    stopped.start_again(data.path()).stop();
    let left = data.path().join("imports").read_dir().expect("a folder");
    assert_eq!(left.count(), 0);
}

#[test]
fn rows_with_files_are_whole_once_whenever_the_program_is_killed() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut stopped = Client::start(data.path()).stop();
    let scans = folder.path().join("scans");
    std::fs::create_dir(&scans).unwrap();
    write(&scans, "a.txt", "first");
    write(&scans, "b.txt", "second");
    let table = "title,file,file:Transcript\nOne,a.txt,b.txt\nTwo,b.txt,a.txt\n";
    write(folder.path(), "maps.csv", table);
    let arguments = ["maps.csv", "--files", "scans"];
    let points = [
        "row",
        "placed",
        "row file",
        "row file:2",
        "row:2",
        "row file:4",
    ];
    for (done, point) in points.into_iter().enumerate() {
        let killed = import(data.path(), folder.path(), &arguments, Some(point));
        assert_eq!(killed.status.code(), None, "it was killed at {point}");
        let client = stopped.start_again(data.path());
        let items = 2 * (i64::try_from(done).unwrap() + 1);
        until_items(&client, done + 1, items);
        for nid in items - 1..=items {
            let (_, media) = client.get(&format!("/node/{nid}/media?_format=json"));
            let media: serde_json::Value = serde_json::from_str(&media).expect("JSON");
            let originals = media.as_array().map(Vec::len);
            assert_eq!(originals, Some(2), "{point}: {media}");
        }
        stopped = client.stop();
    }
    // What an import has left when it was stopped goes at the next start.
    stopped.start_again(data.path()).stop();
    let left = data.path().join("imports").read_dir().expect("a folder");
    assert_eq!(left.count(), 0);
}

#[test]
fn a_folder_that_was_exported_with_files_is_given_back() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = folder.path();
    write(folder, "a.txt", "first");
    write(folder, "b.txt", "second");
    write(
        folder,
        "maps.csv",
        "title,file,file:Transcript\nOne,a.txt,b.txt\n",
    );
    said(import(data.path(), folder, &["maps.csv"], None));
    for arguments in [["out", "--files=all"], ["out.zip", "--bom"]] {
        let mut command = isolario(data.path(), &["export"]);
        said(
            command
                .args(arguments)
                .current_dir(folder)
                .output()
                .expect("it starts"),
        );
    }
    let file = std::fs::read_to_string(folder.join("out/files/1-a.txt")).expect("a file");
    assert_eq!(file, "first");
    let table = std::fs::read_to_string(folder.join("out/items.csv")).expect("a table");
    assert!(table.contains("-transcript/1-b.txt"), "{table}");
    for table in ["out/items.csv", "out.zip"] {
        let text = said(import(data.path(), folder, &[table, "--check"], None));
        assert!(text.contains("0 items that change, 1 that stay"), "{text}");
    }
}

#[test]
fn a_configuration_of_workbench_says_what_is_imported() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = folder.path();
    std::fs::create_dir(folder.join("maps")).unwrap();
    write(folder, "maps/a.txt", "first");
    write(folder, "maps/b.txt", "second");
    let table = "number,title,file,words,field_extent,inner\n1,One,a.txt,b.txt,2 maps;1 sheet,x\n";
    write(folder, "maps/list.csv", table);
    let config = "task: create\nhost: https://islandora.example.org\nusername: admin\ninput_dir: maps\n\
        input_csv: list.csv\nid_field: number\nsubdelimiter: ';'\nignore_csv_columns: [inner]\n\
        additional_files:\n - words: Transcript\n";
    write(folder, "maps.yml", config);
    let text = said(import(data.path(), folder, &["--config", "maps.yml"], None));
    assert!(text.contains("1 changes, 0 rows refused"), "{text}");
    for (config, words) in [
        ("task: delete\n", "The task delete is no import"),
        ("task: [create\n", "cannot be read"),
        (
            "a: &a [x,x]\nb: &b [*a,*a]\nignore_csv_columns: [*b, *b]\n",
            "cannot be read",
        ),
    ] {
        write(folder, "wrong.yml", config);
        let output = import(data.path(), folder, &["--config", "wrong.yml"], None);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{said}");
    }
}

#[test]
fn a_row_whose_file_has_gone_when_the_program_starts_again_is_not_there() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let stopped = Client::start(data.path()).stop();
    write(folder, "a.txt", "first");
    write(folder, "maps.csv", "title,file\nOne,a.txt\n");
    let killed = import(data.path(), folder, &["maps.csv"], Some("row"));
    assert_eq!(killed.status.code(), None, "it was killed");
    std::fs::remove_file(folder.join("a.txt")).unwrap();
    let client = stopped.start_again(data.path());
    until_items(&client, 1, 0);
    let (_, report) = client.get("/api/v1/batches/1/report");
    let words = "Row 2: file: There is no such file.";
    assert!(
        report.contains("refused") && report.contains(words),
        "{report}"
    );
    client.stop();
}
