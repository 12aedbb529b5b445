//! What decides about a tool, and that nothing else does.

use super::*;

const ENTER: Code = Code::Enter;

#[test]
fn a_command_is_decided_by_letters() {
    let question = bash("git fetch origin");
    assert_answers(&question, &asked(&question).key(Code::Char('y')), r#"{"allow":true,"scope":"once"}"#);
    assert_answers(&question, &asked(&question).key(Code::Char('n')), r#"{"allow":false,"scope":"once"}"#);
    for code in
        [ENTER, Code::Char(' '), Code::Char('1'), Code::Char('3'), Code::Char('Y'), Code::Up, Code::Tab]
    {
        assert_hints(&asked(&question).key(code));
    }
}

#[test]
fn a_no_can_say_why() {
    let question = bash("npm publish");
    let mut asked = asked(&question);
    assert_eq!(asked.key(Code::Char('t')), Effect::Redraw);
    assert_hints(&asked.key(ENTER));
    asked.type_in("not before the tag?");
    let raw = r#"{"allow":false,"scope":"once","reason":"not before the tag?"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_eq!(asked.key(Code::Esc), Effect::Redraw);
    assert_eq!(asked.key(Code::Esc), Effect::ToLine);
}

#[test]
fn the_exact_rule_is_shown_before_it_is_kept() {
    let question = bash("git fetch origin --prune");
    let mut asked = asked(&question);
    assert_eq!(asked.key(Code::Char('s')), Effect::Redraw);
    for code in [Code::Char('y'), Code::Char(' '), Code::Up] {
        assert_hints(&asked.key(code));
    }
    let raw = r#"{"allow":true,"scope":"session","rule":"Bash(git fetch:*)"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    asked.key(Code::Right);
    asked.key(Code::Right);
    asked.key(Code::Right);
    let raw = r#"{"allow":true,"scope":"session","rule":"Bash(git fetch origin --prune)"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_hints(&asked.key(Code::Right));
    asked.key(Code::Esc);
    assert_eq!(asked.key(Code::Char('p')), Effect::Redraw);
    asked.key(Code::Left);
    let raw = r#"{"allow":true,"scope":"always","rule":"Bash(git:*)"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_hints(&asked.key(Code::Left));
}

#[test]
fn a_command_that_no_rules_cover_has_none() {
    for command in [
        "echo $x",
        "rm *",
        "cat <(ls)",
        "npm test && echo $x",
        "npm test; rm *",
        "cd vendor && git fetch",
        "cd src",
    ] {
        let question = bash(command);
        for letter in ['s', 'p'] {
            assert_hints(&asked(&question).key(Code::Char(letter)));
        }
    }
    let many = ["ls"; 9].join(" && ");
    assert_hints(&asked(&bash(&many)).key(Code::Char('s')));
}

#[test]
fn each_part_of_a_command_has_a_rule_of_its_own_and_enter_keeps_them_all() {
    let question = bash("cd src && npm test 2>&1 | tail -20");
    let mut asked = asked(&question);
    assert_eq!(asked.key(Code::Char('s')), Effect::Redraw);
    let raw = r#"{"allow":true,"scope":"session","rules":["Bash(npm test:*)","Bash(tail:*)"]}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_hints(&asked.key(Code::Up));
    asked.key(Code::Right);
    assert_eq!(asked.key(Code::Down), Effect::Redraw);
    assert_hints(&asked.key(Code::Left));
    asked.key(Code::Right);
    assert_hints(&asked.key(Code::Down));
    assert_hints(&asked.key(Code::Char('y')));
    let raw = r#"{"allow":true,"scope":"session","rules":["Bash(npm test)","Bash(tail -20:*)"]}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_eq!(asked.key(Code::Up), Effect::Redraw);
    asked.key(Code::Left);
    asked.key(Code::Left);
    let raw = r#"{"allow":true,"scope":"session","rules":["Bash(npm:*)","Bash(tail -20:*)"]}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
}

#[test]
fn parts_that_share_a_rule_keep_it_once_and_one_rule_alone_is_changed_as_ever() {
    let question = bash("npm test && npm test");
    let mut both = asked(&question);
    both.key(Code::Char('p'));
    assert_answers(
        &question,
        &both.key(ENTER),
        r#"{"allow":true,"scope":"always","rule":"Bash(npm test:*)"}"#,
    );
    let question = bash("cd src && npm test");
    let mut one = asked(&question);
    one.key(Code::Char('s'));
    assert_hints(&one.key(Code::Down));
    one.key(Code::Left);
    assert_answers(&question, &one.key(ENTER), r#"{"allow":true,"scope":"session","rule":"Bash(npm:*)"}"#);
}

#[test]
fn rules_that_have_no_room_on_the_screen_are_not_kept() {
    let question = bash("npm test && git fetch && tail -20 x && ls");
    for height in 1..12 {
        let mut asked = asked(&question);
        asked.key(Code::Char('s'));
        asked.height = height;
        let text = asked.text(79);
        let effect = asked.block.key(Key::plain(ENTER));
        let is_kept = matches!(effect, Effect::Answer(_));
        assert_eq!(
            is_kept,
            text.matches("  rule  Bash(").count() == 4 && text.contains("Allow for"),
            "{text}"
        );
        assert_eq!(is_kept, height >= 6, "{text}");
    }
}

#[test]
fn a_command_with_something_unknown_beside_it_has_no_rule() {
    let question = of_tool(tool("Bash", r#"{"command":"git fetch","dangerouslyDisableSandbox":true}"#));
    let mut asked = asked(&question);
    assert!(asked.text(79).contains("dangerouslyDisableSandbox: true"));
    assert_hints(&asked.key(Code::Char('s')));
}

#[test]
fn other_tools_name_the_rule_on_their_key() {
    for (name, input, rule) in [
        ("Read", r#"{"file_path":"/etc/hosts"}"#, "Read(//etc/**)"),
        ("Read", r#"{"file_path":"/proj/app/src/a.rs"}"#, "Read(**)"),
        ("Edit", r#"{"file_path":"/proj/app/a.rs","old_string":"a","new_string":"b"}"#, "Edit(**)"),
        ("Write", r#"{"file_path":"/srv/x/a","content":"b"}"#, "Edit(//srv/x/**)"),
        ("WebFetch", r#"{"url":"https://Example.com/x","prompt":"p"}"#, "WebFetch(domain:example.com)"),
        ("mcp__db__query", r#"{"sql":"select 1"}"#, "mcp__db__query"),
    ] {
        let question = of_tool(tool(name, input));
        let raw = format!(r#"{{"allow":true,"scope":"session","rule":"{rule}"}}"#);
        assert_answers(&question, &asked(&question).key(Code::Char('s')), &raw);
    }
}

#[test]
fn what_no_rule_allows_has_no_key_for_it() {
    for (name, input) in [
        ("ExitPlanMode", r#"{"plan":"x"}"#),
        ("Edit", r#"{"file_path":"/proj/app/.git/config","old_string":"a","new_string":"b"}"#),
        ("Read", r#"{"file_path":"/home/me/.ssh/config"}"#),
        ("Bash", r#"{"command":7}"#),
        ("Read", "[1]"),
    ] {
        let question = of_tool(tool(name, input));
        let mut asked = asked(&question);
        assert!(!asked.text(79).contains(" s "), "{}", asked.text(79));
        assert_hints(&asked.key(Code::Char('s')));
    }
}

fn long() -> Question {
    let lines: Vec<_> = (1..=60).map(|line| format!("echo {line}")).collect();
    bash(&lines.join("\n"))
}

#[test]
fn a_command_that_was_not_seen_whole_cannot_be_allowed() {
    let mut asked = asked(&long());
    for letter in ['y', 's', 'p'] {
        assert_hints(&asked.key(Code::Char(letter)));
    }
    asked.text(79);
    asked.key(Code::Char('v'));
    asked.text(79);
    assert_hints(&asked.key(Code::Char('y')));
    asked.key(Code::Char('q'));
    asked.text(79);
    assert_hints(&asked.key(Code::Char('y')));
    asked.key(Code::Char('v'));
    for _ in 0..6 {
        asked.text(79);
        asked.key(Code::Char(' '));
    }
    asked.text(79);
    assert_eq!(asked.key(Code::Esc), Effect::Redraw);
    asked.text(79);
    assert_answers(&long(), &asked.key(Code::Char('y')), r#"{"allow":true,"scope":"once"}"#);
}

#[test]
fn a_long_command_can_be_refused_unseen() {
    let question = long();
    assert_answers(&question, &asked(&question).key(Code::Char('n')), r#"{"allow":false,"scope":"once"}"#);
}

#[test]
fn what_was_never_drawn_cannot_be_allowed() {
    let question = bash("ls");
    let mut block = Block::new(&question, &here());
    assert_hints(&block.key(Key::plain(Code::Char('y'))));
    let about = About::default();
    block.draw(&about, Screen { columns: 79, height: 2, is_armed: true });
    assert_hints(&block.key(Key::plain(Code::Char('y'))));
    block.draw(&about, Screen { columns: 79, height: 5, is_armed: true });
    assert!(matches!(block.key(Key::plain(Code::Char('y'))), Effect::Answer(_)));
}

#[test]
fn a_long_message_must_be_seen_before_it_is_approved_too() {
    let message = "line\\n".repeat(80);
    for (kind, letter) in [("confirm", 'y'), ("approval", 'a')] {
        let question = prompt(kind, &format!(r#"{{"message":"{message}"}}"#));
        assert_hints(&asked(&question).key(Code::Char(letter)));
    }
    let question = prompt("confirm", &format!(r#"{{"message":"{message}","default":true}}"#));
    assert_hints(&asked(&question).key(ENTER));
}

#[test]
fn a_rule_that_was_not_on_the_screen_is_not_kept() {
    let question = bash("git fetch origin");
    let mut asked = asked(&question);
    assert_eq!(asked.block.key(Key::plain(Code::Char('s'))), Effect::Redraw);
    assert_hints(&asked.block.key(Key::plain(ENTER)));
    asked.text(79);
    assert_eq!(asked.block.key(Key::plain(Code::Left)), Effect::Redraw);
    assert_hints(&asked.block.key(Key::plain(ENTER)));
    asked.height = 2;
    asked.draw(79);
    assert_hints(&asked.block.key(Key::plain(ENTER)));
    asked.height = 24;
    asked.draw(79);
    let raw = r#"{"allow":true,"scope":"session","rule":"Bash(git:*)"}"#;
    assert_answers(&question, &asked.block.key(Key::plain(ENTER)), raw);
}

#[test]
fn what_nobody_could_read_here_cannot_be_allowed_here() {
    let content = "\\n".repeat(30_000);
    let question = of_tool(tool("Write", &format!(r#"{{"file_path":"/proj/app/x","content":"{content}"}}"#)));
    let mut asked = asked(&question);
    let text = asked.text(79);
    assert!(text.contains("too long to be read here") && !text.contains("y once"), "{text}");
    assert!(matches!(asked.block.key(Key::plain(Code::Char('y'))), Effect::Hint(_)));
    assert!(matches!(asked.block.key(Key::plain(Code::Char('n'))), Effect::Answer(_)));
}
