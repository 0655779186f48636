//! What requests are made to: nodes, media, files, terms …, shown, hidden and withheld. What a request uses up
//! is made again.

use std::cell::Cell;
use std::collections::HashMap;

use serde_json::{Value, json};

use super::Row;
use super::maker::Maker;
use super::table::State;
use crate::support::{TestServer, png};
use crate::v1_saved_searches::PATH;

/// What is made at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    Node,
    /// A node without an owner.
    Ownerless,
    /// With its file, and the node that it is part of.
    Media,
    /// A media whose file lies in the repository scheme.
    Kept,
    /// A file whose bytes were replaced.
    Replaced,
    /// A media whose file a media of somebody else shows, too.
    Shared,
    /// A file that no media uses.
    Unused,
    Term,
    User,
    Upload,
    /// A saved search.
    Search,
    TrashedNode,
    TrashedMedia,
    TrashedTerm,
    TrashedFile,
}

const ALL: [Made; 15] = [
    Made::Node,
    Made::Ownerless,
    Made::Media,
    Made::Kept,
    Made::Replaced,
    Made::Shared,
    Made::Unused,
    Made::Term,
    Made::User,
    Made::Upload,
    Made::Search,
    Made::TrashedNode,
    Made::TrashedMedia,
    Made::TrashedTerm,
    Made::TrashedFile,
];
const TRASHED: [Made; 4] = [
    Made::TrashedNode,
    Made::TrashedMedia,
    Made::TrashedTerm,
    Made::TrashedFile,
];

/// Things of one owner in every state.
pub struct Things<'s> {
    server: &'s TestServer,
    pub maker: Maker,
    /// An account that is disabled.
    disabled: i64,
    texts: HashMap<(State, &'static str), String>,
    count: Cell<u32>,
}

impl<'s> Things<'s> {
    pub fn new(server: &'s TestServer, maker: Maker, disabled: i64) -> Things<'s> {
        let mut things = Things {
            server,
            maker,
            disabled,
            texts: HashMap::new(),
            count: Cell::new(0),
        };
        things.make_all();
        things
    }

    /// Makes everything, again if need be.
    pub fn make_all(&mut self) {
        let states = State::ALL.into_iter();
        self.make(states.flat_map(|state| ALL.map(|made| (state, made))));
    }

    /// A path with the things of a state in the place of `{words}`.
    pub fn fill(&self, path: &str, state: State) -> String {
        let mut parts = path.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (word, rest) = part.split_once('}').expect("a word in braces");
            let found = self
                .texts
                .iter()
                .find(|((of, name), _)| *of == state && *name == word);
            let (_, text) = found.unwrap_or_else(|| panic!("nothing is called {word}"));
            filled.push_str(text);
            filled.push_str(rest);
        }
        filled
    }

    /// An address for new bytes.
    pub fn place(&self) -> String {
        self.count.set(self.count.get() + 1);
        format!(
            "public://things/{}-{}.png",
            self.maker.uid,
            self.count.get()
        )
    }

    /// Makes again what a request that succeeded has used up.
    pub fn replace_used(&mut self, row: &Row) {
        let (path, body) = row.parts();
        let used = match row.method.as_str() {
            "DELETE" if path == "/api/v1/trash" => {
                let all = State::ALL.into_iter();
                return self.make(all.flat_map(|state| TRASHED.map(|made| (state, made))));
            }
            "DELETE" | "POST" if path.contains("{trashed_node}") => Made::TrashedNode,
            "DELETE" | "POST" if path.contains("{trashed_media}") => Made::TrashedMedia,
            "DELETE" | "POST" if path.contains("{trashed_term}") => Made::TrashedTerm,
            "DELETE" | "POST" if path.contains("{trashed_file}") => Made::TrashedFile,
            "POST" if path == "/entity/media" => Made::Unused,
            "DELETE" if path.ends_with("/picture-adjustment") => return,
            "DELETE" if path.contains("{unused}") => Made::Unused,
            "DELETE" if path.contains("{node}") => Made::Node,
            "PUT" if path.contains("{node}") && body.is_empty() => Made::Node,
            "PATCH" if path.contains("{node}") && !body.is_empty() => Made::Node,
            "PATCH" if path.contains("{media}") && !body.is_empty() => Made::Media,
            "DELETE"
                if ["{holder}", "{media}", "{file}"]
                    .iter()
                    .any(|word| path.contains(word)) =>
            {
                Made::Media
            }
            "DELETE" if path.contains("{term}") => Made::Term,
            "DELETE" if path.contains("{search}") => Made::Search,
            "PATCH" if path.contains("{search}") && !body.is_empty() => Made::Search,
            "DELETE" if path.contains("{upload}") => Made::Upload,
            "PATCH" if path.contains("{upload}") => {
                let path = self.fill(path, row.state);
                self.give_up(&path);
                Made::Upload
            }
            _ => return,
        };
        self.make([(row.state, used)]);
    }

    /// Nobody may leave many uploads unfinished.
    fn give_up(&self, path: &str) {
        self.maker.sign(self.server.delete(path)).send().expect(204);
    }

    fn make(&mut self, wanted: impl IntoIterator<Item = (State, Made)>) {
        let role = self.maker.role.borrow().clone();
        if role.is_some() {
            self.server.give_only_role(self.maker.uid, "administrator");
        }
        for (state, made) in wanted {
            for (word, text) in self.made(state, made) {
                self.texts.insert((state, word), text);
            }
        }
        if let Some(role) = role {
            self.server.give_only_role(self.maker.uid, &role);
        }
    }

    fn made(&self, state: State, made: Made) -> Vec<(&'static str, String)> {
        match made {
            Made::Node => {
                let nid = self.node(state != State::Shown);
                let vid = number(&self.server.node(nid)["vid"][0]["value"]);
                vec![("node", nid.to_string()), ("node_vid", vid)]
            }
            Made::Ownerless => {
                let fields = json!({"uid": [], "status": [{"value": state == State::Shown}]});
                let nid = self.server.create_object_with("Nobody's thing", fields);
                vec![("ownerless", nid.to_string())]
            }
            Made::Media => self.media_and_file(state),
            Made::Kept => {
                let place = self.place().replace("public://", "fedora://");
                self.media(state, &place);
                vec![("kept", place.replace("fedora://", ""))]
            }
            Made::Replaced => {
                let (_, mid) = self.media(state, &self.place());
                let source = self.server.put(&format!("/media/{mid}/source"));
                source
                    .as_admin()
                    .body("image/png", png(20, 10))
                    .send()
                    .expect(204);
                vec![("replaced", self.file_of(mid))]
            }
            Made::Shared => vec![("shared", self.shared(state).to_string())],
            Made::Unused => vec![("unused", self.unused())],
            Made::Term => {
                let tid = self.term(state);
                let read = self.server.get(&format!("/taxonomy/term/{tid}")).as_admin();
                let vid = number(&read.send().expect(200).value("revision_id"));
                vec![("term", tid), ("term_vid", vid)]
            }
            Made::User => {
                let hidden = state == State::Hidden;
                let uid = if hidden {
                    self.disabled
                } else {
                    self.maker.uid
                };
                vec![
                    ("user", uid.to_string()),
                    self.use_of("service"),
                    self.use_of("original"),
                ]
            }
            Made::Upload => vec![("upload", self.upload())],
            Made::Search => vec![("search", self.search(state))],
            Made::TrashedNode => {
                let nid = self.node(state != State::Shown).to_string();
                vec![("trashed_node", self.thrown_away("/node", nid))]
            }
            Made::TrashedMedia => {
                let (_, mid) = self.media(state, &self.place());
                vec![("trashed_media", self.thrown_away("/media", mid.to_string()))]
            }
            Made::TrashedTerm => {
                vec![(
                    "trashed_term",
                    self.thrown_away("/taxonomy/term", self.term(state)),
                )]
            }
            Made::TrashedFile => vec![(
                "trashed_file",
                self.thrown_away("/entity/file", self.unused()),
            )],
        }
    }

    /// One for all if it is shown; an administrator makes it where the maker may not.
    fn search(&self, state: State) -> String {
        let fields = json!({"name": "Maps", "query": "q=map", "public": state == State::Shown});
        let request = || self.server.post(PATH).json(fields.clone());
        let mut made = self.maker.sign(request()).send();
        if made.status == 403 {
            made = request().as_admin().send();
        }
        made.expect(201).json()["id"].to_string()
    }

    fn thrown_away(&self, noun: &str, id: String) -> String {
        let path = format!("{noun}/{id}");
        self.server.delete(&path).as_admin().send().expect(204);
        id
    }

    fn node(&self, hidden: bool) -> i64 {
        let owner = json!([{"target_id": self.maker.uid}]);
        let fields = json!({"uid": owner, "status": [{"value": !hidden}]});
        self.server.create_object_with("A thing", fields)
    }

    /// A media and the node that it is part of.
    fn media(&self, state: State, place: &str) -> (i64, i64) {
        let holder = self.node(state == State::Withheld);
        let path = self.server.upload_path(holder, "image", "Original File");
        let request = self.server.put(&path).header("Content-Location", place);
        let request = self.maker.sign(request).body("image/png", png(7, 5));
        let mid = request.send().expect(201).created();
        if state == State::Hidden {
            let change = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
            let request = self.server.patch(&format!("/media/{mid}")).as_admin();
            request.json(change).send().expect(200);
        }
        (holder, mid)
    }

    fn shared(&self, state: State) -> i64 {
        let (_, mid) = self.media(state, &self.place());
        let file = json!([{"target_id": self.file_of(mid).parse::<i64>().expect("a number"), "alt": "A door"}]);
        let bundle = json!([{"target_id": "image"}]);
        let body =
            json!({"bundle": bundle, "name": [{"value": "Another's"}], "field_media_image": file});
        let request = self.server.post("/entity/media").as_admin();
        request.json(body).send().expect(201);
        mid
    }

    fn media_and_file(&self, state: State) -> Vec<(&'static str, String)> {
        let place = self.place();
        let (holder, mid) = self.media(state, &place);
        let media = self.server.media(mid);
        vec![
            ("holder", holder.to_string()),
            ("media", mid.to_string()),
            ("media_vid", number(&media["vid"][0]["value"])),
            ("file", number(&media["field_media_image"][0]["target_id"])),
            (
                "file_uuid",
                text(&media["field_media_image"][0]["target_uuid"]),
            ),
            ("path", place.replace("public://", "")),
        ]
    }

    fn file_of(&self, mid: i64) -> String {
        number(&self.server.media(mid)["field_media_image"][0]["target_id"])
    }

    fn unused(&self) -> String {
        let request = self
            .server
            .post("/file/upload/media/image/field_media_image");
        let request = request.header("Content-Disposition", "file; filename=\"unused.png\"");
        let request = self
            .maker
            .sign(request.body("application/octet-stream", png(7, 5)));
        number(&request.send().expect(201).value("fid"))
    }

    fn term(&self, state: State) -> String {
        let tid = self.server.create_term("tags", "A thing");
        if state != State::Shown {
            let change = json!({"vid": [{"target_id": "tags"}], "status": [{"value": false}]});
            let request = self
                .server
                .patch(&format!("/taxonomy/term/{tid}"))
                .as_admin();
            request.json(change).send().expect(200);
        }
        tid.to_string()
    }

    fn use_of(&self, word: &'static str) -> (&'static str, String) {
        let name = if word == "service" {
            "Service File"
        } else {
            "Original File"
        };
        (
            word,
            self.server.term("islandora_media_use", name).to_string(),
        )
    }

    /// The id of an upload in parts that has been begun.
    fn upload(&self) -> String {
        let path = self
            .server
            .upload_path(self.node(false), "image", "Original File");
        let request = self.server.put(&path).header("Upload-Complete", "?0");
        let request = request.header("Content-Location", self.place());
        let answer = self
            .maker
            .sign(request.body("image/png", ""))
            .send()
            .expect(201);
        let path = self
            .server
            .path_of(answer.header("location").expect("a Location"));
        path.trim_start_matches("/api/v1/uploads/").to_owned()
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn number(value: &Value) -> String {
    value.as_i64().expect("a number").to_string()
}
