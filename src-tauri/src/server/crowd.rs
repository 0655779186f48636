//! How many connections there may be at the same time. Other machines cannot crowd out this one, and
//! none of them the others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use crate::cli::config::Limits;

/// Who is connected. Clones count together.
#[derive(Clone)]
pub struct Crowd {
    most: usize,
    most_of_one: usize,
    connected: Arc<Mutex<Connected>>,
    telling: Arc<Semaphore>,
}

#[derive(Default)]
struct Connected {
    from_here: usize,
    elsewhere: HashMap<IpAddr, usize>,
    from_elsewhere: usize,
}

/// A place in the crowd, free again when dropped.
pub struct Place {
    crowd: Crowd,
    address: IpAddr,
}

impl Crowd {
    /// As many as the limits say.
    pub fn new(limits: &Limits) -> Crowd {
        Crowd {
            most: limits.connections,
            most_of_one: limits.connections_per_address,
            connected: Arc::default(),
            telling: Arc::new(Semaphore::new(TOLD)),
        }
    }

    /// A place for a connection; `None` when there are too many.
    pub fn enter(&self, address: IpAddr) -> Option<Place> {
        let address = address.to_canonical();
        let mut connected = self.connected();
        if address.is_loopback() {
            if connected.from_here >= self.most {
                return None;
            }
            connected.from_here += 1;
        } else {
            let of_one = connected.elsewhere.get(&address).copied().unwrap_or(0);
            if connected.from_elsewhere >= self.most || of_one >= self.most_of_one {
                return None;
            }
            connected.from_elsewhere += 1;
            connected.elsewhere.insert(address, of_one + 1);
        }
        Some(Place {
            crowd: self.clone(),
            address,
        })
    }

    /// Tells a client on a connection without encryption that there is no place, as far as it listens.
    pub async fn turn_away(self, stream: TcpStream) {
        if let Ok(_turn) = self.telling.try_acquire() {
            // Whoever does not listen gets no answer.
            let _ = tokio::time::timeout(PATIENCE, tell(stream)).await;
        }
    }

    fn connected(&self) -> MutexGuard<'_, Connected> {
        // Numbers are changed together or not at all.
        self.connected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut connected = self.crowd.connected();
        if self.address.is_loopback() {
            connected.from_here -= 1;
            return;
        }
        connected.from_elsewhere -= 1;
        if let Some(of_one) = connected.elsewhere.get_mut(&self.address) {
            *of_one -= 1;
            if *of_one == 0 {
                connected.elsewhere.remove(&self.address);
            }
        }
    }
}

const REFUSAL: &str =
    "{\"message\":\"Too many connections at the same time. Try again in a moment.\"}";
const PATIENCE: Duration = Duration::from_secs(5);
/// More than so many are not told, only hung up on.
const TOLD: usize = 64;

async fn tell(mut stream: TcpStream) -> std::io::Result<()> {
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{REFUSAL}",
        REFUSAL.len()
    );
    stream.write_all(answer.as_bytes()).await?;
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
        let crowd = Crowd::new(&Limits {
            connections: 3,
            connections_per_address: 2,
            ..Limits::default()
        });
        let one = [crowd.enter(machine(1)), crowd.enter(machine(1))];
        assert!(one.iter().all(Option::is_some));
        assert!(crowd.enter(machine(1)).is_none());
        let two = crowd.enter(machine(2));
        assert!(two.is_some() && crowd.enter(machine(3)).is_none());
        let here: Vec<_> = (0..3).map(|_| crowd.enter(HERE)).collect();
        assert!(here.iter().all(Option::is_some) && crowd.enter(HERE).is_none());
        drop(one);
        assert!(crowd.enter(machine(3)).is_some());
        drop((two, here));
        let connected = crowd.connected();
        assert_eq!((connected.from_here, connected.from_elsewhere), (0, 0));
        assert!(connected.elsewhere.is_empty());
    }
}
