//! Argon2id (RFC 9106) in memory that is kept from hash to hash. What a hash takes, 19 MiB, is more than
//! the system's allocator finds again once it was given back; hundreds of megabytes would pile up.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use aws_lc_rs::constant_time;

use super::secret::random_bytes;

/// Memory of hashes, as much as the greatest so far took.
#[derive(Default)]
pub struct Memory(Vec<Block>);

/// Hashes a password with a fresh salt, in PHC form; `None` when the library refuses to.
pub fn hash(memory: &mut Memory, password: &str) -> Option<String> {
    let (argon, salt) = (Argon2::default(), random_bytes::<16>());
    let output = memory.compute(&argon, password, &salt, Params::DEFAULT_OUTPUT_LEN)?;
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon.params()).ok()?,
        salt: Some(Salt::new(&salt).ok()?),
        hash: Some(Output::new(&output).ok()?),
    };
    Some(hash.to_string())
}

/// Whether the password belongs to a hash in PHC form.
pub fn verify(memory: &mut Memory, password: &str, hash: &str) -> bool {
    recomputed(memory, password, hash).unwrap_or(false)
}

fn recomputed(memory: &mut Memory, password: &str, hash: &str) -> Option<bool> {
    let hash = PasswordHash::new(hash).ok()?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = Version::try_from(hash.version?).ok()?;
    let argon = Argon2::new(algorithm, version, Params::try_from(&hash).ok()?);
    let (salt, expected) = (hash.salt?, hash.hash?);
    let output = memory.compute(&argon, password, &salt, expected.len())?;
    Some(constant_time::verify_slices_are_equal(&output, expected.as_ref()).is_ok())
}

impl Memory {
    fn compute(
        &mut self,
        argon: &Argon2<'_>,
        password: &str,
        salt: &[u8],
        length: usize,
    ) -> Option<Vec<u8>> {
        let blocks = argon.params().block_count();
        if self.0.len() < blocks {
            self.0.resize(blocks, Block::new());
        }
        let mut output = vec![0; length];
        let memory = &mut self.0[..blocks];
        argon
            .hash_password_into_with_memory(password.as_bytes(), salt, &mut output, memory)
            .ok()?;
        Some(output)
    }
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher, PasswordVerifier};

    use super::*;

    #[test]
    fn it_is_the_argon2_of_everybody_whatever_the_memory_held_before() {
        let mut memory = Memory::default();
        for password in ["Krähe 7", "", "another"] {
            let ours = hash(&mut memory, password).expect("hashed");
            assert!(
                ours.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
                "{ours}"
            );
            let library = Argon2::default();
            assert!(
                library
                    .verify_password(password.as_bytes(), ours.as_str())
                    .is_ok()
            );
            let theirs = library
                .hash_password(password.as_bytes())
                .expect("hashed")
                .to_string();
            assert!(verify(&mut memory, password, &theirs));
            assert!(!verify(&mut memory, "wrong", &theirs));
        }
    }

    #[test]
    fn a_hash_of_other_costs_is_verified_too() {
        let mut memory = Memory::default();
        let params = Params::new(64, 3, 2, Some(24)).expect("params");
        let library = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let theirs = library.hash_password(b"a").expect("hashed").to_string();
        assert!(verify(&mut memory, "a", &theirs));
        assert!(!verify(&mut memory, "b", &theirs));
        assert!(!verify(&mut memory, "a", "no hash"));
    }
}
