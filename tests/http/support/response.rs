//! What came back, and what a test says about it.

use serde_json::Value;

/// An answer of the server.
#[derive(Debug, Clone)]
pub struct Response {
    /// The request line, for messages.
    pub request: String,
    pub status: u16,
    /// In order; names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub(super) fn new(status: u16, headers: Vec<(String, String)>) -> Response {
        Response {
            request: String::new(),
            status,
            headers,
            body: Vec::new(),
        }
    }

    /// Fails the test, showing the answer, unless it has that status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Response {
        assert!(
            self.status == status,
            "{}\nexpected {status}, got {}: {}",
            self.request,
            self.status,
            self.text()
        );
        self
    }

    /// Fails the test unless it is a 4xx with a sentence.
    #[track_caller]
    pub fn expect_refusal(self) -> Response {
        let refused = (400..500).contains(&self.status);
        assert!(
            refused,
            "{}\nexpected 4xx, got {}: {}",
            self.request,
            self.status,
            self.text()
        );
        assert!(!self.message().is_empty(), "{}: no message", self.request);
        self
    }

    /// Fails the test unless it is a refusal with that status and message.
    #[track_caller]
    pub fn expect_message(self, status: u16, message: &str) -> Response {
        let response = self.expect(status);
        assert_eq!(response.message(), message, "{}", response.request);
        response
    }

    /// Fails the test unless it is a 422 with exactly these violations, in this order.
    #[track_caller]
    pub fn expect_violations(self, violations: &[&str]) -> Response {
        let lines = violations.concat_lines();
        self.expect_message(
            422,
            &format!("Unprocessable Entity: validation failed.\n{lines}"),
        )
    }

    /// The first header of that (lower case) name.
    pub fn header<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// Every header of that (lower case) name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The ETag.
    #[track_caller]
    pub fn etag(&self) -> &str {
        self.header("etag")
            .unwrap_or_else(|| panic!("{}: no ETag", self.request))
    }

    /// Every link, one for each target, in order (RFC 8288; lines may hold several).
    pub fn links(&self) -> Vec<String> {
        self.all("link").flat_map(split_links).collect()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!(
                "{}\n{} is not JSON ({error}): {}",
                self.request,
                self.status,
                self.text()
            )
        })
    }

    /// The `message` of a refusal.
    #[track_caller]
    pub fn message(&self) -> String {
        self.json()["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The id at the end of the Location header.
    #[track_caller]
    pub fn created(&self) -> i64 {
        self.header("location")
            .and_then(|location| location.rsplit('/').next()?.parse().ok())
            .unwrap_or_else(|| panic!("{}\n{} without a Location", self.request, self.status))
    }

    /// The `value` of the first item of a field.
    #[track_caller]
    pub fn value(&self, field: &str) -> Value {
        self.json()[field][0]["value"].clone()
    }
}

/// Lines that each end with a line break.
trait Lines {
    fn concat_lines(&self) -> String;
}

impl Lines for [&str] {
    fn concat_lines(&self) -> String {
        self.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn split_links(line: &str) -> Vec<String> {
    let mut links = vec![String::new()];
    let (mut quoted, mut target, mut escaped) = (false, false, false);
    for letter in line.chars() {
        match letter {
            '"' if !escaped => quoted = !quoted,
            '<' if !quoted => target = true,
            '>' if !quoted => target = false,
            ',' if !quoted && !target => {
                links.push(String::new());
                continue;
            }
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        links.last_mut().expect("starts with one").push(letter);
    }
    links
        .into_iter()
        .map(|link| link.trim().to_owned())
        .collect()
}
