//! Asking for a password.

use std::io::BufRead;

use super::arguments::PasswordSource;

/// A new password: the first line of standard input, or asked for twice at the terminal.
///
/// # Errors
/// A sentence for the one who typed.
pub fn ask(source: &PasswordSource, name: &str) -> Result<String, String> {
    if source.password_stdin {
        return first_line();
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

fn first_line() -> Result<String, String> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| format!("The password cannot be read: {error}."))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
