//! The configuration of an import with Islandora Workbench: the keys that say which table is imported, and how.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::super::table_plan::TableOptions;
use isolario_disk::regular_file;

/// Tasks whose tables are imported. What others do is done elsewhere.
const TASKS: [&str; 3] = ["create", "update", "add_media"];
/// The table and the folder where the configuration names none.
const USUAL_TABLE: &str = "metadata.csv";
const USUAL_FOLDER: &str = "input_data";

/// The keys that matter. The address of the site and how to sign in there do not: the repository is here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct WorkbenchConfig {
    task: Option<String>,
    input_dir: Option<PathBuf>,
    input_csv: Option<String>,
    subdelimiter: Option<String>,
    id_field: Option<String>,
    allow_adding_terms: Option<bool>,
    ignore_csv_columns: Vec<String>,
    /// Columns of files with the ids, names or URIs of their media uses.
    additional_files: Vec<BTreeMap<String, MediaUse>>,
}

/// A media use.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum MediaUse {
    Id(i64),
    Name(String),
}

impl WorkbenchConfig {
    /// # Errors
    /// A sentence for a configuration that cannot be read or that asks for something else than an import of items.
    pub fn read(path: &Path) -> Result<WorkbenchConfig, String> {
        let unread = |error: String| format!("{} cannot be read: {error}.", path.display());
        let text = regular_file::read_to_string(path).map_err(|error| unread(error.to_string()))?;
        let config: WorkbenchConfig =
            serde_saphyr::from_str(&text).map_err(|error| unread(error.to_string()))?;
        let task = config.task.as_deref().unwrap_or(TASKS[0]);
        match TASKS.contains(&task) {
            true => Ok(config),
            false => Err(format!("The task {task} is no import of items.")),
        }
    }

    /// The folder of the files, and the table in it. `None` for a table in the web.
    pub fn table(&self) -> Option<(PathBuf, PathBuf)> {
        let folder = self.input_dir.clone().unwrap_or(USUAL_FOLDER.into());
        let table = self.input_csv.as_deref().unwrap_or(USUAL_TABLE);
        let is_in_the_web = table.starts_with("http");
        (!is_in_the_web).then(|| (folder.clone(), folder.join(table)))
    }

    /// The same, where both are in the folder of the configuration.
    pub(super) fn table_within(&self) -> Option<(PathBuf, PathBuf)> {
        let is_within = |path: &Path| {
            let mut parts = path.components();
            parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        self.table()
            .filter(|(folder, table)| is_within(folder) && is_within(table))
    }

    /// How its table is imported.
    pub fn options(self) -> TableOptions {
        let id = self.id_field.filter(|id| id != "id");
        let id = id.map(|heading| (heading, "id".to_owned()));
        let files = self.additional_files.into_iter().flatten();
        let files = files.map(|(heading, media_use)| {
            let media_use = match media_use {
                MediaUse::Id(tid) => tid.to_string(),
                MediaUse::Name(name) => name,
            };
            (heading, format!("file:{media_use}"))
        });
        TableOptions {
            creates_terms: self.allow_adding_terms.unwrap_or(false),
            ignored: self.ignore_csv_columns,
            columns: id.into_iter().chain(files).collect(),
            separator: self.subdelimiter,
            ..TableOptions::default()
        }
    }
}
