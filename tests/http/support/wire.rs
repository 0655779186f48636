//! HTTP/1.1 by hand, so that a test can send what no client library would send: raw bytes in
//! headers, odd methods and paths, broken and half-finished bodies.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

use super::Response;

/// A test that waits longer than this is stuck, not slow.
const STUCK: Duration = Duration::from_secs(120);

/// A connection to the server. The loopback network has many addresses, so a test can come
/// from an address of its own (flood control counts by address).
pub fn connect(server: SocketAddr, from: Ipv4Addr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((from, 0)).into())?;
    socket.connect(&server.into())?;
    let stream = TcpStream::from(socket);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(STUCK))?;
    stream.set_write_timeout(Some(STUCK))?;
    Ok(stream)
}

/// Sends a whole request and reads the answer. A server may answer and hang up before it has read
/// everything, so a failed write is not the end.
pub fn exchange(mut stream: TcpStream, request: &[u8], head: bool) -> io::Result<Response> {
    let written = stream.write_all(request).and_then(|()| stream.flush());
    read_response(&mut BufReader::new(stream), head).map_err(|error| match written {
        Ok(()) => error,
        Err(first) => io::Error::new(first.kind(), format!("{first}; then {error}")),
    })
}

/// Reads one final answer; interim ones (100 Continue) are skipped.
pub fn read_response(reader: &mut impl BufRead, head: bool) -> io::Result<Response> {
    loop {
        let status = read_status(reader)?;
        let headers = read_headers(reader)?;
        if (100..200).contains(&status) {
            continue;
        }
        let mut response = Response::new(status, headers);
        if !head && status != 204 && status != 304 {
            response.body = read_body(reader, &response)?;
        }
        return Ok(response);
    }
}

fn read_status(reader: &mut impl BufRead) -> io::Result<u16> {
    let line = read_line(reader)?;
    line.split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| invalid(format!("not a status line: {line:?}")))
}

fn read_headers(reader: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let line = read_line(reader)?;
        if line.is_empty() {
            return Ok(headers);
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| invalid(format!("not a header: {line:?}")))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

fn read_body(reader: &mut impl BufRead, response: &Response) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    if response.header("transfer-encoding") == Some("chunked") {
        while let Some(chunk) = read_chunk(reader)? {
            body.extend(chunk);
        }
    } else if let Some(length) = response.header("content-length") {
        let length = length.parse().map_err(|_| invalid("bad Content-Length"))?;
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    } else {
        reader.read_to_end(&mut body)?;
    }
    Ok(body)
}

fn read_chunk(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let line = read_line(reader)?;
    let size = usize::from_str_radix(line.split(';').next().unwrap_or_default(), 16)
        .map_err(|_| invalid(format!("not a chunk size: {line:?}")))?;
    let mut chunk = vec![0; size];
    reader.read_exact(&mut chunk)?;
    read_line(reader)?;
    Ok((size > 0).then_some(chunk))
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    if reader.read_until(b'\n', &mut line)? == 0 {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "hung up without an answer",
        ));
    }
    let line = String::from_utf8_lossy(&line);
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}
