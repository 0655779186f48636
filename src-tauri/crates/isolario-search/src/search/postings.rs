//! The documents that have a term.

use std::sync::Arc;

use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, TERMINATED, Term};

use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::snapshot::Segment;

/// How many more documents a word has than are looked at, for each of which it is then looked up.
const SPARSE: usize = 16;

/// Takes the documents that have words in a field.
pub trait Sink {
    /// The set of the documents of a field.
    fn of_field(&mut self, field: &str) -> &mut Bits;
}

impl Sink for Bits {
    fn of_field(&mut self, _: &str) -> &mut Bits {
        self
    }
}

/// The documents among which words are looked for.
#[derive(Clone, Copy)]
pub struct Within<'w> {
    documents: &'w Bits,
    count: usize,
}

impl<'w> Within<'w> {
    /// Some documents.
    pub fn of(documents: &'w Bits) -> Within<'w> {
        Within {
            documents,
            count: documents.count(),
        }
    }

    /// Whether so many documents are so many more that these are better looked up among them.
    pub fn is_sparse(self, size: u32) -> bool {
        size as usize / SPARSE > self.count
    }

    /// Adds the documents of a set. Of a large one only these documents are looked up; of a small one others may be
    /// added, too.
    pub fn add(self, size: u32, set: &mut (impl DocSet + ?Sized), found: &mut Bits) {
        if !self.is_sparse(size) {
            while set.doc() != TERMINATED {
                found.insert(set.doc());
                set.advance();
            }
            return;
        }
        for document in self.documents.iter() {
            if set.doc() < document {
                set.seek(document);
            }
            match set.doc() {
                TERMINATED => break,
                at if at == document => found.insert(document),
                _ => {}
            }
        }
    }
}

impl Segment<'_> {
    /// All documents that have a term.
    pub fn with_term(&self, term: &Term) -> Result<Bits, SearchError> {
        let mut found = Bits::none(self.reader.max_doc());
        self.add_term(term, Within::of(self.alive), &mut found)?;
        Ok(found)
    }

    /// Adds the documents that have a term; others than those within may be among them.
    pub fn add_term(
        &self,
        term: &Term,
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        let info = self
            .reader
            .inverted_index(term.field())?
            .get_term_info(term)?;
        let add = |info| self.add_postings(term.field(), &info, within, found);
        info.map_or(Ok(()), add)
    }

    /// Adds the documents of a term that was looked up.
    pub fn add_postings(
        &self,
        field: Field,
        info: &TermInfo,
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        self.postings(field)?.add(info, within, found)
    }

    /// Reads the terms of a field.
    pub fn postings(&self, field: Field) -> Result<PostingsReader, SearchError> {
        Ok(PostingsReader {
            index: self.reader.inverted_index(field)?,
            blocks: None,
        })
    }
}

/// Reads the documents of one term after the other.
pub struct PostingsReader {
    index: Arc<InvertedIndexReader>,
    blocks: Option<BlockSegmentPostings>,
}

impl PostingsReader {
    /// Adds the documents of a term; others than those within may be among them.
    pub fn add(
        &mut self,
        info: &TermInfo,
        within: Within<'_>,
        found: &mut Bits,
    ) -> Result<(), SearchError> {
        let option = IndexRecordOption::Basic;
        if within.is_sparse(info.doc_freq) {
            let mut postings = self.index.read_postings_from_terminfo(info, option)?;
            within.add(info.doc_freq, &mut postings, found);
            return Ok(());
        }
        let blocks = match &mut self.blocks {
            Some(blocks) => {
                self.index
                    .reset_block_postings_from_terminfo(info, blocks)?;
                blocks
            }
            none => {
                let blocks = self.index.read_block_postings_from_terminfo(info, option)?;
                none.insert(blocks)
            }
        };
        while !blocks.docs().is_empty() {
            found.insert_ordered(blocks.docs());
            blocks.advance();
        }
        Ok(())
    }
}
