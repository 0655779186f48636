//! Parts of a ZIP with files.

use std::time::Duration;

use crate::support::{ADMIN, TestServer, png};
use crate::v1_import_files::import;

fn server_with_files() -> TestServer {
    let server = TestServer::start();
    let table = b"file,title,field_model\nmap.png,Map,Image\nplan.png,Plan,Image\n,Plain,Image\n";
    let large = [png(7, 5), &[9; 5_000]].concat();
    let files: [(&str, &[u8]); 3] = [
        ("items.csv", table),
        ("map.png", &large),
        ("plan.png", png(7, 5)),
    ];
    import(&server, ADMIN, &files);
    server
}

#[test]
fn any_part_of_a_zip_is_that_of_the_whole() {
    let server = server_with_files();
    for format in ["csv", "xlsx"] {
        let path = format!("/api/v1/export?files=true&format={format}");
        let head = server.head(&path).as_admin().send().expect(200);
        let length: usize = head.header("content-length").unwrap().parse().unwrap();
        let etag = head.header("etag").unwrap().to_owned();
        // The first ones are asked for before the checksums of the files are known.
        let parts: Vec<(usize, Vec<u8>)> = (0..length)
            .rev()
            .step_by(length / 60)
            .map(|first| {
                let part = server.get(&path).as_admin();
                let part = part.header("range", format!("bytes={first}-"));
                let part = part.header("if-range", etag.as_str()).send().expect(206);
                let said = format!("bytes {first}-{}/{length}", length - 1);
                assert_eq!(part.header("content-range"), Some(said.as_str()));
                (first, part.body)
            })
            .collect();
        // The time within a workbook has seconds.
        std::thread::sleep(Duration::from_millis(1_100));
        let whole = server.get(&path).as_admin().send().expect(200);
        assert_eq!(whole.header("etag"), Some(etag.as_str()));
        assert_eq!(whole.header("accept-ranges"), Some("bytes"));
        assert_eq!(whole.body.len(), length);
        for (first, part) in parts {
            assert!(part == whole.body[first..], "{format} from {first}");
        }
        let some = server.get(&path).as_admin().header("range", "bytes=40-99");
        assert_eq!(some.send().expect(206).body, whole.body[40..100]);
    }
}

#[test]
fn a_download_goes_on_only_while_nothing_has_changed() {
    let server = server_with_files();
    let path = "/api/v1/export?files=true";
    let whole = server.get(path).as_admin().send().expect(200);
    let etag = whole.header("etag").unwrap().to_owned();
    let known = server
        .get(path)
        .as_admin()
        .header("if-none-match", etag.as_str());
    assert!(known.send().expect(304).body.is_empty());
    let beyond = server.get(path).as_admin();
    beyond.header("range", "bytes=99999999-").send().expect(416);
    // A time tells nothing of a ZIP, which has what somebody may view.
    assert_eq!(whole.header("last-modified"), None);
    let later = server.get(path).as_admin();
    let later = later.header("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT");
    later.send().expect(200);
    let hidden = serde_json::json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]});
    let change = server.patch("/node/1?_format=json").as_admin();
    change.json(hidden).send().expect(200);
    let other = server.get(path).as_admin().header("range", "bytes=9-");
    let other = other.header("if-range", etag.as_str()).send().expect(200);
    assert_ne!(other.header("etag"), Some(etag.as_str()));
    let lost = server
        .get(path)
        .as_admin()
        .header("if-match", etag.as_str());
    lost.send().expect(412);
    // Somebody else has another ZIP.
    let visitor = server.get(path).send().expect(200);
    assert_ne!(visitor.header("etag"), other.header("etag"));
}
