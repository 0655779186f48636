-- The index rows of a node are written after the commit of its change, for many nodes at once. A row says for which node,
-- and which values are to be found of it: none where only its places in lists may have changed.
CREATE TABLE index_due (node INTEGER PRIMARY KEY, value_rows TEXT) STRICT;

-- The number of the first revision, which follows the insertion of a resource, is no change of its record.
DROP TRIGGER node_record_changed;
DROP TRIGGER media_record_changed;
DROP TRIGGER taxonomy_term_record_changed;
CREATE TRIGGER node_record_changed AFTER UPDATE OF document, deleted ON node
BEGIN INSERT INTO record_due VALUES ('node/' || new.id); END;
CREATE TRIGGER media_record_changed AFTER UPDATE OF document, deleted ON media
BEGIN INSERT INTO record_due VALUES ('media/' || new.id); END;
CREATE TRIGGER taxonomy_term_record_changed AFTER UPDATE OF document, deleted ON taxonomy_term
BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || new.id); END;
