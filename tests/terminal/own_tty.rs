//! `tim ask` at its own terminal: the question is there, the answer is on stdout and nothing else.

use insta::assert_snapshot;

use crate::pty::{Pty, Start};
use crate::support::temp::Temp;

/// `tim ask`, its stdout in a file.
struct Asked {
    pty: Pty,
    folder: Temp,
}

impl Asked {
    fn new(arguments: &[&str]) -> Self {
        let folder = Temp::new();
        let script = r#"exec "$0" ask "$@" >out"#;
        let begin = ["-c", script, env!("CARGO_BIN_EXE_tim")];
        let pty = Start::program(&folder, "sh", &[&begin, arguments].concat()).go();
        Self { pty, folder }
    }

    /// Types when the keys count; gives the exit code and what is on stdout.
    fn answered(mut self, armed: &str, keys: &str) -> (u32, String) {
        self.pty.armed(armed);
        self.pty.types(keys);
        self.ends()
    }

    fn ends(mut self) -> (u32, String) {
        let code = self.pty.ends();
        self.pty.assert_restored();
        (code, std::fs::read_to_string(self.folder.path("home/out")).unwrap())
    }
}

fn said(code: u32, text: &str) -> (u32, String) {
    (code, text.to_owned())
}

#[test]
fn a_confirmation_is_asked_here_and_leaves_one_row() {
    let mut asked = Asked::new(&["confirm", "Deploy?"]);
    assert_snapshot!("own_confirm_open", asked.pty.armed("y yes").masked());
    asked.pty.types("x");
    assert_snapshot!("own_confirm_wrong", asked.pty.sees("Answer with y or n").masked());
    asked.pty.types("\x1b");
    asked.pty.sees("Ctrl-C gives no answer");
    asked.pty.types("n");
    assert_eq!(asked.pty.ends(), 1);
    asked.pty.assert_restored();
    assert_snapshot!("own_confirm_answered", asked.pty.picture().masked());
    assert_eq!(std::fs::read_to_string(asked.folder.path("home/out")).unwrap(), "no\n");
}

#[test]
fn each_kind_is_answered_at_ones_own_terminal() {
    let mut pictures = String::new();
    let choices = ["--choice", "main=m", "--choice", "develop=d"];
    let ask = |kind: &str, more: &[&str]| Asked::new(&[&[kind, "Which?"], more].concat());
    let (select, checkbox) = (ask("select", &choices), ask("checkbox", &choices));
    let (choice, rejected) = (ask("choice", &choices), ask("choice", &choices));
    let (approval, input, text) = (ask("approval", &[]), ask("input", &["--default", "1"]), ask("text", &[]));
    let all = [&select, &checkbox, &choice, &approval, &input, &text];
    for (asked, armed) in
        all.iter().zip(["1-2 or", "1-2 or", "1-2 or", "[a] Approve", "Enter takes", "Enter sends"])
    {
        pictures.push_str(&asked.pty.armed(armed).masked());
    }
    assert_snapshot!("own_kinds_open", pictures);
    assert_eq!(select.answered("1-2 or", "2"), said(0, "d\n"));
    assert_eq!(checkbox.answered("1-2 or", "a\r"), said(0, "m\nd\n"));
    assert_eq!(choice.answered("1-2 or", "\x1b[B\r"), said(0, "m\n"));
    assert_eq!(rejected.answered("1-2 or", "r"), said(1, "reject\n"));
    assert_eq!(approval.answered("[a] Approve", "a"), said(0, "approve\n"));
    assert_eq!(input.answered("Enter takes", "\r"), said(0, "1\n"));
    assert_eq!(text.answered("Enter sends", "so that\r"), said(0, "so that\n"));
}

#[test]
fn a_rejection_is_an_exit_code_too() {
    let (approval, text) = (Asked::new(&["approval", "Go?"]), Asked::new(&["text", "Why?"]));
    assert_eq!(approval.answered("[a] Approve", "r"), said(1, "reject\n"));
    assert_eq!(text.answered("Enter sends", "/reject\r"), said(1, "reject\n"));
}

#[test]
fn ctrl_c_and_ctrl_d_decline_also_before_keys_count() {
    for key in ["\x03", "\x04"] {
        let mut asked = Asked::new(&["confirm", "Delete?"]);
        asked.pty.sees("Delete?");
        asked.pty.types(key);
        assert_eq!(asked.ends(), said(5, ""));
    }
}

#[test]
fn the_time_is_up_at_ones_own_terminal_too() {
    let asked = Asked::new(&["confirm", "Now?", "--timeout", "300ms"]);
    asked.pty.sees("nobody answered within 0.3 s");
    assert_eq!(asked.ends(), said(3, ""));
}

#[test]
fn f040_what_was_typed_before_the_question_is_no_answer_to_it() {
    let folder = Temp::new();
    let mut asked = Start::tim(&folder, &["ask", "confirm", "Delete?"]).after(b"y\ny\n").go();
    asked.sees("Delete?");
    asked.types("yyy\r");
    asked.armed("y yes");
    asked.types("n");
    assert_eq!(asked.ends(), 1);
    asked.assert_restored();
}
