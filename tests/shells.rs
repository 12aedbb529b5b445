//! What shells and `man` get of the command line: complete, readable by them, and without what only tim itself starts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(clippy::print_stderr, reason = "a program that is not there is said")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[expect(dead_code, reason = "each test uses a part of it")]
mod support;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use support::launch::Launch;
use support::temp::Temp;

/// The program with these arguments: what it prints, if it ends well.
fn prints(arguments: &[&str]) -> String {
    let launch = arguments.iter().fold(Launch::tim([]), |launch, argument| launch.arg(*argument));
    let (code, printed, complaint) = launch.start().exit();
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{arguments:?}");
    printed
}

/// Every command that the help shows, by its page: all that `tim man --folder` writes, without `tim` itself.
fn commands(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter_map(|name| Some(name.strip_suffix(".1")?.to_owned())).collect();
    names.sort();
    names
}

fn written() -> (Arc<Temp>, Vec<String>) {
    let temp = Arc::new(Temp::new());
    let folder = temp.folder("man");
    let launch = Launch::tim_in(Arc::clone(&temp), ["man", "--folder"]).arg(&folder);
    assert_eq!(launch.start().exit(), (Some(0), String::new(), String::new()));
    let pages = commands(&folder);
    (temp, pages)
}

/// Runs a program over a text; nothing if there is no such program here.
fn reads(program: &str, arguments: &[&str], text: &str) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("{program} is not here: what it would read was not tried");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().expect("the writer ends").ok();
    Some((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[test]
fn every_completion_knows_every_command_that_is_for_people_and_no_other() {
    let (_, pages) = written();
    let top: Vec<&str> = pages.iter().filter_map(|page| page.strip_prefix("tim-")).collect();
    assert!(top.contains(&"run") && top.contains(&"completion") && top.contains(&"rules-add"), "{top:?}");
    for shell in ["bash", "zsh", "fish"] {
        let script = prints(&["completion", shell]);
        for word in top.iter().flat_map(|name| name.split('-')) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("__guard") && !script.contains("demo-agent"), "{shell}");
        assert!(
            script.contains("output-format") && script.contains("stream-json"),
            "{shell}: flags and values"
        );
    }
}

#[test]
fn every_shell_that_is_here_can_read_its_completion() {
    for shell in ["bash", "zsh", "fish"] {
        let script = prints(&["completion", shell]);
        if let Some(read) = reads(shell, &["-n"], &script) {
            assert_eq!(read, (true, String::new()), "{shell}");
        }
    }
}

#[test]
fn bash_completes_commands_flags_and_values() {
    let script = prints(&["completion", "bash"]);
    let completed = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let line = format!(
            "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_tim tim '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(completed("tim com"), "completion\n");
    assert_eq!(completed("tim run --output-f"), "--output-format\n");
    assert_eq!(completed("tim run --output-format st"), "stream-json\n");
    assert!(!completed("tim _").contains("__guard"));
}

#[test]
fn every_page_has_the_sections_that_readers_look_for() {
    let (temp, pages) = written();
    assert!(pages.contains(&"tim".to_owned()) && pages.len() > 20, "{pages:?}");
    assert!(!pages.iter().any(|page| page.contains("__") || page.contains("help")), "{pages:?}");
    for page in &pages {
        let text = std::fs::read_to_string(temp.path(&format!("man/{page}.1"))).unwrap();
        for section in [".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n"] {
            assert!(text.contains(section), "{page}: {section}");
        }
        let teaches = text.contains(".SH EXAMPLES\n") || text.contains(".SH \"EXIT STATUS\"\n");
        assert!(teaches, "{page}:\n{text}");
    }
}

#[test]
fn no_page_has_anything_that_groff_or_man_complains_about() {
    let (temp, pages) = written();
    for page in &pages {
        let text = std::fs::read_to_string(temp.path(&format!("man/{page}.1"))).unwrap();
        if let Some(read) = reads("groff", &["-man", "-ww", "-Tutf8"], &text) {
            assert_eq!(read, (true, String::new()), "{page}");
        }
    }
    if let Some(read) = reads("man", &["-l", "--warnings", "-"], &prints(&["man", "run"])) {
        assert_eq!(read, (true, String::new()));
    }
}

#[test]
fn a_page_is_printed_by_the_words_of_its_command() {
    for (words, title) in [
        (&["man"][..], ".TH TIM 1"),
        (&["man", "run"], ".TH TIM-RUN 1"),
        (&["man", "rules", "add"], ".TH TIM-RULES-ADD 1"),
    ] {
        assert!(prints(words).contains(title), "{words:?}");
    }
    let (code, printed, complaint) = Launch::tim(["man", "rules", "sing"]).start().exit();
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(complaint.contains("\"sing\"") && complaint.lines().count() == 1, "{complaint}");
    assert_eq!(Launch::tim(["man", "__guard"]).start().exit().0, Some(2));
}

#[test]
fn a_folder_that_is_not_there_is_said_and_not_made() {
    let temp = Arc::new(Temp::new());
    let folder = temp.path("nowhere");
    let launch = Launch::tim_in(Arc::clone(&temp), ["man", "--folder"]).arg(&folder);
    let (code, _, complaint) = launch.start().exit();
    assert_eq!(code, Some(1), "{complaint}");
    assert!(complaint.contains("nowhere") && !folder.exists(), "{complaint}");
}
