//! JSON of an answer against the recorded JSON.

use serde_json::{Map, Value};

use super::names::Names;
use super::pattern;

/// Members that may be missing or different: who revised, and what only the recorded system has.
const FREE: [&str; 5] = [
    "path",
    "sha1",
    "original_sha1",
    "revision_uid",
    "revision_user",
];

/// Collects the differences of one JSON body.
pub struct JsonComparison<'n, 's> {
    names: &'n mut Names<'s>,
    /// The revision before the request.
    revision: Option<i64>,
    /// JSON-LD: the order of lists means nothing.
    linked: bool,
    pub differences: Vec<String>,
}

impl<'n, 's> JsonComparison<'n, 's> {
    pub fn new(names: &'n mut Names<'s>, revision: Option<i64>, linked: bool) -> Self {
        JsonComparison {
            names,
            revision,
            linked,
            differences: Vec::new(),
        }
    }

    fn differ(&mut self, path: &str, recorded: &Value, answered: &Value) {
        self.differences
            .push(format!("{path}: expected {recorded}, got {answered}"));
    }

    /// Compares a value and everything in it.
    pub fn compare(&mut self, path: &str, recorded: &Value, answered: &Value) {
        match (recorded, answered) {
            (Value::Object(rule), _) if rule.keys().any(|key| key.starts_with('$')) => {
                self.rule(path, rule, answered);
            }
            (Value::Object(recorded), Value::Object(_)) => self.members(path, recorded, answered),
            (Value::Array(recorded), Value::Array(answered)) if self.linked => {
                self.unordered(path, recorded, answered);
            }
            (Value::Array(all), Value::Array(items)) if all.len() == items.len() => {
                for (index, (recorded, item)) in all.iter().zip(items).enumerate() {
                    self.compare(&format!("{path}.{index}"), recorded, item);
                }
            }
            (Value::String(text), answered) => self.text(path, text, answered),
            _ if recorded == answered => {}
            _ => self.differ(path, recorded, answered),
        }
    }

    fn members(&mut self, path: &str, recorded: &Map<String, Value>, answered: &Value) {
        let image = answered["bundle"][0]["target_id"] == "image";
        for (key, value) in recorded {
            let free = FREE.contains(&key.as_str()) || key == "thumbnail" && !image;
            let path = format!("{path}.{key}");
            match answered.get(key) {
                None if !["path", "sha1", "original_sha1"].contains(&key.as_str()) => {
                    self.differences
                        .push(format!("{path}: missing, expected {value}"));
                }
                Some(_) if key == "message" && value == "" => {}
                Some(answered) if !free => self.compare(&path, value, answered),
                _ => {}
            }
        }
    }

    fn unordered(&mut self, path: &str, recorded: &[Value], answered: &[Value]) {
        let mut left: Vec<&Value> = answered.iter().collect();
        for value in recorded {
            match left
                .iter()
                .position(|candidate| self.fits(value, candidate))
            {
                Some(index) => {
                    left.remove(index);
                }
                None => self.differ(path, value, &Value::from(answered.to_vec())),
            }
        }
        if left.len() + recorded.len() > answered.len() {
            self.differences.push(format!("{path}: too much: {left:?}"));
        }
    }

    fn fits(&mut self, recorded: &Value, answered: &Value) -> bool {
        let mut trial = JsonComparison::new(self.names, self.revision, self.linked);
        trial.compare("", recorded, answered);
        trial.differences.is_empty()
    }

    fn rule(&mut self, path: &str, rule: &Map<String, Value>, answered: &Value) {
        for (name, wanted) in rule {
            let good = match name.as_str() {
                "$any" => true,
                "$nonempty" => {
                    !matches!(answered, Value::Null)
                        && *answered != ""
                        && *answered != Value::Array(Vec::new())
                }
                "$contains" => answered
                    .as_str()
                    .is_some_and(|text| text.contains(wanted.as_str().unwrap_or_default())),
                "$in" => wanted
                    .as_array()
                    .is_some_and(|all| all.iter().any(|one| self.fits(one, answered))),
                _ => false,
            };
            if !good {
                self.differ(path, &Value::from(rule.clone()), answered);
            }
        }
    }

    fn text(&mut self, path: &str, recorded: &str, answered: &Value) {
        let lone = pattern::lone(recorded);
        let why = match (lone, answered) {
            (Some("roles"), Value::Array(_)) => Ok(()),
            (Some("vid" | "rev"), Value::Number(_)) => Ok(()),
            (Some("vid:up"), vid) => self.revised(vid, |before, vid| vid > before),
            (Some("vid:same"), vid) => self.revised(vid, |before, vid| vid == before),
            (_, Value::String(text)) => pattern::matches(self.names, recorded, text),
            (Some(_), Value::Number(id)) => pattern::matches(self.names, recorded, &id.to_string()),
            _ => Err(format!("expected {recorded:?}, got {answered}")),
        };
        let quoted_id = lone.is_some_and(pattern::is_id) && answered.is_string();
        if quoted_id {
            self.differences
                .push(format!("{path}: {answered} is text, an id is a number"));
        }
        if let Err(why) = why {
            self.differences.push(format!("{path}: {why}"));
        }
    }

    fn revised(&self, vid: &Value, right: impl Fn(i64, i64) -> bool) -> Result<(), String> {
        match (self.revision, vid.as_i64()) {
            (Some(before), Some(vid)) if right(before, vid) => Ok(()),
            (before, vid) => Err(format!("revision {vid:?} after {before:?}")),
        }
    }
}
