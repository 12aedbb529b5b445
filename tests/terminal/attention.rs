//! Calling a person who looks elsewhere.

use crate::pty::Start;
use crate::seat::Seat;
use crate::support::client::assert_answered;
use crate::support::wait::eventually;

/// A service whose person is called after a second.
fn that_calls(start: Start) -> Start {
    let config = start.home().join("config.toml");
    let command = r#"command = "cat > $HOME/called; echo never an answer""#;
    std::fs::write(&config, format!("[attention]\nafter = \"1s\"\n{command}\n")).unwrap();
    start.env("TIM_ATTENTION", "on").env("TIM_CONFIG", config.to_str().unwrap())
}

#[test]
fn who_does_not_look_is_called_once_by_bell_notification_title_and_command() {
    let mut seat = Seat::with(&[], that_calls);
    let mut client = seat.script("deploy");
    client.confirm("Sure?");
    seat.saw("\x07");
    let raw = String::from_utf8(seat.raw()).unwrap();
    assert!(raw.contains("\x1b]9;tim: deploy asks\x1b\\"), "{raw:?}");
    assert!(raw.contains("\x1b]2;● tim: 1 waiting\x1b\\"), "{raw:?}");
    let called = seat.folder().path("home/called");
    let told = eventually("what the command was told", || {
        std::fs::read_to_string(&called).ok().filter(|told| told.ends_with('\n'))
    });
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["path"], &told["kind"]), (&"deploy".into(), &"confirm".into()), "{told}");
    seat.answers("y yes", "y");
    assert_answered(&client.response("Sure?"), &true.into());
    seat.saw("\x1b]2;tim\x1b\\");
    assert_eq!(seat.leaves(), 130);
    let raw = String::from_utf8(seat.raw()).unwrap();
    assert_eq!(raw.matches('\x07').count(), 1, "{raw:?}");
    assert!(raw.contains("\x1b[23;2t"), "the title is as it was: {raw:?}");
}
