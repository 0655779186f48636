//! Searches: hits, counts and values are of what the viewer sees, and of all of that.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::answers::Answers;
use super::repository::Node;
use super::rows::{Ids, length};
use crate::support::hits;

/// Of the things, every so manieth is searched for by its word.
const PART: usize = 5;

fn id_of(node: &Node) -> String {
    node.thing.id.to_string()
}

fn ids_of(items: &Value) -> Ids {
    super::rows::ids(items, "nid")
}

/// How many items have which value.
type Counts = BTreeMap<String, u64>;

impl Answers<'_> {
    /// Searches for everything, and for words of single things.
    pub fn searches(&self) {
        self.viewer.server.until_searchable();
        self.everything();
        self.facets_of_lists();
        self.words();
        for node in self.repository.nodes.iter().step_by(PART) {
            let path = format!("/api/v1/search?limit=200&below={}", node.thing.id);
            if self.sees_node(node) {
                let is_below = |one: &Node| self.way_up(one).contains(&node.thing.id);
                self.finds(&path, &self.nodes(is_below));
            } else {
                self.viewer
                    .expect_equal(&path, self.viewer.ask(&path).status, 404);
            }
        }
    }

    fn finds(&self, path: &str, expected: &Ids) -> Value {
        let answer = self.json(path);
        let found: Ids = hits(&answer).into_iter().collect();
        self.viewer.expect_equal(path, found, expected.clone());
        self.viewer
            .expect_equal(path, &answer["total"], &length(expected));
        self.viewer
            .expect_equal(path, answer["current"].as_bool(), Some(true));
        answer
    }

    fn everything(&self) {
        let facets = ["collection", "part_of", "genre", "status", "format"];
        let path = format!(
            "/api/v1/search?limit=200&values=200&facets={}",
            facets.join(",")
        );
        let answer = self.finds(&path, &self.nodes(|_| true));
        self.expect_counts(&path, &answer, &facets, &self.nodes(|_| true));
    }

    /// The facets of lists, of members and of what is below.
    fn facets_of_lists(&self) {
        let facets = ["collection", "part_of", "genre", "status", "format"];
        let mut lists: Vec<(String, Ids)> = Vec::new();
        for (query, expected) in self.expected_lists() {
            lists.push((query.to_owned(), expected));
        }
        let seen = self.repository.nodes.iter();
        for node in seen.filter(|node| self.sees_node(node)).step_by(PART) {
            let query = format!("collection={}", node.thing.id);
            lists.push((query.clone(), self.members(node)));
            let is_below = |one: &Node| self.way_up(one).contains(&node.thing.id);
            lists.push((query + "&below=true", self.nodes(is_below)));
        }
        for (query, expected) in lists {
            let path = format!(
                "/api/v1/items/facets?values=200&facets={}&{query}",
                facets.join(",")
            );
            let answer = self.json(&path);
            self.viewer
                .expect_equal(&path, &answer["total"], &length(&expected));
            self.expect_counts(&path, &answer, &facets, &expected);
        }
    }

    fn expect_counts(&self, path: &str, answer: &Value, facets: &[&str], listed: &Ids) {
        for (number, facet) in facets.iter().enumerate() {
            let values = answer["facets"][number]["values"].as_array();
            let values = values.expect("values").iter().map(|value| {
                let text = value["value"].as_str().expect("a value").to_owned();
                (text, value["count"].as_u64().expect("a count"))
            });
            let found: Counts = values.collect();
            let what = format!("{facet} of {path}");
            self.viewer
                .expect_equal(&what, found, self.counts_of(facet, listed));
        }
    }

    fn counts_of(&self, facet: &str, listed: &Ids) -> Counts {
        let mut counts = Counts::new();
        let nodes = self.repository.nodes.iter();
        for node in nodes.filter(|node| listed.contains(&node.thing.id)) {
            for value in self.values(node, facet) {
                *counts.entry(value).or_default() += 1;
            }
        }
        counts
    }

    fn values(&self, node: &Node, facet: &str) -> BTreeSet<String> {
        match facet {
            "collection" | "part_of" => {
                let above = self.way_up(node).into_iter();
                let is_collection = |nid: &i64| {
                    let mut nodes = self.repository.nodes.iter();
                    nodes.any(|node| node.thing.id == *nid && node.is_collection)
                };
                let fitting = above.filter(|nid| is_collection(nid) == (facet == "collection"));
                fitting.map(|nid| nid.to_string()).collect()
            }
            "genre" => {
                let term = node.term.map(|at| &self.repository.terms[at]);
                let seen = term.filter(|term| self.sees_term(term));
                seen.map(|term| term.id.to_string()).into_iter().collect()
            }
            "format" => {
                let media = self.repository.media.iter();
                let originals = media.filter(|media| {
                    let of_node = self.repository.nodes[media.node].thing.id == node.thing.id;
                    of_node && media.path.ends_with("-0.png") && self.sees_media(media)
                });
                originals
                    .map(|media| format!("image/x-{}", media.thing.secrets[1]))
                    .collect()
            }
            _ => {
                let published = node.thing.state().published;
                let status = if published {
                    "published"
                } else {
                    "unpublished"
                };
                BTreeSet::from([status.to_owned()])
            }
        }
    }

    /// What is above a node, as far as the viewer sees the way.
    fn way_up(&self, node: &Node) -> Ids {
        let mut above = Ids::new();
        let mut next = node.parents.clone();
        while let Some(at) = next.pop() {
            let parent = &self.repository.nodes[at];
            if self.sees_node(parent) && above.insert(parent.thing.id) {
                next.extend(&parent.parents);
            }
        }
        above
    }

    /// Where words stand is told of what is seen: of items, and of the texts of their media.
    fn passages(&self) {
        let ids: Vec<String> = self.repository.nodes.iter().map(id_of).collect();
        for node in self.repository.nodes.iter().step_by(PART) {
            let (nid, word) = (node.thing.id, &node.thing.secrets[0]);
            let part: Vec<String> = ids
                .iter()
                .take(49)
                .cloned()
                .chain([nid.to_string()])
                .collect();
            let path = format!("/api/v1/items/passages?q={word}&nid={}", part.join(","));
            let found = ids_of(&self.json(&path)["items"]);
            let expected = self.nodes(|one| one.thing.id == nid);
            self.viewer.expect_equal(&path, found, expected.clone());
            let path = format!("/api/v1/items?sort=relevance&q={word}");
            let found = ids_of(&self.json(&path)["items"]);
            self.viewer.expect_equal(&path, found, expected);
        }
        for media in self.repository.media.iter().step_by(PART) {
            let node = &self.repository.nodes[media.node];
            let word = &media.thing.secrets[0];
            let path = format!("/api/v1/items/passages?q={word}&nid={}", node.thing.id);
            let found = ids_of(&self.json(&path)["items"]);
            let seen = self.sees_media(media);
            let expected = self.nodes(|one| seen && one.thing.id == node.thing.id);
            self.viewer.expect_equal(&path, found, expected);
            let path = format!("/api/v1/items/{}/marks?q={word}", node.thing.id);
            let status = if self.sees_node(node) { 200 } else { 404 };
            self.viewer
                .expect_equal(&path, self.viewer.ask(&path).status, status);
        }
    }

    fn words(&self) {
        let search = |word: &str| format!("/api/v1/search?limit=200&q={word}");
        for node in self.repository.nodes.iter().step_by(PART) {
            let path = search(&node.thing.secrets[0]);
            self.finds(&path, &self.nodes(|one| one.thing.id == node.thing.id));
        }
        self.passages();
        for (at, term) in self.repository.terms.iter().enumerate().step_by(PART) {
            let seen = self.sees_term(term);
            let path = search(&term.secrets[0]);
            self.finds(&path, &self.nodes(|node| seen && node.term == Some(at)));
            self.json(&format!(
                "/api/v1/search/suggestions?q={}",
                &term.secrets[0]
            ));
        }
        for media in self.repository.media.iter().step_by(PART) {
            let seen = self.sees_media(media);
            let nid = self.repository.nodes[media.node].thing.id;
            let path = search(&media.thing.secrets[0]);
            self.finds(&path, &self.nodes(|node| seen && node.thing.id == nid));
        }
        for typed in ["zzqn", "zzqt", "zz", "chart"] {
            self.json(&format!("/api/v1/search/suggestions?q={typed}&limit=20"));
        }
        // One letter off: what is told is close to words of visible items.
        self.json("/api/v1/search?q=chartt");
        self.json("/api/v1/search?q=zzqn1x");
    }
}
