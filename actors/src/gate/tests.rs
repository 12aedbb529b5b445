mod own;

use serde::Deserialize;

use super::rules::{Rule, RuleSet};
use super::{Decision, Gate, Judgement, Place};

/// A gate that allows and denies by these rules.
fn gate(allow: &[&str], deny: &[&str]) -> Gate {
    let parse = |rules: &[&str]| rules.iter().map(|rule| Rule::parse(rule).unwrap()).collect();
    let place = Place { root: "/proj/app".to_owned(), home: Some("/home/me".to_owned()) };
    Gate::new(RuleSet { allow: parse(allow), deny: parse(deny) }, place)
}

fn judged(allow: &[&str], command: &str) -> Judgement {
    gate(allow, &[]).judge_command(command)
}

#[derive(Deserialize)]
struct Case {
    rule: Option<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    command: String,
    expect: String,
}

impl Case {
    /// What becomes of it. A rule that is none means that somebody is asked.
    fn judged(&self) -> Judgement {
        let allow = self.rule.iter().chain(&self.allow).chain(&self.also);
        let allow: Result<Vec<_>, _> = allow.map(|rule| Rule::parse(rule)).collect();
        let deny: Result<Vec<_>, _> = self.deny.iter().map(|rule| Rule::parse(rule)).collect();
        match (allow, deny) {
            (Ok(allow), Ok(deny)) => {
                let place = Place { root: "/proj/app".to_owned(), home: None };
                Gate::new(RuleSet { allow, deny }, place).judge_command(&self.command)
            }
            (Err(bad), _) | (_, Err(bad)) => Judgement::asks(bad.to_string(), Vec::new()),
        }
    }
}

#[test]
fn every_case_of_the_collections_is_judged_as_it_says() {
    let collections = [
        include_str!("../../../fixtures/rules/bash.jsonl"),
        include_str!("../../../fixtures/rules/tools.jsonl"),
    ];
    let mut wrong = Vec::new();
    for line in collections.iter().flat_map(|lines| lines.lines()) {
        let case: Case = serde_json::from_str(line).unwrap();
        let judged = case.judged();
        let word = judged.decision.word();
        if word != case.expect {
            wrong.push(format!("{line}\n  is judged {word}: {}", judged.why));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn decision(allow: &[&str], deny: &[&str], command: &str) -> Decision {
    gate(allow, deny).judge_command(command).decision
}

#[test]
fn every_part_of_a_command_needs_its_rule() {
    let allow = ["Bash(git status:*)", "Bash(head:*)"];
    assert_eq!(decision(&allow, &[], "git status -s | head -3 && git status"), Decision::Allow);
    let asked = judged(&allow, "git status | head && touch x");
    assert_eq!((asked.decision, asked.why.as_str()), (Decision::Ask, "`touch x`: no rule covers it"));
    let found: Vec<_> = asked.parts.iter().map(|part| (part.text.as_str(), part.decision)).collect();
    assert_eq!(
        found,
        [("git status", Decision::Allow), ("head", Decision::Allow), ("touch x", Decision::Ask)]
    );
}

#[test]
fn an_option_that_runs_or_writes_is_covered_by_a_rule_that_spells_it_out() {
    assert_eq!(
        judged(&["Bash(sort:*)"], "sort -o x y").why,
        "`sort -o x y`: `-o` can run or write something"
    );
    assert_eq!(decision(&["Bash(sort -o:*)"], &[], "sort -o x y"), Decision::Allow);
    assert_eq!(decision(&["Bash(sort -o x y)"], &[], "sort -o x y"), Decision::Allow);
    assert_eq!(decision(&["Bash(sort -o:*)"], &[], "sort -o x --compress-program=y"), Decision::Ask);
    assert_eq!(decision(&["Bash(git config user.name:*)"], &[], "git config user.name me"), Decision::Ask);
    assert_eq!(decision(&["Bash(git config user.name me)"], &[], "git config user.name me"), Decision::Allow);
    assert_eq!(decision(&["Bash(python3 -m pytest:*)"], &[], "python3 -m pytest -q tests"), Decision::Allow);
    assert_eq!(decision(&["Bash(python3:*)"], &[], "python3 -m pytest"), Decision::Ask);
    assert_eq!(
        decision(&["Bash(source .venv/bin/activate)"], &[], "source .venv/bin/activate"),
        Decision::Allow
    );
}

#[test]
fn a_deny_rule_wins_wherever_it_is_found() {
    let allow = ["Bash(git:*)", "Bash(ls:*)", "Bash(echo:*)"];
    for command in [
        "git push",
        "git push origin x",
        "ls && git push",
        "git push $x",
        "git push; for",
        "git --no-pager push",
        "/usr/bin/git push",
        "timeout 5 git push",
        "nice -n 5 git push",
        "sudo git push",
        "env A=1 git push",
        "xargs git push",
        "CI=1 git push",
        "git 'pu'sh",
        "git push *",
        "GIT push",
        "git -C sub push",
        "git -c a=b push",
        "find . -exec git push \\;",
        "bash -c 'ls; git push'",
    ] {
        assert_eq!(decision(&allow, &["Bash(git push:*)"], command), Decision::Deny, "{command}");
    }
    for command in ["git status", "echo git push", "git pushx"] {
        assert_ne!(decision(&allow, &["Bash(git push:*)"], command), Decision::Deny, "{command}");
    }
    assert_eq!(decision(&["Bash"], &["Bash"], "ls"), Decision::Deny);
    let denied = gate(&allow, &["Bash(git push:*)"]).judge_command("ls; git push");
    assert_eq!(denied.rule.as_deref(), Some("Bash(git push:*)"));
    assert_eq!(denied.parts[1].decision, Decision::Deny);
}

#[test]
fn a_rule_for_all_of_bash_allows_everything_but_what_a_deny_rule_could_be_about() {
    for command in ["ls", "for f in *; do echo $f; done", "bash -c 'x'", "a > b", &"x".repeat(20_000)] {
        assert_eq!(decision(&["Bash"], &[], command), Decision::Allow, "{command}");
    }
    let denied = gate(&["Bash"], &["Bash"]).judge_command("ls; $x");
    assert_eq!((denied.decision, denied.parts[0].decision), (Decision::Deny, Decision::Deny));
    assert_eq!(judged(&["Bash"], "ls; x").parts[1].decision, Decision::Allow);
    let deny = ["Bash(rm:*)"];
    for command in [
        "$(rm x)",
        "for f in a; do rm x; done",
        "bash -c 'rm x'",
        "find . -exec rm x \\;",
        "\"$x\" y",
        "env -i rm x",
        "eval rm x",
    ] {
        assert_ne!(decision(&["Bash"], &deny, command), Decision::Allow, "{command}");
    }
    assert_eq!(decision(&["Bash"], &deny, "ls -la && cargo test"), Decision::Allow);
}

#[test]
fn timeout_and_nice_are_looked_through_and_nothing_else_is() {
    let allow = ["Bash(npm test:*)"];
    for command in [
        "timeout 30 npm test",
        "timeout 1.5m npm test -q",
        "nice -n 10 npm test",
        "nice -n -5 timeout 5s npm test",
    ] {
        assert_eq!(decision(&allow, &[], command), Decision::Allow, "{command}");
    }
    for command in [
        "timeout 30 touch x",
        "timeout -k 5 30 npm test",
        "timeout 30",
        "timeout x npm test",
        "nice npm test",
        "nice -n npm test",
        "time npm test",
        "env npm test",
        "nohup npm test",
        "command npm test",
        "timeout 5 env npm test",
        "sudo npm test",
        "timeout * npm test",
    ] {
        assert_eq!(decision(&allow, &[], command), Decision::Ask, "{command}");
    }
    assert_eq!(decision(&["Bash(timeout 30 touch:*)"], &[], "timeout 30 touch x"), Decision::Allow);
    assert_eq!(decision(&["Bash(timeout:*)"], &[], "timeout 30 touch x"), Decision::Ask);
}

#[test]
fn after_a_cd_only_what_means_the_same_everywhere_is_allowed() {
    let allow = [
        "Bash(npm test:*)",
        "Bash(git status:*)",
        "Bash(./build.sh:*)",
        "Bash(python3 x.py:*)",
        "Bash(ls:*)",
    ];
    for command in ["cd a && npm test", "cd a; ls", "cd a/b && cd c && npm test"] {
        assert_eq!(decision(&allow, &[], command), Decision::Allow, "{command}");
    }
    for command in [
        "cd a && git status",
        "cd a && ./build.sh",
        "cd a && python3 x.py",
        "cd .. && npm test",
        "cd a && touch x",
        "cd /tmp && ls",
        "cd a && timeout 5 git status",
    ] {
        assert_eq!(decision(&allow, &[], command), Decision::Ask, "{command}");
    }
    for command in ["cd a", "cd a && cd b", "timeout 3 cd a && ls"] {
        assert_eq!(decision(&allow, &[], command), Decision::Ask, "no rule has to do with {command}");
    }
    assert_eq!(Gate::default().judge_command("cd a").decision, Decision::Ask);
    assert_eq!(decision(&["Bash(cd:*)"], &[], "cd /tmp"), Decision::Ask);
    assert_eq!(decision(&["Bash(cd /tmp)"], &[], "cd /tmp"), Decision::Allow);
    assert_eq!(decision(&allow, &["Bash(cd:*)"], "cd a && ls"), Decision::Deny);
}

#[test]
fn a_document_is_the_message_of_a_commit_and_nothing_else() {
    let message = "\"$(cat <<'EOF'\nx\nEOF\n)\"";
    let allow = ["Bash(git commit:*)", "Bash(echo:*)"];
    assert_eq!(decision(&allow, &[], &format!("git commit -am {message}")), Decision::Allow);
    assert_eq!(decision(&allow, &[], &format!("git commit -F {message}")), Decision::Ask);
    assert_eq!(decision(&allow, &[], &format!("echo -m {message}")), Decision::Ask);
}

fn used(allow: &[&str], deny: &[&str], tool: &str, input: &str) -> Decision {
    gate(allow, deny).judge(tool, &codec::json::Json::parse(input).unwrap()).decision
}

#[test]
fn the_input_of_bash_must_be_a_command_and_nothing_that_changes_its_meaning() {
    let allow = ["Bash(ls:*)"];
    assert_eq!(
        used(&allow, &[], "Bash", r#"{"command":"ls","description":"x","timeout":5}"#),
        Decision::Allow
    );
    for input in [
        r#"{"command":"touch x"}"#,
        r#"{"command":5}"#,
        r#"{}"#,
        "null",
        "[]",
        r#"{"command":"ls","command":"ls"}"#,
        r#"{"command":null}"#,
        r#"{"command":"ls","dangerouslyDisableSandbox":true}"#,
        r#"{"command":"ls","env":{}}"#,
    ] {
        assert_eq!(used(&allow, &[], "Bash", input), Decision::Ask, "{input}");
        assert_eq!(used(&allow, &["Bash"], "Bash", input), Decision::Deny, "{input}");
    }
    assert_eq!(used(&["Bash"], &[], "Bash", r#"{"command":5}"#), Decision::Ask);
    for other in ["bash", "BashOutput", "Bash "] {
        assert_eq!(
            used(&["Bash", "Bash(ls:*)"], &[], other, r#"{"command":"ls"}"#),
            Decision::Ask,
            "{other}"
        );
    }
}

#[test]
fn no_rule_answers_a_question_to_the_person() {
    for tool in ["AskUserQuestion", "ExitPlanMode"] {
        assert_eq!(used(&["AskUserQuestion", "ExitPlanMode"], &[], tool, "{}"), Decision::Ask);
        assert_eq!(used(&[], &[tool], tool, "{}"), Decision::Deny);
    }
}

#[test]
fn rules_for_files_are_for_all_tools_of_their_kind() {
    let allow = ["Edit(src/**)", "Read(//etc/**)"];
    for (tool, field) in [
        ("Edit", "file_path"),
        ("Write", "file_path"),
        ("MultiEdit", "file_path"),
        ("NotebookEdit", "notebook_path"),
    ] {
        let input = |path: &str| format!(r#"{{"{field}":"{path}","content":"x"}}"#);
        assert_eq!(used(&allow, &[], tool, &input("/proj/app/src/a.rs")), Decision::Allow, "{tool}");
        assert_eq!(used(&allow, &[], tool, &input("/proj/app/b.rs")), Decision::Ask, "{tool}");
        assert_eq!(used(&allow, &["Edit(src/a.rs)"], tool, &input("src/a.rs")), Decision::Deny, "{tool}");
        assert_eq!(used(&["Read(src/**)"], &[], tool, &input("src/a.rs")), Decision::Ask, "{tool}");
    }
    assert_eq!(used(&allow, &[], "Read", r#"{"file_path":"/etc/hosts"}"#), Decision::Allow);
    assert_eq!(used(&allow, &[], "Grep", r#"{"pattern":"x","path":"/etc"}"#), Decision::Allow);
    assert_eq!(used(&allow, &[], "Grep", r#"{"pattern":"x"}"#), Decision::Ask);
    assert_eq!(used(&["Read(**)"], &[], "Grep", r#"{"pattern":"x"}"#), Decision::Allow);
    assert_eq!(used(&["Read(**)"], &[], "Glob", r#"{"pattern":"src/*.rs"}"#), Decision::Allow);
    assert_eq!(used(&["Read(**)"], &[], "Glob", r#"{"pattern":"/etc/*"}"#), Decision::Ask);
    assert_eq!(used(&["Read(**)"], &[], "Glob", r#"{"pattern":"../*"}"#), Decision::Ask);
    assert_eq!(
        used(&["Read(**)"], &[], "Grep", r#"{"pattern":"x","path":"a","path":"/etc"}"#),
        Decision::Ask
    );
    for input in ["{}", "null", r#"{"file_path":5}"#, r#"{"path":"src/a.rs"}"#] {
        assert_eq!(used(&["Edit(**)"], &[], "Edit", input), Decision::Ask, "{input}");
    }
    assert_eq!(used(&["Edit"], &[], "Edit", "{}"), Decision::Allow);
}

#[test]
fn rules_for_servers_and_hosts_compare_whole_names() {
    assert_eq!(used(&["mcp__db__*"], &[], "mcp__db__query", "{}"), Decision::Allow);
    assert_eq!(
        used(&["mcp__db__*"], &[], "mcp__db__x__query", "{}"),
        Decision::Ask,
        "it may be of the server db__x"
    );
    assert_eq!(used(&["mcp__db__*"], &["mcp__db__drop"], "mcp__db__drop", "{}"), Decision::Deny);
    assert_eq!(used(&[], &["mcp__db"], "mcp__db__x__query", "{}"), Decision::Deny);
    let fetch = |url: &str| {
        used(&["WebFetch(domain:docs.rs)"], &[], "WebFetch", &format!(r#"{{"url":"{url}","prompt":"x"}}"#))
    };
    for url in ["https://docs.rs", "https://docs.rs/x?y#z", "http://DOCS.rs/"] {
        assert_eq!(fetch(url), Decision::Allow, "{url}");
    }
    for url in [
        "https://docs.rs.evil.x/",
        "https://x@docs.rs/",
        "https://docs.rs:8080/",
        "https://docs.rs\\\\@x/",
        "ftp://docs.rs/",
        "docs.rs",
        "https:///docs.rs",
        "https://a.docs.rs/",
    ] {
        assert_eq!(fetch(url), Decision::Ask, "{url}");
    }
}

#[test]
fn an_allow_rule_does_not_count_where_a_deny_rule_may_be_about_it() {
    let fetch = |url: &str| {
        let input = format!(r#"{{"url":"{url}"}}"#);
        used(&["WebFetch"], &["WebFetch(domain:evil.example)"], "WebFetch", &input)
    };
    assert_eq!(fetch("https://docs.rs/"), Decision::Allow);
    assert_eq!(fetch("https://evil.example/x"), Decision::Deny);
    assert_eq!(fetch("https://evil.example./x"), Decision::Deny);
    for url in ["https://evil.example:443/", "https://u@evil.example/", "HTTPS://evil.example/"] {
        assert_eq!(fetch(url), Decision::Ask, "{url}");
    }
    let grep = |deny: &[&str]| used(&["Grep"], deny, "Grep", r#"{"pattern":"x","path":"."}"#);
    assert_eq!((grep(&[]), grep(&["Read(secrets/**)"])), (Decision::Allow, Decision::Ask));
}

#[test]
fn the_rules_survive_the_record() {
    let gate = gate(&["Bash(git log  --format='%h':*)", "Read(~/x)"], &["Bash(rm:*)"]);
    let (back, lost) = Gate::from_record(&gate.to_record().unwrap());
    assert_eq!((&back.rules, &back.place, lost.len()), (&gate.rules, &gate.place, 0));
    let mut record = gate.to_record().unwrap();
    record.push("allow", codec::json::Json::of(&["Bash(ls"]));
    assert_eq!(
        Gate::from_record(&record).0.rules.allow.len(),
        0,
        "of two lists of the same name none counts"
    );
    let mut odd = codec::json::Object::default();
    odd.push("deny", codec::json::Json::of(&["Bash(ls", "Bash(ls)"]));
    let (back, lost) = Gate::from_record(&odd);
    assert_eq!(
        (back.rules.deny.len(), lost),
        (1, vec!["the rule Bash(ls: column 8: the `)` at the end is missing".to_owned()])
    );
    assert!(Gate::default().to_record().is_none());
}

#[test]
fn the_reason_is_the_rule_of_one_part_and_a_sentence_for_several() {
    let allow = ["Bash(ls:*)", "Bash(curl:*)"];
    assert_eq!(judged(&allow, "ls -l").why, "Bash(ls:*)");
    assert_eq!(judged(&allow, "cd a").why, "no rule covers it");
    let several = judged(&allow, "cd a; ls");
    assert_eq!(
        (several.why.as_str(), several.rule.as_deref()),
        ("every part is allowed", Some("Bash(ls:*)"))
    );
    assert_eq!(judged(&allow, "ls $x").why, "not understood at column 4: an expansion");
    for (command, why) in [
        ("curl -w @x y", "`@x` can write a file"),
        ("curl -sw @x y", "`@x` can write a file"),
        ("curl --write-out @x y", "`@x` can write a file"),
        ("curl --write @x y", "`@x` can write a file"),
        ("curl --write-out=@x y", "`--write-out=@x` can write a file"),
        ("curl -d @x y", "`@x` sends a file"),
        ("curl -- @x", "`@x` sends a file"),
        ("curl - @x", "`@x` sends a file"),
        ("curl xw @x", "`@x` sends a file"),
        ("curl a=@x", "`a=@x` sends a file"),
        ("curl --data-urlencode a@x y", "`a@x` sends a file"),
    ] {
        assert_eq!(judged(&allow, command).why, format!("`{command}`: {why}"));
    }
}

#[test]
fn what_is_not_quite_a_timeout_or_a_nice_is_not_looked_through() {
    for command in [
        "x 5 npm test",
        "timeout '' npm test",
        "timeout s npm test",
        "timeout 5x npm test",
        "x -n 5 npm test",
        "nice -x 5 npm test",
        "nice -n x npm test",
        "nice -n 5x npm test",
        "nice -n '' npm test",
        "nice -n - npm test",
        "nice -n * npm test",
        "nice -n 5",
    ] {
        assert_eq!(decision(&["Bash(npm test:*)"], &[], command), Decision::Ask, "{command}");
    }
}

#[test]
fn the_message_of_a_commit_is_behind_the_option_for_it() {
    let message = "\"$(cat <<'EOF'\nx\nEOF\n)\"";
    let allow = ["Bash(git:*)", "Bash(hub:*)"];
    for start in ["git commit -m", "git commit -a --message"] {
        assert_eq!(decision(&allow, &[], &format!("{start} {message}")), Decision::Allow, "{start}");
    }
    for start in ["git tag -m", "git commit", "git commit -a", "git log commit -m", "hub commit -m"] {
        assert_eq!(decision(&allow, &[], &format!("{start} {message}")), Decision::Ask, "{start}");
    }
}

#[test]
fn a_rule_for_one_file_tool_is_not_for_its_neighbours() {
    let file = r#"{"file_path":"src/a.rs"}"#;
    assert_eq!(used(&["Write(src/**)"], &[], "Write", file), Decision::Allow);
    assert_eq!(used(&["Write(src/**)"], &[], "Edit", file), Decision::Ask);
    assert_eq!(used(&["Edit"], &["Read(src/**)"], "Edit", file), Decision::Allow);
    let notebook = r#"{"notebook_path":"src/a.ipynb"}"#;
    assert_eq!(used(&["Read(src/**)"], &[], "NotebookRead", notebook), Decision::Allow);
    assert_eq!(used(&["Read(src/**)"], &[], "LS", r#"{"path":"src"}"#), Decision::Allow);
    assert_eq!(used(&["Read(src/**)"], &[], "LS", r#"{"path":"."}"#), Decision::Ask);
    assert_eq!(used(&["Read(src/**)"], &[], "LS", r#"{"path":5}"#), Decision::Ask);
    assert_eq!(used(&["Read(src/**)"], &[], "Task", file), Decision::Ask);
}

#[test]
fn a_deny_rule_hides_only_what_it_could_be_about() {
    for (tool, input) in
        [("Grep", r#"{"pattern":"x"}"#), ("LS", "{}"), ("Glob", r#"{"pattern":"x"}"#), ("Read", "{}")]
    {
        assert_eq!(used(&[tool], &["Read(secrets/**)"], tool, input), Decision::Ask, "{tool}");
        assert_eq!(used(&[tool], &["Edit(secrets/**)"], tool, input), Decision::Allow, "{tool}");
        assert_eq!(used(&[tool], &["WebFetch(domain:x.y)"], tool, input), Decision::Allow, "{tool}");
        assert_eq!(used(&[tool], &["Bash(rm:*)"], tool, input), Decision::Allow, "{tool}");
    }
    assert_eq!(decision(&["Bash"], &["Edit(secrets/**)"], "bash -c 'touch x'; $y"), Decision::Allow);
    let fetch =
        |url: &str| used(&["WebFetch(domain:docs.rs)"], &[], "WebFetch", &format!(r#"{{"url":"{url}"}}"#));
    for url in [r"https://docs.rs/a\\b", r"https://docs.rs/a\u202eb", "https://docs.rs."] {
        assert_eq!(fetch(url), Decision::Ask, "{url}");
    }
}
