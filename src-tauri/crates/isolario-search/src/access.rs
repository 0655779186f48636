//! Which texts and values somebody may search. They lie in the index by whose they are, so what an actor may not view is
//! never read for them.

use std::collections::HashSet;
use std::sync::Arc;

use isolario_model::policy::Visibility;

use crate::document::{LinkedKind, SearchDocument, Source};

/// What an actor may view, by the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visibilities {
    pub items: Visibility,
    pub media: Visibility,
    pub terms: Visibility,
    /// What the actor may view beside, with roles in collections.
    pub below: Vec<VisibleBelow>,
}

/// What an actor may view of the items below a node, and of the node itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleBelow {
    pub id: i64,
    /// The facets whose values are the nodes above an item.
    pub facets: Vec<String>,
    pub items: Visibility,
    pub media: Visibility,
    /// The nodes of which the actor may know that such an item is below them: those below the node, it, and those above it
    /// as far as they see the way.
    pub places: Arc<HashSet<i64>>,
}

/// What of an item somebody may search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accesses {
    pub all: Vec<Access>,
    /// Those by which they may know only that the item is below one of these nodes.
    pub places: Vec<(Access, HashSet<i64>)>,
}

/// Whether a value of a facet is one of some nodes.
pub fn is_one_of(places: &HashSet<i64>, value: &str) -> bool {
    value.parse().is_ok_and(|nid| places.contains(&nid))
}

impl Accesses {
    /// All this, with what somebody may view of the items below a node.
    pub fn with(&self, there: &Visibilities, below: &VisibleBelow) -> Accesses {
        let mut more = self.clone();
        let new = there.accesses().all.into_iter();
        for access in new.filter(|access| !self.all.contains(access)) {
            let known = more.places.iter_mut().find(|(known, _)| *known == access);
            match known {
                _ if !access.is_of_items() => more.all.push(access),
                Some((_, places)) => places.extend(below.places.iter()),
                None => more.places.push((access, (*below.places).clone())),
            }
        }
        more
    }
}

impl Visibilities {
    /// Who may view everything.
    pub const EVERYTHING: Visibilities = Visibilities {
        items: Visibility::Everything,
        media: Visibility::Everything,
        terms: Visibility::Everything,
        below: Vec::new(),
    };

    fn of(&self, kind: LinkedKind) -> Visibility {
        match kind {
            LinkedKind::Item => self.items,
            LinkedKind::Media => self.media,
            LinkedKind::Term => self.terms,
        }
    }

    /// Whether the actor sees what is published of a kind.
    pub fn sees_published(&self, kind: LinkedKind) -> bool {
        self.of(kind).allows(true, i64::MIN)
    }

    /// What the actor may view of items below a node.
    pub fn there(&self, below: &VisibleBelow) -> Visibilities {
        Visibilities {
            items: below.items,
            media: below.media,
            terms: self.terms,
            below: Vec::new(),
        }
    }

    /// The rules for an item, of which one is enough: those that hold everywhere, and those below the nodes that it is
    /// below.
    pub fn of_item(&self, document: &SearchDocument) -> Vec<Visibilities> {
        let there = self.below.iter().filter(|below| below.has(document));
        // Texts are of items themselves, of media and of terms.
        let there = there.map(|below| Visibilities {
            items: self.items,
            ..self.there(below)
        });
        std::iter::once(self.clone()).chain(there).collect()
    }

    /// What the actor may search of every item that they may view.
    pub fn accesses(&self) -> Accesses {
        let mut accesses = vec![Access::Item];
        for kind in KINDS {
            if self.sees_published(kind) {
                accesses.push(Access::Published(kind));
            }
            match self.of(kind) {
                Visibility::Everything => accesses.push(Access::AllHidden(kind)),
                Visibility::PublishedOrOwnedBy(uid) | Visibility::OwnedBy(uid) => {
                    accesses.push(Access::HiddenOf(kind, uid));
                }
                Visibility::Published | Visibility::Nothing => {}
            }
        }
        Accesses {
            all: accesses,
            places: Vec::new(),
        }
    }
}

impl VisibleBelow {
    /// Whether an item is below the node, or is it.
    fn has(&self, document: &SearchDocument) -> bool {
        let value = self.id.to_string();
        let mut facets = document.facets.iter();
        document.id == self.id
            || facets.any(|one| self.facets.contains(&one.facet) && one.value == value)
    }
}

/// All kinds of linked things.
pub const KINDS: [LinkedKind; 3] = [LinkedKind::Item, LinkedKind::Media, LinkedKind::Term];

/// Who may search a text or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Who may view the item.
    Item,
    /// Who may view what is published of this kind.
    Published(LinkedKind),
    /// Who may view everything of this kind.
    AllHidden(LinkedKind),
    /// The owner of what is hidden.
    HiddenOf(LinkedKind, i64),
}

impl Access {
    /// Where something of a source is written.
    pub fn of(source: Source) -> Vec<Access> {
        match source {
            Source::Item => vec![Access::Item],
            Source::Linked {
                kind,
                published: true,
                ..
            } => vec![Access::Published(kind)],
            Source::Linked { kind, owner, .. } => {
                vec![Access::AllHidden(kind), Access::HiddenOf(kind, owner)]
            }
        }
    }

    /// Whether only some of those who view the item may search it.
    pub fn is_hidden(self) -> bool {
        matches!(self, Access::AllHidden(_) | Access::HiddenOf(..))
    }

    fn is_of_items(self) -> bool {
        matches!(
            self,
            Access::Published(LinkedKind::Item)
                | Access::AllHidden(LinkedKind::Item)
                | Access::HiddenOf(LinkedKind::Item, _)
        )
    }

    /// What the keys of the index begin with. None is the beginning of another.
    pub fn key(self) -> String {
        match self {
            Access::Item => "o:".to_owned(),
            Access::Published(kind) => format!("{}:", letter(kind)),
            Access::AllHidden(kind) => format!("{}*:", letter(kind)),
            Access::HiddenOf(kind, owner) => format!("{}{owner}:", letter(kind)),
        }
    }
}

fn letter(kind: LinkedKind) -> char {
    match kind {
        LinkedKind::Item => 'i',
        LinkedKind::Media => 'm',
        LinkedKind::Term => 't',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewer_reads_what_the_policy_allows() {
        for media in [
            Visibility::Everything,
            Visibility::Published,
            Visibility::PublishedOrOwnedBy(7),
            Visibility::Nothing,
        ] {
            let visibility = Visibilities {
                items: Visibility::Published,
                media,
                terms: Visibility::Nothing,
                below: Vec::new(),
            };
            let accesses = visibility.accesses();
            for (published, owner) in [(true, 7), (true, 8), (false, 7), (false, 8)] {
                let kind = LinkedKind::Media;
                let source = Source::Linked {
                    kind,
                    published,
                    owner,
                };
                let places = Access::of(source);
                let is_read = places.iter().any(|place| accesses.all.contains(place));
                assert_eq!(
                    is_read,
                    media.allows(published, owner),
                    "{media:?} {source:?}"
                );
            }
        }
    }

    #[test]
    fn keys_are_not_beginnings_of_each_other() {
        let all = KINDS.map(|kind| {
            let owners = [1, 12, -1].map(|owner| Access::HiddenOf(kind, owner));
            [Access::Published(kind), Access::AllHidden(kind)]
                .into_iter()
                .chain(owners)
        });
        let keys: Vec<String> = all.into_iter().flatten().map(Access::key).collect();
        for (index, key) in keys.iter().enumerate() {
            let others = keys.iter().enumerate().filter(|(other, _)| *other != index);
            assert!(others.into_iter().all(|(_, other)| !other.starts_with(key)));
        }
    }
}
