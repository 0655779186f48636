//! Where a word stands in the index. A term of the index is a word and a key; the key says whose the text is and in which
//! field it stands. The terms of a word lie side by side, so a search reads at once where it occurs, and leaves out what
//! the actor may not view.

use crate::access::Access;
use crate::document::LinkedKind;

/// What parts a word from its key; no key and no word has it.
pub const KEY: char = '\0';

/// The parts of the index that words are written to. Each has its own lengths of texts, so that the length of one that
/// somebody may not view does not change the rank of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Of the item itself, and of published items and terms.
    Item,
    /// Of published media.
    Media,
    /// Of what is not published.
    Hidden,
}

impl Area {
    /// All of them.
    pub const ALL: [Area; 3] = [Area::Item, Area::Media, Area::Hidden];

    /// Where the texts of somebody are written.
    pub fn of(access: Access) -> Area {
        match access {
            Access::Item | Access::Published(LinkedKind::Item | LinkedKind::Term) => Area::Item,
            Access::Published(LinkedKind::Media) => Area::Media,
            Access::AllHidden(_) | Access::HiddenOf(..) => Area::Hidden,
        }
    }
}

/// The key of a field.
pub fn key(access: Access, field: &str) -> String {
    access.key() + &clean(field)
}

/// The beginning of all terms of a word.
pub fn terms_of_word(word: &str) -> String {
    format!("{word}{KEY}")
}

/// The beginning of all terms of a stem of a language.
pub fn terms_of_stem(stem: &str, language: &str) -> String {
    format!("{stem}{KEY}{language}{KEY}")
}

/// A name without what would part the keys.
pub fn clean(name: &str) -> String {
    let letters = name.chars().filter(|letter| !letter.is_control());
    letters.collect()
}

/// Which words somebody may read: those of the texts that they may view, in certain fields or in all.
#[derive(Debug, Clone)]
pub struct Readable {
    accesses: Vec<String>,
    areas: Vec<Area>,
    fields: Option<Vec<String>>,
}

impl Readable {
    /// With no fields, those of all.
    pub fn new(accesses: &[Access], fields: Option<&[String]>) -> Readable {
        let has = |area: &Area| accesses.iter().any(|access| Area::of(*access) == *area);
        let fields = fields.map(|fields| fields.iter().map(|field| clean(field)).collect());
        Readable {
            areas: Area::ALL.into_iter().filter(has).collect(),
            accesses: accesses.iter().map(|access| access.key()).collect(),
            fields,
        }
    }

    /// The parts of the index that are read.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The field of a key, if it may be read.
    pub fn field<'k>(&self, key: &'k str) -> Option<&'k str> {
        let mut accesses = self.accesses.iter();
        let field = accesses.find_map(|access| key.strip_prefix(access.as_str()))?;
        let is_asked = |fields: &Vec<String>| fields.iter().any(|asked| asked == field);
        self.fields.as_ref().is_none_or(is_asked).then_some(field)
    }
}

/// The beginning of a text of at most so many bytes.
pub fn upto(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use isolario_model::policy::Visibility;

    use super::*;
    use crate::access::KINDS;
    use crate::access::Visibilities;
    use crate::document::Source;

    #[test]
    fn what_the_policy_allows_is_read() {
        let rules = [
            Visibility::Everything,
            Visibility::Published,
            Visibility::PublishedOrOwnedBy(7),
            Visibility::Nothing,
        ];
        let states = [(true, 7), (true, 8), (false, 7), (false, 8)];
        let cases = KINDS.into_iter().flat_map(|kind| {
            let of_kind = states.into_iter();
            of_kind.flat_map(move |state| rules.map(|rule| (kind, state, rule)))
        });
        for (kind, (published, owner), rule) in cases {
            let source = Source::Linked {
                kind,
                published,
                owner,
            };
            let mut visibility = Visibilities::EVERYTHING;
            match kind {
                LinkedKind::Item => visibility.items = rule,
                LinkedKind::Media => visibility.media = rule,
                LinkedKind::Term => visibility.terms = rule,
            }
            let reads = |asked: Option<&[String]>| {
                let readable = Readable::new(&visibility.accesses().all, asked);
                let mut written = Access::of(source).into_iter();
                written.any(|access| {
                    readable.areas().contains(&Area::of(access))
                        && readable.field(&key(access, "a:field")) == Some("a:field")
                })
            };
            let allowed = rule.allows(published, owner);
            assert_eq!(reads(None), allowed, "{source:?} {rule:?}");
            assert_eq!(reads(Some(&["a:field".to_owned()])), allowed);
            assert!(!reads(Some(&["field".to_owned()])));
        }
    }
}
