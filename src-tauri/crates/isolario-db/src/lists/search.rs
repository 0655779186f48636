//! Full-text search: the tables `item_text` and `term_text`.

use rusqlite::{OptionalExtension, params};

use crate::{DbError, Read, Write};

impl Write<'_> {
    /// Replaces the indexed words of a node.
    pub fn index_text(&mut self, nid: i64, title: &str, text: &str) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO item_text (rowid, title, text) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![nid, title, text])?;
        Ok(())
    }

    /// Removes the indexed words of a node.
    pub fn remove_text(&mut self, nid: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM item_text WHERE rowid = ?1")?
            .execute([nid])?;
        Ok(())
    }

    /// Replaces the indexed words of the name of a term.
    pub(super) fn index_term(&mut self, tid: i64) -> Result<(), DbError> {
        match self.live_term_name(tid)? {
            Some(name) => self
                .connection
                .prepare_cached("INSERT OR REPLACE INTO term_text (rowid, name) VALUES (?1, ?2)")?
                .execute(params![tid, name])?,
            None => self
                .connection
                .prepare_cached("DELETE FROM term_text WHERE rowid = ?1")?
                .execute([tid])?,
        };
        Ok(())
    }
}

impl Read<'_> {
    fn live_term_name(&self, tid: i64) -> Result<Option<String>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT label FROM taxonomy_term WHERE id = ?1 AND deleted IS NULL")?;
        Ok(statement.query_row([tid], |row| row.get(0)).optional()?)
    }
}

impl Read<'_> {
    /// As `words_of`, for the words of nodes. A prefix that few indexed words have becomes a query of these words.
    /// SQLite reads these in order, while it would collect all nodes of a prefix first.
    pub(super) fn known_words_of(&self, typed: &str) -> Result<Option<String>, DbError> {
        let questions = words(typed).map(|word| {
            let known = self.words_beginning_with(&word)?;
            Ok(match known {
                Some(known) => format!("({})", known.join(" OR ")),
                None => beginning(&word),
            })
        });
        let questions = questions.collect::<Result<Vec<String>, DbError>>()?;
        Ok((!questions.is_empty()).then(|| questions.join(" AND ")))
    }

    /// The indexed words of nodes with this prefix, quoted. `None` if the index has the prefix itself, if the spelling
    /// in the index is unknown, or if there are no such words or too many.
    fn words_beginning_with(&self, beginning: &str) -> Result<Option<Vec<String>>, DbError> {
        if !beginning.is_ascii() || beginning.len() <= LONGEST_INDEXED_BEGINNING {
            return Ok(None);
        }
        let beginning = beginning.to_ascii_lowercase();
        let mut statement = self
            .connection
            .prepare_cached("SELECT term FROM item_word WHERE term >= ?1 LIMIT 1")?;
        let (mut known, mut from) = (Vec::new(), beginning.clone());
        loop {
            let next: Option<String> = statement.query_row([&from], |row| row.get(0)).optional()?;
            let Some(word) = next.filter(|word| word.starts_with(&beginning)) else {
                return Ok((!known.is_empty()).then_some(known));
            };
            if known.len() == MOST_KNOWN_WORDS {
                return Ok(None);
            }
            from = format!("{word}{FIRST}");
            known.push(format!("\"{word}\""));
        }
    }
}

/// More words than this are ignored, as is what follows in a longer word.
const MOST_WORDS: usize = 16;
const LONGEST_WORD: usize = 64;
/// The length of the longest prefixes that `item_text` indexes.
const LONGEST_INDEXED_BEGINNING: usize = 3;
const MOST_KNOWN_WORDS: usize = 24;
/// Sorts before every letter of a word.
const FIRST: char = '\u{1}';

/// Converts a typed text into a full-text query: every word must occur as a word or as the prefix of one. Punctuation
/// separates words, and each word is quoted, so no typed text is syntax. `None` when no word is left.
pub(super) fn words_of(typed: &str) -> Option<String> {
    let words: Vec<String> = words(typed).map(|word| beginning(&word)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn words(typed: &str) -> impl Iterator<Item = String> {
    typed
        .split(|letter: char| {
            letter.is_whitespace() || letter.is_ascii() && !letter.is_ascii_alphanumeric()
        })
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .map(|word| word.chars().take(LONGEST_WORD).collect())
}

fn beginning(word: &str) -> String {
    format!("\"{word}\"*")
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn words_become_quoted_prefixes() {
        assert_eq!(
            words_of("old  map-s"),
            Some("\"old\"* \"map\"* \"s\"*".into())
        );
        assert_eq!(
            words_of("a\" OR title:b* NEAR(c) ^d"),
            Some("\"a\"* \"OR\"* \"title\"* \"b\"* \"NEAR\"* \"c\"* \"d\"*".into())
        );
        assert_eq!(words_of(" \"*()^-:\0' "), None);
    }
}
