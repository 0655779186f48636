//! `isolario terms`: a vocabulary leaves and comes back, by a running program or straight into the data directory.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::program::{isolario, said};

fn terms(data: &Path, folder: &Path, arguments: &[&str], kill_at: Option<&str>) -> Output {
    let mut command = isolario(data, &["terms"]);
    command.args(arguments).current_dir(folder);
    if let Some(point) = kill_at {
        command.env("ISOLARIO_KILL_AT", point);
    }
    command.output().expect("it starts")
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a file")
}

#[test]
fn a_vocabulary_leaves_and_comes_back_with_and_without_a_running_program() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, folder) = (data.path(), folder.path());
    let client = Client::start(data);
    write(folder, "new.csv", "name,parent\nSea charts,Maps\nMaps,\n");
    let import = ["import", "subject", "new.csv", "--report", "result.csv"];
    let text = said(terms(data, folder, &import, None));
    assert!(text.contains("2 changes, 0 rows refused"), "{text}");
    let report = read(folder, "result.csv");
    assert!(
        report.contains("created,") && report.contains("/taxonomy/term/"),
        "{report}"
    );
    for name in ["out.csv", "out.ttl", "out.jsonld"] {
        let text = said(terms(data, folder, &["export", "subject", name], None));
        assert!(text.contains("is written"), "{text}");
    }
    client.stop();
    for name in ["out.csv", "out.ttl", "out.jsonld"] {
        let check = ["import", "subject", name, "--check"];
        let text = said(terms(data, folder, &check, None));
        assert!(text.contains("0 new, 0 that change, 2 that stay"), "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_and_reported() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, folder) = (data.path(), folder.path());
    Client::start(data).stop();
    write(folder, "wrong.csv", "name,parent\nMaps,Nowhere\n");
    let import = ["import", "subject", "wrong.csv", "--report", "problems.csv"];
    let output = terms(data, folder, &import, None);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        read(folder, "problems.csv"),
        "row,column,value,problem,suggestion\n2,parent,Nowhere,There is no such term.,\n"
    );
    for arguments in [
        ["export", "nothing", "a.csv"],
        ["export", "subject", "a.pdf"],
    ] {
        let output = terms(data, folder, &arguments, None);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    }
}

#[test]
fn an_import_that_was_killed_makes_each_term_once() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut stopped = Client::start(data.path()).stop();
    let rows = (1..=450).map(|number| format!("Sheet {number},Sheet {}\n", number - 1));
    let table = format!("name,parent\nSheet 0,\n{}", rows.collect::<String>());
    write(folder.path(), "long.csv", &table);
    // The first time nothing is committed; the second time two hundred terms are.
    for (vocabulary, point) in [("subject", "table"), ("genre", "table:2")] {
        let import = ["import", vocabulary, "long.csv"];
        let killed = terms(data.path(), folder.path(), &import, Some(point));
        assert_eq!(killed.status.code(), None, "it was killed");
        let client = stopped.start_again(data.path());
        let list = || {
            let path = format!("/api/v1/terms?vocabulary={vocabulary}&q=sheet&limit=1");
            client.get(&path).1
        };
        let started = Instant::now();
        while !list().contains("\"total\":451,")
            || client.get("/api/v1/batches/1").1.contains("\"ended\":null")
        {
            assert!(started.elapsed() < Duration::from_secs(60), "{}", list());
            std::thread::sleep(Duration::from_millis(50));
        }
        stopped = client.stop();
    }
    let left = data.path().join("imports").read_dir().expect("a folder");
    assert_eq!(left.count(), 0);
}
