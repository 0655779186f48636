//! The lists of nodes, with their numbers in the table `listing`.

/// Identifies one list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListId {
    All,
    /// Direct members of a node.
    MembersOf(i64),
    /// Nodes without a live parent that are no collections.
    Unfiled,
    Unpublished,
    /// Neither a collection, nor with an original file or members, nor a page of the original file of another node.
    WithoutOriginal,
    /// Collections without a live parent.
    TopCollections,
}

impl ListId {
    /// The list of nodes without a live parent.
    pub(super) fn at_the_top(is_collection: bool) -> ListId {
        match is_collection {
            true => ListId::TopCollections,
            false => ListId::Unfiled,
        }
    }

    /// Columns `list` and `of`.
    pub(super) fn columns(self) -> [i64; 2] {
        match self {
            ListId::All => [0, 0],
            ListId::MembersOf(node) => [1, node],
            ListId::Unfiled => [2, 0],
            ListId::Unpublished => [3, 0],
            ListId::WithoutOriginal => [4, 0],
            ListId::TopCollections => [5, 0],
        }
    }
}
