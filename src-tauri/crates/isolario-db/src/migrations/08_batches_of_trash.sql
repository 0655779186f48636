-- Batches also delete, restore and purge, and not items alone. How much went with an item says that it was deleted,
-- restored or purged.
ALTER TABLE batch_item RENAME COLUMN node TO entity_id;
ALTER TABLE batch_item ADD COLUMN kind TEXT NOT NULL DEFAULT 'node';
ALTER TABLE batch_item ADD COLUMN parts INTEGER;
CREATE INDEX batch_item_entity ON batch_item (batch, entity_id);
