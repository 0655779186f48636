//! A running repository of its own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use isolario_program::app::{App, Options};
use isolario_program::commands::Progress;
use isolario_program::commands::{Command, run};
use serde_json::json;
use tokio::runtime::Runtime;

use super::Request;
use super::bucket;
use super::new_repository;
use super::people::{ADMIN, DEPOSITOR, PLAIN, Person};

/// How long something may take that happens by itself before a test takes it for stuck.
const STUCK: Duration = Duration::from_secs(60);
/// The request log.
const REQUESTS: &str = "requests.log";

/// A server with the people of the tests, on a port and in a directory of its own.
pub struct TestServer {
    address: SocketAddr,
    directory: PathBuf,
    /// Dropped, and thereby ended, before the directory goes.
    running: Option<(Runtime, App)>,
}

impl TestServer {
    /// A new repository, a copy of one.
    pub fn start() -> TestServer {
        let directory = fresh_directory();
        new_repository::copy_into(&directory);
        TestServer::serve(directory)
    }

    /// A new repository that shares no UUID and no key with another.
    pub fn start_apart() -> TestServer {
        TestServer::start_with_files(&[])
    }

    /// The one that tests share which only look at what they made themselves.
    pub fn shared() -> &'static TestServer {
        static SHARED: OnceLock<TestServer> = OnceLock::new();
        SHARED.get_or_init(TestServer::start)
    }

    /// A new repository with a configuration file.
    pub fn start_with(config: &str) -> TestServer {
        TestServer::start_with_files(&[("config.toml", config)])
    }

    /// A new repository with files in its data directory.
    pub fn start_with_files(files: &[(&str, &str)]) -> TestServer {
        let directory = fresh_directory();
        for (name, text) in files {
            std::fs::write(directory.join(name), text).expect("a writable directory");
        }
        let started = TestServer::serve(directory);
        let (runtime, server) = started.running.as_ref().expect("it was started");
        runtime.block_on(introduce_everybody(server));
        started
    }

    fn serve(directory: PathBuf) -> TestServer {
        bucket::configure(&directory);
        let runtime = Runtime::new().expect("a runtime");
        let server = runtime.block_on(App::start(options(&directory)));
        let server = server.expect("a repository starts");
        TestServer {
            address: server.address(),
            directory,
            running: Some((runtime, server)),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its data directory.
    pub fn directory(&self) -> PathBuf {
        self.directory.canonicalize().expect("it is there")
    }

    /// The address that it prints before every path.
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The key that lets the window in.
    pub fn window_key(&self) -> String {
        let (_, server) = self.running.as_ref().expect("it runs until it is dropped");
        server.window_key().to_owned()
    }

    /// Adds somebody whose role of the same name permits this and nothing more.
    pub fn introduce(&self, person: Person) {
        let (runtime, server) = self.running.as_ref().expect("running until dropped");
        for command in introduction(person) {
            let output =
                runtime.block_on(run(&server.state().watch, command, &Progress::default()));
            assert_eq!(output.code, 0, "{}", output.text);
        }
    }

    /// Adds a role that permits this and nothing more.
    pub fn add_role(&self, name: &str, permissions: &[&str]) {
        let (runtime, server) = self.running.as_ref().expect("running until dropped");
        let command = Command::AddRole {
            name: name.into(),
            permissions: permissions.iter().map(|name| (*name).to_owned()).collect(),
        };
        let output = runtime.block_on(run(&server.state().watch, command, &Progress::default()));
        assert_eq!(output.code, 0, "{}", output.text);
    }

    /// Gives somebody a role and no other.
    pub fn give_only_role(&self, uid: i64, role: &str) {
        let change = json!({"roles": [role]});
        let change = self.patch(&format!("/api/v1/users/{uid}")).json(change);
        change.as_admin().send().expect(200);
    }

    /// A bearer token of somebody.
    pub fn token(&self, name: &str, password: &str) -> String {
        let answer = self.get("/jwt/token").basic(name, password).send();
        let answer = answer.expect(200).json();
        answer["token"].as_str().expect("a token").to_owned()
    }

    /// An access token that somebody makes for a service.
    pub fn access_token(&self, person: Person, service: &str) -> String {
        let made = self.post("/api/v1/tokens").signed_in(person);
        let made = made.json(json!({"name": service})).send().expect(201);
        let token = made.json()["token"].as_str().map(str::to_owned);
        token.expect("a token")
    }

    /// Takes from a role whatever it permits. No command does that to the roles of a new repository.
    pub fn allow_nothing(&self, role: &str) {
        let delete = "DELETE FROM role_permission WHERE role = ?1";
        self.change_roles(|database| database.execute(delete, [role]));
    }

    /// Gives more permissions to a role. No command does that, either.
    pub fn allow(&self, role: &str, permissions: &[&str]) {
        let insert = "INSERT INTO role_permission (role, permission) VALUES (?1, ?2)";
        for permission in permissions {
            self.change_roles(|database| database.execute(insert, [role, permission]));
        }
    }

    /// Stores a MIME type of a file as earlier programs could.
    pub fn store_mime(&self, fid: i64, mime: &str) {
        let database = rusqlite::Connection::open(self.directory.join("isolario.db"));
        let update = "UPDATE file_version SET mime = ?2 WHERE fid = ?1";
        let changed = database.expect("the database").execute(update, (fid, mime));
        assert_eq!(changed, Ok(1));
    }

    fn change_roles(&self, change: impl Fn(&rusqlite::Connection) -> rusqlite::Result<usize>) {
        let database = rusqlite::Connection::open(self.directory.join("isolario.db"));
        change(&database.expect("the database")).expect("other permissions");
        let (_, server) = self.running.as_ref().expect("running until dropped");
        server.repository().authenticator.forget_permissions();
    }

    /// A request with any method.
    pub fn request(&self, method: &str, path: &str) -> Request<'_> {
        Request::new(self, method, path)
    }

    pub fn get(&self, path: &str) -> Request<'_> {
        self.request("GET", path)
    }

    pub fn head(&self, path: &str) -> Request<'_> {
        self.request("HEAD", path)
    }

    pub fn post(&self, path: &str) -> Request<'_> {
        self.request("POST", path)
    }

    pub fn put(&self, path: &str) -> Request<'_> {
        self.request("PUT", path)
    }

    pub fn patch(&self, path: &str) -> Request<'_> {
        self.request("PATCH", path)
    }

    pub fn delete(&self, path: &str) -> Request<'_> {
        self.request("DELETE", path)
    }

    /// Waits until no half-finished upload is left on disk.
    pub fn until_staging_is_empty(&self) {
        let start = Instant::now();
        while count(&self.directory.join("staging")) > 0 {
            assert!(
                start.elapsed() < STUCK,
                "an upload that broke off is still on disk"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for a line of the request log with all of these words.
    pub fn until_logged(&self, words: &[&str]) -> String {
        self.until_logged_in(REQUESTS, words)
    }

    /// Waits for a line of another log with all of these words.
    pub fn until_logged_in(&self, name: &str, words: &[&str]) -> String {
        let start = Instant::now();
        loop {
            let log = self.log_of(name);
            if let Some(line) = log
                .lines()
                .find(|line| words.iter().all(|word| line.contains(word)))
            {
                return line.to_owned();
            }
            assert!(
                start.elapsed() < STUCK,
                "{words:?} is in no line of the log:\n{log}"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The key that signs bearer tokens, PEM.
    pub fn signing_key(&self) -> Vec<u8> {
        std::fs::read(self.directory.join("keys/token.pem")).expect("a key")
    }

    /// The whole request log as it is now.
    pub fn log(&self) -> String {
        self.log_of(REQUESTS)
    }

    /// The whole of another log.
    pub fn log_of(&self, name: &str) -> String {
        std::fs::read_to_string(self.directory.join("logs").join(name)).unwrap_or_default()
    }

    /// Paths of the files that lie below a tree of the data directory, in their order.
    pub fn files_below(&self, tree: &str) -> Vec<String> {
        let root = self.directory.join("files").join(tree);
        let mut found = Vec::new();
        collect(&root, &mut found);
        let relative = |path: &PathBuf| {
            let path = path.strip_prefix(&root).expect("it lies below the tree");
            path.to_string_lossy().into_owned()
        };
        let mut paths: Vec<String> = found.iter().map(relative).collect();
        paths.sort();
        paths
    }

    /// How many uploads that come in parts have bytes on disk.
    pub fn uploads_in_parts(&self) -> usize {
        count(&self.directory.join("uploads"))
    }

    /// How many files lie in the data directory's trees.
    pub fn stored_files(&self) -> usize {
        count(&self.directory.join("files"))
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.running.take());
        // the shared server is never dropped: the next run clears what is left of it
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// A server of this data directory, on a port of the system's choice.
pub(super) fn options(directory: &Path) -> Options {
    Options {
        data: Some(directory.to_owned()),
        listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
        base_url: None,
        ..Options::default()
    }
}

/// Makes the accounts of the people of the tests.
pub(super) async fn introduce_everybody(server: &App) {
    for command in introductions() {
        let output = run(&server.state().watch, command, &Progress::default()).await;
        assert_eq!(output.code, 0, "{}", output.text);
    }
}

/// The commands that introduce the people of the tests, in the order of their ids.
fn introductions() -> Vec<Command> {
    let mut commands = vec![Command::SetPassword {
        name: ADMIN.name.into(),
        password: ADMIN.password.into(),
    }];
    commands.extend([DEPOSITOR, PLAIN].into_iter().flat_map(introduction));
    commands
}

fn introduction(person: Person) -> Vec<Command> {
    let own = |name: &&str| (*name).to_owned();
    let mut commands = Vec::new();
    let mut roles = Vec::new();
    if !person.permissions.is_empty() {
        roles.push(person.name.to_owned());
        commands.push(Command::AddRole {
            name: person.name.into(),
            permissions: person.permissions.iter().map(own).collect(),
        });
    }
    commands.push(Command::AddUser {
        name: person.name.into(),
        mail: Some(format!("{}@example.com", person.name)),
        roles,
        password: person.password.into(),
    });
    commands
}

/// A new directory, named after this process so that a later one can tell that it is abandoned.
pub(super) fn fresh_directory() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let root = &std::env::temp_dir();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    if number == 0 {
        remove_abandoned(root);
    }
    let directory = root.join(format!("http-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a writable directory");
    directory
}

fn remove_abandoned(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name
            .strip_prefix("http-")
            .and_then(|rest| rest.split('-').next());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => collect(&entry.path(), found),
            false => found.push(entry.path()),
        }
    }
}

fn count(directory: &Path) -> usize {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                count(&entry.path())
            } else {
                1
            }
        })
        .sum()
}
