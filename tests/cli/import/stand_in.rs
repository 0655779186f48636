//! A site that answers with what a real Islandora was recorded to answer (`tests/cases`), and with what no site should.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::in_sources;

/// What a site answers.
#[derive(Clone)]
pub enum Reply {
    Json(Value),
    /// With these header lines.
    With(u16, &'static str, Vec<u8>),
    /// More than anybody should read.
    Endless,
    /// After a while, JSON.
    Slow(Duration, Value),
    /// The replies one after the other; the last one for ever.
    InTurn(Vec<Reply>),
}

#[derive(Default)]
struct Shared {
    replies: HashMap<String, Reply>,
    requests: Vec<String>,
}

/// A running site.
pub struct StandIn {
    pub address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

impl StandIn {
    /// Without content.
    pub fn start() -> StandIn {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Mutex::new(Shared::default()));
        let site = shared.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let site = site.clone();
                std::thread::spawn(move || {
                    let _ = answer(stream, &site);
                });
            }
        });
        StandIn { address, shared }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets what a path answers, whatever the query; with a query for that one alone.
    pub fn on(&self, path: &str, reply: Reply) {
        let mut shared = self.shared.lock().expect("sound");
        shared.replies.insert(path.to_owned(), reply);
    }

    /// Sets a resource.
    pub fn has(&self, path: &str, json: &Value) {
        self.on(path, Reply::Json(json.clone()));
    }

    /// What was asked so far, as `GET /path?query user-agent`.
    pub fn requests(&self) -> Vec<String> {
        self.shared.lock().expect("sound").requests.clone()
    }
}

fn answer(mut stream: TcpStream, site: &Mutex<Shared>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let agent = head
        .lines()
        .find(|line| line.to_lowercase().starts_with("user-agent"));
    let reply = {
        let mut shared = site.lock().expect("sound");
        let agent = agent.unwrap_or_default();
        shared.requests.push(format!("{target} {agent}"));
        reply_to(&mut shared.replies, &target)
    };
    send(&mut stream, reply)
}

fn reply_to(replies: &mut HashMap<String, Reply>, target: &str) -> Reply {
    let path = target.split('?').next().unwrap_or_default();
    let key = if replies.contains_key(target) {
        target
    } else {
        path
    };
    match replies.get_mut(key) {
        Some(Reply::InTurn(turns)) if turns.len() > 1 => turns.remove(0),
        Some(Reply::InTurn(turns)) => turns[0].clone(),
        Some(reply) => reply.clone(),
        None => {
            let message = format!("No route found for \"GET {target}\"");
            let body = json!({"message": message}).to_string();
            Reply::With(404, "Content-Type: application/json\r\n", body.into())
        }
    }
}

fn send(stream: &mut TcpStream, reply: Reply) -> std::io::Result<()> {
    let (status, headers, body) = match reply {
        Reply::Json(json) => (
            200,
            "Content-Type: application/json\r\n",
            json.to_string().into(),
        ),
        Reply::Slow(time, json) => {
            std::thread::sleep(time);
            (
                200,
                "Content-Type: application/json\r\n",
                json.to_string().into(),
            )
        }
        Reply::With(status, headers, body) => (status, headers, body),
        Reply::InTurn(_) => return Ok(()),
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[")?;
            loop {
                stream.write_all(&[b' '; 64 * 1024])?;
            }
        }
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} .\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// Numbers of the resources that the recorded answers name.
const NAMES: &[&str] = &[
    "user:admin",
    "vid",
    "rev",
    "node:p",
    "node:n",
    "media:m",
    "file:f",
    "file@E07.field_media_image",
    "term:islandora_models:Collection",
    "term:islandora_models:Image",
    "term:islandora_media_use:Original File",
    "term:per",
    "term:sub",
    "term:sub2",
];

/// The number of a name.
pub fn id(name: &str) -> i64 {
    let name = name.split("@K0").next().unwrap_or(name);
    let place = NAMES.iter().position(|known| *known == name);
    i64::try_from(place.unwrap_or_else(|| panic!("{name} has no number"))).expect("few") + 11
}

/// The UUID of a name.
pub fn uuid(name: &str) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in name.bytes() {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    }
    let hex = format!("{hash:032x}");
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..],
    ];
    format!(
        "{}-{}-4{}-8{}-{}",
        parts[0], parts[1], parts[2], parts[3], parts[4]
    )
}

/// A recorded answer with its placeholders filled in, and these fields instead of its own.
pub fn recorded(case: &str, fields: Value) -> Value {
    let text = std::fs::read_to_string(in_sources(&format!("tests/cases/{case}.json")));
    let case: Value = serde_json::from_str(&text.expect("a case")).expect("JSON");
    let mut json = case["expected"]["body"]["json"].clone();
    fill(&mut json);
    for (name, items) in fields.as_object().expect("fields") {
        json[name] = items.clone();
    }
    json
}

fn fill(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(fill),
        Value::Object(fields) => fields.values_mut().for_each(fill),
        Value::String(text) => {
            let name = text
                .strip_prefix('<')
                .and_then(|text| text.strip_suffix('>'));
            if text == "<now>" {
                *json = "2024-03-01T12:00:00+00:00".into();
            } else if let Some(name) = name {
                *json = match name.strip_prefix("uuid:") {
                    Some(name) => uuid(name).into(),
                    None => id(name).into(),
                };
            } else {
                *text = text
                    .replace("{files}", "/sites/default/files")
                    .replace("{run}", "r");
                *text = text.replace("{base}", "http://islandora.example");
            }
        }
        _ => {}
    }
}

/// A reference to a term or node of the site.
pub fn reference(kind: &str, name: &str) -> Value {
    json!({"target_id": id(name), "target_type": kind, "target_uuid": uuid(name), "url": "/somewhere"})
}
