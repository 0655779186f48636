//! `[openid_connect]`: signing in through a service that knows the people already (OpenID Connect Core 1.0).

use std::collections::BTreeMap;

use serde::Deserialize;

/// The group that everybody is in whom the service lets in.
pub const EVERYBODY: &str = "*";

/// A service that people sign in through, and which roles their groups there give.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenIdConnectRules {
    /// The address of the service, as its identity tokens name it.
    #[serde(deserialize_with = "issuer")]
    pub issuer: String,
    pub client_id: String,
    #[serde(default)]
    pub client_secret: Option<String>,
    /// What stands on the button; `None`: the host of the service.
    #[serde(default)]
    pub name: Option<String>,
    /// What is asked for beside `openid`.
    #[serde(default = "scopes")]
    pub scopes: Vec<String>,
    /// The claim of an identity token that lists the groups of a person.
    #[serde(default = "groups_claim")]
    pub groups_claim: String,
    /// Names of roles by group; `*` stands for everybody whom the service lets in.
    #[serde(default)]
    pub roles: BTreeMap<String, Vec<String>>,
}

impl OpenIdConnectRules {
    /// The roles that these groups give, or `None` where they let nobody in.
    pub fn roles_of(&self, groups: &[String]) -> Option<Vec<String>> {
        let mut found = self
            .roles
            .iter()
            .filter(|(group, _)| *group == EVERYBODY || groups.contains(group))
            .peekable();
        found.peek()?;
        let mut roles: Vec<String> = found.flat_map(|(_, roles)| roles.iter().cloned()).collect();
        roles.sort();
        roles.dedup();
        Some(roles)
    }

    /// Every role that some group gives.
    pub fn given_roles(&self) -> impl Iterator<Item = &String> {
        self.roles.values().flatten()
    }
}

fn scopes() -> Vec<String> {
    ["profile", "email"].map(str::to_owned).into()
}

fn groups_claim() -> String {
    "groups".to_owned()
}

/// Encrypted, unless the service is on this machine.
fn issuer<'de, D: serde::Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    const HERE: [&str; 3] = ["http://localhost", "http://127.0.0.1", "http://[::1]"];
    let issuer = String::deserialize(source)?;
    let is_here = HERE.iter().any(|here| {
        let rest = issuer.strip_prefix(here);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    });
    match issuer.starts_with("https://") || is_here {
        true => Ok(issuer),
        false => Err(serde::de::Error::custom(
            "expected the address of a service that begins with https://",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::OpenIdConnectRules;

    fn read(issuer: &str) -> Result<OpenIdConnectRules, toml::de::Error> {
        toml::from_str(&format!(
            "issuer = {issuer:?}\nclient_id = \"isolario\"\n[roles]\nstaff = [\"editor\"]\nheads = [\"reviewer\", \"editor\"]"
        ))
    }

    #[test]
    fn groups_give_roles_and_others_let_nobody_in() {
        let mut rules = read("https://id.example.org").expect("rules");
        let roles = |rules: &OpenIdConnectRules, groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(|&group| group.to_owned()).collect();
            rules.roles_of(&groups)
        };
        assert_eq!(
            roles(&rules, &["staff", "choir"]),
            Some(vec!["editor".into()])
        );
        let both = roles(&rules, &["heads", "staff"]).expect("roles");
        assert_eq!(both, ["editor", "reviewer"]);
        assert_eq!(roles(&rules, &["choir", "*"]), None);
        rules.roles.insert("*".into(), Vec::new());
        assert_eq!(roles(&rules, &["choir"]), Some(Vec::new()));
    }

    #[test]
    fn a_service_in_the_open_is_refused() {
        assert!(read("http://localhost:8080/realm").is_ok());
        for wrong in [
            "http://id.example.org",
            "http://localhost.example.org",
            "ldap://x",
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
