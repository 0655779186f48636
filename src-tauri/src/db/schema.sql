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
CREATE INDEX node_label ON node (label COLLATE NOCASE, id) WHERE deleted IS NULL;
CREATE INDEX node_created ON node (created, id) WHERE deleted IS NULL;
CREATE INDEX node_changed ON node (changed, id) WHERE deleted IS NULL;
CREATE INDEX node_published ON node (published, changed, id) WHERE deleted IS NULL;
CREATE INDEX media_changed ON media (changed, id) WHERE deleted IS NULL;
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
CREATE INDEX field_reference_target ON field_reference (target_kind, target_id, kind, field, id);

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
