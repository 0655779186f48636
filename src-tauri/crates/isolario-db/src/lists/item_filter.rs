//! Which items a list of items holds.

use super::id_set::IdSet;

/// The lists in the window's side bar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    #[default]
    All,
    Unfiled,
    Unpublished,
    WithoutOriginal,
    Recent,
    /// What the viewer is assigned to, and what is in review without anybody assigned, as far as they may publish it.
    Waiting,
}

impl View {
    /// Every view, as the address names it.
    pub const ALL: [(&str, View); 6] = [
        ("all", View::All),
        ("unfiled", View::Unfiled),
        ("unpublished", View::Unpublished),
        ("without_original", View::WithoutOriginal),
        ("recent", View::Recent),
        ("waiting", View::Waiting),
    ];
}

/// Which items a list holds.
#[derive(Debug, Clone, Default)]
pub struct ItemFilter {
    pub view: View,
    /// Direct members of this node only.
    pub collection: Option<i64>,
    /// Whatever is below `collection`, not its direct members alone.
    pub below: bool,
    /// What a search has found for the viewer.
    pub found: Option<IdSet>,
    /// Term id of the model.
    pub model: Option<i64>,
    pub published: Option<bool>,
    /// Node type.
    pub bundle: Option<String>,
    /// Terms that each item refers to, in whatever field.
    pub terms: Vec<i64>,
    /// Media type that one of its media has.
    pub media_type: Option<String>,
    pub dated: Option<DateSpan>,
    pub having: Vec<FieldPresence>,
    /// Since when a change counts as recent (Unix seconds).
    pub recent_since: i64,
}

/// A time in which a date of an item falls, at least in part.
#[derive(Debug, Clone)]
pub struct DateSpan {
    /// Names of fields, one of which has to hold such a date.
    pub fields: Vec<String>,
    /// Days since 1970-01-01, both included.
    pub first: i64,
    pub last: i64,
}

/// Whether an item has a value of a field.
#[derive(Debug, Clone)]
pub struct FieldPresence {
    pub field: String,
    /// The table that holds the values of such a field.
    pub shape: FieldShape,
    /// False: only items without one.
    pub has: bool,
}

/// How the values of a field are kept for lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldShape {
    Text,
    Number,
    Date,
    Reference,
}

impl FieldShape {
    /// The table with the values.
    pub(super) fn table(self) -> &'static str {
        match self {
            FieldShape::Text => "field_text",
            FieldShape::Number => "field_number",
            FieldShape::Date => "field_date",
            FieldShape::Reference => "field_reference",
        }
    }
}
