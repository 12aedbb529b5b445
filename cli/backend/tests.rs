//! What `--backend` names, and how a line becomes words.

use std::fs;
use std::path::PathBuf;

use clap::{CommandFactory as _, Parser as _};
use proptest::prelude::*;

use super::words::{Trouble, split};
use super::*;
use crate::args::{Args, Command};
use crate::config::{Flags, load};
use crate::environment::Environment;

/// A folder of a test's own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tim-backend-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn parsed(words: &[&str]) -> Result<Box<RunArgs>, clap::Error> {
    let words = ["tim", "run"].iter().chain(words);
    Args::try_parse_from(words).map(|args| match args.command {
        Command::Run(args) => args,
        other => panic!("{other:?}"),
    })
}

fn config() -> Config {
    let mut config = load(&Environment::default(), Flags::default()).unwrap();
    config.backends.insert("reviewer".to_owned(), vec!["python3".into(), "agents/x.py".into()]);
    config
}

fn found(words: &[&str]) -> Result<Option<Program>, String> {
    of(&parsed(words).unwrap(), &config(), Some(Path::new("/home/me")))
}

fn program(words: &[&str], label: &str) -> Result<Option<Program>, String> {
    let mut words = words.iter().map(OsString::from);
    let program = words.next().unwrap();
    Ok(Some(Program { program, arguments: words.collect(), label: label.to_owned() }))
}

fn words(line: &str) -> Result<Vec<String>, Trouble> {
    let words = split(OsStr::new(line), Some(Path::new("/home/me")))?;
    Ok(words.into_iter().map(|word| word.into_string().unwrap()).collect())
}

#[test]
fn a_name_comes_before_a_file_and_a_file_before_a_command_line() {
    assert_eq!(found(&["x"]), Ok(None));
    assert_eq!(found(&["--backend", "reviewer"]), program(&["python3", "agents/x.py"], "reviewer"));
    assert_eq!(found(&["--backend", "./reviewer"]), program(&["./reviewer"], "reviewer"));
    assert_eq!(found(&["--backend", "reviewer -v"]), program(&["reviewer", "-v"], "reviewer"));
    assert_eq!(known(&config()), ["reviewer"]);
    let folder = Folder::new("blanks");
    let path = folder.0.join("my 'agent' | 2.py");
    fs::write(&path, "").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(found(&["--backend", path]), program(&[path], "my-agent-2"));
    let missing = folder.0.join("no such.py");
    let (first, _) = missing.to_str().unwrap().split_once(' ').unwrap();
    assert_eq!(found(&["--backend", missing.to_str().unwrap()]), program(&[first, "such.py"], "no"));
}

#[test]
fn a_word_without_a_slash_is_never_a_file_of_the_folder() {
    // It is there: tests run in the folder of their package.
    assert!(Path::new("Cargo.toml").is_file());
    assert!(!is_file(OsStr::new("Cargo.toml")) && is_file(OsStr::new("./Cargo.toml")));
    assert!(!is_file(OsStr::new("./cli")), "a folder is no program");
}

#[test]
fn what_stands_behind_two_dashes_is_for_the_backend() {
    let said = found(&["--backend", "python3 'a b.py' -v", "do it", "--", "--model", "x y", "$HOME"]);
    assert_eq!(said, program(&["python3", "a b.py", "-v", "--model", "x y", "$HOME"], "a-b"));
    let said = found(&["--backend", "reviewer", "--", "--fast"]);
    assert_eq!(said, program(&["python3", "agents/x.py", "--fast"], "reviewer"));
}

#[test]
fn a_flag_of_claude_code_is_refused_by_its_name() {
    let command = Args::command();
    let run = command.find_subcommand("run").unwrap();
    let group = run.get_groups().find(|group| group.get_id() == "ClaudeArgs").unwrap();
    let mut flags: Vec<_> =
        group.get_args().map(|id| run.get_arguments().find(|arg| arg.get_id() == id)).collect();
    assert!(flags.len() >= 20, "{flags:?}");
    flags.extend(["claude", "images"].map(|id| run.get_arguments().find(|arg| arg.get_id() == id)));
    for flag in flags.into_iter().flatten() {
        let name = format!("--{}", flag.get_long().unwrap());
        let takes_value = flag.get_action().takes_values();
        let words = ["--backend", "./x", name.as_str(), "v"];
        let given = words.get(..if takes_value { 4 } else { 3 }).unwrap();
        assert_eq!(
            found(given),
            Err(format!("{name} is for Claude Code, not for --backend: leave one of them out"))
        );
    }
    let said = found(&["--backend", "./x", "-r", "7f3c"]);
    assert_eq!(said, Err("--resume is for Claude Code, not for --backend: leave one of them out".to_owned()));
    let said = parsed(&["--backend", "./x", "--permission-route", "stdio"]).unwrap_err().to_string();
    assert!(
        said.contains("'--backend <BACKEND>' cannot be used with '--permission-route <ROUTE>'"),
        "{said}"
    );
}

#[test]
fn what_rules_and_limits_say_counts_for_a_backend_too() {
    let flags =
        ["--allow", "Bash(ls:*)", "--deny", "Bash(rm:*)", "--permission-timeout", "5m", "--timeout", "1h"];
    let given: Vec<_> = ["--backend", "./x"].iter().chain(&flags).copied().collect();
    assert_eq!(found(&given), program(&["./x"], "x"));
}

#[test]
fn a_line_is_split_as_a_shell_splits_it() {
    let split = |line: &str| words(line).unwrap();
    assert_eq!(split("  a\tb  c "), ["a", "b", "c"]);
    assert_eq!(split("a'b c'\"d e\"\\ f"), ["ab cd e f"]);
    assert_eq!(split("a '' \"\""), ["a", "", ""]);
    assert_eq!(split(r#"a '\"$`' "\"\\\$\`\n'|" \'\"\\\|"#), ["a", r#"\"$`"#, r#""\$`\n'|"#, r#"'"\|"#]);
    assert_eq!(split("~/x a/~/y '~/z' \\~/z ~me ~"), ["/home/me/x", "a/~/y", "~/z", "~/z", "~me", "~"]);
    assert_eq!(split("~//etc/x ~/'a b'"), ["/home/me/etc/x", "/home/me/a b"]);
    assert_eq!(split("a b#c 'x\ny' =b A=b 1=2"), ["a", "b#c", "x\ny", "=b", "A=b", "1=2"]);
    assert_eq!(split("'A'=b"), ["A=b"], "a shell looks for a program of that name");
    assert_eq!(split("ü 'é\u{301}'"), ["ü", "é\u{301}"]);
}

#[test]
fn what_only_a_shell_could_do_is_an_error_with_its_place() {
    for sign in "|&;<>()$`*?[\n".chars() {
        assert_eq!(words(&format!("ü a{sign}b")), Err(Trouble::ForShell(sign, 4)), "{sign:?}");
        assert!(words(&format!("a '{sign}' \\{sign}").replace("\\\n", "x")).is_ok(), "{sign:?}");
    }
    assert_eq!(words("a #b"), Err(Trouble::ForShell('#', 3)));
    assert_eq!(words("a \"$HOME\""), Err(Trouble::ForShell('$', 4)), "a shell puts the home there");
    assert_eq!(words("a \\\nb"), Err(Trouble::ForShell('\n', 4)));
    assert_eq!(words("a 'b"), Err(Trouble::Unclosed('\'', 3)));
    assert_eq!(words("ä \"b\\\""), Err(Trouble::Unclosed('"', 3)));
    assert_eq!(words("a \\"), Err(Trouble::Unclosed('\\', 3)));
    assert_eq!(words("a\0"), Err(Trouble::Nul));
    for empty in ["", "  \t", "''", "'' a"] {
        assert_eq!(words(empty), Err(Trouble::Empty), "{empty:?}");
    }
    assert_eq!(words("A_1='x' b"), Err(Trouble::Assignment("A_1=x".to_owned())));
    assert_eq!(split(OsStr::new("~/x"), None), Err(Trouble::NoHome));
}

#[test]
fn an_error_says_what_to_write() {
    let error = |backend: &str| found(&["--backend", backend]).unwrap_err();
    assert_eq!(
        error("ls | wc"),
        "--backend: `|` (character 4) is for a shell, and none is started: quote it, or write --backend \"sh -c '…'\""
    );
    assert_eq!(error("A=1 ./x"), "--backend: `A=1` is for a shell, and none is started: write `env A=1 …`");
    assert_eq!(error("x 'y"), "--backend: the `'` that opens (character 3) is never closed");
    assert_eq!(error(""), "--backend: there is no command: write a path, or a program with its arguments");
    assert!(error("a\nb").starts_with("--backend: a line end (character 2) is for a shell"));
}

#[test]
fn an_agent_is_called_by_its_file_also_behind_an_interpreter() {
    let label = |line: &str| {
        let words: Vec<_> = words(line).unwrap().into_iter().map(OsString::from).collect();
        super::label::of(&words)
    };
    let expected = [
        ("./Review_It.py", "review-it"),
        ("python3 agents/review.py -v", "review"),
        ("/usr/bin/python3.12 -u -W ignore agents/review.py", "review"),
        ("python3 -m reviewer", "reviewer"),
        ("python3 -c 'print(1)'", "python3"),
        ("python3 -", "python3"),
        ("sh -c 'x y'", "sh"),
        ("bash -lc 'x y'", "bash"),
        ("sh ./x.sh", "x"),
        ("env A=b -i python3 x.py", "x"),
        ("env", "env"),
        ("uv run python x.py", "x"),
        ("npx -y @scope/agent", "agent"),
        ("deno run --allow-net x.ts", "x"),
        ("node --require=y x.mjs", "x"),
        ("node -e '1'", "node"),
        ("my-agent sub", "my-agent"),
        ("'…'", "agent"),
        ("..", "agent"),
    ];
    for (line, name) in expected {
        assert_eq!(label(line), name, "{line}");
    }
}

/// A word as a shell reads it, in one of the ways that there are.
fn quote(word: &str, way: u8) -> String {
    let escaped = |special: &dyn Fn(char) -> bool| -> String {
        word.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
    };
    match way {
        0 => format!("'{}'", word.replace('\'', r"'\''")),
        1 => format!("\"{}\"", escaped(&|letter| matches!(letter, '"' | '\\' | '$' | '`'))),
        // A newline can only stand in quotes, and nothing at all too.
        _ if word.is_empty() || word.contains('\n') => quote(word, 0),
        _ => escaped(&|letter| !letter.is_alphanumeric()),
    }
}

/// Letters that mean something, and all others.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![r#"[ab ~/'"\\$`|&;<>()*?\[\n\t#=]{0,12}"#, r"[^\x00]{0,12}"]
}

proptest! {
    #[test]
    fn words_that_were_quoted_are_split_into_the_same_words(
        given in prop::collection::vec((word(), 0_u8..3), 1..6),
        blanks in "[ \t]{1,3}",
    ) {
        prop_assume!(given.first().is_some_and(|(word, _)| !word.is_empty()));
        let line: Vec<_> = given.iter().map(|(word, way)| quote(word, *way)).collect();
        let assigns = matches!(words(&line.join(&blanks)), Err(Trouble::Assignment(_)));
        prop_assert!(!assigns, "every `=` is quoted");
        let given: Vec<_> = given.into_iter().map(|(word, _)| word).collect();
        prop_assert_eq!(words(&line.join(&blanks)), Ok(given));
    }

    #[test]
    fn any_line_is_words_or_one_row_of_trouble(line in word(), more in word()) {
        let line = format!("{line} {more}");
        match words(&line) {
            Ok(words) => prop_assert!(!words[0].is_empty()),
            Err(trouble) => prop_assert!(!codec::text::visible(&trouble.said_of("x", SHELL)).contains('\n')),
        }
    }

    #[test]
    fn any_words_have_a_label(words in prop::collection::vec(word(), 0..4)) {
        let words: Vec<_> = words.into_iter().map(OsString::from).collect();
        prop_assert!(codec::id::Label::new(&super::label::of(&words)).is_some());
    }
}
