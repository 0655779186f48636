//! Everything that speaks of many things, held against what may be seen one by one.

use serde_json::Value;

use super::repository::{Media, Node, Repository, State, Thing};
use super::rows::{Ids, ids, length, whole_ids};
use super::viewer::{Kind, Viewer};

/// A repository as a viewer finds it.
pub struct Answers<'a> {
    pub(super) repository: &'a Repository<'a>,
    pub(super) viewer: &'a Viewer<'a>,
}

impl<'a> Answers<'a> {
    pub fn new(repository: &'a Repository<'a>, viewer: &'a Viewer<'a>) -> Answers<'a> {
        Answers { repository, viewer }
    }

    /// Asks for everything.
    pub fn check(&self) {
        self.one_by_one();
        self.lists();
        self.counts();
        self.collections();
        self.media();
        self.labels();
        self.pictures();
        self.terms();
        self.searches();
        for node in self
            .repository
            .nodes
            .iter()
            .filter(|node| self.sees_node(node))
        {
            self.item(node);
            self.links(node);
        }
    }

    pub(super) fn nodes(&self, fits: impl Fn(&Node) -> bool) -> Ids {
        let seen = self
            .repository
            .nodes
            .iter()
            .filter(|node| self.sees_node(node));
        seen.filter(|node| fits(node))
            .map(|node| node.thing.id)
            .collect()
    }

    fn media_with(&self, fits: impl Fn(&Media) -> bool) -> Ids {
        let media = self.repository.media.iter();
        let seen = media.filter(|media| self.sees_media(media));
        seen.filter(|media| fits(media))
            .map(|media| media.thing.id)
            .collect()
    }

    pub(super) fn media_of(&self, node: &Node) -> Ids {
        self.media_with(|media| self.repository.nodes[media.node].thing.id == node.thing.id)
    }

    pub(super) fn is_at_top(&self, node: &Node) -> bool {
        let nodes = &self.repository.nodes;
        !node
            .parents
            .iter()
            .any(|parent| self.sees_node(&nodes[*parent]))
    }

    pub(super) fn members(&self, above: &Node) -> Ids {
        let nodes = &self.repository.nodes;
        self.nodes(|node| {
            node.parents
                .iter()
                .any(|at| nodes[*at].thing.id == above.thing.id)
        })
    }

    pub(super) fn json(&self, path: &str) -> Value {
        self.viewer.ask(path).expect(200).json()
    }

    fn status(&self, path: &str) -> u16 {
        self.viewer.ask(path).status
    }

    /// The function itself: one thing, its past and its bytes.
    fn one_by_one(&self) {
        for node in &self.repository.nodes {
            let seen = self.sees_node(node);
            let past = self.sees_past(Kind::Node, node.bundle, &node.thing, Some(node));
            let shows = |state| self.shows_node(node, state);
            self.one((Kind::Node, seen, past), "/node", &node.thing, shows);
        }
        for term in &self.repository.terms {
            let seen = self.sees_term(term);
            let past = self.sees_past(Kind::Term, "genre", term, None);
            let shows = |state| self.shows_term(state);
            self.one((Kind::Term, seen, past), "/taxonomy/term", term, shows);
        }
        for media in &self.repository.media {
            let seen = self.sees_media(media);
            let node = &self.repository.nodes[media.node];
            let past = self.sees_past(Kind::Media, "image", &media.thing, Some(node));
            let shows = |state| self.shows_media(media, state);
            self.one((Kind::Media, seen, past), "/media", &media.thing, shows);
            let has = self.status(&media.path) == 200;
            self.viewer
                .expect_equal(&media.path, has, self.may_have(media));
        }
    }

    fn one(
        &self,
        (kind, seen, past_is_seen): (Kind, bool, bool),
        noun: &str,
        thing: &Thing,
        shows: impl Fn(State) -> bool,
    ) {
        let path = format!("{noun}/{}", thing.id);
        let plural = kind.plural();
        self.viewer
            .expect_equal(&path, self.status(&path) == 200, seen);
        let past = format!("/api/v1/{plural}/{}/revisions", thing.id);
        let answer = self.viewer.ask(&past);
        let may = seen && past_is_seen;
        let refusal = if seen { 403 } else { 404 };
        let expected = if may { 200 } else { refusal };
        self.viewer.expect_equal(&past, answer.status, expected);
        let found = if may {
            ids(&answer.json()["revisions"], "vid")
        } else {
            Ids::new()
        };
        for (vid, state) in &thing.states {
            let visible = may && shows(*state);
            self.viewer
                .expect_equal(&past, found.contains(vid), visible);
            let former = format!("{past}/{vid}");
            self.viewer
                .expect_equal(&former, self.status(&former) == 200, visible);
        }
    }

    fn lists(&self) {
        for (query, expected) in self.expected_lists() {
            let list = self.json(&format!("/api/v1/items?limit=200&{query}"));
            self.viewer
                .expect_equal(query, ids(&list["items"], "nid"), expected.clone());
            self.viewer
                .expect_equal(query, &list["total"], &length(&expected));
            let numbers = self.json(&format!("/api/v1/items/ids?limit=200&{query}"));
            let numbers = numbers["nids"].as_array().expect("numbers").iter();
            let numbers: Ids = numbers.filter_map(Value::as_i64).collect();
            self.viewer.expect_equal(query, numbers, expected.clone());
            self.table(query, &expected);
            self.positions(query, &expected);
            let whole = self.json(&format!("/views/nodes?items_per_page=200&{query}"));
            self.viewer
                .expect_equal(query, whole_ids(&whole, "nid"), expected.clone());
            let last = self.json(&format!(
                "/api/v1/items?limit=200&offset={}&{query}",
                expected.len()
            ));
            self.viewer
                .expect_equal(query, &last["total"], &length(&expected));
        }
    }

    /// A table has the same items.
    fn table(&self, query: &str, expected: &Ids) {
        let path = format!("/api/v1/export?columns=node_id&{query}");
        let table = self.viewer.ask(&path).expect(200).text();
        let rows = table.lines().skip(1).map(|row| row.parse().expect("an id"));
        self.viewer
            .expect_equal(query, rows.collect(), expected.clone());
    }

    /// Lists, and what the viewer sees in each.
    pub(super) fn expected_lists(&self) -> [(&'static str, Ids); 8] {
        let without = |node: &Node| {
            let nodes = &self.repository.nodes;
            let originals = self.media_with(|media| {
                media.path.ends_with("-0.png") && nodes[media.node].thing.id == node.thing.id
            });
            !node.is_collection && originals.is_empty() && self.members(node).is_empty()
        };
        [
            ("view=all", self.nodes(|_| true)),
            ("view=recent", self.nodes(|_| true)),
            ("view=all&q=chart", self.nodes(|_| true)),
            (
                "view=all&type=page",
                self.nodes(|node| node.bundle == "page"),
            ),
            ("status=0", self.nodes(|node| !node.thing.state().published)),
            (
                "view=unpublished",
                self.nodes(|node| !node.thing.state().published),
            ),
            (
                "view=unfiled",
                self.nodes(|node| !node.is_collection && self.is_at_top(node)),
            ),
            ("view=without_original", self.nodes(without)),
        ]
    }

    /// What stands in a list has a position there, and nothing else has one.
    fn positions(&self, query: &str, expected: &Ids) {
        for node in self.repository.nodes.iter().step_by(3) {
            let nid = node.thing.id;
            let path = format!("/api/v1/items/position?nid={nid}&{query}");
            let stands = self.json(&path)["offset"].is_i64();
            self.viewer
                .expect_equal(&path, stands, expected.contains(&nid));
        }
    }

    fn counts(&self) {
        let counts = self.json("/api/v1/counts");
        for view in [
            "all",
            "unfiled",
            "unpublished",
            "without_original",
            "recent",
        ] {
            let list = self.json(&format!("/api/v1/items?limit=200&view={view}"));
            self.viewer
                .expect_equal(view, &counts[view], &list["total"]);
        }
        let collections = self.nodes(|node| node.is_collection);
        let counted = &counts["collections"];
        self.viewer
            .expect_equal("collections", counted, &length(&collections));
    }

    fn collections(&self) {
        let top = self.json("/api/v1/collections");
        let expected = self.nodes(|node| node.is_collection && self.is_at_top(node));
        self.viewer
            .expect_equal("collections", ids(&top["collections"], "nid"), expected);
        for row in top["collections"].as_array().expect("rows") {
            let mut nodes = self.repository.nodes.iter();
            let node = nodes.find(|node| row["nid"] == node.thing.id);
            let members = self.members(node.expect("one that was made"));
            let told = row["items"].as_i64().zip(row["subcollections"].as_i64());
            let told = told.map(|(items, collections)| items + collections);
            self.viewer
                .expect_equal("its members", &told.into(), &length(&members));
        }
        for node in self
            .repository
            .nodes
            .iter()
            .filter(|node| !self.sees_node(node))
        {
            for path in ["collections?parent", "items?collection"] {
                let path = format!("/api/v1/{path}={}", node.thing.id);
                self.viewer.expect_equal(&path, self.status(&path), 404);
            }
        }
    }

    fn pictures(&self) {
        let all = self.repository.nodes.iter();
        let all: Vec<String> = all.map(|node| node.thing.id.to_string()).collect();
        let list = self.json(&format!("/api/v1/pictures?items={}", all.join(",")));
        self.viewer.expect_equal(
            "pictures",
            ids(&list["pictures"], "nid"),
            self.nodes(|_| true),
        );
    }

    fn media(&self) {
        let list = self.json("/api/v1/media?limit=200");
        let expected = self.media_with(|_| true);
        self.viewer
            .expect_equal("media", ids(&list["media"], "mid"), expected.clone());
        self.viewer
            .expect_equal("media", &list["total"], &length(&expected));
        for row in list["media"].as_array().expect("rows") {
            let media = self
                .repository
                .media
                .iter()
                .find(|media| row["mid"] == media.thing.id);
            let media = media.expect("one that was made");
            let node = &self.repository.nodes[media.node];
            self.viewer
                .expect_equal("its node", row["node"].is_object(), self.sees_node(node));
            self.viewer
                .expect_equal("its file", row["file"].is_object(), self.may_have(media));
        }
    }

    fn labels(&self) {
        let terms = self.repository.terms.iter();
        let terms = terms
            .filter(|term| self.sees_term(term))
            .map(|term| term.id)
            .collect();
        let files = self
            .repository
            .media
            .iter()
            .filter(|media| self.may_have(media));
        let kinds = [
            (
                "node",
                self.repository
                    .nodes
                    .iter()
                    .map(|node| node.thing.id)
                    .collect(),
                self.nodes(|_| true),
            ),
            (
                "media",
                self.repository
                    .media
                    .iter()
                    .map(|media| media.thing.id)
                    .collect(),
                self.media_with(|_| true),
            ),
            (
                "file",
                self.repository
                    .media
                    .iter()
                    .map(|media| media.fid)
                    .collect(),
                files.map(|media| media.fid).collect(),
            ),
            (
                "taxonomy_term",
                self.repository
                    .terms
                    .iter()
                    .map(|term| term.id)
                    .collect::<Vec<i64>>(),
                terms,
            ),
        ];
        for (kind, all, expected) in kinds {
            if all.is_empty() {
                continue;
            }
            let all: Vec<String> = all.iter().map(i64::to_string).collect();
            let labels = self.json(&format!("/api/v1/labels?{kind}={}", all.join(",")));
            self.viewer
                .expect_equal(kind, ids(&labels["labels"], "target_id"), expected);
        }
    }

    fn terms(&self) {
        let list = self.json("/api/v1/terms?vocabulary=genre&q=Zz&limit=200");
        let all = self.repository.terms.iter().enumerate();
        let seen: Vec<_> = all.filter(|(_, term)| self.sees_term(term)).collect();
        let expected: Ids = seen.iter().map(|(_, term)| term.id).collect();
        self.viewer
            .expect_equal("terms", ids(&list["terms"], "tid"), expected.clone());
        self.viewer
            .expect_equal("terms", &list["total"], &length(&expected));
        for (at, term) in seen {
            let rows = list["terms"].as_array().expect("rows");
            let row = rows
                .iter()
                .find(|row| row["tid"] == term.id)
                .expect("it is there");
            let users = self.nodes(|node| node.term == Some(at));
            self.viewer
                .expect_equal("uses", &row["uses"], &length(&users));
        }
    }
}
