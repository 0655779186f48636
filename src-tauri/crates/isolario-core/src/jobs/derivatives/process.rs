//! Runs the process that makes one derivative. A hostile file can harm only this process.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};

use super::sandbox::{PARENT, ProcessLimits};
use isolario_platform::process::{ProcessGroup, lead_group, own_program};

const CHUNK: usize = 256 * 1024;
/// Chunks in the queue. When it is full, a slow disk slows down the process.
const ON_THEIR_WAY: usize = 4;
/// Bytes of its error output that are kept.
const SAID: usize = 16 * 1024;
/// How often a process that has closed its output is checked for its end.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// The environment variables that it gets.
const PASSED_ON: [&str; 4] = ["PATH", "LANG", "TMPDIR", "TESSDATA_PREFIX"];

/// What of a file something is made of.
#[derive(Debug, Clone, Default)]
pub struct FilePart {
    /// How its picture is adjusted, as the command line says it.
    pub adjustment: Option<String>,
    /// The page, from 1 on; none for the whole file.
    pub page: Option<usize>,
}

/// Which derivative a process makes, of which file.
pub struct ProcessRequest {
    pub kind: String,
    /// MIME type that was declared.
    pub mime: String,
    pub filename: String,
    /// What of the file it is made of.
    pub part: FilePart,
    pub bounds: ProcessLimits,
    pub input: Stdio,
}

/// A running process. Dropping it kills it, with all processes that it has started.
pub struct Process {
    /// The derivative, as it is made.
    pub output: mpsc::Receiver<io::Result<Bytes>>,
    end: Option<oneshot::Receiver<io::Result<ProcessExit>>>,
    life: ProcessLife,
}

/// How a process ended.
#[derive(Debug)]
pub struct ProcessExit {
    pub status: ExitStatus,
    /// The end of its error output.
    pub said: String,
}

impl Process {
    /// Starts this program as a process that makes one derivative.
    pub fn start(request: ProcessRequest) -> Process {
        let (sender, output) = mpsc::channel(ON_THEIR_WAY);
        let (ended, end) = oneshot::channel();
        let life = ProcessLife::default();
        let watched = life.clone();
        // The thread that starts a process has to live as long as it: with that thread it would be killed.
        let watching = thread::Builder::new().name("derivative".into());
        let watching = watching.spawn(move || {
            // Whoever asked may have gone away.
            let _ = ended.send(run(request, &watched, &sender));
        });
        if let Err(error) = watching {
            tracing::error!(%error, "nobody can watch over a process");
        }
        Process {
            output,
            end: Some(end),
            life,
        }
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When it could not be started or watched.
    pub async fn end(&mut self) -> io::Result<ProcessExit> {
        let nobody = || io::Error::other("nobody watches over the process");
        let end = self.end.take().ok_or_else(nobody)?;
        end.await.unwrap_or_else(|_| Err(nobody()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.life.end();
    }
}

/// Whether a process may be killed. The id of one that has ended may belong to another process.
#[derive(Clone, Default)]
struct ProcessLife(Arc<Mutex<ProcessStage>>);

#[derive(Default)]
enum ProcessStage {
    #[default]
    Unborn,
    Alive(ProcessGroup),
    Over,
}

impl ProcessLife {
    fn stage<T>(&self, change: impl FnOnce(&mut ProcessStage) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts a process, unless its job was cancelled.
    fn begin(&self, command: &mut Command) -> io::Result<Child> {
        self.stage(|stage| {
            if let ProcessStage::Over = stage {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let child = command.spawn()?;
            *stage = ProcessStage::Alive(ProcessGroup::of(&child)?);
            Ok(child)
        })
    }

    fn end(&self) {
        self.stage(|stage| {
            if let ProcessStage::Alive(process) = stage {
                process.end();
            } else {
                *stage = ProcessStage::Over;
            }
        });
    }

    /// Its status, once it has ended.
    fn ended(&self, child: &mut Child) -> io::Result<Option<ExitStatus>> {
        self.stage(|stage| {
            let status = child.try_wait()?;
            if status.is_some() {
                *stage = ProcessStage::Over;
            }
            Ok(status)
        })
    }
}

fn command(request: ProcessRequest) -> io::Result<Command> {
    let mut command = Command::new(own_program()?);
    lead_group(&mut command, "isolario")
        .args(["derive", &request.kind])
        .arg(format!("--mime={}", request.mime))
        .arg(format!("--name={}", request.filename))
        .args(
            request
                .part
                .adjustment
                .map(|text| format!("--adjust={text}")),
        )
        .arg(format!("--memory={}", request.bounds.memory))
        .arg(format!("--seconds={}", request.bounds.seconds))
        .env_clear()
        .env(PARENT, std::process::id().to_string())
        // What its allocator has reserved before its bounds are set would not count.
        .env("MIMALLOC_ARENA_RESERVE", "16MiB")
        .args(request.part.page.map(|page| format!("--page={page}")))
        .current_dir("/")
        .stdin(request.input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    Ok(command)
}

fn run(
    request: ProcessRequest,
    life: &ProcessLife,
    output: &mpsc::Sender<io::Result<Bytes>>,
) -> io::Result<ProcessExit> {
    let mut child = life.begin(&mut command(request)?)?;
    let said = child.stderr.take().map(listen);
    if let Some(product) = child.stdout.take() {
        pass_on(product, output);
    }
    let status = loop {
        match life.ended(&mut child)? {
            Some(status) => break status,
            None => thread::sleep(POLL_INTERVAL),
        }
    };
    let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
    Ok(ProcessExit {
        status,
        said: String::from_utf8_lossy(&said).into_owned(),
    })
}

fn pass_on(mut product: impl Read, output: &mpsc::Sender<io::Result<Bytes>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = product.read(&mut chunk);
        let more = matches!(read, Ok(1..));
        let passed = read.map(|length| {
            chunk.truncate(length);
            Bytes::from(chunk)
        });
        let wanted = match passed {
            Ok(chunk) if chunk.is_empty() => true,
            passed => output.blocking_send(passed).is_ok(),
        };
        if !more || !wanted {
            return;
        }
    }
}

/// Keeps the end of the error output of a process.
fn listen(mut said: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let (mut kept, mut chunk) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = said.read(&mut chunk) {
            kept.extend_from_slice(&chunk[..length]);
            let excess = kept.len().saturating_sub(SAID);
            kept.drain(..excess);
        }
        kept
    })
}
