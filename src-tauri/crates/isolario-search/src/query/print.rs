//! Prints what was understood, so that it is understood in the same way again.

use std::fmt::{self, Display, Formatter};

use super::{Condition, DateRange, Form, Query, Words};

impl Display for Query {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.condition.fmt(out)
    }
}

impl Display for Condition {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Words(words) => words.fmt(out),
            Condition::Date(date) => date.fmt(out),
            Condition::Not(inner) => match **inner {
                Condition::Words(_) | Condition::Date(_) => write!(out, "-{inner}"),
                _ => write!(out, "-({inner})"),
            },
            Condition::All(parts) => joined(out, parts, " "),
            Condition::Any(parts) => joined(out, parts, " OR "),
        }
    }
}

fn joined(out: &mut Formatter<'_>, parts: &[Condition], between: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            out.write_str(between)?;
        }
        // What stands between OR binds more closely than what stands side by side.
        match part {
            Condition::All(_) => write!(out, "({part})")?,
            _ => part.fmt(out)?,
        }
    }
    Ok(())
}

impl Display for Words {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if let Some(field) = &self.field {
            write!(out, "{}:", field.name)?;
        }
        match self.form {
            Form::Word => out.write_str(&self.text),
            Form::Prefix => write!(out, "{}*", self.text),
            Form::Phrase => write!(out, "\"{}\"", self.text),
        }
    }
}

impl Display for DateRange {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.name, self.text)
    }
}
