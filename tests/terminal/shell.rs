//! `tim serve` as a person starts it: from a shell, which gets its terminal back in between and at the end.

use crate::pty::{Pty, Start};
use crate::seat::Seat;
use crate::support::client::{Client, assert_answered};
use crate::support::temp::Temp;
use serde_json::json;

/// A shell, and in it a service.
struct Shell {
    pty: Pty,
    folder: Temp,
}

impl Shell {
    fn new() -> Self {
        let folder = Temp::new();
        let start = Start::program(&folder, "bash", &["--norc", "--noprofile", "-i"]);
        let mut pty = start.env("PS1", "shell> ").env("TIM", env!("CARGO_BIN_EXE_tim")).go();
        pty.sees("shell>");
        pty.types("bind 'set enable-bracketed-paste off'; \"$TIM\" serve --socket \"$HOME/../s\"\r");
        pty.sees("Type a message");
        Self { pty, folder }
    }

    /// The person stops it, and the shell is there.
    fn stops(&mut self) {
        self.pty.types("\x1a");
        self.pty.sees("Stopped");
    }

    /// The question that was asked meanwhile is there when the person is back.
    fn answers_after_fg(&mut self, client: &mut Client) {
        self.pty.types("echo one-$((1 + 1))\r");
        self.pty.sees("one-2");
        self.pty.types("fg\r");
        self.pty.sees("Sure?");
        self.pty.armed("y yes");
        self.pty.types("n");
        assert_answered(&client.response("Sure?"), &json!(false));
    }

    fn client(&self) -> Client {
        Client::greet(&self.folder.path("s"), "script", "deploy").0
    }
}

#[test]
fn f053_ctrl_z_gives_the_shell_its_terminal_and_fg_takes_it_back() {
    let mut shell = Shell::new();
    shell.pty.types("half a li");
    shell.pty.sees("❯ half a li");
    shell.pty.types("\x1a");
    let stopped = shell.pty.sees("Stopped");
    assert!(!stopped.has("half a li"), "no live region is left: {stopped}");
    shell.pty.types("stty -a | tr ';' '\\n' | grep -c '[^-]icanon'; echo modes-$((20 + 2))\r");
    let modes = shell.pty.sees("modes-22");
    assert!(modes.rows().iter().any(|row| row == "1"), "the shell's own modes: {modes}");
    shell.pty.types("fg\r");
    shell.pty.sees("❯ half a li");
    shell.pty.types("ne");
    shell.pty.sees("❯ half a line");
    let mut client = shell.client();
    client.confirm("Sure?");
    shell.pty.sees("Tab answers the question");
    shell.pty.types("\t");
    shell.pty.armed("y yes");
    shell.pty.types("y");
    assert_answered(&client.response("Sure?"), &json!(true));
}

#[test]
fn f053_a_question_that_comes_while_it_is_stopped_is_there_after_fg() {
    let mut shell = Shell::new();
    let mut client = shell.client();
    shell.stops();
    client.confirm("Sure?");
    shell.answers_after_fg(&mut client);
}

#[test]
fn f053_a_service_that_is_stopped_can_be_ended_from_the_shell() {
    let mut shell = Shell::new();
    shell.stops();
    shell.pty.types("kill %1; while kill -0 %1; do sleep 0.05; done 2>/dev/null; echo gone-$((1 + 1))\r");
    shell.pty.sees("gone-2");
    assert!(!shell.folder.path("s").exists());
}

#[test]
fn f053_what_the_shell_wrote_meanwhile_is_not_drawn_over() {
    let mut shell = Shell::new();
    shell.pty.types("half a li");
    shell.pty.sees("❯ half a li");
    shell.stops();
    shell.pty.types("echo one-$((1 + 1))\r");
    shell.pty.sees("one-2");
    shell.pty.types("fg\r");
    let back = shell.pty.sees("❯ half a li");
    let stays = ["Stopped", "one-2", "shell> fg"];
    assert!(stays.iter().all(|text| back.has(text)), "{back}");
}

#[test]
fn f053_in_the_background_it_serves_on_and_asks_when_it_is_back() {
    let mut shell = Shell::new();
    shell.stops();
    shell.pty.types("bg\r");
    let mut client = shell.client();
    client.confirm("Sure?");
    shell.answers_after_fg(&mut client);
}

#[test]
fn keys_that_are_on_their_way_at_the_end_are_not_the_shells_next_command() {
    let mut shell = Shell::new();
    shell.pty.types("\x03");
    shell.pty.sees("again within 2 s");
    shell.pty.types("\x03touch \"$HOME/oops\"\r");
    shell.pty.until("the shell", |picture| picture.rows().iter().any(|row| row == "shell>"));
    shell.pty.types("echo code-$?\r");
    shell.pty.sees("code-130");
    assert!(!shell.folder.path("home/oops").exists());
    shell.pty.types("touch \"$HOME/fine\"; echo done-$((1 + 1))\r");
    shell.pty.sees("done-2");
    assert!(shell.folder.path("home/fine").exists());
}

#[test]
fn keys_behind_an_answer_are_not_the_shells_next_command() {
    let folder = Temp::new();
    let start = Start::program(&folder, "bash", &["--norc", "--noprofile", "-i"]);
    let mut pty = start.env("PS1", "shell> ").env("TIM", env!("CARGO_BIN_EXE_tim")).go();
    pty.sees("shell>");
    pty.types("\"$TIM\" ask confirm Sure\r");
    pty.armed("y yes");
    pty.types("ntouch \"$HOME/oops\"\r");
    pty.until("the shell", |picture| picture.rows().iter().any(|row| row == "shell>"));
    pty.types("echo code-$?\r");
    pty.sees("code-1");
    assert!(!folder.path("home/oops").exists());
}

#[test]
fn without_a_shell_that_could_go_on_ctrl_z_stops_nothing() {
    let mut seat = Seat::new();
    seat.types("abc");
    seat.sees("❯ abc");
    seat.types("\x1ad");
    seat.sees("❯ abcd");
}

#[test]
fn a_question_in_the_background_says_what_to_do() {
    let folder = Temp::new();
    let start = Start::program(&folder, "bash", &["--norc", "--noprofile", "-i"]);
    let mut pty = start.env("PS1", "shell> ").env("TIM", env!("CARGO_BIN_EXE_tim")).go();
    pty.sees("shell>");
    pty.types("\"$TIM\" ask confirm ok? & wait $!; echo code-$?\r");
    pty.sees("bring tim to the foreground");
    pty.sees("code-6");
}
