//! The scripted API itself, asked by a client without any cleverness.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::messages_api::{Api, Kind, Script, any, main, side, sub};
use crate::support::wait::PATIENCE;

/// What came back, read line by line so that a test can stand in the middle of it.
struct Answer(BufReader<TcpStream>);

fn ask_at(api: &Api, path: &str, headers: &str, body: &Value) -> Answer {
    let mut stream = TcpStream::connect(api.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let body = body.to_string();
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.1\r\n{headers}content-length: {length}\r\n\r\n{body}").unwrap();
    Answer(BufReader::new(stream))
}

fn ask(api: &Api, words: &str) -> Answer {
    ask_at(api, "/v1/messages?beta=true", "", &asking(words))
}

fn asking(words: &str) -> Value {
    json!({
        "model": "m", "stream": true, "tools": [{"name": "Bash"}], "system": [{"type": "text", "text": "Be kind."}],
        "messages": [{"role": "user", "content": words}],
    })
}

impl Answer {
    /// The next event, or none at the end of the stream.
    fn event(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }

    /// The types of all events that are left.
    fn types(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.event()).map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    fn whole(mut self) -> String {
        let mut text = String::new();
        self.0.read_to_string(&mut text).unwrap();
        text
    }

    fn json(self) -> Value {
        let text = self.whole();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

#[test]
fn the_events_of_a_turn_come_in_their_order() {
    let turn =
        main().thinking("Hm").text("A text of more than one piece").tool("Bash", json!({"command": "true"}));
    let api = Api::start(Script::new().turn(turn));
    let types = ask(&api, "go").types();
    let block = |deltas: usize| {
        [vec!["content_block_start"], vec!["content_block_delta"; deltas], vec!["content_block_stop"]]
            .concat()
    };
    let whole =
        [vec!["message_start", "ping"], block(2), block(2), block(1), vec!["message_delta", "message_stop"]];
    assert_eq!(types, whole.concat());
}

#[test]
fn a_turn_stands_at_each_gate_until_it_is_released() {
    let turn = main().held("head").begins().held("start").text("a").held("between").text("b").held("end");
    let api = Api::start(Script::new().turn(turn));
    let mut answer = ask(&api, "go");
    api.reached("head");
    answer.0.get_ref().set_nonblocking(true).unwrap();
    assert!(answer.0.fill_buf().is_err(), "nothing comes before the gate opens");
    answer.0.get_ref().set_nonblocking(false).unwrap();
    for (gate, next, last) in [
        ("head", "start", "ping"),
        ("start", "between", "content_block_stop"),
        ("between", "end", "content_block_stop"),
    ] {
        api.release(gate);
        while answer.event().unwrap()["type"] != last {}
        api.reached(next);
    }
    api.release("end");
    assert_eq!(answer.types(), ["message_delta", "message_stop"]);
}

#[test]
fn a_server_that_is_dropped_leaves_nobody_at_a_gate() {
    let api = Api::start(Script::new().turn(main().begins().held("never")));
    let mut answer = ask(&api, "go");
    api.reached("never");
    drop(api);
    assert_eq!(answer.types(), ["message_start", "ping"]);
}

#[test]
fn an_error_comes_as_often_as_it_is_written_with_its_headers() {
    let busy = main().fails(429).retry_after(7).times(2);
    let api = Api::start(Script::new().turn(busy).turn(main().text("Now.")));
    for _ in 0..2 {
        let text = ask(&api, "go").whole();
        assert!(text.starts_with("HTTP/1.1 429 "), "{text}");
        assert!(text.contains("\r\nretry-after: 7\r\n") && text.contains("rate_limit_error"), "{text}");
    }
    assert_eq!(ask(&api, "go").types().last().unwrap(), "message_stop");
}

#[test]
fn a_stream_can_end_by_an_error_event_or_by_nothing_in_the_middle_of_a_block() {
    let script =
        Script::new().turn(main().opens("Ha").errs("overloaded_error")).turn(main().opens("Ha").cut());
    let api = Api::start(script);
    let begun = ["message_start", "ping", "content_block_start", "content_block_delta"];
    assert_eq!(ask(&api, "go").types(), [&begun[..], &["error"]].concat());
    assert_eq!(ask(&api, "go").types(), begun);
}

#[test]
fn turns_are_chosen_by_kind_and_words() {
    let script = Script::new()
        .turn(sub().text("for a subagent"))
        .turn(main().asked("two").text("for two"))
        .turn(main().told("gone").text("for a result"))
        .turn(side().always().text("for the side"))
        .turn(any().mentions("old").text("for any"));
    let api = Api::start(script);
    let said = |mut answer: Answer| -> String {
        let texts = std::iter::from_fn(|| answer.event()).map(|event| event["delta"]["text"].clone());
        texts.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    assert_eq!(said(ask(&api, "two")), "for two");
    assert_eq!(said(ask(&api, "two")), "(script ended)");
    let result =
        json!([{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "gone"}]}]);
    let mut told = asking("");
    told["messages"] = json!([{"role": "user", "content": "old"}, {"role": "user", "content": result}]);
    assert_eq!(said(ask_at(&api, "/v1/messages", "", &told)), "for a result");
    assert_eq!(said(ask_at(&api, "/v1/messages", "X-Claude-Code-Agent-Id: a\r\n", &told)), "for a subagent");
    assert_eq!(said(ask_at(&api, "/v1/messages", "", &told)), "for any");
    let mut title = asking("a title");
    title["tools"] = json!([]);
    assert_eq!(said(ask_at(&api, "/v1/messages", "", &title)), "for the side");
    assert_eq!(said(ask_at(&api, "/v1/messages", "", &title)), "for the side");
    assert_eq!(api.unscripted().len(), 1);
    assert_eq!(api.requests_of(Kind::Main, 4)[2].tool_results(), ["gone"]);
}

#[test]
fn what_was_asked_can_be_read_and_what_needs_no_script_is_answered() {
    let api = Api::start(Script::new());
    let mut title = asking("a title");
    (title["tools"], title["stream"]) = (json!([]), json!(false));
    let answer = ask_at(&api, "/v1/messages", "", &title).json();
    assert_eq!((&answer["content"][0]["text"], &answer["stop_reason"]), (&"ok".into(), &"end_turn".into()));
    let counted = ask_at(&api, "/v1/messages/count_tokens?beta=true", "", &title).json();
    assert_eq!(counted, json!({"input_tokens": 10}));
    ask(&api, "hello").types();
    let main = api.requests_of(Kind::Main, 1).remove(0);
    assert_eq!(
        (main.last_user(), main.system(), main.tools()),
        ("hello".into(), "Be kind.".into(), vec!["Bash"])
    );
    assert_eq!(
        api.requests().iter().map(|request| request.kind).collect::<Vec<_>>(),
        [Kind::Side, Kind::Other, Kind::Main]
    );
}

#[test]
fn what_is_no_request_or_beyond_all_bounds_is_turned_away_and_the_next_is_served() {
    let api = Api::start(Script::new().turn(main().text("Here.")));
    for nonsense in [
        "\r\n\r\n",
        "POST /v1/messages HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
        "POST /v1/messages HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(api.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(nonsense.as_bytes()).unwrap();
        assert_eq!(stream.read(&mut [0; 8]).unwrap_or(0), 0);
    }
    assert_eq!(ask(&api, "go").types().last().unwrap(), "message_stop");
    assert_eq!(api.requests().len(), 1);
}
