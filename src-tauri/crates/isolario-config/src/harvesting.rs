//! `[harvesting]`: OAI-PMH, typed links and the sitemap.

use serde::Deserialize;

/// The address where nobody answers.
const NOBODY: &str = "nobody@localhost.localdomain";

/// Whether other catalogues may harvest the records of what everybody may view, at `/oai/request`.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HarvestRules {
    pub enabled: bool,
    /// E-mail address of who answers for the records.
    #[serde(deserialize_with = "email")]
    pub admin_email: String,
    /// How many records an answer has at most.
    #[serde(deserialize_with = "page")]
    pub page: u32,
    /// Whether the page of an item has typed links (Signposting).
    pub signposting: bool,
    /// Whether search engines find the addresses of what everybody may view, at `/sitemap.xml`.
    pub sitemap: bool,
}

fn page<'de, D: serde::Deserializer<'de>>(source: D) -> Result<u32, D::Error> {
    let records = u32::deserialize(source)?;
    match (1..=1000).contains(&records) {
        true => Ok(records),
        false => Err(serde::de::Error::custom("expected 1 to 1000 records")),
    }
}

/// As the schema of OAI-PMH has it: no spaces, and a dot behind the `@`.
fn email<'de, D: serde::Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let mut address = String::deserialize(source)?;
    // It stands in configurations that were written before.
    if address == "nobody@localhost" {
        address = NOBODY.to_owned();
    }
    let host = address.split_once('@').filter(|(name, _)| !name.is_empty());
    let dot = host.and_then(|(_, host)| host.split_once('.'));
    let is_whole = dot.is_some_and(|(domain, top)| !domain.is_empty() && !top.is_empty());
    match is_whole && !address.contains(char::is_whitespace) {
        true => Ok(address),
        false => Err(serde::de::Error::custom(
            "expected an e-mail address such as archive@example.org",
        )),
    }
}

impl Default for HarvestRules {
    fn default() -> Self {
        HarvestRules {
            enabled: true,
            admin_email: NOBODY.into(),
            page: 100,
            signposting: true,
            sitemap: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HarvestRules, NOBODY};

    #[test]
    fn an_address_that_harvesters_refuse_is_refused_here() {
        let read = |address: &str| {
            toml::from_str::<HarvestRules>(&format!("admin_email = {address:?}"))
                .map(|rules| rules.admin_email)
        };
        assert_eq!(read("a@b.example").as_deref(), Ok("a@b.example"));
        assert_eq!(read("nobody@localhost").as_deref(), Ok(NOBODY));
        assert_eq!(
            read(&HarvestRules::default().admin_email).map(|_| ()),
            Ok(())
        );
        for wrong in [
            "",
            "nobody",
            "somebody@localhost",
            "@b.example",
            "a b@c.example",
            "a@.example",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
