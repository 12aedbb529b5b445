//! Agents that are not there, cannot be run, or say nothing.

use insta::assert_snapshot;

use crate::home::Home;
use crate::told::Book;

/// `tim run` with that in the place of Claude Code.
fn run(book: &mut Book, home: &Home, sentence: &str, claude: &str) {
    book.fails(sentence, home, &["run", "go", "--claude", &home.word(claude)]);
}

#[test]
fn a_claude_code_that_cannot_be_run_is_said_with_what_to_do() {
    let (home, mut book) = (Home::new(), Book::default());
    home.file("plain", "not a program");
    home.with_mode("no-shebang", "neither", 0o755);
    home.with_mode("no-interpreter", "#!/no/such/interpreter\n", 0o755);
    book.fails("It is not installed.", &home, &["run", "go"]);
    run(&mut book, &home, "It is not where it should be.", "nowhere/claude");
    run(&mut book, &home, "It may not be executed.", "plain");
    run(&mut book, &home, "It is a folder.", "home");
    run(&mut book, &home, "It is no program.", "no-shebang");
    run(&mut book, &home, "What it needs is missing.", "no-interpreter");
    let named = home.tim(&["run", "go"]).env("TIM_CLAUDE", "/nowhere/claude");
    book.fails_as("A variable names none.", "TIM_CLAUDE=/nowhere/claude tim run go", named);
    assert_snapshot!("cannot_run", book.text());
}

#[test]
fn a_run_that_cannot_be_kept_open_says_so_and_ends_with_its_work() {
    let (home, mut book) = (Home::new(), Book::default());
    let result = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok","num_turns":1}"#;
    home.program("claude", &format!("{NEW}read -r line; echo '{result}'; cat > /dev/null"));
    let launch = home.tim(&["run", "-k", "go", "--claude", &home.word("claude")]);
    book.goes_on("Nobody can type here.", "tim run -k go", launch);
    assert_snapshot!("kept_open", book.text());
}

/// What it says of itself.
const NEW: &str = "case \"$1\" in --version) echo '2.1.325 (Claude Code)'; exit;; --help) exit;; esac\n";
const OLD: &str = "case \"$1\" in --version) echo '1.0.3 (Claude Code)'; exit;; --help) exit;; esac\n";

#[test]
fn a_claude_code_that_fails_is_quoted_and_explained_where_that_is_known() {
    let (home, mut book) = (Home::new(), Book::default());
    for (sentence, name, begin, script) in [
        ("It fails at once, and says why.", "fails", NEW, "echo 'out of luck' >&2; exit 3"),
        ("It fails and says nothing.", "silent", NEW, "exit 3"),
        ("It ends at once, as if all were well.", "ends", NEW, "exit 0"),
        ("It prints what nobody understands.", "mumbles", NEW, "echo plain words"),
        ("It is killed.", "killed", NEW, "kill -KILL $$"),
        (
            "It is too old.",
            "old",
            OLD,
            "echo \"error: unknown option '--permission-prompt-tool'\" >&2; exit 1",
        ),
        ("Nobody is logged in.", "out", NEW, "echo 'Not logged in · Please run /login' >&2; exit 1"),
    ] {
        home.program(name, &format!("{begin}{script}"));
        run(&mut book, &home, sentence, name);
    }
    home.program("waits", &format!("{NEW}cat > /dev/null"));
    let waits = home.word("waits");
    let late = ["run", "go", "--claude", &waits, "--timeout", "1s"];
    book.fails("It takes too long.", &home, &late);
    let idle = ["run", "go", "--claude", &waits, "--idle-timeout", "1s"];
    book.fails("Nothing is heard of it.", &home, &idle);
    let human = ["run", "go", "--claude", &waits, "--require-human"];
    book.fails("A person must be there, and none is.", &home, &human);
    assert_snapshot!("fails", book.text());
}

#[test]
fn an_agent_of_ones_own_that_cannot_be_run_is_said_with_what_to_do() {
    let (home, mut book) = (Home::new(), Book::default());
    home.file("plain", "not a program");
    home.program("ends", "exit 0");
    home.program("fails", "echo oops >&2; exit 4");
    let [plain, ends, fails] = ["plain", "ends", "fails"].map(|name| home.word(name));
    for (sentence, arguments) in [
        ("It is not there.", &["run", "--backend", "nothing", "go"][..]),
        ("It has no name.", &["run", "--backend", "", "go"]),
        ("Its words cannot be told apart.", &["run", "--backend", "'open", "go"]),
        ("It may not be executed.", &["run", "--backend", &plain, "go"]),
        ("It does nothing.", &["run", "--backend", &ends, "go"]),
        ("It fails.", &["run", "--backend", &fails, "go"]),
        ("Claude Code is named beside it.", &["run", "--backend", &ends, "--claude", "x", "go"]),
    ] {
        book.fails(sentence, &home, arguments);
    }
    assert_snapshot!("backends", book.text());
}
