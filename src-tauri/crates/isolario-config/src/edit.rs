//! Changes of single values in `config.toml`. Comments, order and everything else stay as they are.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use toml_edit::{Array, DocumentMut, Item, Value};

use super::{Config, ConfigError};
use isolario_disk::durable::{USUAL_FILE, replace};

/// Held while the file is read, changed and written.
static CHANGING: Mutex<()> = Mutex::new(());

impl Config {
    /// Keeps a value of a table, so that the next start finds it: for sure once the data directory is
    /// synced.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is written in a way that this cannot change.
    pub fn store(
        path: &Path,
        table: &'static str,
        key: &str,
        value: impl Into<Value>,
    ) -> Result<(), ConfigError> {
        let value = value.into();
        let setting = format!("{key} = {value}");
        change(path, table, setting, |text| {
            with_value(text, table, key, value)
        })
    }

    /// Keeps another text in a list of a table, behind those that are there by now.
    ///
    /// # Errors
    /// As `store`.
    pub fn store_also(
        path: &Path,
        table: &'static str,
        key: &str,
        element: &str,
    ) -> Result<(), ConfigError> {
        let element = Value::from(element);
        let setting = format!("{element} in the list {key}");
        change(path, table, setting, |text| {
            with_element(text, table, key, element)
        })
    }
}

fn change(
    path: &Path,
    table: &'static str,
    setting: String,
    change: impl FnOnce(&str) -> Option<String>,
) -> Result<(), ConfigError> {
    let path_of = || path.to_owned();
    let failed = |error| ConfigError::File {
        path: path_of(),
        error,
    };
    let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    let text = super::text_of(path).map_err(failed)?;
    let changed = change(&text).filter(|text| toml::from_str::<Config>(text).is_ok());
    let changed = changed.ok_or_else(|| ConfigError::Setting {
        path: path_of(),
        table,
        setting,
    })?;
    replace(path, changed.as_bytes(), USUAL_FILE).map_err(failed)
}

/// The text with another element in the list of a table; what stands in the list stays as it is written.
fn with_element(text: &str, table: &str, key: &str, element: Value) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let tables = document.get_mut(table).and_then(Item::as_table_mut);
    let Some(list) = tables.and_then(|table| table.get_mut(key)) else {
        return with_value(text, table, key, Array::from_iter([element]).into());
    };
    let list = list.as_array_mut()?;
    let comments = list.trailing().as_str().unwrap_or_default().to_owned();
    list.push(element);
    // Comments behind the comma of the former last element stay there.
    if comments.contains('\n')
        && let Some(last) = list.iter_mut().last()
    {
        last.decor_mut().set_prefix(comments + "  ");
        list.set_trailing("\n");
    }
    Some(document.to_string())
}

/// The text with the value in its table: in place of the former one, else of a line that is only a
/// comment about it, else as the last of the table.
fn with_value(text: &str, table: &str, key: &str, mut value: Value) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let is_set = document
        .get(table)
        .is_some_and(|table| table.get(key).is_some());
    if !is_set && let Some(uncommented) = uncommented(text, table, key, &value) {
        return Some(uncommented);
    }
    let table = document.entry(table).or_insert_with(toml_edit::table);
    let item = table.as_table_mut()?.entry(key).or_insert(Item::None);
    if let Some(former) = item.as_value() {
        *value.decor_mut() = former.decor().clone();
    }
    *item = Item::Value(value);
    Some(document.to_string())
}

/// The text with a setting in place of a line of its table that is only a comment about it.
fn uncommented(text: &str, table: &str, key: &str, value: &Value) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let heading = format!("[{table}]");
    let begins = |line: &&str| {
        line.split('#')
            .next()
            .is_some_and(|line| line.trim() == heading)
    };
    let begin = lines.iter().position(begins)? + 1;
    let inside = lines[begin..].iter();
    let mut inside = inside.take_while(|line| !line.starts_with('['));
    let at = inside.position(|line| {
        let setting = line.strip_prefix('#').and_then(|line| line.split_once('='));
        setting.is_some_and(|(name, _)| name.trim() == key)
    })?;
    let setting = format!("{key} = {value}");
    lines[begin + at] = &setting;
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::FIRST;
    use super::*;

    fn read(text: &str) -> Config {
        toml::from_str(text).expect("still right")
    }

    #[test]
    fn the_port_is_kept_and_nothing_else_is_touched() {
        let with = with_value(FIRST, "server", "port", 8461.into()).expect("set");
        assert_eq!(read(&with).server.port, Some(8461));
        assert_eq!(read(&with).lan.port, None);
        assert_eq!(with.lines().count(), FIRST.lines().count());
        let bare = read(&with_value("name = \"A\"", "server", "port", 8462.into()).expect("set"));
        assert_eq!((bare.name.as_str(), bare.server.port), ("A", Some(8462)));
    }

    #[test]
    fn a_switch_is_turned_in_its_place() {
        let on = with_value(FIRST, "lan", "enabled", true.into()).expect("set");
        assert!(read(&on).lan.enabled);
        assert_eq!(
            on.replace("enabled = true", ""),
            FIRST
                .replace("enabled = false", "")
                .replace("enabled = true", "")
        );
        let own = "[fixity]\nenabled=true\n[lan] # ours\n  enabled=false\nport = 1 # one\n";
        let on = with_value(own, "lan", "enabled", true.into()).expect("set");
        assert_eq!(
            on,
            "[fixity]\nenabled=true\n[lan] # ours\n  enabled=true\nport = 1 # one\n"
        );
    }

    #[test]
    fn a_list_grows_and_what_stands_in_it_stays() {
        let element = Value::from("/b \"c\"]");
        for (before, after) in [
            ("", "[folders]\nallowed = ['/b \"c\"]']\n"),
            (
                "[folders]\nallowed = [] # none\n",
                "[folders]\nallowed = ['/b \"c\"]'] # none\n",
            ),
            (
                "[folders]\nallowed = [\"/a]\"]\n[lan]\n",
                "[folders]\nallowed = [\"/a]\", '/b \"c\"]']\n[lan]\n",
            ),
            (
                "[folders]\nallowed = [\n  \"/a\", # scans\n  # more\n]\n[lan]\n",
                "[folders]\nallowed = [\n  \"/a\", # scans\n  # more\n  '/b \"c\"]',\n]\n[lan]\n",
            ),
            (
                "[folders]\nallowed = [\n  \"/a\" # scans\n]\n",
                "[folders]\nallowed = [\n  \"/a\" # scans\n, '/b \"c\"]']\n",
            ),
        ] {
            let grown = with_element(before, "folders", "allowed", element.clone());
            assert_eq!(grown.as_deref(), Some(after), "{before}");
        }
        for wrong in ["folders = { allowed = [] }", "[folders]\nallowed = 1"] {
            assert_eq!(
                with_element(wrong, "folders", "allowed", element.clone()),
                None
            );
        }
    }

    #[test]
    fn what_cannot_be_changed_is_said() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        let inline = "lan = { enabled = false }\n";
        std::fs::write(&path, inline).expect("written");
        let error = Config::store(&path, "lan", "enabled", true).expect_err("refused");
        assert!(
            error
                .to_string()
                .contains("Write enabled = true into its table [lan]"),
            "{error}"
        );
        assert_eq!(super::super::text_of(&path).expect("there"), inline);
    }
}
