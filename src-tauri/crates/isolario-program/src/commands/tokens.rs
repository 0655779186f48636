//! Makes, lists and revokes the access tokens of services.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use super::Output;
use isolario_core::actions::Refusal;
use isolario_core::actions::access_tokens::{
    AccessTokenDraft, add_access_token, revoke_access_token,
};
use isolario_core::repository::Repository;
use isolario_db::AccessToken;
use isolario_model::content::UserRecord;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Scope};

/// What is done with access tokens.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum TokensCommand {
    Add {
        name: String,
        /// Name of the account that it signs in to.
        user: String,
        expires: Option<DateTime<Utc>>,
        /// It is for reading alone.
        read_only: bool,
        /// It changes what is in this collection alone (node id).
        collection: Option<i64>,
    },
    List,
    Revoke {
        id: i64,
    },
}

impl TokensCommand {
    /// Carries it out.
    pub async fn run(self, repository: &Repository) -> Output {
        let outcome = match self {
            TokensCommand::Add {
                name,
                user,
                expires,
                read_only,
                collection,
            } => {
                let scope = match collection {
                    Some(nid) => Scope::Collection(nid),
                    None if read_only => Scope::Read,
                    None => Scope::All,
                };
                added(repository, name, &user, expires, scope).await
            }
            TokensCommand::List => listed(repository).await,
            TokensCommand::Revoke { id } => revoked(repository, id).await,
        };
        outcome.map_or_else(|refusal| Output::failed(refusal.to_string()), Output::done)
    }
}

async fn added(
    repository: &Repository,
    name: String,
    user: &str,
    expires: Option<DateTime<Utc>>,
    scope: Scope,
) -> Result<String, Refusal> {
    let (db, wanted) = (&repository.db, user.to_owned());
    let account = db.read(move |read| read.user_by_name(&wanted)).await?;
    let missing = || Refusal::Missing(format!("There is no user {user}."));
    let draft = AccessTokenDraft {
        uid: account.ok_or_else(missing)?.uid,
        name,
        expires,
        scope,
    };
    let made = add_access_token(db, &Actor::program(), Origin::Command, draft).await?;
    // Alone, so that a script can take it.
    Ok(made.1)
}

async fn revoked(repository: &Repository, id: i64) -> Result<String, Refusal> {
    revoke_access_token(&repository.db, &Actor::program(), Origin::Command, id).await?;
    Ok(format!("Token {id} lets nobody in any more."))
}

async fn listed(repository: &Repository) -> Result<String, Refusal> {
    let read = repository.db.read(|read| {
        let tokens = read.access_token_page(None, None, usize::MAX - 1)?.rows;
        Ok((tokens, read.users()?))
    });
    let (tokens, users): (Vec<AccessToken>, Vec<UserRecord>) =
        read.await.map_err(Refusal::Database)?;
    let owner = |uid| {
        users
            .iter()
            .find(|user| user.uid == uid)
            .map_or("", |user| &user.name)
    };
    let heading = row("id", ["name", "user", "scope", "last used", "from", "ends"]);
    let lines = tokens.iter().map(|token| {
        let from = token.last_address.as_deref().unwrap_or_default();
        let (used, ends) = (time(token.last_used), time(token.expires));
        let scope = token.scope.to_text();
        let cells = [&token.name, owner(token.uid), &scope, &used, from, &ends];
        row(&token.id.to_string(), cells)
    });
    let lines: Vec<String> = std::iter::once(heading).chain(lines).collect();
    Ok(lines.join("\n"))
}

fn row(id: &str, [name, user, scope, used, from, ends]: [&str; 6]) -> String {
    let row =
        format!("{id:>5}  {name:<24}  {user:<16}  {scope:<14}  {used:<20}  {from:<15}  {ends}");
    row.trim_end().to_owned()
}

fn time(at: Option<i64>) -> String {
    let at = at.and_then(|at| DateTime::from_timestamp(at, 0));
    at.map_or_else(
        || "never".to_owned(),
        |at| at.to_rfc3339_opts(SecondsFormat::Secs, true),
    )
}
