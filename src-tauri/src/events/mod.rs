//! Hands committed changes out to those who listen.
