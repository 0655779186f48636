//! What the window says by itself, beside its page: in the page's language, once the page has handed its words over.
//! They stand in the language files of the UI; those of the first one are built in for the time before.

use std::sync::Arc;

use serde::Deserialize;
use tauri::{AppHandle, Manager};
use tokio::sync::watch;

const ENGLISH: &str = include_str!("../../../ui/src/texts/window.en.json");

/// All of it. What stands in braces in a sentence is put in by `fill`.
#[derive(Debug, Default, Deserialize)]
pub struct Words {
    pub tray: TrayWords,
    pub dialogs: DialogWords,
    pub notice: NoticeWords,
    pub refusals: Refusals,
}

/// The icon in the tray and its menu.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrayWords {
    pub open: String,
    pub quit: String,
    pub here: String,
    pub shared: String,
    pub shared_at: String,
}

/// Titles of the system's dialogs.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DialogWords {
    pub choose_files: String,
    pub choose_folder: String,
    pub save_as: String,
}

/// The button of a notice.
#[derive(Debug, Default, Deserialize)]
pub struct NoticeWords {
    pub show: String,
}

/// Why a file is not opened.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusals {
    pub runs: String,
    pub is_program: String,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "other systems ask what to open it with")
    )]
    pub no_program: String,
    pub not_started: String,
    pub not_copied: String,
}

impl Words {
    /// Those that are built in.
    pub fn english() -> Words {
        serde_json::from_str(ENGLISH).unwrap_or_default()
    }
}

/// The words as they are now.
pub struct CurrentWords(watch::Sender<Arc<Words>>);

impl Default for CurrentWords {
    fn default() -> CurrentWords {
        CurrentWords(watch::Sender::new(Arc::new(Words::english())))
    }
}

impl CurrentWords {
    /// Hears of other words.
    pub fn follow(&self) -> watch::Receiver<Arc<Words>> {
        self.0.subscribe()
    }
}

/// What is said now.
pub fn words(app: &AppHandle) -> Arc<Words> {
    Arc::clone(&app.state::<CurrentWords>().0.borrow())
}

/// Says it in these words from now on.
#[tauri::command]
pub fn speak(words: Words, app: AppHandle) {
    app.state::<CurrentWords>().0.send_replace(Arc::new(words));
}

/// A sentence with its values.
pub fn fill(sentence: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let named = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        match named {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::{Words, fill};

    #[test]
    fn the_words_of_the_first_language_are_built_in() {
        let words = Words::english();
        assert_eq!(words.tray.quit, "Quit");
        assert!(words.refusals.no_program.contains("{mime}"));
    }

    #[test]
    fn values_are_put_in_once_and_what_has_none_stays() {
        let values = [("name", "{mime}.txt"), ("mime", "text/plain")];
        assert_eq!(
            fill("{name} ({mime}) {other} {", &values),
            "{mime}.txt (text/plain) {other} {"
        );
    }
}
