//! What the viewer sees, by the names of their permissions.

use super::answers::Answers;
use super::repository::{Media, Node, State, Thing};
use super::viewer::{Kind, Rights};

impl Answers<'_> {
    pub(super) fn sees_term(&self, term: &Thing) -> bool {
        !term.thrown_away && self.shows_term(term.state())
    }

    pub(super) fn sees_node(&self, node: &Node) -> bool {
        !node.thing.thrown_away && self.shows_node(node, node.thing.state())
    }

    pub(super) fn shows_term(&self, state: State) -> bool {
        self.viewer
            .is_so(&[], |rights| rights.sees(Kind::Term, state))
    }

    /// Whether a state of a node, which may have been thrown away, is for the viewer.
    pub(super) fn shows_node(&self, node: &Node, state: State) -> bool {
        let collections = self.repository.collections_of(node);
        let sees = |rights: &Rights| rights.sees(Kind::Node, state);
        self.viewer.is_so(&collections, sees)
    }

    /// Whether a state of a media, which may have been thrown away, is for the viewer: it is seen through its node.
    pub(super) fn shows_media(&self, media: &Media, state: State) -> bool {
        let node = &self.repository.nodes[media.node];
        let collections = self.repository.collections_of(node);
        let sees = |rights: &Rights| {
            rights.sees(Kind::Media, state) && rights.sees(Kind::Node, node.thing.state())
        };
        self.viewer.is_so(&collections, sees)
    }

    pub(super) fn sees_media(&self, media: &Media) -> bool {
        !media.thing.thrown_away && self.shows_media(media, media.thing.state())
    }

    /// A file that no media uses is for who administers media.
    pub(super) fn may_have(&self, media: &Media) -> bool {
        match media.thing.thrown_away {
            true => self.viewer.can("administer media"),
            false => self.sees_media(media),
        }
    }

    /// Whether the past of a thing that they see is theirs to see, too.
    pub(super) fn sees_past(
        &self,
        kind: Kind,
        bundle: &str,
        thing: &Thing,
        node: Option<&Node>,
    ) -> bool {
        let collections = node.map(|node| self.repository.collections_of(node));
        let state = thing.state();
        self.viewer
            .is_so(&collections.unwrap_or_default(), |rights| {
                rights.sees_past(kind, bundle, state)
            })
    }
}
