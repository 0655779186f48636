//! The fields of the index.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, JsonObjectOptions, Schema, TextFieldIndexing,
    TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, Term};

use super::keys::{Area, key};
use super::tokens::{BEGINNINGS, BeginningTokenizer, STEMS, StemTokenizer, WORDS, WordTokenizer};
use crate::access::Access;

/// The number of this layout. It counts up with every change of what is written into the index: of the fields here, of
/// keys, of the analysis, and of the release of the stemmers; and when an index that is there may hold what is wrong.
pub const VERSION: u32 = 4;

/// The name of the column of ids.
pub const ID: &str = "id";
/// The name of the column of keys by which items are ordered by title.
pub const TITLE_KEY: &str = "title_key";
/// The name of the column of the times at which items were created.
pub const CREATED: &str = "created";
/// The name of the column of the times at which items were changed.
pub const CHANGED: &str = "changed";
/// The name of the column of the first days of dates.
pub const FIRST_DAY: &str = "first_day";
/// The name of the column of the last days of dates.
pub const LAST_DAY: &str = "last_day";
/// The days of items without a date, which are no days: the first is after the last. Every item has days, so that its
/// column is read without asking which items have one.
pub const UNDATED: (i64, i64) = (4_000_000, -4_000_000);

const FACETS: &str = "facets";

/// The fields of the index by what they hold.
#[derive(Debug, Clone)]
pub struct Fields {
    pub id: Field,
    /// 1 for items that are not published, nothing for the others.
    pub unpublished: Field,
    pub owner: Field,
    item_words: Field,
    media_words: Field,
    hidden_words: Field,
    pub stems: Field,
    /// The first letters of words.
    pub beginnings: Field,
    /// The codes of languages that stems were written of.
    pub language: Field,
    pub facets: Field,
    /// The names of values, for suggestions.
    pub labels: Field,
    pub title_key: Field,
    pub created: Field,
    pub changed: Field,
    pub first_day: Field,
    pub last_day: Field,
}

/// The schema with its fields.
pub fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let words = indexing(WORDS, IndexRecordOption::WithFreqsAndPositions);
    // Lengths of hidden texts would change the rank of items for those who may not view them.
    let hidden_words = words.clone().set_fieldnorms(false);
    let stems = indexing(STEMS, IndexRecordOption::WithFreqs).set_fieldnorms(false);
    let beginnings = indexing(BEGINNINGS, IndexRecordOption::Basic).set_fieldnorms(false);
    let raw = indexing("raw", IndexRecordOption::Basic).set_fieldnorms(false);
    let text = |indexing: &TextFieldIndexing| {
        TextOptions::default().set_indexing_options(indexing.clone())
    };
    let facets = JsonObjectOptions::default().set_fast("raw");
    let facets = facets.set_indexing_options(raw.clone());
    let fields = Fields {
        id: schema.add_i64_field(ID, INDEXED | FAST),
        unpublished: schema.add_u64_field("unpublished", INDEXED),
        owner: schema.add_i64_field("owner", INDEXED),
        item_words: schema.add_text_field("item_words", text(&words)),
        media_words: schema.add_text_field("media_words", text(&words)),
        hidden_words: schema.add_text_field("hidden_words", text(&hidden_words)),
        stems: schema.add_text_field("stems", text(&stems)),
        beginnings: schema.add_text_field("beginnings", text(&beginnings)),
        language: schema.add_text_field("language", text(&raw)),
        facets: schema.add_json_field(FACETS, facets),
        labels: schema.add_text_field("labels", text(&raw)),
        title_key: schema.add_text_field(TITLE_KEY, TextOptions::default().set_fast("raw")),
        created: schema.add_i64_field(CREATED, FAST),
        changed: schema.add_i64_field(CHANGED, FAST),
        first_day: schema.add_i64_field(FIRST_DAY, FAST),
        last_day: schema.add_i64_field(LAST_DAY, FAST),
    };
    (schema.build(), fields)
}

fn indexing(tokenizer: &str, record: IndexRecordOption) -> TextFieldIndexing {
    TextFieldIndexing::default()
        .set_tokenizer(tokenizer)
        .set_index_option(record)
}

/// Makes the tokenizers known to an index.
pub fn register_tokenizers(index: &Index) {
    let tokenizers = index.tokenizers();
    tokenizers.register(WORDS, TextAnalyzer::from(WordTokenizer));
    tokenizers.register(STEMS, TextAnalyzer::from(StemTokenizer::default()));
    tokenizers.register(BEGINNINGS, TextAnalyzer::from(BeginningTokenizer));
}

impl Fields {
    /// The field of the words of a part of the index.
    pub fn words(&self, area: Area) -> Field {
        match area {
            Area::Item => self.item_words,
            Area::Media => self.media_words,
            Area::Hidden => self.hidden_words,
        }
    }

    /// The term of an id.
    pub fn id_term(&self, id: i64) -> Term {
        Term::from_field_i64(self.id, id)
    }

    /// The term of a value of a facet.
    pub fn facet_term(&self, access: Access, facet: &str, value: &str) -> Term {
        let path = escaped(&key(access, facet));
        let mut term = Term::from_field_json_path(self.facets, &path, false);
        term.append_type_and_str(value);
        term
    }
}

/// The name of the column of a facet.
pub fn facet_column(access: Access, facet: &str) -> String {
    format!("{FACETS}.{}", escaped(&key(access, facet)))
}

/// A name in a path, in which dots and backslashes have a meaning.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('.', "\\.")
}
