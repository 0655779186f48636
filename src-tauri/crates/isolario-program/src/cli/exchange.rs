//! `isolario import …` and `isolario push …`, as they were written.

use std::path::{Path, PathBuf};

use super::arguments::{Import, ImportIslandora, Push, Site};
use super::{password, run};
use crate::commands::{Command, Output};
use isolario_exchange::{ImportOrder, PushOrder};

/// Imports, and writes the report where one is asked for.
pub fn import(data: Option<PathBuf>, Import::Islandora(import): Import) -> Output {
    let ImportIslandora {
        site,
        collection,
        check,
    } = import;
    let password = match password_of(&site) {
        Ok(password) => password,
        Err(words) => return Output::failed(words),
    };
    let order = ImportOrder {
        site: site.address,
        user: site.user,
        password,
        collection,
        check,
    };
    with_report(
        run::carry_out(data, Command::Import(order)),
        site.report.as_deref(),
    )
}

/// Sends, and writes the report where one is asked for.
pub fn push(data: Option<PathBuf>, push: Push) -> Output {
    let Push { site, items, below } = push;
    let password = match password_of(&site) {
        Ok(password) => password,
        Err(words) => return Output::failed(words),
    };
    let order = PushOrder {
        site: site.address,
        user: site.user,
        password,
        items,
        below,
    };
    let output = run::carry_out_on_repository(data, Command::Push(order));
    with_report(output, site.report.as_deref())
}

fn password_of(site: &Site) -> Result<Option<String>, String> {
    let Some(user) = &site.user else {
        return Ok(None);
    };
    password::of_site(site.password_file.as_deref(), user).map(Some)
}

/// The report is written here and not by the holder of the directory, which may stand elsewhere.
fn with_report(mut output: Output, path: Option<&Path>) -> Output {
    let (Some(path), Some(report)) = (path, output.report.take()) else {
        return output;
    };
    if let Err(error) = std::fs::write(path, report) {
        output.text = format!("{}\n\nThe report was not written: {error}.", output.text);
        output.code = 1;
    }
    output
}
