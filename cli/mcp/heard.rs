//! A line of the client's ↔ a message of the protocol. Pure.
//!
//! The arguments of a call go beside the message, as they were written: the input of a tool must come back untouched, and
//! numbers and texts that the protocol's own reader would change or refuse (half an emoji) are asked about like any other.

use codec::claude::Rpc;
use codec::json::{Json, Kind};
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, GetExtensions as _};

/// The arguments of a call, as they came.
#[derive(Debug, Clone)]
pub(super) struct Arguments(pub(super) Json<'static>);

/// What a line is.
#[derive(Debug)]
pub(super) enum Heard {
    /// a message
    Message(Box<ClientJsonRpcMessage>),
    /// a request that cannot be understood, and the line that says so
    Refused(String),
    /// nothing that anybody waits for, and why
    Nothing(String),
    /// a request that nobody could answer, because its id cannot be read
    Lost(String),
}

/// What a line says.
pub(super) fn hear(line: &[u8]) -> Heard {
    let mut rpc = match Rpc::read(line) {
        Ok(rpc) => rpc,
        Err(reject) => return unreadable(line, reject.reason.to_string()),
    };
    let arguments = match take_arguments(&mut rpc) {
        Ok(arguments) => arguments,
        Err(why) => return refused(&rpc, &why),
    };
    let read = match arguments {
        None => serde_json::from_slice(line),
        Some(_) => serde_json::from_str(&rpc.to_line()),
    };
    match read {
        Ok(message) => Heard::Message(Box::new(with_arguments(message, arguments))),
        Err(error) => refused(&rpc, &error.to_string()),
    }
}

/// What is no message at all is nobody's. What looks like a request, such as one that is too deep, somebody waits for.
fn unreadable(line: &[u8], why: String) -> Heard {
    let has = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
    if has(b"\"id\"") && has(b"\"method\"") { Heard::Lost(why) } else { Heard::Nothing(why) }
}

fn take_arguments(rpc: &mut Rpc<'_>) -> Result<Option<Json<'static>>, String> {
    if !rpc.method.as_ref().is_some_and(|method| method.is("tools/call")) {
        return Ok(None);
    }
    let Some(params) = rpc.params.as_mut() else { return Ok(None) };
    let taken = params.take("arguments").map_err(|wrong| wrong.to_string())?;
    Ok(taken.map(Json::into_owned))
}

fn with_arguments(
    mut message: ClientJsonRpcMessage,
    arguments: Option<Json<'static>>,
) -> ClientJsonRpcMessage {
    if let (ClientJsonRpcMessage::Request(request), Some(arguments)) = (&mut message, arguments) {
        request.request.extensions_mut().insert(Arguments(arguments));
    }
    message
}

/// Whoever waits for an answer must hear that there will be none.
fn refused(rpc: &Rpc<'_>, why: &str) -> Heard {
    let id = rpc.id.as_ref().filter(|id| matches!(id.kind(), Kind::Text | Kind::Number));
    match id.filter(|_| rpc.method.is_some()) {
        None => Heard::Nothing(why.to_owned()),
        Some(id) => Heard::Refused(error_line(id, why)),
    }
}

fn error_line(id: &Json<'_>, why: &str) -> String {
    let error = Json::object(|out| {
        out.raw_member("\"code\"", &ErrorCode::INVALID_REQUEST.0.to_string());
        out.raw_member("\"message\"", Json::of(why).raw());
    });
    let reply = Json::object(|out| {
        out.raw_member("\"jsonrpc\"", "\"2.0\"");
        out.raw_member("\"id\"", id.raw());
        out.raw_member("\"error\"", error.raw());
    });
    reply.raw().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_is_too_deep_to_be_read_is_not_met_with_silence() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let line =
            format!(r#"{{"method":"tools/call","params":{{"arguments":{deep}}},"jsonrpc":"2.0","id":2}}"#);
        assert!(matches!(hear(line.as_bytes()), Heard::Lost(_)));
        assert!(matches!(hear(b"not a message"), Heard::Nothing(_)));
    }

    fn arguments(line: &str) -> Option<String> {
        let Heard::Message(message) = hear(line.as_bytes()) else { panic!("{:?}", hear(line.as_bytes())) };
        let ClientJsonRpcMessage::Request(request) = *message else { panic!() };
        request.request.extensions().get::<Arguments>().map(|arguments| arguments.0.raw().to_owned())
    }

    #[test]
    fn the_arguments_of_a_call_are_kept_to_the_last_byte() {
        let input = r#"{"input":{"z":1,"a":1e400,"half":"\ud800","n":12345678901234567890123,"z":2}}"#;
        let line = format!(
            r#"{{"method":"tools/call","params":{{"name":"approval_prompt","arguments":{input},"_meta":{{"progressToken":3}}}},"jsonrpc":"2.0","id":3}}"#
        );
        assert_eq!(arguments(&line).as_deref(), Some(input));
        let none = r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"approval_prompt"}}"#;
        assert_eq!(arguments(none), None);
    }

    #[test]
    fn a_request_that_is_not_understood_is_answered_under_its_id() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"cursor":"\ud800"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{},"arguments":{}}}"#,
        ] {
            let Heard::Refused(reply) = hear(line.as_bytes()) else { panic!("{line}") };
            let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
            let sent: serde_json::Value = serde_json::from_str(&line.replace("\\ud800", "x")).unwrap();
            assert_eq!((&reply["id"], &reply["error"]["code"]), (&sent["id"], &(-32600).into()), "{reply}");
        }
    }

    #[test]
    fn what_nobody_waits_for_is_let_go() {
        for line in [
            "hello",
            "[1,2]",
            "7",
            "{}",
            r#"{"id":null,"method":"x"}"#,
            "{\"id\":1",
            "\u{feff}",
            "{\"id\":7}",
        ] {
            let heard = hear(line.as_bytes());
            assert!(matches!(heard, Heard::Nothing(_)), "{line}: {heard:?}");
        }
        assert!(matches!(hear(b"\xff\xfe"), Heard::Nothing(_)));
    }
}
