//! Limits the connections that are open at the same time. Connections of this machine count apart from those of other
//! machines, and each other machine has a limit of its own.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::turns::Turns;
use crate::api::{ApiError, ErrorCode};
use isolario_config::Limits;

/// Counts open connections. Clones share the counts.
#[derive(Clone)]
pub struct ConnectionLimiter {
    limit: usize,
    limit_per_address: usize,
    counts: Arc<Mutex<ConnectionCounts>>,
    /// Of requests from this machine.
    local_turns: Arc<Turns>,
    /// Of requests from all other machines.
    remote_turns: Arc<Semaphore>,
    rejections: Arc<Semaphore>,
}

#[derive(Default)]
struct ConnectionCounts {
    local: usize,
    by_address: HashMap<IpAddr, MachineConnections>,
    remote: usize,
}

/// The connections of another machine.
struct MachineConnections {
    count: usize,
    turns: Arc<Turns>,
}

/// The right to one connection. Dropping it lowers the counts.
pub struct ConnectionPermit {
    limiter: ConnectionLimiter,
    address: IpAddr,
    turns: Arc<Turns>,
}

impl ConnectionLimiter {
    /// A limiter with the limits of the configuration.
    pub fn new(limits: &Limits) -> ConnectionLimiter {
        let all = || {
            Arc::new(Semaphore::new(
                limits.connections.min(Semaphore::MAX_PERMITS),
            ))
        };
        ConnectionLimiter {
            limit: limits.connections,
            limit_per_address: limits.connections_per_address,
            counts: Arc::default(),
            local_turns: Arc::new(Turns::new(limits.connections, all())),
            remote_turns: all(),
            rejections: Arc::new(Semaphore::new(CONCURRENT_REJECTIONS)),
        }
    }

    /// A permit for a connection; `None` when there are too many.
    pub fn acquire(&self, address: IpAddr) -> Option<ConnectionPermit> {
        let address = address.to_canonical();
        let mut counts = self.counts();
        let turns = match address.is_loopback() {
            true => self.count_local(&mut counts)?,
            false => self.count_remote(&mut counts, address)?,
        };
        Some(ConnectionPermit {
            limiter: self.clone(),
            address,
            turns,
        })
    }

    fn count_local(&self, counts: &mut ConnectionCounts) -> Option<Arc<Turns>> {
        if counts.local >= self.limit {
            return None;
        }
        counts.local += 1;
        Some(self.local_turns.clone())
    }

    fn count_remote(&self, counts: &mut ConnectionCounts, address: IpAddr) -> Option<Arc<Turns>> {
        let of_address = counts.by_address.get(&address);
        let of_address = of_address.map_or(0, |machine| machine.count);
        if counts.remote >= self.limit || of_address >= self.limit_per_address {
            return None;
        }
        counts.remote += 1;
        let machine = counts.by_address.entry(address);
        let machine = machine.or_insert_with(|| MachineConnections {
            count: 0,
            turns: Arc::new(Turns::new(
                self.limit_per_address,
                self.remote_turns.clone(),
            )),
        });
        machine.count += 1;
        Some(machine.turns.clone())
    }

    /// Answers 503 on a connection without encryption, and closes it.
    pub async fn reject(self, stream: TcpStream) {
        if let Ok(_turn) = self.rejections.try_acquire() {
            // A client that does not read gets no answer.
            let _ = tokio::time::timeout(REJECTION_TIME, send_rejection(stream)).await;
        }
    }

    fn counts(&self) -> MutexGuard<'_, ConnectionCounts> {
        // Numbers are changed together or not at all.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionPermit {
    /// The turns of the requests of this machine.
    pub fn turns(&self) -> Arc<Turns> {
        self.turns.clone()
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.counts();
        if self.address.is_loopback() {
            counts.local -= 1;
            return;
        }
        counts.remote -= 1;
        if let Some(machine) = counts.by_address.get_mut(&self.address) {
            machine.count -= 1;
            if machine.count == 0 {
                counts.by_address.remove(&self.address);
            }
        }
    }
}

const REFUSAL: &str = "Too many connections at the same time. Try again in a moment.";
const REJECTION_TIME: Duration = Duration::from_secs(5);
/// Further connections are closed without an answer.
const CONCURRENT_REJECTIONS: usize = 64;

async fn send_rejection(mut stream: TcpStream) -> std::io::Result<()> {
    let body = ApiError::new(ErrorCode::Busy, REFUSAL).body();
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all(&[head.into_bytes(), body].concat())
        .await?;
    stream.shutdown().await?;
    // Closing with something unread would take the answer back.
    stream.read(&mut [0; 4096]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn machine(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    #[test]
    fn nobody_crowds_out_others() {
        let limiter = ConnectionLimiter::new(&Limits {
            connections: 3,
            connections_per_address: 2,
            ..Limits::default()
        });
        let one = [limiter.acquire(machine(1)), limiter.acquire(machine(1))];
        assert!(one.iter().all(Option::is_some));
        assert!(limiter.acquire(machine(1)).is_none());
        let two = limiter.acquire(machine(2));
        assert!(two.is_some() && limiter.acquire(machine(3)).is_none());
        let here: Vec<_> = (0..3).map(|_| limiter.acquire(HERE)).collect();
        assert!(here.iter().all(Option::is_some) && limiter.acquire(HERE).is_none());
        drop(one);
        assert!(limiter.acquire(machine(3)).is_some());
        drop((two, here));
        let counts = limiter.counts();
        assert_eq!((counts.local, counts.remote), (0, 0));
        assert!(counts.by_address.is_empty());
    }
}
