//! `/api/v1/backups` and `/api/v1/fixity`: a backup now, a check now; and how much room there is.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::TestServer;

#[track_caller]
fn until(server: &TestServer, path: &str, satisfies: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let status = server.get(path).as_admin().send().expect(200).json();
        if satisfies(&status) {
            return status;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{path} never came so far");
}

#[test]
fn a_backup_is_made_when_it_is_asked_for() {
    let server = TestServer::start();
    server.create_object("Kept");
    let post = |body: Value| server.post("/api/v1/backups").as_admin().json(body).send();
    let words = post(json!({})).expect(422).message();
    assert!(words.contains("name the folder"), "{words}");
    post(json!({"directory": "relative"})).expect(422);
    post(json!({"folder": "/x"})).expect(422);
    let folder = server.directory().join("backups/by hand");
    let directory = folder.display().to_string();
    post(json!({"directory": directory})).expect(202);
    let made =
        |status: &Value| status["running"] == Value::Null && status["last_made"] != Value::Null;
    let status = until(&server, "/api/v1/backups", made);
    assert_eq!(status["last_made"]["directory"], directory.as_str());
    assert_eq!(status["last_made"]["scheduled"], false);
    assert!(folder.join("isolario-backup.json").is_file());
    // The next one goes where the last one went.
    post(json!({})).expect(202);
    until(&server, "/api/v1/backups", |status| {
        status["running"] == Value::Null
    });
}

#[test]
fn a_backup_goes_nowhere_that_was_not_allowed() {
    let allowed = tempfile::tempdir().expect("a directory");
    let allowed = allowed.path().canonicalize().expect("there");
    let config = format!("[folders]\nallowed = [{allowed:?}]");
    let server = TestServer::start_with(&config);
    let own = server.directory().join("backups");
    let status = server.get("/api/v1/backups").as_admin().send().expect(200);
    assert_eq!(status.json()["allowed"], json!([own, allowed]));
    let beside = allowed.with_extension("beside");
    std::os::unix::fs::symlink("/var", allowed.join("link")).expect("a link");
    for elsewhere in [
        beside.clone(),
        "/usr/new".into(),
        server.directory().join("keys/new"),
        allowed.join("none/../../new"),
        allowed.join("link/new"),
        own.join("../new"),
    ] {
        let body = json!({"directory": elsewhere});
        let answer = server.post("/api/v1/backups").as_admin().json(body).send();
        let words = answer.expect(422).message();
        assert!(
            words.contains("under [folders] allowed"),
            "{elsewhere:?}: {words}"
        );
    }
    assert!(!beside.exists());
    let body = json!({"directory": allowed.join("new/backup")});
    let answer = server.post("/api/v1/backups").as_admin().json(body).send();
    answer.expect(202);
    until(&server, "/api/v1/backups", |status| {
        status["last_made"] != Value::Null
    });
    assert!(allowed.join("new/backup/isolario-backup.json").is_file());
}

#[test]
fn a_backup_that_would_be_taken_into_the_repository_is_refused() {
    let allowed = tempfile::tempdir().expect("a directory");
    let server = TestServer::start_with(&format!("[folders]\nallowed = [{:?}]", allowed.path()));
    let rule = json!({"path": allowed.path(), "subfolders": "flat"});
    let watched = server.post("/api/v1/watched-folders").as_admin().json(rule);
    watched.send().expect(201);
    let body = json!({"directory": allowed.path().join("backup")});
    let answer = server.post("/api/v1/backups").as_admin().json(body).send();
    let words = answer.expect(422).message();
    assert!(words.contains("is watched"), "{words}");
    assert!(!allowed.path().join("backup").exists());
}

#[test]
fn a_backup_that_cannot_be_made_says_why() {
    let server = TestServer::start();
    let folder = server.directory().join("backups");
    std::fs::write(&folder, "no folder").expect("written");
    let body = json!({"directory": folder.join("new")});
    server
        .post("/api/v1/backups")
        .as_admin()
        .json(body)
        .send()
        .expect(202);
    let failed = |status: &Value| status["last_error"] != Value::Null;
    let status = until(&server, "/api/v1/backups", failed);
    assert_eq!(status["last_made"], Value::Null);
}

#[test]
fn the_server_says_how_much_room_there_is() {
    let server = TestServer::shared();
    let disk = server
        .get("/api/v1/server")
        .as_admin()
        .send()
        .expect(200)
        .json()["disk"]
        .clone();
    let (free, total) = (disk["free"].as_u64(), disk["total"].as_u64());
    assert!(total > Some(0) && free <= total, "{disk}");
}
