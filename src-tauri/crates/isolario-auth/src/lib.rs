//! Who is asking: passwords, bearer tokens, sessions of browsers, tickets and the key of the window.

mod access_token;
mod account_cache;
mod argon;
pub mod authenticator;
mod basic;
mod bearer;
pub mod cookie;
mod failed_sign_ins;
mod flood;
mod hashers;
pub mod hosts;
mod openid_connect;
pub mod password;
mod permission_cache;
mod second_factor;
mod secret;
mod share_link;
mod sign_in;
mod tickets;
mod window_key;

pub use access_token::{hash_of_access_token, new_access_token};
pub use authenticator::{Authenticator, SignInError};
pub use bearer::{KeyError, PublicKey, Rotation};
pub use failed_sign_ins::{FailedSignIn, FailedSignIns};
pub use openid_connect::{OpenIdConnect, OpenIdConnectError, OpenIdIdentity, SignInRequest};
pub use second_factor::{new_second_factor, second_factor_address, step_of};
pub use secret::{random_bytes, random_hex};
pub use share_link::{bearer_of_link, hash_of_link_key, new_link_key};
pub use sign_in::{account_of, actor_of};
