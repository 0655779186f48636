//! What Windows tells a program of a console.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

/// Ctrl+C and Ctrl+Break, the end of the console, and that of the system.
pub struct EndSignals {
    stop: CtrlC,
    break_off: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl EndSignals {
    /// Listens from now on.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn listen() -> io::Result<EndSignals> {
        Ok(EndSignals {
            stop: ctrl_c()?,
            break_off: ctrl_break()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for the next of them.
    pub async fn received(&mut self) {
        poll_fn(|context| {
            let received = self.stop.poll_recv(context).is_ready()
                || self.break_off.poll_recv(context).is_ready()
                || self.close.poll_recv(context).is_ready()
                || self.shutdown.poll_recv(context).is_ready();
            match received {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}
