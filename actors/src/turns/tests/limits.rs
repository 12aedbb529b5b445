//! What is kept of a turn is bounded, and what is not kept is counted.

use super::*;
use crate::turns::open::{MOST_PARTS, MOST_TEXT};

#[test]
fn what_is_too_much_is_counted() {
    let mut record = Record::default();
    record.text(&"ü".repeat(MOST_TEXT / 2 - 1));
    record.text("aüü");
    record.text("more");
    for number in 0..MOST_PARTS + 2 {
        record.heard(r#"{"type":"tool_use_start","id":"a","name":"x"}"#);
        record.heard(&format!("{{\"type\":\"input_request\",\"requestId\":\"{number}\"}}"));
        record.said("xy");
    }
    record.said(&"z".repeat(MOST_TEXT));
    let turns = record.end();
    let turn = &turns[0];
    assert_eq!((turn.text.len(), turn.text.ends_with("üa")), (MOST_TEXT - 1, true));
    assert_eq!(
        (turn.tools.len(), turn.questions.len(), turn.said.len()),
        (MOST_PARTS, MOST_PARTS, MOST_PARTS)
    );
    let said = 4 + u64::try_from(MOST_TEXT).unwrap();
    assert_eq!(turn.left_out, LeftOut { said, text: 4 + 4, tools: 2, questions: 2, ..LeftOut::default() });
}

#[test]
fn hostile_names_take_no_room() {
    let mut record = Record::default();
    for number in 0..MOST_WIRES + 5 {
        record.line(&format!("agent:{number}"), Direction::From, r#"{"type":"text_delta","text":"x"}"#);
    }
    record.line(&format!("agent:{}", "x".repeat(300)), Direction::From, DONE);
    record.line("tunnel:1", Direction::From, DONE);
    assert_eq!(record.end().len(), MOST_WIRES);
    let mut record = Record::default();
    let long = "n".repeat(5_000);
    record.heard(&format!(
        "{{\"type\":\"tool_use_start\",\"id\":\"{long}\",\"name\":\"{long}\",\"input\":\"{long}\"}}"
    ));
    record.heard(&format!("{{\"type\":\"error\",\"message\":\"{long}\"}}"));
    record.heard(r#"{"type":"done","ok":false}"#);
    let turn = record.end().remove(0);
    let short = format!("{}…", "n".repeat(200));
    assert_eq!((&turn.tools[0].name, &turn.tools[0].input_summary), (&short, &short));
    assert_eq!(turn.end, TurnEnd::Failed(short));
}
