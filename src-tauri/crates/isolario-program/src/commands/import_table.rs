//! Makes and changes items by a table.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use super::{Output, Progress};
use isolario_core::actions::Refusal;
use isolario_core::actions::batches::table::{
    FOLDER, RowFile, TableCheck, TableProblem, begin_table, check_table, read_table,
};
use isolario_core::actions::batches::{TableFolder, TableOptions, report};
use isolario_core::jobs::start_batch;
use isolario_core::repository::Repository;
use isolario_db::Batch;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Problems that the text of an answer names. The report has all.
pub(super) const MOST_SAID: usize = 20;
/// How long it takes between two looks at the batch.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Which table is imported, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportTableCommand {
    /// Absolute.
    pub table: PathBuf,
    /// The folder of the files that the rows name, absolute. Without it they lie beside the table.
    #[serde(default)]
    pub files: Option<PathBuf>,
    pub options: TableOptions,
    /// Write nothing.
    pub check: bool,
}

impl ImportTableCommand {
    /// Carries it out.
    pub async fn run(self, repository: &Arc<Repository>, progress: &Progress) -> Output {
        match self.carried_out(repository, progress).await {
            Ok(output) => output,
            Err(refusal) => Output::failed(format!("Nothing was imported: {refusal}")),
        }
    }

    async fn carried_out(
        &self,
        repository: &Arc<Repository>,
        progress: &Progress,
    ) -> Result<Output, Refusal> {
        let rows = self.read(repository).await?;
        let say = progress.say();
        let tell = move |rows: u64| say(format!("{rows} rows checked"));
        let actor = Actor::program();
        let check = check_table(repository, &actor, &rows, &self.options, &tell).await?;
        if self.check || !check.problems.is_empty() {
            return Ok(checked(&check));
        }
        let name = self.table.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let options = self.options.clone();
        let batch = begin_table(repository, &actor, Origin::Command, name, rows, options).await?;
        followed(repository, &actor, batch.id, progress).await
    }

    async fn read(&self, repository: &Repository) -> Result<RowFile, Refusal> {
        let (table, files) = (self.table.clone(), self.files.clone());
        let folder = repository.directory.join(FOLDER);
        let read = tokio::task::spawn_blocking(move || {
            let mut rows = read_table(&table, &folder)?;
            let beside = table.parent().map(PathBuf::from);
            if let Some(files) = files.or(beside) {
                rows.set_folder(TableFolder::of_machine(&files)?);
            }
            Ok(rows)
        });
        read.await
            .map_err(|error| Refusal::Storage(error.to_string()))?
    }
}

/// Runs the batch of an import to its end, and tells what became of its rows.
///
/// # Errors
/// What the database refuses.
pub(super) async fn followed(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    progress: &Progress,
) -> Result<Output, Refusal> {
    // It goes on when nobody waits for it any more.
    start_batch(repository, actor, id);
    loop {
        let batch = repository.db.read(move |read| read.batch(id)).await?;
        let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
            break;
        };
        progress.set(format!("{} of {} rows", batch.done, batch.total));
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    imported(repository, id).await
}

fn checked(check: &TableCheck) -> Output {
    let TableCheck {
        rows,
        creates,
        updates,
        unchanged,
        ..
    } = check;
    let mut lines = vec![format!(
        "{rows} rows: {creates} new items, {updates} items that change, {unchanged} that stay as they are."
    )];
    if check.files > 0 {
        lines.push(format!(
            "{} files, {} bytes.",
            check.files, check.file_bytes
        ));
    }
    if !check.new_terms.is_empty() {
        lines.push(format!("New terms: {}.", check.new_terms.join(", ")));
    }
    for change in check.changes.iter().take(MOST_SAID) {
        let values = (change.before.as_str(), change.after.as_str());
        lines.push(change_in_words(change.row, &change.column, values));
    }
    check_output(lines, &check.problems, check.more_problems)
}

/// What a check has found, with its problems behind it and as a report.
pub(super) fn check_output(mut lines: Vec<String>, problems: &[TableProblem], more: u64) -> Output {
    let all = problems.len() as u64 + more;
    lines.extend(problems_in_words(problems, all));
    Output {
        text: lines.join("\n"),
        code: u8::from(all > 0),
        is_answer: true,
        report: Some(problems_as_csv(problems)),
    }
}

/// A value that an import changes.
pub(super) fn change_in_words(row: u64, column: &str, (before, after): (&str, &str)) -> String {
    format!("Row {row}, {column}: {after:?} instead of {before:?}.")
}

/// The first problems, and how many there are.
fn problems_in_words(problems: &[TableProblem], all: u64) -> Vec<String> {
    let mut lines: Vec<String> = problems.iter().take(MOST_SAID).map(in_words).collect();
    if all > 0 {
        lines.push(format!("{all} problems. Nothing was imported."));
    }
    lines
}

fn in_words(problem: &TableProblem) -> String {
    let place = match problem.column.as_str() {
        "" => format!("Row {}", problem.row),
        column => format!("Row {}, {column}", problem.row),
    };
    let value = match problem.value.as_str() {
        "" => String::new(),
        value => format!(" ({value:?})"),
    };
    let suggestion = problem.suggestion.as_ref();
    let suggestion = suggestion.map_or(String::new(), |name| format!(" Perhaps {name:?}?"));
    format!("{place}{value}: {}{suggestion}", problem.reason)
}

/// The problems as a report in CSV.
fn problems_as_csv(problems: &[TableProblem]) -> String {
    let rows = problems.iter().map(|problem| {
        vec![
            problem.row.to_string(),
            problem.column.clone(),
            problem.value.clone(),
            problem.reason.clone(),
            problem.suggestion.clone().unwrap_or_default(),
        ]
    });
    as_csv(&["row", "column", "value", "problem", "suggestion"], rows)
}

fn as_csv(heading: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut lines = csv::Writer::from_writer(Vec::new());
    let written = lines.write_record(heading).and_then(|()| {
        for row in rows {
            let row = row.iter().map(|cell| isolario_model::tables::guard(cell));
            lines.write_record(row.map(|cell| cell.into_owned()))?;
        }
        Ok(())
    });
    let bytes = written.map(|()| lines.into_inner().unwrap_or_default());
    String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}

async fn imported(repository: &Arc<Repository>, id: i64) -> Result<Output, Refusal> {
    let batch = repository.db.read(move |read| read.batch(id)).await?;
    let batch = batch.ok_or_else(|| Refusal::Missing("The import is gone.".into()))?;
    let mut chunks = Box::pin(report(repository, id));
    let mut table = Vec::new();
    while let Some(chunk) = chunks.next().await {
        table.extend_from_slice(&chunk?);
    }
    Ok(Output {
        text: summary(&batch),
        code: u8::from(batch.refused > 0 || batch.reason.is_some()),
        is_answer: true,
        report: Some(String::from_utf8_lossy(&table).into_owned()),
    })
}

fn summary(batch: &Batch) -> String {
    let Batch {
        id,
        changed,
        refused,
        reason,
        ..
    } = batch;
    let mut text = format!("{changed} changes, {refused} rows refused. It is batch {id}.");
    if let Some(reason) = reason {
        text = format!("{text} It ended early: {reason}");
    }
    text
}
