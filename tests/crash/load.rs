//! A client that does a little of everything until nobody answers, and its judgement afterwards.

use bytes::Bytes;
use serde_json::json;

use crate::chance::Chance;
use crate::ledger::{File, Ledger, Node, Pending, settle};
use crate::wire::Server;

const JSON: &str = "Content-Type: application/json\r\n";

/// What every client needs to know of the repository.
#[derive(Clone, Copy)]
pub struct Terms {
    pub model: i64,
    pub media_use: i64,
}

impl Terms {
    /// Those of a repository.
    pub fn of(server: &Server) -> Terms {
        Terms {
            model: server.term("islandora_models", "Digital Document"),
            media_use: server.term("islandora_media_use", "Original File"),
        }
    }
}

/// A client with things of its own.
pub struct Client {
    pub name: String,
    pub chance: Chance,
    pub ledger: Ledger,
    pub terms: Terms,
    counted: usize,
}

impl Client {
    pub fn new(name: String, chance: Chance, terms: Terms) -> Client {
        Client {
            name,
            chance,
            ledger: Ledger::default(),
            terms,
            counted: 0,
        }
    }

    /// Works until an answer does not come; returns how many came.
    pub fn work(&mut self, server: &Server) -> usize {
        let mut answered = 0;
        while self.step(server).is_some() {
            answered += 1;
        }
        answered
    }

    /// One of the things that clients do.
    pub fn step(&mut self, server: &Server) -> Option<()> {
        match self.chance.below(15) {
            0..2 => self.create(server).map(drop),
            2..4 => self.change(server),
            4 => self.delete(server),
            5..7 => self.upload(server),
            10..14 => self.upload_in_parts(server),
            14 => self.search(server),
            _ => self.replace(server),
        }
    }

    fn word(&mut self) -> String {
        self.counted += 1;
        format!("{} {}", self.name, self.counted)
    }

    pub fn create(&mut self, server: &Server) -> Option<i64> {
        let title = self.word();
        let body = json!({
            "type": [{"target_id": "islandora_object"}],
            "title": [{"value": title}],
            "field_model": [{"target_id": self.terms.model}],
        });
        let body = body.to_string();
        let answer = server.ask("POST", "/node?_format=json", JSON, body.as_bytes())?;
        let answer = answer.expect(201);
        let nid = answer.json()["nid"][0]["value"].as_i64().expect("an id");
        self.ledger.nodes.push(Node {
            nid,
            title: Some(title),
            pending: None,
        });
        Some(nid)
    }

    /// One of the nodes that live.
    fn some_node(&mut self) -> Option<usize> {
        let live: Vec<usize> = (0..self.ledger.nodes.len())
            .filter(|at| self.ledger.nodes[*at].title.is_some())
            .collect();
        (!live.is_empty()).then(|| live[self.chance.below(live.len())])
    }

    /// A search finds what was acknowledged before it was asked, unless it says that it could not wait.
    pub fn search(&mut self, server: &Server) -> Option<()> {
        let Some(at) = self.some_node() else {
            return self.create(server).map(drop);
        };
        let node = &self.ledger.nodes[at];
        let title = node.title.as_deref().unwrap_or_default();
        let path = format!("/api/v1/search?q=title:%22{}%22", title.replace(' ', "%20"));
        let answer = server.ask("GET", &path, "", b"")?;
        if answer.status == 503 {
            return Some(());
        }
        let found = answer.expect(200).json();
        let mut hits = found["hits"].as_array().expect("hits").iter();
        let is_found = hits.any(|hit| hit["item"]["nid"] == node.nid);
        assert!(is_found || found["current"] == false, "{title}: {found}");
        Some(())
    }

    pub fn change(&mut self, server: &Server) -> Option<()> {
        let Some(at) = self.some_node() else {
            return self.create(server).map(drop);
        };
        let title = self.word();
        let node = &mut self.ledger.nodes[at];
        node.pending = Some(Pending::Change(title.clone()));
        let body =
            json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": title}]});
        let (path, body) = (format!("/node/{}?_format=json", node.nid), body.to_string());
        let answer = server.ask("PATCH", &path, JSON, body.as_bytes())?;
        answer.expect(200);
        (node.title, node.pending) = (Some(title), None);
        Some(())
    }

    pub fn delete(&mut self, server: &Server) -> Option<()> {
        let Some(at) = self.some_node() else {
            return self.create(server).map(drop);
        };
        let node = &mut self.ledger.nodes[at];
        node.pending = Some(Pending::End);
        let path = format!("/node/{}?_format=json", node.nid);
        let answer = server.ask("DELETE", &path, "", b"")?;
        answer.expect(204);
        (node.title, node.pending) = (None, None);
        Some(())
    }

    fn upload(&mut self, server: &Server) -> Option<()> {
        let at = self.place(server)?;
        self.put(server, at)
    }

    /// A place for a file: a new node, which nobody deletes.
    pub fn place(&mut self, server: &Server) -> Option<usize> {
        let scheme = ["public", "fedora"][self.chance.below(2)];
        self.place_in(server, scheme)
    }

    /// The same in a scheme.
    pub fn place_in(&mut self, server: &Server, scheme: &str) -> Option<usize> {
        let directory = self.name.clone();
        self.place_below(server, scheme, &directory)
    }

    /// The same in a directory of a scheme.
    pub fn place_below(&mut self, server: &Server, scheme: &str, directory: &str) -> Option<usize> {
        let nid = self.create(server)?;
        self.ledger.nodes.pop();
        let path = format!("{directory}/{nid}.zip");
        let prefix =
            ["/sites/default/files", "/_flysystem/fedora"][usize::from(scheme != "public")];
        self.ledger.files.push(File {
            route: format!("/node/{nid}/media/file/{}", self.terms.media_use),
            uri: format!("{scheme}://{path}"),
            address: format!("{prefix}/{path}"),
            bytes: None,
            pending: None,
            media: None,
            trashed: None,
        });
        Some(self.ledger.files.len() - 1)
    }

    fn replace(&mut self, server: &Server) -> Option<()> {
        match self.ledger.files.len() {
            0 => self.upload(server),
            files => {
                let at = self.chance.below(files);
                self.put(server, at)
            }
        }
    }

    /// New bytes for a file.
    pub fn put(&mut self, server: &Server, at: usize) -> Option<()> {
        let bytes = Bytes::from(self.chance.bytes());
        let file = &mut self.ledger.files[at];
        file.pending = Some(Pending::Change(bytes.clone()));
        let headers = format!(
            "Content-Type: application/octet-stream\r\nContent-Location: {}\r\n",
            file.uri
        );
        let answer = server.ask("PUT", &file.route, &headers, &bytes)?;
        match file.bytes {
            Some(_) => drop(answer.expect(204)),
            None => file.media = Some(answer.expect(201).location()),
        }
        (file.bytes, file.pending) = (Some(bytes), None);
        Some(())
    }

    /// Asks for a token to sign in with.
    pub fn ask_token(&mut self, server: &Server) -> Option<()> {
        let answer = server.ask("GET", "/jwt/token", "", b"")?.expect(200).json();
        self.ledger.token = answer["token"].as_str().map(str::to_owned);
        Some(())
    }

    /// Everything of ours is as it was acknowledged, or as it was asked for last.
    pub fn judge(&mut self, server: &Server) {
        for node in &mut self.ledger.nodes {
            let path = format!("/node/{}?_format=json", node.nid);
            let answer = server.get(&path);
            let found = (answer.status == 200).then(|| {
                let title = answer.json()["title"][0]["value"].clone();
                title.as_str().expect("a title").to_owned()
            });
            settle(&path, &mut node.title, &mut node.pending, found);
        }
        self.judge_uploads(server);
        for file in &mut self.ledger.files {
            let answer = server.get(&file.address);
            assert!([200, 404].contains(&answer.status), "{}", file.address);
            let found = (answer.status == 200).then(|| Bytes::from(answer.body));
            settle(&file.uri, &mut file.bytes, &mut file.pending, found);
        }
        if let Some(token) = &self.ledger.token {
            let server = Server::new(server.address, &format!("Bearer {token}"));
            server.get("/api/v1/trash").expect(200);
        }
    }
}
