//! Watched folders, as the one who puts files into them meets them: what is put there, and what REST shows
//! afterwards.

mod after;
mod allowed;
mod any_file;
mod commands;
mod described;
mod drive;
mod once;
mod origins;
mod rules;
mod settling;
mod subfolders;
mod twins;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{in_sources, path_in_program};

/// A test that waits longer than this is stuck, not slow.
const STUCK: Duration = Duration::from_secs(90);

/// A repository with a watched folder.
struct Desk {
    client: Client,
    data: tempfile::TempDir,
    folder: tempfile::TempDir,
    id: i64,
}

impl Desk {
    /// On a new repository; the rule besides the path and a short time to settle.
    fn new(rule: Value) -> Desk {
        let mut desk = Desk::without_rule();
        desk.id = desk.watch(desk.folder.path(), rule);
        desk
    }

    /// Nothing is watched yet; every folder that `directory` makes is allowed.
    fn without_rule() -> Desk {
        Desk::with_configuration(Some(&format!("[folders]\nallowed = [{:?}]\n", allowed())))
    }

    /// On a new repository.
    fn with_configuration(config: Option<&str>) -> Desk {
        let data = directory();
        if let Some(config) = config {
            std::fs::write(data.path().join("config.toml"), config).expect("written");
        }
        Desk {
            client: Client::start(data.path()),
            data,
            folder: directory(),
            id: 0,
        }
    }

    /// Watches a folder; its number.
    fn watch(&self, folder: &Path, rule: Value) -> i64 {
        let (status, answer) =
            self.ask("POST", "/api/v1/watched-folders", &with_path(folder, rule));
        assert_eq!(status, 201, "{answer}");
        answer["id"].as_i64().expect("a number")
    }

    /// Status and JSON of an answer.
    fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let headers = "Content-Type: application/json\r\n";
        let (status, text) = self.client.send(method, path, headers, &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// JSON of a GET that has to succeed.
    #[track_caller]
    fn get(&self, path: &str) -> Value {
        let (status, text) = self.client.get(path);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a file into the folder as a program does that writes it at once.
    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }

    /// The ledger, the newest file first.
    fn files(&self) -> Vec<Value> {
        let page = self.get(&format!(
            "/api/v1/watched-folders/{}/files?limit=200",
            self.id
        ));
        page["files"].as_array().expect("a list").clone()
    }

    /// The row of a file.
    #[track_caller]
    fn file(&self, name: &str) -> Value {
        let mut files = self.files().into_iter();
        let file = files.find(|file| file["path"] == name);
        file.unwrap_or_else(|| panic!("{name} is not in {:?}", self.files()))
    }

    /// Waits until a row is so; the row.
    #[track_caller]
    fn wait(&self, name: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        self.wait_for(|files| {
            files
                .iter()
                .find(|file| file["path"] == name && is_so(file))
                .cloned()
        })
    }

    /// Waits until a file is in the repository; its row.
    #[track_caller]
    fn done(&self, name: &str) -> Value {
        self.wait(name, |file| file["state"] == "done")
    }

    /// Waits until a file has failed and was put aside; its row.
    #[track_caller]
    fn failed(&self, name: &str) -> Value {
        self.wait(name, |file| {
            file["state"] == "failed" && !file["moved_to"].is_null()
        })
    }

    /// Waits until the ledger shows something.
    #[track_caller]
    fn wait_for<T>(&self, shows: impl Fn(&[Value]) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            let files = self.files();
            if let Some(found) = shows(&files) {
                return found;
            }
            let folder = self.get(&format!("/api/v1/watched-folders/{}", self.id));
            assert!(begun.elapsed() < STUCK, "{files:#?}\n{folder:#}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The item that a file has become.
    #[track_caller]
    fn item(&self, row: &Value) -> Value {
        self.get(&format!("/node/{}?_format=json", row["item"]["nid"]))
    }

    /// The media that a file has become.
    #[track_caller]
    fn media(&self, row: &Value) -> Value {
        self.get(&format!("/media/{}?_format=json", row["mid"]))
    }

    /// The bytes behind the address of a file that somebody may have.
    #[track_caller]
    fn bytes(&self, url: &str) -> Vec<u8> {
        let path = url.splitn(4, '/').nth(3).expect("a path");
        let mut stream = self.client.begin("GET", &format!("/{path}"), "");
        let mut answer = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut answer).expect("an answer");
        assert!(
            answer.starts_with(b"HTTP/1.1 200"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        answer.split_off(end.expect("a head") + 4)
    }

    /// How many items there are.
    fn items(&self) -> i64 {
        self.get("/api/v1/items?limit=1")["total"]
            .as_i64()
            .expect("a number")
    }

    /// Makes a collection; its number.
    fn collection(&self, title: &str) -> i64 {
        let model = self.client.term("islandora_models", "Collection");
        let body = json!({
            "type": [{"target_id": "islandora_object"}], "title": [{"value": title}],
            "field_model": [{"target_id": model}],
        });
        let (status, node) = self.ask("POST", "/node?_format=json", &body);
        assert_eq!(status, 201, "{node}");
        node["nid"][0]["value"].as_i64().expect("a number")
    }

    /// Kills the program and starts it again.
    fn restarted(self) -> Desk {
        Desk {
            client: self.client.restart(self.data.path()),
            ..self
        }
    }
}

/// Where folders of these tests lie.
fn allowed() -> PathBuf {
    path_in_program(&std::env::temp_dir().canonicalize().expect("it is there"))
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

fn with_path(folder: &Path, rule: Value) -> Value {
    let mut whole = json!({"path": path_in_program(folder), "settle_seconds": 0.3});
    let lines = rule.as_object().expect("a rule").clone();
    whole.as_object_mut().expect("an object").extend(lines);
    whole
}

/// Numbers that a field refers to.
fn targets(entity: &Value, field: &str) -> Vec<i64> {
    let items = entity[field].as_array().cloned().unwrap_or_default();
    items
        .iter()
        .filter_map(|item| item["target_id"].as_i64())
        .collect()
}

/// A few bytes that are a picture, and others for each number.
fn picture(number: u8) -> Vec<u8> {
    let mut png = std::fs::read(in_sources("tests/samples/7x5.png")).expect("a sample");
    png.push(number);
    png
}
