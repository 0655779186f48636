-- What a repository needs to take care of its bytes and of what it once was.

-- Checksums besides SHA-512, for the versions whose sender asked for them. Hexadecimal.
ALTER TABLE file_version ADD COLUMN sha256 TEXT;
ALTER TABLE file_version ADD COLUMN md5 TEXT;
CREATE INDEX file_version_size ON file_version (size);

-- Work that follows a change: made in the transaction of the change, gone when it is done. One row for
-- one piece of work on one subject, however often it was asked for; `turn` says that it was asked for
-- again while it was being done.
CREATE TABLE job (
  kind TEXT NOT NULL, subject TEXT NOT NULL, turn INTEGER NOT NULL DEFAULT 0,
  made INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, error TEXT,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_due ON job (due);

-- Whatever is kept has a record outside the database too. No writer can forget to ask for it.
CREATE VIEW record_due AS SELECT NULL AS subject;
CREATE TRIGGER record_due_again INSTEAD OF INSERT ON record_due BEGIN
  INSERT INTO job (kind, subject, made) VALUES ('record', new.subject, unixepoch())
  ON CONFLICT DO UPDATE SET turn = turn + 1;
END;
CREATE TRIGGER node_record_made AFTER INSERT ON node BEGIN INSERT INTO record_due VALUES ('node/' || new.id); END;
CREATE TRIGGER node_record_changed AFTER UPDATE ON node BEGIN INSERT INTO record_due VALUES ('node/' || new.id); END;
CREATE TRIGGER node_record_gone AFTER DELETE ON node BEGIN INSERT INTO record_due VALUES ('node/' || old.id); END;
CREATE TRIGGER media_record_made AFTER INSERT ON media BEGIN INSERT INTO record_due VALUES ('media/' || new.id); END;
CREATE TRIGGER media_record_changed AFTER UPDATE ON media BEGIN INSERT INTO record_due VALUES ('media/' || new.id); END;
CREATE TRIGGER media_record_gone AFTER DELETE ON media BEGIN INSERT INTO record_due VALUES ('media/' || old.id); END;
CREATE TRIGGER taxonomy_term_record_made AFTER INSERT ON taxonomy_term BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || new.id); END;
CREATE TRIGGER taxonomy_term_record_changed AFTER UPDATE ON taxonomy_term BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || new.id); END;
CREATE TRIGGER taxonomy_term_record_gone AFTER DELETE ON taxonomy_term BEGIN INSERT INTO record_due VALUES ('taxonomy_term/' || old.id); END;
CREATE TRIGGER file_record_made AFTER INSERT ON file BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;
CREATE TRIGGER file_record_changed AFTER UPDATE ON file BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;
CREATE TRIGGER file_record_gone AFTER DELETE ON file BEGIN INSERT INTO record_due VALUES ('file/' || old.fid); END;
CREATE TRIGGER file_version_record_made AFTER INSERT ON file_version BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;
CREATE TRIGGER file_version_record_changed AFTER UPDATE OF blob, mime, size, width, height, sha512, sha256, md5, made, author ON file_version BEGIN INSERT INTO record_due VALUES ('file/' || new.fid); END;
CREATE TRIGGER file_version_record_gone AFTER DELETE ON file_version BEGIN INSERT INTO record_due VALUES ('file/' || old.fid); END;
CREATE TRIGGER user_record_made AFTER INSERT ON user BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;
CREATE TRIGGER user_record_changed AFTER UPDATE OF uuid, name, active, changed ON user BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;
CREATE TRIGGER user_record_gone AFTER DELETE ON user BEGIN INSERT INTO record_due VALUES ('user/' || old.uid); END;
CREATE TRIGGER user_role_record_made AFTER INSERT ON user_role BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;
CREATE TRIGGER user_role_record_gone AFTER DELETE ON user_role BEGIN INSERT INTO record_due VALUES ('user/' || old.uid); END;
CREATE TRIGGER role_record_made AFTER INSERT ON role BEGIN INSERT INTO record_due VALUES ('role/' || new.name); END;
CREATE TRIGGER role_record_changed AFTER UPDATE ON role BEGIN INSERT INTO record_due VALUES ('role/' || new.name); END;
CREATE TRIGGER role_record_gone AFTER DELETE ON role BEGIN INSERT INTO record_due VALUES ('role/' || old.name); END;
CREATE TRIGGER permission_record_made AFTER INSERT ON role_permission BEGIN INSERT INTO record_due VALUES ('role/' || new.role); END;
CREATE TRIGGER permission_record_gone AFTER DELETE ON role_permission BEGIN INSERT INTO record_due VALUES ('role/' || old.role); END;
CREATE TRIGGER content_model_record_made AFTER INSERT ON content_model BEGIN INSERT INTO record_due VALUES ('content-model/1'); END;
CREATE TRIGGER content_model_record_changed AFTER UPDATE ON content_model BEGIN INSERT INTO record_due VALUES ('content-model/1'); END;
-- What a repository of the first schema holds already.
INSERT INTO job (kind, subject, made) SELECT 'record', subject, unixepoch() FROM (
  SELECT 'node/' || id AS subject FROM node
  UNION ALL SELECT 'media/' || id AS subject FROM media
  UNION ALL SELECT 'taxonomy_term/' || id AS subject FROM taxonomy_term
  UNION ALL SELECT 'file/' || fid AS subject FROM file
  UNION ALL SELECT 'user/' || uid AS subject FROM user
  UNION ALL SELECT 'role/' || name AS subject FROM role
  UNION ALL SELECT 'content-model/1' FROM content_model
);

-- Backups that were made, and those that failed.
CREATE TABLE backup (
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, scheduled INTEGER NOT NULL,
  began INTEGER NOT NULL, ended INTEGER NOT NULL, files INTEGER NOT NULL, copied INTEGER NOT NULL,
  bytes INTEGER NOT NULL, copied_bytes INTEGER NOT NULL, error TEXT
) STRICT;
-- When the bytes of a version were last read and compared with their checksum, and since when they are
-- as they were found. No row: not since they arrived.
CREATE TABLE fixity (
  fid INTEGER NOT NULL, version INTEGER NOT NULL,
  verified INTEGER NOT NULL, state TEXT NOT NULL, since INTEGER NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (fid, version),
  FOREIGN KEY (fid, version) REFERENCES file_version (fid, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX fixity_verified ON fixity (verified);
CREATE INDEX fixity_amiss ON fixity (state) WHERE state <> 'intact';

-- Which version of each of its files a media showed when a revision was made.
CREATE TABLE media_revision_file (
  revision INTEGER NOT NULL REFERENCES media_revision (revision),
  fid INTEGER NOT NULL REFERENCES file (fid), version INTEGER NOT NULL,
  PRIMARY KEY (revision, fid)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_revision_file_version ON media_revision_file (fid, version, revision);
INSERT OR IGNORE INTO media_revision_file
  SELECT r.revision, v.fid, max(v.version)
  FROM media_revision r
  CROSS JOIN json_each(r.document) field
  CROSS JOIN json_each(field.value) item
  CROSS JOIN file_version v ON v.fid = item.value ->> 'target_id' AND v.made <= r.made
  WHERE field.key IN (
    SELECT f.value ->> 'name' FROM content_model, json_each(document, '$.bundles') b, json_each(b.value, '$.fields') f
    WHERE f.value ->> 'target_type' = 'file')
  GROUP BY r.revision, v.fid;

-- What has been deleted and can be restored, in the order of deletion. What is deleted and not
-- here has been removed for good: its row stays, so that its id is never given again.
CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, entity_id INTEGER NOT NULL,
  at INTEGER NOT NULL, actor INTEGER NOT NULL, door TEXT NOT NULL,
  UNIQUE (kind, entity_id)
) STRICT;
INSERT INTO trash (kind, entity_id, at, actor, door)
  SELECT gone.kind, gone.id, gone.deleted, ifnull(event.actor, 0), ifnull(event.door, '') FROM (
    SELECT 'node' AS kind, id, deleted FROM node WHERE deleted IS NOT NULL
    UNION ALL SELECT 'media', id, deleted FROM media WHERE deleted IS NOT NULL
    UNION ALL SELECT 'taxonomy_term', id, deleted FROM taxonomy_term WHERE deleted IS NOT NULL
    UNION ALL SELECT 'file', fid, deleted FROM file WHERE deleted IS NOT NULL
  ) AS gone
  LEFT JOIN event ON event.id = (
    SELECT max(e.id) FROM event e WHERE e.kind = gone.kind AND e.entity_id = gone.id AND e.action = 'delete')
  ORDER BY gone.deleted, gone.kind, gone.id;

-- Bytes that are to lie elsewhere, or nowhere (no target), since their file has changed: written with
-- the change, carried out after it in the order of the ids, and finished at the next start.
CREATE TABLE blob_intent (
  id INTEGER PRIMARY KEY AUTOINCREMENT, blob TEXT NOT NULL, target TEXT
) STRICT;
CREATE INDEX blob_intent_blob ON blob_intent (blob, id);
CREATE INDEX blob_intent_target ON blob_intent (target);
INSERT INTO blob_intent (blob, target)
  SELECT v.blob, 'retired/' || lower(hex(randomblob(16))) || '/' || replace(v.blob, rtrim(v.blob, replace(v.blob, '/', '')), '')
  FROM file_version v JOIN file f ON f.fid = v.fid
  WHERE v.blob LIKE 'public/%' AND (v.version <> f.version OR f.deleted IS NOT NULL);

-- Uploads that come in parts. The bytes lie in uploads/, named by the id; `received` of them are on
-- disk. `request` says what is to become of them, `outcome` what has.
CREATE TABLE upload (
  id TEXT PRIMARY KEY, uid INTEGER NOT NULL, request TEXT NOT NULL,
  received INTEGER NOT NULL, length INTEGER, touched INTEGER NOT NULL, outcome TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX upload_touched ON upload (touched);
CREATE INDEX upload_unfinished ON upload (uid) WHERE outcome IS NULL;

-- Collections without a live parent stand in list 5; list 2 is for the other nodes without one.
UPDATE listing SET list = 5 WHERE list = 2 AND is_collection = 1;

-- Records say who deleted what lies in the trash.
CREATE TRIGGER trash_record_made AFTER INSERT ON trash BEGIN INSERT INTO record_due VALUES (new.kind || '/' || new.entity_id); END;
CREATE TRIGGER trash_record_changed AFTER UPDATE OF at, actor, door ON trash BEGIN INSERT INTO record_due VALUES (new.kind || '/' || new.entity_id); END;
CREATE TRIGGER trash_record_gone AFTER DELETE ON trash BEGIN INSERT INTO record_due VALUES (old.kind || '/' || old.entity_id); END;

-- Folders that are watched (docs/WATCHED-FOLDERS.md). `rule` says in JSON what becomes of their files; `origin` is
-- 'config' for those that config.toml names. A folder that is watched no longer keeps its row and its ledger.
CREATE TABLE watch_rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, rule TEXT NOT NULL, origin TEXT NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0, removed INTEGER, made INTEGER NOT NULL, changed INTEGER NOT NULL
) STRICT;
-- What has become of each file of a watched folder. Moments are Unix milliseconds, `modified` is in nanoseconds.
-- `gone`: since when it lies there no longer because we moved or removed it. `untidy`: done, and that is still to do.
CREATE TABLE watch_file (
  id INTEGER PRIMARY KEY AUTOINCREMENT, rule INTEGER NOT NULL REFERENCES watch_rule (id),
  path TEXT NOT NULL, folder TEXT NOT NULL, place_key TEXT NOT NULL,
  size INTEGER NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL,
  state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0,
  seen INTEGER NOT NULL, since INTEGER NOT NULL, due INTEGER NOT NULL, changed INTEGER NOT NULL,
  sha512 TEXT, nid INTEGER, mid INTEGER, twin INTEGER, weight INTEGER,
  untidy INTEGER NOT NULL DEFAULT 0, gone INTEGER, moved_to TEXT
) STRICT;
CREATE UNIQUE INDEX watch_file_here ON watch_file (rule, path) WHERE gone IS NULL;
CREATE INDEX watch_file_gone ON watch_file (rule, path) WHERE gone IS NOT NULL;
CREATE INDEX watch_file_newest ON watch_file (rule, id);
CREATE INDEX watch_file_state ON watch_file (rule, state, id);
CREATE INDEX watch_file_due ON watch_file (rule, state, due) WHERE state IN ('seen', 'settled');
CREATE INDEX watch_file_inode ON watch_file (rule, inode) WHERE state = 'done' AND gone IS NULL;
CREATE INDEX watch_file_modified ON watch_file (rule, modified) WHERE state = 'done' AND gone IS NULL;
CREATE INDEX watch_file_order ON watch_file (rule, folder, place_key);
CREATE INDEX watch_file_untidy ON watch_file (rule, id) WHERE untidy = 1;
-- Which item a subfolder has become.
CREATE TABLE watch_folder (
  rule INTEGER NOT NULL REFERENCES watch_rule (id), path TEXT NOT NULL, nid INTEGER NOT NULL,
  PRIMARY KEY (rule, path)
) STRICT, WITHOUT ROWID;
-- How many files of a folder are in a state, and their bytes.
CREATE TABLE watch_count (
  rule INTEGER NOT NULL, state TEXT NOT NULL, files INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (rule, state)
) STRICT, WITHOUT ROWID;
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

-- Which words items have, for questions after a beginning.
CREATE VIRTUAL TABLE item_word USING fts5vocab(item_text, instance);

-- What is made of original files besides (docs/DERIVATIVES.md): a row for each product of the present bytes of an
-- original, from the transaction that makes these known. `mid` is the media with the original, `product` the media that
-- was made. Moments are Unix seconds.
CREATE TABLE derivative (
  id INTEGER PRIMARY KEY AUTOINCREMENT, mid INTEGER NOT NULL REFERENCES media (id),
  fid INTEGER NOT NULL REFERENCES file (fid), version INTEGER NOT NULL, kind TEXT NOT NULL,
  state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0,
  due INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0, product INTEGER, changed INTEGER NOT NULL,
  UNIQUE (mid, fid, version, kind)
) STRICT;
CREATE INDEX derivative_waiting ON derivative (kind, priority DESC, id) WHERE state = 'waiting';
CREATE INDEX derivative_due ON derivative (kind, due) WHERE state = 'waiting' AND due > 0;
CREATE INDEX derivative_state ON derivative (state, id);
CREATE INDEX derivative_product ON derivative (product) WHERE product IS NOT NULL;
-- How many there are in each state, so that no count walks them.
CREATE TABLE derivative_count (
  state TEXT NOT NULL, kind TEXT NOT NULL, derivatives INTEGER NOT NULL, PRIMARY KEY (state, kind)
) STRICT, WITHOUT ROWID;
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
-- What the bytes of a version say about themselves, in JSON.
CREATE TABLE file_facts (
  fid INTEGER NOT NULL, version INTEGER NOT NULL, facts TEXT NOT NULL, made INTEGER NOT NULL,
  PRIMARY KEY (fid, version),
  FOREIGN KEY (fid, version) REFERENCES file_version (fid, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The item in the trash that a media or file went with, and comes back with.
ALTER TABLE trash ADD COLUMN item INTEGER;
CREATE INDEX trash_item ON trash (item) WHERE item IS NOT NULL;
DROP TRIGGER trash_record_changed;
CREATE TRIGGER trash_record_changed AFTER UPDATE OF at, actor, door, item ON trash BEGIN INSERT INTO record_due VALUES (new.kind || '/' || new.entity_id); END;

-- Which items have a media of a type.
CREATE INDEX media_bundle ON media (bundle, id) WHERE deleted IS NULL;

-- The names of terms, for lists in the order of what an item's first term is called.
CREATE INDEX taxonomy_term_name ON taxonomy_term (label COLLATE NOCASE, id) WHERE deleted IS NULL;
