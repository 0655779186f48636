//! The rules of the policy, for everybody whom they tell apart.

use crate::Viewer;
use isolario_model::policy::{InCollection, ItemVisibility, MediaVisibility, Visibility};

const RULES: [Visibility; 5] = [
    Visibility::Everything,
    Visibility::Published,
    Visibility::PublishedOrOwnedBy(2),
    Visibility::OwnedBy(3),
    Visibility::Nothing,
];

/// Rules for items and for media in a collection.
const IN_COLLECTIONS: [[(Visibility, Visibility); 2]; 3] = [
    [
        (Visibility::Everything, Visibility::Published),
        (Visibility::OwnedBy(2), Visibility::Everything),
    ],
    [
        (Visibility::Published, Visibility::Everything),
        (Visibility::Published, Visibility::Nothing),
    ],
    [
        (Visibility::PublishedOrOwnedBy(2), Visibility::OwnedBy(2)),
        (Visibility::Everything, Visibility::Everything),
    ],
];

/// Everybody whom the rules tell apart, also with other rules in the collections of these ids.
pub fn viewers(collections: [i64; 2]) -> impl Iterator<Item = Viewer> {
    let without = RULES
        .into_iter()
        .flat_map(|items| RULES.map(|media| viewer(items, media, Vec::new())));
    let everywhere = [
        (Visibility::Published, Visibility::PublishedOrOwnedBy(2)),
        (Visibility::PublishedOrOwnedBy(2), Visibility::Published),
        (Visibility::OwnedBy(2), Visibility::Nothing),
        (Visibility::Nothing, Visibility::Published),
    ];
    let with = everywhere.into_iter().flat_map(move |(items, media)| {
        IN_COLLECTIONS.map(|rules| {
            let rules = collections.into_iter().zip(rules);
            let rules = rules.map(|(collection, there)| InCollection {
                collection,
                items: with_more(items, there.0),
                media: with_more(media, there.1),
            });
            viewer(items, media, rules.collect())
        })
    });
    without.chain(with)
}

/// What somebody may see with more permissions: a role in a collection takes none away.
fn with_more(everywhere: Visibility, there: Visibility) -> Visibility {
    let allows =
        |published, owner| everywhere.allows(published, owner) || there.allows(published, owner);
    match (allows(true, 0), allows(false, 2), allows(false, 0)) {
        (_, _, true) => Visibility::Everything,
        (true, true, false) => Visibility::PublishedOrOwnedBy(2),
        (true, false, false) => Visibility::Published,
        (false, true, false) => Visibility::OwnedBy(2),
        (false, false, false) => Visibility::Nothing,
    }
}

fn viewer(items: Visibility, media: Visibility, in_collections: Vec<InCollection>) -> Viewer {
    let nodes = ItemVisibility {
        everywhere: items,
        in_collections: in_collections.into(),
    };
    Viewer {
        media: MediaVisibility {
            itself: media,
            items: nodes.clone(),
        },
        nodes,
        terms: Visibility::Everything,
        users: Visibility::Everything,
        uid: 0,
        review_duty: ItemVisibility::everywhere(Visibility::Nothing),
    }
}
