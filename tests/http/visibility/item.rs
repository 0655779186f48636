//! One node, what its row counts, and where its links lead.

use super::answers::Answers;
use super::repository::Node;
use super::rows::{Ids, ids, length, whole_ids};

impl Answers<'_> {
    /// What its row says of what is around it.
    pub(super) fn item(&self, node: &Node) {
        let path = format!("/api/v1/items/{}", node.thing.id);
        let item = self.json(&path);
        let (members, media) = (self.members(node), self.media_of(node));
        self.viewer
            .expect_equal(&path, &item["members"], &length(&members));
        self.viewer
            .expect_equal(&path, &item["media_count"], &length(&media));
        let above = ids(&item["ancestors"], "nid");
        self.viewer
            .expect_equal(&path, above.is_subset(&self.nodes(|_| true)), true);
        self.viewer
            .expect_equal(&path, above.is_empty(), self.is_at_top(node));
        let list = self.json(&format!("{path}/media"));
        self.viewer
            .expect_equal(&path, ids(&list["media"], "mid"), media);
        let list = self.json(&format!(
            "/api/v1/items?limit=200&collection={}",
            node.thing.id
        ));
        self.viewer
            .expect_equal(&path, ids(&list["items"], "nid"), members.clone());
        let path = format!("/node/{}", node.thing.id);
        let whole = whole_ids(&self.json(&format!("{path}/members")), "nid");
        self.viewer.expect_equal(&path, whole, members);
        let whole = whole_ids(&self.json(&format!("{path}/media")), "mid");
        self.viewer.expect_equal(&path, whole, self.media_of(node));
        self.below(node);
    }

    /// What its counts and its list say of all that is below it.
    fn below(&self, node: &Node) {
        let nid = node.thing.id;
        let (mut found, mut next) = (Ids::new(), vec![node]);
        while let Some(above) = next.pop() {
            for id in self.members(above) {
                let nodes = &mut self.repository.nodes.iter();
                let new = found
                    .insert(id)
                    .then(|| nodes.find(|one| one.thing.id == id));
                next.extend(new.flatten());
            }
        }
        let path = format!("/api/v1/collections/counts?nid={nid}");
        let told = &self.json(&path)["counts"][0];
        let told = told["items"].as_i64().zip(told["subcollections"].as_i64());
        let told = told.map(|(items, collections)| items + collections);
        self.viewer
            .expect_equal(&path, &told.into(), &length(&found));
        let path = format!("/api/v1/items?limit=200&collection={nid}&below=true");
        let list = self.json(&path);
        self.viewer
            .expect_equal(&path, ids(&list["items"], "nid"), found);
    }

    /// Where its Link headers lead.
    pub(super) fn links(&self, node: &Node) {
        let path = format!("/node/{}", node.thing.id);
        let answer = self.viewer.ask(&format!("{path}?_format=json"));
        let answer = answer.expect(200);
        let own = format!("<{}{path}", self.viewer.server.base());
        let links = answer
            .links()
            .into_iter()
            .filter(|link| !link.starts_with(&own));
        let links: Vec<String> = links.collect();
        let leads_to = |address: String| {
            links
                .iter()
                .any(|link| link.contains(&format!("{address}>")))
        };
        let nodes = &self.repository.nodes;
        for parent in node.parents.iter().map(|at| &nodes[*at]) {
            let found = leads_to(format!("/node/{}", parent.thing.id));
            self.viewer
                .expect_equal("a link up", found, self.sees_node(parent));
        }
        for media in self
            .repository
            .media
            .iter()
            .filter(|media| nodes[media.node].thing.id == node.thing.id)
        {
            let found = leads_to(format!("/media/{}", media.thing.id));
            self.viewer
                .expect_equal("a link to a media", found, self.sees_media(media));
        }
        if let Some(term) = node.term.map(|at| &self.repository.terms[at]) {
            let found = leads_to(format!("/taxonomy/term/{}", term.id));
            self.viewer
                .expect_equal("a tag", found, self.sees_term(term));
        }
    }
}
