//! Whoever signs in, in whatever way, leaves no secret in a log, nor anywhere else on the disk.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{Serving, basic, isolario, run, run_with_password, said};

const PASSWORDS: [&str; 4] = [
    "the password of the administrator",
    "a wrong password",
    "the second password",
    "a password in an address",
];
const JSON: &str = "Content-Type: application/json\r\n";

/// A server that tells everything it ever would, and the secrets that were used with it.
struct Confidant {
    client: Client,
    place: tempfile::TempDir,
    secrets: Vec<String>,
}

impl Confidant {
    fn start() -> Confidant {
        let place = tempfile::tempdir().expect("a directory");
        let data = place.path().join("data");
        said(run_with_password(
            &data,
            &["user", "password", "admin"],
            PASSWORDS[0],
        ));
        let mut command = isolario(&data, &["serve", "--listen", "127.0.0.1:0"]);
        let told = std::fs::File::create(place.path().join("told.txt")).expect("a file");
        command.stderr(told).env("RUST_LOG", "trace");
        Confidant {
            client: Client::with_password(Serving::spawn(command), PASSWORDS[0]),
            place,
            secrets: PASSWORDS.map(str::to_owned).to_vec(),
        }
    }

    fn data(&self) -> PathBuf {
        self.place.path().join("data")
    }

    /// Sends a request; the whole answer.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut stream = self.client.serving.connect();
        let (host, length) = (self.client.serving.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    #[track_caller]
    fn answered(&self, status: u16, method: &str, path: &str, headers: &str, body: &str) -> String {
        let answer = self.ask(method, path, headers, body);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{method} {path}: {answer}"
        );
        answer
    }

    fn keep(&mut self, secret: &str) -> String {
        assert!(secret.len() > 8, "{secret} is found everywhere");
        self.secrets.push(secret.to_owned());
        secret.to_owned()
    }

    fn by_password(&mut self) {
        for (password, status) in [(PASSWORDS[0], 200), (PASSWORDS[1], 401)] {
            let credentials = basic("admin", password);
            self.keep(credentials.trim_start_matches("Basic "));
            self.answered(
                status,
                "GET",
                "/api/v1/session",
                &format!("Authorization: {credentials}\r\n"),
                "",
            );
        }
        let path = format!("/nowhere?password={}", PASSWORDS[3].replace(' ', "%20"));
        self.keep(&PASSWORDS[3].replace(' ', "%20"));
        self.answered(404, "GET", &path, "", "");
    }

    fn by_cookie(&mut self) {
        let wrong = format!("{{\"name\":\"admin\",\"pass\":\"{}\"}}", PASSWORDS[1]);
        self.answered(400, "POST", "/user/login", JSON, &wrong);
        let broken = format!("{{\"name\":\"admin\",\"pass\":\"{}\",}}", PASSWORDS[0]);
        self.answered(400, "POST", "/user/login", JSON, &broken);
        let right = format!("{{\"name\":\"admin\",\"pass\":\"{}\"}}", PASSWORDS[0]);
        let answer = self.answered(200, "POST", "/user/login", JSON, &right);
        let pair = answer
            .split("set-cookie: ")
            .nth(1)
            .and_then(|rest| rest.split(';').next());
        let pair = pair.expect("a cookie").to_owned();
        self.keep(pair.split('=').nth(1).expect("a value"));
        let body: Value =
            serde_json::from_str(answer.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
        let tokens = ["csrf_token", "logout_token"]
            .map(|name| body[name].as_str().expect("a token").to_owned());
        let [csrf, logout] = tokens.map(|token| self.keep(&token));
        let cookie = format!("Cookie: {pair}\r\n");
        self.answered(200, "GET", "/api/v1/session", &cookie, "");
        let changed = format!("{cookie}{JSON}X-CSRF-Token: {csrf}\r\n");
        self.answered(422, "POST", "/node", &changed, "{}");
        let refused = format!("{cookie}{JSON}X-CSRF-Token: {csrf}x\r\n");
        self.answered(403, "POST", "/node", &refused, "{}");
        self.answered(
            403,
            "POST",
            &format!("/user/logout?token={logout}x"),
            &cookie,
            "",
        );
        self.answered(
            204,
            "POST",
            &format!("/user/logout?token={logout}"),
            &cookie,
            "",
        );
    }

    fn by_token(&mut self) {
        let authorization = format!("Authorization: {}\r\n", basic("admin", PASSWORDS[0]));
        let answer = self.answered(200, "GET", "/jwt/token", &authorization, "");
        let token = answer.split('"').nth(3).expect("a token").to_owned();
        self.keep(&token);
        self.keep(token.rsplit('.').next().expect("a signature"));
        for (token, status) in [(token.clone(), 200), (format!("{token}x"), 401)] {
            let bearer = format!("Authorization: Bearer {token}\r\n");
            self.answered(status, "GET", "/api/v1/session", &bearer, "");
        }
        self.answered(
            200,
            "GET",
            &format!("/api/v1/session?token={token}"),
            "",
            "",
        );
        let window = self.keep("0123456789abcdef0123456789abcdef");
        self.answered(
            401,
            "GET",
            "/api/v1/session",
            &format!("Authorization: Window {window}\r\n"),
            "",
        );
    }

    fn by_access_token(&mut self) {
        let authorization = format!("Authorization: {}\r\n", basic("admin", PASSWORDS[0]));
        let body = "{\"name\":\"A service\"}";
        let headers = format!("{authorization}{JSON}");
        let answer = self.answered(201, "POST", "/api/v1/tokens", &headers, body);
        let token = answer.split("\"token\":\"").nth(1).expect("a token");
        let token = token.split('"').next().unwrap_or_default().to_owned();
        self.keep(&token);
        self.keep(token.trim_start_matches("isolario_"));
        for (token, status) in [(token.clone(), 200), (format!("{token}x"), 401)] {
            let bearer = format!("Authorization: Bearer {token}\r\n");
            self.answered(status, "GET", "/api/v1/session", &bearer, "");
        }
    }

    fn by_ticket(&mut self) {
        let body = json!({
            "type": [{"target_id": "islandora_object"}],
            "title": [{"value": "Hidden"}],
            "status": [{"value": false}],
            "field_model": [{"target_id": self.client.term("islandora_models", "Image")}],
        });
        let (status, node) = self.client.send("POST", "/node", JSON, &body.to_string());
        assert_eq!(status, 201, "{node}");
        let node: Value = serde_json::from_str(&node).expect("JSON");
        let (nid, use_tid) = (
            &node["nid"][0]["value"],
            self.client.term("islandora_media_use", "Original File"),
        );
        let headers = "Content-Type: image/png\r\nContent-Location: public://hidden.png\r\n";
        let place = format!("/node/{nid}/media/image/{use_tid}");
        assert_eq!(self.client.send("PUT", &place, headers, "a picture").0, 201);
        let (_, list) = self.client.get(&format!("/api/v1/items/{nid}/media"));
        let list: Value = serde_json::from_str(&list).expect("JSON");
        let url = list["media"][0]["file"]["view_url"]
            .as_str()
            .expect("an address");
        let (path, ticket) = url[url.find("/sites").expect("a path")..]
            .split_once("?ticket=")
            .expect("a ticket");
        let ticket = self.keep(ticket);
        self.answered(200, "GET", &format!("{path}?ticket={ticket}"), "", "");
        self.answered(404, "GET", &format!("{path}?ticket={ticket}x"), "", "");
    }

    /// With changes of passwords from everywhere.
    fn change_passwords(&mut self) {
        let authorization = format!("Authorization: {}\r\n", basic("admin", PASSWORDS[0]));
        let json = format!("{authorization}{JSON}");
        let account = format!("{{\"name\":\"otto\",\"password\":\"{}\"}}", PASSWORDS[1]);
        self.answered(201, "POST", "/api/v1/users", &json, &account);
        let broken = format!("{{\"name\":\"zoe\",\"password\":[\"{}\"]}}", PASSWORDS[1]);
        self.answered(422, "POST", "/api/v1/users", &json, &broken);
        let change = format!(
            "{{\"password\":\"{}\",\"current_password\":\"{}\"}}",
            PASSWORDS[2], PASSWORDS[0]
        );
        self.answered(200, "PATCH", "/api/v1/users/1", &json, &change);
        said(run_with_password(
            &self.data(),
            &["user", "password", "otto"],
            PASSWORDS[2],
        ));
        said(run(&self.data(), &["token", "rotate"]));
    }

    /// Everything that was told and written, file by file; the key that signs tokens is a secret by itself.
    fn papers(self) -> (Vec<(PathBuf, Vec<u8>)>, Vec<String>) {
        self.client.serving.interrupt();
        let (code, said) = self.client.serving.end();
        assert_eq!(code, Some(0));
        let mut found = vec![(PathBuf::from("stdout"), said.into_bytes())];
        read_all(self.place.path(), &mut found);
        found.retain(|(path, _)| !path.ends_with("keys/token.pem"));
        (found, self.secrets)
    }
}

fn read_all(directory: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in directory.read_dir().expect("there") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => read_all(&path, found),
            false => found.push((path.clone(), std::fs::read(&path).expect("readable"))),
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[test]
fn no_secret_is_written_down() {
    let mut confidant = Confidant::start();
    confidant.by_password();
    confidant.by_cookie();
    confidant.by_token();
    confidant.by_access_token();
    confidant.by_ticket();
    confidant.change_passwords();
    let (papers, secrets) = confidant.papers();
    let names: Vec<String> = papers
        .iter()
        .map(|(path, _)| path.display().to_string())
        .collect();
    for wanted in ["told.txt", "logs/requests.log", "isolario.db", "stdout"] {
        assert!(
            names.iter().any(|name| name.ends_with(wanted)),
            "{wanted} in {names:?}"
        );
    }
    let log = papers
        .iter()
        .find(|(path, _)| path.ends_with("requests.log"));
    assert!(
        holds(&log.expect("there").1, "GET /nowhere 404 user=0"),
        "requests are logged"
    );
    for (path, bytes) in &papers {
        for secret in &secrets {
            assert!(!holds(bytes, secret), "{} holds {secret}", path.display());
        }
    }
}
