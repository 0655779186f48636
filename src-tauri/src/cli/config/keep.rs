//! Changes of single values in `config.toml`. Comments, order and everything else stay as they are.

use std::path::Path;

use super::{Config, ConfigError};
use crate::durable::{USUAL_FILE, replace};

impl Config {
    /// Keeps a value of a table, as TOML writes it, so that the next start finds it: for sure once the
    /// data directory is synced.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is written in a way that this cannot change.
    pub fn keep(
        path: &Path,
        table: &'static str,
        key: &str,
        value: &str,
    ) -> Result<(), ConfigError> {
        let failed = |error| ConfigError::File {
            path: path.to_owned(),
            error,
        };
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let changed = with_value(&text, table, key, value);
        if !holds(&changed, table, key, value) {
            return Err(ConfigError::Setting {
                path: path.to_owned(),
                table,
                setting: format!("{key} = {value}"),
            });
        }
        replace(path, changed.as_bytes(), USUAL_FILE).map_err(failed)
    }
}

/// The text with the value in its table: in place of the line that sets it, else of a line that is
/// only a comment about it, else below the heading of the table.
fn with_value(text: &str, table: &str, key: &str, value: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let setting = format!("{key} = {value}");
    let heading = format!("[{table}]");
    let Some(begin) = lines.iter().position(|line| bare(line) == heading) else {
        lines.push(format!("\n{heading}\n{setting}"));
        return lines.join("\n") + "\n";
    };
    let inside = &lines[begin + 1..];
    let inside = inside.iter().take_while(|line| !line.starts_with('['));
    let inside: Vec<&String> = inside.collect();
    let sets = |line: &str| {
        line.split_once('=')
            .is_some_and(|(name, _)| name.trim() == key)
    };
    let set = inside.iter().position(|line| sets(line));
    let comment = || {
        inside
            .iter()
            .position(|line| line.strip_prefix('#').is_some_and(sets))
    };
    match set.or_else(comment) {
        Some(line) => lines[begin + 1 + line] = setting,
        None => lines.insert(begin + 1, setting),
    }
    lines.join("\n") + "\n"
}

/// A line without the comment at its end.
fn bare(line: &str) -> &str {
    line.split('#').next().unwrap_or(line).trim()
}

/// Whether a text can be read and sets the value.
fn holds(text: &str, table: &str, key: &str, value: &str) -> bool {
    let wanted = toml::from_str::<toml::Table>(&format!("{key} = {value}"));
    let read = toml::from_str::<Config>(text).and_then(|_| toml::from_str::<toml::Table>(text));
    match (wanted, read) {
        (Ok(wanted), Ok(read)) => {
            let found = read.get(table).and_then(|table| table.get(key));
            found.is_some() && found == wanted.get(key)
        }
        _ => false,
    }
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
        let with = with_value(FIRST, "server", "port", "8461");
        assert_eq!(read(&with).server.port, Some(8461));
        assert_eq!(read(&with).lan.port, None);
        assert_eq!(with.lines().count(), FIRST.lines().count());
        let bare = read(&with_value("name = \"A\"", "server", "port", "8462"));
        assert_eq!((bare.name.as_str(), bare.server.port), ("A", Some(8462)));
    }

    #[test]
    fn a_switch_is_turned_in_its_place() {
        let on = with_value(FIRST, "lan", "enabled", "true");
        assert!(read(&on).lan.enabled);
        assert_eq!(
            on.replace("enabled = true", ""),
            FIRST
                .replace("enabled = false", "")
                .replace("enabled = true", "")
        );
        let own = "[fixity]\nenabled=true\n[lan] # ours\n  enabled=false\nport = 1 # one\n";
        let on = with_value(own, "lan", "enabled", "true");
        assert_eq!(
            on,
            "[fixity]\nenabled=true\n[lan] # ours\nenabled = true\nport = 1 # one\n"
        );
    }

    #[test]
    fn what_cannot_be_changed_is_said() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("config.toml");
        let inline = "lan = { enabled = false }\n";
        std::fs::write(&path, inline).expect("written");
        let error = Config::keep(&path, "lan", "enabled", "true").expect_err("refused");
        assert!(
            error
                .to_string()
                .contains("Write enabled = true into its table [lan]"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).expect("there"), inline);
    }
}
