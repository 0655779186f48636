//! Resumption tokens (OAI-PMH 2.0, section 3.5). They hold all that the next answer needs, so that they never expire.

use std::fmt::{Display, Formatter, Result as Formatted};

use isolario_db::HarvestRange;

/// Where a list of records goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListToken {
    pub prefix: String,
    pub range: HarvestRange,
    /// How many records came before.
    pub cursor: u64,
    /// The last second (Unix) of which the first answer knew every change.
    pub known: i64,
}

impl ListToken {
    /// A token as `Display` writes it.
    pub fn read(text: &str) -> Option<ListToken> {
        let (numbers, prefix) = text.rsplit_once(',')?;
        let [set, datestamp, nid, until, cursor, known] = numbers_of(numbers)?;
        Some(ListToken {
            prefix: prefix.to_owned(),
            range: HarvestRange {
                set: (set > 0).then_some(set),
                after: (datestamp, nid),
                until,
            },
            cursor: u64::try_from(cursor).ok()?,
            known,
        })
    }
}

impl Display for ListToken {
    fn fmt(&self, out: &mut Formatter<'_>) -> Formatted {
        let HarvestRange { set, after, until } = self.range;
        let (set, (datestamp, nid)) = (set.unwrap_or(0), after);
        let (cursor, known) = (self.cursor, self.known);
        write!(
            out,
            "{set},{datestamp},{nid},{until},{cursor},{known},{}",
            self.prefix
        )
    }
}

/// Where a list of sets goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SetsToken {
    /// The last collection that came before.
    pub after: i64,
    /// How many came before.
    pub cursor: u64,
}

impl SetsToken {
    /// A token as `Display` writes it.
    pub fn read(text: &str) -> Option<SetsToken> {
        let [after, cursor] = numbers_of(text)?;
        let cursor = u64::try_from(cursor).ok()?;
        Some(SetsToken { after, cursor })
    }
}

impl Display for SetsToken {
    fn fmt(&self, out: &mut Formatter<'_>) -> Formatted {
        write!(out, "{},{}", self.after, self.cursor)
    }
}

/// So many numbers of nothing but digits, less than a billion billion.
fn numbers_of<const N: usize>(text: &str) -> Option<[i64; N]> {
    let number = |part: &str| {
        let digits =
            (1..=18).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| digits)
    };
    let numbers: Option<Vec<i64>> = text.split(',').map(number).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_token_says_what_it_was_made_of(
            prefix in "[a-z_.-]{1,9}", set in prop::option::of(1..1_000_000_i64), datestamp in 0..1_i64 << 40,
            nid in 0..1_i64 << 50, until in 0..1_i64 << 40, cursor in 0..1_000_000_u64, known in 0..1_i64 << 40,
        ) {
            let range = HarvestRange { set, after: (datestamp, nid), until };
            let token = ListToken { prefix, range, cursor, known };
            prop_assert_eq!(ListToken::read(&token.to_string()), Some(token));
        }

        #[test]
        fn any_text_is_read(text in "\\PC{0,40}", more in "[0-9,a]{0,40}") {
            for text in [text, more] {
                if let Some(token) = ListToken::read(&text) {
                    prop_assert_eq!(ListToken::read(&token.to_string()), Some(token));
                }
                let _ = SetsToken::read(&text);
            }
        }
    }
}
