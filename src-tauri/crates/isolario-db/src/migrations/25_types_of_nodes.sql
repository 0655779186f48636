-- The type of a node is found by a row that follows its commit, instead of an index that each commit writes.
DROP INDEX node_bundle;
INSERT INTO field_text (kind, id, field, delta, value)
SELECT 'node', id, 'type', 0, bundle FROM node WHERE deleted IS NULL;
UPDATE index_due SET value_rows = json_insert(
  value_rows, '$[#]', json_object('field', 'type', 'delta', 0, 'value', json_object('Text', n.bundle)))
FROM node n WHERE n.id = index_due.node AND value_rows IS NOT NULL AND n.deleted IS NULL;
