//! `/api/v1/import/table` with files: in a ZIP with the table, or in a folder of the machine.

use std::io::{Cursor, Write};
use std::time::{Duration, Instant};

use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{ADMIN, DEPOSITOR, Person, Response, TestServer, outcome, png};

/// A ZIP of these files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default();
        archive.start_file(*name, options).expect("a file");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("a ZIP").into_inner()
}

fn send(server: &TestServer, person: Person, query: &str, body: Vec<u8>) -> Response {
    let path = format!("/api/v1/import/table?{query}");
    let request = server.post(&path).signed_in(person);
    request.body("application/zip", body).send()
}

pub fn import(server: &TestServer, person: Person, files: &[(&str, &[u8])]) -> Value {
    let begun = send(server, person, "name=maps.zip", archive(files));
    server.batch_ended(&begun.expect(202).json())
}

/// The problems of a table with the column `file` and these cells, each with its reason.
fn problems(server: &TestServer, table: &str, files: &[(&str, &[u8])]) -> Vec<String> {
    let all: Vec<_> = [("items.csv", table.as_bytes())]
        .into_iter()
        .chain(files.iter().copied())
        .collect();
    let checked = send(server, ADMIN, "name=a.zip&check=true", archive(&all));
    let check = checked.expect(200).json();
    let problems = check["problems"].as_array().expect("a list").iter();
    let text = |problem: &Value, name: &str| problem[name].as_str().unwrap_or("").to_owned();
    problems
        .map(|problem| {
            let words = ["column", "reason", "suggestion"].map(|name| text(problem, name));
            words.join("/")
        })
        .collect()
}

fn media_of(server: &TestServer, nid: i64) -> Vec<Value> {
    let path = format!("/node/{nid}/media?_format=json");
    let media = server.get(&path).as_admin().send().expect(200).json();
    media.as_array().cloned().unwrap_or_default()
}

#[test]
fn a_configuration_in_the_zip_says_how_its_table_is_read() {
    let server = TestServer::shared();
    let config = "task: create\nhost: https://site.example\ninput_csv: maps.csv\nsubdelimiter: ';'\n\
        id_field: number\nallow_adding_terms: true\nignore_csv_columns: [notes]\n";
    let table = "number,title,field_model,field_subject,notes,file\n1,Configured,Image,Reefs;Shoals,x,a.png\n";
    let files: [(&str, &[u8]); 3] = [
        ("batch/config.yml", config.as_bytes()),
        ("batch/input_data/maps.csv", table.as_bytes()),
        ("batch/input_data/a.png", png(7, 5)),
    ];
    let checked = send(server, ADMIN, "name=a.zip&check=true", archive(&files));
    let check = checked.expect(200).json();
    assert_eq!(
        (&check["creates"], &check["files"]),
        (&1.into(), &1.into()),
        "{check}"
    );
    let batch = import(server, ADMIN, &files);
    // With two terms.
    assert_eq!(outcome(&batch), [Some(3), Some(0)], "{batch}");
    let found = server.get("/api/v1/items?q=Configured").as_admin().send();
    let nid = found.expect(200).json()["items"][0]["nid"]
        .as_i64()
        .expect("an item");
    let subjects = server.node(nid)["field_subject"].as_array().map(Vec::len);
    assert_eq!(subjects, Some(2));
    for (config, words) in [
        ("task: delete\n", "The task delete is no import of items."),
        ("task: [\n", "config.yml cannot be read"),
        (
            "input_dir: ../../..\ninput_csv: /etc/passwd\n",
            "The ZIP has no table",
        ),
    ] {
        let files: [(&str, &[u8]); 1] = [("config.yml", config.as_bytes())];
        let refused = send(server, ADMIN, "name=a.zip&check=true", archive(&files));
        let said = refused.expect(422).json()["message"].to_string();
        assert!(
            said.contains(words) && !said.contains("/imports/"),
            "{said}"
        );
    }
}

#[test]
fn rows_bring_their_files_and_one_undo_takes_both_back() {
    let server = TestServer::start();
    let table = "file,title,file:Transcript,field_model\nscans/North_Quay.png,,words/quay.txt,\nscans/b.png,Bay,,\n,Plain,,Image\n";
    let files: [(&str, &[u8]); 5] = [
        ("maps/items.csv", table.as_bytes()),
        ("maps/scans/North_Quay.png", png(7, 5)),
        ("maps/scans/b.png", png(20, 10)),
        ("maps/words/quay.txt", b"north quay"),
        ("__MACOSX/maps/._items.csv", b"resource fork"),
    ];
    let checked = send(&server, DEPOSITOR, "name=a.zip&check=true", archive(&files));
    let check = checked.expect(200).json();
    assert_eq!((&check["creates"], &check["files"]), (&3.into(), &3.into()));
    let batch = import(&server, DEPOSITOR, &files);
    assert_eq!(outcome(&batch), [Some(3), Some(0)], "{batch}");
    let item = server.node(1);
    assert_eq!(item["title"][0]["value"], "North Quay");
    let model = server.term("islandora_models", "Image");
    assert_eq!(item["field_model"][0]["target_id"], model);
    let media = media_of(&server, 1);
    let bundles = media
        .iter()
        .map(|one| one["bundle"][0]["target_id"].as_str());
    assert_eq!(
        bundles.collect::<Vec<_>>(),
        [Some("image"), Some("document")],
        "{media:?}"
    );
    let picture = media[0]["field_media_image"][0]["url"].as_str().unwrap();
    let bytes = server.get(&server.path_of(picture)).as_depositor().send();
    assert_eq!(bytes.expect(200).body, png(7, 5));
    server.undo_batch(&batch);
    server
        .get("/node/1?_format=json")
        .as_admin()
        .send()
        .expect(404);
    let mid = media[0]["mid"][0]["value"].as_i64().unwrap();
    let path = format!("/media/{mid}?_format=json");
    server.get(&path).as_admin().send().expect(404);
    let left = || {
        server
            .directory()
            .join("imports")
            .read_dir()
            .unwrap()
            .count()
    };
    let started = Instant::now();
    while left() > 0 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(left(), 0, "what was unpacked is removed");
}

#[test]
fn an_item_gets_the_file_that_it_lacks_and_keeps_the_one_that_it_has() {
    let server = TestServer::start();
    let nid = server.create_object("Quay");
    let table = format!("node_id,file\n{nid},a.png\n");
    let files: [(&str, &[u8]); 2] = [("items.csv", table.as_bytes()), ("a.png", png(7, 5))];
    let batch = import(&server, ADMIN, &files);
    assert_eq!(outcome(&batch), [Some(1), Some(0)], "{batch}");
    assert_eq!(media_of(&server, nid).len(), 1);
    let again = send(&server, ADMIN, "name=a.zip&check=true", archive(&files));
    assert_eq!(again.expect(200).json()["unchanged"], 1);
    let other = problems(&server, &table, &[("a.png", png(20, 10))]);
    let words = "file/The item has another file for this use. Replace it at the item./";
    assert_eq!(other, [words]);
    server.undo_batch(&batch);
    assert_eq!(media_of(&server, nid).len(), 0);
    server.node(nid);
}

#[test]
fn everything_that_is_wrong_with_files_is_said_before_anything_is_written() {
    let server = TestServer::start();
    let table = "title,file,file:Transcript,file:Nothing\n\
        A,mpa.png,,\nB,../secret.png,,\nC,/etc/passwd,,\nD,https://example.org/a.png,,\nE,empty.png,,\n\
        F,map.png,,map.png\nG,folder,,\nH,map.png,map.png,\n";
    let files: [(&str, &[u8]); 3] = [
        ("map.png", png(7, 5)),
        ("empty.png", b""),
        ("folder/in.png", png(7, 5)),
    ];
    let said = problems(&server, table, &files);
    let expected = [
        "file/There is no such file./map.png",
        "file/It does not lie in the folder of the files./",
        "file/It does not lie in the folder of the files./",
        "file/Files are not fetched from the web. Put it into the folder of the files./",
        "file/The file is empty./",
        "file:Nothing/There is no media use \"Nothing\"./",
        "file/It cannot be read: it is no regular file./",
    ];
    assert_eq!(said, expected);
    let body = archive(&[("items.csv", b"title,file\nA,none.png\n")]);
    let refused = send(&server, ADMIN, "name=a.zip", body);
    refused.expect(422);
    let alone = "title,file\nA,map.png\n";
    let checked = send(&server, ADMIN, "name=a.csv&check=true", alone.into());
    let check = checked.expect(200).json();
    let words = "No folder of files came with the table.";
    assert_eq!(check["problems"][0]["reason"], words);
}

/// An archive that says it has as many entries as fit into its last record, and more by ZIP64.
fn saying_many_entries(archive: Vec<u8>) -> Vec<u8> {
    let end = archive.len() - 22;
    let mut large = archive[..end].to_vec();
    large.extend(b"PK\x06\x06");
    large.extend(44_u64.to_le_bytes());
    large.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [300_000_u64, 300_000, 0, 0] {
        large.extend(number.to_le_bytes());
    }
    large.extend(b"PK\x06\x07\0\0\0\0");
    large.extend((end as u64).to_le_bytes());
    large.extend(1_u32.to_le_bytes());
    large.extend(&archive[end..]);
    large
}

#[test]
fn hostile_archives_are_refused() {
    let server = TestServer::start();
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    link.add_symlink("items.csv", "/etc/passwd", options)
        .unwrap();
    let link = link.finish().unwrap().into_inner();
    let zeros = vec![0; 300 << 20];
    let bomb = archive(&[("items.csv", b"title\nA\n"), ("zeros.bin", &zeros)]);
    let table: (&str, &[u8]) = ("items.csv", b"title\nA\n");
    for (body, words) in [
        (b"no archive".to_vec(), "The ZIP cannot be read"),
        (link, "has a link"),
        (bomb, "far more bytes"),
        (
            archive(&[("../../items.csv", b"title\nA\n")]),
            "leads out of it",
        ),
        (archive(&[("a.png", png(7, 5))]), "has no table"),
        (
            archive(&[("a.csv", b"title\nA\n"), ("b.csv", b"title\nB\n")]),
            "several tables",
        ),
        (archive(&[table])[..60].to_vec(), "The ZIP cannot be read"),
        (
            archive(&[table, ("a", b"x"), ("a/b", b"x")]),
            "No file can have this name",
        ),
        (
            archive(&[table, (&"x".repeat(300), b"x")]),
            "No file can have this name",
        ),
        (
            saying_many_entries(archive(&[table])),
            "at most 200000 entries",
        ),
    ] {
        let refused = send(&server, ADMIN, "name=a.zip", body);
        let message = refused.expect(422).message();
        assert!(message.contains(words), "{message}");
    }
    let left = server.directory().join("imports").read_dir().unwrap();
    assert_eq!(left.count(), 0);
    server.until_staging_is_empty();
}

#[test]
fn a_folder_of_the_machine_is_for_administrators_and_must_be_allowed() {
    let server = TestServer::start();
    let incoming = server.directory().join("incoming");
    std::fs::create_dir_all(&incoming).unwrap();
    std::fs::write(incoming.join("a.png"), png(7, 5)).unwrap();
    let table = b"title,file\nA,a.png\n".to_vec();
    let query = |folder: &std::path::Path| format!("name=a.csv&files={}", folder.display());
    let denied = send(&server, DEPOSITOR, &query(&incoming), table.clone());
    denied.expect(403);
    let elsewhere = query(std::path::Path::new("/etc"));
    let refused = send(&server, ADMIN, &elsewhere, table.clone());
    assert!(refused.expect(422).message().contains("is not allowed"));
    let begun = send(&server, ADMIN, &query(&incoming), table);
    let batch = server.batch_ended(&begun.expect(202).json());
    assert_eq!(outcome(&batch), [Some(1), Some(0)], "{batch}");
    assert!(incoming.join("a.png").exists(), "the file stays");
}

fn names(zip: &zip::ZipArchive<Cursor<Vec<u8>>>) -> Vec<String> {
    let names = zip.file_names().map(|name| name.expect("UTF-8"));
    names.map(|name| name.into_owned()).collect()
}

fn content(zip: &mut zip::ZipArchive<Cursor<Vec<u8>>>, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut file = zip.by_name(name).expect("a file");
    std::io::Read::read_to_end(&mut file, &mut bytes).expect("memory");
    bytes
}

#[test]
fn an_export_with_files_comes_back_and_changes_nothing() {
    let server = TestServer::start();
    let table = b"file,title,field_model\nmap.png,Map,Image\n,Plain,Image\n";
    import(
        &server,
        ADMIN,
        &[("items.csv", table), ("map.png", png(7, 5))],
    );
    for format in ["csv", "xlsx"] {
        let path = format!("/api/v1/export?files=true&format={format}");
        let exported = server.get(&path).as_admin().send().expect(200);
        assert_eq!(exported.header("content-type"), Some("application/zip"));
        let mut zip = zip::ZipArchive::new(Cursor::new(exported.body.clone())).expect("a ZIP");
        let names = names(&zip);
        assert_eq!(
            names,
            [
                "items/files/1-map.png".to_owned(),
                format!("items/items.{format}"),
                "items/manifest-sha512.txt".to_owned(),
            ]
        );
        let bytes = content(&mut zip, "items/files/1-map.png");
        assert_eq!(bytes, png(7, 5));
        let sums = String::from_utf8(content(&mut zip, "items/manifest-sha512.txt")).unwrap();
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA512, &bytes);
        assert_eq!(sums, format!("{}  files/1-map.png\n", hex::encode(digest)));
        let checked = send(&server, ADMIN, "name=a.zip&check=true", exported.body);
        let check = checked.expect(200).json();
        assert_eq!(check["problems"], serde_json::json!([]));
        assert_eq!([&check["unchanged"], &check["updates"]], [2, 0]);
    }
    server
        .patch("/media/1")
        .as_admin()
        .json(serde_json::json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]}))
        .send()
        .expect(200);
    let seen = server
        .get("/api/v1/export?files=true&nids=1")
        .send()
        .expect(200);
    let zip = zip::ZipArchive::new(Cursor::new(seen.body)).expect("a ZIP");
    assert_eq!(names(&zip), ["items/items.csv"]);
}

#[test]
fn files_of_other_uses_leave_and_come_back() {
    let server = TestServer::start();
    let table = b"file,title,file:Transcript,field_model\nmap.png,Map,map.txt,Image\n";
    let files: [(&str, &[u8]); 3] = [
        ("items.csv", table),
        ("map.png", png(7, 5)),
        ("map.txt", b"north"),
    ];
    import(&server, ADMIN, &files);
    let use_of = |name| server.term("islandora_media_use", name);
    let words = format!("items/uses/{}-transcript/1-map.txt", use_of("Transcript"));
    let map = "items/files/1-map.png".to_owned();
    for (asked, expected) in [
        ("original", vec![map.clone()]),
        ("all", vec![map.clone(), words.clone()]),
        ("transcript", vec![words.clone()]),
        (
            "http://pcdm.org/use%23OriginalFile,Transcript,Thumbnail%20Image",
            vec![map, words],
        ),
    ] {
        let exported = server.get(&format!("/api/v1/export?files={asked}"));
        let exported = exported.as_admin().send().expect(200).body;
        let mut zip = zip::ZipArchive::new(Cursor::new(exported.clone())).expect("a ZIP");
        let found = names(&zip);
        // The table and the checksums are last.
        assert_eq!(found[..found.len() - 2], expected, "{asked}");
        let text = String::from_utf8(content(&mut zip, "items/items.csv")).expect("UTF-8");
        assert!(
            asked == "original" || text.contains("file:Transcript"),
            "{text}"
        );
        let checked = send(&server, ADMIN, "name=a.zip&check=true", exported);
        let check = checked.expect(200).json();
        assert_eq!(
            (&check["unchanged"], &check["problems"]),
            (&1.into(), &serde_json::json!([]))
        );
    }
    let refused = server
        .get("/api/v1/export?files=Painting")
        .as_admin()
        .send();
    let words = refused.expect(400).message();
    assert!(words.contains("no media use \"Painting\""), "{words}");
}
