//! `isolario user`: what can be written behind it.

use clap::{Args, Subcommand};

/// What can be done to accounts.
#[derive(Debug, Subcommand)]
pub enum User {
    /// Add an account
    Add {
        /// Name to sign in with
        name: String,
        /// Role of the account; can be given several times
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<String>,
        /// Mail address
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
        #[command(flatten)]
        password: PasswordSource,
    },
    /// Give an account another password; its sessions and tokens end
    Password {
        /// Name of the account
        name: String,
        #[command(flatten)]
        password: PasswordSource,
    },
    /// Let an account sign in no longer; its sessions and tokens end
    Disable {
        /// Name of the account
        name: String,
    },
    /// Let a disabled account sign in again
    Enable {
        /// Name of the account
        name: String,
    },
    /// Take the second factor away from an account, whose device is lost
    RemoveSecondFactor {
        /// Name of the account
        name: String,
    },
    /// List the accounts
    List,
}

/// Where a password comes from.
#[derive(Debug, Args)]
pub struct PasswordSource {
    /// Read the password from the first line of standard input instead of asking
    #[arg(long)]
    pub password_stdin: bool,
}
