//! `[folders]`: folders of this machine that HTTP may name.

use std::path::PathBuf;

use serde::Deserialize;

/// What administrators may name over HTTP, for watched folders and backups.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FolderRules {
    /// With all folders in them.
    #[serde(deserialize_with = "absolute")]
    pub allowed: Vec<PathBuf>,
}

fn absolute<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Vec<PathBuf>, D::Error> {
    let paths = Vec::<PathBuf>::deserialize(source)?;
    match paths.iter().find(|path| !path.is_absolute()) {
        None => Ok(paths),
        Some(path) => Err(serde::de::Error::custom(format!(
            "`{}` is not a full path",
            path.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;

    #[test]
    fn folders_are_named_from_the_root_on() {
        let error = toml::from_str::<Config>("[folders]\nallowed = [\"/a\", \"b\"]");
        let error = error.expect_err("refused").to_string();
        assert!(error.contains("`b` is not a full path"), "{error}");
        let older = toml::from_str::<Config>("name = \"A\"").expect("right");
        assert!(older.folders.is_none());
    }
}
