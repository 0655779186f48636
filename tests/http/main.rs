//! The interface, asked over a real connection. Files are named after the URL.

mod cases;
mod support;
