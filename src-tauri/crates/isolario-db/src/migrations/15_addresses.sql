-- Addresses that people give. Aliases are written from the documents of live resources.
CREATE TABLE path_alias (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, alias TEXT NOT NULL,
  kind TEXT NOT NULL, entity_id INTEGER NOT NULL
) STRICT;
CREATE INDEX path_alias_entity ON path_alias (kind, entity_id);
-- Addresses that lead elsewhere.
CREATE TABLE redirect (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, target TEXT NOT NULL,
  status INTEGER NOT NULL, uid INTEGER NOT NULL, created INTEGER NOT NULL
) STRICT;
CREATE TRIGGER redirect_record_made AFTER INSERT ON redirect BEGIN INSERT INTO record_due VALUES ('redirect/' || new.id); END;
CREATE TRIGGER redirect_record_gone AFTER DELETE ON redirect BEGIN INSERT INTO record_due VALUES ('redirect/' || old.id); END;
