-- What a repository needs to take care of its bytes and of what it once was.

-- Checksums besides SHA-512, for the versions whose sender asked for them. Hexadecimal.
ALTER TABLE file_version ADD COLUMN sha256 TEXT;
ALTER TABLE file_version ADD COLUMN md5 TEXT;
