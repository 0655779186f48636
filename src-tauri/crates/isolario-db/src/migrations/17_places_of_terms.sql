-- Where terms lie: below which term, and in which order there. 0 is the top.
CREATE TABLE term_place (
  vocabulary TEXT NOT NULL, parent INTEGER NOT NULL, weight INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  id INTEGER NOT NULL,
  PRIMARY KEY (vocabulary, parent, weight, name, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX term_place_of ON term_place (id);
INSERT INTO term_place
  SELECT DISTINCT t.bundle, coalesce(p.id, 0), coalesce(CAST(t.document ->> '$.weight[0].value' AS INTEGER), 0), t.label, t.id
  FROM taxonomy_term t
  LEFT JOIN field_reference r ON r.kind = 'taxonomy_term' AND r.id = t.id AND r.field = 'parent'
    AND EXISTS (SELECT 1 FROM taxonomy_term a WHERE a.id = r.target_id AND a.deleted IS NULL)
  LEFT JOIN taxonomy_term p ON p.id = r.target_id AND p.deleted IS NULL
  WHERE t.deleted IS NULL;
