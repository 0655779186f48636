-- The name and the picture that the repository shows to people. Without a name, that of config.toml.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT, changed INTEGER NOT NULL, picture BLOB
) STRICT;
CREATE TRIGGER identity_record_made AFTER INSERT ON identity BEGIN INSERT INTO record_due VALUES ('identity/1'); END;
CREATE TRIGGER identity_record_changed AFTER UPDATE ON identity BEGIN INSERT INTO record_due VALUES ('identity/1'); END;
