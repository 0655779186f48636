//! A local network that exists only for a test: two network namespaces with a cable between them.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::program::in_sources;

/// The server's address on the network.
pub const SERVER: &str = "10.77.0.1";
/// The address of the other machine.
const CLIENT: &str = "10.77.0.2";
/// How long something may take that happens by itself before a test takes it for stuck.
const STUCK: Duration = Duration::from_secs(60);

/// Two machines with a network between them and to nowhere else.
pub struct Network {
    /// Where the server runs.
    pub here: Machine,
    /// Somebody else on the same network.
    pub there: Machine,
}

impl Network {
    /// Lays the cable.
    pub fn lay() -> Network {
        let mut first = Command::new("unshare");
        if !is_root() {
            first.args(["--user", "--map-root-user"]);
        }
        let here = Machine::hold(first);
        let there = Machine::hold(here.inside(Command::new("unshare")));
        let other = there.holder.id().to_string();
        let cable = [
            "link", "add", "lan0", "type", "veth", "peer", "name", "lan1", "netns",
        ];
        here.ip(&[&cable[..], &[other.as_str()]].concat());
        here.plug("lan0", SERVER);
        there.plug("lan1", CLIENT);
        Network { here, there }
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id is there");
    output.stdout == b"0\n"
}

/// A network namespace. It goes when the test does: what holds it waits for its input to end.
pub struct Machine {
    holder: Child,
}

impl Machine {
    fn hold(mut unshare: Command) -> Machine {
        let mut holder = unshare
            .args(["--net", "sh", "-c", "echo ready; exec cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("unshare is there");
        let mut ready = String::new();
        let mut said = BufReader::new(holder.stdout.take().expect("piped"));
        said.read_line(&mut ready).expect("text");
        assert_eq!(ready, "ready\n", "network namespaces cannot be made here");
        Machine { holder }
    }

    fn plug(&self, device: &str, address: &str) {
        self.ip(&["link", "set", "lo", "up"]);
        self.ip(&["address", "add", &format!("{address}/24"), "dev", device]);
        self.ip(&["link", "set", device, "up"]);
    }

    /// Gives the machine a further address.
    pub fn also_called(&self, address: &str) {
        self.ip(&["address", "add", &format!("{address}/24"), "dev", "lan0"]);
    }

    fn ip(&self, arguments: &[&str]) {
        let mut command = Command::new("ip");
        command.args(arguments);
        let output = self.run(command);
        assert!(output.status.success(), "ip {arguments:?}: {output:?}");
    }

    /// The same command on this machine.
    pub fn inside(&self, command: Command) -> Command {
        let mut enter = Command::new("nsenter");
        enter.args(["--target", &self.holder.id().to_string(), "--net"]);
        if !is_root() {
            enter.args(["--user", "--preserve-credentials"]);
        }
        enter
            .arg("--")
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => enter.env(name, value),
                None => enter.env_remove(name),
            };
        }
        enter.stdin(Stdio::null());
        enter
    }

    fn run(&self, command: Command) -> Output {
        self.inside(command).output().expect("nsenter is there")
    }

    /// Addresses on which something on this machine listens, by TCP or UDP.
    pub fn listening(&self) -> Vec<String> {
        let mut command = Command::new("ss");
        command.args(["--no-header", "--listening", "--tcp", "--udp", "--numeric"]);
        let output = self.run(command);
        assert!(output.status.success(), "{output:?}");
        let table = String::from_utf8_lossy(&output.stdout).into_owned();
        let local = |line: &str| line.split_whitespace().nth(4).map(str::to_owned);
        table.lines().filter_map(local).collect()
    }

    /// Asks a web server; `Err` is what curl says when there is no answer.
    pub fn curl(&self, url: &str, arguments: &[&str]) -> Result<Answer, String> {
        let mut command = Command::new("curl");
        command.args(["--silent", "--show-error", "--include", "--noproxy", "*"]);
        command.args(["--max-time", "120", "--write-out", "\n%{http_code}"]);
        command.args(arguments).arg(url);
        let output = self.run(command);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let (text, status) = said.rsplit_once('\n').unwrap_or_default();
        match output.status.success() {
            true => Ok(Answer {
                status: status.parse().expect("a status"),
                text: text.to_owned(),
            }),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// Lines that a Python program says on this machine.
    pub fn python(&self, arguments: &[&str]) -> Vec<String> {
        let mut command = Command::new("python3");
        // Nothing is left beside the sources.
        command.arg("-B").args(arguments);
        let output = self.run(command);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        said.lines().map(str::to_owned).collect()
    }

    /// SHA-256 of the certificate that a server shows.
    pub fn fingerprint(&self, address: &str) -> String {
        let script = format!(
            "openssl s_client -connect {address} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        let said = String::from_utf8_lossy(&self.run(command).stdout).into_owned();
        let (_, fingerprint) = said.trim().split_once('=').expect("a fingerprint");
        fingerprint.to_owned()
    }

    /// Listens for mDNS on this machine from now on.
    pub fn listen(&self) -> Heard {
        let mut command = Command::new("python3");
        command
            .arg(in_sources("tests/cli/lan/listen.py"))
            .arg(CLIENT);
        let mut child = self
            .inside(command)
            .stdout(Stdio::piped())
            .spawn()
            .expect("python is there");
        let mut lines = BufReader::new(child.stdout.take().expect("piped"));
        let mut ready = String::new();
        lines.read_line(&mut ready).expect("text");
        assert_eq!(ready, "ready\n");
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let kept = heard.clone();
        std::thread::spawn(move || keep(lines, &kept));
        Heard { child, heard }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

fn keep(lines: BufReader<ChildStdout>, heard: &Mutex<Vec<String>>) {
    for line in lines.lines().map_while(Result::ok) {
        heard.lock().expect("nobody panics here").push(line);
    }
}

/// What a web server answered: status, and headers and body as text.
pub struct Answer {
    pub status: u16,
    pub text: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        let (_, body) = self.text.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// Records that were announced on the network.
pub struct Heard {
    child: Child,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Heard {
    /// Waits for a record with all of these words.
    pub fn until(&self, words: &[&str]) -> String {
        let start = Instant::now();
        loop {
            let heard = self.all();
            let found = heard
                .iter()
                .find(|line| words.iter().all(|word| line.contains(word)));
            if let Some(line) = found {
                return line.clone();
            }
            assert!(
                start.elapsed() < STUCK,
                "{words:?} was not heard, but {heard:#?}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Everything so far.
    pub fn all(&self) -> Vec<String> {
        self.heard.lock().expect("nobody panics here").clone()
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until something is so that happens by itself.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < STUCK, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
