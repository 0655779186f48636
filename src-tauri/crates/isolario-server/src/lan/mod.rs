//! Serving the local network (docs/LAN.md): the names of this machine there, the certificate, the announcement by mDNS,
//! and the switch. `listeners` accepts the connections.

pub mod announcement;
pub mod certificate;
pub mod names;
mod new_certificate;
pub mod set_enabled;
mod switch;

pub use announcement::Announcement;
pub use certificate::{Certificate, CertificateError, CertificateFacts};
pub use names::LanNames;
pub use new_certificate::certificate_for;
pub use switch::{Lan, LanServing, LanState, SwitchCommand, SwitchError, SwitchHandle};
