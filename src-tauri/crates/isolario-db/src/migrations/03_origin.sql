-- The origin of a change has one name everywhere.
ALTER TABLE node_revision RENAME COLUMN door TO origin;
ALTER TABLE media_revision RENAME COLUMN door TO origin;
ALTER TABLE taxonomy_term_revision RENAME COLUMN door TO origin;
ALTER TABLE event RENAME COLUMN door TO origin;
ALTER TABLE trash RENAME COLUMN door TO origin;
