//! What can be done to a repository from the command line. The program that holds the directory
//! carries it out: this very one, or a running one that is asked through its socket.

mod bag;
mod export;
mod import_table;
mod move_bytes;
pub mod progress;
mod terms;
mod tokens;
mod watching;

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};

pub use bag::BagCommand;
pub use export::ExportCommand;
pub use import_table::ImportTableCommand;
pub use progress::Progress;
pub use terms::TermsCommand;
pub use tokens::TokensCommand;
pub use watching::WatchCommand;

use isolario_auth::Rotation;
use isolario_core::actions::Refusal;
use isolario_core::actions::account_rules::{Account, AccountChange, SecondFactorChange};
use isolario_core::actions::move_bytes::Destination;
use isolario_core::actions::roles::{NewRole, add_role};
use isolario_core::actions::users::{add_user, change_named};
use isolario_core::backup::{BackupError, Summary, back_up_and_note};
use isolario_core::check::{CheckedRepository, Report, check};
use isolario_core::repository::Repository;
use isolario_core::search::reindex;
use isolario_db::{DbError, RoleRecord};
use isolario_exchange::{
    BagOrder, ImportOrder, PushOrder, Report as ExchangeReport, Task, import, import_bag, push,
};
use isolario_model::content::UserRecord;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;
use isolario_watch::Watch;
use tokio_util::sync::CancellationToken;

/// A command for one repository, whole, so that it can be sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Command {
    AddUser {
        name: String,
        mail: Option<String>,
        roles: Vec<String>,
        password: String,
    },
    SetPassword {
        name: String,
        password: String,
    },
    SetActive {
        name: String,
        active: bool,
    },
    RemoveSecondFactor {
        name: String,
    },
    ListUsers,
    AddRole {
        name: String,
        permissions: Vec<String>,
    },
    ListRoles,
    RotateTokenKey {
        end_tokens: bool,
    },
    Backup {
        /// Absolute.
        target: PathBuf,
    },
    Check {
        json: bool,
    },
    Watch(WatchCommand),
    Reindex,
    MoveBytes {
        destination: Destination,
    },
    Import(ImportOrder),
    ImportBag(BagOrder),
    Push(PushOrder),
    Export(ExportCommand),
    ImportTable(ImportTableCommand),
    Terms(TermsCommand),
    Tokens(TokensCommand),
    Bag(BagCommand),
}

/// What a command has to say, and the exit code it ends with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Without a line break at the end.
    pub text: String,
    /// 0: done. 1: not done, and `text` says why; or done, and what was asked for is not so.
    pub code: u8,
    /// Whether `text` is what was asked for, whatever the code.
    #[serde(default)]
    pub is_answer: bool,
    /// A report in CSV beside `text`.
    #[serde(default)]
    pub report: Option<String>,
}

impl Output {
    /// Done.
    pub fn done(text: impl Into<String>) -> Output {
        Output {
            text: text.into(),
            code: 0,
            is_answer: true,
            report: None,
        }
    }

    /// Not done.
    pub fn failed(text: impl Into<String>) -> Output {
        Output {
            text: text.into(),
            code: 1,
            is_answer: false,
            report: None,
        }
    }

    /// What a check found; its code is 1 if anything is wrong.
    pub fn report(report: &Report, as_json: bool) -> Output {
        let text = match as_json {
            true => serde_json::to_string_pretty(report).unwrap_or_else(|error| error.to_string()),
            false => report.to_text(),
        };
        Output {
            text,
            code: u8::from(!report.is_clean()),
            is_answer: true,
            report: None,
        }
    }
}

/// Carries a command out; a long one says how far it is.
pub async fn run(watch: &Arc<Watch>, command: Command, progress: &Progress) -> Output {
    let repository = &watch.repository;
    if let Command::Backup { target } = command {
        return backed_up(back_up_and_note(repository, &target, false, progress.say()).await);
    }
    if let Command::Check { json } = command {
        let subject = CheckedRepository::open(repository);
        let report = check(subject, progress.say(), &repository.closing).await;
        return Output::report(&report, json);
    }
    if let Command::Reindex = command {
        return match reindex(repository, &*progress.say()).await {
            Ok(items) => Output::done(format!("Searches have a new index of {items} items.")),
            Err(words) => Output::failed(words),
        };
    }
    if let Command::MoveBytes { destination } = command {
        return move_bytes::run(repository, destination, progress).await;
    }
    let say = progress.say();
    let task = Task {
        say: Arc::new(move |progress| say(progress.to_string())),
        cancelled: CancellationToken::new(),
    };
    if let Command::Import(order) = command {
        return exchanged(&import(repository, &Actor::program(), &order, &task).await);
    }
    if let Command::ImportBag(order) = command {
        return exchanged(&import_bag(repository, &Actor::program(), &order, &task).await);
    }
    if let Command::Push(order) = command {
        return exchanged(&push(repository, &Actor::program(), &order, &task).await);
    }
    if let Command::Export(command) = command {
        return command.run(repository, progress).await;
    }
    if let Command::ImportTable(command) = command {
        return command.run(repository, progress).await;
    }
    if let Command::Terms(command) = command {
        return command.run(repository, progress).await;
    }
    if let Command::Tokens(command) = command {
        return command.run(repository).await;
    }
    if let Command::Bag(command) = command {
        return command.run(repository, progress).await;
    }
    if let Command::RotateTokenKey { end_tokens } = command {
        let rotated = repository.authenticator.rotate_token_key(end_tokens).await;
        return match rotated {
            Ok(rotation) => Output::done(rotated_in_words(&rotation)),
            Err(error) => Output::failed(format!("The key was not changed: {error}.")),
        };
    }
    if let Command::Watch(command) = command {
        return match watching::carry_out(watch, command).await {
            Ok(text) => Output::done(text),
            Err(refusal) => Output::failed(refusal.to_string()),
        };
    }
    match carry_out(repository, command).await {
        Ok(text) => Output::done(text),
        Err(refusal) => Output::failed(refusal.to_string()),
    }
}

async fn carry_out(repository: &Repository, command: Command) -> Result<String, Refusal> {
    let (db, authenticator) = (&repository.db, &repository.authenticator);
    let (actor, origin) = (&Actor::program(), Origin::Command);
    match command {
        Command::AddUser {
            name,
            mail,
            roles,
            password,
        } => {
            let said = name.clone();
            let account = Account {
                name,
                mail,
                roles,
                collection_roles: Vec::new(),
                password,
            };
            let uid = add_user(db, authenticator, actor, origin, account).await?;
            Ok(format!("User {said} was added, with the number {uid}."))
        }
        Command::SetPassword { name, password } => {
            let said = "has a new password. Their sessions and tokens have ended.";
            let password = Some(password);
            change_account(repository, name, said, |change| change.password = password).await
        }
        Command::SetActive { name, active } => {
            let said = match active {
                true => "may sign in.",
                false => "may no longer sign in. Their sessions and tokens have ended.",
            };
            change_account(repository, name, said, |change| {
                change.active = Some(active)
            })
            .await
        }
        Command::RemoveSecondFactor { name } => {
            let said = "signs in by password alone, and may set up another second factor.";
            let off = Some(SecondFactorChange::Off);
            change_account(repository, name, said, |change| change.second_factor = off).await
        }
        Command::ListUsers => Ok(user_table(
            &db.read(|read| read.users()).await.map_err(database)?,
        )),
        Command::AddRole { name, permissions } => {
            let said = name.clone();
            let role = NewRole {
                label: name.clone(),
                name: Some(name),
                permissions,
            };
            add_role(repository, actor, role, true).await?;
            Ok(format!("Role {said} was added."))
        }
        Command::ListRoles => Ok(role_list(
            &db.read(|read| read.roles()).await.map_err(database)?,
        )),
        // `run` has carried these out.
        Command::Backup { .. }
        | Command::Bag(_)
        | Command::Check { .. }
        | Command::Export(_)
        | Command::Import(_)
        | Command::ImportTable(_)
        | Command::ImportBag(_)
        | Command::Push(_)
        | Command::Reindex
        | Command::MoveBytes { .. }
        | Command::RotateTokenKey { .. }
        | Command::Terms(_)
        | Command::Tokens(_)
        | Command::Watch(_) => Ok(String::new()),
    }
}

/// Changes the account of a name, and says what holds for it then.
async fn change_account(
    repository: &Repository,
    name: String,
    said: &str,
    change: impl FnOnce(&mut AccountChange),
) -> Result<String, Refusal> {
    let mut changed = AccountChange::default();
    change(&mut changed);
    let (db, authenticator) = (&repository.db, &repository.authenticator);
    let (actor, origin) = (&Actor::program(), Origin::Command);
    change_named(db, authenticator, actor, origin, &name, changed).await?;
    Ok(format!("User {name} {said}"))
}

fn backed_up(outcome: Result<Summary, BackupError>) -> Output {
    match outcome {
        Ok(summary) if summary.complaint().is_some() => Output::failed(summary.in_words()),
        Ok(summary) => Output::done(summary.in_words()),
        Err(error) => Output::failed(error.to_string()),
    }
}

fn exchanged(report: &ExchangeReport) -> Output {
    Output {
        text: report.to_text(),
        code: u8::from(!report.is_whole()),
        is_answer: true,
        report: Some(report.to_csv()),
    }
}

fn rotated_in_words(rotation: &Rotation) -> String {
    let until = rotation
        .until
        .and_then(|until| DateTime::from_timestamp(until, 0));
    let tokens = match until {
        Some(until) => format!(
            "Tokens of the former key, {}, are good until {}.",
            rotation.former,
            until.to_rfc3339_opts(SecondsFormat::Secs, true)
        ),
        None => "All tokens given out so far have ended.".to_owned(),
    };
    format!(
        "Bearer tokens are signed with a new key, {}. {tokens}",
        rotation.key
    )
}

fn database(error: DbError) -> Refusal {
    Refusal::Database(error)
}

fn user_table(users: &[UserRecord]) -> String {
    let lines = users.iter().map(|user| {
        let state = if user.active { "active" } else { "disabled" };
        format!(
            "{:>5}  {:<24}  {state:<8}  {}",
            user.uid,
            user.name,
            user.roles.join(", ")
        )
    });
    let heading = format!("{:>5}  {:<24}  {:<8}  roles", "uid", "name", "state");
    let lines: Vec<String> = std::iter::once(heading).chain(lines).collect();
    trim_ends(&lines)
}

fn role_list(roles: &[RoleRecord]) -> String {
    let mut lines = Vec::new();
    for role in roles {
        lines.push(format!("{} ({})", role.name, role.label));
        if role.name == isolario_model::content::user::ADMINISTRATOR_ROLE {
            lines.push("  every permission".to_owned());
        }
        lines.extend(
            role.permissions
                .iter()
                .map(|permission| format!("  {permission}")),
        );
    }
    lines.join("\n")
}

fn trim_ends(lines: &[String]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}
