-- First schema. Times are Unix seconds. Ids are AUTOINCREMENT: a deleted id is never given again.

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE content_model (id INTEGER PRIMARY KEY CHECK (id = 1), document TEXT NOT NULL) STRICT;

CREATE TABLE role (
  name TEXT PRIMARY KEY, label TEXT NOT NULL, weight INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE role_permission (
  role TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  permission TEXT NOT NULL,
  PRIMARY KEY (role, permission)
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  uid INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE, mail TEXT,
  password_hash TEXT, active INTEGER NOT NULL DEFAULT 1,
  credentials_changed INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL, changed INTEGER NOT NULL
) STRICT;
CREATE TABLE user_role (
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  role TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  PRIMARY KEY (uid, role)
) STRICT, WITHOUT ROWID;
CREATE TABLE session (
  token_hash TEXT PRIMARY KEY, uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  created INTEGER NOT NULL, last_seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_user ON session (uid);

-- Nodes, media and terms: what lists need as columns, everything as a document.
-- The document is what resources are written from; the field_* tables below are its index.
CREATE TABLE node (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
  bundle TEXT NOT NULL, label TEXT NOT NULL, published INTEGER NOT NULL, owner INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL, deleted INTEGER
) STRICT;
CREATE TABLE media (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
  bundle TEXT NOT NULL, label TEXT NOT NULL, published INTEGER NOT NULL, owner INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL, deleted INTEGER
) STRICT;
CREATE TABLE taxonomy_term (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
  bundle TEXT NOT NULL, label TEXT NOT NULL, published INTEGER NOT NULL, owner INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL, deleted INTEGER
) STRICT;
CREATE INDEX node_bundle ON node (bundle, id) WHERE deleted IS NULL;
CREATE INDEX media_live ON media (id, published, owner) WHERE deleted IS NULL;
CREATE INDEX media_hidden ON media (id, owner) WHERE deleted IS NULL AND published = 0;
CREATE INDEX term_label ON taxonomy_term (bundle, label COLLATE NOCASE, id) WHERE deleted IS NULL;

-- Every state a resource has had, the current one included.
CREATE TABLE node_revision (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL REFERENCES node (id),
  made INTEGER NOT NULL, author INTEGER NOT NULL, door TEXT NOT NULL, log TEXT, document TEXT NOT NULL
) STRICT;
CREATE TABLE media_revision (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL REFERENCES media (id),
  made INTEGER NOT NULL, author INTEGER NOT NULL, door TEXT NOT NULL, log TEXT, document TEXT NOT NULL
) STRICT;
CREATE TABLE taxonomy_term_revision (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL REFERENCES taxonomy_term (id),
  made INTEGER NOT NULL, author INTEGER NOT NULL, door TEXT NOT NULL, log TEXT, document TEXT NOT NULL
) STRICT;
CREATE INDEX node_revision_of ON node_revision (id, revision);
CREATE INDEX media_revision_of ON media_revision (id, revision);
CREATE INDEX taxonomy_term_revision_of ON taxonomy_term_revision (id, revision);

-- Field values by storage shape: adding a field is rows, not tables. Live resources only.
CREATE TABLE field_text (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_text_value ON field_text (kind, field, value COLLATE NOCASE, id);
CREATE TABLE field_number (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_number_value ON field_number (kind, field, value, id);
-- Days since 1970-01-01, both ends included.
CREATE TABLE field_date (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL,
  first_day INTEGER NOT NULL, last_day INTEGER NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_date_first ON field_date (kind, field, first_day, id);
CREATE TABLE field_reference (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL,
  target_kind TEXT NOT NULL, target_id INTEGER NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;
-- The id first: with the kind first, SQLite would rather read every reference to a node than look up one.
CREATE INDEX field_reference_target ON field_reference (target_id, target_kind, kind, field, id);

-- Which lists a live node stands in, with the keys by which lists are sorted: any page of any list is
-- one walk along one index. `list` is 0 all, 1 members of the node `of`, 2 without a live parent,
-- 3 unpublished, 4 neither a collection nor with an original file; `of` is 0 but for list 1.
CREATE TABLE listing (
  node INTEGER NOT NULL REFERENCES node (id), list INTEGER NOT NULL, of INTEGER NOT NULL,
  published INTEGER NOT NULL, owner INTEGER NOT NULL, is_collection INTEGER NOT NULL,
  title TEXT NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL,
  weight INTEGER, day INTEGER,
  PRIMARY KEY (node, list, of)
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_nid ON listing (list, of, node);
CREATE INDEX listing_title ON listing (list, of, title, node);
CREATE INDEX listing_created ON listing (list, of, created, node);
CREATE INDEX listing_changed ON listing (list, of, changed, node);
CREATE INDEX listing_weight ON listing (list, of, weight, node);
CREATE INDEX listing_date ON listing (list, of, day, node);
CREATE INDEX listing_published ON listing (list, of, published, owner, node);
CREATE INDEX listing_collection ON listing (list, of, title, node) WHERE is_collection = 1;
CREATE INDEX listing_collection_published ON listing (list, of, published, owner, node) WHERE is_collection = 1;

-- How long each list is, so that no count walks it.
CREATE TABLE listing_count (
  list INTEGER NOT NULL, of INTEGER NOT NULL, published INTEGER NOT NULL, is_collection INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  PRIMARY KEY (list, of, published, is_collection)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER listing_added AFTER INSERT ON listing BEGIN
  INSERT INTO listing_count VALUES (new.list, new.of, new.published, new.is_collection, 1)
  ON CONFLICT DO UPDATE SET nodes = nodes + 1;
END;
CREATE TRIGGER listing_removed AFTER DELETE ON listing BEGIN
  UPDATE listing_count SET nodes = nodes - 1 WHERE list = old.list AND of = old.of
    AND published = old.published AND is_collection = old.is_collection;
END;
CREATE TRIGGER listing_moved AFTER UPDATE OF list, of ON listing BEGIN
  UPDATE listing_count SET nodes = nodes - 1 WHERE list = old.list AND of = old.of
    AND published = old.published AND is_collection = old.is_collection;
  INSERT INTO listing_count VALUES (new.list, new.of, new.published, new.is_collection, 1)
  ON CONFLICT DO UPDATE SET nodes = nodes + 1;
END;

-- Words of titles and metadata. The text itself is not kept twice: these hold only the index.
CREATE VIRTUAL TABLE item_text USING fts5 (
  title, text, content = '', contentless_delete = 1, prefix = '1 2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE term_text USING fts5 (
  name, content = '', contentless_delete = 1, prefix = '1 2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

-- Files: the metadata record, and every version of the bytes behind it.
CREATE TABLE file (
  fid INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, uid INTEGER NOT NULL,
  filename TEXT NOT NULL, uri TEXT NOT NULL UNIQUE, permanent INTEGER NOT NULL,
  version INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER
) STRICT;
CREATE TABLE file_version (
  fid INTEGER NOT NULL REFERENCES file (fid), version INTEGER NOT NULL,
  blob TEXT NOT NULL UNIQUE, mime TEXT NOT NULL, size INTEGER NOT NULL, width INTEGER, height INTEGER,
  sha512 TEXT NOT NULL, made INTEGER NOT NULL, author INTEGER NOT NULL,
  PRIMARY KEY (fid, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_version_sha512 ON file_version (sha512);

-- What happened, in the order of commits.
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor INTEGER NOT NULL, door TEXT NOT NULL,
  action TEXT NOT NULL, kind TEXT NOT NULL, entity_id INTEGER NOT NULL, revision INTEGER,
  label TEXT NOT NULL, parents TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX event_entity ON event (kind, entity_id, id);
