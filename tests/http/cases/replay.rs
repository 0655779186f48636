//! Makes the requests of a recorded exchange.

use std::collections::HashMap;
use std::net::Ipv4Addr;

use serde_json::Value;

use super::case::{Case, Step};
use super::compare::Comparison;
use super::names::Names;
use crate::support::{Person, Request, TestServer, png};

/// A replay on one server.
pub struct Replay<'a> {
    server: &'a TestServer,
    names: Names<'a>,
    /// Scenario to the `{run}` word and address that its exchanges without a set-up share.
    shared: HashMap<String, u32>,
    runs: u32,
}

impl<'a> Replay<'a> {
    pub fn new(server: &'a TestServer) -> Replay<'a> {
        Replay {
            server,
            names: Names::new(server),
            shared: HashMap::new(),
            runs: 0,
        }
    }

    /// How the answer to an exchange differs from the recorded one; nothing if it passes.
    pub fn differences(&mut self, case: &Case) -> Vec<String> {
        let run = self.run_of(case);
        self.names.begin(&format!("run{run}"));
        let from = address(run);
        for step in &case.before {
            if let Err(error) = self.set_up(step, from) {
                return vec![format!("set-up {}: {error}", step.id)];
            }
        }
        self.compare(case, from)
    }

    fn compare(&mut self, case: &Case, from: Ipv4Addr) -> Vec<String> {
        let before = self.revision_before(case);
        let answer = self.request(&case.request, from).send();
        for name in &case.captures {
            if let Err(error) = self.names.capture(name, &answer) {
                return vec![error];
            }
        }
        let get = case
            .expected
            .checks
            .contains_key("head_equals_get")
            .then(|| {
                let mut step = case.request.clone();
                "GET".clone_into(&mut step.method);
                self.request(&step, from).send()
            });
        let mut comparison = Comparison::new(&mut self.names, case, before);
        comparison.answer(&answer);
        comparison.checks(&answer, get.as_ref());
        comparison.differences
    }

    /// Makes a request of the set-up. Only what it must capture can fail it, and a 5xx.
    fn set_up(&mut self, step: &Step, from: Ipv4Addr) -> Result<(), String> {
        let answer = self.request(step, from).send();
        if answer.status >= 500 {
            return Err(format!(
                "{} {}: {}",
                answer.request,
                answer.status,
                answer.text()
            ));
        }
        for name in &step.captures {
            self.names.capture(name, &answer)?;
        }
        for kind in ["node", "media", "term"] {
            // "an id first seen in the answer to …" has the name of that exchange
            if self.names.capture(&format!("{kind}:seen"), &answer).is_ok()
                && let Some(id) = self.names.get(&format!("{kind}:seen"))
            {
                self.names.bind(&format!("{kind}@{}", step.id), &id);
            }
        }
        Ok(())
    }

    fn run_of(&mut self, case: &Case) -> u32 {
        self.runs += 1;
        if !case.before.is_empty() {
            return self.runs;
        }
        *self
            .shared
            .entry(case.scenario.clone())
            .or_insert(self.runs)
    }

    /// The revision of the resource in the path, where the answer must have the same or a newer one.
    fn revision_before(&mut self, case: &Case) -> Option<i64> {
        if case.request.method != "PATCH" {
            return None;
        }
        let path = self.names.fill(&case.request.path);
        let answer = self.server.get(&path).as_admin().send();
        (answer.status == 200).then(|| answer.value("vid").as_i64())?
    }

    fn request(&mut self, step: &Step, from: Ipv4Addr) -> Request<'a> {
        let path = self.names.fill(&step.path);
        let mut request = self.server.request(&step.method, &path).from(from);
        for (name, value) in &step.headers {
            if name.eq_ignore_ascii_case("transfer-encoding") {
                request = request.chunked();
            } else {
                request = request.header(name, self.names.fill(value));
            }
        }
        request = self.sign_in(request, &step.auth);
        match self.body(&step.body) {
            Some(body) => request.bytes(body),
            None => request,
        }
    }

    fn sign_in(&mut self, request: Request<'a>, auth: &str) -> Request<'a> {
        match auth.split_once(':') {
            None if auth == "none" => request,
            None if auth == "ghost" => request.basic("ghost", "nobody's password"),
            None => request.signed_in(Person::named(auth)),
            Some(("bearer", token)) => {
                let token = self.names.fill(token);
                request.bearer(&token)
            }
            Some(("cookie", name)) => {
                let cookie = self
                    .names
                    .get(&format!("cookie:{name}"))
                    .expect("a captured session");
                request.header("Cookie", cookie)
            }
            // bad, bad1, bad2 …: each has a wrong password of its own
            Some((bad, name)) => request.basic(name, &format!("not it, {bad}")),
        }
    }

    fn body(&mut self, body: &Value) -> Option<Vec<u8>> {
        match body {
            Value::Null => None,
            Value::String(text) if !text.starts_with("{json:") => {
                Some(self.names.fill(text).into_bytes())
            }
            Value::Object(members) if members.contains_key("$png") => {
                let side = |index: usize| body["$png"][index].as_u64().unwrap_or_default() as u32;
                Some(png(side(0), side(1)).to_vec())
            }
            Value::Object(members) if members.contains_key("$hex") => {
                let digits = body["$hex"].as_str().unwrap_or_default();
                Some(hex::decode(digits).expect("hexadecimal digits"))
            }
            json => Some(self.names.fill_json(json).to_string().into_bytes()),
        }
    }
}

/// An address of its own for every run: wrong passwords of one exchange must not shut out another.
fn address(run: u32) -> Ipv4Addr {
    let [_, _, high, low] = run.to_be_bytes();
    Ipv4Addr::new(127, 77, high, low)
}

/// A token with a wrong signature, changed claims, algorithm `none` or no signature.
pub fn damaged(token: &str, how: &str) -> String {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
    let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    match how {
        "sig" => parts[2] = parts[2].chars().rev().collect(),
        "claims" => {
            let bytes = BASE64.decode(&parts[1]).expect("claims in base64");
            let mut claims: Value = serde_json::from_slice(&bytes).expect("claims in JSON");
            claims["sub"] = Value::from("somebody else");
            parts[1] = BASE64.encode(claims.to_string());
        }
        "none" => {
            parts[0] = BASE64.encode(r#"{"typ":"JWT","alg":"none"}"#);
            parts[2] = String::new();
        }
        "cut" => parts.truncate(2),
        other => panic!("no such damage: {other}"),
    }
    parts.join(".")
}
