//! For random repositories and every kind of viewer, lists hold what the policy's function allows,
//! no more and no less, and every count agrees.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::rules::viewers;
use super::world::{NewNode, World, delete, put_node, put_original};
use crate::Viewer;
use crate::lists::{ItemFilter, ItemSort, Order, View};
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::ItemFacts;

/// A node as the test thinks of it; `parents` are places in the list of nodes before it.
#[derive(Debug, Clone)]
struct NodePlan {
    published: bool,
    owner: i64,
    is_collection: bool,
    parents: Vec<usize>,
    /// Published, owner of each original file.
    originals: Vec<(bool, i64)>,
    deleted: bool,
}

fn plan() -> impl Strategy<Value = NodePlan> {
    let original = (any::<bool>(), 2_i64..4);
    (
        any::<bool>(),
        2_i64..4,
        any::<bool>(),
        vec(0_usize..12, 0..3),
        vec(original, 0..2),
        proptest::bool::weighted(0.2),
    )
        .prop_map(
            |(published, owner, is_collection, parents, originals, deleted)| NodePlan {
                published,
                owner,
                is_collection,
                parents,
                originals,
                deleted,
            },
        )
}

/// A repository made after plans.
struct TestRepository {
    world: World,
    plans: Vec<NodePlan>,
    ids: Vec<i64>,
    /// Of each node, its original files.
    media: Vec<Vec<i64>>,
}

async fn make(mut plans: Vec<NodePlan>) -> TestRepository {
    let world = World::new().await;
    let (mut ids, mut media): (Vec<i64>, Vec<Vec<i64>>) = (Vec::new(), Vec::new());
    for (number, plan) in plans.iter_mut().enumerate() {
        plan.parents.retain(|parent| *parent < number);
        plan.parents.sort_unstable();
        plan.parents.dedup();
        let new = NewNode {
            title: format!("Item {number}"),
            published: plan.published,
            owner: plan.owner,
            parents: plan.parents.iter().map(|parent| ids[*parent]).collect(),
            model: if plan.is_collection {
                world.collection
            } else {
                world.image
            },
            ..NewNode::default()
        };
        let (originals, use_term) = (plan.originals.clone(), world.original);
        let id = world.write(move |write| {
            let id = put_node(write, &new)?;
            let originals = originals
                .into_iter()
                .map(|(published, owner)| put_original(write, id, use_term, published, owner));
            Ok((id, originals.collect::<Result<_, _>>()?))
        });
        let (id, originals) = id.await;
        ids.push(id);
        media.push(originals);
    }
    for (plan, id) in plans.iter().zip(&ids) {
        if plan.deleted {
            let id = *id;
            world
                .write(move |write| delete(write, EntityKind::Node, id))
                .await;
        }
    }
    TestRepository {
        world,
        plans,
        ids,
        media,
    }
}

impl TestRepository {
    fn sees(&self, viewer: &Viewer, number: usize) -> bool {
        !self.plans[number].deleted && viewer.nodes.allows(&self.facts(number))
    }

    /// What decides about a node, with all that it is in.
    fn facts(&self, number: usize) -> ItemFacts {
        let mut above = vec![number];
        let mut at = 0;
        while let Some(one) = above.get(at).copied() {
            // What is live is in nothing by way of the trash.
            let (parents, deleted) = (self.plans[one].parents.iter(), self.plans[one].deleted);
            above.extend(parents.filter(|parent| deleted || !self.plans[**parent].deleted));
            at += 1;
        }
        ItemFacts {
            published: self.plans[number].published,
            owner: self.plans[number].owner,
            collections: above.into_iter().map(|number| self.ids[number]).collect(),
        }
    }

    fn is_in(&self, viewer: &Viewer, view: View, number: usize) -> bool {
        let plan = &self.plans[number];
        self.sees(viewer, number)
            && match view {
                View::All | View::Recent => true,
                View::Waiting => false,
                View::Unpublished => !plan.published,
                View::Unfiled => !plan.is_collection && self.is_at_the_top(viewer, number),
                View::WithoutOriginal => {
                    let mut originals = plan.originals.iter();
                    !plan.is_collection
                        && !self.has_member(viewer, number)
                        && !originals.any(|(published, owner)| {
                            let item = self.facts(number);
                            viewer.media.allows(*published, *owner, &[item])
                        })
                }
            }
    }

    fn has_member(&self, viewer: &Viewer, parent: usize) -> bool {
        let is_member = |number: usize| self.plans[number].parents.contains(&parent);
        (0..self.plans.len()).any(|number| is_member(number) && self.sees(viewer, number))
    }

    fn is_at_the_top(&self, viewer: &Viewer, number: usize) -> bool {
        let mut parents = self.plans[number].parents.iter();
        !parents.any(|parent| self.sees(viewer, *parent))
    }

    fn expected(&self, fits: impl Fn(usize) -> bool) -> Vec<i64> {
        (0..self.plans.len())
            .filter(|number| fits(*number))
            .map(|number| self.ids[number])
            .collect()
    }

    async fn check_places(&self) {
        for number in 0..self.plans.len() {
            let nid = self.ids[number];
            let found = self
                .world
                .read_lists(move |read| read.with_all_above(&[nid]));
            let found: BTreeSet<i64> = found.await.into_iter().collect();
            let expected: BTreeSet<i64> = self.facts(number).collections.into_iter().collect();
            assert_eq!(found, expected, "what {nid} is in");
        }
    }

    async fn check_view(&self, viewer: &Viewer, view: View) {
        let expected = self.expected(|number| self.is_in(viewer, view, number));
        let asked = viewer.clone();
        let found = self
            .world
            .read_lists(move |read| read.item_page(&all(view, None), &asked, by_nid(), None, 200));
        let found = found.await;
        assert_eq!(found.rows, expected, "{view:?} for {viewer:?}");
        assert_eq!(
            found.total.count,
            i64::try_from(expected.len()).unwrap(),
            "{view:?} for {viewer:?}"
        );
        assert!(found.total.is_exact);
    }

    async fn check_members(&self, viewer: &Viewer, parent: usize) {
        let nid = self.ids[parent];
        let is_member = |number: usize| {
            self.sees(viewer, number) && self.plans[number].parents.contains(&parent)
        };
        for view in [View::All, View::WithoutOriginal, View::Unpublished] {
            let fits = |number| is_member(number) && self.is_in(viewer, view, number);
            let asked = viewer.clone();
            let found = self.world.read_lists(move |read| {
                read.item_page(&all(view, Some(nid)), &asked, by_nid(), None, 200)
            });
            assert_eq!(
                found.await.rows,
                self.expected(fits),
                "{view:?} in {nid} for {viewer:?}"
            );
        }
        let asked = viewer.clone();
        let (items, collections) = self
            .world
            .read_lists(move |read| read.collection_counts(nid, &asked))
            .await;
        let in_all = |wanted: bool| {
            let fits =
                |number: usize| is_member(number) && self.plans[number].is_collection == wanted;
            i64::try_from(self.expected(fits).len()).unwrap()
        };
        assert_eq!(
            (items, collections),
            (in_all(false), in_all(true)),
            "counts of {nid} for {viewer:?}"
        );
    }

    /// The nodes that somebody reaches from one by members that they see.
    fn below(&self, viewer: &Viewer, top: usize) -> Vec<usize> {
        let mut found = vec![top];
        let mut at = 0;
        while let Some(parent) = found.get(at).copied() {
            let members = (0..self.plans.len()).filter(|number| {
                self.sees(viewer, *number)
                    && self.plans[*number].parents.contains(&parent)
                    && !found.contains(number)
            });
            let members: Vec<usize> = members.collect();
            found.extend(members);
            at += 1;
        }
        found.split_off(1)
    }

    async fn check_below(&self, viewer: &Viewer, top: usize) {
        let nid = self.ids[top];
        let below = self.below(viewer, top);
        for view in [View::All, View::WithoutOriginal, View::Unpublished] {
            let asked = ItemFilter {
                below: true,
                ..all(view, Some(nid))
            };
            let who = viewer.clone();
            let found = self
                .world
                .read_lists(move |read| read.item_page(&asked, &who, by_nid(), None, 200));
            let fits = |number| below.contains(&number) && self.is_in(viewer, view, number);
            let (found, expected) = (found.await, self.expected(fits));
            assert_eq!(found.rows, expected, "{view:?} below {nid} for {viewer:?}");
            assert_eq!(found.total.count, i64::try_from(expected.len()).unwrap());
        }
        let who = viewer.clone();
        let counts = self
            .world
            .read_lists(move |read| read.counts_below(nid, &who))
            .await;
        let in_all = |wanted: bool| {
            let found = below.iter();
            let found = found.filter(|number| self.plans[**number].is_collection == wanted);
            i64::try_from(found.count()).unwrap()
        };
        let told = (counts.items, counts.collections);
        assert_eq!(
            told,
            (in_all(false), in_all(true)),
            "counts below {nid} for {viewer:?}"
        );
    }

    async fn check_tree(&self, viewer: &Viewer) {
        let asked = viewer.clone();
        let at_top = self
            .world
            .read_lists(move |read| read.collection_page(None, None, &asked, None, 200))
            .await;
        let mut found = at_top.rows;
        found.sort_unstable();
        let fits = |number: usize| {
            let is_collection = self.plans[number].is_collection;
            self.sees(viewer, number) && is_collection && self.is_at_the_top(viewer, number)
        };
        assert_eq!(found, self.expected(fits), "top collections for {viewer:?}");
    }

    /// Media are seen through their node, which is judged by its last state.
    async fn check_media(&self, viewer: &Viewer) {
        let mut expected = Vec::new();
        for (number, (plan, media)) in self.plans.iter().zip(&self.media).enumerate() {
            let item = [self.facts(number)];
            let originals = plan.originals.iter().zip(media);
            let seen = originals
                .filter(|((published, owner), _)| viewer.media.allows(*published, *owner, &item));
            expected.extend(seen.map(|(_, id)| *id));
        }
        expected.reverse();
        let asked = viewer.clone();
        let page = self
            .world
            .read_lists(move |read| read.media_page(&ContentModel::default(), &asked, None, 200))
            .await;
        let found: Vec<i64> = page.rows.iter().map(|row| row.mid).collect();
        assert_eq!(found, expected, "media for {viewer:?}");
        let total = i64::try_from(expected.len()).unwrap();
        assert_eq!(page.total.count, total, "media for {viewer:?}");
    }

    async fn check_counts(&self, viewer: &Viewer) {
        let asked = viewer.clone();
        let counts = self
            .world
            .read_lists(move |read| read.view_counts(&asked, i64::MIN))
            .await;
        let count = |view| {
            let fits = |number| self.is_in(viewer, view, number);
            i64::try_from(self.expected(fits).len()).unwrap()
        };
        assert_eq!(counts.all, count(View::All));
        assert_eq!(counts.recent, count(View::All));
        assert_eq!(counts.waiting, count(View::Waiting));
        assert_eq!(counts.unfiled, count(View::Unfiled));
        assert_eq!(counts.unpublished, count(View::Unpublished));
        assert_eq!(counts.without_original, count(View::WithoutOriginal));
    }
}

fn all(view: View, collection: Option<i64>) -> ItemFilter {
    ItemFilter {
        view,
        collection,
        recent_since: i64::MIN,
        ..ItemFilter::default()
    }
}

fn by_nid() -> Order {
    Order {
        sort: ItemSort::Nid,
        descending: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn lists_hold_what_the_policy_allows(plans in vec(plan(), 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let made = make(plans).await;
            made.check_places().await;
            let collections = [made.ids[0], made.ids[made.ids.len() / 2]];
            for viewer in viewers(collections) {
                for (_, view) in View::ALL {
                    made.check_view(&viewer, view).await;
                }
                for parent in 0..made.plans.len() {
                    if !made.plans[parent].deleted {
                        made.check_members(&viewer, parent).await;
                        made.check_below(&viewer, parent).await;
                    }
                }
                made.check_tree(&viewer).await;
                made.check_media(&viewer).await;
                made.check_counts(&viewer).await;
            }
        });
    }
}
