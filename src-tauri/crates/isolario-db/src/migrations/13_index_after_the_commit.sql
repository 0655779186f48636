-- The index rows of a node are written after the commit of its change, for many nodes at once. A row says for which node,
-- and which values are to be found of it: none where only its places in lists may have changed.
CREATE TABLE index_due (node INTEGER PRIMARY KEY, value_rows TEXT) STRICT;
