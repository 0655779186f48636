//! `isolario watch`.

use serde_json::json;

use super::{Desk, directory};
use crate::program::{complained, run, said};

#[test]
fn folders_are_watched_from_the_command_line() {
    let mut desk = Desk::without_rule();
    let data = desk.data.path();
    assert_eq!(
        said(run(data, &["watch", "list"])),
        "No folder is watched.\n"
    );
    let folder = desk.folder.path().to_str().expect("UTF-8").to_owned();
    let folder = folder.as_str();
    let add = [
        "watch",
        "add",
        folder,
        "--afterwards",
        "move",
        "--set",
        "settle_seconds=0.3",
        "--unpublished",
    ];
    assert_eq!(
        said(run(data, &add)),
        format!("{folder} is watched now, as number 1.\n")
    );
    desk.id = 1;
    desk.put("a.txt", "a");
    let row = desk.done("a.txt");
    assert_eq!(desk.item(&row)["status"][0]["value"], json!(false));
    let data = desk.data.path();
    let status = said(run(data, &["watch", "status"]));
    assert!(status.contains("1 done, 0 skipped, 0 failed"), "{status}");
    assert_eq!(
        said(run(data, &["watch", "pause", folder])),
        format!("{folder} is paused.\n")
    );
    assert!(said(run(data, &["watch", "list"])).contains(&format!("{folder}  (paused)")));
    assert!(said(run(data, &["watch", "status"])).contains("paused"));
    assert_eq!(
        said(run(data, &["watch", "resume", "1"])),
        format!("{folder} goes on.\n")
    );
    desk.put("b.txt", "b");
    desk.done("b.txt");
    let again = run(data, &["watch", "add", folder]);
    assert!(complained(&again, 1).contains("is watched already"));
    assert!(
        complained(&run(data, &["watch", "pause", "/none"]), 1)
            .contains("No folder /none is watched.")
    );
}

#[test]
fn a_folder_can_be_watched_from_the_next_start_on() {
    let (data, folder) = (directory(), directory());
    let path = folder.path().to_str().expect("UTF-8");
    std::fs::write(folder.path().join("a.txt"), "already there").expect("written");
    let client = crate::client::Client::start(data.path());
    let stopped = client.stop();
    said(run(
        data.path(),
        &["watch", "add", path, "--set", "settle_seconds=0.3"],
    ));
    let client = stopped.start_again(data.path());
    let desk = Desk {
        client,
        data,
        folder,
        id: 1,
    };
    desk.done("a.txt");
}
