//! The program under test, and just enough HTTP to see what it serves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// A test that waits longer than this is stuck, not slow.
const STUCK: Duration = Duration::from_secs(120);

/// A path below the folder of the sources.
pub fn in_sources(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .join(path)
}

/// The program, or what `TESTED_PROGRAM` says in words, told to use a data directory.
pub fn isolario(data: &Path, arguments: &[&str]) -> Command {
    match std::env::var("TESTED_PROGRAM") {
        Ok(program) => {
            let words: Vec<&str> = program
                .split(' ')
                .chain(arguments.iter().copied())
                .collect();
            command(words[0], data, &words[1..])
        }
        Err(_) => isolario_of_this_system(data, arguments),
    }
}

/// The program of this system, whatever is tested, told to use a data directory.
pub fn isolario_of_this_system(data: &Path, arguments: &[&str]) -> Command {
    command(env!("CARGO_BIN_EXE_isolario-headless"), data, arguments)
}

fn command(program: &str, data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("ISOLARIO_DATA", data)
        .env("ISOLARIO_NO_DERIVATIVES", "true")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null());
    command
}

/// A path as the program names it. For Wine, the whole of this machine is the drive `Z:`.
pub fn path_in_program(path: &Path) -> PathBuf {
    match std::env::var_os("TESTED_PROGRAM") {
        Some(_) => format!("Z:{}", path.display()).replace('/', "\\").into(),
        None => path.to_owned(),
    }
}

/// Runs a command to its end.
pub fn run(data: &Path, arguments: &[&str]) -> Output {
    isolario(data, arguments)
        .output()
        .expect("the program starts")
}

/// Runs a command that reads a password from standard input.
pub fn run_with_password(data: &Path, arguments: &[&str], password: &str) -> Output {
    let mut child = isolario(data, arguments)
        .arg("--password-stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that refuses before it reads has closed its end already.
    let _ = writeln!(stdin, "{password}");
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// What a command that has to succeed printed.
#[track_caller]
pub fn said(output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}{error}");
    text
}

/// What a command that has to fail complained about.
#[track_caller]
pub fn complained(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server that was started from the command line.
pub struct Serving {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// What it said when it was ready.
    pub welcome: String,
    pub address: SocketAddr,
}

impl Serving {
    /// On a port of the system's choice.
    pub fn start(data: &Path) -> Serving {
        Serving::start_with(data, &["serve", "--listen", "127.0.0.1:0"])
    }

    /// With these arguments.
    pub fn start_with(data: &Path, arguments: &[&str]) -> Serving {
        Serving::spawn(isolario(data, arguments))
    }

    /// By a command that ends up as the program.
    pub fn spawn(mut command: Command) -> Serving {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let welcome = read_welcome(&mut stdout);
        let address = address_in(&welcome).unwrap_or_else(|| panic!("no address in: {welcome}"));
        Serving {
            child,
            stdout,
            welcome,
            address,
        }
    }

    /// The password it printed, if it printed one.
    pub fn password(&self) -> Option<&str> {
        let mut lines = self.welcome.lines();
        lines
            .find_map(|line| line.strip_prefix("Password:"))?
            .trim()
            .into()
    }

    /// Id of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        // What has ended and was not waited for is a zombie (proc(5)). Its threads may end later than the first one, and
        // hold its files until then; `num_threads` is the 20th field, the state the 3rd.
        stat.is_ok_and(|stat| {
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let mut fields = fields.split_whitespace();
            fields.next() == Some("Z") && fields.nth(16).is_some_and(|threads| threads == "1")
        })
    }

    /// Presses Ctrl+C.
    pub fn interrupt(&self) {
        self.signal("INT");
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let (name, process) = (format!("-{name}"), self.child.id().to_string());
        let status = Command::new("kill").args([name, process]).status();
        assert!(status.expect("kill is there").success());
    }

    /// Waits for its end; its exit code and what it said last.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("it ends").code(), rest)
    }

    /// Status and body of a GET, with an `Authorization` or without.
    pub fn get(&self, path: &str, authorization: Option<&str>) -> (u16, String) {
        let mut headers = String::new();
        if let Some(value) = authorization {
            headers = format!("Authorization: {value}\r\n");
        }
        let mut stream = self.connect();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}Connection: close\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).expect("sent");
        read_answer(stream)
    }

    /// Signs in as a browser does; the cookie to send.
    pub fn sign_in(&self, name: &str, password: &str) -> String {
        let body = format!("{{\"name\":\"{name}\",\"pass\":\"{password}\"}}");
        let mut stream = self.connect();
        let (host, length) = (self.address, body.len());
        write!(
            stream,
            "POST /user/login HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let mut lines = answer.lines();
        let cookie = lines.find_map(|line| line.strip_prefix("set-cookie: "));
        let pair = cookie.and_then(|cookie| cookie.split(';').next());
        pair.unwrap_or_else(|| panic!("no cookie in {answer}"))
            .to_owned()
    }

    /// Status and body of a GET with a cookie.
    pub fn get_with_cookie(&self, path: &str, cookie: &str) -> (u16, String) {
        let mut stream = self.connect();
        let host = self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        )
        .expect("sent");
        read_answer(stream)
    }

    /// A connection that fails rather than hangs.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(STUCK)).expect("a time");
        stream
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and body of an answer at whose end the server hangs up.
pub fn read_answer(mut stream: TcpStream) -> (u16, String) {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.expect("a status"), body.to_owned())
}

/// Value of an `Authorization` header.
pub fn basic(name: &str, password: &str) -> String {
    format!(
        "Basic {}",
        BASE64_STANDARD.encode(format!("{name}:{password}"))
    )
}

fn read_welcome(stdout: &mut impl BufRead) -> String {
    let mut welcome = String::new();
    loop {
        let mut line = String::new();
        let read = stdout.read_line(&mut line).expect("text");
        welcome.push_str(&line);
        if read == 0 || line.starts_with("Ctrl+C") {
            return welcome;
        }
    }
}

fn address_in(welcome: &str) -> Option<SocketAddr> {
    let (_, after) = welcome.split_once("listens on ")?;
    after
        .split_whitespace()
        .next()?
        .trim_end_matches('.')
        .parse()
        .ok()
}
