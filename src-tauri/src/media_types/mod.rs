//! One file per media type that has behaviour of its own.
