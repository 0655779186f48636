-- What lies in a bucket of the uploads that are not complete.
CREATE TABLE upload_piece (
  id TEXT NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
  start INTEGER NOT NULL, size INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (id, start)
) STRICT, WITHOUT ROWID;
