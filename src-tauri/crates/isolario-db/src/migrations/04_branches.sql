-- A branch of a list of members is a member that has members itself or stands in several such lists. What is below a
-- node is counted along the branches. Any other member stands in one list, of which the number is kept.
ALTER TABLE listing ADD COLUMN is_branch INTEGER NOT NULL DEFAULT 0;

UPDATE listing SET is_branch = 1 WHERE list = 1 AND (
  EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = listing.node)
  OR EXISTS (SELECT 1 FROM listing o WHERE o.node = listing.node AND o.list = 1 AND o.of <> listing.of));

CREATE INDEX listing_branch ON listing (of, published, owner, node, is_collection, is_branch) WHERE list = 1 AND is_branch = 1;

CREATE TRIGGER listing_branched AFTER INSERT ON listing WHEN new.list = 1 BEGIN
  UPDATE listing SET is_branch = 1 WHERE node = new.of AND list = 1 AND is_branch = 0;
  UPDATE listing SET is_branch = 1 WHERE node = new.node AND list = 1 AND is_branch = 0 AND (
    EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = new.node)
    OR EXISTS (SELECT 1 FROM listing o WHERE o.node = new.node AND o.list = 1 AND o.of <> listing.of));
END;

CREATE TRIGGER listing_pruned AFTER DELETE ON listing WHEN old.list = 1 BEGIN
  UPDATE listing SET is_branch = 0 WHERE node IN (old.of, old.node) AND list = 1 AND is_branch = 1
    AND NOT EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = listing.node)
    AND NOT EXISTS (SELECT 1 FROM listing o WHERE o.node = listing.node AND o.list = 1 AND o.of <> listing.of);
END;

CREATE TRIGGER listing_lifted AFTER UPDATE OF list, of ON listing WHEN old.list = 1 BEGIN
  UPDATE listing SET is_branch = 0 WHERE node IN (old.of, old.node) AND list = 1 AND is_branch = 1
    AND NOT EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = listing.node)
    AND NOT EXISTS (SELECT 1 FROM listing o WHERE o.node = listing.node AND o.list = 1 AND o.of <> listing.of);
END;
