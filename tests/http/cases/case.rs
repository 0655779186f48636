//! The files of the recorded exchanges.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// One exchange: what comes before it, the request, and the answer it must get.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub scenario: String,
    pub what: String,
    #[serde(default)]
    pub before: Vec<Step>,
    pub request: Step,
    /// What the answer to `request` is remembered for.
    #[serde(default)]
    pub captures: Vec<String>,
    pub expected: Expected,
    /// Why the answer differs from the recorded system's, if it does.
    pub decided: Option<String>,
    /// Set where headers beside Location are not compared.
    pub compared: Option<String>,
}

/// One request.
#[derive(Debug, Clone, Deserialize)]
pub struct Step {
    #[serde(default)]
    pub id: String,
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    /// `none`, a person, `bad:` person, `ghost`, `bearer:` token or `cookie:` session.
    pub auth: String,
    pub body: Value,
    #[serde(default)]
    pub captures: Vec<String>,
}

/// What must come back.
#[derive(Debug, Deserialize)]
pub struct Expected {
    /// A code, a list of codes, or `4xx`.
    pub status: Value,
    pub headers: BTreeMap<String, Value>,
    pub body: Body,
    #[serde(default)]
    pub checks: BTreeMap<String, Value>,
}

/// The body that must come back.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    Json(Value),
    Empty(bool),
    /// The text itself, or `sha1:` and the digest.
    Bytes(String),
    Text(String),
    Any(bool),
}

impl Case {
    /// Whether `CASE` names it, its scenario, or a list with either.
    pub fn is(&self, wanted: &str) -> bool {
        wanted
            .split(',')
            .any(|word| word == self.id || word == self.scenario)
    }
}

/// Every exchange, by file name.
pub fn all() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = std::fs::read_dir(&directory)
        .expect("tests/cases is there")
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    let mut missing = missing_set_up();
    let cases = paths.iter().map(|path| {
        let mut case = read(path);
        case.before
            .extend(missing.remove(&case.id).unwrap_or_default());
        case
    });
    let cases = cases.collect();
    assert!(missing.is_empty(), "no exchanges: {:?}", missing.keys());
    cases
}

/// What was done before some exchanges were recorded and does not stand with them, though their answers
/// tell of it: a file is gone, a media is not published.
fn missing_set_up() -> BTreeMap<String, Vec<Step>> {
    serde_json::from_str(include_str!("missing_set_up.json")).expect("steps")
}

fn read(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).expect("a readable file");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
