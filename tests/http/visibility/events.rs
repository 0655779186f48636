//! The stream of events: what is told of the past of things to somebody.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write as _};
use std::net::Ipv4Addr;

use serde_json::Value;

use super::answers::Answers;
use super::repository::{Repository, State, Thing};
use super::viewer::{Kind, VIEWER, Viewer};
use crate::support::wire;

/// A thing and one of its revisions.
type Told = (Kind, i64, i64);

/// Reads all events from the first to the one that gave the viewer their role, which everybody hears of themselves:
/// the last one there is. They have been given as many as there were cases.
fn heard(viewer: &Viewer, cases: usize) -> Vec<Value> {
    let request = viewer.get("/api/v1/events?after=0");
    let address = viewer.server.address();
    let mut stream = wire::connect(address, Ipv4Addr::LOCALHOST).expect("the server listens");
    stream
        .write_all(&request.encode())
        .expect("the server reads");
    let mut given = 0;
    let mut events = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line.expect("a line");
        viewer.note("/api/v1/events", &line);
        let data = line
            .strip_prefix("data:")
            .and_then(|data| serde_json::from_str::<Value>(data.trim()).ok());
        let Some(event) = data.filter(Value::is_object) else {
            continue;
        };
        let is_role = event["kind"] == "user"
            && event["entity_id"] == VIEWER.uid
            && event["action"] == "update";
        given += usize::from(is_role);
        events.push(event);
        if given == cases {
            return events;
        }
    }
    panic!("the stream ended");
}

/// Fails unless the events tell of those things and states that may be seen, and of no other.
pub fn check(repository: &Repository, viewer: &Viewer, cases: usize) {
    let answers = Answers::new(repository, viewer);
    let events = heard(viewer, cases);
    let mut told: BTreeSet<Told> = BTreeSet::new();
    let nodes: BTreeSet<i64> = repository
        .nodes
        .iter()
        .filter(|node| answers.shows_node(node, node.thing.state()))
        .map(|node| node.thing.id)
        .collect();
    for event in &events {
        let kind = match event["kind"].as_str() {
            Some("node") => Kind::Node,
            Some("media") => Kind::Media,
            Some("taxonomy_term") => Kind::Term,
            _ => continue,
        };
        let (id, vid) = (event["entity_id"].as_i64(), event["vid"].as_i64());
        told.insert((kind, id.expect("an id"), vid.expect("a revision")));
        let parents = event["parents"].as_array().expect("parents").iter();
        let parents: BTreeSet<i64> = parents.filter_map(Value::as_i64).collect();
        viewer.expect_equal("parents of an event", parents.is_subset(&nodes), true);
    }
    let mut expected = BTreeSet::new();
    let mut expect = |kind: Kind, thing: &Thing, shows: &dyn Fn(State) -> bool| {
        let seen = thing.states.iter().filter(|(_, state)| shows(*state));
        if shows(thing.state()) {
            expected.extend(seen.map(|(vid, _)| (kind, thing.id, *vid)));
        }
    };
    for node in &repository.nodes {
        let shows = |state| answers.shows_node(node, state);
        expect(Kind::Node, &node.thing, &shows);
    }
    for media in &repository.media {
        let shows = |state| answers.shows_media(media, state);
        expect(Kind::Media, &media.thing, &shows);
    }
    for term in &repository.terms {
        expect(Kind::Term, term, &|state| answers.shows_term(state));
    }
    viewer.expect_equal("events", told, expected);
}
