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
    /// Address space of a process that makes one, in MB.
    #[serde(deserialize_with = "memory")]
    pub memory: u64,
    /// Processor time of a process that makes a picture or facts, in seconds; text has 6 times as much, a copy of a
    /// film 72 times.
    #[serde(deserialize_with = "seconds")]
    pub seconds: u64,
}

fn memory<'de, D: serde::Deserializer<'de>>(source: D) -> Result<u64, D::Error> {
    between(256, 1 << 20, "256 MB to 1 TB", u64::deserialize(source)?)
}

fn seconds<'de, D: serde::Deserializer<'de>>(source: D) -> Result<u64, D::Error> {
    between(1, 86_400, "1 second to a day", u64::deserialize(source)?)
}

fn between<E: serde::de::Error>(least: u64, most: u64, range: &str, value: u64) -> Result<u64, E> {
    match (least..=most).contains(&value) {
        true => Ok(value),
        false => Err(E::custom(format!("expected {range}"))),
    }
}

fn workers<'de, D: serde::Deserializer<'de>>(source: D) -> Result<usize, D::Error> {
    let workers = usize::deserialize(source)?;
    match workers <= 16 {
        true => Ok(workers),
        false => Err(serde::de::Error::custom("expected 0 to 16 workers")),
    }
}

impl DerivativeRules {
    /// Whether derivatives of a kind, by its name, are made.
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
            memory: 1536,
            seconds: 300,
        }
    }
}
