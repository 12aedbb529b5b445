//! When stdin closes: by hand, by the recordings, and by chance.

mod chance;
mod recorded;

use super::*;

fn uuid(name: &str) -> String {
    name.to_owned()
}

fn ended() -> Event {
    Event::TurnEnded { unasked: false, read: Vec::new() }
}

fn unasked() -> Event {
    Event::TurnEnded { unasked: true, read: Vec::new() }
}

fn opened(id: &str, sureness: Sureness) -> Event {
    Event::Task(TaskChange::Opened { id: uuid(id), name: format!("name of {id}"), sureness })
}

fn closed(id: &str) -> Event {
    Event::Task(TaskChange::Closed { id: uuid(id) })
}

/// A run with its prompt written and its first turn going.
fn begun() -> Stdin {
    let mut stdin = Stdin::default();
    assert_eq!(stdin.on(Event::PromptWritten, 0), None);
    assert_eq!(stdin.on(Event::TurnBegan, 500), None);
    stdin
}

fn stays(stdin: &mut Stdin, event: Event, at: u64) {
    let said = format!("{event:?}");
    assert_eq!(stdin.on(event, at), None, "{said}");
    assert!(stdin.is_open(), "{said}");
}

#[test]
fn a1_a2_one_prompt_closes_at_its_result() {
    let mut stdin = begun();
    assert_eq!(stdin.why_open(), ["a turn"]);
    assert_eq!(stdin.on(ended(), 900), Some(Close::Settled));
    assert!(!stdin.is_open() && stdin.why_open().is_empty() && stdin.not_read().is_empty());
}

#[test]
fn a9_without_a_prompt_only_the_person_ends_it() {
    let mut stdin = Stdin::default();
    stays(&mut stdin, Event::TimePassed, 1_000_000);
    assert_eq!(stdin.why_open(), ["no prompt yet"]);
    assert_eq!(stdin.on(Event::EndSaid, 1_000_001), Some(Close::Settled));
}

#[test]
fn a4_a_message_that_is_folded_into_the_turn_needs_no_second_result() {
    for seen in [Event::MessageStarted { uuid: uuid("m") }, Event::MessageEchoed { uuid: uuid("m") }] {
        let mut stdin = begun();
        stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 1_000);
        assert_eq!(stdin.why_open(), ["a turn", "1 message not read yet"]);
        stays(&mut stdin, seen, 4_000);
        assert_eq!(stdin.on(ended(), 4_100), Some(Close::Settled));
    }
}

#[test]
fn a5_new_a_queued_message_holds_over_the_first_result() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 1_000);
    stays(&mut stdin, ended(), 2_000);
    stays(&mut stdin, Event::MessageStarted { uuid: uuid("m") }, 2_010);
    assert_eq!(stdin.why_open(), ["a turn"], "its turn is announced");
    stays(&mut stdin, Event::TurnBegan, 2_030);
    let both = Event::TurnEnded { unasked: false, read: vec![uuid("m")] };
    assert_eq!(stdin.on(both, 3_000), Some(Close::Settled));
    assert_eq!(stdin.on(Event::MessageCompleted { uuid: uuid("m") }, 3_001), None);
}

#[test]
fn a5_old_a_queued_message_holds_until_its_echo_however_late() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 1_000);
    stays(&mut stdin, ended(), 2_000);
    stays(&mut stdin, Event::TurnBegan, 2_010);
    stays(&mut stdin, Event::TimePassed, 100_000);
    stays(&mut stdin, Event::MessageEchoed { uuid: uuid("m") }, 100_001);
    assert_eq!(stdin.on(ended(), 100_002), Some(Close::Settled));
}

#[test]
fn h2_a_local_command_is_never_echoed_and_its_result_settles_it() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("/clear") }, 600);
    stays(&mut stdin, ended(), 1_000);
    stays(&mut stdin, Event::TurnBegan, 1_050);
    assert_eq!(stdin.on(ended(), 1_060), Some(Close::Settled));
    assert!(stdin.not_read().is_empty());
}

#[test]
fn a5_old_a_message_counts_as_read_when_only_it_can_have_begun_the_turn() {
    let written = |task: bool| {
        let mut stdin = begun();
        if task {
            stays(&mut stdin, opened("t", Sureness::Told), 600);
            stays(&mut stdin, closed("t"), 700);
        }
        stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 800);
        stays(&mut stdin, ended(), 900);
        assert_eq!(stdin.not_read(), ["m"]);
        stays(&mut stdin, Event::TurnBegan, 1_000);
        stdin
    };
    assert!(written(false).not_read().is_empty(), "its echo may come behind the whole answer");
    let mut doubtful = written(true);
    assert_eq!(doubtful.not_read(), ["m"], "it may be the turn about the task");
    stays(&mut doubtful, unasked(), 1_100);
    assert_eq!(doubtful.not_read(), ["m"]);
}

#[test]
fn a3b_only_the_oldest_message_is_taken_for_the_one_that_began_a_turn() {
    let mut stdin = begun();
    for name in ["one", "two"] {
        stays(&mut stdin, Event::MessageWritten { uuid: uuid(name) }, 600);
    }
    stays(&mut stdin, ended(), 1_000);
    stays(&mut stdin, Event::TurnBegan, 1_010);
    stays(&mut stdin, ended(), 2_000);
    assert_eq!(stdin.not_read(), ["two"]);
}

#[test]
fn k1_a_message_of_which_nothing_is_heard_holds_for_a_while_and_is_told_as_not_read() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 600);
    stays(&mut stdin, ended(), 1_000);
    assert_eq!(stdin.wake_at(), Some(1_000 + OVERDUE_MS));
    stays(&mut stdin, Event::TimePassed, 999 + OVERDUE_MS);
    assert_eq!(stdin.on(Event::TimePassed, 1_000 + OVERDUE_MS), Some(Close::Settled));
    assert_eq!(stdin.not_read(), ["m"]);
}

#[test]
fn a5c_a_message_may_be_read_after_all_when_stdin_is_closed() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 600);
    assert_eq!(stdin.on(Event::WriteFailed, 700), Some(Close::WriteFailed));
    assert_eq!(stdin.not_read(), ["m"]);
    assert_eq!(stdin.on(Event::MessageStarted { uuid: uuid("m") }, 800), None);
    assert!(stdin.not_read().is_empty());
}

#[test]
fn d14_a_message_that_was_taken_back_holds_nothing_and_is_not_told() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 600);
    stays(&mut stdin, Event::MessageDropped { uuid: uuid("m") }, 700);
    assert_eq!(stdin.not_read(), ["m"], "thrown away, and nobody has asked for that yet");
    stays(&mut stdin, Event::MessageTakenBack { uuid: uuid("m") }, 701);
    assert!(stdin.not_read().is_empty());
    assert_eq!(stdin.on(ended(), 900), Some(Close::Settled));
}

#[test]
fn k1_new_a_late_word_about_a_message_that_is_done_opens_nothing() {
    let mut stdin = begun();
    stays(&mut stdin, Event::KeepOpen(true), 500);
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 600);
    stays(&mut stdin, Event::TurnEnded { unasked: false, read: vec![uuid("m")] }, 900);
    stays(&mut stdin, Event::MessageStarted { uuid: uuid("m") }, 901);
    assert_eq!(stdin.on(Event::KeepOpen(false), 902), Some(Close::Settled));
}

#[test]
fn a_message_that_was_completed_without_a_turn_holds_nothing() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 600);
    stays(&mut stdin, ended(), 900);
    stays(&mut stdin, Event::MessageStarted { uuid: uuid("m") }, 901);
    assert_eq!(stdin.on(Event::MessageCompleted { uuid: uuid("m") }, 902), Some(Close::Settled));
}

#[test]
fn an_announced_turn_that_never_comes_is_not_waited_for_for_ever() {
    let mut stdin = begun();
    stays(&mut stdin, Event::MessageWritten { uuid: uuid("m") }, 600);
    stays(&mut stdin, ended(), 900);
    stays(&mut stdin, Event::MessageStarted { uuid: uuid("m") }, 1_000);
    let wake = stdin.wake_at().unwrap();
    assert_eq!(stdin.on(Event::TimePassed, wake), Some(Close::Settled));
}

#[test]
fn e3_the_unasked_turn_about_background_work_still_finds_stdin_open() {
    let mut stdin = begun();
    stays(&mut stdin, opened("t", Sureness::Told), 600);
    stays(&mut stdin, ended(), 700);
    assert_eq!(stdin.why_open(), ["background: name of t"]);
    stays(&mut stdin, Event::TimePassed, 900_000);
    stays(&mut stdin, closed("t"), 900_001);
    stays(&mut stdin, Event::TurnBegan, 900_100);
    assert_eq!(stdin.on(unasked(), 900_200), Some(Close::Settled));
}

#[test]
fn f4c_work_that_ends_without_a_turn_of_its_own_is_waited_for_only_shortly() {
    let mut stdin = begun();
    stays(&mut stdin, opened("t", Sureness::Told), 600);
    stays(&mut stdin, closed("t"), 700);
    stays(&mut stdin, ended(), 800);
    assert_eq!(stdin.wake_at(), Some(800 + NOTICE_MS));
    assert_eq!(stdin.on(Event::TimePassed, 800 + NOTICE_MS), Some(Close::Settled));
}

#[test]
fn a_task_that_is_only_guessed_holds_until_a_long_silence() {
    let mut stdin = begun();
    stays(&mut stdin, opened("t", Sureness::Guessed), 600);
    stays(&mut stdin, ended(), 700);
    stays(&mut stdin, Event::Heard, 60_700);
    stays(&mut stdin, Event::TimePassed, 60_699 + GUESS_MS);
    assert_eq!(stdin.on(Event::TimePassed, 60_700 + GUESS_MS), Some(Close::Settled));
}

#[test]
fn d9_k2_a_question_holds_also_between_turns() {
    let mut stdin = begun();
    let id = RequestId::new("r1");
    stays(&mut stdin, Event::QuestionOpened { id: id.clone() }, 600);
    stays(&mut stdin, Event::QuestionOpened { id: id.clone() }, 601);
    stays(&mut stdin, ended(), 700);
    assert_eq!(stdin.why_open(), ["1 question open"]);
    stays(&mut stdin, Event::TimePassed, 3_000_000);
    assert_eq!(stdin.on(Event::QuestionClosed { id }, 3_000_001), Some(Close::Settled));
}

#[test]
fn text_on_the_line_holds_and_end_overrides_it_but_not_the_work() {
    let mut stdin = begun();
    stays(&mut stdin, Event::Line { has_text: true }, 600);
    stays(&mut stdin, Event::KeepOpen(true), 600);
    stays(&mut stdin, Event::EndSaid, 650);
    assert_eq!(stdin.why_open(), ["a turn"]);
    assert_eq!(stdin.on(ended(), 700), Some(Close::Settled));

    let mut stdin = begun();
    stays(&mut stdin, Event::Line { has_text: true }, 600);
    stays(&mut stdin, ended(), 700);
    assert_eq!(stdin.why_open(), ["text on the line"]);
    assert_eq!(stdin.on(Event::Line { has_text: false }, 800), Some(Close::Settled));
}

#[test]
fn a7_after_the_exit_nothing_opens_it_again() {
    let mut stdin = begun();
    assert_eq!(stdin.on(Event::ChildExited, 600), Some(Close::ChildExited));
    for event in [Event::PromptWritten, Event::WriteFailed, Event::ChildExited, Event::KeepOpen(true)] {
        assert_eq!(stdin.on(event, 700), None);
        assert!(!stdin.is_open() && stdin.wake_at().is_none());
    }
    assert_eq!(stdin.on(Event::MessageWritten { uuid: uuid("late") }, 800), None);
    assert_eq!(stdin.not_read(), ["late"]);
}
