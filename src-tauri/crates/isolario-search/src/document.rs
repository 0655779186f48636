//! What is known of an item so that it is found.

/// The field of titles.
pub const TITLE: &str = "title";

/// The field of texts that were read out of files. It may be long.
pub const EXTRACTED_TEXT: &str = "text";

/// Bytes of one text that are searched; the rest of a longer one is not found.
pub const LONGEST_TEXT: usize = 16 << 20;

/// An item, and what is found of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchDocument {
    pub id: i64,
    pub published: bool,
    /// User id.
    pub owner: i64,
    /// ISO 639 code of the language whose stems the words have. Without one, they have those of German and English.
    pub language: Option<String>,
    pub texts: Vec<Text>,
    pub facets: Vec<FacetValue>,
    /// The first and the last day of the date, counted from 1970-01-01 (`isolario_model::fields::days_of`).
    pub date: Option<(i64, i64)>,
    /// By what items are ordered by title.
    pub title_key: String,
    /// Seconds since 1970.
    pub created: i64,
    /// Seconds since 1970.
    pub changed: i64,
}

/// A text of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The name of the field: `title`, `file_name`, a field of the content model.
    pub field: String,
    pub text: String,
    pub source: Source,
}

/// A value by which items are counted and chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetValue {
    /// The name of the facet: `subject`, `collection`. In a hierarchy an item has the values above its own, too.
    pub facet: String,
    /// What stands for the value: `123`, `de`.
    pub value: String,
    /// The name of the value, if it is to be suggested while somebody types.
    pub label: Option<String>,
    pub source: Source,
}

/// Whose a text or value is. Who may view the item may not view all that is linked to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// The item itself.
    #[default]
    Item,
    /// Something linked to it.
    Linked {
        kind: LinkedKind,
        published: bool,
        /// User id.
        owner: i64,
    },
}

/// What is linked to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkedKind {
    /// Another item: the collection that it is in.
    Item,
    Media,
    Term,
}

/// A change of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The item is as the document says, whatever was known of it.
    Put(Box<SearchDocument>),
    /// The item of this id is no longer found.
    Delete(i64),
}
