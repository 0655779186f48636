-- A batch changes many items: one request, one job, one undo. Its items are written when it is made, and its progress
-- with each part that is committed, so that it goes on after a stop where it was.
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
  node INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  before INTEGER,
  after INTEGER,
  message TEXT,
  PRIMARY KEY (batch, position)
) WITHOUT ROWID;
CREATE INDEX batch_item_state ON batch_item (batch, state, position);

ALTER TABLE node_revision ADD COLUMN batch INTEGER;
ALTER TABLE media_revision ADD COLUMN batch INTEGER;
ALTER TABLE taxonomy_term_revision ADD COLUMN batch INTEGER;
ALTER TABLE event ADD COLUMN batch INTEGER;
CREATE INDEX event_batch ON event (batch, id) WHERE batch IS NOT NULL;
