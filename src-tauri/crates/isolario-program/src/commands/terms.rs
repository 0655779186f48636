//! Writes the terms of a vocabulary to a file, and takes terms from one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bag::local_base;
use super::import_table::{MOST_SAID, change_in_words, check_output, followed};
use super::{Output, Progress};
use isolario_core::actions::Refusal;
use isolario_core::actions::batches::table::terms::{
    TermCheck, begin_terms, check_terms, read_term_file,
};
use isolario_core::repository::Repository;
use isolario_core::vocabulary::{VocabularyExport, VocabularyFormat};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// What is done with the terms of a vocabulary. Files are absolute.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum TermsCommand {
    Export {
        vocabulary: String,
        target: PathBuf,
    },
    Import {
        vocabulary: String,
        file: PathBuf,
        /// Write nothing.
        check: bool,
    },
}

impl TermsCommand {
    /// Carries it out.
    pub async fn run(self, repository: &Arc<Repository>, progress: &Progress) -> Output {
        match self {
            TermsCommand::Export { vocabulary, target } => {
                match exported(repository, &vocabulary, &target).await {
                    Ok(()) => Output::done(format!("{} is written.", target.display())),
                    Err(refusal) => Output::failed(format!("Nothing was exported: {refusal}")),
                }
            }
            TermsCommand::Import {
                vocabulary,
                file,
                check,
            } => {
                let order = (vocabulary.as_str(), file.as_path());
                match imported(repository, order, check, progress).await {
                    Ok(output) => output,
                    Err(refusal) => Output::failed(format!("Nothing was imported: {refusal}")),
                }
            }
        }
    }
}

async fn exported(
    repository: &Arc<Repository>,
    vocabulary: &str,
    target: &Path,
) -> Result<(), Refusal> {
    let format = format_of(target)?;
    let base = repository.config.base_url.clone();
    let base = base.unwrap_or_else(|| local_base(repository));
    let actor = Actor::program();
    let export = VocabularyExport::begin(repository, &actor, vocabulary, format, &base)?;
    let written = export.into_file(target).await;
    written.map_err(|error| Refusal::Storage(format!("{error}.")))
}

fn format_of(target: &Path) -> Result<VocabularyFormat, Refusal> {
    let extension = target.extension().unwrap_or_default().to_string_lossy();
    match extension.to_lowercase().as_str() {
        "csv" => Ok(VocabularyFormat::Csv),
        "ttl" => Ok(VocabularyFormat::Turtle),
        "jsonld" | "json" => Ok(VocabularyFormat::JsonLd),
        _ => Err(Refusal::Invalid(
            "The name of the file does not end in .csv, .ttl, .jsonld or .json.".into(),
        )),
    }
}

async fn imported(
    repository: &Arc<Repository>,
    (vocabulary, file): (&str, &Path),
    only_check: bool,
    progress: &Progress,
) -> Result<Output, Refusal> {
    let actor = Actor::program();
    let terms = read_term_file(repository, file).await?;
    let (check, terms) = check_terms(repository, &actor, vocabulary, terms).await?;
    if only_check || !check.problems.is_empty() {
        return Ok(checked(&check));
    }
    let name = file.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let batch = begin_terms(repository, &actor, Origin::Command, name, terms).await?;
    followed(repository, &actor, batch.id, progress).await
}

fn checked(check: &TermCheck) -> Output {
    let TermCheck {
        rows,
        creates,
        updates,
        unchanged,
        ..
    } = check;
    let mut lines = vec![format!(
        "{rows} terms: {creates} new, {updates} that change, {unchanged} that stay as they are."
    )];
    for change in check.changes.iter().take(MOST_SAID) {
        let values = (change.before.as_str(), change.after.as_str());
        lines.push(change_in_words(change.row, &change.column, values));
    }
    check_output(lines, &check.problems, check.more_problems)
}
