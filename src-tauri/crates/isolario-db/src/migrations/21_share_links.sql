-- Links to one item and everything below it, for people without an account. Only hashes of their keys are kept.
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
