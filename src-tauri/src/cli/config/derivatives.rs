//! `[derivatives]`: what is made of original files by itself (docs/DERIVATIVES.md).

use serde::Deserialize;

/// What is made of original files by itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DerivativeRules {
    /// Whether anything is.
    pub enabled: bool,
    /// Small pictures for lists.
    pub thumbnail: bool,
    /// Pictures and films that a browser shows.
    pub service: bool,
    /// Text of documents.
    pub text: bool,
    /// What the bytes say about themselves.
    pub facts: bool,
    /// How many are made at the same time; 0: as many as there are processors, at most 2.
    #[serde(deserialize_with = "workers")]
    pub workers: usize,
}

fn workers<'de, D: serde::Deserializer<'de>>(source: D) -> Result<usize, D::Error> {
    let workers = usize::deserialize(source)?;
    match workers <= 16 {
        true => Ok(workers),
        false => Err(serde::de::Error::custom("expected 0 to 16 workers")),
    }
}

impl DerivativeRules {
    /// Whether products of a kind, by its name, are made.
    pub fn makes(&self, kind: &str) -> bool {
        self.enabled
            && match kind {
                "thumbnail" => self.thumbnail,
                "service" => self.service,
                "text" => self.text,
                "facts" => self.facts,
                _ => true,
            }
    }

    /// How many are made at the same time on a machine with so many processors.
    pub fn workers_on(&self, processors: usize) -> usize {
        match self.workers {
            0 => processors.clamp(1, 2),
            workers => workers,
        }
    }
}

impl Default for DerivativeRules {
    fn default() -> Self {
        DerivativeRules {
            enabled: true,
            thumbnail: true,
            service: true,
            text: true,
            facts: true,
            workers: 0,
        }
    }
}
