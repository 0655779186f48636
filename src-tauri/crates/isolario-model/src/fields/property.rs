//! Properties of items: their names and the shapes a client's values are brought into.

use serde_json::Value;

/// A property of an item.
#[derive(Debug, Clone, Copy)]
pub struct Property {
    pub name: &'static str,
    pub shape: Shape,
}

/// What a property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A line of text. Some clients send several.
    Text,
    /// Text of any length.
    LongText,
    Integer,
    Float,
    Boolean,
    /// Kept as sent, whatever it is.
    Opaque,
}

/// Shorthand for the tables of the field types.
pub const fn property(name: &'static str, shape: Shape) -> Property {
    Property { name, shape }
}

impl Shape {
    /// Brings customary spellings into shape (`"46"`, `"1"`, a number where text is wanted). What
    /// cannot be brought into shape stays, for `fits` to find.
    pub fn coerce(self, value: &Value) -> Value {
        match (self, value) {
            (Shape::Text | Shape::LongText, Value::Number(number)) => {
                Value::String(number.to_string())
            }
            (Shape::Text | Shape::LongText, Value::Bool(true)) => Value::String("1".into()),
            (Shape::Text | Shape::LongText, Value::Bool(false)) => Value::String(String::new()),
            (Shape::Integer, Value::String(text)) => match text.trim().parse::<i64>() {
                Ok(number) => Value::from(number),
                Err(_) => value.clone(),
            },
            (Shape::Integer, Value::Bool(flag)) => Value::from(i64::from(*flag)),
            (Shape::Integer, Value::Number(number)) => {
                whole(number).map_or(value.clone(), Value::from)
            }
            (Shape::Float, Value::String(text)) => match text.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => Value::from(number),
                _ => value.clone(),
            },
            (Shape::Boolean, Value::Number(number)) if number.as_i64() == Some(0) => false.into(),
            (Shape::Boolean, Value::Number(number)) if number.as_i64() == Some(1) => true.into(),
            (Shape::Boolean, Value::String(text)) if text == "0" || text == "false" => false.into(),
            (Shape::Boolean, Value::String(text)) if text == "1" || text == "true" => true.into(),
            _ => value.clone(),
        }
    }

    /// Whether a coerced value has this shape. Null is no value and fits everywhere.
    pub fn fits(self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) | (Shape::Opaque, _) => true,
            (Shape::Text | Shape::LongText, Value::String(_))
            | (Shape::Boolean, Value::Bool(_)) => true,
            (Shape::Integer, Value::Number(number)) => number.as_i64().is_some(),
            (Shape::Float, Value::Number(number)) => number.as_f64().is_some_and(f64::is_finite),
            _ => false,
        }
    }

    /// The first control character that a text of this shape may not hold. Lines break and have tabs; long text that
    /// was read out of a document has others, too, but NUL ends a text for too many programs to be kept in any.
    pub fn unfit_character(self, value: &Value) -> Option<char> {
        let is_unfit = |c: &char| match self {
            Shape::Text => c.is_control() && !['\t', '\n', '\r'].contains(c),
            _ => *c == '\0',
        };
        value.as_str()?.chars().find(is_unfit)
    }
}

fn whole(number: &serde_json::Number) -> Option<i64> {
    let float = number.as_f64()?;
    if number.as_i64().is_none() && float.fract() == 0.0 && float.abs() < 9.0e15 {
        return Some(float as i64);
    }
    number.as_i64()
}
