//! From the command line to what it asks for.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use tokio::runtime::Runtime;

use super::account_arguments::User;
use super::arguments::{Action, Arguments, Role, Token};
use super::derive::StandardInput;
use super::exchange::Exchange;
use super::{derive, exchange, password, serve, watching};
use crate::OpenWindow;
use crate::app::Options;
use crate::commands::{self, BagCommand, Command, Output, Progress, TokensCommand};
use crate::control::{ControlRequest, ask};
use isolario_auth::hosts::AllowedHosts;
use isolario_core::data_directory::{DataDirectory, OpenError, place};
use isolario_core::jobs::{ProcessLimits, program_can_derive};
use isolario_core::records;
use isolario_db::DATABASE;
use isolario_platform::files;
use isolario_watch::Watch;

/// Does what the command line says. Exit codes: 0 done, 1 not done, 2 not understood.
pub fn run(open_window: Option<OpenWindow>) -> ExitCode {
    let arguments = Arguments::parse();
    program_can_derive();
    let (data, no_derivatives) = (arguments.data, arguments.no_derivatives);
    let output = match arguments.action {
        Some(Action::Check { json }) => carry_out_on_repository(data, Command::Check { json }),
        None => {
            let options = Options {
                data,
                no_derivatives,
                ..Options::default()
            };
            return window_or_serve(open_window, options);
        }
        Some(Action::Serve(how)) => serve_now(Options {
            data,
            no_derivatives,
            listen: how.listen,
            base_url: how.base_url,
        }),
        Some(Action::Backup { target }) => back_up(data, target),
        Some(Action::Restore { source }) => restore(data, &source),
        Some(Action::Rebuild { force, records }) => rebuild(data, force, records),
        Some(Action::MoveBytes { destination }) => {
            carry_out_on_repository(data, Command::MoveBytes { destination })
        }
        Some(Action::Reindex) => carry_out_on_repository(data, Command::Reindex),
        Some(Action::Import(import)) => {
            carry_out_exchange(carry_out, data, exchange::import(import))
        }
        Some(Action::Push(push)) => {
            carry_out_exchange(carry_out_on_repository, data, exchange::push(push))
        }
        Some(Action::Export(export)) => match export.command() {
            Ok(command) => carry_out_on_repository(data, Command::Export(command)),
            Err(error) => Output::failed(error.to_string()),
        },
        Some(Action::Terms(terms)) => {
            carry_out_exchange(carry_out_on_repository, data, exchange::terms(terms))
        }
        Some(Action::Bag { item, target }) => bag(data, item, &target),
        Some(Action::ImportBag(written)) => {
            carry_out_exchange(carry_out, data, exchange::import_bag(written))
        }
        Some(Action::CheckBag { bag }) => check_bag(&bag),
        Some(Action::Openapi) => openapi(),
        Some(Action::Derive {
            kind,
            mime,
            name,
            adjust,
            page,
            memory,
            seconds,
        }) => {
            let source = StandardInput {
                mime,
                name,
                adjust,
                page,
            };
            return derive::run(kind, &source, &ProcessLimits { memory, seconds });
        }
        Some(Action::Watch(watch)) => match watching::command(watch) {
            Ok(command) => carry_out(data, Command::Watch(command)),
            Err(words) => Output::failed(words),
        },
        Some(Action::User(user)) => match user_command(user) {
            Ok(command) => carry_out(data, command),
            Err(words) => Output::failed(words),
        },
        Some(Action::Role(role)) => carry_out(data, role_command(role)),
        Some(Action::Token(token)) => carry_out(data, token_command(token)),
    };
    finish(&output)
}

fn window_or_serve(open_window: Option<OpenWindow>, options: Options) -> ExitCode {
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let display = named("DISPLAY") || named("WAYLAND_DISPLAY");
    let Some(open_window) = open_window.filter(|_| display) else {
        return finish(&serve_now(options));
    };
    match ask_for_open_window(&options) {
        Some(output) => finish(&output),
        None => open_window(options),
    }
}

/// What the program that holds the data directory already says to a second window; `None` when
/// nobody holds it.
fn ask_for_open_window(options: &Options) -> Option<Output> {
    let path = place(options.data.clone()).ok()?;
    match in_runtime(find_executor(
        &path,
        &ControlRequest::ShowWindow,
        &Progress::default(),
    )) {
        Ok(Executor::Holder(output)) | Err(output) => Some(output),
        Ok(Executor::Here(_) | Executor::Nobody(_)) => None,
    }
}

fn serve_now(options: Options) -> Output {
    in_runtime(serve::serve(options, say)).unwrap_or_else(|output| output)
}

fn carry_out(data: Option<PathBuf>, command: Command) -> Output {
    let path = match place(data) {
        Ok(path) => path,
        Err(error) => return Output::failed(error.to_string()),
    };
    let progress = Progress::default();
    let done = in_runtime(progress.shown_during(async {
        match find_executor(&path, &ControlRequest::Command(command.clone()), &progress).await {
            Executor::Here(directory) => carry_out_here(*directory, command, &progress).await,
            Executor::Holder(output) => output,
            Executor::Nobody(words) => Output::failed(words),
        }
    }));
    done.unwrap_or_else(|output| output)
}

fn carry_out_exchange(
    carry_out: fn(Option<PathBuf>, Command) -> Output,
    data: Option<PathBuf>,
    exchange: Result<Exchange, String>,
) -> Output {
    match exchange {
        Ok(Exchange { command, report }) => {
            Exchange::write_report(report.as_deref(), carry_out(data, command))
        }
        Err(words) => Output::failed(words),
    }
}

/// `isolario backup`. There must be a repository; the program that is asked may stand elsewhere.
fn back_up(data: Option<PathBuf>, target: PathBuf) -> Output {
    match (place(data), std::path::absolute(&target)) {
        (Ok(path), _) if !path.join(DATABASE).exists() => no_repository(&path),
        (Ok(path), Ok(target)) => carry_out(Some(path), Command::Backup { target }),
        (Err(error), _) => Output::failed(error.to_string()),
        (_, Err(error)) => Output::failed(error.to_string()),
    }
}

fn no_repository(path: &Path) -> Output {
    Output::failed(format!("There is no repository in {}.", path.display()))
}

fn bag(data: Option<PathBuf>, item: i64, target: &Path) -> Output {
    match std::path::absolute(target) {
        Ok(target) => carry_out_on_repository(data, Command::Bag(BagCommand { item, target })),
        Err(error) => Output::failed(error.to_string()),
    }
}

fn check_bag(folder: &Path) -> Output {
    match isolario_core::bag::check_bag(folder, &|_| {}) {
        Ok(bag) => Output::done(format!(
            "{}: a whole bag of {} files and {} bytes, by {}.",
            folder.display(),
            bag.files,
            bag.bytes,
            bag.algorithm
        )),
        Err(fault) => Output::failed(format!("{} is no whole bag.\n{fault}", folder.display())),
    }
}

fn restore(data: Option<PathBuf>, source: &Path) -> Output {
    let directory = match place(data) {
        Ok(path) => path,
        Err(error) => return Output::failed(error.to_string()),
    };
    match isolario_core::backup::restore(source, &directory, &|words| complain(&words)) {
        Ok(restored) if restored.is_whole() => Output::done(restored.in_words()),
        Ok(restored) => Output::failed(restored.in_words()),
        Err(error) => Output::failed(error.to_string()),
    }
}

/// A command that, unlike others, makes no repository where there is none: `isolario check`, which leaves one that
/// nobody holds as it is, `isolario reindex`, `isolario push` and `isolario export`.
fn carry_out_on_repository(data: Option<PathBuf>, command: Command) -> Output {
    match place(data) {
        Ok(path) if !path.join(DATABASE).exists() => no_repository(&path),
        Ok(path) => carry_out(Some(path), command),
        Err(error) => Output::failed(error.to_string()),
    }
}

/// `isolario rebuild`: of the database, or of the records. Only where nobody serves what is rebuilt.
fn rebuild(data: Option<PathBuf>, force: bool, of_records: bool) -> Output {
    let found = place(data).and_then(|path| match files::canonicalize(&path) {
        Ok(path) => DataDirectory::take(path),
        Err(error) => Err(OpenError::Directory { path, error }),
    });
    let directory = match found {
        Ok(directory) => directory,
        Err(error) => return Output::failed(error.to_string()),
    };
    if of_records {
        return match in_runtime(records::rebuild::renew(directory.path())) {
            Ok(Ok(words)) => Output::done(words),
            Ok(Err(error)) => Output::failed(error.to_string()),
            Err(output) => output,
        };
    }
    let say = |words: String| complain(&words);
    let work = records::rebuild::rebuild(directory.path(), &directory.config, force, &say);
    match in_runtime(work) {
        Ok(Ok(rebuilt)) if rebuilt.is_whole() => Output::done(rebuilt.in_words()),
        Ok(Ok(rebuilt)) => Output::failed(rebuilt.in_words()),
        Ok(Err(error)) => Output::failed(error.to_string()),
        Err(output) => output,
    }
}

async fn carry_out_here(directory: DataDirectory, command: Command, progress: &Progress) -> Output {
    if let Command::Check { json } = command {
        let report = directory.check(progress.say()).await;
        return Output::report(&report, json);
    }
    let nowhere = AllowedHosts::new(directory.config.server.address, []);
    match directory.open(nowhere).await {
        Ok(open) => {
            let watch = Arc::new(Watch::new(open.repository.clone()));
            commands::run(&watch, command, progress).await
        }
        Err(error) => Output::failed(error.to_string()),
    }
}

/// Which program executes a command on a repository.
enum Executor {
    /// This program, which holds the directory now.
    Here(Box<DataDirectory>),
    /// The program that holds it, and this is its answer.
    Holder(Output),
    /// Nobody, and this is why.
    Nobody(String),
}

/// How often a holder is asked that does not listen yet, or has only a command to carry out.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

async fn find_executor(path: &Path, request: &ControlRequest, progress: &Progress) -> Executor {
    let mut tries = 0;
    loop {
        tries += 1;
        let held = match hold_for(path, request) {
            Ok(directory) => return Executor::Here(Box::new(directory)),
            Err(held @ OpenError::Held { .. }) => held,
            Err(error) => return Executor::Nobody(error.to_string()),
        };
        match ask(path, request, progress).await {
            Ok(output) => return Executor::Holder(output),
            Err(error) if does_not_listen(&error) && tries < TRIES => {
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            Err(error) => return Executor::Nobody(format!("{held} It does not answer: {error}.")),
        }
    }
}

/// What is only looked at may lie where nothing can be written.
fn hold_for(path: &Path, request: &ControlRequest) -> Result<DataDirectory, OpenError> {
    match request {
        ControlRequest::Command(Command::Check { .. }) => DataDirectory::inspect(path),
        _ => DataDirectory::hold(path),
    }
}

fn does_not_listen(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionRefused, NotFound};
    matches!(error.kind(), NotFound | ConnectionRefused)
}

fn user_command(user: User) -> Result<Command, String> {
    Ok(match user {
        User::Add {
            name,
            roles,
            mail,
            password,
        } => Command::AddUser {
            password: password::ask(&password, &name)?,
            name,
            mail,
            roles,
        },
        User::Password { name, password } => Command::SetPassword {
            password: password::ask(&password, &name)?,
            name,
        },
        User::Disable { name } => Command::SetActive {
            name,
            active: false,
        },
        User::Enable { name } => Command::SetActive { name, active: true },
        User::RemoveSecondFactor { name } => Command::RemoveSecondFactor { name },
        User::List => Command::ListUsers,
    })
}

fn token_command(token: Token) -> Command {
    Command::Tokens(match token {
        Token::Rotate { end_tokens } => return Command::RotateTokenKey { end_tokens },
        Token::Add {
            name,
            user,
            expires,
            read_only,
            collection,
        } => TokensCommand::Add {
            name,
            user,
            expires,
            read_only,
            collection,
        },
        Token::List => TokensCommand::List,
        Token::Revoke { id } => TokensCommand::Revoke { id },
    })
}

fn role_command(role: Role) -> Command {
    match role {
        Role::Add { name, permissions } => Command::AddRole { name, permissions },
        Role::List => Command::ListRoles,
    }
}

fn openapi() -> Output {
    match isolario_server::api::openapi().to_pretty_json() {
        Ok(text) => Output::done(text),
        Err(error) => Output::failed(error.to_string()),
    }
}

fn in_runtime<T>(work: impl Future<Output = T>) -> Result<T, Output> {
    match Runtime::new() {
        Ok(runtime) => Ok(runtime.block_on(work)),
        Err(error) => Err(Output::failed(format!(
            "The program cannot start: {error}."
        ))),
    }
}

/// A reader that has gone away is no reason to fail.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// As `say`, beside the answers.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn finish(output: &Output) -> ExitCode {
    if output.is_answer {
        say(&output.text);
    } else {
        complain(&format!("isolario: {}", output.text));
    }
    ExitCode::from(output.code)
}
