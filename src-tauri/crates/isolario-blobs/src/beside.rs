//! Work beside that of the calling thread, while that thread does something else.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Work on a thread of its own, or done already where the system gave none.
pub(super) enum Beside<'s, T> {
    Running(ScopedJoinHandle<'s, io::Result<T>>),
    Done(io::Result<T>),
}

impl<'s, T: Send + 's> Beside<'s, T> {
    /// Begins work that the scope waits for.
    pub(super) fn begin<'e>(
        scope: &'s Scope<'s, 'e>,
        work: impl FnOnce() -> io::Result<T> + Copy + Send + 's,
    ) -> Beside<'s, T> {
        Beside::begin_on(Builder::new(), scope, work)
    }

    fn begin_on<'e>(
        thread: Builder,
        scope: &'s Scope<'s, 'e>,
        work: impl FnOnce() -> io::Result<T> + Copy + Send + 's,
    ) -> Beside<'s, T> {
        match thread.spawn_scoped(scope, work) {
            Ok(running) => Beside::Running(running),
            Err(_) => Beside::Done(work()),
        }
    }

    /// Waits for the outcome.
    pub(super) fn outcome(self) -> io::Result<T> {
        match self {
            Beside::Running(running) => running
                .join()
                .unwrap_or_else(|_| Err(io::ErrorKind::Other.into())),
            Beside::Done(outcome) => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{current, scope};

    use super::*;

    #[test]
    fn the_calling_thread_works_where_there_is_no_other() {
        let here = current().id();
        let work = || Ok(current().id());
        // No address space has room for such a stack.
        let no_thread = Builder::new().stack_size(1 << 60);
        let alone = scope(|scope| Beside::begin_on(no_thread, scope, work).outcome());
        assert_eq!(alone.unwrap(), here);
        let beside = scope(|scope| Beside::begin(scope, work).outcome());
        assert_ne!(beside.unwrap(), here);
    }
}
