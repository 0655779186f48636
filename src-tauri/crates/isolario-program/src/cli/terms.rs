//! What can be written after `isolario terms`.

use std::path::PathBuf;

use clap::Subcommand;

/// What is done with the terms of a vocabulary.
#[derive(Debug, Subcommand)]
pub enum Terms {
    /// Write the terms as a table (.csv), or in SKOS (.ttl, .jsonld)
    Export {
        /// Name of the vocabulary, such as subject
        vocabulary: String,
        /// File to write; one of that name is replaced when the new one is whole
        file: PathBuf,
    },
    /// Make and change terms; again, and only what differs is changed
    Import {
        /// Name of the vocabulary, such as subject
        vocabulary: String,
        /// Table in CSV, XLSX or ODS with a column “name”, or SKOS in Turtle or JSON-LD
        file: PathBuf,
        /// Write nothing; say what would change, and everything that is wrong
        #[arg(long)]
        check: bool,
        /// Write every problem, or what became of every term, to a file in CSV
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
}
