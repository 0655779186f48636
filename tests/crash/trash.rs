//! Files that are deleted, and come back or go for good.

use crate::ledger::Pending;
use crate::load::Client;
use crate::wire::Server;

impl Client {
    /// Deletes a file that is stored.
    pub fn trash(&mut self, server: &Server, at: usize) -> Option<()> {
        let file = &mut self.ledger.files[at];
        let media = file.media.as_ref().expect("it was stored");
        let answer = server.ask("GET", &format!("{media}?_format=json"), "", b"")?;
        let media = answer.expect(200).json();
        let fid = media["field_media_file"][0]["target_id"].as_i64();
        let fid = fid.expect("a file");
        file.pending = Some(Pending::End);
        file.trashed = file.bytes.clone().map(|bytes| (fid, bytes));
        let answer = server.ask("DELETE", &format!("/entity/file/{fid}"), "", b"")?;
        answer.expect(204);
        (file.bytes, file.pending) = (None, None);
        Some(())
    }

    /// Brings a file back.
    pub fn restore(&mut self, server: &Server, at: usize) -> Option<()> {
        let file = &mut self.ledger.files[at];
        let (fid, bytes) = file.trashed.clone().expect("it is in the trash");
        file.pending = Some(Pending::Change(bytes.clone()));
        let path = format!("/api/v1/trash/file/{fid}/restore");
        server.ask("POST", &path, "", b"")?.expect(204);
        (file.bytes, file.trashed, file.pending) = (Some(bytes), None, None);
        Some(())
    }

    /// Removes a file in the trash for good.
    pub fn purge(&mut self, server: &Server, at: usize) -> Option<()> {
        let file = &mut self.ledger.files[at];
        let (fid, _) = file.trashed.take().expect("it is in the trash");
        let path = format!("/api/v1/trash/file/{fid}");
        server.ask("DELETE", &path, "", b"")?.expect(204);
        Some(())
    }
}
