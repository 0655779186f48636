//! `[rest.METHOD]`: what each method of the REST interface allows.

use serde::Deserialize;

/// What each method of the REST interface allows (interface, Authentication, 1).
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RestRules {
    #[serde(rename = "GET")]
    get: MethodRules,
    #[serde(rename = "POST")]
    post: MethodRules,
    #[serde(rename = "PATCH")]
    patch: MethodRules,
    #[serde(rename = "DELETE")]
    delete: MethodRules,
    #[serde(skip)]
    other: MethodRules,
}

/// Formats and ways to sign in that one method allows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodRules {
    /// Names for `_format`, the preferred one first: `json`, `jsonld`.
    #[serde(deserialize_with = "known_formats")]
    pub formats: Vec<String>,
    pub authentication: Vec<AuthenticationType>,
}

/// A way to sign in (interface, Authentication, 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthenticationType {
    BasicAuth,
    JwtAuth,
    Cookie,
}

impl RestRules {
    /// The rules of a method. HEAD and OPTIONS follow GET; PUT takes every way to sign in.
    pub fn method(&self, name: &str) -> &MethodRules {
        match name {
            "GET" | "HEAD" | "OPTIONS" => &self.get,
            "POST" => &self.post,
            "PATCH" => &self.patch,
            "DELETE" => &self.delete,
            _ => &self.other,
        }
    }
}

impl MethodRules {
    /// Whether a way to sign in is allowed.
    pub fn allows(&self, authentication: AuthenticationType) -> bool {
        self.authentication.contains(&authentication)
    }
}

fn known_formats<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(source)?;
    let unknown = names
        .iter()
        .find(|name| !matches!(name.as_str(), "json" | "jsonld"));
    match unknown {
        Some(name) => Err(serde::de::Error::custom(format!(
            "unknown format `{name}`, expected `json` or `jsonld`"
        ))),
        None => Ok(names),
    }
}

impl Default for RestRules {
    fn default() -> Self {
        let get = MethodRules {
            formats: vec!["json".into(), "jsonld".into()],
            ..MethodRules::default()
        };
        RestRules {
            get,
            post: MethodRules::default(),
            patch: MethodRules::default(),
            delete: MethodRules::default(),
            other: MethodRules::default(),
        }
    }
}

impl Default for MethodRules {
    fn default() -> Self {
        use AuthenticationType::{BasicAuth, Cookie, JwtAuth};
        MethodRules {
            formats: vec!["json".into()],
            authentication: vec![BasicAuth, JwtAuth, Cookie],
        }
    }
}
