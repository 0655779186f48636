-- A derivative of a picture is made with a crop and a rotation: those of its media when it was asked for.
ALTER TABLE derivative ADD COLUMN adjustment TEXT;
