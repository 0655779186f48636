//! `isolario derive`: makes a derivative of the file on standard input. The program starts itself with it in a sandbox,
//! so that a file which crashes its reader crashes nothing else.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use isolario_core::jobs::{ProcessLimits, enter_sandbox};
use isolario_derive::{Adjustment, Derivative, DeriveError, Kind, Source, derive};
use isolario_platform::process::standard_input;

/// Exit codes beside 0 for what was made and 1 for what failed and may be tried again.
const REFUSED: u8 = 3;
const MISSING: u8 = 4;

/// What is said about the file on standard input.
pub struct StandardInput {
    /// MIME type that it came with.
    pub mime: String,
    /// Name that it came with.
    pub name: Option<String>,
    /// How its picture is to be adjusted.
    pub adjust: Adjustment,
    /// The page that the derivative is made of, from 1 on; none for the whole file.
    pub page: Option<usize>,
}

/// Writes the derivative of that kind to standard output. The last line of standard error is one JSON
/// object: `{"made": {"mime", "extension", "facts"}}`, `{"refused": words}`, `{"missing": words}` or
/// `{"failed": words}`.
pub fn run(kind: Kind, input: &StandardInput, bounds: &ProcessLimits) -> ExitCode {
    let confined = enter_sandbox(kind, &input.mime, bounds);
    let confined = confined
        .map_err(|error| DeriveError::Failed(format!("The process cannot be confined: {error}.")));
    let source = confined.and_then(|()| source(input));
    let made = source.and_then(|mut source| {
        let mut out = io::stdout().lock();
        let made = derive(kind, &mut source, &mut out)?;
        out.flush().map_err(DeriveError::not_written)?;
        Ok(made)
    });
    let (code, line) = match made {
        Ok(made) => (0, in_json(&made)),
        Err(DeriveError::Unreadable(words)) => (REFUSED, json!({"refused": words})),
        Err(DeriveError::Missing(words)) => (MISSING, json!({"missing": words})),
        Err(DeriveError::Failed(words)) => (1, json!({"failed": words})),
    };
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr(), "{line}");
    ExitCode::from(code)
}

fn in_json(made: &Derivative) -> Value {
    json!({"made": {"mime": made.mime, "extension": made.extension, "facts": made.facts}})
}

fn source(said: &StandardInput) -> Result<Source, DeriveError> {
    let named = |input| Source::new(input, &said.mime, said.name.as_deref());
    let source = standard_input().and_then(named).map(|source| {
        let source = source.adjusted(said.adjust);
        match said.page {
            Some(page) => source.of_page(page),
            None => source,
        }
    });
    source.map_err(|error| DeriveError::Failed(format!("Standard input cannot be read: {error}.")))
}
