//! The search of a text that somebody types above a list.

use super::{SearchNames, visibilities};
use isolario_db::{Db, DbError};
use isolario_model::policy::Actor;
use isolario_search::Search;
use isolario_search::query::{MOST_BEGINNINGS, Query};

/// The search of a list by words: while somebody types, they may be the beginnings of words. Exact words are found only as
/// they are typed.
///
/// # Errors
/// What the database refuses.
pub fn typed_search(
    db: &Db,
    names: &SearchNames,
    actor: &Actor,
    typed: &str,
    is_exact: bool,
) -> Result<Search, DbError> {
    let query = match is_exact {
        true => Query::parse(typed, &names.fields),
        false => Query::parse(&with_beginnings(typed), &names.fields),
    };
    let mut search = Search::new(query, visibilities(db, actor)?);
    search.with_stems = !is_exact;
    Ok(search)
}

/// A typed text, the first words of which are also searched as the beginnings of words, unless they are part of something
/// else. A word as such is found by its stem, its beginning is not.
fn with_beginnings(typed: &str) -> String {
    let mut is_quoted = false;
    let mut beginnings = 0;
    let words = typed.split_whitespace().map(|word| {
        let is_plain = !is_quoted && word != "OR" && word.chars().all(char::is_alphanumeric);
        is_quoted ^= word.matches('"').count() % 2 == 1;
        beginnings += usize::from(is_plain);
        match is_plain && beginnings <= MOST_BEGINNINGS {
            true => format!("({word} OR {word}*)"),
            false => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
