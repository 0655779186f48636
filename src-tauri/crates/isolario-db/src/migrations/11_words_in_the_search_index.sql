-- Words of items are found by the index of searches, which follows the events.
DROP TABLE item_word;
DROP TABLE item_text;
-- Nobody sorts or filters by the numbers of base fields.
DELETE FROM field_number WHERE field NOT LIKE 'field%';
