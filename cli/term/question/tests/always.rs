//! What is allowed for always, and where that is saved.

use super::*;

const ENTER: Code = Code::Enter;

const CLAUDE: &str = "saved  .claude/settings.local.json   Tab: ~/.config/tim/rules.toml";
const TIM: &str = "saved  ~/.config/tim/rules.toml   Tab: .claude/settings.local.json";

#[test]
fn tab_switches_where_a_rule_is_saved_and_the_answer_says_it() {
    let question = bash("git fetch origin");
    let mut asked = asked(&question);
    asked.key(Code::Char('p'));
    assert!(asked.text(79).contains(TIM), "{}", asked.text(79));
    assert_eq!(asked.key(Code::Tab), Effect::Redraw);
    let text = asked.text(79);
    assert!(text.contains(CLAUDE) && text.contains("Claude's own matching applies there"), "{text}");
    let raw = r#"{"allow":true,"scope":"always","rule":"Bash(git fetch:*)","saved":"claude"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_eq!(asked.key(Code::Tab), Effect::Redraw);
    let raw = r#"{"allow":true,"scope":"always","rule":"Bash(git fetch:*)"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert!(asked.text(79).contains(TIM));
}

#[test]
fn where_it_is_saved_must_have_been_on_the_screen() {
    let question = bash("git fetch origin");
    let mut asked = asked(&question);
    asked.key(Code::Char('p'));
    assert_eq!(asked.block.key(Key::plain(Code::Tab)), Effect::Redraw);
    assert_hints(&asked.block.key(Key::plain(ENTER)));
    asked.text(79);
    assert!(matches!(asked.block.key(Key::plain(ENTER)), Effect::Answer(_)));
}

#[test]
fn a_rule_that_claude_would_read_otherwise_stays_in_tims_file() {
    let question = bash("echo 'a b'");
    let mut asked = asked(&question);
    asked.key(Code::Char('p'));
    let text = asked.text(79);
    assert!(text.contains("rule  Bash(echo:*)"), "{text}");
    assert_eq!(asked.key(Code::Tab), Effect::Redraw);
    assert_eq!(asked.key(Code::Right), Effect::Redraw);
    let text = asked.text(79);
    assert!(text.contains(CLAUDE) && text.contains("letter by letter"), "{text}");
    assert_hints(&asked.key(ENTER));
    assert_eq!(asked.key(Code::Tab), Effect::Redraw);
    let raw = r#"{"allow":true,"scope":"always","rule":"Bash(echo 'a b':*)"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
    assert_hints(&asked.key(Code::Tab));
    assert!(asked.text(79).contains(TIM), "it did not go there");
}

#[test]
fn for_the_session_there_is_nothing_to_switch() {
    let mut asked = asked(&bash("git fetch origin"));
    asked.key(Code::Char('s'));
    assert!(!asked.text(79).contains("saved"));
    assert_hints(&asked.key(Code::Tab));
}

fn at(question: &Question, here: &Here) -> Asked {
    let mut asked = asked(question);
    asked.block = Block::new(question, here);
    asked.text(79);
    asked
}

#[test]
fn where_the_folder_is_not_known_there_is_only_tims_file() {
    let question = bash("git fetch origin");
    let mut asked = at(&question, &Here { claude_file: String::new(), ..here() });
    asked.key(Code::Char('p'));
    let text = asked.text(79);
    assert!(text.contains("saved  ~/.config/tim/rules.toml\n"), "{text}");
    assert_hints(&asked.key(Code::Tab));
    let raw = r#"{"allow":true,"scope":"always","rule":"Bash(git fetch:*)"}"#;
    assert_answers(&question, &asked.key(ENTER), raw);
}

#[test]
fn where_nothing_is_saved_there_is_only_the_session() {
    let nowhere = Here { rules_file: String::new(), ..here() };
    for question in [bash("git fetch"), of_tool(tool("WebSearch", r#"{"query":"x"}"#))] {
        let mut asked = at(&question, &nowhere);
        let text = asked.text(79);
        assert!(text.contains("  s ") && !text.contains("always"), "{text}");
        assert_eq!(asked.key(Code::Char('p')), Effect::Hint("Answer with y, s, n or t".to_owned()));
    }
}

#[test]
fn other_tools_show_their_one_rule_before_it_is_kept() {
    for (name, input, rule, about) in [
        ("Read", r#"{"file_path":"/etc/hosts"}"#, "Read(//etc/**)", "    /etc/hosts\n"),
        ("Write", r#"{"file_path":"/srv/x/a","content":"b"}"#, "Edit(//srv/x/**)", "    /srv/x/a\n"),
        ("WebFetch", r#"{"url":"https://a.com/x","prompt":"p"}"#, "WebFetch(domain:a.com)", "//a.com/x\n"),
        ("mcp__db__query", r#"{"sql":"select 1"}"#, "mcp__db__query", "Allow always\n"),
    ] {
        let question = of_tool(tool(name, input));
        let mut asked = asked(&question);
        assert!(asked.text(79).contains("p always…"), "{}", asked.text(79));
        assert_eq!(asked.key(Code::Char('p')), Effect::Redraw);
        let text = asked.text(79);
        assert!(text.contains(&format!("{about}  rule  {rule}\n")) && text.contains(TIM), "{text}");
        assert!(!text.contains("shorter"), "{text}");
        for code in [Code::Left, Code::Right, Code::Char('y')] {
            assert_hints(&asked.key(code));
        }
        let raw = format!(r#"{{"allow":true,"scope":"always","rule":"{rule}"}}"#);
        assert_answers(&question, &asked.key(ENTER), &raw);
        assert_eq!(asked.key(Code::Tab), Effect::Redraw);
        let raw = format!(r#"{{"allow":true,"scope":"always","rule":"{rule}","saved":"claude"}}"#);
        assert_answers(&question, &asked.key(ENTER), &raw);
        assert_eq!(asked.key(Code::Esc), Effect::Redraw);
    }
}

#[test]
fn all_edits_here_are_allowed_for_the_session_alone() {
    let input = r#"{"file_path":"/proj/app/a.rs","old_string":"a","new_string":"b"}"#;
    let mut asked = asked(&of_tool(tool("Edit", input)));
    assert!(!asked.text(79).contains("always"), "{}", asked.text(79));
    assert_eq!(asked.key(Code::Char('p')), Effect::Hint("Answer with y, s, n or t".to_owned()));
}
