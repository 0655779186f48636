//! Writes a bag from the first item to the last manifest.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use chrono::Utc;
use futures_util::{StreamExt, stream};

use super::item::BagReader;
use super::{Bag, BagError, BagSummary};
use crate::actions::batches::{ItemSource, pages_of};
use crate::actions::relocate::open_wherever;
use crate::container::{Container, Spool, Spooled, digest_of};
use crate::export::{Export, ExportOrder, ExportedFiles, TableFormat};
use crate::progress::ReportProgress;
use isolario_blobs::FileDigest;
use isolario_model::content::FileRecord;
use isolario_model::fields::TermNotation;

/// Damaged files that are named, at most.
const MOST_NAMED: usize = 1_000;

/// A bag in the making.
pub(super) struct BagWriter {
    bag: Bag,
    container: Container,
    say: Arc<ReportProgress>,
    manifest: Spool,
    tag_manifest: String,
    summary: BagSummary,
    damaged: Vec<String>,
}

impl BagWriter {
    /// An empty one.
    pub fn new(bag: Bag, container: Container, say: Arc<ReportProgress>) -> io::Result<BagWriter> {
        let staging = bag.reader.repository.directory.join("staging");
        Ok(BagWriter {
            manifest: Spool::new(&staging)?,
            bag,
            container,
            say,
            tag_manifest: String::new(),
            summary: BagSummary::default(),
            damaged: Vec::new(),
        })
    }

    /// Writes all of it. The manifests come last.
    pub async fn write(mut self) -> Result<BagSummary, BagError> {
        let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
        self.add_tag_file("bagit.txt", declaration.into()).await?;
        let terms = self.add_items().await?;
        self.add_terms(terms).await?;
        self.add_table().await?;
        if !self.damaged.is_empty() {
            return Err(BagError::Damaged(self.damaged));
        }
        let information = self.information();
        self.add_tag_file("bag-info.txt", information).await?;
        let empty = self.spool()?;
        let manifest = std::mem::replace(&mut self.manifest, empty).finish()?;
        self.note_tag("manifest-sha512.txt", &manifest.digest);
        self.add_spooled("manifest-sha512.txt", manifest).await?;
        let tag_manifest = std::mem::take(&mut self.tag_manifest).into_bytes();
        self.add_bytes("tagmanifest-sha512.txt", tag_manifest)
            .await?;
        self.container.finish().await?;
        Ok(self.summary)
    }

    /// Adds the items, and says to which terms they refer.
    async fn add_items(&mut self) -> Result<BTreeSet<i64>, BagError> {
        let reader = self.bag.reader.clone();
        let source = ItemSource::WithBelow(reader.top);
        let mut pages = pages_of(&reader.repository, &reader.actor, source);
        let mut terms = BTreeSet::new();
        while let Some(page) = pages.next().await? {
            for (_, nid) in page {
                let item = self
                    .read(move |reader, read| reader.item(read, nid))
                    .await?;
                // One that has gone meanwhile has none.
                let Some(item) = item else { continue };
                for (path, document) in item.documents {
                    let path = format!("{}/{path}", item.folder);
                    self.add_document(&path, document).await?;
                }
                for (path, file) in item.files {
                    self.add_file(&format!("{}/{path}", item.folder), &file)
                        .await?;
                }
                terms.extend(item.terms);
                self.summary.items += 1;
                (self.say)(self.progress());
            }
        }
        Ok(terms)
    }

    /// Adds terms, and those that they refer to.
    async fn add_terms(&mut self, mut waiting: BTreeSet<i64>) -> Result<(), BagError> {
        let mut seen = waiting.clone();
        while let Some(tid) = waiting.pop_first() {
            let term = self
                .read(move |reader, read| reader.term(read, tid))
                .await?;
            let Some(term) = term else { continue };
            self.add_document(&term.path, term.document).await?;
            let terms = term.terms.into_iter();
            waiting.extend(terms.filter(|tid| seen.insert(*tid)));
        }
        Ok(())
    }

    /// Adds the items as a table.
    async fn add_table(&mut self) -> Result<(), BagError> {
        let reader = self.bag.reader.clone();
        let order = ExportOrder {
            source: ItemSource::WithBelow(reader.top),
            columns: None,
            terms: TermNotation::default(),
            format: TableFormat::Csv { with_bom: false },
            files: ExportedFiles::Nothing,
        };
        let export = Export::begin(&reader.repository, &reader.actor, order).await?;
        let mut table = self.spool()?;
        let mut chunks = Box::pin(export.into_stream(Arc::new(|_| {})));
        while let Some(chunk) = chunks.next().await {
            table.write(&chunk?)?;
        }
        let table = table.finish()?;
        self.note_payload("items.csv", &table.digest)?;
        self.add_spooled("data/items.csv", table).await
    }

    async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&BagReader, &isolario_db::Read<'_>) -> Result<T, crate::actions::Refusal>
        + Send
        + 'static,
    ) -> Result<T, BagError> {
        let reader = self.bag.reader.clone();
        let db = &self.bag.reader.repository.db;
        Ok(db.read(move |read| question(&reader, read)).await?)
    }

    async fn add_document(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), BagError> {
        self.note_payload(path, &digest_of(&bytes))?;
        self.add_bytes(&format!("data/{path}"), bytes).await
    }

    async fn add_tag_file(&mut self, path: &str, text: String) -> Result<(), BagError> {
        self.note_tag(path, &digest_of(text.as_bytes()));
        self.add_bytes(path, text.into_bytes()).await
    }

    async fn add_bytes(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), BagError> {
        let size = bytes.len() as u64;
        let bytes = stream::iter([Ok(Bytes::from(bytes))]);
        Ok(self.container.add(path, size, bytes).await?)
    }

    async fn add_spooled(&mut self, path: &str, spooled: Spooled) -> Result<(), BagError> {
        let size = spooled.digest.size;
        Ok(self
            .container
            .add(path, size, spooled.into_stream())
            .await?)
    }

    /// Adds a file of the repository, and reads whether its bytes are still those that arrived.
    async fn add_file(&mut self, path: &str, file: &FileRecord) -> Result<(), BagError> {
        let known = FileDigest {
            size: file.size,
            sha512: file.sha512.clone(),
        };
        let place = format!("data/{path}");
        let repository = &self.bag.reader.repository;
        let (bytes, checksums) = (
            open_wherever(repository, file),
            &repository.checksums_in_zips,
        );
        let added = self.container.add_stored(&place, file, bytes, checksums);
        match added.await? {
            None => self.note_payload(path, &known),
            Some(words) => self.note_damage(path, &words),
        }
    }

    /// Names a damaged file. A folder goes on, so that all of them are named at once; a ZIP would be written in vain.
    fn note_damage(&mut self, path: &str, words: &str) -> Result<(), BagError> {
        if self.damaged.len() < MOST_NAMED {
            self.damaged.push(format!("{path}: {words}"));
        }
        match self.container {
            Container::Folder(_) => Ok(()),
            Container::Zip(..) => Err(BagError::Damaged(std::mem::take(&mut self.damaged))),
        }
    }

    fn note_payload(&mut self, path: &str, digest: &FileDigest) -> Result<(), BagError> {
        self.summary.files += 1;
        self.summary.bytes += digest.size;
        let line = format!("{}  data/{path}\n", digest.sha512);
        Ok(self.manifest.write(line.as_bytes())?)
    }

    fn note_tag(&mut self, path: &str, digest: &FileDigest) {
        let line = format!("{}  {path}\n", digest.sha512);
        self.tag_manifest.push_str(&line);
    }

    fn spool(&self) -> io::Result<Spool> {
        Spool::new(&self.bag.reader.repository.directory.join("staging"))
    }

    fn information(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let lines = [
            ("Source-Organization", self.bag.organization.clone()),
            ("External-Description", self.bag.title.clone()),
            ("External-Identifier", format!("urn:uuid:{}", self.bag.uuid)),
            ("Bagging-Date", Utc::now().format("%Y-%m-%d").to_string()),
            (
                "Payload-Oxum",
                format!("{}.{}", self.summary.bytes, self.summary.files),
            ),
            ("Bag-Software-Agent", format!("Isolario {version}")),
        ];
        let lines = lines.into_iter().map(|(label, value)| {
            let value = value.replace(char::is_control, " ");
            format!("{label}: {}\n", value.trim())
        });
        lines.collect()
    }

    fn progress(&self) -> String {
        let BagSummary {
            items,
            files,
            bytes,
        } = self.summary;
        format!("{items} items, {files} files, {} MB", bytes / 1_000_000)
    }
}
