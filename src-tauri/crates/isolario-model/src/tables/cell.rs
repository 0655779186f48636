//! The text of a cell: several values in one, and nothing that a spreadsheet would calculate.

use std::borrow::Cow;

/// What a spreadsheet takes for the beginning of a formula, if a cell begins with it.
const FORMULA: [char; 11] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
];

/// What protects a cell.
const MARK: char = '\'';

/// Several values with `|` between them. A `|` within a value is written `\|`. Of a backslash in front of a `|` there
/// are two then; any other stays as it is.
pub fn join(values: &[String]) -> String {
    let mut cell = String::new();
    for (number, value) in values.iter().enumerate() {
        if number > 0 {
            double_backslashes_at_the_end(&mut cell);
            cell.push('|');
        }
        for (number, part) in value.split('|').enumerate() {
            if number > 0 {
                double_backslashes_at_the_end(&mut cell);
                cell.push_str("\\|");
            }
            cell.push_str(part);
        }
    }
    cell
}

fn double_backslashes_at_the_end(cell: &mut String) {
    let backslashes = cell.len() - cell.trim_end_matches('\\').len();
    cell.extend(std::iter::repeat_n('\\', backslashes));
}

/// The values of a cell that `join` has written.
pub fn split(cell: &str) -> Vec<String> {
    let (mut values, mut value) = (Vec::new(), String::new());
    for (number, part) in cell.split('|').enumerate() {
        if number > 0 {
            let backslashes = value.len() - value.trim_end_matches('\\').len();
            value.truncate(value.len() - backslashes.div_ceil(2));
            match backslashes % 2 {
                0 => values.push(std::mem::take(&mut value)),
                _ => value.push('|'),
            }
        }
        value.push_str(part);
    }
    values.push(value);
    values
}

/// A cell that no spreadsheet calculates: `'=1+1` for `=1+1`. A cell that looks protected already gets one more mark, so
/// that `unguard` gives every cell back.
pub fn guard(cell: &str) -> Cow<'_, str> {
    match is_formula(cell) {
        true => Cow::Owned(format!("{MARK}{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// The cell that `guard` has protected.
pub fn unguard(cell: &str) -> &str {
    match cell.strip_prefix(MARK) {
        Some(rest) if is_formula(rest) => rest,
        _ => cell,
    }
}

/// Whether a cell begins like a formula, behind however many marks.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches(MARK).starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_stand_in_one_cell() {
        for (values, cell) in [
            (vec!["Maps"], "Maps"),
            (vec!["Maps", "Charts"], "Maps|Charts"),
            (vec!["a|b", "c"], "a\\|b|c"),
            (vec!["C:\\maps\\", "x"], "C:\\maps\\\\|x"),
            (vec!["C:\\maps\\"], "C:\\maps\\"),
            (vec!["a\\|b"], "a\\\\\\|b"),
            (vec!["", ""], "|"),
        ] {
            let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
            assert_eq!(join(&values), cell);
            assert_eq!(split(cell), values);
        }
    }

    #[test]
    fn a_formula_is_marked() {
        for (cell, guarded) in [
            ("=1+1", "'=1+1"),
            ("-0500", "'-0500"),
            ("+49 30 1", "'+49 30 1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1", "''=1"),
            ("''-1", "'''-1"),
            ("'s-Hertogenbosch", "'s-Hertogenbosch"),
            ("1-2", "1-2"),
            ("'", "'"),
            ("", ""),
        ] {
            assert_eq!(guard(cell), guarded);
            assert_eq!(unguard(guarded), cell);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec("[a|\\\\'=+@\\-\t\r\n ]{0,6}|\\PC{0,9}", 1..5)) {
            let cell = join(&values);
            let written = guard(&cell);
            prop_assert!(!written.starts_with(FORMULA), "{written}");
            prop_assert_eq!(split(unguard(&written)), values);
        }

        #[test]
        fn every_cell_can_be_read(cell in "[a|\\\\'=]{0,12}|\\PC{0,20}") {
            split(unguard(&cell));
        }
    }
}
