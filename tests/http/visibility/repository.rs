//! Random things: shown and hidden, of the viewer and of somebody else, with a past, thrown away.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::secrets::MARK;
use super::viewer::VIEWER;
use crate::support::{TestServer, merge, png};

/// What decides about one moment of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub published: bool,
    /// The viewer's.
    pub own: bool,
}

/// A node to be, with media and a term.
#[derive(Debug, Clone)]
pub struct Plan {
    states: Vec<State>,
    is_page: bool,
    is_collection: bool,
    /// A place in the list of nodes before it, if there are so many.
    parent: Option<usize>,
    term_published: bool,
    media: Vec<(Vec<State>, bool)>,
    thrown_away: bool,
}

/// Something that was made; its states, each with its revision.
#[derive(Debug)]
pub struct Thing {
    pub id: i64,
    pub states: Vec<(i64, State)>,
    pub thrown_away: bool,
    /// What only those may read who may see it: words that stand in nothing else.
    pub secrets: Vec<String>,
}

impl Thing {
    /// The state that it is in, or was in at last.
    pub fn state(&self) -> State {
        self.states.last().expect("a state").1
    }
}

#[derive(Debug)]
pub struct Node {
    pub thing: Thing,
    pub bundle: &'static str,
    pub is_collection: bool,
    /// Places of the nodes that it is a member of.
    pub parents: Vec<usize>,
    /// Place of its term.
    pub term: Option<usize>,
}

#[derive(Debug)]
pub struct Media {
    pub thing: Thing,
    /// Place of its node.
    pub node: usize,
    pub fid: i64,
    /// Where its bytes are.
    pub path: String,
}

/// All that was made so far.
pub struct Repository<'s> {
    pub server: &'s TestServer,
    pub nodes: Vec<Node>,
    pub media: Vec<Media>,
    pub terms: Vec<Thing>,
}

/// Sizes of files begin here: no other number in an answer is as large, or has as few digits.
const LEAST_SIZE: usize = 100_000;

fn states() -> impl Strategy<Value = Vec<State>> {
    let state = (any::<bool>(), any::<bool>());
    let state = state.prop_map(|(published, own)| State { published, own });
    vec(state, 1..3)
}

fn plan() -> impl Strategy<Value = Plan> {
    let rarely = || proptest::bool::weighted(0.15);
    let media = vec((states(), rarely()), 0..3);
    let parent = proptest::option::of(0_usize..40);
    (
        states(),
        rarely(),
        any::<bool>(),
        parent,
        any::<bool>(),
        media,
        rarely(),
    )
        .prop_map(
            |(states, is_page, is_collection, parent, term_published, media, thrown_away)| Plan {
                states,
                is_page,
                is_collection: is_collection && !is_page,
                parent: parent.filter(|_| !is_page),
                term_published,
                media: if is_page { Vec::new() } else { media },
                thrown_away,
            },
        )
}

/// What one case adds.
pub fn plans() -> impl Strategy<Value = Vec<Plan>> {
    vec(plan(), 2..5)
}

/// A word that names one thing and stands in nothing else.
fn word(kind: char, number: usize) -> String {
    format!("{MARK}{kind}{number}q")
}

/// The UUID in a field of a resource.
fn uuid(resource: &Value, field: &str, name: &str) -> String {
    let uuid = resource[field][0][name].as_str();
    uuid.expect("a UUID").to_owned()
}

fn fields(state: State) -> Value {
    let owner = if state.own { VIEWER.uid } else { 1 };
    json!({"status": [{"value": state.published}], "uid": [{"target_id": owner}]})
}

impl<'s> Repository<'s> {
    pub fn new(server: &'s TestServer) -> Repository<'s> {
        Repository {
            server,
            nodes: Vec::new(),
            media: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// The nodes that a node is in, at any depth, and itself (ids).
    pub fn collections_of(&self, node: &Node) -> Vec<i64> {
        let (mut above, mut next) = (Vec::new(), vec![node]);
        while let Some(one) = next.pop() {
            above.push(one.thing.id);
            let parents = one.parents.iter().map(|at| &self.nodes[*at]);
            // What is live is in nothing by way of the trash.
            next.extend(parents.filter(|above| one.thing.thrown_away || !above.thing.thrown_away));
        }
        above
    }

    /// A collection that is there, by chance.
    pub fn some_collection(&self, chance: usize) -> Option<i64> {
        let there = self.nodes.iter().map(|node| &node.thing);
        let there = there
            .zip(&self.nodes)
            .filter(|(thing, node)| node.is_collection && !thing.thrown_away);
        let all: Vec<i64> = there.map(|(thing, _)| thing.id).collect();
        (!all.is_empty()).then(|| all[chance % all.len()])
    }

    /// Makes what was planned.
    pub fn add(&mut self, plans: Vec<Plan>) {
        for plan in plans {
            let term = (!plan.is_page).then(|| self.add_term(plan.term_published));
            let node = self.add_node(&plan, term);
            for (number, (states, thrown_away)) in plan.media.iter().enumerate() {
                self.add_media(node, number, states, *thrown_away);
            }
            if plan.thrown_away {
                self.throw_away("/node", self.nodes[node].thing.id);
                self.nodes[node].thing.thrown_away = true;
            }
        }
    }

    fn add_term(&mut self, published: bool) -> usize {
        let name = word('t', self.terms.len());
        let tid = self.server.create_term("genre", &format!("Zz {name}"));
        let path = format!("/taxonomy/term/{tid}");
        let read = self.server.get(&path).as_admin().send().expect(200);
        let first = read.value("revision_id").as_i64().expect("a revision");
        let secrets = vec![name, uuid(&read.json(), "uuid", "value")];
        let shown = |published| State {
            published,
            own: false,
        };
        let mut states = vec![(first, shown(true))];
        if !published {
            let change = json!({"vid": [{"target_id": "genre"}], "status": [{"value": false}]});
            let hidden = self.server.patch(&path).as_admin().json(change).send();
            let second = hidden.expect(200).value("revision_id");
            states.push((second.as_i64().expect("a revision"), shown(false)));
        }
        self.terms.push(Thing {
            id: tid,
            states,
            thrown_away: false,
            secrets,
        });
        self.terms.len() - 1
    }

    fn add_node(&mut self, plan: &Plan, term: Option<usize>) -> usize {
        let bundle = if plan.is_page {
            "page"
        } else {
            "islandora_object"
        };
        let name = word('n', self.nodes.len());
        let parents = plan.parent.filter(|parent| self.can_hold(*parent));
        let parents: Vec<usize> = parents.into_iter().collect();
        let mut body =
            json!({"type": [{"target_id": bundle}], "title": [{"value": format!("Chart {name}")}]});
        if let Some(term) = term {
            let model = if plan.is_collection {
                "Collection"
            } else {
                "Image"
            };
            let above: Vec<Value> = parents
                .iter()
                .map(|at| json!({"target_id": self.nodes[*at].thing.id}))
                .collect();
            let more = json!({
                "field_model": [{"target_id": self.server.term("islandora_models", model)}],
                "field_genre": [{"target_id": self.terms[term].id}],
                "field_member_of": above,
            });
            body = merge(body, more);
        }
        let body = merge(body, fields(plan.states[0]));
        let made = self
            .server
            .post("/node")
            .as_admin()
            .json(body)
            .send()
            .expect(201);
        let nid = made.created();
        let first = made.value("vid").as_i64().expect("a vid");
        let secrets = vec![name, uuid(&made.json(), "uuid", "value")];
        let change = json!({"type": [{"target_id": bundle}]});
        let states = self.changes(&format!("/node/{nid}"), &change, first, &plan.states);
        self.nodes.push(Node {
            thing: Thing {
                id: nid,
                states,
                thrown_away: false,
                secrets,
            },
            bundle,
            is_collection: plan.is_collection,
            parents,
            term,
        });
        self.nodes.len() - 1
    }

    fn can_hold(&self, at: usize) -> bool {
        let node = self.nodes.get(at);
        node.is_some_and(|node| node.bundle != "page" && !node.thing.thrown_away)
    }

    /// Each state after the first, with the revision that it makes.
    fn changes(&self, path: &str, body: &Value, first: i64, states: &[State]) -> Vec<(i64, State)> {
        let mut made = vec![(first, states[0])];
        for state in &states[1..] {
            let change = merge(body.clone(), fields(*state));
            let answer = self
                .server
                .patch(path)
                .as_admin()
                .json(change)
                .send()
                .expect(200);
            made.push((answer.value("vid").as_i64().expect("a vid"), *state));
        }
        made
    }

    fn add_media(&mut self, node: usize, number: usize, states: &[State], thrown_away: bool) {
        let nid = self.nodes[node].thing.id;
        let index = self.media.len();
        let mark = word('m', index);
        let mime = format!("image/x-{}", word('y', index));
        let name = format!("seen/{mark}-{number}.png");
        let size = LEAST_SIZE + index;
        let mut bytes = png(7, 5).to_vec();
        bytes.resize(size, 0);
        let uses = ["Original File", "Service File"];
        let place = self.server.upload_path(nid, "image", uses[number]);
        let request = self.server.put(&place).as_admin();
        let request = request.header("Content-Location", format!("public://{name}"));
        let mid = request.body(&mime, bytes).send().expect(201).created();
        let body = self.server.media(mid);
        let first = State {
            published: true,
            own: false,
        };
        let states: Vec<State> = std::iter::once(first)
            .chain(states.iter().copied())
            .collect();
        let change = json!({"bundle": [{"target_id": "image"}]});
        let vid = body["vid"][0]["value"].as_i64().expect("a vid");
        let secrets = vec![
            mark,
            word('y', index),
            size.to_string(),
            uuid(&body, "uuid", "value"),
            uuid(&body, "field_media_image", "target_uuid"),
        ];
        let states = self.changes(&format!("/media/{mid}"), &change, vid, &states);
        if thrown_away {
            self.throw_away("/media", mid);
        }
        self.media.push(Media {
            thing: Thing {
                id: mid,
                states,
                thrown_away,
                secrets,
            },
            node,
            fid: body["field_media_image"][0]["target_id"]
                .as_i64()
                .expect("a fid"),
            path: format!("/sites/default/files/{name}"),
        });
    }

    fn throw_away(&self, noun: &str, id: i64) {
        let path = format!("{noun}/{id}");
        self.server.delete(&path).as_admin().send().expect(204);
    }
}
