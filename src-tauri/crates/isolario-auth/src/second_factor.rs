//! The second factor: codes of an app that change every 30 seconds (TOTP, RFC 6238), with six digits and SHA-1, which every
//! app knows.

use totp_rs::{Builder, Secret, Totp};

use super::secret::random_bytes;

/// The length of a secret, in bytes (RFC 4226, 4, R6).
const SECRET_LENGTH: usize = 20;

/// Makes a secret, in base 32.
pub fn new_second_factor() -> String {
    Secret::from(random_bytes::<SECRET_LENGTH>().to_vec()).to_base32()
}

/// The address of a secret that apps read (`otpauth:`), for an account of a repository; `None` for what is no secret.
pub fn second_factor_address(secret: &str, repository: &str, account: &str) -> Option<String> {
    // A colon parts the two in the address.
    let repository = repository.replace(':', " ");
    totp(secret, &repository, account)?.to_url().ok()
}

/// The number of the 30 seconds whose code this is, now (Unix seconds) or in the 30 seconds before or after; `None` for
/// another code, and for what is no secret.
pub fn step_of(secret: &str, code: &str, now: i64) -> Option<i64> {
    let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let step = totp(secret, "Isolario", "account")?.check(&code, u64::try_from(now).ok()?)?;
    i64::try_from(step).ok()
}

fn totp(secret: &str, repository: &str, account: &str) -> Option<Totp> {
    let secret = Secret::try_from_base32(secret).ok()?;
    if secret.as_bytes().len() != SECRET_LENGTH {
        return None;
    }
    let builder = Builder::new().with_secret(secret);
    let named = builder
        .with_issuer(Some(repository))
        .with_account_name(account);
    named.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of RFC 6238, appendix B: "12345678901234567890".
    const SECRET: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn the_codes_of_the_specification_are_taken_in_their_time() {
        // The last six digits of each value in appendix B.
        for (now, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (2_000_000_000, "279037"),
        ] {
            assert_eq!(step_of(SECRET, code, now), Some(now / 30));
            assert_eq!(
                step_of(SECRET, code, now + 30),
                Some(now / 30),
                "a late one"
            );
            assert_eq!(step_of(SECRET, code, now + 90), None, "an old one");
        }
        assert_eq!(step_of(SECRET, "287 082", 59), Some(1), "as apps show it");
    }

    #[test]
    fn what_is_no_code_or_no_secret_is_refused() {
        for code in ["", "28708", "2870821", "28708a", "28708²", "-87082"] {
            assert_eq!(step_of(SECRET, code, 59), None, "{code}");
        }
        for secret in ["", "GEZDGNBV", "!", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1"] {
            assert_eq!(step_of(secret, "287082", 59), None, "{secret}");
        }
    }

    #[test]
    fn a_new_secret_has_an_address_for_apps() {
        let secret = new_second_factor();
        let address = second_factor_address(&secret, "Maps: Rhodes", "mira o'hara").expect("one");
        assert!(address.starts_with("otpauth://totp/"), "{address}");
        assert!(
            address.contains(&secret) && !address.contains("%3A%20"),
            "{address}"
        );
    }
}
