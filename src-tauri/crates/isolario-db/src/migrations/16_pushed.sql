-- What was sent to another site: what it is there, and which state of it was sent.
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
