//! The lists a node can stand in, as the table `listing` numbers them.

/// One list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    All,
    /// Direct members of a node.
    MembersOf(i64),
    /// Nodes without a live parent that are no collections.
    Unfiled,
    Unpublished,
    /// Neither a collection nor with an original file.
    WithoutOriginal,
    /// Collections without a live parent.
    TopCollections,
}

impl Place {
    /// Where nodes without a live parent stand.
    pub(super) fn at_the_top(is_collection: bool) -> Place {
        match is_collection {
            true => Place::TopCollections,
            false => Place::Unfiled,
        }
    }

    /// Columns `list` and `of`.
    pub(super) fn columns(self) -> [i64; 2] {
        match self {
            Place::All => [0, 0],
            Place::MembersOf(node) => [1, node],
            Place::Unfiled => [2, 0],
            Place::Unpublished => [3, 0],
            Place::WithoutOriginal => [4, 0],
            Place::TopCollections => [5, 0],
        }
    }
}

/// Model of collections.
pub const COLLECTION_URI: &str = "http://purl.org/dc/dcmitype/Collection";
/// Media use of the file an item was made from.
pub const ORIGINAL_FILE_URI: &str = "http://pcdm.org/use#OriginalFile";
/// Media use of the file that is shown in its place.
pub const SERVICE_FILE_URI: &str = "http://pcdm.org/use#ServiceFile";
/// Media use of the small picture.
pub const THUMBNAIL_URI: &str = "http://pcdm.org/use#ThumbnailImage";
