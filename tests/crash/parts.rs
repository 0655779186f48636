//! Uploads in parts among the load: begun, gone on with after a crash where HEAD says, and ended.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::Value;

use crate::ledger::Upload;
use crate::load::Client;
use crate::wire::Server;

/// Of one client: all of them are one user, who may leave a hundred.
const MOST_UNFINISHED: usize = 10;

impl Client {
    /// Goes on with one of the uploads that are not finished, or begins one.
    pub fn upload_in_parts(&mut self, server: &Server) -> Option<()> {
        let unfinished = self.ledger.uploads.len();
        let begins = unfinished < MOST_UNFINISHED && self.chance.below(2) == 0;
        match begins || unfinished == 0 {
            true => self.begin_somewhere(server),
            false => {
                let at = self.chance.below(unfinished);
                self.append(server, at)
            }
        }
    }

    /// To a new file, or one that is there; with the first part, which may be empty.
    fn begin_somewhere(&mut self, server: &Server) -> Option<()> {
        let files = self.ledger.files.len();
        let file = match self.chance.below(2) * files {
            0 => self.place(server)?,
            _ => self.chance.below(files),
        };
        self.begin(server, file)
    }

    /// Begins new bytes for a file.
    pub fn begin(&mut self, server: &Server, file: usize) -> Option<()> {
        let whole = Bytes::from(self.chance.bytes());
        let received = self.chance.below(whole.len());
        let (uri, route) = {
            let file = &self.ledger.files[file];
            (&file.uri, &file.route)
        };
        let headers = format!(
            "Content-Type: application/octet-stream\r\nContent-Location: {uri}\r\nUpload-Complete: ?0\r\nUpload-Length: {}\r\n",
            whole.len()
        );
        let answer = server.ask("PUT", route, &headers, &whole[..received])?;
        let path = answer.expect(201).location();
        self.ledger.uploads.push(Upload {
            file,
            path,
            whole,
            received,
            sent: received,
        });
        Some(())
    }

    fn append(&mut self, server: &Server, at: usize) -> Option<()> {
        let upload = &mut self.ledger.uploads[at];
        let from = upload.received;
        let to = match self.chance.below(2) {
            0 => upload.whole.len(),
            _ => from + self.chance.below(upload.whole.len() - from + 1),
        };
        self.append_up_to(server, at, to)
    }

    /// Sends so many of the bytes of an upload as have not been sent yet.
    pub fn append_up_to(&mut self, server: &Server, at: usize, to: usize) -> Option<()> {
        let upload = &mut self.ledger.uploads[at];
        let from = upload.received;
        upload.sent = to;
        let is_last = upload.sent == upload.whole.len();
        let headers = format!(
            "Content-Type: application/partial-upload\r\nUpload-Offset: {from}\r\nUpload-Complete: ?{}\r\n",
            u8::from(is_last)
        );
        let part = &upload.whole[from..upload.sent];
        let answer = server.ask("PATCH", &upload.path, &headers, part)?;
        let file = &mut self.ledger.files[upload.file];
        match is_last && file.bytes.is_none() {
            true => file.media = Some(answer.expect(201).location()),
            false => drop(answer.expect(204)),
        }
        upload.received = upload.sent;
        if is_last {
            self.finished(at);
        }
        Some(())
    }

    fn finished(&mut self, at: usize) {
        let upload = self.ledger.uploads.swap_remove(at);
        self.ledger.files[upload.file].bytes = Some(upload.whole);
    }

    /// Brings every upload to its end; each becomes its file.
    pub fn finish_uploads(&mut self, server: &Server) {
        while let Some(upload) = self.ledger.uploads.first().cloned() {
            let end = self.append_up_to(server, 0, upload.whole.len());
            end.expect("an answer");
            let file = &self.ledger.files[upload.file];
            let stored = server.get(&file.address).expect(200).body;
            assert!(stored == upload.whole, "{} is of other bytes", file.uri);
        }
    }

    /// No acknowledged byte is lost, and what is complete has become the file.
    pub fn judge_uploads(&mut self, server: &Server) {
        for at in (0..self.ledger.uploads.len()).rev() {
            let upload = &mut self.ledger.uploads[at];
            let answer = server
                .ask("HEAD", &upload.path, "", b"")
                .expect("an answer");
            assert_eq!(answer.status, 204, "{}", upload.path);
            let there: usize = answer.header("upload-offset").parse().expect("a number");
            let sent = upload.received..=upload.sent;
            assert!(
                sent.contains(&there),
                "{}: {there} of {sent:?}",
                upload.path
            );
            (upload.received, upload.sent) = (there, there);
            if answer.header("upload-complete") == "?1" {
                assert_eq!(there, upload.whole.len(), "{}", upload.path);
                self.finished(at);
            }
        }
    }
}

/// Every unfinished upload is told by the check. Those whose beginning was not acknowledged have nobody
/// to go on with them.
pub fn give_up_unknown(server: &Server, clients: &[Client], report: &Value) {
    let uploads = clients.iter().flat_map(|client| &client.ledger.uploads);
    let known: BTreeSet<&str> = uploads.map(|upload| upload.path.as_str()).collect();
    let notes = report["notes"].as_array().expect("a list").iter();
    let subjects = notes.filter_map(|note| note["subject"].as_str());
    let told: BTreeSet<String> = subjects
        .filter(|subject| subject.starts_with("uploads/"))
        .map(|subject| format!("/api/v1/{subject}"))
        .collect();
    for path in &known {
        assert!(told.contains(*path), "{path} is not told: {report}");
    }
    for path in told.iter().filter(|path| !known.contains(path.as_str())) {
        let given_up = server.ask("DELETE", path, "", b"").expect("an answer");
        assert_eq!(given_up.status, 204, "{path}");
    }
}
