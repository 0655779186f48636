//! The configuration of an import with Islandora Workbench: the keys that say which table is imported, and how.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::table_arguments::ImportTable;
use isolario_disk::regular_file;

/// Tasks whose tables are imported. What others do is done elsewhere.
const TASKS: [&str; 3] = ["create", "update", "add_media"];
/// The table and the folder where the configuration names none.
const USUAL_TABLE: &str = "metadata.csv";
const USUAL_FOLDER: &str = "input_data";

/// The keys that matter. The address of the site and how to sign in there do not: the repository is here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WorkbenchConfig {
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

impl ImportTable {
    /// Adds what a configuration says, unless the command says it.
    ///
    /// # Errors
    /// A sentence for a configuration that cannot be read or that asks for something else.
    pub fn with_config(mut self, path: &Path) -> Result<ImportTable, String> {
        let unread = |error: String| format!("{} cannot be read: {error}.", path.display());
        let text = regular_file::read_to_string(path).map_err(|error| unread(error.to_string()))?;
        let config: WorkbenchConfig =
            serde_saphyr::from_str(&text).map_err(|error| unread(error.to_string()))?;
        let task = config.task.as_deref().unwrap_or(TASKS[0]);
        if !TASKS.contains(&task) {
            return Err(format!("The task {task} is no import of items."));
        }
        let beside = path.parent().unwrap_or(Path::new(""));
        let folder = config.input_dir.unwrap_or_else(|| USUAL_FOLDER.into());
        let folder = beside.join(folder);
        let table = config.input_csv.unwrap_or_else(|| USUAL_TABLE.to_owned());
        if table.starts_with("http") {
            return Err("The table lies in the web. Download it, and name the file.".into());
        }
        self.table.get_or_insert(folder.join(table));
        self.files.get_or_insert(folder);
        self.create_terms |= config.allow_adding_terms.unwrap_or(false);
        self.ignore.extend(config.ignore_csv_columns);
        self.separator = self.separator.or(config.subdelimiter);
        let id = config.id_field.filter(|id| id != "id");
        self.map
            .extend(id.map(|heading| (heading, "id".to_owned())));
        for (heading, media_use) in config.additional_files.into_iter().flatten() {
            let media_use = match media_use {
                MediaUse::Id(tid) => tid.to_string(),
                MediaUse::Name(name) => name,
            };
            self.map.push((heading, format!("file:{media_use}")));
        }
        Ok(self)
    }
}
