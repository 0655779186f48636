//! `isolario import …`, `isolario push …` and `isolario terms …`, as they were written.

use std::path::{Path, PathBuf};

use super::arguments::{Import, ImportBag, ImportIslandora, ImportSite, Push, Site};
use super::password;
use super::table_arguments::ImportTable;
use super::terms::Terms;
use crate::commands::{Command, ImportTableCommand, Output, TermsCommand};
use isolario_core::actions::batches::TableOptions;
use isolario_exchange::{BagOrder, ImportOrder, PushOrder};
use isolario_platform::files;

/// A command, and the file that its report goes to.
pub struct Exchange {
    pub command: Command,
    pub report: Option<PathBuf>,
}

/// The import that was written.
///
/// # Errors
/// A sentence for what cannot be understood.
pub fn import(Import { site, table }: Import) -> Result<Exchange, String> {
    let Some(ImportSite::Islandora(import)) = site else {
        return import_table(table);
    };
    let ImportIslandora {
        site,
        collection,
        check,
    } = import;
    let order = ImportOrder {
        password: password_of(&site)?,
        site: site.address,
        user: site.user,
        collection,
        check,
    };
    Ok(Exchange {
        command: Command::Import(order),
        report: site.report,
    })
}

fn import_table(mut written: ImportTable) -> Result<Exchange, String> {
    if let Some(config) = written.config.take() {
        written = written.with_config(&config)?;
    }
    let table = written.table.unwrap_or_default();
    let unread = |error| format!("{} cannot be read: {error}.", table.display());
    let table = files::canonicalize(&table).map_err(unread)?;
    let files = written.files.map(std::path::absolute).transpose();
    let command = ImportTableCommand {
        table,
        files: files.map_err(|error| error.to_string())?,
        options: TableOptions {
            collection: written.collection,
            creates_terms: written.create_terms,
            ignored: written.ignore,
            overwrites: written.overwrite,
            columns: written.map.into_iter().collect(),
            separator: written.separator,
        },
        check: written.check,
    };
    Ok(Exchange {
        command: Command::ImportTable(command),
        report: written.report,
    })
}

/// What was written of terms. The program that carries it out may stand elsewhere.
///
/// # Errors
/// A sentence for a file that is not there.
pub fn terms(terms: Terms) -> Result<Exchange, String> {
    let (command, report) = match terms {
        Terms::Export { vocabulary, file } => {
            let target = std::path::absolute(&file).map_err(|error| error.to_string())?;
            (TermsCommand::Export { vocabulary, target }, None)
        }
        Terms::Import {
            vocabulary,
            file,
            check,
            report,
        } => {
            let unread = |error| format!("{} cannot be read: {error}.", file.display());
            let command = TermsCommand::Import {
                vocabulary,
                file: files::canonicalize(&file).map_err(unread)?,
                check,
            };
            (command, report)
        }
    };
    Ok(Exchange {
        command: Command::Terms(command),
        report,
    })
}

/// The import of a bag that was written.
///
/// # Errors
/// A sentence for what cannot be understood.
pub fn import_bag(written: ImportBag) -> Result<Exchange, String> {
    let place = std::path::absolute(&written.bag).map_err(|error| error.to_string())?;
    let name = place.file_name().unwrap_or(place.as_os_str());
    let order = BagOrder {
        name: name.to_string_lossy().into_owned(),
        place,
        is_new: written.new,
        collection: written.collection,
        check: written.check,
    };
    Ok(Exchange {
        command: Command::ImportBag(order),
        report: written.report,
    })
}

/// The push that was written.
///
/// # Errors
/// A sentence for what cannot be understood.
pub fn push(Push { site, items, below }: Push) -> Result<Exchange, String> {
    let order = PushOrder {
        password: password_of(&site)?,
        site: site.address,
        user: site.user,
        items,
        below,
    };
    Ok(Exchange {
        command: Command::Push(order),
        report: site.report,
    })
}

fn password_of(site: &Site) -> Result<Option<String>, String> {
    let Some(user) = &site.user else {
        return Ok(None);
    };
    password::of_site(site.password_file.as_deref(), user).map(Some)
}

impl Exchange {
    /// Writes the report where one is asked for: here and not by the holder of the directory, which may stand elsewhere.
    pub fn write_report(path: Option<&Path>, mut output: Output) -> Output {
        let (Some(path), Some(report)) = (path, output.report.take()) else {
            return output;
        };
        if let Err(error) = std::fs::write(path, report) {
            output.text = format!("{}\n\nThe report was not written: {error}.", output.text);
            output.code = 1;
        }
        output
    }
}
