//! The facets that the program makes itself, beside those of fields.

/// The field of names of files.
pub const FILE_NAME: &str = "file_name";
/// The facet of the collections that an item is in, with all above.
pub const COLLECTION: &str = "collection";
/// As `COLLECTION`, of nodes that are none: books, compound objects.
pub const PART_OF: &str = "part_of";
/// The nodes of both kinds that an item is in itself. Nobody chooses it; lists of members are counted by it.
pub const MEMBER_OF: &str = "member_of";
/// The facet of the MIME type of the original file.
pub const FORMAT: &str = "format";
/// The facet of visibility: `published` or `unpublished`.
pub const STATUS: &str = "status";

/// Names that no facet of a field may have.
pub const OWN_FACETS: [&str; 6] = [FILE_NAME, COLLECTION, PART_OF, MEMBER_OF, FORMAT, STATUS];
