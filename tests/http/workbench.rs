//! `/islandora_workbench_integration`: versions, and checksums of files.

use serde_json::Value;

use crate::support::{TestServer, png};

fn hash(server: &TestServer, uuid: &str, algorithm: &str) -> Value {
    let path = format!(
        "/islandora_workbench_integration/file_hash?file_uuid={uuid}&algorithm={algorithm}"
    );
    let answer = server.get(&path).as_admin().send().expect(200).json();
    assert_eq!(answer[0]["file_uuid"], uuid);
    assert_eq!(answer[0]["algorithm"], algorithm);
    answer[0]["checksum"].clone()
}

#[test]
fn clients_learn_versions_that_they_can_compare() {
    let server = TestServer::shared();
    for (path, member) in [
        ("version", "integration_module_version"),
        ("core_version", "core_version"),
    ] {
        let path = format!("/islandora_workbench_integration/{path}");
        let answer = server.get(&path).as_admin().header("Accept", "*/*").send();
        let version = answer.expect(200).json()[member].clone();
        let parts = version.as_str().expect("a text").split('.');
        assert!(parts.take(2).all(|part| part.parse::<u32>().is_ok()));
        server.get(&path).basic("admin", "wrong").send().expect(401);
    }
}

#[test]
fn checksums_are_those_of_the_stored_bytes() {
    let server = TestServer::start();
    let nid = server.create_object("Checksums");
    let mid = server.upload_image(nid, "public://hash/a.png");
    let media = server.media(mid);
    let uuid = media["field_media_image"][0]["target_uuid"]
        .as_str()
        .expect("a UUID")
        .to_owned();
    let url = media["field_media_image"][0]["url"]
        .as_str()
        .expect("a URL")
        .to_owned();
    let bytes = server
        .get(url.strip_prefix(&server.base()).expect("a path"))
        .send()
        .expect(200);
    for (algorithm, tool) in [
        ("md5", "md5sum"),
        ("sha1", "sha1sum"),
        ("sha256", "sha256sum"),
        ("sha512", "sha512sum"),
    ] {
        let file = server.directory().join("bytes");
        std::fs::write(&file, &bytes.body).expect("a file");
        let output = std::process::Command::new(tool)
            .arg(&file)
            .output()
            .expect(tool);
        let expected = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            hash(&server, &uuid, algorithm),
            expected.split(' ').next().expect("a sum")
        );
    }
    // Bytes that are not there are said to be missing.
    let other = server.put(&format!("/media/{mid}/source")).as_admin();
    other.body("image/png", png(20, 10)).send().expect(204);
    assert_ne!(hash(&server, &uuid, "md5"), Value::Null);
    for query in ["", "?algorithm=crc", "?algorithm=md5&algorithm=md5"] {
        let path = format!("/islandora_workbench_integration/file_hash{query}");
        server.get(&path).as_admin().send().expect(400);
    }
    let unknown = "/islandora_workbench_integration/file_hash?algorithm=md5&file_uuid=x";
    server.get(unknown).as_admin().send().expect(404);
}
