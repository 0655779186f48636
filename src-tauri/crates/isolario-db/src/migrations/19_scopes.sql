-- What the bearer of an access token may do with it, and from where it was used last.
ALTER TABLE access_token ADD COLUMN scope TEXT NOT NULL DEFAULT 'all';
ALTER TABLE access_token ADD COLUMN last_address TEXT;
