//! Memory for parts of files while these are sent. It is used again: parts come so fast that the allocator would have
//! taken memory for the next ones before it had given back that of the last.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Buffers that are used again while parts are sent. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct PartBuffers(Arc<Mutex<BufferPool>>);

#[derive(Debug, Default)]
struct BufferPool {
    free: Vec<Vec<u8>>,
    /// How many are not free.
    used: usize,
}

/// A buffer. It is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct PartBuffer {
    bytes: Vec<u8>,
    pool: PartBuffers,
}

impl PartBuffers {
    /// A buffer of so many bytes, whatever they are.
    pub(crate) fn take(&self, length: usize) -> PartBuffer {
        let free = self.change(|pool| {
            pool.used += 1;
            pool.take_free(length)
        });
        let mut bytes = free.unwrap_or_default();
        bytes.resize(length, 0);
        PartBuffer {
            bytes,
            pool: self.clone(),
        }
    }

    fn give_back(&self, bytes: Vec<u8>) {
        let unused = self.change(|pool| {
            pool.used -= 1;
            pool.free.push(bytes);
            // Nothing is sent any more.
            match pool.used {
                0 => mem::take(&mut pool.free),
                _ => Vec::new(),
            }
        });
        drop(unused);
    }

    fn change<T>(&self, change: impl FnOnce(&mut BufferPool) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl BufferPool {
    /// The largest free buffer, unless a small part would occupy it.
    fn take_free(&mut self, length: usize) -> Option<Vec<u8>> {
        let free = self.free.iter().map(Vec::capacity).enumerate();
        let fitting = free.filter(|(_, capacity)| capacity / 2 <= length);
        let (at, _) = fitting.max_by_key(|(_, capacity)| *capacity)?;
        Some(self.free.swap_remove(at))
    }
}

impl Drop for PartBuffer {
    fn drop(&mut self) {
        self.pool.give_back(mem::take(&mut self.bytes));
    }
}

impl AsRef<[u8]> for PartBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsMut<[u8]> for PartBuffer {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_while_another_is_used() {
        let buffers = PartBuffers::default();
        let (first, second) = (buffers.take(1_000), buffers.take(10));
        let place = first.as_ref().as_ptr();
        drop(first);
        let small = buffers.take(20);
        assert_ne!(small.as_ref().as_ptr(), place);
        let third = buffers.take(500);
        assert_eq!(
            (third.as_ref().len(), third.as_ref().as_ptr()),
            (500, place)
        );
        drop((second, small, third));
        assert!(buffers.change(|pool| pool.free.is_empty()));
    }
}
