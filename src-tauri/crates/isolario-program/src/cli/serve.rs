//! `isolario serve`: the server without a window, until it is told to stop.

use std::fmt::Write;

use crate::app::{App, Options};
use crate::commands::Output;
use isolario_core::actions::users::first_password;
use isolario_platform::signals::EndSignals;

/// Serves until Ctrl+C or the system ends it, then finishes what is in flight. A second Ctrl+C does
/// not wait.
pub async fn serve(options: Options, say: impl Fn(&str)) -> Output {
    let Ok(mut signals) = EndSignals::listen() else {
        return Output::failed("The system's signals cannot be listened to.");
    };
    let app = match App::start(options).await {
        Ok(app) => app,
        Err(error) => return Output::failed(error.to_string()),
    };
    match welcome(&app).await {
        Ok(text) => say(&text),
        Err(output) => return output,
    }
    signals.received().await;
    say("Finishing what is in flight …");
    tokio::select! {
        left = app.stop() => Output::done(match left {
            0 => "Stopped.".into(),
            left => format!("Stopped. {left} records are not written yet; the next start goes on with them."),
        }),
        () = signals.received() => Output::failed("Stopped without waiting."),
    }
}

/// Where it is and how to get in. The administrator's first password is shown this once.
async fn welcome(app: &App) -> Result<String, Output> {
    let repository = app.repository();
    let password = first_password(&repository.db, &repository.authenticator).await;
    let password = password.map_err(|refusal| Output::failed(refusal.to_string()))?;
    let mut text = format!(
        "{} is served from {} and listens on {}.\nOpen {}/ in a browser for the same interface as in the window. The REST interface is at the same address.\n",
        repository.config.name,
        repository.directory.display(),
        app.address(),
        app.base_url(),
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
    text.push_str(&about_lan(app));
    text.push_str("Ctrl+C stops it.");
    Ok(text)
}

/// How the local network is served, and what is dangerous; whole lines.
fn about_lan(app: &App) -> String {
    let state = app.state().lan.state();
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
    let open = app.state().serving.warning();
    let warnings = [open, state.warning(), state.problem, state.remark];
    lines.extend(warnings.into_iter().flatten());
    lines.into_iter().map(|line| line + "\n").collect()
}
