-- The second factor of an account: a secret of time-based codes in base 32 (RFC 6238), and the number of the 30 seconds whose
-- code was used last. A code lets in once.
ALTER TABLE user ADD COLUMN second_factor TEXT;
ALTER TABLE user ADD COLUMN second_factor_step INTEGER NOT NULL DEFAULT 0;
