//! Broken rules, in the words of the reference.

use serde::Serialize;
use utoipa::ToSchema;

/// The kind of rule that a value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ViolationCode {
    /// The value has to be there.
    Required,
    /// The field has more values than it may hold.
    TooManyValues,
    /// The value is too long.
    TooLong,
    /// The value is too short.
    TooShort,
    /// The number is too small or too large.
    OutOfRange,
    /// The value has another JSON type than the field.
    WrongType,
    /// The value has a control character that it may not have.
    ControlCharacter,
    /// The value is none of the choices.
    NotAChoice,
    /// The value is not a number.
    NotANumber,
    /// The value is not an EDTF date.
    NotADate,
    /// The value is not an absolute URI.
    NotAUri,
    /// The value does not follow the syntax of the field.
    WrongSyntax,
    /// The target of the reference does not exist.
    UnknownReference,
    /// The field may not refer to this target.
    ReferenceNotAllowed,
    /// The reference would make an item a member of itself.
    CircularReference,
    /// The file name extension is not allowed.
    FileExtension,
    /// There is no such field.
    UnknownField,
    /// Another resource has this value, and only one may have it.
    NotUnique,
    /// The value does not match the stored one.
    NoMatch,
    /// The value is possible, but not permitted here.
    NotPermitted,
}

/// A rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Violation {
    /// Name of the field.
    #[schema(example = "title")]
    pub field: String,
    /// Index of the value in the field; `null` for the whole field.
    #[schema(required)]
    pub index: Option<usize>,
    /// Property of the value; `null` for the whole value.
    #[schema(required, example = "target_id")]
    pub property: Option<String>,
    pub code: ViolationCode,
    /// A sentence.
    pub message: String,
}

impl Violation {
    /// A violation at a property of the item; an empty name means the item itself.
    pub fn at(property: &str, code: ViolationCode, message: impl Into<String>) -> Violation {
        Violation {
            // `in_field` fills it in: a field type does not know the name.
            field: String::new(),
            index: None,
            property: (!property.is_empty()).then(|| property.to_owned()),
            code,
            message: message.into(),
        }
    }

    /// A violation by a whole field.
    pub fn of_field(field: &str, code: ViolationCode, message: impl Into<String>) -> Violation {
        Violation {
            field: field.to_owned(),
            ..Violation::at("", code, message)
        }
    }

    /// A value of the wrong shape.
    pub fn wrong_type(property: &str) -> Violation {
        let message = "This value should be of the correct primitive type.";
        Violation::at(property, ViolationCode::WrongType, message)
    }

    /// A required property without a value.
    pub fn required(property: &str) -> Violation {
        let message = "This value should not be null.";
        Violation::at(property, ViolationCode::Required, message)
    }

    /// A value outside a list of choices.
    pub fn not_a_choice(property: &str) -> Violation {
        let message = "The value you selected is not a valid choice.";
        Violation::at(property, ViolationCode::NotAChoice, message)
    }

    /// Places an item's violation in its field.
    pub fn in_field(self, field: &str, index: usize) -> Violation {
        Violation {
            field: field.to_owned(),
            index: Some(index),
            ..self
        }
    }
}

/// `field.index.property: message`
impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.field)?;
        if let Some(index) = self.index {
            write!(f, ".{index}")?;
        }
        if let Some(property) = &self.property {
            write!(f, ".{property}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The message of a refused request: one line per violation, each ended by a line break.
pub fn message_of(violations: &[Violation]) -> String {
    let mut message = String::from("Unprocessable Entity: validation failed.\n");
    for violation in violations {
        message.push_str(&violation.to_string());
        message.push('\n');
    }
    message
}
