//! `[tokens]`: bearer tokens.

use serde::Deserialize;

/// Whether `GET /jwt/token` gives out tokens.
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
