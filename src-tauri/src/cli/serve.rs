//! `isolario serve`: the server without a window, until it is told to stop.

use std::fmt::Write;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::commands::Output;
use crate::actions::users::first_password;
use crate::repository::{Repository, Serving};
use crate::server::{Options, Server};

/// Serves until Ctrl+C or the system ends it, then finishes what is in flight. A second Ctrl+C does
/// not wait.
pub async fn serve(options: Options, say: impl Fn(&str)) -> Output {
    let signals = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    );
    let (Ok(mut interrupt), Ok(mut terminate)) = signals else {
        return Output::failed("The system's signals cannot be listened to.");
    };
    let server = match Server::start(options).await {
        Ok(server) => server,
        Err(error) => return Output::failed(error.to_string()),
    };
    match welcome(&server).await {
        Ok(text) => say(&text),
        Err(output) => return output,
    }
    either(&mut interrupt, &mut terminate).await;
    say("Finishing what is in flight …");
    tokio::select! {
        () = server.stop() => Output::done("Stopped."),
        () = either(&mut interrupt, &mut terminate) => Output::failed("Stopped without waiting."),
    }
}

async fn either(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// Where it is and how to get in. The administrator's first password is shown this once.
async fn welcome(server: &Server) -> Result<String, Output> {
    let repository = server.repository();
    let password = first_password(&repository.db, &repository.authenticator).await;
    let password = password.map_err(|refusal| Output::failed(refusal.to_string()))?;
    let mut text = format!(
        "{} is served from {} and listens on {}.\nOpen {}/ in a browser for the same interface as in the window. The REST interface is at the same address.\n",
        repository.config.name,
        repository.directory.display(),
        server.address(),
        server.base_url(),
    );
    // Writing to a string cannot fail.
    let _ = match password {
        Some((name, password)) => writeln!(
            text,
            "Sign in as: {name}\nPassword:   {password}\nThis password is shown only once. `isolario user password {name}` sets another."
        ),
        None => writeln!(
            text,
            "Sign in with your account. `isolario user password NAME` sets a new password."
        ),
    };
    text.push_str(&about_lan(repository));
    text.push_str("Ctrl+C stops it.");
    Ok(text)
}

/// How the local network is served, and what is dangerous; whole lines.
fn about_lan(repository: &Repository) -> String {
    let state = repository.lan.state();
    let mut lines = Vec::new();
    if let Some(serving) = &state.serving {
        lines.push(format!(
            "On the local network: {}/",
            serving.urls().join("/ , ")
        ));
        if let Some(certificate) = &serving.certificate {
            lines.push(format!(
                "Certificate (SHA-256): {}",
                certificate.fingerprint
            ));
        }
    }
    let open = repository.serving.get().and_then(Serving::warning);
    let warnings = [open, state.warning(), state.problem, state.remark];
    lines.extend(warnings.into_iter().flatten());
    lines.into_iter().map(|line| line + "\n").collect()
}
