//! Asking for a password.

use std::io::{BufRead, BufReader};
use std::path::Path;

use super::account_arguments::PasswordSource;

/// A new password: the first line of standard input, or asked for twice at the terminal.
///
/// # Errors
/// A sentence for the one who typed.
pub fn ask(source: &PasswordSource, name: &str) -> Result<String, String> {
    if source.password_stdin {
        return first_line(std::io::stdin().lock());
    }
    let failed = |_| "There is no terminal to ask for a password. Use --password-stdin.".to_owned();
    let password =
        rpassword::prompt_password(format!("New password for {name}: ")).map_err(failed)?;
    let again = rpassword::prompt_password("Once more: ").map_err(failed)?;
    if password == again {
        Ok(password)
    } else {
        Err("The two passwords are not the same. Nothing was changed.".to_owned())
    }
}

/// The variable that holds the password of another site.
const SITE_PASSWORD: &str = "ISOLARIO_SITE_PASSWORD";

/// The password of a user at another site: of a file, of the environment, or asked for at the terminal.
///
/// # Errors
/// A sentence for the one who typed.
#[expect(
    clippy::disallowed_methods,
    reason = "the owner names it, and a pipe is as good as a file"
)]
pub fn of_site(file: Option<&Path>, name: &str) -> Result<String, String> {
    if let Some(path) = file {
        let open = std::fs::File::open(path);
        let open = open.map_err(|error| format!("{}: {error}.", path.display()))?;
        return first_line(BufReader::new(open));
    }
    if let Ok(password) = std::env::var(SITE_PASSWORD) {
        return Ok(password);
    }
    let failed = |_| {
        format!(
            "There is no terminal to ask for a password. Use --password-file or {SITE_PASSWORD}."
        )
    };
    rpassword::prompt_password(format!("Password of {name} there: ")).map_err(failed)
}

fn first_line(mut source: impl BufRead) -> Result<String, String> {
    let mut line = String::new();
    let read = source.read_line(&mut line);
    read.map_err(|error| format!("The password cannot be read: {error}."))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
