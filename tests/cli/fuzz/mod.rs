//! Requests made by chance, over every route of `/openapi.json`: schemathesis reads the document and
//! makes them up, the same ones each time (`make install-test-rust` installs it), and looks whether the answers are
//! what the document says. What it finds is a mistake, unless a line of `explained.txt` says why it is none.

mod ground;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::client::Client;
use crate::program::{Serving, in_sources, isolario, run, said};

/// Seconds after which the run is stuck.
const STUCK: &str = "900";

/// A server on a repository with things in it, that tells its complaints to a file.
struct Ground {
    client: Client,
    password: String,
    /// The data directory lies in it.
    around: tempfile::TempDir,
}

impl Ground {
    fn lay() -> Ground {
        let around = tempfile::tempdir().expect("a directory");
        let (data, complaints) = (data(around.path()), complaints(around.path()));
        let mut command = isolario(&data, &["serve", "--listen", "127.0.0.1:0"]);
        command.stderr(std::fs::File::create(complaints).expect("a file"));
        let serving = Serving::spawn(command);
        let password = serving.password().expect("a password").to_owned();
        let client = Client::of(serving);
        let known = ground::lay(&client, &data);
        std::fs::write(around.path().join("known.json"), known.to_string()).expect("written");
        Ground {
            client,
            password,
            around,
        }
    }

    /// Lets schemathesis ask: so many requests that are made up for each operation, beside those for each
    /// of its parameters. Nothing is found that is not explained, and nothing is explained that is not found.
    #[track_caller]
    fn ask(&self, actor: &str, examples: &str, more: &[&str]) {
        let needed = self.around.path().join("needed.txt");
        std::fs::write(&needed, "").expect("written");
        let program = in_sources(".tools/schemathesis/bin/st");
        let document = format!("http://{}/openapi.json", self.client.serving.address);
        let output = Command::new("timeout")
            .args(["--kill-after=10", STUCK])
            .arg(&program)
            .arg("--config-file")
            .arg(beside("schemathesis.toml"))
            .args(["--no-color", "run", &document, "--checks", "all"])
            .args(["--phases", "examples,coverage,fuzzing,stateful"])
            .args(["--max-examples", examples, "--warnings", "off"])
            .args(more)
            .current_dir(self.around.path())
            .env("SCHEMATHESIS_HOOKS", beside("requests.py"))
            .env("FUZZ_EXPLAINED", beside("explained.txt"))
            .env("FUZZ_ACTOR", actor)
            .env("FUZZ_NEEDED", &needed)
            .env("FUZZ_KNOWN", self.around.path().join("known.json"))
            .stdin(Stdio::null())
            .output();
        let output = output.expect("timeout is there");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(
            output.status.success(),
            "{}: {}\n{text}\n`make install-test-rust` installs it.",
            program.display(),
            output.status
        );
        let needed = std::fs::read_to_string(needed).expect("text");
        let is_needed = |line: &&String| needed.lines().any(|needed| needed == **line);
        let explained = explained(actor);
        let idle: Vec<&String> = explained.iter().filter(|line| !is_needed(line)).collect();
        assert!(idle.is_empty(), "nothing to explain by {idle:#?}");
    }

    /// The server has not complained, goes on, ends well, and leaves the repository as it should be.
    #[track_caller]
    fn end(self) -> Vec<(String, String, u16)> {
        let (status, body) = self.client.get("/api/v1/session");
        assert_eq!(status, 200, "{body}");
        self.client.stop();
        let words = std::fs::read_to_string(complaints(self.around.path())).expect("text");
        assert!(!words.contains("panicked"), "{words}");
        said(run(&data(self.around.path()), &["check"]));
        requests(&data(self.around.path()).join("logs"))
    }
}

fn data(around: &Path) -> PathBuf {
    around.join("data")
}

fn complaints(around: &Path) -> PathBuf {
    around.join("complaints.txt")
}

/// Method, path and status of every request that was logged.
fn requests(logs: &Path) -> Vec<(String, String, u16)> {
    let mut found = Vec::new();
    for entry in logs.read_dir().expect("there") {
        let text = std::fs::read_to_string(entry.expect("readable").path());
        found.extend(text.expect("text").lines().filter_map(request));
    }
    found
}

fn beside(name: &str) -> PathBuf {
    in_sources("tests/cli/fuzz").join(name)
}

/// The lines that explain what is found when this one asks, each part of them trimmed.
fn explained(actor: &str) -> Vec<String> {
    let text = std::fs::read_to_string(beside("explained.txt")).expect("text");
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let own = parts.filter(|parts| [actor, "both"].contains(&parts[0]));
    own.map(|parts| parts.join(" | ")).collect()
}

fn request(line: &str) -> Option<(String, String, u16)> {
    let mut parts = line.split(' ').skip(1);
    let (method, path, status) = (parts.next()?, parts.next()?, parts.next()?);
    Some((method.to_owned(), path.to_owned(), status.parse().ok()?))
}

/// The paths of the document with their methods; `{nid}` and the like stand for any one part, `{path}`
/// for the rest.
fn operations(ground: &Ground) -> Vec<(String, String)> {
    let document: Value =
        serde_json::from_str(&ground.client.get("/openapi.json").1).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let mut found = Vec::new();
    for (path, methods) in paths {
        let methods = methods.as_object().expect("methods").keys();
        found.extend(methods.map(|method| (method.to_uppercase(), path.clone())));
    }
    found
}

fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut parts) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), parts.next()) {
            (None, None) | (Some("{path}"), Some(_)) => return true,
            (Some(wanted), Some(part)) if wanted == part || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}

#[test]
fn no_request_that_an_administrator_makes_by_chance_breaks_anything() {
    let ground = Ground::lay();
    let operations = operations(&ground);
    let credentials = format!("admin:{}", ground.password);
    // A stream of events has no end that could be waited for.
    let arguments = ["--auth", &credentials, "--exclude-path", "/api/v1/events"];
    ground.ask("admin", "12", &arguments);
    let requests = ground.end();

    let asked = |method: &str, path: &str| {
        let mut requests = requests.iter();
        requests.any(|request| request.0 == method && fits(path, &request.1))
    };
    let missed: Vec<_> = operations
        .iter()
        .filter(|(method, path)| path != "/api/v1/events" && !asked(method, path))
        .collect();
    assert!(missed.is_empty(), "nobody asked for {missed:?}");
    let done: BTreeSet<&str> = requests
        .iter()
        .filter(|(.., status)| (200..300).contains(status))
        .map(|(method, ..)| method.as_str())
        .collect();
    let all = BTreeSet::from(["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"]);
    assert!(done.is_superset(&all), "only refusals but for {done:?}");
}

#[test]
fn no_request_that_a_stranger_makes_by_chance_breaks_or_changes_anything() {
    let ground = Ground::lay();
    let everything = |ground: &Ground| {
        let lists = ["items", "media", "terms", "users", "trash", "counts"];
        lists.map(|list| ground.client.get(&format!("/api/v1/{list}?limit=200")).1)
    };
    let before = everything(&ground);
    ground.ask("nobody", "8", &[]);
    assert_eq!(everything(&ground), before);
    ground.end();
}
