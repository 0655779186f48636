//! What a request of OAI-PMH asks (OAI-PMH 2.0, section 4).

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::error::OaiError;
use super::token::{ListToken, SetsToken};

/// A verb with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OaiRequest {
    Identify,
    ListMetadataFormats { identifier: Option<String> },
    ListSets(Option<SetsToken>),
    GetRecord { identifier: String, prefix: String },
    ListIdentifiers(ListArguments),
    ListRecords(ListArguments),
}

/// Which records a list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListArguments {
    Token(ListToken),
    Selection {
        prefix: String,
        /// Unix seconds, included.
        from: Option<i64>,
        /// Unix seconds, included.
        until: Option<i64>,
        /// The setSpec.
        set: Option<String>,
    },
}

impl OaiRequest {
    /// Reads the arguments of a request, by name.
    pub fn read(pairs: &[(String, String)]) -> Result<OaiRequest, OaiError> {
        let arguments = Arguments(pairs);
        let verbs: Vec<&str> = arguments.values("verb").collect();
        let [verb] = verbs[..] else {
            return Err(OaiError::bad_verb("A request has one verb."));
        };
        match verb {
            "Identify" => {
                arguments.may_be(&[])?;
                Ok(OaiRequest::Identify)
            }
            "ListMetadataFormats" => {
                arguments.may_be(&["identifier"])?;
                let identifier = arguments.optional("identifier");
                Ok(OaiRequest::ListMetadataFormats { identifier })
            }
            "ListSets" => {
                arguments.may_be(&["resumptionToken"])?;
                let token = arguments.optional("resumptionToken");
                let read = |text: String| SetsToken::read(&text).ok_or_else(OaiError::bad_token);
                Ok(OaiRequest::ListSets(token.map(read).transpose()?))
            }
            "GetRecord" => {
                arguments.may_be(&["identifier", "metadataPrefix"])?;
                Ok(OaiRequest::GetRecord {
                    identifier: arguments.required("identifier")?,
                    prefix: arguments.required("metadataPrefix")?,
                })
            }
            "ListIdentifiers" => Ok(OaiRequest::ListIdentifiers(arguments.of_list()?)),
            "ListRecords" => Ok(OaiRequest::ListRecords(arguments.of_list()?)),
            other => Err(OaiError::bad_verb(format!("There is no verb {other}."))),
        }
    }
}

struct Arguments<'a>(&'a [(String, String)]);

impl<'a> Arguments<'a> {
    fn values(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let pairs = self.0.iter().filter(move |(own, _)| own == name);
        pairs.map(|(_, value)| value.as_str())
    }

    /// Refuses other names than these, and names that come again.
    fn may_be(&self, names: &[&str]) -> Result<(), OaiError> {
        for (name, _) in self.0 {
            if name != "verb" && !names.contains(&name.as_str()) {
                let words = format!("This verb has no argument {name}.");
                return Err(OaiError::bad_argument(words));
            }
            if self.values(name).count() > 1 {
                let words = format!("The argument {name} is there more than once.");
                return Err(OaiError::bad_argument(words));
            }
        }
        Ok(())
    }

    fn optional(&self, name: &str) -> Option<String> {
        self.values(name).next().map(str::to_owned)
    }

    fn required(&self, name: &str) -> Result<String, OaiError> {
        let found = self.optional(name);
        found.ok_or_else(|| OaiError::bad_argument(format!("The argument {name} is missing.")))
    }

    fn of_list(&self) -> Result<ListArguments, OaiError> {
        if let Some(token) = self.optional("resumptionToken") {
            self.may_be(&["resumptionToken"])?;
            let token = ListToken::read(&token).ok_or_else(OaiError::bad_token)?;
            return Ok(ListArguments::Token(token));
        }
        self.may_be(&["from", "until", "set", "metadataPrefix"])?;
        let prefix = self.required("metadataPrefix")?;
        let [from, until] = [("from", NaiveTime::MIN), ("until", END_OF_DAY)].map(
            |(name, time)| -> Result<Option<Datestamp>, OaiError> {
                let text = self.optional(name);
                text.map(|text| Datestamp::read(name, &text, time))
                    .transpose()
            },
        );
        let (from, until) = (from?, until?);
        if let (Some(from), Some(until)) = (&from, &until) {
            if from.is_day != until.is_day {
                return Err(OaiError::bad_argument(
                    "from and until are written in two ways.",
                ));
            }
            if from.seconds > until.seconds {
                return Err(OaiError::bad_argument("from is later than until."));
            }
        }
        Ok(ListArguments::Selection {
            prefix,
            from: from.map(|from| from.seconds),
            until: until.map(|until| until.seconds),
            set: self.optional("set"),
        })
    }
}

const END_OF_DAY: NaiveTime = match NaiveTime::from_hms_opt(23, 59, 59) {
    Some(time) => time,
    None => NaiveTime::MIN,
};

/// A day or a second (section 3.3).
struct Datestamp {
    seconds: i64,
    is_day: bool,
}

impl Datestamp {
    /// Of a day, its first or last second.
    fn read(name: &str, text: &str, time: NaiveTime) -> Result<Datestamp, OaiError> {
        let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
        let second = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%SZ").ok();
        let read = match text.len() {
            10 => day().map(|day| day.and_time(time)),
            20 => second(),
            _ => None,
        };
        let read = read.ok_or_else(|| {
            let words =
                format!("{name} must be a date such as 2026-11-22 or 2026-11-22T09:30:00Z.");
            OaiError::bad_argument(words)
        })?;
        Ok(Datestamp {
            seconds: read.and_utc().timestamp(),
            is_day: text.len() == 10,
        })
    }
}
