//! `isolario export …`, as it was written.

use std::io;

use super::arguments::Export;
use crate::commands::ExportCommand;
use isolario_core::export::ExportedFiles;

impl Export {
    /// The command. The program that carries it out may stand elsewhere.
    ///
    /// # Errors
    /// Where this program stands is no longer there.
    pub fn command(self) -> io::Result<ExportCommand> {
        let extension = self.target.extension();
        let is_zip = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
        let files = match (self.files, is_zip) {
            (Some(named), _) => ExportedFiles::parse(&named),
            (None, true) => ExportedFiles::Original,
            (None, false) => ExportedFiles::Nothing,
        };
        Ok(ExportCommand {
            target: std::path::absolute(&self.target)?,
            collection: self.collection,
            search: self.search,
            items: self.ids,
            columns: self.columns,
            terms: self.terms,
            with_bom: self.bom,
            files,
        })
    }
}
