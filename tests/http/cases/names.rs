//! What the place holders of the recorded exchanges stand for.

use std::collections::HashMap;

use serde_json::Value;

use crate::support::{Person, Response, TestServer};

/// Kinds whose place holders are ids.
const IDS: [&str; 5] = ["node", "media", "file", "term", "user"];
/// Kinds that a request may name with `{kind:name}`.
const KINDS: [&str; 16] = [
    "node",
    "media",
    "file",
    "term",
    "user",
    "url",
    "uuid",
    "json",
    "token",
    "cookie",
    "cookiename",
    "csrf",
    "logout",
    "etag",
    "name",
    "pass",
];

/// Names and what they stand for. Those of the repository outlast an exchange, the rest do not.
pub struct Names<'a> {
    server: &'a TestServer,
    /// `kind:name` (or `kind@case`) to id, token, path …
    captured: HashMap<String, String>,
    bodies: HashMap<String, Value>,
    uuids: HashMap<String, String>,
    terms: HashMap<String, i64>,
}

impl<'a> Names<'a> {
    pub fn new(server: &'a TestServer) -> Names<'a> {
        Names {
            server,
            captured: HashMap::new(),
            bodies: HashMap::new(),
            uuids: HashMap::new(),
            terms: HashMap::new(),
        }
    }

    /// Forgets what the last exchange captured.
    pub fn begin(&mut self, run: &str) {
        self.captured.clear();
        self.bodies.clear();
        self.captured.insert("run".into(), run.to_owned());
        self.captured.insert("base".into(), self.server.base());
        self.captured
            .insert("files".into(), "/sites/default/files".into());
    }

    /// What a name stands for, if it is known.
    pub fn get(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.captured.get(name) {
            return Some(known.clone());
        }
        let (kind, rest) = name.split_once(':')?;
        match kind {
            "user" => Some(Person::named(rest).uid.to_string()),
            "name" => Some(rest.to_owned()),
            "pass" => Some(Person::named(rest).password.to_owned()),
            "term" => Some(self.term(rest)?.to_string()),
            "uuid" => self.uuid(rest),
            "s" => self.get(rest),
            _ => None,
        }
    }

    /// The id of `VOCABULARY:NAME`.
    fn term(&mut self, name: &str) -> Option<i64> {
        let (vocabulary, label) = name.split_once(':')?;
        if let Some(tid) = self.terms.get(name) {
            return Some(*tid);
        }
        let tid = self.server.term(vocabulary, label);
        self.terms.insert(name.to_owned(), tid);
        Some(tid)
    }

    /// The uuid of the entity with that name, as the service tells it to the administrator.
    fn uuid(&mut self, name: &str) -> Option<String> {
        let kind = name.split([':', '@']).next()?.to_owned();
        let Some(id) = self.get(name) else {
            return self.uuids.get(name).cloned();
        };
        let key = format!("{kind} {id}");
        if !self.uuids.contains_key(&key) {
            let path = resource(&kind, &id)?;
            let answer = self.server.get(&path).as_admin().send();
            let uuid = (answer.status == 200).then(|| answer.value("uuid"))?;
            self.uuids.insert(key.clone(), uuid.as_str()?.to_owned());
        }
        self.uuids.get(&key).cloned()
    }

    /// Takes the value that an answer had in the place of an unknown name.
    pub fn bind(&mut self, name: &str, value: &str) {
        match name.strip_prefix("uuid:") {
            Some(entity) => self.uuids.insert(entity.to_owned(), value.to_owned()),
            None => self.captured.insert(name.to_owned(), value.to_owned()),
        };
    }

    /// Text of a request with every known `{name}` replaced; other braces stay.
    pub fn fill(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            out += &rest[..start];
            rest = &rest[start..];
            let end = rest.find('}').map(|end| end + 1);
            match end.and_then(|end| Some((end, self.place_holder(&rest[1..end - 1])?))) {
                Some((end, value)) => {
                    out += &value;
                    rest = &rest[end..];
                }
                None => {
                    out.push('{');
                    rest = &rest[1..];
                }
            }
        }
        out + rest
    }

    fn place_holder(&mut self, name: &str) -> Option<String> {
        if let Some(word) = name.strip_prefix("newuuid:") {
            let uuid = uuid::Uuid::new_v4().to_string();
            self.captured.insert(format!("uuid:{word}"), uuid.clone());
            return Some(uuid);
        }
        let kind = name.split(':').next().unwrap_or_default();
        let simple = ["run", "base", "files"].contains(&name);
        let known = simple || name.contains(':') && (KINDS.contains(&kind) || kind == "s");
        if !known {
            return None;
        }
        let (plain, damage) = name
            .split_once('|')
            .map_or((name, None), |(a, b)| (a, Some(b)));
        let value = self
            .get(plain)
            .unwrap_or_else(|| panic!("{{{plain}}} was never captured"));
        Some(damage.map_or(value.clone(), |how| super::replay::damaged(&value, how)))
    }

    /// JSON of a request with its place holders replaced; a lone id becomes a number.
    pub fn fill_json(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.fill_string(text),
            Value::Array(items) => items.iter().map(|item| self.fill_json(item)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| (key.clone(), self.fill_json(value)))
                .collect(),
            other => other.clone(),
        }
    }

    fn fill_string(&mut self, text: &str) -> Value {
        let name = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        if let Some(body) = name.and_then(|name| self.bodies.get(name)) {
            return body.clone();
        }
        let is_id =
            name.is_some_and(|name| IDS.iter().any(|kind| name.starts_with(&format!("{kind}:"))));
        let filled = self.fill(text);
        match filled.parse::<i64>() {
            Ok(id) if is_id => Value::from(id),
            _ => Value::from(filled),
        }
    }

    /// Remembers an answer under `kind:name`. An answer without it is an error.
    pub fn capture(&mut self, name: &str, answer: &Response) -> Result<(), String> {
        let kind = name.split(':').next().unwrap_or_default();
        if kind == "json" {
            self.bodies.insert(name.to_owned(), answer.json());
            return Ok(());
        }
        if kind == "cookie" {
            let cookie = cookie_name(answer).ok_or("no cookie was set")?;
            self.captured
                .insert(name.replacen("cookie", "cookiename", 1), cookie);
        }
        let value = found(kind, answer).ok_or_else(|| {
            format!(
                "{} {}: no {kind} in it: {}",
                answer.request,
                answer.status,
                answer.text()
            )
        })?;
        let value = if kind == "url" {
            self.server.path_of(&value)
        } else {
            value
        };
        self.captured.insert(name.to_owned(), value);
        Ok(())
    }
}

fn resource(kind: &str, id: &str) -> Option<String> {
    let path = match kind {
        "node" | "media" | "user" => format!("/{kind}/{id}"),
        "file" => format!("/entity/file/{id}"),
        "term" => format!("/taxonomy/term/{id}"),
        _ => return None,
    };
    Some(path + "?_format=json")
}

/// What an answer holds of a kind of name.
fn found(kind: &str, answer: &Response) -> Option<String> {
    match kind {
        "node" | "media" | "term" => answer
            .header("location")?
            .rsplit('/')
            .next()
            .map(str::to_owned),
        "etag" => answer.header("etag").map(str::to_owned),
        "cookie" => answer
            .header("set-cookie")?
            .split(';')
            .next()
            .map(str::to_owned),
        "csrf" if answer.header("content-type")?.starts_with("text/plain") => Some(answer.text()),
        _ => member(kind, &serde_json::from_slice(&answer.body).ok()?),
    }
    .filter(|value| !value.is_empty())
}

fn member(kind: &str, body: &Value) -> Option<String> {
    let value = match kind {
        "csrf" => &body["csrf_token"],
        "logout" => &body["logout_token"],
        "token" => &body["token"],
        // exchanges ask a node for the uuid of its model
        "uuid" => &body["field_model"][0]["target_uuid"],
        "file" if body["fid"].is_array() => &body["fid"][0]["value"],
        "file" => &source(body)?["target_id"],
        "url" if body["uri"].is_array() => &body["uri"][0]["url"],
        "url" => &source(body)?["url"],
        _ => return None,
    };
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The file reference in the source field of a media.
fn source(body: &Value) -> Option<&Value> {
    body.as_object()?
        .iter()
        .filter(|(field, _)| field.starts_with("field_media_"))
        .map(|(_, items)| &items[0])
        .find(|item| item["target_type"] == "file")
}

fn cookie_name(answer: &Response) -> Option<String> {
    answer
        .header("set-cookie")?
        .split('=')
        .next()
        .map(str::to_owned)
}
