//! Serving the local network, or no longer.

use crate::lan::{Lan, LanState, SwitchError};
use isolario_core::actions::Refusal;
use isolario_model::policy::{Actor, may_run_server};

/// Switches the local network on or off, and keeps that for the next start.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::Conflict` when it cannot be served as this machine is;
/// `Refusal::Storage` when it is off but the next start will not know.
pub async fn switch_lan(lan: &Lan, actor: &Actor, enabled: bool) -> Result<LanState, Refusal> {
    may_run_server(actor)?;
    let words = |error: &SwitchError| error.to_string();
    lan.switch(enabled).await.map_err(|error| match error {
        SwitchError::NotKept(_) => Refusal::Storage(words(&error)),
        SwitchError::Refused(_) | SwitchError::NobodyServes => Refusal::Conflict(words(&error)),
    })
}
