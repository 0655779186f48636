//! The program under test, started as anybody would start it, on its own core.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::load;
use super::machine::{ALL_CORES, SERVER_CORE, pinned};

pub const ISOLARIO: &str = env!("CARGO_BIN_EXE_isolario");

/// A running program that listens.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
    /// From the start of the process to the first answer, milliseconds.
    pub started_in: f64,
}

impl Program {
    /// Serves a data directory.
    pub async fn isolario(directory: &Path) -> Program {
        let command = pinned(SERVER_CORE, Path::new(ISOLARIO));
        Program::serving(command, directory, &["--no-derivatives"]).await
    }

    /// As `isolario`, and makes what follows from uploads.
    pub async fn with_derivatives(directory: &Path) -> Program {
        let command = pinned(SERVER_CORE, Path::new(ISOLARIO));
        Program::serving(command, directory, &[]).await
    }

    /// As `isolario`, with all cores of the machine, for work that nobody asks for over the network.
    pub async fn unpinned(directory: &Path) -> Program {
        // Else it would stay where this process does, on the core of the load.
        let command = pinned(ALL_CORES, Path::new(ISOLARIO));
        Program::serving(command, directory, &["--no-derivatives"]).await
    }

    /// As a command says, on a data directory.
    pub async fn serving(mut command: Command, directory: &Path, arguments: &[&str]) -> Program {
        let address = free_address();
        command.arg("--data").arg(directory);
        command.args(["serve", "--listen", &address.to_string()]);
        command.args(arguments);
        let program = Program::start(command, address).await;
        program.wait_for_index().await;
        program
    }

    /// Waits until searches are answered: an index that is being made is no part of what is measured.
    async fn wait_for_index(&self) {
        let search = || load::get(self.address, "/api/v1/search?limit=1");
        let mut sender = load::connect(self.address).await;
        while load::ask(&mut sender, search()).await.status() != 200 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Starts a limit of this bench, which listens on the address after its other arguments.
    pub async fn limit(name: &str, arguments: &[&str]) -> Program {
        let address = free_address();
        let own = std::env::current_exe().expect("this program");
        let mut command = pinned(SERVER_CORE, &own);
        command.args(["limit", name]).args(arguments);
        command.arg(address.to_string());
        Program::start(command, address).await
    }

    /// Starts any command and waits until something answers at the address.
    pub async fn start(mut command: Command, address: SocketAddr) -> Program {
        let started = Instant::now();
        let output = command.stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut program = Program {
            child: output.spawn().expect("a program"),
            address,
            started_in: 0.0,
        };
        let mut said = BufReader::new(program.child.stdout.take().expect("its output"));
        // Nobody reads what it says, but a full pipe must not stop it.
        std::thread::spawn(move || while said.read_line(&mut String::new()).unwrap_or(0) > 0 {});
        while started.elapsed() < Duration::from_secs(60) {
            if tokio::net::TcpStream::connect(address).await.is_ok() {
                let mut sender = load::connect(address).await;
                load::ask(&mut sender, load::get(address, "/node/1?_format=json")).await;
                program.started_in = started.elapsed().as_secs_f64() * 1e3;
                return program;
            }
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
        panic!("{command:?} does not listen");
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let id = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let _ = self.child.wait();
    }
}

/// An address that nobody listens on now.
pub fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address")
}
