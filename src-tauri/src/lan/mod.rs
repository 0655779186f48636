//! Serving the local network: under which names this machine is reached there, with which
//! certificate, how the network is told, and the switch (docs/LAN.md). Who listens and answers is
//! `server`; here is what it needs to know, and what everybody else may ask and wish.

pub mod announcement;
pub mod certificate;
pub mod names;
mod new_certificate;
mod switch;

pub use announcement::Announcement;
pub use certificate::{Certificate, CertificateError, CertificateFacts};
pub use names::LanNames;
pub use new_certificate::certificate_for;
pub use switch::{Lan, LanServing, LanState, Seat, SwitchError, Wish};
