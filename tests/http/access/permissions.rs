//! One permission at a time, for somebody who has no other: what it opens, it opens alone.

use super::people::DISABLED;
use super::table::{Row, State};
use super::{Maker, Things, ask, people, saved_search};
use crate::support::{ADMIN, Person, TestServer};

/// Has one line of permissions after the other.
const LODGER: Person = Person {
    uid: 7,
    name: "lodger",
    password: "a lodger's password",
    permissions: &[],
};

/// Name, request, and state of the thing that it is made to.
pub(super) const REQUESTS: [(&str, &str, State); 76] = [
    ("set status", "PATCH /node/{node}?status", State::Hidden),
    ("set owner", "PATCH /node/{node}?uid", State::Shown),
    ("set created", "PATCH /node/{node}?created", State::Shown),
    (
        "set schedule",
        "PATCH /node/{node}?publish_on",
        State::Hidden,
    ),
    ("set promote", "PATCH /node/{node}?promote", State::Shown),
    ("set sticky", "PATCH /node/{node}?sticky", State::Shown),
    ("set media owner", "PATCH /media/{media}?uid", State::Shown),
    ("see node", "GET /node/{node}", State::Shown),
    ("see hidden node", "GET /node/{node}", State::Hidden),
    ("add object", "POST /node", State::Shown),
    ("add page", "POST /node?page", State::Shown),
    (
        "share search",
        "POST /api/v1/saved-searches?public",
        State::Shown,
    ),
    (
        "see search",
        "GET /api/v1/saved-searches/{search}",
        State::Shown,
    ),
    (
        "see hidden search",
        "GET /api/v1/saved-searches/{search}",
        State::Hidden,
    ),
    ("set alias", "PATCH /node/{node}?alias", State::Shown),
    ("add redirect", "POST /entity/redirect", State::Shown),
    (
        "see configuration",
        "GET /islandora_workbench_integration/version",
        State::Shown,
    ),
    (
        "see checksum",
        "GET /islandora_workbench_integration/file_hash?algorithm=md5&file_uuid={file_uuid}",
        State::Shown,
    ),
    ("edit node", "PATCH /node/{node}", State::Shown),
    ("edit hidden node", "PATCH /node/{node}", State::Hidden),
    ("delete node", "DELETE /node/{node}", State::Shown),
    ("delete item", "DELETE /api/v1/items/{holder}", State::Shown),
    (
        "past of node",
        "GET /api/v1/items/{node}/revisions",
        State::Shown,
    ),
    (
        "past of hidden node",
        "GET /api/v1/items/{node}/revisions",
        State::Hidden,
    ),
    ("share node", "POST /api/v1/share_links?node", State::Shown),
    (
        "share hidden node",
        "POST /api/v1/share_links?node",
        State::Hidden,
    ),
    (
        "revert node",
        "POST /api/v1/items/{node}/revisions/{node_vid}/revert",
        State::Shown,
    ),
    (
        "restore node",
        "POST /api/v1/trash/node/{trashed_node}/restore",
        State::Shown,
    ),
    (
        "purge node",
        "DELETE /api/v1/trash/node/{trashed_node}",
        State::Shown,
    ),
    (
        "upload",
        "PUT /node/{node}/media/image/{service}",
        State::Shown,
    ),
    ("see media", "GET /media/{media}", State::Shown),
    ("see hidden media", "GET /media/{media}", State::Hidden),
    (
        "add image",
        "POST /file/upload/media/image/field_media_image",
        State::Shown,
    ),
    (
        "add audio",
        "POST /file/upload/media/audio/field_media_audio_file",
        State::Shown,
    ),
    ("edit media", "PATCH /media/{media}", State::Shown),
    ("replace media", "PUT /media/{media}/source", State::Shown),
    ("delete media", "DELETE /media/{media}", State::Shown),
    (
        "past of media",
        "GET /api/v1/media/{media}/revisions",
        State::Shown,
    ),
    (
        "revert media",
        "POST /api/v1/media/{media}/revisions/{media_vid}/revert",
        State::Shown,
    ),
    (
        "restore media",
        "POST /api/v1/trash/media/{trashed_media}/restore",
        State::Shown,
    ),
    (
        "purge media",
        "DELETE /api/v1/trash/media/{trashed_media}",
        State::Shown,
    ),
    ("see file", "GET /entity/file/{unused}", State::Shown),
    ("delete file", "DELETE /entity/file/{unused}", State::Shown),
    (
        "restore file",
        "POST /api/v1/trash/file/{trashed_file}/restore",
        State::Shown,
    ),
    (
        "purge file",
        "DELETE /api/v1/trash/file/{trashed_file}",
        State::Shown,
    ),
    ("see term", "GET /taxonomy/term/{term}", State::Shown),
    (
        "see hidden term",
        "GET /taxonomy/term/{term}",
        State::Hidden,
    ),
    ("add tag", "POST /taxonomy/term", State::Shown),
    ("add genre", "POST /taxonomy/term?genre", State::Shown),
    ("edit term", "PATCH /taxonomy/term/{term}", State::Shown),
    ("delete term", "DELETE /taxonomy/term/{term}", State::Shown),
    (
        "past of term",
        "GET /api/v1/terms/{term}/revisions",
        State::Shown,
    ),
    (
        "past of hidden term",
        "GET /api/v1/terms/{term}/revisions",
        State::Hidden,
    ),
    (
        "revert term",
        "POST /api/v1/terms/{term}/revisions/{term_vid}/revert",
        State::Shown,
    ),
    (
        "restore term",
        "POST /api/v1/trash/taxonomy_term/{trashed_term}/restore",
        State::Shown,
    ),
    (
        "purge term",
        "DELETE /api/v1/trash/taxonomy_term/{trashed_term}",
        State::Shown,
    ),
    ("see user", "GET /user/{user}", State::Shown),
    ("see disabled user", "GET /user/{user}", State::Hidden),
    ("account", "GET /api/v1/users/{user}", State::Shown),
    ("accounts", "GET /api/v1/users", State::Shown),
    ("tokens", "GET /api/v1/tokens?user={user}", State::Shown),
    ("add account", "POST /api/v1/users", State::Shown),
    ("add editor", "POST /api/v1/users?editor", State::Shown),
    (
        "add administrator",
        "POST /api/v1/users?administrator",
        State::Shown,
    ),
    ("roles", "GET /api/v1/roles", State::Shown),
    ("permissions", "GET /api/v1/permissions", State::Shown),
    ("role", "GET /api/v1/roles/editor", State::Shown),
    ("add role", "POST /api/v1/roles", State::Shown),
    ("change role", "PATCH /api/v1/roles/editor", State::Shown),
    ("backups", "GET /api/v1/backups", State::Shown),
    ("back up", "POST /api/v1/backups", State::Shown),
    ("fixity", "GET /api/v1/fixity", State::Shown),
    ("verify", "POST /api/v1/fixity", State::Shown),
    ("server", "GET /api/v1/server", State::Shown),
    ("stop sharing", "PATCH /api/v1/server", State::Shown),
    ("requests", "GET /api/v1/server/requests", State::Shown),
];

/// What needs no permission where it is one's own.
const ALWAYS_OWN: [&str; 6] = [
    "see file",
    "see user",
    "account",
    "tokens",
    "see search",
    "see hidden search",
];

/// A line of `permissions.txt`.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) permissions: Vec<&'static str>,
    any: Vec<&'static str>,
    own: Vec<&'static str>,
}

impl Line {
    fn parse(line: &'static str) -> Line {
        let (permissions, opened) = line.split_once("=>").expect("an arrow");
        let (any, own) = opened.split_once(';').unwrap_or((opened, ""));
        Line {
            permissions: permissions.split(" + ").map(str::trim).collect(),
            any: names(any),
            own: names(own),
        }
    }

    fn opens(&self, name: &str, own: bool) -> bool {
        self.any.contains(&name) || own && (self.own.contains(&name) || ALWAYS_OWN.contains(&name))
    }
}

/// Names of requests, which there must be.
fn names(text: &'static str) -> Vec<&'static str> {
    let names = text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    names
        .inspect(|name| assert!(REQUESTS.iter().any(|(known, ..)| known == name), "{name}?"))
        .collect()
}

pub(super) fn lines() -> Vec<Line> {
    let lines = include_str!("permissions.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Line::parse).collect()
}

/// A repository where signing in allows nothing by itself.
pub(super) struct Lodging<'s> {
    pub(super) server: &'s TestServer,
    pub(super) own: Things<'s>,
    pub(super) others: Things<'s>,
}

impl<'s> Lodging<'s> {
    pub(super) fn new(server: &'s TestServer) -> Lodging<'s> {
        people::introduce(server);
        server.introduce(LODGER);
        for (number, line) in lines().iter().enumerate() {
            server.add_role(&role(number), &line.permissions);
        }
        let lodger = Maker::of(server, LODGER);
        lodger.take_role(server, "administrator");
        let lodging = Lodging {
            server,
            own: Things::new(server, lodger, DISABLED.uid),
            others: Things::new(server, Maker::of(server, ADMIN), DISABLED.uid),
        };
        server.allow_nothing("authenticated");
        lodging
    }

    /// What a line opens or does not open against its words; a sentence each.
    fn differences(&mut self, number: usize, line: &Line) -> Vec<String> {
        self.own.maker.take_role(self.server, &role(number));
        let mut different = Vec::new();
        for (name, request, state) in REQUESTS {
            let row = Row::request(request, state);
            for own in [true, false] {
                different.extend(self.difference(line, name, &row, own));
            }
        }
        different
    }

    pub(super) fn difference(
        &mut self,
        line: &Line,
        name: &str,
        row: &Row,
        own: bool,
    ) -> Option<String> {
        let opens = self.opens(row, own);
        (opens != line.opens(name, own)).then(|| {
            let whose = if own { "own" } else { "other" };
            let verb = if opens { "opens" } else { "does not open" };
            format!("{:?} {verb}: {name}, {whose}", line.permissions)
        })
    }

    /// Whether the lodger gets through. An account without anything in it is refused for what it lacks.
    fn opens(&mut self, row: &Row, own: bool) -> bool {
        let things = if own { &self.own } else { &self.others };
        let request = ask(self.server, row, things);
        let answer = self.own.maker.sign(request).send();
        let opened = answer.status < 300 || answer.status == 422;
        if opened && own {
            self.own.replace_used(row);
        } else if opened {
            self.others.replace_used(row);
        }
        if let Some(saved) = saved_search(row, &answer) {
            // Nobody may keep many.
            let request = self.server.delete(&saved);
            self.own.maker.sign(request).send();
        }
        opened
    }
}

pub(super) fn role(number: usize) -> String {
    format!("line {number}")
}

#[test]
fn a_permission_opens_what_it_says_and_nothing_else() {
    let server = TestServer::start();
    let mut lodging = Lodging::new(&server);
    let mut different = Vec::new();
    for (number, line) in lines().iter().enumerate() {
        different.extend(lodging.differences(number, line));
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
