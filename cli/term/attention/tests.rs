//! When a person is called, with fixed times.

use super::*;
use crate::config::attention::Hook;

const AFTER: Duration = Duration::from_secs(10);
const OSC: Abilities = Abilities { osc: true };
const PLAIN: Abilities = Abilities { osc: false };
const WHAT: &str = "claude wants to run a command";
const CALLED: &str = "\x07\x1b]9;tim: claude wants to run a command\x1b\\";

fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn key(number: u64) -> Key {
    Key { run: "7f3c".into(), number }
}

fn hook() -> Option<Hook> {
    Some(Hook { line: "beep".to_owned(), origin: "/c.toml".into() })
}

fn with(settings: &Settings, abilities: Abilities) -> (Attention, Instant) {
    let began = Instant::now();
    (Attention::new(settings, abilities, began), began)
}

fn usual() -> (Attention, Instant) {
    with(&Settings { command: hook(), ..Settings::default() }, OSC)
}

fn call(number: u64) -> Option<Call> {
    Some(Call { bytes: CALLED.to_owned(), runs_hook_for: Some(key(number)) })
}

#[test]
fn a_question_is_called_for_when_no_key_came_for_a_while() {
    let (mut attention, t) = usual();
    attention.key(t + s(3));
    attention.question(&key(1), WHAT, t + s(5));
    assert_eq!(attention.wake_at(), Some(t + s(3) + AFTER));
    assert_eq!(attention.look(t + s(13) - Duration::from_nanos(1)), None);
    assert_eq!(attention.look(t + s(13)), call(1));
}

#[test]
fn each_key_puts_it_off_again() {
    let (mut attention, t) = usual();
    attention.question(&key(1), WHAT, t);
    attention.key(t + s(9));
    assert_eq!(attention.look(t + s(10)), None);
    attention.key(t + s(18));
    assert_eq!(attention.look(t + s(27)), None);
    assert_eq!((attention.wake_at(), attention.look(t + s(28))), (Some(t + s(28)), call(1)));
}

#[test]
fn a_key_from_earlier_does_not_bring_the_call_forward() {
    let (mut attention, t) = usual();
    attention.key(t + s(5));
    attention.key(t + s(1));
    attention.question(&key(1), WHAT, t + s(5));
    assert_eq!(attention.wake_at(), Some(t + s(15)));
}

#[test]
fn whoever_is_away_already_is_called_as_soon_as_the_question_waits() {
    let (mut attention, t) = usual();
    attention.question(&key(1), WHAT, t + s(600));
    assert_eq!(attention.look(t + s(600)), None);
    assert_eq!(attention.look(t + s(600) + SETTLED), call(1));
}

#[test]
fn a_question_that_something_else_answers_at_once_calls_nobody() {
    let (mut attention, t) = usual();
    for number in 0..20 {
        let at = t + s(600) + number * Duration::from_millis(900);
        attention.question(&key(number.into()), WHAT, at);
        assert_eq!(attention.look(at + Duration::from_millis(899)), None);
        attention.gone(&key(number.into()));
    }
    assert_eq!(attention.wake_at(), None);
}

#[test]
fn a_question_that_is_drawn_again_and_again_waits_no_longer_for_it() {
    let (mut attention, t) = usual();
    for tenths in 0..=10 {
        attention.question(&key(1), WHAT, t + s(600) + tenths * Duration::from_millis(100));
    }
    assert_eq!(attention.look(t + s(601)), call(1));
}

#[test]
fn a_time_below_a_second_is_kept_to() {
    let after = Duration::from_millis(200);
    let (mut attention, t) = with(&Settings { after, ..Settings::default() }, OSC);
    attention.question(&key(1), WHAT, t);
    assert_eq!(attention.wake_at(), Some(t + after));
}

#[test]
fn a_question_is_called_for_once_also_if_it_is_shown_again() {
    let (mut attention, t) = usual();
    attention.question(&key(1), WHAT, t);
    assert_eq!(attention.look(t + s(10)), call(1));
    assert_eq!((attention.wake_at(), attention.look(t + s(20))), (None, None));
    attention.key(t + s(30));
    attention.question(&key(2), WHAT, t + s(31));
    assert_eq!(attention.look(t + s(40)), call(2));
    attention.question(&key(1), WHAT, t + s(41));
    assert_eq!((attention.wake_at(), attention.look(t + s(100))), (None, None));
}

#[test]
fn a_question_that_is_not_shown_calls_nobody() {
    let (mut attention, t) = usual();
    assert_eq!((attention.wake_at(), attention.look(t + s(100))), (None, None));
    attention.question(&key(1), WHAT, t);
    attention.gone(&key(2));
    assert!(attention.wake_at().is_some());
    attention.gone(&key(1));
    assert_eq!((attention.wake_at(), attention.look(t + s(100))), (None, None));
}

#[test]
fn a_question_that_has_ended_is_not_remembered() {
    let (mut attention, t) = usual();
    for number in 0..100 {
        attention.question(&key(number), WHAT, t);
        assert!(attention.look(t + s(10)).is_some());
        attention.gone(&key(number));
    }
    assert!(attention.called.is_empty());
}

#[test]
fn the_end_of_a_run_is_told_once_at_once_and_without_the_hook() {
    let (mut attention, t) = usual();
    attention.question(&key(1), WHAT, t);
    attention.key(t + s(12));
    attention.ended("claude is done");
    assert!(attention.wake_at() <= Some(t + s(12)));
    let told = Call { bytes: "\x07\x1b]9;tim: claude is done\x1b\\".to_owned(), runs_hook_for: None };
    assert_eq!(attention.look(t + s(12)), Some(told));
    assert_eq!(attention.look(t + s(12)), None);
    assert_eq!(attention.look(t + s(22)), call(1));
}

#[test]
fn each_way_of_calling_can_be_turned_off() {
    let bytes = |bell, notify, abilities| {
        let (mut attention, t) = with(&Settings { bell, notify, ..Settings::default() }, abilities);
        attention.question(&key(1), WHAT, t);
        attention.look(t + s(10)).map(|call| call.bytes)
    };
    assert_eq!(bytes(true, false, OSC).as_deref(), Some("\x07"));
    assert_eq!(bytes(true, true, PLAIN).as_deref(), Some("\x07"));
    let notice = CALLED.trim_start_matches('\x07');
    assert_eq!(bytes(false, true, OSC).as_deref(), Some(notice));
    assert_eq!((bytes(false, true, PLAIN), bytes(false, false, OSC)), (None, None));
}

#[test]
fn a_hook_is_run_also_where_nothing_is_written() {
    let settings = Settings { bell: false, notify: false, command: hook(), ..Settings::default() };
    let (mut attention, t) = with(&settings, OSC);
    attention.ended("claude is done");
    assert_eq!(attention.wake_at(), None);
    attention.question(&key(1), WHAT, t);
    let call = Call { bytes: String::new(), runs_hook_for: Some(key(1)) };
    assert_eq!(attention.look(t + s(10)), Some(call));
}

#[test]
fn where_all_is_off_nobody_needs_to_look() {
    let settings = Settings { bell: false, notify: false, title: false, ..Settings::default() };
    let (mut attention, t) = with(&settings, OSC);
    attention.question(&key(1), WHAT, t);
    attention.ended("claude is done");
    attention.waiting(1);
    assert_eq!((attention.wake_at(), attention.look(t + s(100))), (None, None));
    assert_eq!((attention.enter(), attention.title(), attention.leave()), ("", None, ""));
}

#[test]
fn the_title_says_how_many_wait_and_changes_only_when_that_does() {
    let (mut attention, _) = usual();
    attention.waiting(1);
    assert_eq!((attention.title(), attention.leave()), (None, ""), "the person's own is not kept yet");
    assert_eq!((attention.enter(), attention.enter()), ("\x1b[22;2t", ""));
    assert_eq!(attention.title().as_deref(), Some("\x1b]2;● tim: 1 waiting\x1b\\"));
    assert_eq!(attention.title(), None);
    attention.waiting(2);
    assert_eq!(attention.title().as_deref(), Some("\x1b]2;● tim: 2 waiting\x1b\\"));
    attention.waiting(0);
    assert_eq!(attention.title().as_deref(), Some("\x1b]2;tim\x1b\\"));
    assert_eq!((attention.leave(), attention.leave()), ("\x1b]2;\x1b\\\x1b[23;2t", ""));
    attention.waiting(3);
    assert_eq!(attention.title(), None);
    attention.enter();
    attention.waiting(0);
    assert_eq!(
        attention.title().as_deref(),
        Some("\x1b]2;tim\x1b\\"),
        "after coming back it is written again"
    );
}

#[test]
fn a_terminal_without_titles_gets_none() {
    let (mut attention, _) = with(&Settings::default(), PLAIN);
    attention.waiting(2);
    assert_eq!((attention.enter(), attention.title(), attention.leave()), ("", None, ""));
}

#[test]
fn terminals_that_would_print_the_sequences_get_none() {
    for term in [None, Some(""), Some("dumb"), Some("linux"), Some("linux-16color")] {
        assert_eq!(Abilities::of(term), PLAIN, "{term:?}");
    }
    for term in ["xterm-256color", "tmux-256color", "foot", "linuxoid"] {
        assert_eq!(Abilities::of(Some(term)), OSC, "{term}");
    }
}

#[test]
fn a_notice_is_one_row_in_which_nothing_foreign_ends_it_or_begins_a_field() {
    assert_eq!(notice("a\x1b\\b\x07c\u{9c}d\ne;4;1"), "tim: a\\x1b\\b\\x07c\\u{9c}d\\ne,4,1");
    assert_eq!(notice("Größe? 日本"), "tim: Größe? 日本");
}

#[test]
fn a_long_notice_is_cut_and_says_so() {
    let (fits, longer) = ("x".repeat(115), "x".repeat(116));
    assert_eq!(notice(&fits), format!("tim: {fits}"));
    assert_eq!(notice(&longer), format!("tim: {}…", "x".repeat(114)));
    assert_eq!(notice(&head(&"日".repeat(70_000))).chars().count(), LONGEST);
}
