//! The audit log: every change is a line of it, in a chain that `isolario check` verifies.

use std::path::Path;

use serde_json::Value;

use crate::check::{directory, filled, report};
use crate::holdings::make_node;
use crate::older_database::put_back;
use crate::program::run;

fn lines(data: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(data.join("audit.jsonl")).expect("a log");
    assert!(text.ends_with('\n'));
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Rewrites the lines of the log.
fn tamper(data: &Path, change: impl Fn(&mut Vec<String>)) {
    let path = data.join("audit.jsonl");
    let text = std::fs::read_to_string(&path).expect("a log");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    std::fs::write(&path, lines.join("\n") + "\n").expect("written");
}

/// What a check says of the log.
#[track_caller]
fn said(data: &Path) -> Vec<String> {
    let report = report(data);
    let problems = report["problems"].as_array().expect("a list").iter();
    let of_log = problems.filter(|problem| problem["aspect"] == "audit_log");
    let details = of_log.map(|problem| problem["detail"].as_str().expect("words").to_owned());
    details.collect()
}

#[test]
fn every_change_is_a_line_and_a_line_that_was_touched_is_found() {
    let disk = directory();
    let data = disk.path();
    let stopped = filled(data).stop();
    let logged = lines(data);
    let made =
        |line: &&Value| line["change"]["action"] == "create" && line["change"]["kind"] == "media";
    let media = logged.iter().find(made).expect("a media");
    assert_eq!(media["change"]["actor_name"], "admin");
    assert_eq!(media["change"]["origin"], "rest");
    let count = logged.len();
    let report = report(data);
    assert_eq!(report["audit_lines"], count);
    assert_eq!(report["audit_head"].as_str().map(str::len), Some(64));

    // The next start goes on where it ended.
    let stopped = stopped.start_again(data).stop();
    assert_eq!(lines(data).len(), count);
    assert!(said(data).is_empty());

    let whole = std::fs::read(data.join("audit.jsonl")).expect("a log");
    let restore = || std::fs::write(data.join("audit.jsonl"), &whole).expect("written");
    tamper(data, |lines| lines[1] = lines[1].replace("admin", "nobody"));
    assert!(said(data)[0].contains("breaks at line 3"));
    restore();
    tamper(data, |lines| drop(lines.remove(2)));
    assert!(said(data)[0].contains("breaks at line 3"));
    restore();
    // Of the last line, only the database knows.
    tamper(data, |lines| {
        let last = lines.last_mut().expect("a line");
        *last = last.replace("\"label\":\"", "\"label\":\"another ");
    });
    assert!(said(data)[0].contains("otherwise than the database"));
    // An end that is not whole, as after a power cut, is taken away and written again.
    tamper(data, |lines| drop(lines.pop()));
    let cut = std::fs::read(data.join("audit.jsonl")).expect("a log");
    let torn = [cut.as_slice(), b"{\"number\":\0\0\n\0{}\n"].concat();
    std::fs::write(data.join("audit.jsonl"), torn).expect("written");
    stopped.start_again(data).stop();
    assert!(said(data).is_empty());
    let after = lines(data);
    assert_eq!(after.len(), count + 1);
    assert_eq!(after[count - 1]["cut"]["bytes"], 17);
    assert_eq!(after[count]["change"], logged[count - 1]["change"]);
}

#[test]
fn a_change_of_the_database_behind_the_back_of_the_program_is_found() {
    let disk = directory();
    let data = disk.path();
    filled(data).stop();
    let database = rusqlite::Connection::open(data.join("isolario.db")).expect("a database");
    let changed = database.execute("UPDATE event SET actor = 2 WHERE id = 2", []);
    assert_eq!(changed.expect("changed"), 1);
    drop(database);
    assert_eq!(
        said(data),
        ["Line 2 tells of event 2 otherwise than the database."]
    );
}

#[test]
fn a_database_that_was_put_back_is_told_in_the_log() {
    let (disk, former) = (directory(), directory());
    let data = disk.path();
    let stopped = filled(data).stop();
    put_back(data, former.path());
    let client = stopped.start_again(data);
    make_node(&client, "Lost", "Digital Document", None);
    let stopped = client.stop();
    let before = lines(data).len();
    put_back(former.path(), data);
    assert!(run(data, &["rebuild", "--records"]).status.success());
    let client = stopped.start_again(data);
    make_node(&client, "Made instead", "Digital Document", None);
    client.stop();
    let after = lines(data).split_off(before);
    assert!(
        after[0]["other_database"]["after_event"].is_i64(),
        "{after:?}"
    );
    let last = after.last().expect("a line");
    assert_eq!(last["change"]["label"], "Made instead");
    assert!(said(data).is_empty());
}
