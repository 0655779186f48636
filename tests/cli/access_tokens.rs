//! `isolario token add`, `list` and `revoke`: access tokens for scripts.

use crate::program::{Serving, complained, run, run_with_password, said};

fn status(serving: &Serving, token: &str) -> u16 {
    let bearer = format!("Bearer {token}");
    serving.get("/api/v1/session", Some(&bearer)).0
}

#[test]
fn a_token_is_made_listed_and_revoked_while_the_program_serves() {
    let data = tempfile::tempdir().expect("a directory");
    let add_user = ["user", "add", "mira"];
    said(run_with_password(data.path(), &add_user, "a password"));
    let add = ["token", "add", "Report", "--user", "mira", "--read-only"];
    // Without a server, and beside one.
    let first = said(run(data.path(), &add));
    let serving = Serving::start(data.path());
    let expiring = [
        "token",
        "add",
        "Scanner",
        "--user",
        "mira",
        "--expires",
        "2999-01-31T12:00:00Z",
    ];
    let second = said(run(data.path(), &expiring));
    for token in [&first, &second] {
        assert_eq!(status(&serving, token.trim()), 200, "{token}");
    }
    assert!(complained(&run(data.path(), &add), 1).contains("already a token Report"));
    let list = said(run(data.path(), &["token", "list"]));
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[1].contains("Scanner") && lines[1].contains("2999-01-31T12:00:00Z"));
    assert!(
        lines[2].contains("Report") && lines[2].contains("read"),
        "{list}"
    );
    said(run(data.path(), &["token", "revoke", "1"]));
    assert_eq!(status(&serving, first.trim()), 401);
    assert_eq!(status(&serving, second.trim()), 200);
    assert!(complained(&run(data.path(), &["token", "revoke", "1"]), 1).contains("no token 1"));
    let elsewhere = ["token", "add", "X", "--user", "mira", "--collection", "99"];
    assert!(complained(&run(data.path(), &elsewhere), 1).contains("There is no collection 99"));
    let strange = ["token", "add", "X", "--user", "nobody"];
    assert!(complained(&run(data.path(), &strange), 1).contains("There is no user nobody"));
}
