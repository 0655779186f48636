//! What can be written after `isolario`.

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{Args, Parser, Subcommand};

use super::account_arguments::User;
use super::table_arguments::ImportTable;
use super::terms::Terms;
use isolario_config::DerivativeRules;
use isolario_core::actions::move_bytes::Destination;
use isolario_derive::{Adjustment, Kind};
use isolario_model::fields::TermNotation;

/// A digital repository, whole, in one program. Without a command it opens its window; where there
/// is no display it serves instead.
#[derive(Debug, Parser)]
#[command(name = "isolario", version)]
pub struct Arguments {
    /// Data directory of the repository
    #[arg(long, global = true, env = "ISOLARIO_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Make no pictures, texts and facts of files in this run, whatever config.toml says
    #[arg(long, global = true, env = "ISOLARIO_NO_DERIVATIVES")]
    pub no_derivatives: bool,
    /// What to do; without it the window opens.
    #[command(subcommand)]
    pub action: Option<Action>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Serve the repository without a window
    Serve(Serve),
    /// Add, change and list user accounts
    #[command(subcommand)]
    User(User),
    /// Add and list roles
    #[command(subcommand)]
    Role(Role),
    /// Make, list and revoke access tokens; change the key that signs bearer tokens
    #[command(subcommand)]
    Token(Token),
    /// Copy the whole repository into a folder, while it goes on; again, and only what is new is copied
    Backup {
        /// Folder on another disk: new, empty, or with a backup in it
        target: PathBuf,
    },
    /// Make a repository from a backup
    Restore {
        /// Folder with a backup; the repository is made in --data DIR, which must be new or empty
        source: PathBuf,
    },
    /// Make the database again from records/ and the bytes, when it is lost or damaged
    Rebuild {
        /// Even if there is a sound database; it is moved aside
        #[arg(long)]
        force: bool,
        /// The records instead, from the database that is there; the former ones are moved aside
        #[arg(long, conflicts_with = "force")]
        records: bool,
    },
    /// Make the index of searches again, of all items
    Reindex,
    /// Move the bytes of all files into the bucket of config.toml, or back to the disk, while the repository goes on
    MoveBytes {
        /// Where they go; new ones then go there, too
        #[arg(value_name = "bucket|disk", value_parser = destination)]
        destination: Destination,
    },
    /// Look whether the whole repository is as it should be; nothing is changed
    Check {
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Watch folders: what is put into them becomes items by itself
    #[command(subcommand)]
    Watch(Watch),
    /// Make and change items by a table, or bring them from another repository; again, and only what has changed comes
    Import(Import),
    /// Send items to a site with Islandora 2, or another Isolario; again, and only what has changed here is sent
    Push(Push),
    /// Write items as a table that can be changed and loaded again; without a choice, all items
    Export(Export),
    /// Write the terms of a vocabulary to a file, or take terms from one
    #[command(subcommand)]
    Terms(Terms),
    /// Write an item with everything below it as a bag (BagIt) for another repository or an archive
    Bag {
        /// Number of an item or collection
        item: i64,
        /// ZIP to write, if it is named so, otherwise a folder, which must not be there; a folder that broke off goes on
        target: PathBuf,
    },
    /// Bring the items of a bag that Isolario has made, with their UUIDs, or the files of another one; again, and only
    /// what has changed is brought
    ImportBag(ImportBag),
    /// Check a bag of anybody: whether all its files are there, unchanged, and no others
    CheckBag {
        /// Folder of the bag, or a ZIP of it
        bag: PathBuf,
    },
    /// Print the OpenAPI description of the interface
    Openapi,
    /// Make a thumbnail, a text or the like of the file on standard input
    #[command(hide = true)]
    Derive {
        /// What to make
        kind: Kind,
        /// MIME type that the file came with
        #[arg(long, value_name = "TYPE")]
        mime: String,
        /// Name that the file came with
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// Region and rotation of the picture: full/90, 10,20,300,400/0
        #[arg(long, value_name = "REGION/ROTATION", default_value = "full/0")]
        adjust: Adjustment,
        /// Page of a TIFF or PDF, from 1 on, instead of the whole file
        #[arg(long, value_name = "NUMBER")]
        page: Option<usize>,
        /// Address space that it may take
        #[arg(long, value_name = "MB", default_value_t = DerivativeRules::default().memory)]
        memory: u64,
        /// Processor time that it may take
        #[arg(long, value_name = "SECONDS", default_value_t = DerivativeRules::default().seconds)]
        seconds: u64,
    },
}

/// How to serve.
#[derive(Debug, Default, Args)]
pub struct Serve {
    /// Address and port, instead of those in config.toml
    #[arg(long, value_name = "ADDR:PORT")]
    pub listen: Option<SocketAddr>,
    /// Public address of the repository, instead of the one in config.toml
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
}

/// Which bag is imported, and how.
#[derive(Debug, Args)]
pub struct ImportBag {
    /// Folder of the bag, or a ZIP of it; a damaged one is refused
    pub bag: PathBuf,
    /// Make new items with new UUIDs, beside those that are here
    #[arg(long)]
    pub new: bool,
    /// Number of the collection that the files of a bag of another program go to
    #[arg(long, value_name = "NUMBER")]
    pub collection: Option<i64>,
    /// Write nothing; say what would come
    #[arg(long)]
    pub check: bool,
    /// Write everything that was lost, with the reasons, to a file in CSV
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// What is imported: a table, or another site.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Import {
    #[command(subcommand)]
    pub site: Option<ImportSite>,
    #[command(flatten)]
    pub table: ImportTable,
}

/// Where items can come from.
#[derive(Debug, Subcommand)]
pub enum ImportSite {
    /// A site with Islandora 2, or another Isolario
    Islandora(ImportIslandora),
}

/// What comes from which site.
#[derive(Debug, Args)]
pub struct ImportIslandora {
    #[command(flatten)]
    pub site: Site,
    /// Number of a collection there, instead of everything that can be reached
    #[arg(long, value_name = "NUMBER")]
    pub collection: Option<i64>,
    /// Write nothing; say what would come, and what has no counterpart here
    #[arg(long)]
    pub check: bool,
}

/// What goes to which site.
#[derive(Debug, Args)]
pub struct Push {
    #[command(flatten)]
    pub site: Site,
    /// Numbers of items
    #[arg(required = true, value_name = "ITEM")]
    pub items: Vec<i64>,
    /// Send what is in these items, too, at any depth
    #[arg(long)]
    pub below: bool,
}

/// Which items go to which file.
#[derive(Debug, Args)]
pub struct Export {
    /// File to write: XLSX, ZIP with the original files, or else CSV, by its name; it is replaced when the new one is whole
    #[arg(value_name = "FILE")]
    pub target: PathBuf,
    /// Number of a collection; everything below it, at any depth
    #[arg(long, value_name = "NUMBER")]
    pub collection: Option<i64>,
    /// What a search finds, below the collection if there is one
    #[arg(long, value_name = "WORDS")]
    pub search: Option<String>,
    /// Numbers of items, with commas between them
    #[arg(long, value_name = "ITEMS", value_delimiter = ',', conflicts_with_all = ["collection", "search"])]
    pub ids: Vec<i64>,
    /// Names of columns, with commas between them; without it the fields of the items' types
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// What stands for a term: names, uris or ids
    #[arg(long, value_name = "NOTATION", default_value = "names", value_parser = TermNotation::ALL.map(|(name, _)| name))]
    pub terms: String,
    /// Begin CSV with the mark by which Excel recognises UTF-8
    #[arg(long)]
    pub bom: bool,
    /// Write a folder (or a ZIP) with the table and files of the items: original, all, or names of media uses with commas
    /// between them
    #[arg(long, value_name = "USES", num_args = 0..=1, require_equals = true, default_missing_value = "original")]
    pub files: Option<String>,
}

/// A site, and how to sign in there.
#[derive(Debug, Args)]
pub struct Site {
    /// Address of the site
    #[arg(value_name = "URL")]
    pub address: String,
    /// Name to sign in with there; without it, only what everybody sees is read
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// File whose first line is the password; without it, the variable ISOLARIO_SITE_PASSWORD, or else a prompt
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Write everything that was lost, with the reasons, to a file in CSV
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// What can be done to roles.
#[derive(Debug, Subcommand)]
pub enum Role {
    /// Add a role
    Add {
        /// Name of the role
        name: String,
        /// Permission of the role; can be given several times
        #[arg(long = "permission", value_name = "PERMISSION")]
        permissions: Vec<String>,
    },
    /// List the roles and what they may do
    List,
}

/// What can be done to access tokens and signed bearer tokens.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Sign with a new key; tokens of the old one stay good until they expire
    Rotate {
        /// End all tokens at once: for a key that somebody else may have got hold of
        #[arg(long)]
        end_tokens: bool,
    },
    /// Make an access token for a service, and print it; nobody can read it later
    Add {
        /// What it is for; the account has no other token of this name
        name: String,
        /// Name of the account that it signs in to
        #[arg(long, value_name = "NAME")]
        user: String,
        /// When it ends, as in 2027-01-31T12:00:00Z; without it, it lasts until it is revoked
        #[arg(long, value_name = "TIME")]
        expires: Option<DateTime<Utc>>,
        /// Permit to look alone, and no change
        #[arg(long, conflicts_with = "collection")]
        read_only: bool,
        /// Permit changes in this collection alone, and to look as the account may
        #[arg(long, value_name = "NUMBER")]
        collection: Option<i64>,
    },
    /// List the access tokens, when each was used last and from where
    List,
    /// Let an access token sign in no longer
    Revoke {
        /// Its number in the list
        #[arg(value_name = "NUMBER")]
        id: i64,
    },
}

/// What can be done to watched folders.
#[derive(Debug, Subcommand)]
pub enum Watch {
    /// List the watched folders and their rules
    List,
    /// Watch a folder
    Add(Box<NewWatch>),
    /// Take nothing from a folder for the time being
    Pause {
        /// Path or number of the folder
        folder: String,
    },
    /// Go on with a folder
    Resume {
        /// Path or number of the folder
        folder: String,
    },
    /// Show how far the watched folders are
    Status,
}

/// A folder to be watched. What is not said is as docs/WATCHED-FOLDERS.md has it.
#[derive(Debug, Args)]
pub struct NewWatch {
    /// The folder
    pub folder: PathBuf,
    /// Number of the collection that items become members of
    #[arg(long, value_name = "NUMBER")]
    pub collection: Option<i64>,
    /// ignored, flat, collections, paged or compound
    #[arg(long, value_name = "WHAT")]
    pub subfolders: Option<String>,
    /// leave, move or delete
    #[arg(long, value_name = "WHAT")]
    pub afterwards: Option<String>,
    /// ingest, skip or link
    #[arg(long, value_name = "WHAT")]
    pub duplicates: Option<String>,
    /// none, any, json, xmp or csv
    #[arg(long, value_name = "WHAT")]
    pub sidecar: Option<String>,
    /// Account in whose name everything is made
    #[arg(long, value_name = "NAME")]
    pub owner: Option<String>,
    /// Regular expression for file names, its named parts values of the fields of that name
    #[arg(long, value_name = "REGEX")]
    pub name_pattern: Option<String>,
    /// Make items that only those see who may see what is unpublished
    #[arg(long)]
    pub unpublished: bool,
    /// Make terms that descriptions name and that are missing
    #[arg(long)]
    pub create_terms: bool,
    /// Any other line of the rule, in JSON: `--set 'settle_seconds=10'`; can be given several times
    #[arg(long = "set", value_name = "NAME=JSON")]
    pub settings: Vec<String>,
}

fn destination(text: &str) -> Result<Destination, String> {
    match text {
        "bucket" => Ok(Destination::Bucket),
        "disk" => Ok(Destination::Disk),
        _ => Err("It is bucket or disk.".into()),
    }
}
