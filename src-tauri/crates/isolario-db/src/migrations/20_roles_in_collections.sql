-- The roles that an account has in a collection and everything below it.
CREATE TABLE user_collection_role (
  uid INTEGER NOT NULL REFERENCES user (uid) ON DELETE CASCADE,
  -- A node id. The roles outlast a collection in the trash.
  collection INTEGER NOT NULL,
  role TEXT NOT NULL REFERENCES role (name) ON DELETE CASCADE,
  PRIMARY KEY (uid, collection, role)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_collection_role_collection ON user_collection_role (collection, uid, role);

CREATE TRIGGER user_collection_role_record_made AFTER INSERT ON user_collection_role BEGIN INSERT INTO record_due VALUES ('user/' || new.uid); END;
CREATE TRIGGER user_collection_role_record_gone AFTER DELETE ON user_collection_role BEGIN INSERT INTO record_due VALUES ('user/' || old.uid); END;
