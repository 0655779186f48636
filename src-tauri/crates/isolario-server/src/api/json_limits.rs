//! How deep a JSON body may be and how many values a field in it may have, before anything is made of it.

use std::ops::Range;

use super::ApiError;
use isolario_config::Limits;
use isolario_model::fields::{Violation, ViolationCode};

/// Refuses a body that is nested too deeply (400) or has a field with too many values (422). Whether it
/// is JSON at all is for others to say.
///
/// # Errors
/// The refusal, in words.
pub fn refuse_excess(body: &[u8], limits: &Limits) -> Result<(), ApiError> {
    let mut walk = Walk::default();
    for (at, byte) in body.iter().enumerate() {
        walk.step(at, *byte);
        if walk.open.len() > limits.json_depth {
            return Err(ApiError::bad_request(format!(
                "The JSON is nested more than {} levels deep.",
                limits.json_depth
            )));
        }
        if walk.values() > limits.values_per_field {
            let name = String::from_utf8_lossy(&body[walk.member.clone()]).into_owned();
            let text = format!(
                "this field cannot hold more than {} values.",
                limits.values_per_field
            );
            let violation = Violation::of_field(&name, ViolationCode::TooManyValues, text);
            return Err(ApiError::invalid_fields(vec![violation]));
        }
    }
    Ok(())
}

/// The open arrays and objects, and the place of the last string.
#[derive(Default)]
struct Walk {
    open: Vec<OpenContainer>,
    in_string: bool,
    escaped: bool,
    string: Range<usize>,
    /// The name of the member of the outermost object that is being read.
    member: Range<usize>,
}

struct OpenContainer {
    is_array: bool,
    commas: usize,
}

impl Walk {
    fn step(&mut self, at: usize, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_string = false;
                    self.string.end = at;
                }
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.string = at + 1..at + 1;
            }
            b'[' | b'{' => self.open.push(OpenContainer {
                is_array: byte == b'[',
                commas: 0,
            }),
            b']' | b'}' => drop(self.open.pop()),
            b':' if self.open.len() == 1 => self.member = self.string.clone(),
            b',' => {
                if let Some(open) = self.open.last_mut() {
                    open.commas += 1;
                }
            }
            _ => {}
        }
    }

    /// Values so far of the field that is being read.
    fn values(&self) -> usize {
        match self.open.as_slice() {
            [_, field] if field.is_array => field.commas + 1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    use super::*;

    fn status(body: &str) -> Option<StatusCode> {
        let limits = Limits {
            json_depth: 4,
            values_per_field: 3,
            ..Limits::default()
        };
        let refused = refuse_excess(body.as_bytes(), &limits).err()?;
        Some(refused.into_response().status())
    }

    #[test]
    fn values_of_a_field_and_levels_are_counted_and_nothing_else() {
        for body in [
            "",
            "{}",
            r#"{"a":[1,2,3],"b":[1,2,3]}"#,
            r#"{"a":"[[[[[[,,,,,,","b":["\"[[[[[[",",,,,,,"]}"#,
            r#"{"a":[{"b":[1,2,3,4,5]}]}"#,
            r#"{"a":1,"b":1,"c":1,"d":1,"e":1}"#,
            "[1,2,3,4,5]",
            "]]]]}}}}",
            r#"{"a\"#,
        ] {
            assert_eq!(status(body), None, "{body}");
        }
        for body in [r#"{"a":[1,2,3,4]}"#, r#"{"b":[],"a":[[],{},"",4]}"#] {
            assert_eq!(
                status(body),
                Some(StatusCode::UNPROCESSABLE_ENTITY),
                "{body}"
            );
        }
        for body in ["[[[[[", r#"{"a":[{"b":[[]]}]}"#] {
            assert_eq!(status(body), Some(StatusCode::BAD_REQUEST), "{body}");
        }
    }
}
