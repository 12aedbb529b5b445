//! What is on the screen, and where.

use super::super::status::Status;
use super::*;

fn plain(text: &str) -> Vec<Row> {
    vec![Row::foreign(Style::PLAIN, text)]
}

#[test]
fn a_question_in_mid_word_stands_above_the_line() {
    let mut stand = Stand::new();
    stand.screen.output(plain("  I read the tokenizer."), None);
    stand.types("and update the chan");
    stand.asks(bash("npm publish --access public"));
    insta::assert_snapshot!(stand.picture());
    let cursor = stand.terminal.screen().cursor_position();
    assert_eq!(cursor.1, 21, "it is on the line");
}

#[test]
fn a_question_on_an_empty_line_has_the_screen_for_itself() {
    let mut stand = Stand::new();
    stand.screen.set_status(Some(Status::Says(Row::own(Style::DIM, "  1 agent listens"))));
    let up = stand.waiting(bash("cargo test"));
    let next = stand.waiting(prompt("confirm", r#"{"message":"Which region?"}"#));
    let behind = Behind { count: 2, next: vec![next.offer] };
    stand.screen.show(&up, &behind, Box::new(|| {}), stand.now);
    stand.passes(SECOND);
    insta::assert_snapshot!(stand.picture());
}

#[test]
fn a_question_that_is_withdrawn_becomes_one_row_and_the_line_is_as_it_was() {
    let mut stand = Stand::new();
    stand.types("half a li");
    let up = stand.confirm();
    stand.closes(&up, &End::TimedOut { after_ms: 600_000, shown: true });
    insta::assert_snapshot!(stand.picture());
    assert!(stand.acts.is_empty());
}

#[test]
fn one_that_was_never_up_gets_its_row_too_and_what_is_up_stays() {
    let mut stand = Stand::new();
    let up = stand.confirm();
    let other = stand.waiting(prompt("confirm", r#"{"message":"Other?"}"#));
    stand.closes(&other, &End::Cancelled { gone: true });
    assert!(stand.picture().contains("agent gone          Other?"), "{}", stand.picture());
    assert!(stand.picture().contains("y yes"));
    assert_eq!(up.offer.key.number, 1);
}

/// An end of a permission, by whom.
fn verdict(question: &Question, raw: &str, source: AnswerSource) -> End {
    let value = Json::parse(raw).unwrap().into_owned();
    let given = actors::answer::check(question, &value).unwrap();
    End::Answered { value, given, source }
}

#[test]
fn a_grant_shows_its_rules_and_what_waited_vanishes_with_a_row_for_each() {
    let mut stand = Stand::new();
    let up = stand.waiting(bash("git fetch a && npm test"));
    let others = ["git fetch b", "npm test -- x", "git fetch c"].map(|command| stand.waiting(bash(command)));
    let behind = Behind { count: 3, next: others.iter().map(|one| Arc::clone(&one.offer)).collect() };
    stand.screen.show(&up, &behind, Box::new(|| {}), stand.now);
    stand.settle();
    stand.passes(SECOND);
    stand.types("s");
    insta::assert_snapshot!("rules_before_a_grant", stand.picture());
    stand.types("\r");
    let raw = r#"{"allow":true,"scope":"session","rules":["Bash(git fetch:*)","Bash(npm test:*)"]}"#;
    let said = stand.said();
    assert!(matches!(&said[..], [(1, Said::Answer(value))] if value.raw() == raw), "{said:?}");
    stand.screen.close(&up, &verdict(&up.offer.question, raw, AnswerSource::Terminal), stand.now);
    for (other, rule) in others.iter().zip(["Bash(git fetch:*)", "Bash(npm test:*)", "Bash(git fetch:*)"]) {
        stand.screen.show(other, &Behind::default(), Box::new(|| {}), stand.now);
        let by_rule = format!(r#"{{"allow":true,"rule":"{rule}"}}"#);
        stand.screen.close(other, &verdict(&other.offer.question, &by_rule, AnswerSource::Rule), stand.now);
    }
    stand.settle();
    insta::assert_snapshot!("rules_after_a_grant", stand.picture());
}

#[test]
fn a_rule_is_offered_only_where_somebody_would_keep_it() {
    for (keeper, offers, saves, has_folder) in [
        (Keeper::Here, true, true, true),
        (Keeper::ForGuest, true, true, false),
        (Keeper::Below, true, false, false),
        (Keeper::Nobody, false, false, false),
    ] {
        let mut stand = Stand::new();
        let waiting = stand.waiting(bash("git fetch b"));
        let offer = Arc::new(Offer { keeper, ..Offer::clone(&waiting.offer) });
        let up = Waiting { offer, since: stand.now };
        stand.screen.show(&up, &Behind::default(), Box::new(|| {}), stand.now);
        stand.settle();
        let picture = stand.picture();
        assert_eq!(picture.contains("s session"), offers, "{picture}");
        assert_eq!(picture.contains("p always"), saves, "{picture}");
        assert_eq!(picture.contains("in    ~/app"), has_folder, "{picture}");
        stand.passes(SECOND);
        stand.types("p");
        let picture = stand.picture();
        assert_eq!(picture.contains("Allow always"), saves, "{picture}");
        assert_eq!(picture.contains("Tab: .claude/settings.local.json"), has_folder, "{picture}");
    }
}

#[test]
fn a_question_that_a_grant_answers_vanishes_from_the_screen() {
    let mut stand = Stand::new();
    let up = stand.asks(bash("git fetch b"));
    let by_rule =
        verdict(&up.offer.question, r#"{"allow":true,"rule":"Bash(git fetch:*)"}"#, AnswerSource::Rule);
    stand.closes(&up, &by_rule);
    let picture = stand.picture();
    assert!(!picture.contains("y once") && picture.contains("✓ 14:02 rule "), "{picture}");
    assert!(picture.contains("Bash git fetch b · Bash(git fetch:*)"), "{picture}");
}

#[test]
fn text_that_streams_stands_above_the_line_and_is_final_before_a_question() {
    let mut stand = Stand::new();
    stand.screen.stream("The tokenizer drops the last byte when a file has no final newline. I keep it");
    stand.settle();
    insta::assert_snapshot!(stand.picture());
    stand.confirm();
    assert!(stand.screen.stream.rest(79).is_none_or(|row| row.text().trim().is_empty()));
    let picture = stand.picture();
    let (text, question) = (picture.find("it\n"), picture.find("? main"));
    assert!(text.is_some() && text < question, "{picture}");
}

#[test]
fn f051_a_question_survives_every_size() {
    let mut stand = Stand::new();
    stand.types("line");
    stand.confirm();
    for (columns, height) in [(20, 5), (500, 200), (1, 1), (19, 24), (80, 3), (80, 24)] {
        stand.terminal.screen_mut().set_size(size(height), size(columns));
        stand.screen.resized(columns, height);
        stand.settle();
    }
    stand.types("\t");
    stand.passes(SECOND);
    stand.types("y");
    assert_eq!(stand.said(), [(1, yes())]);
    assert_eq!(stand.screen.editor.text(), "line");
}

#[test]
fn on_a_window_that_is_too_small_nothing_is_decided() {
    let mut stand = Stand::of_size(15, 24, true);
    stand.asks(bash("touch x"));
    stand.passes(5 * SECOND);
    stand.types("y");
    assert!(stand.said().is_empty());
    assert!(stand.picture().contains("too small"), "{}", stand.picture());
}

#[test]
fn what_was_typed_and_not_sent_is_said_at_the_end_and_nothing_else_is_left() {
    let mut stand = Stand::new();
    stand.screen.set_status(Some(Status::Says(Row::own(Style::DIM, "  status"))));
    stand.types("never sent");
    stand.screen.last_words();
    let bytes = stand.screen.step_aside();
    stand.terminal.process(bytes.as_bytes());
    assert_eq!(stand.picture(), "! not sent: never sent");
    assert!(!stand.terminal.screen().bracketed_paste() && !stand.terminal.screen().hide_cursor());
}

#[test]
fn which_keys_there_are_is_shown_until_the_next_key() {
    let mut stand = Stand::new();
    stand.types("?");
    insta::assert_snapshot!(stand.picture());
    stand.types("a");
    assert_eq!(stand.picture(), "❯ a");
}

#[test]
fn of_several_who_listen_the_one_who_hears_the_line_is_named_before_it() {
    let mut stand = Stand::new();
    for name in ["api", "web"] {
        stand.screen.hears(Path::new(name).unwrap(), true);
    }
    stand.types("\tuse the hook\r@api stop\r@all hello\r");
    insta::assert_snapshot!(stand.picture());
    let to: Vec<_> = stand.acts.iter().map(|act| format!("{act:?}")).collect();
    assert!(to[0].contains("web") && to[1].contains("api") && to[2].contains("to: None"), "{to:?}");
}

#[test]
fn who_is_away_is_called_once() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.passes(9 * SECOND);
    assert_eq!(stand.terminal.screen().contents().matches('\u{7}').count(), 0);
    let before = stand.screen.wakes().unwrap();
    assert!(before <= stand.now + SECOND);
    stand.now += SECOND;
    stand.screen.tick(stand.now);
    let frame = stand.screen.frame(stand.now).unwrap();
    assert!(frame.contains("\x07") && frame.contains("\x1b]9;tim: main › review asks"), "{frame:?}");
    stand.screen.written(stand.now);
    stand.passes(60 * SECOND);
    assert!(!stand.screen.call.contains('\u{7}'));
}

#[test]
fn a_long_line_that_was_not_sent_is_said_whole_at_the_end() {
    let mut stand = Stand::new();
    stand.types(&format!("\x1b[200~{}\x1b[201~", "words ".repeat(20_000)));
    stand.screen.last_words();
    let mut said = String::new();
    while let Some(more) = stand.screen.rest() {
        said.push_str(&more);
    }
    assert_eq!(said.matches("words").count(), 20_000);
}

#[test]
fn a_frame_that_got_lost_is_shown_again() {
    let mut stand = Stand::new();
    stand.screen.warn("do not lose me");
    stand.now += SECOND;
    assert!(stand.screen.frame(stand.now).is_some_and(|frame| frame.contains("do not lose me")));
    stand.screen.resumed(stand.now);
    stand.settle();
    assert!(stand.picture().contains("! do not lose me"), "{}", stand.picture());
}

#[test]
fn a_crowd_of_questions_that_nobody_saw_is_counted() {
    let mut stand = Stand::new();
    for _ in 0..500 {
        let over = stand.waiting(prompt("confirm", r#"{"message":"Spam?"}"#));
        stand.screen.show(&over, &Behind::default(), Box::new(|| {}), stand.now);
        stand.screen.close(&over, &End::Cancelled { gone: true }, stand.now);
    }
    stand.settle();
    stand.passes(SECOND);
    let picture = stand.picture();
    assert!(picture.contains("questions ended before they were shown"), "{picture}");
    assert!(picture.lines().count() < 5, "{picture}");
}

#[test]
fn the_keys_of_a_question_are_those_that_it_has() {
    let mut stand = Stand::new();
    stand.asks(bash("cargo test"));
    stand.passes(SECOND);
    stand.types("?");
    insta::assert_snapshot!(stand.picture());
}

#[test]
fn an_agent_at_work_turns_its_spinner_until_a_question_stops_it() {
    let mut stand = Stand::new();
    let works =
        Status::Works { who: "claude".to_owned(), since: stand.now, cost: None, at: "writing".to_owned() };
    stand.screen.set_status(Some(works));
    stand.passes(SECOND);
    let before = stand.picture();
    assert!(before.contains("claude  1s  writing"), "{before}");
    let wakes = stand.screen.wakes().unwrap();
    assert!(wakes <= stand.now + Duration::from_millis(100));
    stand.passes(Duration::from_millis(120));
    assert_ne!(stand.picture(), before);
    stand.confirm();
    assert!(!stand.picture().contains("writing"));
}

#[test]
fn a_line_waits_in_its_row_until_it_is_read_and_can_be_taken_back() {
    let mut stand = Stand::new();
    stand.screen.setup.tells_read = true;
    stand.screen.hears(Path::new("claude").unwrap(), true);
    stand.types("also add a test\rand another\r");
    assert!(matches!(stand.acts[..], [Act::Send { number: 1, .. }, Act::Send { number: 2, .. }]));
    stand.acts.clear();
    stand.screen.lines_wait_behind(None, Some("Bash"));
    stand.settle();
    insta::assert_snapshot!(stand.picture());
    stand.screen.was_read(1);
    stand.types("\x1b[A");
    assert!(matches!(stand.acts[..], [Act::TakeBack(2)]));
    stand.screen.was_taken_back(2);
    stand.settle();
    let picture = stand.picture();
    assert!(picture.starts_with("→ You: also add a test"), "{picture}");
    assert!(picture.ends_with("❯ and another") && !picture.contains("queued"), "{picture}");
}
