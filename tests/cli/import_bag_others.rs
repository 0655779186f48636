//! `isolario import-bag` of ZIPs, as new items, of bags of other programs, and after a kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bag::{bag, create, harbour, upload};
use crate::client::Client;
use crate::program::{isolario, run, said};

fn import(data: &Path, place: &Path, arguments: &[&str], kill_at: Option<&str>) -> Output {
    let mut command = isolario(data, &["import-bag"]);
    command.arg(place).args(arguments);
    if let Some(point) = kill_at {
        command.env("ISOLARIO_KILL_AT", point);
    }
    command.output().expect("it starts")
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn titles(client: &Client) -> Vec<String> {
    let (status, body) = client.get("/api/v1/items?limit=200");
    assert_eq!(status, 200, "{body}");
    let list: Value = serde_json::from_str(&body).expect("JSON");
    let items = list["items"].as_array().expect("a list").iter();
    let mut titles: Vec<String> = items
        .map(|item| item["title"].as_str().expect("a title").to_owned())
        .collect();
    titles.sort();
    titles
}

/// A bag that bagit-python makes.
fn strange(disk: &Path) -> PathBuf {
    let folder = disk.join("letters of 1571");
    fs::create_dir_all(folder.join("deep")).expect("made");
    fs::write(folder.join("a.txt"), "one").expect("written");
    fs::write(folder.join("deep/Länder 50%.txt"), "two").expect("written");
    let python = crate::program::in_sources(".tools/bagit/bin/python");
    let mut command = Command::new(python);
    command.arg(crate::program::in_sources(".tools/bagit/bin/bagit.py"));
    command.args([
        "--sha256",
        "--quiet",
        "--source-organization",
        "City archive",
    ]);
    assert!(command.arg(&folder).status().expect("bagit").success());
    folder
}

/// Packs a folder as Python does, with Deflate.
fn packed(folder: &Path) -> PathBuf {
    let archive = folder.with_extension("zip");
    let python = "import shutil,sys,os\nshutil.make_archive(sys.argv[1],'zip',os.path.dirname(sys.argv[1]),os.path.basename(sys.argv[1]))";
    let mut command = Command::new("/usr/bin/python3");
    let packed = command.args(["-c", python]).arg(folder).status();
    assert!(packed.expect("python").success());
    archive
}

#[test]
fn a_zip_is_checked_and_brings_what_the_folder_would() {
    let data = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let disk = tempfile::tempdir().unwrap();
    let here = Client::start(data[0].path());
    let collection = harbour(&here);
    here.stop();
    let own = disk.path().join("own.zip");
    said(bag(data[0].path(), collection, &own));
    let words = said(run(disk.path(), &["check-bag", &own.display().to_string()]));
    assert!(words.contains("a whole bag of"), "{words}");
    let words = said(import(data[1].path(), &own, &["--check"], None));
    assert!(
        words.contains("nothing was written") && words.contains("nodes: 3 new"),
        "{words}"
    );
    let words = said(import(data[1].path(), &own, &[], None));
    assert!(
        words.contains("nodes: 3 new") && words.contains("files: 1 new"),
        "{words}"
    );
    let there = Client::start_apart(data[1].path());
    assert_eq!(titles(&there), ["Letter", "Map: <quay>", "The Harbour"]);
    let words = said(import(data[1].path(), &own, &["--new"], None));
    assert!(
        words.contains("nodes: 3 new") && words.contains("terms: 0 new"),
        "{words}"
    );
    assert_eq!(titles(&there).len(), 6);
    let words = refused(&import(data[1].path(), &own, &["--collection", "1"], None));
    assert!(
        words.contains("its items keep their collections"),
        "{words}"
    );
}

#[test]
fn the_files_of_a_bag_of_another_program_become_items() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = strange(disk.path());
    let zip = packed(&folder);
    let words = said(import(data.path(), &folder, &[], None));
    assert!(
        words.contains("nodes: 4 new") && words.contains("media: 2 new"),
        "{words}"
    );
    let client = Client::start(data.path());
    assert_eq!(
        titles(&client),
        ["Länder 50%", "a", "deep", "letters of 1571"]
    );
    let (_, body) = client.get("/node/1?_format=json");
    assert!(body.contains("Source-Organization: City archive"), "{body}");
    // The same bag, whatever it is packed in.
    let words = said(import(data.path(), &zip, &[], None));
    assert!(
        words.contains("nodes: 0 new, 0 changed, 4 unchanged"),
        "{words}"
    );
    said(import(
        data.path(),
        &zip,
        &["--new", "--collection", "1"],
        None,
    ));
    assert_eq!(titles(&client).len(), 8);
    fs::write(folder.join("data/a.txt"), "eno").unwrap();
    let words = refused(&import(data.path(), &folder, &[], None));
    assert!(
        words.contains("data/a.txt: Its bytes have changed."),
        "{words}"
    );
    assert_eq!(titles(&client).len(), 8);
}

#[test]
fn an_import_that_was_killed_goes_on_and_makes_nothing_twice() {
    let data = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let disk = tempfile::tempdir().unwrap();
    let here = Client::start(data[0].path());
    let collection = create(&here, "Many", &json!({}));
    for number in 0..6 {
        let inside = json!({"field_member_of": [{"target_id": collection}]});
        let item = create(&here, &format!("Item {number}"), &inside);
        upload(&here, item, &format!("{number}.txt"), "some bytes");
    }
    here.stop();
    let folder = disk.path().join("bag");
    said(bag(data[0].path(), collection, &folder));
    let mut stopped = Client::start_apart(data[1].path()).stop();
    for (point, expected) in [("import:2", 7), ("import:7", 14)] {
        let killed = import(data[1].path(), &folder, &["--new"], Some(point));
        assert_eq!(killed.status.code(), None, "it was killed");
        let there = stopped.start_again(data[1].path());
        until_ended(&there);
        assert_eq!(titles(&there).len(), expected);
        let (_, body) = there.get("/api/v1/activity?limit=1");
        assert!(
            body.contains("\"act\":\"import_bag\"") && body.contains("\"changed\":7"),
            "{body}"
        );
        stopped = there.stop();
    }
}

/// Waits until no import is in progress: another one is not refused.
fn until_ended(client: &Client) {
    let started = Instant::now();
    loop {
        let (_, body) = client.get("/api/v1/activity?limit=1");
        let activity: Value = serde_json::from_str(&body).expect("JSON");
        let batch = &activity["changes"][0]["many"]["id"];
        let (_, body) = client.get(&format!("/api/v1/batches/{batch}"));
        let batch: Value = serde_json::from_str(&body).expect("JSON");
        if batch["state"] == "done" {
            return;
        }
        assert_eq!(batch["state"], "running", "{batch}");
        assert!(started.elapsed() < Duration::from_secs(60), "{batch}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
