//! From the command line to what it asks for.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::runtime::Runtime;

use super::arguments::{Action, Arguments, Role, Token, User};
use super::commands::{self, Command, Output};
use super::control::{Wish, ask};
use super::data_directory::{DataDirectory, OpenError, place};
use super::progress::Progress;
use super::{derive, password, serve, watching};
use crate::auth::hosts::AllowedHosts;
use crate::jobs::{Bounds, program_can_derive};
use crate::records;
use crate::server::Options;

/// Does what the command line says. Exit codes: 0 done, 1 not done, 2 not understood.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    program_can_derive();
    let (data, no_derivatives) = (arguments.data, arguments.no_derivatives);
    let output = match arguments.action {
        Some(Action::Check { json }) => check_repository(data, json),
        None => {
            return window_or_serve(Options {
                data,
                no_derivatives,
                ..Options::default()
            });
        }
        Some(Action::Serve(how)) => serve_now(Options {
            data,
            no_derivatives,
            listen: how.listen,
            base_url: how.base_url,
        }),
        Some(Action::Backup { target }) => back_up(data, target),
        Some(Action::Restore { source }) => restore(data, &source),
        Some(Action::Rebuild { force }) => rebuild(data, force),
        Some(Action::Openapi) => openapi(),
        Some(Action::Derive {
            kind,
            mime,
            name,
            memory,
            seconds,
        }) => {
            return derive::run(kind, &mime, name.as_deref(), &Bounds { memory, seconds });
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
        Some(Action::Token(Token::Rotate { end_tokens })) => {
            carry_out(data, Command::RotateTokenKey { end_tokens })
        }
    };
    finish(&output)
}

#[cfg(feature = "desktop")]
fn window_or_serve(options: Options) -> ExitCode {
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
        return finish(&serve_now(options));
    }
    match ask_for_open_window(&options) {
        Some(output) => finish(&output),
        None => crate::desktop::run(options),
    }
}

#[cfg(not(feature = "desktop"))]
fn window_or_serve(options: Options) -> ExitCode {
    finish(&serve_now(options))
}

/// What the program that holds the data directory already says to a second window; `None` when
/// nobody holds it.
#[cfg(feature = "desktop")]
fn ask_for_open_window(options: &Options) -> Option<Output> {
    let path = place(options.data.clone()).ok()?;
    match in_runtime(reach(&path, &Wish::ShowWindow, &Progress::default())) {
        Ok(Reached::Holder(output)) | Err(output) => Some(output),
        Ok(Reached::Here(_) | Reached::Nobody(_)) => None,
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
        match reach(&path, &Wish::Command(command.clone()), &progress).await {
            Reached::Here(directory) => carry_out_here(*directory, command, &progress).await,
            Reached::Holder(output) => output,
            Reached::Nobody(words) => Output::failed(words),
        }
    }));
    done.unwrap_or_else(|output| output)
}

/// `isolario backup`. There must be a repository; the program that is asked may stand elsewhere.
fn back_up(data: Option<PathBuf>, target: PathBuf) -> Output {
    match (place(data), std::path::absolute(&target)) {
        (Ok(path), _) if !path.join("isolario.db").exists() => no_repository(&path),
        (Ok(path), Ok(target)) => carry_out(Some(path), Command::Backup { target }),
        (Err(error), _) => Output::failed(error.to_string()),
        (_, Err(error)) => Output::failed(error.to_string()),
    }
}

fn no_repository(path: &Path) -> Output {
    Output::failed(format!("There is no repository in {}.", path.display()))
}

fn restore(data: Option<PathBuf>, source: &Path) -> Output {
    let directory = match place(data) {
        Ok(path) => path,
        Err(error) => return Output::failed(error.to_string()),
    };
    match crate::backup::restore(source, &directory, &|words| eprintln!("{words}")) {
        Ok(restored) if restored.is_whole() => Output::done(restored.in_words()),
        Ok(restored) => Output::failed(restored.in_words()),
        Err(error) => Output::failed(error.to_string()),
    }
}

/// `isolario check`. Unlike other commands it makes no repository where there is none, and leaves one
/// that nobody holds as it is.
fn check_repository(data: Option<PathBuf>, json: bool) -> Output {
    match place(data) {
        Ok(path) if !path.join("isolario.db").exists() => no_repository(&path),
        Ok(path) => carry_out(Some(path), Command::Check { json }),
        Err(error) => Output::failed(error.to_string()),
    }
}

/// `isolario rebuild`. Only where nobody serves what is rebuilt.
fn rebuild(data: Option<PathBuf>, force: bool) -> Output {
    let found = place(data).and_then(|path| match path.canonicalize() {
        Ok(path) => DataDirectory::take(path),
        Err(error) => Err(OpenError::Directory { path, error }),
    });
    let directory = match found {
        Ok(directory) => directory,
        Err(error) => return Output::failed(error.to_string()),
    };
    let say = |words| eprintln!("{words}");
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
        Ok(open) => commands::run(&open.repository, command, progress).await,
        Err(error) => Output::failed(error.to_string()),
    }
}

/// Who can do something to a repository.
enum Reached {
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

async fn reach(path: &Path, wish: &Wish, progress: &Progress) -> Reached {
    let mut tries = 0;
    loop {
        tries += 1;
        let held = match DataDirectory::hold(path) {
            Ok(directory) => return Reached::Here(Box::new(directory)),
            Err(held @ OpenError::Held { .. }) => held,
            Err(error) => return Reached::Nobody(error.to_string()),
        };
        match ask(path, wish, progress).await {
            Ok(output) => return Reached::Holder(output),
            Err(error) if does_not_listen(&error) && tries < TRIES => {
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            Err(error) => return Reached::Nobody(format!("{held} It does not answer: {error}.")),
        }
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
        User::List => Command::ListUsers,
    })
}

fn role_command(role: Role) -> Command {
    match role {
        Role::Add { name, permissions } => Command::AddRole { name, permissions },
        Role::List => Command::ListRoles,
    }
}

fn openapi() -> Output {
    match crate::api::v1::openapi().to_pretty_json() {
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

fn finish(output: &Output) -> ExitCode {
    if output.is_answer {
        say(&output.text);
    } else {
        eprintln!("isolario: {}", output.text);
    }
    ExitCode::from(output.code)
}
