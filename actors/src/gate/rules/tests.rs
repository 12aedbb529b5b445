use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<Word> {
    text.split(' ').map(Word::plain).collect()
}

fn matches(rule: &str, command: &str) -> bool {
    Rule::parse(rule).unwrap().matches(&words(command))
}

#[test]
fn a_rule_of_words_covers_what_begins_with_them_word_by_word() {
    for rule in
        ["Bash(git status:*)", "Bash(git status *)", "Bash(git  'status':*)", "Bash(\"git\" st\\atus:*)"]
    {
        assert!(matches(rule, "git status") && matches(rule, "git status -s x"), "{rule}");
        assert!(
            !matches(rule, "git statusx") && !matches(rule, "git") && !matches(rule, "xgit status"),
            "{rule}"
        );
    }
}

#[test]
fn a_rule_without_a_star_is_exactly_its_words() {
    assert!(matches("Bash(npm run build)", "npm run build"));
    assert!(!matches("Bash(npm run build)", "npm run build --watch"));
    assert!(!matches("Bash(npm run build)", "npm run"));
    assert!(matches("Bash(npm run test:unit)", "npm run test:unit"));
}

#[test]
fn a_word_that_may_become_others_is_no_word_of_a_rule() {
    let rule = Rule::parse("Bash(ls '*.rs')").unwrap();
    let mut command = words("ls *.rs");
    assert!(rule.matches(&command));
    command[1].kind = WordKind::Pattern;
    assert!(!rule.matches(&command));
}

#[test]
fn rules_for_tools_and_servers_compare_whole_names() {
    let names = |rule: &str, tool: &str| Rule::parse(rule).unwrap().names(tool);
    assert!(names("WebSearch", "WebSearch") && !names("WebSearch", "WebSearchX") && !names("bash", "Bash"));
    for rule in ["mcp__db", "mcp__db__*"] {
        assert!(
            names(rule, "mcp__db__query") && !names(rule, "mcp__db2__query") && !names(rule, "mcp__db"),
            "{rule}"
        );
    }
    assert!(names("mcp__db__query", "mcp__db__query") && !names("mcp__db__query", "mcp__db__query2"));
}

#[test]
fn a_bad_rule_is_an_error_that_names_the_place() {
    for (rule, at) in [
        ("", 0),
        (" Bash", 0),
        ("Bash ", 4),
        ("(x)", 0),
        ("Bash(", 5),
        ("Bash()", 5),
        ("Bash(:*)", 5),
        ("Bash( :*)", 5),
        ("Bash( *)", 5),
        ("Bash(*)", 5),
        ("Bash(git status:*", 17),
        ("Bash(git status", 15),
        ("Bash(git status)x", 17),
        ("Bash x", 4),
        ("Bash(git * main)", 5),
        ("Bash(ls*)", 5),
        ("Bash(a; b)", 5),
        ("Bash(a;)", 5),
        ("Bash(a && b:*)", 5),
        ("Bash(a # b:*)", 5),
        ("Bash(a\nb)", 5),
        ("Bash(echo $x:*)", 10),
        ("Bash(a > b)", 7),
        ("Bash(a 2>&1:*)", 5),
        ("Bash(a >/dev/null)", 5),
        ("Bash(CI=1 a:*)", 5),
        ("Bash([[:*)", 5),
        ("Bash(if:*)", 5),
        ("Read(/etc/x)", 5),
        ("Edit(src/[a])", 9),
        ("WebFetch(example.com)", 9),
        ("WebFetch(domain:)", 9),
        ("WebFetch(domain:a/b)", 9),
        ("Task(x)", 4),
        ("mcp__", 5),
        ("mcp__a__", 8),
        ("mcp__a__b*", 9),
        ("mcp__a(x)", 6),
        ("mcp__*", 5),
    ] {
        match Rule::parse(rule) {
            Ok(read) => panic!("{rule:?} is read as {read:?}"),
            Err(bad) => assert_eq!(bad.at, at, "{rule:?}: {bad}"),
        }
    }
}

#[test]
fn a_rule_is_shown_as_it_was_written() {
    for rule in [
        "Bash(git *)",
        "Bash(git log  --format='%h %s':*)",
        "Read(//etc/**)",
        "mcp__a",
        "WebFetch(domain:Docs.RS)",
    ] {
        assert_eq!(Rule::parse(rule).unwrap().to_string(), rule);
    }
}

#[test]
fn an_exact_rule_spells_out_everything_and_others_their_words() {
    let spelled = |rule: &str| Rule::parse(rule).unwrap().spells_out();
    assert_eq!((spelled("Bash(a b:*)"), spelled("Bash(a b)"), spelled("Bash")), (2, usize::MAX, 0));
}

#[test]
fn what_is_wrong_with_a_rule_is_told_with_its_column() {
    let told = |rule: &str| Rule::parse(rule).unwrap_err().to_string();
    assert_eq!(told("Bash "), "column 5: a blank that does not belong to the rule");
    assert_eq!(told("Bash(echo $x:*)"), "column 11: an expansion; quote it");
    assert_eq!(told("mcp__a(x)"), "column 7: expected `*` or the name of a tool");
}

#[test]
fn a_word_is_quoted_only_if_a_rule_would_read_it_otherwise() {
    for (word, quoted) in [
        ("a-b_c./:=@%+,9", "a-b_c./:=@%+,9"),
        ("", "''"),
        ("=x", "'=x'"),
        ("x:", "'x:'"),
        ("a b", "'a b'"),
        ("*", "'*'"),
        ("it's", r"'it'\''s'"),
        ("ä", "'ä'"),
    ] {
        assert_eq!(quote(word), quoted);
    }
}

proptest! {
    #[test]
    fn a_rule_made_of_words_is_read_as_the_same_words(
        words in prop::collection::vec("[ -~ä→\n]{0,8}", 1..5),
        is_exact: bool,
    ) {
        let words: Vec<_> = words.iter().map(|word| Word::plain(word)).collect();
        let rule = Rule::for_command(&words, is_exact);
        // A first word that is no name of a command has no rule, whoever writes it.
        match Rule::parse(&rule.to_string()) {
            Ok(read) => prop_assert_eq!(read, rule),
            Err(_) => {
                let name = &words[0].text;
                prop_assert!(name.is_empty() || name.contains(['=', '\n']) || name.starts_with('%') || shell::scan(&quote(name)).is_err());
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_rules_panic(text in "(Bash|Read|mcp__|WebFetch)?[ -~ä\n]{0,24}") {
        drop(Rule::parse(&text));
    }
}
