//! A client of a server that was started from the command line.

use std::io::{Read, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::new_repository;
use crate::program::{Serving, basic, read_answer};

/// A running server with somebody to ask it.
pub struct Client {
    pub serving: Serving,
    authorization: String,
}

impl Client {
    /// On a new repository. In an empty directory, it is a copy of one.
    pub fn start(data: &Path) -> Client {
        let is_empty = |mut entries: std::fs::ReadDir| entries.next().is_none();
        match data.read_dir().map_or(true, is_empty) {
            true => {
                let password = new_repository::copy_to(data);
                Client::with_password(Serving::start(data), password)
            }
            false => Client::start_apart(data),
        }
    }

    /// On a new repository that shares no UUID and no key with another.
    pub fn start_apart(data: &Path) -> Client {
        Client::of(Serving::start(data))
    }

    /// The first of a server on a new repository.
    pub fn of(serving: Serving) -> Client {
        let password = serving.password().expect("a password").to_owned();
        Client {
            serving,
            authorization: basic("admin", &password),
        }
    }

    /// On a server with this password of the administrator.
    pub fn with_password(serving: Serving, password: &str) -> Client {
        Client {
            serving,
            authorization: basic("admin", password),
        }
    }

    /// Somebody else at this server.
    pub fn signed_in(self, name: &str, password: &str) -> Client {
        Client {
            serving: self.serving,
            authorization: basic(name, password),
        }
    }

    /// The same person at a server on another data directory, while this one goes on.
    pub fn elsewhere(&self, data: &Path) -> Client {
        Client {
            serving: Serving::start(data),
            authorization: self.authorization.clone(),
        }
    }

    /// Stops the server as Ctrl+C does.
    pub fn stop(self) -> Stopped {
        self.serving.interrupt();
        assert_eq!(self.serving.end().0, Some(0));
        Stopped(self.authorization)
    }

    /// Kills the server and starts it again.
    pub fn restart(self, data: &Path) -> Client {
        self.restart_by(|| Serving::start(data))
    }

    /// Kills the server and starts it in another way.
    pub fn restart_by(self, start: impl FnOnce() -> Serving) -> Client {
        drop(self.serving);
        Client {
            serving: start(),
            authorization: self.authorization,
        }
    }

    /// Sends a request with a body; status and body of the answer.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let headers = format!("{headers}Content-Length: {}\r\n", body.len());
        let mut stream = self.begin(method, path, &headers);
        // A server may answer and hang up before it has read everything.
        let _ = stream.write_all(body.as_bytes());
        read_answer(stream)
    }

    /// Uploads a text.
    pub fn put(&self, place: &str, uri: &str, text: &str) -> (u16, String) {
        let headers = format!("Content-Type: text/plain\r\nContent-Location: {uri}\r\n");
        self.send("PUT", place, &headers, text)
    }

    /// Sends a request with a body; status of the answer, and the whole of it in lower case.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let headers = format!("{headers}Content-Length: {}\r\n", body.len());
        let mut stream = self.begin(method, path, &headers);
        stream.write_all(body.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        (status.expect("a status"), answer.to_lowercase())
    }

    /// Sends the head of a request.
    pub fn begin(&self, method: &str, path: &str, headers: &str) -> std::net::TcpStream {
        let mut stream = self.serving.connect();
        let (host, authorization) = (self.serving.address, &self.authorization);
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {authorization}\r\nConnection: close\r\n{headers}\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    }

    /// Status and body of a GET.
    pub fn get(&self, path: &str) -> (u16, String) {
        read_answer(self.begin("GET", path, ""))
    }

    /// Id of a term.
    pub fn term(&self, vocabulary: &str, name: &str) -> i64 {
        let query = name.replace(' ', "%20");
        let (_, body) = self.get(&format!("/api/v1/terms?vocabulary={vocabulary}&q={query}"));
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        let mut terms = answer["terms"].as_array().expect("a list").iter();
        let term = terms.find(|term| term["name"] == name);
        term.and_then(|term| term["tid"].as_i64())
            .expect("the term")
    }

    /// Makes an object; status and body of the answer.
    pub fn post_object(&self, title: &str) -> (u16, String) {
        let body = json!({
            "type": [{"target_id": "islandora_object"}],
            "title": [{"value": title}],
            "field_model": [{"target_id": self.term("islandora_models", "Digital Document")}],
        });
        let headers = "Content-Type: application/json\r\n";
        self.send("POST", "/node?_format=json", headers, &body.to_string())
    }

    /// Makes an object; its id.
    pub fn object(&self) -> i64 {
        let (status, body) = self.post_object("An object");
        assert_eq!(status, 201, "{body}");
        let node: Value = serde_json::from_str(&body).expect("JSON");
        node["nid"][0]["value"].as_i64().expect("an id")
    }

    /// Path of the upload route for a new object.
    pub fn place(&self) -> String {
        let media_use = self.term("islandora_media_use", "Original File");
        format!("/node/{}/media/file/{media_use}", self.object())
    }
}

/// Who could ask a server that is stopped.
pub struct Stopped(String);

impl Stopped {
    /// Starts a server.
    pub fn start_again(self, data: &Path) -> Client {
        self.serve(Serving::start(data))
    }

    /// Starts a server by a command.
    pub fn start_again_by(self, command: std::process::Command) -> Client {
        self.serve(Serving::spawn(command))
    }

    fn serve(self, serving: Serving) -> Client {
        Client {
            serving,
            authorization: self.0,
        }
    }
}
