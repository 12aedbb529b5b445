//! Which layer wins, where the file is, and what is said about a bad one.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::attention::{Hook, Settings};
use super::project::Because;
use super::*;

mod layers;

/// A folder of a test's own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tim-config-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    fn home(&self) -> Environment {
        Environment { home: Some(self.0.clone()), ..Environment::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn at(path: &str) -> Environment {
    Environment { home: Some(path.into()), ..Environment::default() }
}

fn parse(text: &str) -> Result<Layer, String> {
    file::parse(Path::new("/c.toml"), text, Some(Path::new("/home/me"))).map_err(|error| error.to_string())
}

/// What a file, the environment and the flags come to.
fn merge(layer: Layer, environment: &Environment, flags: Flags) -> Result<Config, ConfigError> {
    together(
        Found { layer: variables::layer(environment)?.over(layer), files: Vec::new() },
        environment,
        flags,
    )
}

fn merged(text: &str, environment: &Environment, flags: Flags) -> Config {
    merge(parse(text).unwrap(), environment, flags).unwrap()
}

fn answer(line: &str, origin: Origin) -> Option<AnswerCommand> {
    Some(AnswerCommand { line: line.to_owned(), origin })
}

#[test]
fn without_anything_there_is_no_answer_command_and_a_journal_in_the_usual_folder() {
    let Config {
        answer_command,
        rules,
        patience,
        is_refused_ok,
        journal,
        requires_journal,
        kept,
        attention,
        claude,
        model,
        terminal_input,
        backends,
        warnings,
    } = load(&at("/nowhere/home"), Flags::default()).unwrap();
    let folder = JournalChoice::Folder("/nowhere/home/.local/state/tim/runs".into());
    assert_eq!((answer_command, journal, attention, claude), (None, folder, Settings::default(), None));
    assert!(terminal_input && backends.is_empty() && !requires_journal && !is_refused_ok);
    assert_eq!((rules, patience, model), (RuleSet::default(), Patience::default(), None));
    assert!(warnings.is_empty());
    assert_eq!(kept, Kept { days: Some(30), bytes: Some(2_000_000_000) });
    let config = load(&Environment::default(), Flags::default()).unwrap();
    assert_eq!(config.journal, JournalChoice::Nowhere);
}

#[test]
fn the_flag_wins_over_the_environment_and_that_over_the_file() {
    let file = "answer-command = 'file'";
    let mut environment = at("/home/me");
    let mut flags = Flags::default();
    let from_file = Origin::File("/c.toml".into(), 1);
    assert_eq!(merged(file, &environment, flags.clone()).answer_command, answer("file", from_file));
    environment.answer_command = Some("environment".into());
    assert_eq!(
        merged(file, &environment, flags.clone()).answer_command,
        answer("environment", Origin::Variable("TIM_ANSWER_COMMAND"))
    );
    flags.answer_command = Some("flag".to_owned());
    assert_eq!(
        merged(file, &environment, flags).answer_command,
        answer("flag", Origin::Flag("--answer-command"))
    );
}

#[test]
fn an_empty_command_takes_away_what_the_layers_below_say() {
    let mut environment = at("/home/me");
    environment.answer_command = Some(" ".into());
    assert_eq!(merged("answer-command = 'file'", &environment, Flags::default()).answer_command, None);
    assert_eq!(merged("answer-command = ''", &at("/home/me"), Flags::default()).answer_command, None);
}

#[test]
fn an_answer_command_that_is_no_text_is_an_error() {
    use std::os::unix::ffi::OsStringExt as _;
    let mut environment = at("/home/me");
    environment.answer_command = Some(std::ffi::OsString::from_vec(b"a\xff".to_vec()));
    let error = merge(Layer::default(), &environment, Flags::default()).unwrap_err();
    assert_eq!(error.to_string(), "TIM_ANSWER_COMMAND is not UTF-8: a\u{fffd}");
}

#[test]
fn each_layer_can_turn_the_journal_on_and_off_and_name_a_file() {
    let usual = JournalChoice::Folder("/home/me/.local/state/tim/runs".into());
    let chosen = |file: &str, said: Option<&str>, flags: Flags| {
        merged(file, &Environment { journal: said.map(Into::into), ..at("/home/me") }, flags).journal
    };
    let none = Flags::default;
    assert_eq!(chosen("", None, none()), usual);
    assert_eq!(chosen("journal = false", None, none()), JournalChoice::Off);
    assert_eq!(chosen("journal = false", Some("on"), none()), usual);
    assert_eq!(
        chosen("journal = false\njournal-folder = '/j'", Some("1"), none()),
        JournalChoice::Folder("/j".into())
    );
    assert_eq!(chosen("journal = true", Some("off"), none()), JournalChoice::Off);
    assert_eq!(chosen("", Some("0"), none()), JournalChoice::Off);
    assert_eq!(chosen("", Some("run.jsonl"), none()), JournalChoice::File("run.jsonl".into()));
    let named = Flags { journal: Some("/f".into()), ..none() };
    assert_eq!(chosen("", Some("off"), named), JournalChoice::File("/f".into()));
    let without = Flags { no_journal: true, ..none() };
    assert_eq!(chosen("", Some("on"), without), JournalChoice::Off);
}

#[test]
fn the_folder_of_the_journal_follows_the_file_then_the_state_folder_then_the_home() {
    let environment = Environment { state_home: Some("/state".into()), ..at("/home/me") };
    let folder = |file: &str| merged(file, &environment, Flags::default()).journal;
    assert_eq!(folder(""), JournalChoice::Folder("/state/tim/runs".into()));
    assert_eq!(folder("journal-folder = '~/runs'"), JournalChoice::Folder("/home/me/runs".into()));
    assert_eq!(folder("journal-folder = '~//etc'"), JournalChoice::Folder("/home/me/etc".into()));
}

#[test]
fn how_many_records_are_kept_is_said_in_days_and_in_bytes() {
    let kept = |text: &str| merged(text, &at("/home/me"), Flags::default()).kept;
    assert_eq!(kept("journal-days = 7"), Kept { days: Some(7), ..Kept::default() });
    for (size, bytes) in [("'500 MB'", 500_000_000), ("'2GB'", 2_000_000_000), ("'1 tb'", 1_000_000_000_000)]
    {
        assert_eq!(kept(&format!("journal-size = {size}")).bytes, Some(bytes), "{size}");
    }
    let for_ever = Kept { days: None, bytes: None };
    assert_eq!(kept("journal-days = 0\njournal-size = 0"), for_ever);
    assert_eq!(kept("journal-days = 0\njournal-size = '0 GB'"), for_ever);
    let error = |text: &str| parse(text).unwrap_err();
    for days in ["-1", "1.5", "'7'", "true"] {
        let expected = "/c.toml:1:16: journal-days must be a whole number of days, 0 for ever";
        assert_eq!(error(&format!("journal-days = {days}")), expected);
    }
    for size in ["5", "'5'", "'GB'", "'1.5 GB'", "'-1 GB'", "'1 apple'", "'99999999999999 TB'", "false"] {
        let expected =
            "/c.toml:1:16: journal-size must be a size such as \"2 GB\" or \"500 MB\", 0 for no limit";
        assert_eq!(error(&format!("journal-size = {size}")), expected, "{size}");
    }
}

#[test]
fn a_journal_is_required_by_the_flag_or_by_the_file_and_then_it_cannot_be_turned_off_by_a_flag() {
    let requires = |text: &str, flags: Flags| merge(parse(text).unwrap(), &at("/home/me"), flags);
    let flag = Flags { require_journal: true, ..Flags::default() };
    assert!(requires("", flag).unwrap().requires_journal);
    assert!(requires("require-journal = true", Flags::default()).unwrap().requires_journal);
    assert!(!requires("require-journal = false", Flags::default()).unwrap().requires_journal);
    let without = Flags { no_journal: true, ..Flags::default() };
    let error = requires("require-journal = true", without).unwrap_err().to_string();
    assert_eq!(error, "--no-journal: /c.toml says require-journal = true");
    assert_eq!(
        parse("require-journal = 1").unwrap_err(),
        "/c.toml:1:19: require-journal must be true or false"
    );
}

#[test]
fn an_error_names_the_file_the_line_the_column_and_what_may_stand_there() {
    let error = |text: &str| parse(text).unwrap_err();
    assert_eq!(
        error("journal = true\njournl = 1"),
        "/c.toml:2:1: unknown key `journl`, did you mean `journal`?"
    );
    let all = file::KEYS.join("`, `");
    assert_eq!(error("colour = 1"), format!("/c.toml:1:1: unknown key `colour`, expected one of `{all}`"));
    assert_eq!(error("\n  journal = 'yes'"), "/c.toml:2:13: journal must be true or false");
    assert_eq!(error("answer-command = ['a', 'b']"), "/c.toml:1:18: answer-command must be a text");
    for path in ["'runs'", "'~'", "'~me/x'", "''", "1"] {
        let expected = "/c.toml:1:18: journal-folder must be an absolute path, or one that begins with ~/ if HOME is set";
        assert_eq!(error(&format!("journal-folder = {path}")), expected);
    }
    assert_eq!(error("[answer-command]\nx = 1"), "/c.toml:1:1: answer-command must be a text");
    assert!(error("journal = true\njournal = false").starts_with("/c.toml:2:1: duplicate key"));
    assert!(error("é = 'x' y").starts_with("/c.toml:1:9: "));
}

#[test]
fn a_person_is_called_by_all_means_after_ten_seconds_unless_the_file_says_otherwise() {
    let said = |text: &str| Settings::from(parse(text).unwrap().attention);
    let usual = Settings {
        bell: true,
        notify: true,
        title: true,
        after: std::time::Duration::from_secs(10),
        command: None,
    };
    assert_eq!(
        [said(""), said("[attention]"), said("attention = {}")],
        [usual.clone(), usual.clone(), usual.clone()]
    );
    assert_eq!(said("[attention]\nbell = false"), Settings { bell: false, ..usual.clone() });
    assert_eq!(said("attention.notify = false"), Settings { notify: false, ..usual.clone() });
    assert_eq!(
        said("attention = { title = false, command = ' ' }"),
        Settings { title: false, ..usual.clone() }
    );
    let command = Some(Hook { line: "blink".to_owned(), origin: "/c.toml".into() });
    let after = std::time::Duration::from_secs(90);
    let all = "journal = true\n[attention]\nafter = '1m30s'\ncommand = 'blink'";
    assert_eq!(said(all), Settings { after, command, ..usual });
}

#[test]
fn an_error_about_attention_names_the_place_too() {
    let error = |text: &str| parse(text).unwrap_err();
    assert_eq!(error("[attention]\nbel = true"), "/c.toml:2:1: unknown key `bel`, did you mean `bell`?");
    assert_eq!(error("attention = false"), "/c.toml:1:13: attention must be a table");
    assert_eq!(error("[[attention]]\nbell = true"), "/c.toml:1:1: attention must be a table");
    for key in ["bell", "notify", "title"] {
        let place = format!("/c.toml:2:{}", key.len() + 4);
        let expected = format!("{place}: attention.{key} must be true or false");
        assert_eq!(error(&format!("[attention]\n{key} = 'yes'")), expected);
    }
    assert_eq!(error("[attention]\ncommand = ['a']"), "/c.toml:2:11: attention.command must be a text");
    assert_eq!(
        error("[attention]\nafter = 10"),
        "/c.toml:2:9: attention.after must be a text, such as \"10s\""
    );
    let unit = "write a number with its unit: 500ms, 30s, 5m, 2h, 1d or 1m30s";
    assert_eq!(error("[attention]\nafter = '10'"), format!("/c.toml:2:9: attention.after: {unit}"));
    assert!(error("attention.after = '0s'").starts_with("/c.toml:1:19: attention.after: 0 is no time"));
}

#[test]
fn the_environment_turns_attention_off_but_not_on() {
    let file = "[attention]\nbell = false\ncommand = 'blink'";
    let chosen = |said: Option<&str>| {
        let environment = Environment { attention: said.map(Into::into), ..at("/home/me") };
        merge(parse(file).unwrap(), &environment, Flags::default()).map(|config| config.attention)
    };
    let written = Settings::from(parse(file).unwrap().attention);
    assert_eq!(
        [chosen(None), chosen(Some("on")), chosen(Some("1"))].map(Result::unwrap),
        [(); 3].map(|()| written.clone())
    );
    for said in ["off", "0"] {
        let Settings { bell, notify, title, command, .. } = chosen(Some(said)).unwrap();
        assert_eq!((bell, notify, title, command), (false, false, false, None));
    }
    let error = chosen(Some("Off\n")).unwrap_err().to_string();
    assert_eq!(error, "TIM_ATTENTION is on or off, not Off\\n");
}

#[test]
fn an_error_is_one_line_without_a_character_that_a_terminal_would_act_upon() {
    for text in [
        "\"\\u001b[2J\" = 1",
        "journal = \u{1b}",
        "x",
        "= = =",
        "journal = [\n",
        "\u{202e}",
        "a.b = \"\"\"\nx",
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.chars().all(codec::text::is_printable), "{error:?}");
        assert!(error.starts_with("/c.toml:"), "{error:?}");
    }
}

#[test]
fn the_file_is_found_where_the_environment_says() {
    let folder = Folder::new("found");
    folder.write(".config/tim/config.toml", "answer-command = 'home'");
    folder.write("xdg/tim/config.toml", "answer-command = 'xdg'");
    let own = folder.write("own.toml", "answer-command = 'own'");
    let mut environment = folder.home();
    let line =
        |environment: &Environment| load(environment, Flags::default()).unwrap().answer_command.unwrap().line;
    assert_eq!(line(&environment), "home");
    environment.config_home = Some(folder.0.join("xdg"));
    assert_eq!(line(&environment), "xdg");
    environment.config = Some(own);
    assert_eq!(line(&environment), "own");
}

#[test]
fn a_file_that_tim_config_names_must_be_there_and_the_usual_one_need_not() {
    let folder = Folder::new("missing");
    let missing = folder.0.join("no.toml");
    let environment = Environment { config: Some(missing.clone()), ..folder.home() };
    let error = load(&environment, Flags::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "{}: TIM_CONFIG names a file that is not there; `tim config init` writes one",
            missing.display()
        )
    );
    let below_a_file = Environment { config_home: Some("/dev/null".into()), ..folder.home() };
    assert!(load(&below_a_file, Flags::default()).is_ok());
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = Folder::new("unreadable");
    let error = |path: PathBuf| {
        let environment = Environment { config: Some(path), ..folder.home() };
        load(&environment, Flags::default()).unwrap_err().to_string()
    };
    assert!(error(folder.write("latin.toml", b"# \xe9")).ends_with("latin.toml: is not UTF-8"));
    assert!(error(folder.0.clone()).ends_with(": is not a file"));
    assert!(error(folder.write("long.toml", "#".repeat((1 << 20) + 1))).ends_with(": is longer than 1 MiB"));
    let shared = folder.write("shared.toml", "");
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o620)).unwrap();
    assert!(error(shared.clone()).contains("shared.toml: can be written by others (mode 620)"));
    let link = folder.0.join("link.toml");
    symlink(&shared, &link).unwrap();
    assert!(error(link).contains("link.toml: can be written by others"));
}

#[test]
fn the_longest_file_is_read() {
    let folder = Folder::new("longest");
    let path = folder.write("longest.toml", "#".repeat(1 << 20));
    let environment = Environment { config: Some(path), ..folder.home() };
    assert!(load(&environment, Flags::default()).is_ok());
}

#[test]
fn a_named_pipe_is_no_file_and_nobody_waits_for_it() {
    let folder = Folder::new("pipe");
    let path = folder.0.join("pipe.toml");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600), 0)
        .unwrap();
    let environment = Environment { config: Some(path), ..folder.home() };
    assert!(load(&environment, Flags::default()).unwrap_err().to_string().ends_with(": is not a file"));
}
