//! IPTC-IIM 4.2: datasets of record 2, as photo agencies write them.

use std::collections::BTreeMap;

/// The texts of record 2, by the number of their dataset. What follows damage is left out.
pub(super) fn read(block: &[u8]) -> BTreeMap<u8, Vec<String>> {
    let mut found: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    let mut rest = block;
    while let [0x1c, record, number, high, low, after @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        // Lengths beyond 32767 are written otherwise, and no text has one.
        let Some(value) = after.get(..length).filter(|_| length < 0x8000) else {
            break;
        };
        if *record == 2 {
            found.entry(*number).or_default().push(text(value));
        }
        rest = &after[length..];
    }
    found
}

/// UTF-8, or else Latin 1.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The block within Photoshop's resources (`8BIM`, number 0x0404).
pub(super) fn in_photoshop(resources: &[u8]) -> Option<&[u8]> {
    let mut rest = resources;
    while let [b'8', b'B', b'I', b'M', high, low, name, after @ ..] = rest {
        let number = u16::from_be_bytes([*high, *low]);
        // The name, with its length, has an even number of bytes.
        let named = usize::from(*name) + usize::from(*name % 2 == 0);
        let (length, body) = after.get(named..)?.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        if number == 0x0404 {
            return body.get(..length);
        }
        rest = body.get(length + length % 2..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &[u8] =
        b"\x1c\x02\x05\0\x04Fish\x1c\x02\x50\0\x03Ann\x1c\x02\x50\0\x03Bob\x1c\x02\x78\xff\xff";

    #[test]
    fn datasets_are_read_as_far_as_they_go() {
        let said = read(BLOCK);
        assert_eq!(said[&5], ["Fish"]);
        assert_eq!(said[&0x50], ["Ann", "Bob"]);
        assert_eq!(said.len(), 2);
    }

    #[test]
    fn photoshop_keeps_them_among_other_things() {
        let mut resources = b"8BIM\x03\xed\0\0\0\0\0\x01x\0".to_vec();
        resources.extend(b"8BIM\x04\x04\0\0\0\0\0\x09");
        resources.extend(&BLOCK[..9]);
        assert_eq!(in_photoshop(&resources), Some(&BLOCK[..9]));
        assert_eq!(in_photoshop(b"8BIM\x04\x04\xff"), None);
    }
}
