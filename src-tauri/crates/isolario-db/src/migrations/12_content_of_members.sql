-- What has members, such as a book, is no item without an original file: the files are those of its members.
DELETE FROM listing WHERE list = 4 AND of = 0
  AND EXISTS (SELECT 1 FROM listing m WHERE m.list = 1 AND m.of = listing.node);
