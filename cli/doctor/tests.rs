//! The judging and the showing, over facts that no machine needs to have.

use std::path::PathBuf;

use super::check::{Check, State};
use super::facts::{
    Above, Claude, Configured, Facts, Folder, Limits, Login, NamedBy, Records, Rules, Settings, Sockets,
    Terminal, Tty,
};
use super::{judge, shown};
use crate::config::attention;

fn folder(path: &str) -> Folder {
    Folder { path: path.into(), about: Some((1000, 0o700)), wrong: None }
}

fn unwritable(path: &str) -> Folder {
    Folder { wrong: Some("cannot be written: Permission denied".into()), ..folder(path) }
}

fn records(folder: Folder) -> Records {
    Records::In { folder, free: Some(50_000_000_000), kept: Some((3, 1_200_000)), is_required: false }
}

/// Where everything is as it should be.
fn fine() -> Facts {
    Facts {
        own: Ok("/home/me/bin/tim".into()),
        claude: Claude {
            program: "/home/me/bin/claude".into(),
            named_by: NamedBy::Nobody,
            is_there: true,
            version: Ok("2.1.325 (Claude Code)\n".into()),
        },
        login: Login { file: Some(("/home/me/.claude/.credentials.json".into(), true)), ..Login::default() },
        settings: Settings { files: vec!["~/.claude/settings.json".into()], ignored: Vec::new() },
        config: Ok(Configured { files: vec!["/home/me/.config/tim/config.toml".into()], held: Vec::new() }),
        rules: Ok(Rules {
            file: Some("/home/me/.config/tim/rules.toml".into()),
            allow: 3,
            deny: 1,
            configured: 0,
        }),
        terminal: Terminal {
            tty: Tty::Ours(80, 24),
            is_unwanted: false,
            term: Some("xterm-256color".into()),
            has_colours: true,
            locale: Some(("LANG", "en_US.UTF-8".into())),
        },
        attention: (attention::Settings::default(), true),
        sockets: Sockets {
            folder: folder("/run/user/1000/tim"),
            instead: None,
            is_private: true,
            own_user: 1000,
        },
        records: records(folder("/home/me/.local/state/tim/runs")),
        state: Some(folder("/home/me/.local/state/tim")),
        limits: Limits { files: Some(1024), processes: None },
        guard: Ok(true),
        above: Above::default(),
    }
}

fn told(facts: &Facts) -> Vec<Check> {
    judge::all(facts).into_iter().map(|check| check.told(Some("/home/me"))).collect()
}

/// The rows of that name, after a change.
fn after(name: &str, change: impl FnOnce(&mut Facts)) -> Vec<Check> {
    let mut facts = fine();
    change(&mut facts);
    told(&facts).into_iter().filter(|check| check.name == name).collect()
}

/// The one row of that name: how it is, and all that it says.
fn row(name: &str, change: impl FnOnce(&mut Facts)) -> (State, String) {
    let checks = after(name, change);
    assert_eq!(checks.len(), 1, "{checks:?}");
    (checks[0].state, format!("{} → {}", checks[0].found, checks[0].todo.as_deref().unwrap_or("-")))
}

#[track_caller]
fn says((found, told): (State, String), state: State, words: &[&str]) {
    assert_eq!(found, state, "{told}");
    for word in words {
        assert!(told.contains(word), "{word}: {told}");
    }
}

fn of_any_version(text: &str) -> String {
    text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
}

#[test]
fn where_all_is_well_nothing_is_to_be_done() {
    assert!(told(&fine()).iter().all(|check| check.state == State::Ok && check.todo.is_none()));
    insta::assert_snapshot!("fine", of_any_version(&shown::text(&told(&fine()), 80)));
    insta::assert_snapshot!("fine_json", of_any_version(&shown::json(&told(&fine()))));
}

#[test]
fn whatever_is_not_fine_says_what_to_do() {
    let checks = told(&worst());
    assert!(checks.iter().all(|check| (check.state == State::Ok) == check.todo.is_none()), "{checks:?}");
    insta::assert_snapshot!("worst", of_any_version(&shown::text(&checks, 80)));
    insta::assert_snapshot!("worst_narrow", of_any_version(&shown::text(&checks, 40)));
}

fn worst() -> Facts {
    let mut facts = fine();
    facts.own = Err("no /proc".into());
    facts.claude.is_there = false;
    facts.claude.program = "claude".into();
    facts.login =
        Login { file: Some(("/home/me/.claude/.credentials.json".into(), false)), ..Login::default() };
    facts.settings.ignored = vec![
        "~/.claude/settings.json is not JSON (trailing comma at line 3 column 1), so Claude Code ignores it"
            .into(),
        ".mcp.json has no object mcpServers, so Claude Code ignores it".into(),
    ];
    facts.config = Err("/home/me/.config/tim/config.toml:2: unknown key \u{1b}[31m".into());
    facts.rules = Err("/home/me/.config/tim/rules.toml:1: this is no rule".into());
    facts.terminal = Terminal::default();
    let usual = attention::Settings::default();
    facts.attention = (attention::Settings { bell: false, notify: false, title: false, ..usual }, false);
    facts.sockets.folder = unwritable("/run/user/1000/tim");
    facts.records = Records::Nowhere { is_required: true };
    facts.state = None;
    facts.limits = Limits { files: Some(64), processes: Some(10) };
    facts.guard = Err("Operation not permitted".into());
    facts.above.socket = Some(("/tmp/gone.sock".into(), false));
    facts
}

#[test]
fn no_row_is_wider_than_the_screen_however_long_a_path_is() {
    let mut facts = worst();
    facts.sockets.folder.path = PathBuf::from(format!("/{}", "very-long/".repeat(40)));
    for columns in [30, 40, 80, 200] {
        let text = shown::text(&told(&facts), columns);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(columns.min(80)), "{columns}: {text}");
    }
}

#[test]
fn claude_code_is_judged_by_its_version() {
    let versioned = |said: &str| {
        let said = said.to_owned();
        row("claude", |facts| facts.claude.version = Ok(said))
    };
    for (said, state) in [
        ("1.0.88 (Claude Code)", State::Problem),
        ("2.0.0 (Claude Code)", State::Warning),
        ("2.1.196 (Claude Code)", State::Warning),
        ("2.1.197 (Claude Code)", State::Ok),
        ("2.1.325 (Claude Code)", State::Ok),
        ("2.1.326 (Claude Code)", State::Warning),
        ("3.0.0", State::Warning),
        ("hello", State::Warning),
        ("", State::Warning),
    ] {
        assert_eq!(versioned(said).0, state, "{said}");
    }
    says(versioned("2.2.0"), State::Warning, &["2.2.0, ~/bin/claude (PATH)", "2.1.197 to 2.1.325"]);
}

#[test]
fn claude_code_that_is_not_there_or_cannot_be_run_is_in_the_way() {
    let missing = row("claude", |facts| facts.claude.is_there = false);
    says(missing, State::Problem, &["not found", "npm install", "TIM_CLAUDE", "tim demo"]);
    let named =
        row("claude", |facts| (facts.claude.is_there, facts.claude.named_by) = (false, NamedBy::Config));
    says(named, State::Problem, &["there is no ~/bin/claude (configuration)"]);
    let broken = row("claude", |facts| facts.claude.version = Err("no word of it in 10 s".into()));
    says(broken, State::Problem, &["cannot be run: no word of it in 10 s", "~/bin/claude --version"]);
}

#[test]
fn a_login_is_seen_by_its_place_and_where_none_is_found_it_may_be_elsewhere() {
    let by = |login: Login| row("login", |facts| facts.login = login);
    let variable = Login { variable: Some("ANTHROPIC_API_KEY"), ..Login::default() };
    says(by(variable), State::Ok, &["ANTHROPIC_API_KEY is set"]);
    says(by(Login { has_helper: true, ..Login::default() }), State::Ok, &["apiKeyHelper"]);
    says(by(Login::default()), State::Warning, &["none found", "/login", "keychain"]);
}

#[test]
fn every_setting_that_is_ignored_has_a_row_but_no_screen_is_filled_with_them() {
    let ignored = |count: usize| {
        let all = (0..count).map(|number| format!("file {number} is wrong")).collect();
        after("settings", |facts| facts.settings.ignored = all)
    };
    assert_eq!(ignored(2).len(), 2);
    let many = ignored(30);
    assert_eq!((many.len(), many[8].found.as_str()), (9, "and 22 more like these"));
    assert!(many.iter().all(|check| check.state == State::Warning));
}

#[test]
fn a_terminal_is_judged_by_what_a_person_sees_there() {
    let at = |tty: Tty| row("terminal", |facts| facts.terminal.tty = tty);
    says(at(Tty::None), State::Warning, &["refused at once", "--wait", "tim answer"]);
    says(at(Tty::Others), State::Warning, &["background", "fg"]);
    says(at(Tty::Agents), State::Ok, &["below an agent"]);
    says(at(Tty::Ours(79, 24)), State::Warning, &["79×24", "it works"]);
    says(at(Tty::Ours(10, 3)), State::Warning, &["too small"]);
    says(at(Tty::Ours(0, 0)), State::Ok, &["80×24"]);
    let plain = row("terminal", |facts| facts.terminal.term = Some("dumb".into()));
    says(plain, State::Warning, &["plain lines"]);
    says(row("terminal", |facts| facts.terminal.has_colours = false), State::Ok, &["NO_COLOR"]);
    says(row("terminal", |facts| facts.terminal.is_unwanted = true), State::Warning, &["TIM_NONINTERACTIVE"]);
}

#[test]
fn letters_are_judged_by_the_locale() {
    let of = |value: &str| {
        let locale = Some(("LC_ALL", value.to_owned()));
        row("letters", |facts| facts.terminal.locale = locale)
    };
    assert_eq!((of("de_DE.utf8").0, of("C.UTF-8").0, of("C").0), (State::Ok, State::Ok, State::Warning));
    says(row("letters", |facts| facts.terminal.locale = None), State::Warning, &["LANG=C.UTF-8"]);
}

#[test]
fn the_folder_of_sockets_must_be_ours_alone_where_it_is_our_own() {
    let of = |owner: u32, mode: u32, is_private: bool| {
        row("sockets", |facts| {
            facts.sockets.folder.about = Some((owner, mode));
            facts.sockets.is_private = is_private;
        })
    };
    says(of(1001, 0o700, true), State::Problem, &["somebody else (user 1001)", "XDG_RUNTIME_DIR"]);
    says(of(1000, 0o775, true), State::Problem, &["mode 775", "chmod 700 /run/user/1000/tim"]);
    says(of(0, 0o1777, false), State::Ok, &["a folder of their own below"]);
    says(row("sockets", |facts| facts.sockets.instead = Some("/tmp".into())), State::Ok, &["too long"]);
    let none = Folder { about: None, ..folder("/run/user/1000/tim") };
    says(row("sockets", |facts| facts.sockets.folder = none), State::Ok, &["made when it is needed"]);
}

#[test]
fn a_record_that_cannot_be_kept_is_in_the_way_only_where_it_is_required() {
    let of = |is_required: bool, free: u64| {
        let folder = folder("/r");
        let kept = Some((1, 10));
        row("records", |facts| facts.records = Records::In { folder, free: Some(free), kept, is_required })
    };
    says(of(false, 1_000_000), State::Warning, &["only 1 MB are free", "1 record, 10 bytes"]);
    says(of(true, 1_000_000), State::Problem, &["one is required", "make room"]);
    says(of(true, 1_000_000_000), State::Ok, &["/r"]);
    says(row("records", |facts| facts.records = Records::Off), State::Ok, &["off"]);
    let shared = Folder { about: Some((1000, 0o755)), ..folder("/r") };
    says(row("records", |facts| facts.records = records(shared)), State::Warning, &["chmod 700 /r"]);
    says(
        row("records", |facts| facts.records = records(unwritable("/r"))),
        State::Warning,
        &["/r cannot be written"],
    );
}

#[test]
fn who_is_above_is_told() {
    let of = |above: Above| row("above", |facts| facts.above = above);
    let at = |listens| Above { socket: Some(("/s".into(), listens)), is_agents: true };
    says(of(at(true)), State::Ok, &["listens at /s"]);
    says(of(at(false)), State::Warning, &["nobody listens", "unset TIM_OUTPUT_SOCKET"]);
    says(of(Above { socket: None, is_agents: true }), State::Warning, &["an agent started this"]);
}

#[test]
fn limits_that_are_too_low_are_said_with_what_raises_them() {
    let of = |files, processes| row("limits", |facts| facts.limits = Limits { files, processes });
    says(of(Some(100), None), State::Warning, &["ulimit -n 1024"]);
    says(of(None, Some(50)), State::Warning, &["ulimit -u 1024"]);
    says(of(None, None), State::Ok, &["any number of open files"]);
}

#[test]
fn what_of_a_projects_file_does_not_count_is_told() {
    let mut facts = fine();
    let held = ("/src/app/.tim/config.toml: not used: allow".to_owned(), "trust it".to_owned());
    facts.config = Ok(Configured { files: Vec::new(), held: vec![held] });
    let all = told(&facts);
    let of_config: Vec<_> = all.iter().filter(|check| check.name == "config").collect();
    assert_eq!(of_config.iter().map(|check| check.state).collect::<Vec<_>>(), [State::Ok, State::Warning]);
}
