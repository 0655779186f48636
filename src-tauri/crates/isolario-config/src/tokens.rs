//! `[tokens]`: bearer tokens.

use serde::Deserialize;

/// Whether `/jwt/token` and `/api/v1/tokens` give out tokens.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TokenRules {
    pub issue: bool,
}

impl Default for TokenRules {
    fn default() -> Self {
        TokenRules { issue: true }
    }
}
