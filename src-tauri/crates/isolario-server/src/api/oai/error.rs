//! Errors and conditions of OAI-PMH (OAI-PMH 2.0, section 3.6). They are answered with 200.

/// An error or condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiError {
    pub code: &'static str,
    /// For people.
    pub words: String,
}

impl OaiError {
    fn new(code: &'static str, words: impl Into<String>) -> OaiError {
        OaiError {
            code,
            words: words.into(),
        }
    }

    /// Arguments that are missing, unknown, repeated or written wrongly.
    pub fn bad_argument(words: impl Into<String>) -> OaiError {
        OaiError::new("badArgument", words)
    }

    /// No verb, several, or an unknown one.
    pub fn bad_verb(words: impl Into<String>) -> OaiError {
        OaiError::new("badVerb", words)
    }

    /// A token that no answer had.
    pub fn bad_token() -> OaiError {
        OaiError::new("badResumptionToken", "This is no token of an answer.")
    }

    /// A format that there is not.
    pub fn unknown_format(prefix: &str) -> OaiError {
        let words = format!("There is no format {prefix}. ListMetadataFormats lists them.");
        OaiError::new("cannotDisseminateFormat", words)
    }

    /// An item that never was public.
    pub fn unknown_identifier(identifier: &str) -> OaiError {
        OaiError::new(
            "idDoesNotExist",
            format!("There is no record {identifier}."),
        )
    }

    /// An empty list.
    pub fn no_records() -> OaiError {
        OaiError::new("noRecordsMatch", "No record matches.")
    }

    /// No collection.
    pub fn no_sets() -> OaiError {
        OaiError::new("noSetHierarchy", "There is no public collection.")
    }

    /// Whether the arguments cannot be repeated in the answer (section 3.2, 3).
    pub fn is_of_arguments(&self) -> bool {
        matches!(self.code, "badVerb" | "badArgument")
    }
}
