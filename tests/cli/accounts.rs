//! `isolario user` and `isolario role`, with and without a running server.

use rusqlite::Connection;

use crate::program::{Serving, basic, complained, run, run_with_password, said};

#[test]
fn accounts_and_roles_are_made_without_a_server() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    let role = [
        "role",
        "add",
        "reader",
        "--permission",
        "view media",
        "--permission",
        "access content",
    ];
    said(run(data, &role));
    said(run_with_password(
        data,
        &[
            "user", "add", "mira", "--role", "reader", "--role", "editor",
        ],
        "Krähe 77",
    ));
    let users = said(run(data, &["user", "list"]));
    let mira = users
        .lines()
        .find(|line| line.contains("mira"))
        .expect("listed");
    assert!(
        mira.contains("active") && mira.ends_with("editor, reader"),
        "{mira}"
    );
    let roles = said(run(data, &["role", "list"]));
    assert!(
        roles.contains("reader (reader)\n  access content\n  view media"),
        "{roles}"
    );

    let serving = Serving::start(data);
    assert_eq!(
        serving.get("/user/2", Some(&basic("Mira", "Krähe 77"))).0,
        200
    );
}

#[test]
fn a_second_factor_whose_device_is_lost_is_taken_away() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    said(run_with_password(
        data,
        &["user", "add", "mira"],
        "Krähe 77",
    ));
    let serving = Serving::start(data);
    let database = Connection::open(data.join("isolario.db")).expect("a database");
    let secret =
        "UPDATE user SET second_factor = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' WHERE name = 'mira'";
    assert_eq!(database.execute(secret, []).expect("set"), 1);
    drop(serving);
    let serving = Serving::start(data);
    let status = || serving.get("/user/2", Some(&basic("mira", "Krähe 77"))).0;
    assert_eq!(status(), 401);
    let words = said(run(data, &["user", "remove-second-factor", "mira"]));
    assert!(words.contains("password alone"), "{words}");
    assert_eq!(status(), 200);
}

#[test]
fn a_running_server_carries_commands_out_at_once() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    let serving = Serving::start(data);
    said(run_with_password(
        data,
        &["user", "add", "otto"],
        "the first one",
    ));
    let otto = basic("otto", "the first one");
    let status = || serving.get("/user/2", Some(&otto)).0;
    assert_eq!(status(), 200);
    said(run(data, &["user", "disable", "otto"]));
    assert_eq!(status(), 401);
    assert!(said(run(data, &["user", "list"])).contains("disabled"));
    said(run(data, &["user", "enable", "otto"]));
    assert_eq!(status(), 200);
    said(run_with_password(
        data,
        &["user", "password", "otto"],
        "the second one",
    ));
    assert_eq!(status(), 401);
    assert_eq!(
        serving
            .get("/user/2", Some(&basic("otto", "the second one")))
            .0,
        200
    );
}

#[test]
fn a_new_password_ends_sessions_and_tokens() {
    let data = tempfile::tempdir().expect("a directory");
    let serving = Serving::start(data.path());
    let (name, password) = ("admin", serving.password().expect("a password").to_owned());
    let (status, token) = serving.get("/jwt/token", Some(&basic(name, &password)));
    assert_eq!(status, 200);
    let token: serde_json::Value = serde_json::from_str(&token).expect("JSON");
    let bearer = format!("Bearer {}", token["token"].as_str().expect("a token"));
    let cookie = serving.sign_in(name, &password);
    assert_eq!(serving.get("/user/1", Some(&bearer)).0, 200);
    assert_eq!(serving.get_with_cookie("/user/1", &cookie).0, 200);

    said(run_with_password(
        data.path(),
        &["user", "password", name],
        "another password",
    ));
    assert_eq!(serving.get("/user/1", Some(&bearer)).0, 401);
    assert_eq!(serving.get_with_cookie("/user/1", &cookie).0, 401);
    let (status, token) = serving.get("/jwt/token", Some(&basic(name, "another password")));
    assert_eq!(status, 200);
    let token: serde_json::Value = serde_json::from_str(&token).expect("JSON");
    let bearer = format!("Bearer {}", token["token"].as_str().expect("a token"));
    assert_eq!(serving.get("/user/1", Some(&bearer)).0, 200);
}

#[test]
fn commands_at_the_same_time_wait_for_each_other() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    std::thread::scope(|scope| {
        for name in ["a", "b", "c", "d"] {
            scope.spawn(move || said(run(data, &["role", "add", name])));
        }
    });
    let roles = said(run(data, &["role", "list"]));
    for name in ["a", "b", "c", "d"] {
        assert!(roles.contains(&format!("{name} ({name})")), "{roles}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    let add = |name: &str| run_with_password(data, &["user", "add", name], "long enough");
    said(add("mira"));
    assert!(complained(&add("MIRA"), 1).contains("already a user MIRA"));
    assert!(complained(&add("a:b"), 1).contains("colons"));
    let role = run_with_password(
        data,
        &["user", "add", "zoe", "--role", "king"],
        "long enough",
    );
    let words = complained(&role, 1);
    assert!(
        words.contains("no role king") && words.contains("editor"),
        "{words}"
    );
    let empty = run_with_password(data, &["user", "add", "zoe"], "");
    assert!(complained(&empty, 1).contains("empty"));
    let short = run_with_password(data, &["user", "add", "zoe"], "Krähe 7");
    assert!(complained(&short, 1).contains("shorter than 8 characters"));
    let short = run_with_password(data, &["user", "password", "mira"], "Krähe 7");
    assert!(complained(&short, 1).contains("shorter than 8 characters"));
    let nobody = run(data, &["user", "disable", "nobody"]);
    assert!(complained(&nobody, 1).contains("no user nobody"));
    let twice = ["role", "add", "editor"];
    assert!(complained(&run(data, &twice), 1).contains("already a role editor"));
}
