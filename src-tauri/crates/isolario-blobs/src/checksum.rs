//! Checksums of bytes: those that clients state, and those that are computed while bytes are written.

use aws_lc_rs::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512};
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};

/// A digest algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Every version of a file has this one.
    Sha512,
    Sha256,
    /// As `Md5`. Nobody may declare it, but some clients compare it.
    Sha1,
    /// It detects accidents, not attacks. Some clients have no other checksum.
    Md5,
}

impl Algorithm {
    /// Length of a checksum, in bytes.
    pub fn size(self) -> usize {
        match self {
            Algorithm::Sha512 => 64,
            Algorithm::Sha256 => 32,
            Algorithm::Sha1 => 20,
            Algorithm::Md5 => 16,
        }
    }
}

/// A checksum, computed or stated by a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksum {
    pub algorithm: Algorithm,
    pub value: Vec<u8>,
}

impl Checksum {
    /// Lower-case hexadecimal.
    pub fn hex(&self) -> String {
        hex::encode(&self.value)
    }
}

/// The algorithms to compute: SHA-512 first, then each of the others that is asked for, once.
pub(super) fn wanted(asked: &[Algorithm]) -> Vec<Algorithm> {
    let mut wanted = vec![Algorithm::Sha512];
    for algorithm in asked {
        if !wanted.contains(algorithm) {
            wanted.push(*algorithm);
        }
    }
    wanted
}

/// A checksum that is being computed.
#[derive(Clone)]
pub(super) struct Sum {
    algorithm: Algorithm,
    state: State,
}

#[derive(Clone)]
enum State {
    Sha(Context),
    Md5(Md5),
}

impl Sum {
    /// The checksum of no bytes.
    pub fn new(algorithm: Algorithm) -> Sum {
        let state = match algorithm {
            Algorithm::Sha512 => State::Sha(Context::new(&SHA512)),
            Algorithm::Sha256 => State::Sha(Context::new(&SHA256)),
            Algorithm::Sha1 => State::Sha(Context::new(&SHA1_FOR_LEGACY_USE_ONLY)),
            Algorithm::Md5 => State::Md5(Md5::new()),
        };
        Sum { algorithm, state }
    }

    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Sha(context) => context.update(bytes),
            State::Md5(hasher) => hasher.update(bytes),
        }
    }

    /// The checksum of all bytes so far.
    pub fn finish(self) -> Checksum {
        let value = match self.state {
            State::Sha(context) => context.finish().as_ref().to_vec(),
            State::Md5(hasher) => hasher.finalize().to_vec(),
        };
        Checksum {
            algorithm: self.algorithm,
            value,
        }
    }
}

impl std::io::Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bytes_have_known_checksums() {
        let of_abc = |algorithm| {
            let mut sum = Sum::new(algorithm);
            sum.update(b"a");
            sum.update(b"bc");
            let checksum = sum.finish();
            assert_eq!(checksum.value.len(), algorithm.size());
            checksum.hex()
        };
        // RFC 1321, A.5; FIPS 180-2, A.1, B.1 and C.1.
        assert_eq!(
            of_abc(Algorithm::Sha1),
            "a9993e364706816aba3e25717850c26c9cd0d89d"
        );
        assert_eq!(of_abc(Algorithm::Md5), "900150983cd24fb0d6963f7d28e17f72");
        assert!(of_abc(Algorithm::Sha256).starts_with("ba7816bf8f01cfea414140de5dae2223"));
        assert!(of_abc(Algorithm::Sha512).starts_with("ddaf35a193617abacc417349ae204131"));
    }

    #[test]
    fn what_is_asked_for_twice_is_made_once() {
        let asked = [Algorithm::Md5, Algorithm::Sha512, Algorithm::Md5];
        assert_eq!(wanted(&asked), [Algorithm::Sha512, Algorithm::Md5]);
    }
}
