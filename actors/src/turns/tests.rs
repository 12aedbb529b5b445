//! Where turns begin and end, what is in them, and what is not.

mod claude;
mod limits;
mod random;

use codec::events::{InputResponse, Said, User};
use codec::id::RequestId;
use codec::journal::{Direction, Entry};
use codec::json::{Json, Text};

use super::*;

const AGENT: &str = "agent:main";

/// A record that is being told.
#[derive(Default)]
struct Record {
    turns: Turns,
    at: u64,
    finished: Vec<Turn>,
}

impl Record {
    fn line(&mut self, wire: &str, dir: Direction, line: &str) {
        self.at += 1;
        let body = Body::Line(WireLine::new(wire, dir, line.as_bytes()));
        let over = self.turns.hear(&Entry { seq: self.at, t: self.at, body });
        self.finished.extend(over);
    }

    fn heard(&mut self, line: &str) {
        self.line(AGENT, Direction::From, line);
    }

    fn said(&mut self, text: &str) {
        let said = Said::User(User::of(Text::new("m"), Text::new(text)));
        self.line(AGENT, Direction::To, &said.to_line());
    }

    fn text(&mut self, text: &str) {
        self.heard(&format!("{{\"type\":\"text_delta\",\"text\":{}}}", Json::of(text).raw()));
    }

    fn reply(&mut self, id: &str, response: &Json<'static>, outcome: codec::Outcome) {
        let reply = InputResponse::of(RequestId::new(id), response.clone(), outcome);
        self.line(AGENT, Direction::To, &Said::InputResponse(reply).to_line());
    }

    fn reject(&mut self, id: &str) {
        self.reply(id, &Json::of("reject"), codec::Outcome::Answered);
    }

    fn record(&mut self, record: &str) {
        self.at += 1;
        let line = format!("{{\"seq\":{0},\"t\":{0},{record}}}", self.at);
        let over = self.turns.hear(&Entry::read(line.as_bytes()).unwrap());
        self.finished.extend(over);
    }

    fn end(mut self) -> Vec<Turn> {
        self.finished.extend(self.turns.end());
        self.finished
    }
}

const DONE: &str = r#"{"type":"done","ok":true}"#;

fn texts(turns: &[Turn]) -> Vec<(&str, &TurnEnd)> {
    turns.iter().map(|turn| (turn.text.as_str(), &turn.end)).collect()
}

#[test]
fn a_turn_holds_what_was_said_done_and_told() {
    let mut record = Record::default();
    record.said("tidy up");
    record.text("I ");
    record.heard(r#"{"type":"tool_use_start","id":"a","name":"list","input":{"path":"."}}"#);
    record.heard(r#"{"type":"tool_use_start","id":"b","name":"rm","input":{"x":1}}"#);
    record.heard(r#"{"type":"tool_use_start","name":"wait"}"#);
    record.heard(r#"{"type":"tool_result","id":"b","is_error":true}"#);
    record.heard(r#"{"type":"tool_result","id":"a"}"#);
    record.said("and quick");
    record.text("do.");
    for _ in 0..2 {
        record.heard(r#"{"type":"usage","input_tokens":100,"output_tokens":7}"#);
    }
    record.heard(DONE);
    let turns = record.end();
    let tool = |name: &str, input: &str, failed| TurnTool {
        name: name.to_owned(),
        input_summary: input.to_owned(),
        failed,
    };
    let expected = Turn {
        number: 1,
        wire: AGENT.to_owned(),
        began_ms: 1,
        ended_ms: Some(12),
        said: vec!["tidy up".to_owned(), "and quick".to_owned()],
        text: "I do.".to_owned(),
        tools: vec![
            tool("list", ".", Some(false)),
            tool("rm", "{\"x\":1}", Some(true)),
            tool("wait", "", None),
        ],
        questions: Vec::new(),
        errors: Vec::new(),
        noise: Vec::new(),
        course: vec![
            Part::Said(0),
            Part::Text(0, 2),
            Part::Tool(0),
            Part::Tool(1),
            Part::Tool(2),
            Part::Said(1),
            Part::Text(2, 5),
        ],
        usage: Some((200, 14)),
        end: TurnEnd::Done,
        left_out: LeftOut::default(),
    };
    assert_eq!(turns, [expected]);
}

#[test]
fn errors_and_what_is_no_event_are_kept_in_their_place() {
    let mut record = Record::default();
    record.said("go");
    record.text("one");
    record.heard(r#"{"type":"error","message":"the disk is full"}"#);
    record.heard("warning: \u{1b}[31m noise");
    record.text("two");
    record.heard(DONE);
    let turn = record.end().remove(0);
    assert_eq!((turn.errors.as_slice(), &turn.end), (&["the disk is full".to_owned()][..], &TurnEnd::Done));
    assert_eq!(turn.noise, ["warning: \u{1b}[31m noise"]);
    let text = [Part::Text(0, 3), Part::Error(0), Part::Noise(0), Part::Text(3, 6)];
    assert_eq!(turn.course.get(1..), Some(&text[..]));
}

/// What a file of these records brings, after the first record of a run of ours.
fn told(records: &[&str]) -> Vec<Told> {
    let mut reading = Reading::new();
    let run = r#"{"seq":0,"t":0,"rec":"run","v":1,"id":"0f1e","seed":"x","writer":"tim"}"#;
    let lines = std::iter::once(&run).chain(records);
    lines.flat_map(|line| reading.line(line.as_bytes()).unwrap()).collect()
}

#[test]
fn a_hole_in_the_record_the_exit_of_an_agent_and_what_it_printed_between_turns_are_told() {
    let told = told(&[
        r#"{"seq":1,"t":1,"wire":"agent:main","dir":"from","line":"starting up"}"#,
        r#"{"seq":2,"t":2,"rec":"gap","lost":3}"#,
        r#"{"seq":5,"t":3,"rec":"exit","wire":"agent:main","code":7}"#,
        r#"{"seq":9,"t":4,"rec":"detach","wire":"agent:main"}"#,
        r#"{"seq":10,"t":5,"rec":"exit","wire":"agent:b","signal":9}"#,
    ]);
    let exited =
        |at, wire: &str, code, signal| Told::Exited(Exited { at, wire: wire.to_owned(), code, signal });
    assert_eq!(
        told,
        [
            Told::Printed(1, "agent:main".to_owned(), "starting up".to_owned()),
            Told::Unused(2, "3 records are missing here".to_owned()),
            exited(3, "agent:main", Some(7), None),
            Told::Unused(4, "record 9 stands where 6 should be".to_owned()),
            exited(5, "agent:b", None, Some(9)),
        ]
    );
}

#[test]
fn a_turn_begins_with_what_is_said_or_with_an_event_and_ends_with_done() {
    let mut record = Record::default();
    record.text("unasked");
    record.heard(DONE);
    record.heard(r#"{"type":"tool_result","id":"late"}"#);
    record.heard(r#"{"type":"of_tomorrow"}"#);
    record.heard("no json");
    record.said("go");
    record.heard(r#"{"type":"done"}"#);
    record.text("cut off");
    assert_eq!(
        texts(&record.end()),
        [("unasked", &TurnEnd::Done), ("", &TurnEnd::Done), ("cut off", &TurnEnd::Unfinished)]
    );
}

#[test]
fn a_turn_fails_in_the_words_of_the_last_error() {
    let failed = |lines: &[&str]| {
        let mut record = Record::default();
        record.said("go");
        lines.iter().for_each(|line| record.heard(line));
        record.end().remove(0).end
    };
    let error = r#"{"type":"error","message":"no\nway"}"#;
    let no = r#"{"type":"done","ok":false}"#;
    assert_eq!(failed(&[error, no]), TurnEnd::Failed("no …".to_owned()));
    assert_eq!(failed(&[no]), TurnEnd::Failed("the agent does not say why".to_owned()));
    assert_eq!(failed(&[error, DONE]), TurnEnd::Done, "it went on in spite of it");
    assert_eq!(failed(&[r#"{"type":"done","ok":"yes"}"#]), failed(&[no]), "not a clear yes");
    let mut record = Record::default();
    record.said("go");
    record.line(AGENT, Direction::To, r#"{"type":"cancel"}"#);
    record.heard(no);
    assert_eq!(record.end().remove(0).end, TurnEnd::Failed("interrupted".to_owned()));
}

#[test]
fn what_comes_behind_a_rejection_is_in_no_turn() {
    let mut record = Record::default();
    record.said("go");
    record.text("before");
    record.heard(r#"{"type":"input_request","requestId":"r","prompt":"May I?"}"#);
    record.reject("r");
    record.text("after");
    record.heard(r#"{"type":"tool_use_start","name":"x"}"#);
    record.said("for the next");
    record.said("and this");
    record.heard(r#"{"type":"error","message":"rejected"}"#);
    record.heard(DONE);
    record.text("next");
    record.heard(DONE);
    let turns = record.end();
    assert_eq!(texts(&turns), [("before", &TurnEnd::Rejected), ("next", &TurnEnd::Done)]);
    let [first, second] = &turns[..] else { panic!("{turns:?}") };
    let question = TurnQuestion { asked: "May I?".to_owned(), ended: Some("rejected".to_owned()) };
    assert_eq!((&first.questions, first.tools.len()), (&vec![question], 0));
    assert_eq!(
        (second.number, second.said.join(","), second.began_ms),
        (2, "for the next,and this".to_owned(), 7)
    );
}

#[test]
fn what_was_said_before_a_rejection_may_be_taken_up_behind_it() {
    let mut record = Record::default();
    record.said("one");
    record.said("and two");
    record.reject("r");
    record.heard(DONE);
    record.text("two");
    record.heard(DONE);
    assert_eq!(texts(&record.end()), [("", &TurnEnd::Rejected), ("two", &TurnEnd::Done)]);
}

#[test]
fn a_no_to_a_question_of_a_turn_that_is_over_counts_until_the_agent_is_done_and_told_more() {
    let mut record = Record::default();
    record.text("one");
    record.heard(DONE);
    record.reject("r");
    record.text("dropped");
    record.heard(DONE);
    record.text("that nobody asked for");
    record.said("go on");
    record.text("two");
    record.heard(DONE);
    assert_eq!(texts(&record.end()), [("one", &TurnEnd::Done), ("two", &TurnEnd::Done)]);
}

#[test]
fn a_line_that_cannot_be_understood_asks_all_the_same() {
    let mut record = Record::default();
    record.heard(r#"{"type":"input_request","requestId":"r","requestId":"r","prompt":"#);
    record.reply("r", &Json::of("reject"), codec::Outcome::Refused);
    let turns = record.end();
    let asked = "(a question that could not be understood)".to_owned();
    assert_eq!(turns[0].questions, [TurnQuestion { asked, ended: Some("refused".to_owned()) }]);
    assert_eq!(turns[0].end, TurnEnd::Rejected);
}

#[test]
fn an_agent_that_ends_leaves_its_turn_unfinished_and_the_next_one_begins_afresh() {
    let mut record = Record::default();
    record.said("go");
    record.record(r#""rec":"exit","wire":"agent:main","code":1"#);
    record.record(r#""rec":"detach","wire":"agent:main""#);
    record.said("again");
    record.reject("r");
    record.said("lost");
    record.record(r#""rec":"detach","wire":"agent:main""#);
    record.text("a new one");
    let turns = record.end();
    let ends: Vec<_> = turns.iter().map(|turn| (turn.said.join(","), &turn.end, turn.ended_ms)).collect();
    let expected = [
        ("go".to_owned(), &TurnEnd::Unfinished, Some(3)),
        ("again".to_owned(), &TurnEnd::Rejected, Some(5)),
        ("lost".to_owned(), &TurnEnd::Unfinished, Some(7)),
        (String::new(), &TurnEnd::Unfinished, None),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn what_was_still_in_the_pipe_of_a_process_that_exited_belongs_to_its_turn() {
    let mut record = Record::default();
    record.said("go");
    record.record(r#""rec":"exit","wire":"agent:main","code":0"#);
    record.text("last words");
    record.heard(DONE);
    record.record(r#""rec":"detach","wire":"agent:main""#);
    let turns = record.end();
    assert_eq!((turns.len(), &turns[0].end, turns[0].text.as_str()), (1, &TurnEnd::Done, "last words"));
}

#[test]
fn what_comes_behind_the_end_of_a_turn_begins_none() {
    let mut record = Record::default();
    record.said("go");
    for line in [DONE, r#"{"type":"usage","input_tokens":1}"#, r#"{"type":"error","message":"late"}"#, DONE] {
        record.heard(line);
    }
    assert_eq!(record.end().len(), 1);
}

#[test]
fn a_question_is_one_whether_its_line_or_its_record_tells_of_it() {
    let mut record = Record::default();
    record.said("go");
    record.heard(r#"{"type":"input_request","requestId":"r","prompt":"Which?","input_type":"choice"}"#);
    record.record(r#""rec":"ask","key":"7f.p1","kind":"choice","wire":"agent:main","requestId":"r","config":{"message":"Which?"}"#);
    record.record(r#""rec":"outcome","key":"7f.p1","outcome":"answered","source":"terminal","value":{"index":1,"value":"B"}"#);
    record.reply("r", &Json::parse(r#"{"index":1,"value":"B"}"#).unwrap(), codec::Outcome::Answered);
    record.record(r#""rec":"ask","key":"7f.p2","kind":"permission","wire":"tunnel:1","requestId":"r","tool":{"name":"Bash","input":{"command":"git push"}}"#);
    record.record(
        r#""rec":"outcome","key":"7f.p2","outcome":"answered","source":"rule","value":{"allow":false}"#,
    );
    record.heard(r#"{"type":"input_request","requestId":"x","prompt":"Bad?"}"#);
    record.record(r#""rec":"outcome","key":"7f.p3","outcome":"refused","reason":"no_desk","wire":"agent:main","requestId":"x""#);
    record.heard(r#"{"type":"input_request","requestId":"y"}"#);
    let turns = record.end();
    let questions: Vec<_> = turns[0]
        .questions
        .iter()
        .map(|one| (one.asked.as_str(), one.ended.as_deref().unwrap_or("-")))
        .collect();
    let expected = [
        ("Which?", "answered (terminal): B"),
        ("may it run git push", "denied (rule)"),
        ("Bad?", "refused: nobody could be asked"),
        ("(it does not say what it asks)", "-"),
    ];
    assert_eq!(questions, expected);
}

#[test]
fn a_question_of_a_script_is_nobodys_while_two_agents_work() {
    let mut record = Record::default();
    let ask = r#""rec":"ask","key":"7f.p1","kind":"confirm","wire":"tunnel:1","config":{"message":"Sure?"}"#;
    record.record(ask);
    record.said("one");
    record.line("agent:b", Direction::From, r#"{"type":"text_delta","text":"x"}"#);
    record.record(ask);
    assert!(record.end().iter().all(|turn| turn.questions.is_empty()));
}
