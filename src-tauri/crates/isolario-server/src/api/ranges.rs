//! Which bytes of a whole a request wants (RFC 9110, 14).

use std::ops::Range;

/// What a `Range` header requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedRange {
    /// No header, one that cannot be read, or several ranges at once: everything is a right answer.
    Whole,
    Part(Range<u64>),
    /// Nothing of the range exists.
    Nothing,
}

/// Reads a `Range` header for a whole of `size` bytes.
pub fn requested_range(header: Option<&str>, size: u64) -> RequestedRange {
    let range = header.and_then(|header| {
        let (unit, ranges) = header.split_once('=')?;
        unit.trim()
            .eq_ignore_ascii_case("bytes")
            .then_some(ranges.trim())
    });
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        return RequestedRange::Whole;
    };
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if !text.is_empty() => Some(text.parse().unwrap_or(u64::MAX)),
        _ => None,
    };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => part(first, last.saturating_add(1), size),
        (Some(first), None) if last.is_empty() => part(first, size, size),
        (None, Some(count)) if first.is_empty() => part(size.saturating_sub(count), size, size),
        _ => RequestedRange::Whole,
    }
}

fn part(start: u64, end: u64, size: u64) -> RequestedRange {
    match start < end.min(size) {
        true => RequestedRange::Part(start..end.min(size)),
        false => RequestedRange::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_count_both_ends() {
        for (header, expected) in [
            ("bytes=0-0", RequestedRange::Part(0..1)),
            ("bytes=2-4", RequestedRange::Part(2..5)),
            ("Bytes=8-", RequestedRange::Part(8..10)),
            ("bytes=-3", RequestedRange::Part(7..10)),
            ("bytes=-30", RequestedRange::Part(0..10)),
            (
                "bytes=5-99999999999999999999999",
                RequestedRange::Part(5..10),
            ),
            ("bytes=10-", RequestedRange::Nothing),
            ("bytes=-0", RequestedRange::Nothing),
            ("bytes=0-1,3-4", RequestedRange::Whole),
            ("bytes=4-2", RequestedRange::Whole),
            ("bytes=-", RequestedRange::Whole),
            ("bytes=a-b", RequestedRange::Whole),
            ("pages=1-2", RequestedRange::Whole),
            ("bytes", RequestedRange::Whole),
        ] {
            assert_eq!(requested_range(Some(header), 10), expected, "{header}");
        }
        assert_eq!(requested_range(None, 10), RequestedRange::Whole);
        assert_eq!(
            requested_range(Some("bytes=0-"), 0),
            RequestedRange::Nothing
        );
    }

    proptest! {
        #[test]
        fn a_part_lies_within_the_whole(header in "bytes=[0-9]{0,4}-[0-9]{0,4}", size in 0_u64..2000) {
            if let RequestedRange::Part(range) = requested_range(Some(&header), size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
