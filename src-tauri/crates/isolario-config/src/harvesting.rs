//! `[harvesting]`: OAI-PMH, typed links and the sitemap.

use serde::Deserialize;

/// Whether other catalogues may harvest the records of what everybody may view, at `/oai/request`.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HarvestRules {
    pub enabled: bool,
    /// E-mail address of who answers for the records.
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

impl Default for HarvestRules {
    fn default() -> Self {
        HarvestRules {
            enabled: true,
            admin_email: "nobody@localhost".into(),
            page: 100,
            signposting: true,
            sitemap: false,
        }
    }
}
