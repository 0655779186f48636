//! The finding aid of a collection: what is in it, in its order, with everything below it (docs/FINDING-AIDS.md).
//!
//! It is made while it is read. Each page of members is read in a snapshot of its own, and memory holds one page for each
//! level: a finding aid may be as long as the collection. What is in a book or another compound item is not listed. What
//! is in a collection that stands in several others is listed once: along every way to it, it could be listed millions of
//! times.

mod ead;
mod field_list;
mod html;
mod members;

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;

use self::members::{Member, Members};
use crate::actions::Refusal;
use crate::byte_stream::{Output, made_while_read};
use crate::repository::Repository;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;

/// Bytes that are collected before they are sent.
const CHUNK: usize = 64 * 1024;

/// How a finding aid is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingAidFormat {
    /// Encoded Archival Description 3 (<https://www.loc.gov/ead/>).
    Ead3,
    /// A page to read and to print.
    Html,
}

/// A finding aid in the making.
pub struct FindingAid {
    members: Members,
    format: FindingAidFormat,
    collection: Member,
}

/// What its beginning says.
struct Heading<'a> {
    /// Name of the repository.
    repository: &'a str,
    title: &'a str,
    /// The address of the collection.
    address: String,
}

impl FindingAid {
    /// Begins the finding aid of a collection. `base`: scheme and host of addresses in it, without a trailing slash.
    ///
    /// # Errors
    /// `NotFound` where there is no such collection for the actor.
    pub async fn begin(
        repository: &Arc<Repository>,
        actor: &Actor,
        nid: i64,
        format: FindingAidFormat,
        base: &str,
    ) -> Result<FindingAid, Refusal> {
        let members = Members {
            repository: repository.clone(),
            actor: actor.clone(),
            base: base.to_owned(),
            format,
        };
        let found = members.one(nid).await?;
        let collection = found.filter(|found| found.is_collection);
        let missing = Refusal::NotFound {
            kind: EntityKind::Node,
            id: nid,
        };
        Ok(FindingAid {
            members,
            format,
            collection: collection.ok_or(missing)?,
        })
    }

    /// Its bytes. A stream that ends with an error is no whole finding aid.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, Refusal>> + Send + 'static {
        made_while_read(async move |output| self.write(output).await)
    }

    async fn write(self, output: Output) -> Result<(), Refusal> {
        let mut text = Text {
            output,
            format: self.format,
            waiting: String::new(),
        };
        let repository = self.members.repository.clone();
        let heading = Heading {
            repository: &repository.config.name,
            title: &self.collection.title,
            address: self.members.address(self.collection.nid),
        };
        text.begin(&heading, &self.collection);
        let mut levels = vec![self.members.of(self.collection.nid)];
        let mut followed = HashSet::from([self.collection.nid]);
        let mut has_components = false;
        while let Some(level) = levels.last_mut() {
            let Some(member) = level.next(&self.members).await? else {
                levels.pop();
                if !levels.is_empty() {
                    text.close();
                }
                continue;
            };
            if !has_components {
                text.begin_components();
            }
            has_components = true;
            text.open(&member, levels.len());
            match member.is_collection && followed.insert(member.nid) {
                true => levels.push(self.members.of(member.nid)),
                false => text.close(),
            }
            text.send_when_long().await?;
        }
        text.end(has_components);
        text.send().await
    }
}

/// The text of a finding aid, in its format.
struct Text {
    output: Output,
    format: FindingAidFormat,
    waiting: String,
}

impl Text {
    fn begin(&mut self, heading: &Heading<'_>, collection: &Member) {
        self.waiting.push_str(&match self.format {
            FindingAidFormat::Ead3 => ead::begin(heading, &collection.text),
            FindingAidFormat::Html => html::begin(heading, &collection.text),
        });
    }

    fn begin_components(&mut self) {
        self.waiting.push_str(match self.format {
            FindingAidFormat::Ead3 => "<dsc dsctype=\"combined\">\n",
            FindingAidFormat::Html => "",
        });
    }

    /// `depth`: 1 for what is directly in the collection.
    fn open(&mut self, member: &Member, depth: usize) {
        self.waiting.push_str(&match self.format {
            FindingAidFormat::Ead3 => ead::open(member, depth),
            FindingAidFormat::Html => html::open(member, depth),
        });
    }

    fn close(&mut self) {
        self.waiting.push_str(match self.format {
            FindingAidFormat::Ead3 => "</c>\n",
            FindingAidFormat::Html => "</section>\n",
        });
    }

    fn end(&mut self, has_components: bool) {
        self.waiting.push_str(match (self.format, has_components) {
            (FindingAidFormat::Ead3, true) => "</dsc>\n</archdesc>\n</ead>\n",
            (FindingAidFormat::Ead3, false) => "</archdesc>\n</ead>\n",
            (FindingAidFormat::Html, _) => "</main>\n</body>\n</html>\n",
        });
    }

    async fn send_when_long(&mut self) -> Result<(), Refusal> {
        match self.waiting.len() < CHUNK {
            true => Ok(()),
            false => self.send().await,
        }
    }

    async fn send(&mut self) -> Result<(), Refusal> {
        let text = std::mem::take(&mut self.waiting);
        let sent = self.output.send(text).await;
        // Nobody reads any more.
        sent.map_err(|error| Refusal::Storage(error.to_string()))
    }
}
