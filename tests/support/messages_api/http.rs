//! As much of HTTP/1.1 as the CLI speaks: one request a connection, with a length, and bounds on everything.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use crate::support::wait::PATIENCE;

const HEAD: u64 = 256 << 10;
const BODY: u64 = 64 << 20;

/// A request as it came.
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) path: String,
    /// names in lower case
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Asked {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reads one.
pub(super) fn read(stream: &mut TcpStream) -> io::Result<Asked> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut asked = read_head(&mut (&mut reader).take(HEAD))?;
    if asked.header("transfer-encoding").is_some() || asked.header("content-encoding").is_some() {
        return Err(io::Error::other("a body that this server cannot read"));
    }
    let length = asked.header("content-length").map_or(Ok(0), str::parse::<u64>).map_err(io::Error::other)?;
    if length > BODY {
        return Err(io::Error::other("a body beyond all bounds"));
    }
    reader.take(length).read_to_end(&mut asked.body)?;
    Ok(asked)
}

fn read_head(reader: &mut impl BufRead) -> io::Result<Asked> {
    let first = read_line(reader)?;
    let mut words = first.split(' ').map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(io::Error::other("no request"));
    };
    let mut headers = Vec::new();
    loop {
        let line = read_line(reader)?;
        match line.split_once(':') {
            Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.trim().to_owned())),
            None => return Ok(Asked { method, path, headers, body: Vec::new() }),
        }
    }
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

/// The head of an answer. Each connection is for one answer only, so that its end is the end.
pub(super) fn write_head(
    stream: &mut TcpStream,
    status: u16,
    content: &str,
    headers: &[(String, String)],
) -> io::Result<()> {
    let mut head = format!(
        "HTTP/1.1 {status} As scripted\r\ncontent-type: {content}\r\nrequest-id: req_scripted\r\nconnection: close\r\n"
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())
}

/// An answer at once.
pub(super) fn write_json(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(String, String)],
    body: &serde_json::Value,
) -> io::Result<()> {
    let body = body.to_string();
    let mut headers = headers.to_vec();
    headers.push(("content-length".into(), body.len().to_string()));
    write_head(stream, status, "application/json", &headers)?;
    stream.write_all(body.as_bytes())
}

/// One event of a stream.
pub(super) fn write_event(stream: &mut TcpStream, data: &serde_json::Value) -> io::Result<()> {
    let name = data["type"].as_str().unwrap_or_default();
    stream.write_all(format!("event: {name}\ndata: {data}\n\n").as_bytes())
}
