//! What is told of stream events: of good ones, of odd ones, and of very many.

mod bounds;
mod random;
mod recorded;

use codec::json::Json;

use super::*;
use crate::render::tests::listener::Listener;

impl Listener<Story> {
    fn new() -> Self {
        Self::of(Story::default())
    }

    fn input_ended(&mut self, is_rejected: bool) -> &mut Self {
        let pieces = self.story.input_ended(is_rejected, self.now);
        self.take(pieces);
        self
    }

    fn at(&self) -> (String, bool, bool) {
        (self.story.doing(), self.story.is_asking(), self.story.is_idle())
    }
}

fn json(text: &str) -> String {
    Json::of(text).raw().to_owned()
}

fn says(text: &str) -> String {
    format!(r#"{{"type":"text_delta","text":{}}}"#, json(text))
}

fn uses(id: &str, name: &str, input: &str) -> String {
    format!(r#"{{"type":"tool_use_start","id":{},"name":{},"input":{input}}}"#, json(id), json(name))
}

fn gives(id: &str, output: &str) -> String {
    format!(r#"{{"type":"tool_result","id":{},"output":{output},"is_error":false}}"#, json(id))
}

fn fails(id: &str, output: &str) -> String {
    gives(id, output).replace("false", "true")
}

const ASKS: &str = r#"{"type":"input_request","requestId":"r1","prompt":"Go on?","input_type":"approval","choices":["Yes","No"]}"#;
const DONE: &str = r#"{"type":"done","ok":true}"#;
const FAILED: &str = r#"{"type":"done","ok":false}"#;

#[test]
fn a_text_is_told_while_it_is_written() {
    let mut listener = Listener::new();
    assert_eq!(listener.at(), ("starting".to_owned(), false, false));
    listener.hears(&says("\nI would ")).hears(&says("")).hears(&says("delete 3 files.\n"));
    assert_eq!(listener.writing.as_deref(), Some("I would delete 3 files."));
    assert_eq!(listener.at(), ("writing".to_owned(), false, false));
    assert_eq!(listener.hears(DONE).told(), "  I would delete 3 files.~");
    assert_eq!(listener.at(), ("idle".to_owned(), false, true));
    assert_eq!(listener.story.final_text(), Some("I would delete 3 files."));
}

#[test]
fn a_tool_is_told_with_what_it_gave_when_it_ended() {
    let mut listener = Listener::new();
    listener.hears(&says("Let me look.")).hears(&uses("t1", "list", r#"{"path":"."}"#));
    assert_eq!(listener.told(), "  Let me look.~");
    assert_eq!(listener.story.doing(), "list .");
    assert_eq!(listener.story.tool_at_work(), Some("list"));
    listener.hears(&uses("t2", "mcp__db__query", "{}"));
    assert_eq!(listener.story.doing(), "db: query and 1 more");
    listener.passes(2.0).hears(&gives("t1", r#""a\nb\n""#));
    assert_eq!(listener.told(), "● list  .  2s\n    a\n    b");
    listener.hears(&fails("t2", r#""Exit code 3\nno such table""#));
    assert_eq!(listener.told(), "● db: query  2s\n    exit 3\n    no such table");
    assert_eq!(listener.story.doing(), "thinking");
    listener.hears(&says("Done.")).hears(DONE);
    assert_eq!(listener.story.final_text(), Some("Let me look.\nDone."));
}

#[test]
fn a_tool_is_about_whatever_its_input_says() {
    let mut listener = Listener::new();
    for (input, about) in [
        (r#""ls -la""#, "  ls -la"),
        (r#"{"command":"make","n":1}"#, "  make"),
        (r#"{"word":"three"}"#, r#"  {"word":"three"}"#),
        ("[1,2]", "  [1,2]"),
        ("7", "  7"),
        ("null", ""),
        ("{}", ""),
    ] {
        listener.hears(&uses("t", "Read", input)).hears(&gives("t", "null"));
        assert_eq!(listener.told(), format!("● Read{about}"), "{input}");
    }
}

#[test]
fn a_tool_may_give_anything() {
    let mut listener = Listener::new();
    for (output, rows) in [
        (r#""text""#, "\n    text"),
        ("12.50", "\n    12.50"),
        ("false", "\n    false"),
        ("null", ""),
        (r#""""#, ""),
        (r#"{"a":[1]}"#, "\n    {\n      \"a\": [\n        1\n      ]\n    }"),
        (r#"[{"type":"text","text":"part"}]"#, "\n    part"),
    ] {
        listener.hears(&uses("t", "try", "{}")).hears(&gives("t", output));
        assert_eq!(listener.told(), format!("● try{rows}"), "{output}");
    }
    listener.hears(&uses("t", "try", "{}")).hears(r#"{"type":"tool_result","id":"t","is_error":"yes"}"#);
    assert_eq!(listener.told(), "● try\n    failed", "whatever is said of an error");
    listener.hears(&uses("t", "try", "{}")).hears(r#"{"type":"tool_result","id":"t","is_error":null}"#);
    assert_eq!(listener.told(), "● try");
}

#[test]
fn tools_whose_ids_do_not_fit_are_told_all_the_same() {
    let mut listener = Listener::new();
    listener.hears(&gives("t9", r#""from nowhere""#));
    assert_eq!(listener.told(), "● a tool\n    from nowhere");
    listener.hears(&uses("t1", "first", "{}")).passes(1.0).hears(&uses("t1", "second", "{}"));
    assert_eq!(listener.told(), "– first  did not end  1s");
    listener.hears(&gives("t1", "1")).hears(&gives("t1", "2"));
    assert_eq!(listener.told(), "● second\n    1\n● a tool\n    2");
    listener.hears(r#"{"type":"tool_use_start","name":"nameless"}"#);
    assert_eq!(listener.hears(r#"{"type":"tool_result","output":"x"}"#).told(), "● nameless\n    x");
    listener.hears(&uses("t2", "last", "{}")).hears(DONE);
    assert_eq!(listener.told(), "– last  did not end");
    assert_eq!(listener.hears(&gives("t2", "\"late\"")).told(), "● a tool\n    late");
    assert!(listener.story.is_idle(), "what comes late begins nothing");
}

#[test]
fn an_error_is_told_and_the_turn_goes_on() {
    let mut listener = Listener::new();
    listener.hears(&says("One")).hears(r#"{"type":"error","message":"disk full\nreally"}"#);
    assert_eq!(listener.told(), "  One~\n✗ disk full really");
    listener.hears(&says("Two")).hears(r#"{"type":"error","message":" "}"#).hears(FAILED);
    assert_eq!(listener.told(), "  Two~\n✗ something went wrong");
    assert_eq!(
        listener.hears(&says("next")).ends().told(),
        "  next~",
        "an error that was told is not told again"
    );
}

#[test]
fn a_turn_that_failed_without_a_word_is_told_when_the_next_one_begins() {
    for done in [FAILED, r#"{"type":"done","ok":"yes"}"#, r#"{"type":"done","ok":null}"#] {
        let mut listener = Listener::new();
        assert_eq!(listener.hears(done).hears(FAILED).told(), "");
        listener.hears(&says("Again."));
        assert_eq!(listener.told(), "✗ the turn failed: the agent does not say why", "{done}");
        assert_eq!(
            listener.hears(r#"{"type":"done"}"#).hears(&says("More.")).ends().told(),
            "  Again.~\n  More.~"
        );
    }
}

#[test]
fn a_line_that_was_read_begins_a_turn() {
    let mut listener = Listener::new();
    assert!(listener.story.spoken_to().is_none(), "it is starting as it is");
    listener.hears(&says("One.")).hears(DONE);
    assert!(listener.story.spoken_to().is_some_and(|pieces| pieces.is_empty()));
    assert_eq!(listener.at(), ("thinking".to_owned(), false, false));
    assert_eq!(listener.story.final_text(), Some("One."), "until there is another");
    listener.hears(DONE);
    assert_eq!(listener.story.final_text(), Some(""));
}

#[test]
fn tokens_add_up_if_the_agent_counts_them() {
    let mut listener = Listener::new();
    assert_eq!(listener.hears(r#"{"type":"usage"}"#).story.tokens(), None);
    listener.hears(r#"{"type":"usage","input_tokens":120,"output_tokens":40}"#);
    listener.hears(r#"{"type":"usage","input_tokens":-1,"output_tokens":2.0}"#);
    assert_eq!(listener.story.tokens(), Some((120, 42)));
    listener.hears(r#"{"type":"usage","input_tokens":18446744073709551615,"output_tokens":"many"}"#);
    assert_eq!(listener.story.tokens(), Some((u64::MAX, 42)));
    assert_eq!((listener.at().0, listener.told()), ("starting".to_owned(), String::new()));
}

#[test]
fn while_it_asks_no_text_is_left_open() {
    let mut listener = Listener::new();
    listener.hears(&says("I would delete them.")).hears(ASKS);
    assert_eq!((listener.told(), listener.writing.is_none()), ("  I would delete them.~".to_owned(), true));
    assert_eq!(listener.at(), ("asking".to_owned(), true, false));
    listener.input_ended(false);
    assert_eq!(listener.at(), ("thinking".to_owned(), false, false));
    listener.hears(ASKS).hears(&says("I go on meanwhile.")).input_ended(false);
    assert_eq!(listener.at(), ("writing".to_owned(), false, false));
}

#[test]
fn a_no_ends_the_turn() {
    let mut listener = Listener::new();
    listener.hears(&says("I would delete them.")).hears(&uses("t1", "count", "{}")).hears(ASKS).told();
    assert_eq!(listener.input_ended(true).told(), "– count  did not end");
    assert_eq!(listener.at(), ("idle".to_owned(), false, true));
    assert!(listener.story.was_interrupted());
    assert_eq!(listener.story.final_text(), Some("I would delete them."));
    listener.hears(&says("Another turn."));
    assert_eq!(listener.at().0, "writing");
    assert!(!listener.story.was_interrupted());
    assert_eq!(listener.ends().story.final_text(), Some("Another turn."));
}

#[test]
fn after_a_no_the_person_may_say_what_instead() {
    let mut listener = Listener::new();
    listener.hears(&says("One.")).hears(ASKS).input_ended(true);
    assert!(listener.story.spoken_to().is_some_and(|pieces| pieces.is_empty()));
    assert_eq!(listener.at(), ("thinking".to_owned(), false, false));
    listener.hears(&says("Two.")).hears(DONE);
    assert_eq!(listener.story.final_text(), Some("Two."));
}

#[test]
fn a_no_that_comes_when_the_turn_is_over_changes_nothing() {
    let mut listener = Listener::new();
    listener.hears(&says("One.")).hears(DONE).input_ended(true);
    assert!(listener.story.is_idle() && !listener.story.was_interrupted());
    assert_eq!(listener.story.final_text(), Some("One."));
}

#[test]
fn a_process_that_ends_leaves_what_it_said() {
    let mut listener = Listener::new();
    listener.hears(&uses("t1", "wait", "{}")).hears(&says("half a wo")).ends();
    assert_eq!(listener.told(), "  half a wo~\n– wait  did not end");
    assert_eq!(listener.story.final_text(), Some("half a wo"));
    assert_eq!(Listener::new().ends().story.final_text(), None);
    let mut listener = Listener::new();
    listener.hears(&says("all")).hears(DONE).ends();
    assert_eq!(listener.story.final_text(), Some("all"), "what was over stays as it is");
}

#[test]
fn odd_lines_of_a_known_type_are_told_and_unknown_ones_are_not() {
    let mut listener = Listener::new();
    listener.hears(r#"{"type":"of_tomorrow","x":1}"#).hears(r#"{"text":"no type"}"#).hears("{}");
    assert_eq!(listener.told(), "");
    listener.hears(&says("One")).hears(r#"{"type":"text_delta","text":5}"#).hears(&says("two"));
    assert_eq!(listener.told(), "  One~\n  not understood  text_delta: text must be text");
    for line in ["plain text", "[1]", "\"text\"", "{", "\u{1b}[31m"] {
        assert!(listener.story.hear(line.as_bytes(), listener.now).is_none(), "{line}");
    }
    assert!(listener.story.hear(b"{\"type\":\"done\",\"x\":\"\xff\"}", listener.now).is_none());
}
