-- The schema of isolario.db. Written by a test: see CONTRIBUTING.md.

CREATE TABLE access_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, last_used INTEGER, expires INTEGER, scope TEXT NOT NULL DEFAULT 'all', last_address TEXT,
  UNIQUE (uid, name)
) STRICT;

CREATE TABLE backup (
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, scheduled INTEGER NOT NULL,
  began INTEGER NOT NULL, ended INTEGER NOT NULL, files INTEGER NOT NULL, copied INTEGER NOT NULL,
  bytes INTEGER NOT NULL, copied_bytes INTEGER NOT NULL, error TEXT
) STRICT;

CREATE TABLE batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid INTEGER NOT NULL,
  sign_in TEXT NOT NULL,
  origin TEXT NOT NULL,
  made INTEGER NOT NULL,
  ended INTEGER,
  state TEXT NOT NULL,
  reason TEXT,
  change TEXT NOT NULL,
  undoes INTEGER REFERENCES batch (id),
  seen INTEGER NOT NULL,
  total INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX batch_open ON batch (id) WHERE ended IS NULL;

CREATE TABLE batch_item (
  batch INTEGER NOT NULL REFERENCES batch (id),
  position INTEGER NOT NULL,
  entity_id INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  before INTEGER,
  after INTEGER,
  message TEXT, kind TEXT NOT NULL DEFAULT 'node', parts INTEGER,
  PRIMARY KEY (batch, position)
) WITHOUT ROWID;

CREATE INDEX batch_item_entity ON batch_item (batch, entity_id);

CREATE INDEX batch_item_state ON batch_item (batch, state, position);

CREATE TABLE blob_intent (
  id INTEGER PRIMARY KEY AUTOINCREMENT, blob TEXT NOT NULL, target TEXT
) STRICT;

CREATE INDEX blob_intent_blob ON blob_intent (blob, id);

CREATE INDEX blob_intent_target ON blob_intent (target);

CREATE TABLE content_model (id INTEGER PRIMARY KEY CHECK (id = 1), document TEXT NOT NULL) STRICT;

CREATE TRIGGER content_model_record_changed AFTER UPDATE ON content_model BEGIN INSERT INTO record_due VALUES ('content-model/1'); END;

CREATE TRIGGER content_model_record_made AFTER INSERT ON content_model BEGIN INSERT INTO record_due VALUES ('content-model/1'); END;

CREATE TABLE derivative (
  id INTEGER PRIMARY KEY AUTOINCREMENT, mid INTEGER NOT NULL REFERENCES media (id),
  fid INTEGER NOT NULL REFERENCES file (fid), version INTEGER NOT NULL, kind TEXT NOT NULL,
  state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0,
  due INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0, product INTEGER, changed INTEGER NOT NULL, adjustment TEXT,
  UNIQUE (mid, fid, version, kind)
) STRICT;

CREATE INDEX derivative_due ON derivative (kind, due) WHERE state = 'waiting' AND due > 0;

CREATE INDEX derivative_product ON derivative (product) WHERE product IS NOT NULL;

CREATE INDEX derivative_state ON derivative (state, id);

CREATE INDEX derivative_waiting ON derivative (kind, priority DESC, id) WHERE state = 'waiting';

CREATE TRIGGER derivative_counted AFTER INSERT ON derivative BEGIN
  INSERT INTO derivative_count VALUES (new.state, new.kind, 1) ON CONFLICT DO UPDATE SET derivatives = derivatives + 1;
END;

CREATE TRIGGER derivative_recounted AFTER UPDATE OF state ON derivative WHEN old.state <> new.state BEGIN
  UPDATE derivative_count SET derivatives = derivatives - 1 WHERE state = old.state AND kind = old.kind;
  INSERT INTO derivative_count VALUES (new.state, new.kind, 1) ON CONFLICT DO UPDATE SET derivatives = derivatives + 1;
END;

CREATE TRIGGER derivative_uncounted AFTER DELETE ON derivative BEGIN
  UPDATE derivative_count SET derivatives = derivatives - 1 WHERE state = old.state AND kind = old.kind;
END;

CREATE TABLE derivative_count (
  state TEXT NOT NULL, kind TEXT NOT NULL, derivatives INTEGER NOT NULL, PRIMARY KEY (state, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor INTEGER NOT NULL, origin TEXT NOT NULL,
  action TEXT NOT NULL, kind TEXT NOT NULL, entity_id INTEGER NOT NULL, revision INTEGER,
  label TEXT NOT NULL, parents TEXT NOT NULL DEFAULT '[]'
, batch INTEGER) STRICT;

CREATE INDEX event_batch ON event (batch, id) WHERE batch IS NOT NULL;

CREATE INDEX event_entity ON event (kind, entity_id, id);

CREATE TABLE field_date (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL,
  first_day INTEGER NOT NULL, last_day INTEGER NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;

CREATE INDEX field_date_first ON field_date (kind, field, first_day, id);

CREATE TABLE field_number (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;

CREATE INDEX field_number_value ON field_number (kind, field, value, id);

CREATE TABLE field_reference (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL,
  target_kind TEXT NOT NULL, target_id INTEGER NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;

CREATE INDEX field_reference_target ON field_reference (target_id, target_kind, kind, field, id);

CREATE TABLE field_text (
  kind TEXT NOT NULL, id INTEGER NOT NULL, field TEXT NOT NULL, delta INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (kind, id, field, delta)
) STRICT, WITHOUT ROWID;

CREATE INDEX field_text_value ON field_text (kind, field, value COLLATE NOCASE, id);

CREATE TABLE file (
  fid INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, uid INTEGER NOT NULL,
  filename TEXT NOT NULL, uri TEXT NOT NULL UNIQUE, permanent INTEGER NOT NULL,
  version INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER
) STRICT;

CREATE TRIGGER file_record_changed AFTER UPDATE ON file BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;

CREATE TRIGGER file_record_gone AFTER DELETE ON file BEGIN INSERT INTO record_due VALUES ('file/' || old.fid); END;

CREATE TRIGGER file_record_made AFTER INSERT ON file BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;

CREATE TABLE file_facts (
  fid INTEGER NOT NULL, version INTEGER NOT NULL, facts TEXT NOT NULL, made INTEGER NOT NULL,
  PRIMARY KEY (fid, version),
  FOREIGN KEY (fid, version) REFERENCES file_version (fid, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE file_version (
  fid INTEGER NOT NULL REFERENCES file (fid), version INTEGER NOT NULL,
  blob TEXT NOT NULL UNIQUE, mime TEXT NOT NULL, size INTEGER NOT NULL, width INTEGER, height INTEGER,
  sha512 TEXT NOT NULL, made INTEGER NOT NULL, author INTEGER NOT NULL, sha256 TEXT, md5 TEXT,
  PRIMARY KEY (fid, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_version_sha512 ON file_version (sha512);

CREATE INDEX file_version_size ON file_version (size);

CREATE TRIGGER file_version_record_changed AFTER UPDATE OF blob, mime, size, width, height, sha512, sha256, md5, made, author ON file_version BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;

CREATE TRIGGER file_version_record_gone AFTER DELETE ON file_version BEGIN INSERT INTO record_due VALUES ('file/' || old.fid); END;

CREATE TRIGGER file_version_record_made AFTER INSERT ON file_version BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;

CREATE TABLE fixity (
  fid INTEGER NOT NULL, version INTEGER NOT NULL,
  verified INTEGER NOT NULL, state TEXT NOT NULL, since INTEGER NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (fid, version),
  FOREIGN KEY (fid, version) REFERENCES file_version (fid, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX fixity_amiss ON fixity (state) WHERE state <> 'intact';

CREATE INDEX fixity_verified ON fixity (verified);

CREATE TABLE harvest (
  node INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, datestamp INTEGER NOT NULL, deleted INTEGER NOT NULL,
  -- Whether it is a set.
  collection INTEGER NOT NULL
) STRICT;

CREATE INDEX harvest_collection ON harvest (node) WHERE collection AND NOT deleted;

CREATE INDEX harvest_datestamp ON harvest (datestamp, node);

CREATE TABLE harvest_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- All events up to this one.
  event INTEGER NOT NULL,
  -- When they were taken over, in Unix seconds. Later ones have no earlier datestamp. 0 before all items are there.
  time INTEGER NOT NULL,
  -- While items are taken over for the first time: the last of them.
  node INTEGER
) STRICT;

CREATE TABLE harvest_set (
  collection INTEGER NOT NULL, datestamp INTEGER NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (collection, datestamp, node)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX harvest_set_node ON harvest_set (node, collection);

CREATE TABLE identity (
  id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT, changed INTEGER NOT NULL, picture BLOB
) STRICT;

CREATE TRIGGER identity_record_changed AFTER UPDATE ON identity BEGIN INSERT INTO record_due VALUES ('identity/1'); END;

CREATE TRIGGER identity_record_made AFTER INSERT ON identity BEGIN INSERT INTO record_due VALUES ('identity/1'); END;

CREATE TABLE index_due (node INTEGER PRIMARY KEY, value_rows TEXT, is_record_due INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE job (
  kind TEXT NOT NULL, subject TEXT NOT NULL, turn INTEGER NOT NULL DEFAULT 0,
  made INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, error TEXT,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_due ON job (due);

CREATE TABLE listing (
  node INTEGER NOT NULL REFERENCES node (id), list INTEGER NOT NULL, of INTEGER NOT NULL,
  published INTEGER NOT NULL, owner INTEGER NOT NULL, is_collection INTEGER NOT NULL,
  title TEXT NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL,
  weight INTEGER, day INTEGER, is_branch INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (node, list, of)
) STRICT, WITHOUT ROWID;

CREATE INDEX listing_branch ON listing (of, published, owner, node, is_collection, is_branch) WHERE list = 1 AND is_branch = 1;

CREATE INDEX listing_changed ON listing (list, of, changed, node);

CREATE INDEX listing_collection ON listing (list, of, title, node) WHERE is_collection = 1;

CREATE INDEX listing_collection_published ON listing (list, of, published, owner, node) WHERE is_collection = 1;

CREATE INDEX listing_created ON listing (list, of, created, node);

CREATE INDEX listing_date ON listing (list, of, day, node);

CREATE INDEX listing_nid ON listing (list, of, node);

CREATE INDEX listing_published ON listing (list, of, published, owner, node);

CREATE INDEX listing_title ON listing (list, of, title, node);

CREATE INDEX listing_weight ON listing (list, of, weight, node);

CREATE TRIGGER listing_added AFTER INSERT ON listing BEGIN
  INSERT INTO listing_count VALUES (new.list, new.of, new.published, new.is_collection, 1)
  ON CONFLICT DO UPDATE SET nodes = nodes + 1;
END;

CREATE TRIGGER listing_branched AFTER INSERT ON listing WHEN new.list = 1 BEGIN
  UPDATE listing SET is_branch = 1 WHERE node = new.of AND list = 1 AND is_branch = 0;
  UPDATE listing SET is_branch = 1 WHERE node = new.node AND list = 1 AND is_branch = 0 AND (
    EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = new.node)
    OR EXISTS (SELECT 1 FROM listing o WHERE o.node = new.node AND o.list = 1 AND o.of <> listing.of));
END;

CREATE TRIGGER listing_lifted AFTER UPDATE OF list, of ON listing WHEN old.list = 1 BEGIN
  UPDATE listing SET is_branch = 0 WHERE node IN (old.of, old.node) AND list = 1 AND is_branch = 1
    AND NOT EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = listing.node)
    AND NOT EXISTS (SELECT 1 FROM listing o WHERE o.node = listing.node AND o.list = 1 AND o.of <> listing.of);
END;

CREATE TRIGGER listing_moved AFTER UPDATE OF list, of ON listing BEGIN
  UPDATE listing_count SET nodes = nodes - 1 WHERE list = old.list AND of = old.of
    AND published = old.published AND is_collection = old.is_collection;
  INSERT INTO listing_count VALUES (new.list, new.of, new.published, new.is_collection, 1)
  ON CONFLICT DO UPDATE SET nodes = nodes + 1;
END;

CREATE TRIGGER listing_pruned AFTER DELETE ON listing WHEN old.list = 1 BEGIN
  UPDATE listing SET is_branch = 0 WHERE node IN (old.of, old.node) AND list = 1 AND is_branch = 1
    AND NOT EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = listing.node)
    AND NOT EXISTS (SELECT 1 FROM listing o WHERE o.node = listing.node AND o.list = 1 AND o.of <> listing.of);
END;

CREATE TRIGGER listing_removed AFTER DELETE ON listing BEGIN
  UPDATE listing_count SET nodes = nodes - 1 WHERE list = old.list AND of = old.of
    AND published = old.published AND is_collection = old.is_collection;
END;

CREATE TABLE listing_count (
  list INTEGER NOT NULL, of INTEGER NOT NULL, published INTEGER NOT NULL, is_collection INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  PRIMARY KEY (list, of, published, is_collection)
) STRICT, WITHOUT ROWID;

CREATE TABLE media (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
  bundle TEXT NOT NULL, label TEXT NOT NULL, published INTEGER NOT NULL, owner INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL, deleted INTEGER
) STRICT;

CREATE INDEX media_bundle ON media (bundle, id) WHERE deleted IS NULL;

CREATE INDEX media_hidden ON media (id, owner) WHERE deleted IS NULL AND published = 0;

CREATE INDEX media_live ON media (id, published, owner) WHERE deleted IS NULL;

CREATE TRIGGER media_record_changed AFTER UPDATE OF document, deleted ON media
BEGIN INSERT INTO record_due VALUES ('media/' || new.id); END;

CREATE TRIGGER media_record_gone AFTER DELETE ON media BEGIN INSERT INTO record_due VALUES ('media/' || old.id); END;

CREATE TRIGGER media_record_made AFTER INSERT ON media BEGIN INSERT INTO record_due VALUES ('media/' || new.id); END;

CREATE TABLE media_revision (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL REFERENCES media (id),
  made INTEGER NOT NULL, author INTEGER NOT NULL, origin TEXT NOT NULL, log TEXT, document TEXT NOT NULL
, batch INTEGER) STRICT;

CREATE INDEX media_revision_of ON media_revision (id, revision);

CREATE TABLE media_revision_file (
  revision INTEGER NOT NULL REFERENCES media_revision (revision),
  fid INTEGER NOT NULL REFERENCES file (fid), version INTEGER NOT NULL,
  PRIMARY KEY (revision, fid)
) STRICT, WITHOUT ROWID;

CREATE INDEX media_revision_file_version ON media_revision_file (fid, version, revision);

CREATE TABLE node (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
  bundle TEXT NOT NULL, label TEXT NOT NULL, published INTEGER NOT NULL, owner INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL, deleted INTEGER
) STRICT;

CREATE TRIGGER node_record_changed AFTER UPDATE OF document, deleted ON node
BEGIN INSERT INTO index_due (node, is_record_due) VALUES (new.id, 1) ON CONFLICT DO UPDATE SET is_record_due = 1; END;

CREATE TRIGGER node_record_gone AFTER DELETE ON node BEGIN INSERT INTO record_due VALUES ('node/' || old.id); END;

CREATE TRIGGER node_record_made AFTER INSERT ON node
BEGIN INSERT INTO index_due (node, is_record_due) VALUES (new.id, 1) ON CONFLICT DO UPDATE SET is_record_due = 1; END;

CREATE TABLE node_revision (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL REFERENCES node (id),
  made INTEGER NOT NULL, author INTEGER NOT NULL, origin TEXT NOT NULL, log TEXT, document TEXT NOT NULL
, batch INTEGER) STRICT;

CREATE INDEX node_revision_of ON node_revision (id, revision);

CREATE TABLE openid_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE path_alias (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, alias TEXT NOT NULL,
  kind TEXT NOT NULL, entity_id INTEGER NOT NULL
) STRICT;

CREATE INDEX path_alias_entity ON path_alias (kind, entity_id);

CREATE TABLE pushed (
  site TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Here.
  id INTEGER NOT NULL,
  -- There.
  remote INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- Hexadecimal, of the bytes of a media that were sent.
  sha512 TEXT,
  PRIMARY KEY (site, kind, id)
) STRICT, WITHOUT ROWID;

CREATE VIEW record_due AS SELECT NULL AS subject;

CREATE TRIGGER record_due_again INSTEAD OF INSERT ON record_due BEGIN
  INSERT INTO job (kind, subject, made) VALUES ('record', new.subject, unixepoch())
  ON CONFLICT DO UPDATE SET turn = turn + 1;
END;

CREATE TABLE redirect (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, target TEXT NOT NULL,
  status INTEGER NOT NULL, uid INTEGER NOT NULL, created INTEGER NOT NULL
) STRICT;

CREATE TRIGGER redirect_record_gone AFTER DELETE ON redirect BEGIN INSERT INTO record_due VALUES ('redirect/' || old.id); END;

CREATE TRIGGER redirect_record_made AFTER INSERT ON redirect BEGIN INSERT INTO record_due VALUES ('redirect/' || new.id); END;

CREATE TABLE role (
  name TEXT PRIMARY KEY, label TEXT NOT NULL, weight INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER role_record_changed AFTER UPDATE ON role BEGIN INSERT INTO record_due VALUES ('role/' || new.name); END;

CREATE TRIGGER role_record_gone AFTER DELETE ON role BEGIN INSERT INTO record_due VALUES ('role/' || old.name); END;

CREATE TRIGGER role_record_made AFTER INSERT ON role BEGIN INSERT INTO record_due VALUES ('role/' || new.name); END;

CREATE TABLE role_permission (
  role TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  permission TEXT NOT NULL,
  PRIMARY KEY (role, permission)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER permission_record_gone AFTER DELETE ON role_permission BEGIN INSERT INTO record_due VALUES ('role/' || old.role); END;

CREATE TRIGGER permission_record_made AFTER INSERT ON role_permission BEGIN INSERT INTO record_due VALUES ('role/' || new.role); END;

CREATE TABLE saved_search (
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL REFERENCES user (uid), name TEXT NOT NULL COLLATE NOCASE,
  query TEXT NOT NULL, published INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER
) STRICT;

CREATE INDEX saved_search_listed ON saved_search (name, id) WHERE deleted IS NULL;

CREATE INDEX saved_search_owner ON saved_search (owner, deleted);

CREATE TRIGGER saved_search_record_changed AFTER UPDATE ON saved_search BEGIN INSERT INTO record_due VALUES ('saved_search/' || new.id); END;

CREATE TRIGGER saved_search_record_gone AFTER DELETE ON saved_search BEGIN INSERT INTO record_due VALUES ('saved_search/' || old.id); END;

CREATE TRIGGER saved_search_record_made AFTER INSERT ON saved_search BEGIN INSERT INTO record_due VALUES ('saved_search/' || new.id); END;

CREATE TABLE session (
  token_hash TEXT PRIMARY KEY, uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  created INTEGER NOT NULL, last_seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_user ON session (uid);

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE share_link (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  -- The item: a node id. A link outlasts an item in the trash, and leads nowhere meanwhile.
  nid INTEGER NOT NULL,
  -- Whom or what it is for.
  name TEXT NOT NULL,
  -- Who made it. It shows what they may share, as long as they may.
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  last_used INTEGER
) STRICT;

CREATE INDEX share_link_item ON share_link (nid, id);

CREATE INDEX share_link_user ON share_link (uid, id);

CREATE TABLE taxonomy_term (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
  bundle TEXT NOT NULL, label TEXT NOT NULL, published INTEGER NOT NULL, owner INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL, deleted INTEGER
) STRICT;

CREATE INDEX taxonomy_term_name ON taxonomy_term (label COLLATE NOCASE, id) WHERE deleted IS NULL;

CREATE INDEX term_label ON taxonomy_term (bundle, label COLLATE NOCASE, id) WHERE deleted IS NULL;

CREATE TRIGGER taxonomy_term_record_changed AFTER UPDATE OF document, deleted ON taxonomy_term
BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || new.id); END;

CREATE TRIGGER taxonomy_term_record_gone AFTER DELETE ON taxonomy_term BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || old.id); END;

CREATE TRIGGER taxonomy_term_record_made AFTER INSERT ON taxonomy_term BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || new.id); END;

CREATE TABLE taxonomy_term_revision (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL REFERENCES taxonomy_term (id),
  made INTEGER NOT NULL, author INTEGER NOT NULL, origin TEXT NOT NULL, log TEXT, document TEXT NOT NULL
, batch INTEGER) STRICT;

CREATE INDEX taxonomy_term_revision_of ON taxonomy_term_revision (id, revision);

CREATE TABLE term_place (
  vocabulary TEXT NOT NULL, parent INTEGER NOT NULL, weight INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  id INTEGER NOT NULL,
  PRIMARY KEY (vocabulary, parent, weight, name, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX term_place_of ON term_place (id);

CREATE VIRTUAL TABLE term_text USING fts5 (
  name, content = '', contentless_delete = 1, prefix = '1 2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, entity_id INTEGER NOT NULL,
  at INTEGER NOT NULL, actor INTEGER NOT NULL, origin TEXT NOT NULL, item INTEGER,
  UNIQUE (kind, entity_id)
) STRICT;

CREATE INDEX trash_item ON trash (item) WHERE item IS NOT NULL;

CREATE TRIGGER trash_record_changed AFTER UPDATE OF at, actor, origin, item ON trash BEGIN INSERT INTO record_due VALUES (new.kind || '/' || new.entity_id); END;

CREATE TRIGGER trash_record_gone AFTER DELETE ON trash BEGIN INSERT INTO record_due VALUES (old.kind || '/' || old.entity_id); END;

CREATE TRIGGER trash_record_made AFTER INSERT ON trash BEGIN INSERT INTO record_due VALUES (new.kind || '/' || new.entity_id); END;

CREATE TABLE upload (
  id TEXT PRIMARY KEY, uid INTEGER NOT NULL, request TEXT NOT NULL,
  received INTEGER NOT NULL, length INTEGER, touched INTEGER NOT NULL, outcome TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX upload_touched ON upload (touched);

CREATE INDEX upload_unfinished ON upload (uid) WHERE outcome IS NULL;

CREATE TABLE upload_piece (
  id TEXT NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
  start INTEGER NOT NULL, size INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (id, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  uid INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE, mail TEXT,
  password_hash TEXT, active INTEGER NOT NULL DEFAULT 1,
  credentials_changed INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL, changed INTEGER NOT NULL
, second_factor TEXT, second_factor_step INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TRIGGER user_record_changed AFTER UPDATE OF uuid, name, active, changed ON user BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;

CREATE TRIGGER user_record_gone AFTER DELETE ON user BEGIN INSERT INTO record_due VALUES ('user/' || old.uid); END;

CREATE TRIGGER user_record_made AFTER INSERT ON user BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;

CREATE TABLE user_collection_role (
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  -- A node id. The roles outlast a collection in the trash.
  collection INTEGER NOT NULL,
  role TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  PRIMARY KEY (uid, collection, role)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_collection_role_collection ON user_collection_role (collection, uid, role);

CREATE TRIGGER user_collection_role_record_gone AFTER DELETE ON user_collection_role BEGIN INSERT INTO record_due VALUES ('user/' || old.uid); END;

CREATE TRIGGER user_collection_role_record_made AFTER INSERT ON user_collection_role BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;

CREATE TABLE user_role (
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  role TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  PRIMARY KEY (uid, role)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER user_role_record_gone AFTER DELETE ON user_role BEGIN INSERT INTO record_due VALUES ('user/' || old.uid); END;

CREATE TRIGGER user_role_record_made AFTER INSERT ON user_role BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;

CREATE TABLE watch_count (
  rule INTEGER NOT NULL, state TEXT NOT NULL, files INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (rule, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE watch_file (
  id INTEGER PRIMARY KEY AUTOINCREMENT, rule INTEGER NOT NULL REFERENCES watch_rule (id),
  path TEXT NOT NULL, folder TEXT NOT NULL, place_key TEXT NOT NULL,
  size INTEGER NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL,
  state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0,
  seen INTEGER NOT NULL, since INTEGER NOT NULL, due INTEGER NOT NULL, changed INTEGER NOT NULL,
  sha512 TEXT, nid INTEGER, mid INTEGER, twin INTEGER, weight INTEGER,
  untidy INTEGER NOT NULL DEFAULT 0, gone INTEGER, moved_to TEXT
) STRICT;

CREATE INDEX watch_file_due ON watch_file (rule, state, due) WHERE state IN ('seen', 'settled');

CREATE INDEX watch_file_gone ON watch_file (rule, path) WHERE gone IS NOT NULL;

CREATE UNIQUE INDEX watch_file_here ON watch_file (rule, path) WHERE gone IS NULL;

CREATE INDEX watch_file_inode ON watch_file (rule, inode) WHERE state = 'done' AND gone IS NULL;

CREATE INDEX watch_file_modified ON watch_file (rule, modified) WHERE state = 'done' AND gone IS NULL;

CREATE INDEX watch_file_newest ON watch_file (rule, id);

CREATE INDEX watch_file_order ON watch_file (rule, folder, place_key);

CREATE INDEX watch_file_state ON watch_file (rule, state, id);

CREATE INDEX watch_file_untidy ON watch_file (rule, id) WHERE untidy = 1;

CREATE TRIGGER watch_file_counted AFTER INSERT ON watch_file BEGIN
  INSERT INTO watch_count VALUES (new.rule, new.state, 1, new.size)
  ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER watch_file_recounted AFTER UPDATE OF state, size ON watch_file
WHEN old.state <> new.state OR old.size <> new.size BEGIN
  UPDATE watch_count SET files = files - 1, bytes = bytes - old.size WHERE rule = old.rule AND state = old.state;
  INSERT INTO watch_count VALUES (new.rule, new.state, 1, new.size)
  ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER watch_file_uncounted AFTER DELETE ON watch_file BEGIN
  UPDATE watch_count SET files = files - 1, bytes = bytes - old.size WHERE rule = old.rule AND state = old.state;
END;

CREATE TABLE watch_folder (
  rule INTEGER NOT NULL REFERENCES watch_rule (id), path TEXT NOT NULL, nid INTEGER NOT NULL,
  PRIMARY KEY (rule, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE watch_rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, rule TEXT NOT NULL, origin TEXT NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0, removed INTEGER, made INTEGER NOT NULL, changed INTEGER NOT NULL
) STRICT;
