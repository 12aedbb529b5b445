//! The picture in the README is a screen of the program as it is today: the demo at a real terminal, at the moment where
//! it asks. Whoever changes how that looks makes it anew with `TIM_PICTURE=write cargo test --test picture`, and looks at
//! it. Waits for something to be seen, never for a time.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "picture/svg.rs"]
mod svg;

use picture::Picture;
use pty::Start;
use support::temp::Temp;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/screen.svg");

/// The demo, where it asks whether it may run a command and a line that was typed meanwhile waits.
fn asked() -> Picture {
    let folder = Temp::new();
    let mut demo = Start::tim(&folder, &["demo", "--speed", "max"]).size(80, 24).go();
    demo.armed("y once");
    demo.types("\x1b");
    demo.sees("Tab answers the question");
    demo.types("also look at the changelog\r");
    demo.sees("(read when Bash ends)");
    demo.armed("y once")
}

#[test]
fn the_picture_in_the_readme_is_what_the_program_shows() {
    let screen = asked();
    let drawn = svg::draw(&screen, "tim demo");
    if std::env::var("TIM_PICTURE").is_ok_and(|word| word == "write") {
        return std::fs::write(FILE, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        kept == drawn,
        "docs/screen.svg is not what the program shows now. If it should look so, make it anew and look at it:\n\
         TIM_PICTURE=write cargo test --test picture\n\n{screen}"
    );
}

/// A screen on which a program wrote this.
fn showing(written: &str) -> Picture {
    let (rows, columns) = (24.try_into().unwrap(), 80.try_into().unwrap());
    let mut parser = vt100::Parser::new(rows, columns, 0);
    parser.process(written.as_bytes());
    Picture::of(parser.screen())
}

#[test]
fn whatever_can_be_seen_makes_another_picture_but_the_time_of_day_does_not() {
    let drawn = |written: &str| svg::draw(&showing(written), "tim");
    let before = drawn("? may I  14:19");
    for other in [
        "? may we  14:19",
        "? may  I  14:19",
        "\x1b[1m? may I\x1b[m  14:19",
        "\x1b[2m? may I\x1b[m  14:19",
        "\x1b[33m?\x1b[m may I  14:19",
        "\r\n? may I  14:19",
    ] {
        assert_ne!(drawn(other), before, "{other:?}");
    }
    assert_eq!(drawn("? may I  23:59"), before);
}

#[test]
fn what_a_program_writes_stays_text_in_the_picture() {
    let drawn = svg::draw(&showing("<script>\"&\"</script>"), "a < b");
    assert!(drawn.contains("&lt;script&gt;&quot;&amp;&quot;&lt;/script&gt;"), "{drawn}");
    assert!(!drawn.contains("<script") && drawn.contains("a &lt; b"), "{drawn}");
}
