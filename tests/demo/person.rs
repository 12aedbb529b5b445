//! A person at the demo: whatever they answer is taken, mentioned, and ends well.

use crate::pty::{Pty, Start};
use crate::support::temp::Temp;

/// The demo at a terminal, as fast as it can be.
fn fast(folder: &Temp) -> Pty {
    Start::tim(folder, &["demo", "--speed", "max"]).go()
}

/// The demo at a terminal, at the pace of a person.
fn slow(folder: &Temp) -> Pty {
    Start::tim(folder, &["demo"]).go()
}

fn answers(demo: &mut Pty, keys: &str, key: &str) {
    demo.armed(keys);
    demo.types(key);
}

/// Waits until a text stands somewhere, also above what is on the screen.
fn told(demo: &Pty, text: &str) {
    demo.until(&format!("{text:?}"), |picture| picture.times(text) > 0);
}

/// It ends well, and the terminal is as it was.
fn ends_well(mut demo: Pty) {
    assert_eq!(demo.ends(), 0);
    for text in ["cargo doc --no-deps  completed", "✓ done"] {
        told(&demo, text);
    }
    let picture = demo.assert_modes_restored();
    assert_eq!(picture.times("tim run -r"), 0, "there is nothing to go on with: {picture}");
}

#[test]
fn a_yes_a_line_while_it_works_and_a_yes_for_the_script() {
    let folder = Temp::new();
    let mut demo = fast(&folder);
    answers(&mut demo, "y once", "y");
    told(&demo, "you, once");
    demo.types("also the docs\r");
    told(&demo, "→ You: also the docs");
    told(&demo, "“also the docs”");
    answers(&mut demo, "y yes", "y");
    told(&demo, "The script heard a yes");
    ends_well(demo);
}

#[test]
fn a_line_that_was_typed_before_the_answer_is_read_when_the_command_ends() {
    let folder = Temp::new();
    let mut demo = fast(&folder);
    answers(&mut demo, "y once", "\x1b");
    demo.sees("Tab answers the question");
    demo.types("early bird\r");
    demo.sees("queued");
    answers(&mut demo, "y once", "y");
    told(&demo, "“early bird”");
    let rows = demo.picture().history();
    let at = |text: &str| rows.iter().position(|row| row.contains(text)).unwrap();
    let order =
        [at("● Bash  cargo test"), at("17 passed; 0 failed"), at("→ You: early bird"), at("“early bird”")];
    assert!(order.is_sorted(), "{order:?} in {rows:#?}");
    answers(&mut demo, "y yes", "y");
    ends_well(demo);
}

#[test]
fn a_no_and_a_no_for_the_script() {
    let folder = Temp::new();
    let mut demo = fast(&folder);
    answers(&mut demo, "y once", "n");
    told(&demo, "That was a no, so nothing ran.");
    answers(&mut demo, "y yes", "n");
    told(&demo, "The script heard a no");
    ends_well(demo);
}

#[test]
fn a_no_with_words_is_quoted() {
    let folder = Temp::new();
    let mut demo = fast(&folder);
    answers(&mut demo, "y once", "t");
    demo.types("not now\r");
    told(&demo, "“not now”");
    answers(&mut demo, "y yes", "y");
    ends_well(demo);
}

#[test]
fn no_answer_is_told_from_a_no() {
    let folder = Temp::new();
    let mut demo = fast(&folder);
    answers(&mut demo, "y once", "\x03");
    told(&demo, "“The person declined");
    answers(&mut demo, "y yes", "\x03");
    told(&demo, "You gave no answer");
    ends_well(demo);
}

#[test]
fn a_rule_that_is_kept_in_a_demo_is_not_saved() {
    for key in ["s", "p"] {
        let folder = Temp::new();
        let mut demo = fast(&folder);
        answers(&mut demo, "y once", key);
        answers(&mut demo, "Enter keeps", "\r");
        demo.types("go on\r");
        answers(&mut demo, "y yes", "y");
        ends_well(demo);
        assert!(!folder.path("config/tim/rules.toml").exists());
    }
}

#[test]
fn an_interrupt_is_mentioned_and_ends_well() {
    let folder = Temp::new();
    let mut demo = slow(&folder);
    demo.sees("This is a demo");
    demo.types("\x1b");
    told(&demo, "You interrupted me");
    // Whoever interrupts may have something else to say, and is waited for.
    demo.sees("is done");
    demo.types("\x04");
    assert_eq!(demo.ends(), 0);
    demo.assert_modes_restored();
}

#[test]
fn ctrl_c_twice_ends_it_and_gives_the_terminal_back() {
    let folder = Temp::new();
    let mut demo = slow(&folder);
    demo.sees("This is a demo");
    demo.types("\x03");
    demo.sees("again within 2 s");
    demo.types("\x03");
    assert_eq!(demo.ends(), 130);
    demo.assert_modes_restored();
}
