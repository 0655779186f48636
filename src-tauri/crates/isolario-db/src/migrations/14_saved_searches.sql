-- Queries of lists that people keep under a name. Published ones are for all. Deleted ones stay for an undo.
CREATE TABLE saved_search (
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL REFERENCES user (uid), name TEXT NOT NULL COLLATE NOCASE,
  query TEXT NOT NULL, published INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER
) STRICT;
CREATE INDEX saved_search_owner ON saved_search (owner, deleted);
CREATE INDEX saved_search_listed ON saved_search (name, id) WHERE deleted IS NULL;
CREATE TRIGGER saved_search_record_made AFTER INSERT ON saved_search BEGIN INSERT INTO record_due VALUES ('saved_search/' || new.id); END;
CREATE TRIGGER saved_search_record_changed AFTER UPDATE ON saved_search BEGIN INSERT INTO record_due VALUES ('saved_search/' || new.id); END;
CREATE TRIGGER saved_search_record_gone AFTER DELETE ON saved_search BEGIN INSERT INTO record_due VALUES ('saved_search/' || old.id); END;
