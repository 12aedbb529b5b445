//! The floor: a server that does the least that a server must. It splits lines, reads each in two steps without copying,
//! counts, and answers every question with yes at once: by a write each, or all answers to one read in one write. One
//! thread, one task for each connection.

use std::borrow::Cow;
use std::hint::black_box;
use std::io::Write as _;

use bytes::{Buf as _, BytesMut};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

/// How much one read takes.
const CHUNK: usize = 64 << 10;

/// Takes every client, for ever.
pub(super) async fn serve(listener: UnixListener, answering: Answering) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(connection(stream, answering));
    }
}

/// How answers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answering {
    /// each as soon as it is known
    OneByOne,
    /// all of one read together
    Together,
}

async fn connection(mut stream: UnixStream, answering: Answering) {
    let (mut buffer, mut answers, mut count) = (BytesMut::new(), Vec::new(), 0_usize);
    loop {
        buffer.reserve(CHUNK);
        if !matches!(stream.read_buf(&mut buffer).await, Ok(1..)) {
            break;
        }
        let mut begin = 0;
        for end in memchr::memchr_iter(b'\n', &buffer) {
            read(buffer.get(begin..end).unwrap(), &mut answers);
            count += 1;
            begin = end + 1;
            if answering == Answering::OneByOne && !answers.is_empty() {
                if stream.write_all(&answers).await.is_err() {
                    return;
                }
                answers.clear();
            }
        }
        buffer.advance(begin);
        if !answers.is_empty() {
            if stream.write_all(&answers).await.is_err() {
                break;
            }
            answers.clear();
        }
    }
    black_box(count);
}

/// A text inside something else: only so does serde borrow it.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what reading it costs")]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what reading them costs")]
struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    data: Option<Text<'a>>,
}

/// The members of all structured messages in the mix: a tagged enum would read each message twice.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read for what reading them costs")]
struct Structured<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    timestamp: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    is_user_request: Option<bool>,
    #[serde(borrow)]
    tool_name: Option<Text<'a>>,
    #[serde(borrow)]
    input_summary: Option<Text<'a>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    result_summary: Option<Text<'a>>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    exit_code: Option<f64>,
    #[serde(borrow)]
    stdout: Option<Text<'a>>,
    #[serde(borrow)]
    message: Option<Text<'a>>,
    #[serde(borrow)]
    phase: Option<Text<'a>>,
    #[serde(borrow)]
    request_id: Option<&'a RawValue>,
    #[serde(borrow)]
    prompt_type: Option<Text<'a>>,
    #[serde(borrow)]
    prompt_config: Option<&'a RawValue>,
    timeout_ms: Option<f64>,
}

fn read(line: &[u8], answers: &mut Vec<u8>) {
    let envelope: Envelope<'_> = serde_json::from_slice(line).unwrap();
    if envelope.kind == "structured" {
        let message: Structured<'_> = serde_json::from_str(envelope.message.unwrap().get()).unwrap();
        if message.kind == "prompt_request" {
            let id = message.request_id.unwrap();
            writeln!(answers, r#"{{"type":"prompt_response","requestId":{id},"value":true}}"#).unwrap();
        }
        black_box(&message);
    }
    black_box(&envelope);
}
