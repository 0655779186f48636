-- What is said about a revision is no description: it was found by its words, also by those who may not read it.
INSERT OR REPLACE INTO item_text (rowid, title, text)
SELECT node.id, node.label, ifnull((
  SELECT group_concat(value, char(10)) FROM field_text
  WHERE kind = 'node' AND id = node.id AND field NOT IN ('revision_log', '@page_of')
), '')
FROM node
WHERE deleted IS NULL AND id IN (SELECT id FROM field_text WHERE kind = 'node' AND field = 'revision_log');
DELETE FROM field_text WHERE field IN ('revision_log', 'revision_log_message');
