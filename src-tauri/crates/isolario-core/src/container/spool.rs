//! Bytes of any length that wait on the disk until their size and checksum are known.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use aws_lc_rs::digest::{Context, SHA512};
use isolario_blobs::{Algorithm, FileDigest, checksum_of};
use tokio_util::io::ReaderStream;

/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// Bytes that grow, in a file without a name.
pub(crate) struct Spool {
    file: BufWriter<File>,
    sum: Context,
    size: u64,
}

/// Bytes that have come to an end, from the first on.
pub(crate) struct Spooled {
    file: File,
    pub digest: FileDigest,
}

impl Spool {
    /// No bytes yet, in a file in a directory.
    pub fn new(directory: &Path) -> io::Result<Spool> {
        Ok(Spool {
            file: BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(directory)?),
            sum: Context::new(&SHA512),
            size: 0,
        })
    }

    /// Adds some bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// The bytes, now that all have come.
    pub fn finish(self) -> io::Result<Spooled> {
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        Ok(Spooled {
            file,
            digest: FileDigest {
                size: self.size,
                sha512: hex::encode(self.sum.finish()),
            },
        })
    }
}

impl Spooled {
    /// The bytes of a file, whose checksum is read.
    pub fn from_file(mut file: File) -> io::Result<Spooled> {
        file.rewind()?;
        let sum = checksum_of(&mut file, Algorithm::Sha512)?;
        let digest = FileDigest {
            size: file.stream_position()?,
            sha512: sum.hex(),
        };
        file.rewind()?;
        Ok(Spooled { file, digest })
    }

    /// The bytes, to be read here.
    pub fn into_reader(self) -> BufReader<File> {
        BufReader::with_capacity(CHUNK, self.file)
    }

    /// The bytes, from the first on.
    pub fn into_stream(self) -> ReaderStream<tokio::fs::File> {
        ReaderStream::with_capacity(self.file.into(), CHUNK)
    }
}

/// Size and checksum of bytes in memory.
pub(crate) fn digest_of(bytes: &[u8]) -> FileDigest {
    let mut sum = Context::new(&SHA512);
    sum.update(bytes);
    FileDigest {
        size: bytes.len() as u64,
        sha512: hex::encode(sum.finish()),
    }
}
