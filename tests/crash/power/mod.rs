//! A power cut: unlike a kill, it takes away what was not synced.
//!
//! The real program works while a library of ours before the C library (`record.c`) writes down what
//! it asks of the disk and when it answers. From that record the disk is made as a power cut may have
//! left it at any moment, and the real program is started on it and judged by what it had acknowledged.
//! And for each place of the program that syncs: without it, something is lost.

mod cuts;
mod disk;
mod judge;
mod moment;
mod omission;
mod record;
mod recorder;
mod remains;
mod script;
mod sites;
mod sources;
