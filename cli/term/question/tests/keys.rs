//! What each key says, kind by kind.

use super::*;

const UP: Code = Code::Up;
const DOWN: Code = Code::Down;
const ENTER: Code = Code::Enter;
const SPACE: Code = Code::Char(' ');

fn all_kinds() -> Vec<Question> {
    vec![
        prompt("confirm", r#"{"message":"Go?"}"#),
        with_choices("select", ""),
        with_choices("choice", ""),
        with_choices("checkbox", ""),
        prompt("input", r#"{"message":"Name?"}"#),
        prompt("text", r#"{"message":"Words?"}"#),
        prompt("approval", r#"{"message":"Ship?"}"#),
        prompt("prefix_select", r#"{"message":"How much?","command":"git fetch origin"}"#),
        bash("git fetch origin"),
        questions(),
    ]
}

#[test]
fn ctrl_c_gives_no_answer_and_esc_goes_to_the_line() {
    for question in all_kinds() {
        let mut asked = asked(&question);
        assert_eq!(asked.key(Code::Esc), Effect::ToLine);
        assert_eq!(asked.block.key(Key::plain(Code::Char('c')).ctrl()), Effect::Decline);
    }
}

#[test]
fn a_key_that_is_held_with_ctrl_or_alt_is_another_key() {
    for question in all_kinds() {
        for letter in "yspn1ar e".chars() {
            let key = Key::plain(Code::Char(letter));
            for key in [key.ctrl(), key.alt_if(true)] {
                assert!(!matches!(asked(&question).block.key(key), Effect::Answer(_)), "{letter}");
            }
        }
    }
}

#[test]
fn ctrl_c_empties_a_text_row_first() {
    let mut asked = asked(&prompt("input", r#"{"message":"Name?"}"#));
    asked.type_in("abc");
    assert_eq!(asked.block.key(Key::plain(Code::Char('c')).ctrl()), Effect::Redraw);
    assert_eq!(asked.block.key(Key::plain(Code::Char('c')).ctrl()), Effect::Decline);
}

#[test]
fn a_confirm_is_decided_by_its_letters_and_by_enter_only_if_it_says_so() {
    let bare = prompt("confirm", r#"{"message":"Go?"}"#);
    assert_answers(&bare, &asked(&bare).key(Code::Char('y')), "true");
    assert_answers(&bare, &asked(&bare).key(Code::Char('n')), "false");
    for code in [ENTER, SPACE, UP, DOWN, Code::Left, Code::Tab, Code::Char('j'), Code::Char('Y')] {
        assert_hints(&asked(&bare).key(code));
    }
    let with_default = prompt("confirm", r#"{"message":"Go?","default":false}"#);
    assert_answers(&with_default, &asked(&with_default).key(ENTER), "false");
    assert_hints(&asked(&with_default).key(SPACE));
}

#[test]
fn a_select_takes_a_number_or_what_is_marked() {
    let question = with_choices("select", "");
    assert_answers(&question, &asked(&question).key(Code::Char('2')), "1");
    assert_eq!(asked(&question).key(ENTER), Effect::hint("Choose with 1-3 or ↑↓"));
    for code in [SPACE, Code::Char('4'), Code::Char('0'), Code::Char('x'), Code::Left] {
        assert_hints(&asked(&question).key(code));
    }
    let mut asked_down = asked(&question);
    assert_eq!(asked_down.key(DOWN), Effect::Redraw);
    asked_down.key(DOWN);
    assert_answers(&question, &asked_down.key(ENTER), "1");
    let with_default = with_choices("select", r#","default":true"#);
    assert_answers(&with_default, &asked(&with_default).key(ENTER), "true");
}

#[test]
fn a_long_list_takes_numbers_of_several_digits_with_an_enter() {
    let question = numbered("select", 12, "");
    let mut asked = asked(&question);
    assert_eq!(asked.key(Code::Char('1')), Effect::Redraw);
    assert_eq!(asked.key(Code::Char('2')), Effect::Redraw);
    assert_hints(&asked.key(Code::Char('3')));
    asked.key(Code::Backspace);
    asked.key(Code::Char('1'));
    assert_answers(&question, &asked.key(ENTER), "11");
}

#[test]
fn a_choice_is_answered_by_number_and_value_or_rejected() {
    let question = with_choices("choice", "");
    assert_answers(&question, &asked(&question).key(Code::Char('1')), r#"{"index":0,"value":"a"}"#);
    assert_answers(&question, &asked(&question).key(Code::Char('r')), r#""reject""#);
    assert_hints(&asked(&question).key(ENTER));
    let select = with_choices("select", "");
    assert_hints(&asked(&select).key(Code::Char('r')));
}

#[test]
fn a_checkbox_is_sent_by_enter_alone() {
    let question = with_choices("checkbox", "");
    assert_answers(&question, &asked(&question).key(ENTER), "[1]");
    let mut asked = asked(&question);
    assert_hints(&asked.key(SPACE));
    assert_eq!(asked.key(Code::Char('3')), Effect::Redraw);
    assert_eq!(asked.key(UP), Effect::Redraw);
    assert_eq!(asked.key(SPACE), Effect::Redraw);
    asked.key(Code::Char('a'));
    asked.key(Code::Char('1'));
    assert_answers(&question, &asked.key(ENTER), "[1,true]");
    asked.key(Code::Char('a'));
    asked.key(Code::Char('a'));
    assert_answers(&question, &asked.key(ENTER), "[]");
}

#[test]
fn an_approval_takes_two_letters_or_two_numbers() {
    let question = prompt("approval", r#"{"message":"Ship?"}"#);
    for (code, raw) in [('a', "\"approve\""), ('1', "\"approve\""), ('r', "\"reject\""), ('2', "\"reject\"")]
    {
        assert_answers(&question, &asked(&question).key(Code::Char(code)), raw);
    }
    for code in [ENTER, SPACE, UP, Code::Char('y'), Code::Char('3')] {
        assert_hints(&asked(&question).key(code));
    }
}

#[test]
fn an_input_is_sent_as_it_was_typed() {
    let question = prompt("input", r#"{"message":"Name?"}"#);
    let mut asked_words = asked(&question);
    asked_words.type_in("v? y n");
    assert_answers(&question, &asked_words.key(ENTER), r#""v? y n""#);
    let mut nothing = asked(&question);
    assert_hints(&nothing.key(ENTER));
    assert_answers(&question, &nothing.key(ENTER), r#""""#);
    let mut changed = asked(&question);
    changed.key(ENTER);
    changed.type_in("a");
    changed.key(Code::Backspace);
    assert_hints(&changed.key(ENTER));
}

#[test]
fn an_input_with_a_default_takes_it_on_an_empty_enter() {
    for (default, raw) in [("\"main\"", "\"main\""), ("7", "\"7\""), ("true", "\"true\"")] {
        let question = prompt("input", &format!(r#"{{"message":"Name?","default":{default}}}"#));
        assert_answers(&question, &asked(&question).key(ENTER), raw);
    }
}

#[test]
fn a_paste_goes_into_a_text_row_and_sends_nothing() {
    let question = prompt("input", r#"{"message":"Name?"}"#);
    let mut asked = asked(&question);
    assert_eq!(asked.block.paste("one\ny\n"), Effect::Redraw);
    assert_answers(&question, &asked.key(ENTER), r#""one\ny\n""#);
    for question in all_kinds().into_iter().filter(|one| !matches!(one.kind().word(), "input" | "text")) {
        assert_hints(&super::asked(&question).block.paste("y\n1\n"));
    }
}

#[test]
fn a_text_must_say_something_and_r_or_reject_rejects() {
    let question = prompt("text", r#"{"message":"Words?"}"#);
    assert_hints(&asked(&question).key(ENTER));
    for (typed, raw) in [("r", "\"reject\""), ("/reject", "\"reject\""), ("red", "\"red\"")] {
        let mut asked = asked(&question);
        asked.type_in(typed);
        assert_answers(&question, &asked.key(ENTER), raw);
    }
    let mut bare = asked(&question);
    bare.type_in("reject");
    assert_hints(&bare.key(ENTER));
}

#[test]
fn a_prefix_begins_exact_and_gets_shorter() {
    let question = prompt("prefix_select", r#"{"message":"How much?","command":"git fetch  origin"}"#);
    assert_answers(
        &question,
        &asked(&question).key(ENTER),
        r#"{"command":"git fetch  origin","exact":true}"#,
    );
    let mut asked = asked(&question);
    asked.key(Code::Left);
    assert_answers(&question, &asked.key(ENTER), r#"{"command":"git fetch  origin","exact":false}"#);
    asked.key(Code::Left);
    assert_answers(&question, &asked.key(ENTER), r#"{"command":"git fetch","exact":false}"#);
    asked.key(Code::Char('e'));
    assert_answers(&question, &asked.key(ENTER), r#"{"command":"git fetch  origin","exact":true}"#);
    asked.key(Code::Char('e'));
    asked.key(Code::Left);
    assert_answers(&question, &asked.key(ENTER), r#"{"command":"git","exact":false}"#);
    assert_hints(&asked.key(Code::Left));
    let empty = prompt("prefix_select", r#"{"message":"How much?","command":" "}"#);
    assert_hints(&super::asked(&empty).key(ENTER));
}

#[test]
fn questions_are_asked_one_after_another_with_a_way_back() {
    let question = questions();
    let mut asked = asked(&question);
    assert_eq!(asked.key(ENTER), Effect::hint("Choose with 1-3 or ↑↓"));
    assert_eq!(asked.key(Code::Char('1')), Effect::Redraw);
    assert_eq!(asked.key(ENTER), Effect::hint("Choose at least one"));
    assert_eq!(asked.key(Code::Left), Effect::Redraw);
    assert_hints(&asked.key(Code::Left));
    asked.key(DOWN);
    assert_eq!(asked.key(ENTER), Effect::Redraw);
    asked.key(Code::Char('1'));
    asked.key(Code::Char('3'));
    let raw = r#"{"answers":[{"options":[1]},{"options":[0,2]}]}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
}

#[test]
fn own_words_are_typed_in_place_and_come_last() {
    let question = questions();
    let mut asked = asked(&question);
    assert_eq!(asked.key(Code::Char('3')), Effect::Redraw);
    assert_hints(&asked.key(ENTER));
    assert_eq!(asked.key(Code::Esc), Effect::Redraw);
    asked.key(Code::Char('3'));
    asked.type_in("a 1?");
    assert_eq!(asked.key(ENTER), Effect::Redraw);
    asked.key(Code::Char('4'));
    asked.type_in("more");
    asked.key(ENTER);
    asked.key(Code::Char('2'));
    let raw = r#"{"answers":[{"options":[],"text":"a 1?"},{"options":[1],"text":"more"}]}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    asked.key(Code::Char('4'));
    assert_answers(
        &question,
        &asked.key(ENTER),
        r#"{"answers":[{"options":[],"text":"a 1?"},{"options":[1]}]}"#,
    );
}

#[test]
fn esc_in_a_later_question_goes_to_the_one_before() {
    let mut asked = asked(&questions());
    asked.key(Code::Char('1'));
    assert_eq!(asked.key(Code::Esc), Effect::Redraw);
    assert_eq!(asked.key(Code::Esc), Effect::ToLine);
}

#[test]
fn a_question_mark_asks_for_the_keys_unless_it_is_typed() {
    for question in all_kinds() {
        let is_text = matches!(question.kind().word(), "input" | "text");
        let expected = if is_text { Effect::Redraw } else { Effect::Keys };
        assert_eq!(asked(&question).key(Code::Char('?')), expected);
    }
}

#[test]
fn a_default_that_is_not_shown_whole_is_not_taken_by_an_enter() {
    let long = format!("{}END", "x ".repeat(400));
    let mut asked = asked(&prompt("input", &format!(r#"{{"message":"Flags?","default":"{long}"}}"#)));
    assert!(!asked.text(79).contains("END"));
    assert!(matches!(asked.key(ENTER), Effect::Hint(_)));
    asked.key(Code::Char('a'));
    assert_eq!(asked.key(ENTER), Effect::Answer(Json::of("a")));
}

#[test]
fn a_command_that_is_not_shown_whole_is_not_kept_by_an_enter() {
    let long = format!("echo {} ; touch END", "x".repeat(4_000));
    let config = format!(r#"{{"message":"How much?","command":"{long}"}}"#);
    let mut asked = asked(&prompt("prefix_select", &config));
    assert!(matches!(asked.key(ENTER), Effect::Hint(_)), "exactly all of it");
    for _ in 0..5 {
        asked.key(Code::Left);
        asked.text(79);
    }
    assert!(matches!(asked.key(ENTER), Effect::Answer(_)), "its first word is shown");
}

#[test]
fn what_is_checked_in_a_long_list_is_named() {
    let choice = |at: usize| format!(r#"{{"name":"branch-{at}","value":"{at}","checked":{}}}"#, at == 38);
    let choices: Vec<String> = (0..40).map(choice).collect();
    let config = format!(r#"{{"message":"Which?","choices":[{}]}}"#, choices.join(","));
    let text = asked(&prompt("checkbox", &config)).text(79);
    assert!(text.contains("chosen  branch-38") && text.contains("sends 1"), "{text}");
}
