-- Who signs in through another service (OpenID Connect): the account that belongs to a person there.
CREATE TABLE openid_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
