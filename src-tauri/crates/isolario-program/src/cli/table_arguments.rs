//! `isolario import TABLE`: what can be written behind it.

use std::path::{Path, PathBuf};

use clap::Args;

use isolario_core::actions::batches::table::WorkbenchConfig;

/// Which table is imported, and how.
#[derive(Debug, Args)]
pub struct ImportTable {
    /// Table in CSV, XLSX or ODS, or a ZIP with one and its files; rows with a node_id change that item, the others make items
    #[arg(value_name = "TABLE", required_unless_present = "config")]
    pub table: Option<PathBuf>,
    /// Configuration of Islandora Workbench (YAML): its table, files, separators and columns
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder of the files that rows name in the column `file`; without it they lie beside the table
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
    /// Number of the collection that new items go to, unless the table says where
    #[arg(long, value_name = "NUMBER")]
    pub collection: Option<i64>,
    /// Write nothing; say what would change, and everything that is wrong
    #[arg(long)]
    pub check: bool,
    /// Make terms that there are not
    #[arg(long)]
    pub create_terms: bool,
    /// Columns to pass by, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// What a heading of another program stands for: `--map "Dublin Core:Title=title"`; again for each
    #[arg(long, value_name = "HEADING=COLUMN", value_parser = heading_and_column)]
    pub map: Vec<(String, String)>,
    /// What stands between several values of a cell, instead of `|`
    #[arg(long, value_name = "TEXT")]
    pub separator: Option<String>,
    /// Also change items that somebody has changed since the table was exported
    #[arg(long)]
    pub overwrite: bool,
    /// Write every problem, or what became of every row, to a file in CSV
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

impl ImportTable {
    /// Adds what a configuration says, unless the command says it.
    ///
    /// # Errors
    /// A sentence for a configuration that cannot be read or that asks for something else.
    pub fn with_config(mut self, path: &Path) -> Result<ImportTable, String> {
        let config = WorkbenchConfig::read(path)?;
        let (folder, table) = config
            .table()
            .ok_or("The table lies in the web. Download it, and name the file.")?;
        let beside = path.parent().unwrap_or(Path::new(""));
        self.table.get_or_insert(beside.join(table));
        self.files.get_or_insert(beside.join(folder));
        let options = config.options();
        self.create_terms |= options.creates_terms;
        self.ignore.extend(options.ignored);
        self.separator = self.separator.or(options.separator);
        self.map.splice(0..0, options.columns);
        Ok(self)
    }
}

/// A heading and the column that it stands for.
fn heading_and_column(text: &str) -> Result<(String, String), String> {
    let (heading, column) = text
        .rsplit_once('=')
        .ok_or("it has no = between heading and column")?;
    Ok((heading.trim().to_owned(), column.trim().to_owned()))
}
