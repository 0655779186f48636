//! The lists of nodes, with their numbers in the table `listing`.

/// One list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeList {
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

impl NodeList {
    /// The list of nodes without a live parent.
    pub(super) fn at_the_top(is_collection: bool) -> NodeList {
        match is_collection {
            true => NodeList::TopCollections,
            false => NodeList::Unfiled,
        }
    }

    /// Columns `list` and `of`.
    pub(super) fn columns(self) -> [i64; 2] {
        match self {
            NodeList::All => [0, 0],
            NodeList::MembersOf(node) => [1, node],
            NodeList::Unfiled => [2, 0],
            NodeList::Unpublished => [3, 0],
            NodeList::WithoutOriginal => [4, 0],
            NodeList::TopCollections => [5, 0],
        }
    }
}
