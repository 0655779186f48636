-- A change of a node writes one row for all that follows after its commit: its index rows, those of its references to
-- terms among them, and the job of its record.
ALTER TABLE index_due ADD COLUMN is_record_due INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER node_record_made;
DROP TRIGGER node_record_changed;
CREATE TRIGGER node_record_made AFTER INSERT ON node
BEGIN INSERT INTO index_due (node, is_record_due) VALUES (new.id, 1) ON CONFLICT DO UPDATE SET is_record_due = 1; END;
CREATE TRIGGER node_record_changed AFTER UPDATE OF document, deleted ON node
BEGIN INSERT INTO index_due (node, is_record_due) VALUES (new.id, 1) ON CONFLICT DO UPDATE SET is_record_due = 1; END;

-- What was due before has no references to terms: they were written at once.
UPDATE index_due SET value_rows = (
  SELECT json_group_array(json(item)) FROM (
    SELECT value AS item FROM json_each(index_due.value_rows)
    UNION ALL
    SELECT json_object('field', r.field, 'delta', r.delta, 'value', json_object('Reference', json_object('kind', 'taxonomy_term', 'id', r.target_id)))
    FROM field_reference r WHERE r.kind = 'node' AND r.id = index_due.node AND r.target_kind = 'taxonomy_term'))
WHERE value_rows IS NOT NULL;
