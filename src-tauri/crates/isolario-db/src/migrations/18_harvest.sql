-- What OAI-PMH says of items, deleted ones too: `datestamp` (Unix seconds) grows with each change of their records.
-- Items that never were public are not here.
CREATE TABLE harvest (
  node INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, datestamp INTEGER NOT NULL, deleted INTEGER NOT NULL,
  -- Whether it is a set.
  collection INTEGER NOT NULL
) STRICT;
CREATE INDEX harvest_datestamp ON harvest (datestamp, node);
CREATE INDEX harvest_collection ON harvest (node) WHERE collection AND NOT deleted;
-- The sets of an item: the public collections above it.
CREATE TABLE harvest_set (
  collection INTEGER NOT NULL, datestamp INTEGER NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (collection, datestamp, node)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX harvest_set_node ON harvest_set (node, collection);
-- One row: which changes both tables have.
CREATE TABLE harvest_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- All events up to this one.
  event INTEGER NOT NULL,
  -- When they were taken over, in Unix seconds. Later ones have no earlier datestamp. 0 before all items are there.
  time INTEGER NOT NULL,
  -- While items are taken over for the first time: the last of them.
  node INTEGER
) STRICT;
