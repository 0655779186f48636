//! The words of the names of terms: the table `term_text`.

use rusqlite::{OptionalExtension, params};

use crate::{DbError, Read, Write};

impl Write<'_> {
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

/// More words than this are ignored, as is what follows in a longer word.
const MOST_WORDS: usize = 16;
const LONGEST_WORD: usize = 64;

/// Converts a typed text into a full-text query: every word must occur as a word or as the prefix of one. Punctuation
/// separates words, and each word is quoted, so no typed text is syntax. `None` when no word is left.
pub(super) fn words_of(typed: &str) -> Option<String> {
    let words: Vec<String> = typed
        .split(|letter: char| {
            letter.is_whitespace() || letter.is_ascii() && !letter.is_ascii_alphanumeric()
        })
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .map(|word| word.chars().take(LONGEST_WORD).collect::<String>())
        .map(|word| format!("\"{word}\"*"))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
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
