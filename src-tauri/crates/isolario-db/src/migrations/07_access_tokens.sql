-- Access tokens of services: the program knows a token by its hash alone.
CREATE TABLE access_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, last_used INTEGER, expires INTEGER,
  UNIQUE (uid, name)
) STRICT;
