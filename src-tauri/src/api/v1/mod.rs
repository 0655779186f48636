//! What the window needs beyond the interface, under `/api/v1`.
