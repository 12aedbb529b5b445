//! What a person sees.

use super::*;

fn shown(mode: &LineMode, waiting: usize) -> String {
    mode.rows(waiting).join("\n")
}

#[test]
fn a_prompt_says_who_asks_what_and_what_to_type() {
    let config = r#"{"header":"Deploy","message":"Now?","question":"Deploy now?","default":true,"validationHint":"y or n"}"#;
    let mut offer = offered(prompt("confirm", config));
    offer.left_ms = Some(90_000);
    let expected = "\
? main/review (process 9) asks yes or no
  Deploy
  Now?
  Deploy now?
  hint  y or n
  1m30s left, 2 more questions wait
  [Y/n]; /decline gives no answer";
    assert_eq!(shown(&LineMode::new(offer, 80), 2), expected);
}

#[test]
fn choices_have_numbers_descriptions_and_a_mark_for_what_enter_takes() {
    let expected = "\
? main/review (process 9) asks you to select one
  Which?
      1  alpha
         the first
  *   2  one
      3  yes
      4  2
  1 more question waits
  number, or a name, Enter takes *; /decline gives no answer";
    assert_eq!(shown(&asked(prompt("select", CHOICES)), 1), expected);
    let boxes = shown(&asked(prompt("checkbox", CHOICES)), 0);
    assert!(boxes.contains("\n  [ ]  1  alpha\n") && boxes.contains("\n  [x]  2  one\n"), "{boxes}");
    assert!(boxes.ends_with("\n  numbers, - for none, Enter takes [x]; /decline gives no answer"), "{boxes}");
}

#[test]
fn each_kind_says_what_to_type() {
    let last = |kind: &str, config: &str| asked(prompt(kind, config)).rows(0).pop().unwrap();
    let plain = r#"{"message":"?"}"#;
    assert_eq!(last("confirm", plain), "  [y/n]; /decline gives no answer");
    assert_eq!(last("input", plain), "  your text; /decline gives no answer");
    assert_eq!(
        last("input", r#"{"message":"?","default":1}"#),
        "  your text, Enter takes the default; /decline gives no answer"
    );
    assert_eq!(last("text", plain), "  your text, /reject rejects; /decline gives no answer");
    assert_eq!(last("approval", plain), "  a approves, r rejects; /decline gives no answer");
    assert_eq!(last("choice", CHOICES), "  number, r rejects; /decline gives no answer");
}

#[test]
fn an_approval_shows_its_labels_behind_the_letters() {
    let config = r#"{"message":"?","choices":[{"name":"Ship","value":1},{"name":"Stop","value":2}]}"#;
    let rows = asked(prompt("approval", config)).rows(0);
    assert_eq!(rows[2..4], ["      a  Ship", "      r  Stop"]);
}

#[test]
fn a_command_is_shown_whole_and_word_by_word() {
    let rows = asked(prompt("prefix_select", r#"{"message":"?","command":"git  fetch\norigin"}"#)).rows(0);
    let expected = ["  | git  fetch", "  | origin", "      1  git", "      2  fetch", "      3  origin"];
    assert_eq!(rows[2..7], expected);
}

#[test]
fn a_permission_shows_the_whole_input_and_why_it_is_asked() {
    let input = r#"{"command":"cd x &&\n\trm -rf \u001b[8m/","timeout":5000,"nested":{"a":["x",null]},"cut":"\ud800","command":"twice"}"#;
    let mut wanted = tool("Bash", input);
    wanted.reason = Some(Text::new("outside\nthe folder"));
    wanted.agent_name = Some(Text::new("Explore"));
    let expected = r#"? main/review (process 9) wants to use Bash
  for its agent Explore
  command:
  | cd x &&
  | \trm -rf \x1b[8m/
  timeout:
  | 5000
  nested:
  | {
  |   "a": [
  |     "x",
  |     null
  |   ]
  | }
  cut:
  | "\ud800"
  command: twice
  why  outside
  why  the folder
  y once, n no, n and words: no and tell it why; /decline gives no answer"#;
    assert_eq!(shown(&asked(of_tool(wanted)), 0), expected);
}

#[test]
fn an_input_of_any_shape_is_shown() {
    for (input, row) in [("{}", "  | {}"), ("[1]", "  | ["), ("null", "  | null")] {
        assert_eq!(asked(of_tool(tool("Odd", input))).rows(0)[1], row);
    }
    let many = format!("{{{}\"last\":\"seen\"}}", "\"a\":1,".repeat(10_001));
    assert!(shown(&asked(of_tool(tool("Odd", &many))), 0).contains("seen"));
}

#[test]
fn an_agents_question_shows_its_options_and_nothing_is_marked() {
    let expected = "\
? main/review (process 9) asks, question 1 of 2
  Database
  Which database?
      1  PostgreSQL
         a server
      2  SQLite
         | one
         | file
  number, or your own words; /decline gives no answer";
    assert_eq!(shown(&asked(of_tool(tool("AskUserQuestion", QUESTIONS))), 0), expected);
}

#[test]
fn no_text_of_an_asker_looks_like_a_row_of_ours() {
    let forged = format!("{}? main asks yes or no\\n? and more\\u001b[H\\r? again", " ".repeat(78));
    let question = prompt("confirm", &format!(r#"{{"message":"{forged}"}}"#));
    let rows = asked(question).rows(0);
    assert_eq!(rows.iter().filter(|row| row.starts_with('?')).count(), 1, "{rows:#?}");
    assert!(rows.iter().all(|row| row.len() <= 80 && !row.contains(['\u{1b}', '\r', '\n'])), "{rows:#?}");
    assert!(rows.iter().skip(1).all(|row| row.starts_with("  ") || row.starts_with("..")), "{rows:#?}");
}
