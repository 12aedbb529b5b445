//! The files of a project, what they may say, and who wins.

use super::*;

/// A home with a project in it.
struct Place {
    folder: Folder,
    environment: Environment,
}

impl Place {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let project = folder.0.join("src/app");
        fs::create_dir_all(&project).unwrap();
        let environment = Environment { folder: Some(project), ..folder.home() };
        Self { folder, environment }
    }

    fn own(&self, text: &str) {
        self.folder.write(".config/tim/config.toml", text);
    }

    fn project(&self, text: &str) -> PathBuf {
        self.folder.write("src/app/.tim/config.toml", text)
    }

    fn local(&self, text: &str) -> PathBuf {
        self.folder.write("src/app/.tim/config.local.toml", text)
    }

    fn load(&self) -> Config {
        load(&self.environment, Flags::default()).unwrap()
    }

    fn error(&self) -> String {
        load(&self.environment, Flags::default()).unwrap_err().to_string()
    }

    fn states(&self) -> Vec<State> {
        find(&self.environment).unwrap().files.into_iter().map(|seen| seen.state).collect()
    }
}

/// Every key that a file of a project may not say unless it is trusted.
const LOOSENING: &str = r#"allow = ["Bash(echo:*)"]
answer-command = "echo"
permission-timeout = "1s"
question-timeout = "1s"
timeout = "2s"
idle-timeout = "3s"
model = "m"
dangerously-allow-on-timeout = true
refused-ok = true
claude = "/claude"
journal = false
journal-folder = "/elsewhere"
journal-days = 1
journal-size = "1 MB"
require-journal = false
terminal-input = false
attention.bell = false
attention.notify = false
attention.title = false
attention.after = "4s"
attention.command = "touch x"
backends.x.command = "echo"
"#;

/// The one that it may.
const HARMLESS: &str = "deny = [\"Bash(git push:*)\"]\n";

#[test]
fn the_two_lists_of_this_test_are_all_keys() {
    let text = format!("{LOOSENING}{HARMLESS}trusted-folders = []");
    let layer = parse(&text).unwrap();
    let is_named = |key: &str| text.lines().any(|line| line.starts_with(key));
    assert!(file::KEYS.iter().all(|key| is_named(key)), "{:?}", file::KEYS);
    assert!(layer.trusted_folders.is_some());
}

#[test]
fn a_file_of_a_project_loosens_nothing_unless_its_folder_is_trusted() {
    let place = Place::new("loosens");
    place.project(&format!("{LOOSENING}{HARMLESS}"));
    let config = place.load();
    let usual = Place::new("usual").load();
    assert_eq!(config.rules.allow, usual.rules.allow);
    assert_eq!((&config.answer_command, &config.claude), (&None, &None));
    assert!(!config.is_refused_ok && config.backends.is_empty() && config.attention.command.is_none());
    assert_eq!(config.kept, Kept::default());
    assert_eq!(config.journal, JournalChoice::Folder(place.folder.0.join(".local/state/tim/runs")));
    assert_eq!((config.patience, config.model), (Patience::default(), None));
    assert_eq!(config.rules.deny.len(), 1);
    assert!(config.terminal_input && config.attention == Settings::default());
}

#[test]
fn what_does_not_count_is_said_with_what_to_do_about_it() {
    let place = Place::new("said");
    let file = place.project(LOOSENING);
    let keys = "allow, answer-command, dangerously-allow-on-timeout, permission-timeout, question-timeout, timeout, \
                idle-timeout, refused-ok, claude, model, terminal-input, journal, and 10 more";
    let home = place.folder.0.display();
    let todo = format!(
        "if you trust this folder: trusted-folders = [\"{home}/src/app\"] at the top of {home}/.config/tim/config.toml"
    );
    assert_eq!(place.load().warnings, [format!("{}: {keys}: not used; {todo}", file.display())]);
}

#[test]
fn in_a_folder_that_the_user_trusts_all_of_it_counts() {
    let place = Place::new("trusted");
    place.own("trusted-folders = ['~/src/../src/app']");
    place.project(&format!("{LOOSENING}{HARMLESS}"));
    let config = place.load();
    assert_eq!((config.rules.allow.len(), config.rules.deny.len()), (1, 1));
    assert_eq!(config.answer_command.map(|command| command.line), Some("echo".to_owned()));
    assert!(config.is_refused_ok && config.patience.allows_on_timeout.is_some());
    assert_eq!(config.backends.keys().collect::<Vec<_>>(), ["x"]);
    assert_eq!((config.journal, config.warnings), (JournalChoice::Off, Vec::new()));
}

#[test]
fn to_trust_a_folder_is_not_to_trust_those_below_or_beside_it() {
    let place = Place::new("beside");
    place.project("allow = ['Bash(echo:*)']");
    for trusted in ["~/src", "~/src/app/x", "~/src/ap", "~/nowhere"] {
        place.own(&format!("trusted-folders = ['{trusted}']"));
        assert!(place.load().rules.allow.is_empty(), "{trusted}");
    }
}

#[test]
fn a_file_that_others_can_write_loosens_nothing_also_in_a_trusted_folder() {
    let place = Place::new("writable");
    place.own("trusted-folders = ['~/src/app']");
    let file = place.project("allow = ['Bash(echo:*)']\ndeny = ['Bash(git push:*)']");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).unwrap();
    let config = place.load();
    assert_eq!((config.rules.allow.len(), config.rules.deny.len()), (0, 1));
    assert!(
        config.warnings[0].ends_with(
            "allow: not used; others can write the file, or its folder: chmod go-w, or chown, makes it yours alone"
        )
    );
    let held = State::Held(vec!["allow".to_owned()], Because::Shared);
    assert_eq!(place.states(), [State::Read, held, State::Missing]);
}

#[test]
fn what_cannot_be_read_is_an_error_because_what_it_forbids_is_not_known() {
    let place = Place::new("folder");
    let path = place.folder.0.join("src/app/.tim/config.toml");
    fs::create_dir_all(&path).unwrap();
    let todo = "what it forbids is not known: mend it, or move it away";
    assert_eq!(place.error(), format!("{}: is not a file; {todo}", path.display()));
    fs::remove_dir(&path).unwrap();
    place.folder.write("src/app/.tim/config.toml", b"# \xe9");
    assert_eq!(place.error(), format!("{}: is not UTF-8; {todo}", path.display()));
}

#[test]
fn each_layer_goes_over_the_one_before() {
    let mut place = Place::new("order");
    let model = |place: &Place| place.load().model;
    assert_eq!(model(&place), None);
    place.own("model = 'own'\ntrusted-folders = ['~/src/app']");
    assert_eq!(model(&place).as_deref(), Some("own"));
    place.project("model = 'project'");
    assert_eq!(model(&place).as_deref(), Some("project"));
    place.local("model = 'local'");
    assert_eq!(model(&place).as_deref(), Some("local"));
    let variables = Environment::from(|name| (name == "TIM_MODEL").then(|| "variable".into()));
    place.environment =
        Environment { home: place.environment.home, folder: place.environment.folder, ..variables };
    assert_eq!(model(&place).as_deref(), Some("variable"));
}

#[test]
fn rules_of_all_layers_add_up_and_none_takes_away_another() {
    let place = Place::new("add-up");
    place.own("deny = ['Bash(a:*)']\nallow = ['Bash(b:*)']");
    place.project("deny = ['Bash(c:*)']\nallow = ['Bash(d:*)']");
    place.local("deny = []");
    let rules = place.load().rules;
    assert_eq!((rules.allow.len(), rules.deny.len()), (1, 2));
}

#[test]
fn a_project_is_found_from_below_and_a_home_is_none() {
    let mut place = Place::new("below");
    place.own("trusted-folders = ['~/', '~/src/app']");
    place.project("model = 'project'");
    let deep = place.folder.0.join("src/app/one/two");
    fs::create_dir_all(&deep).unwrap();
    place.environment.folder = Some(deep);
    assert_eq!(place.load().model.as_deref(), Some("project"));
    place.folder.write(".tim/config.toml", "model = 'home'");
    place.environment.folder = Some(place.folder.0.join("src"));
    assert_eq!(place.load().model, None);
    place.environment.folder = Some(place.folder.0.clone());
    assert_eq!(place.load().model.as_deref(), Some("home"));
}

#[test]
fn what_forbids_in_a_folder_above_is_not_taken_away_by_a_file_below() {
    let mut place = Place::new("add");
    place.project("deny = ['Bash(git push:*)']");
    place.folder.write("src/app/vendor/.tim/config.local.toml", "deny = ['Bash(echo:*)']");
    place.environment.folder = Some(place.folder.0.join("src/app/vendor"));
    assert_eq!(place.load().rules.deny.len(), 2);
    assert_eq!(place.states().len(), 5, "the user's file, and two of each folder");
}

#[test]
fn a_link_is_no_file_of_a_project() {
    let place = Place::new("link");
    let file = place.folder.write("elsewhere.toml", "deny = ['Bash(echo:*)']");
    fs::create_dir_all(place.folder.0.join("src/app/.tim")).unwrap();
    symlink(file, place.folder.0.join("src/app/.tim/config.toml")).unwrap();
    assert!(
        place.error().contains("config.toml: is a symbolic link; put the file itself in its place"),
        "{}",
        place.error()
    );
}

#[test]
fn a_folder_that_is_a_link_is_an_error_too() {
    let place = Place::new("linked");
    place.own("trusted-folders = ['~/src/app']");
    place.folder.write("clone/.tim/config.toml", "allow = ['Bash']");
    symlink(place.folder.0.join("clone/.tim"), place.folder.0.join("src/app/.tim")).unwrap();
    fs::rename(place.folder.0.join("clone/.tim/config.toml"), place.folder.0.join("clone/kept")).unwrap();
    assert!(place.load().warnings.is_empty(), "a link to a folder without such files forbids nothing");
    fs::rename(place.folder.0.join("clone/kept"), place.folder.0.join("clone/.tim/config.toml")).unwrap();
    assert!(
        place.error().contains("config.toml: its folder is a symbolic link; what it forbids"),
        "{}",
        place.error()
    );
}

#[test]
fn a_folder_that_others_can_write_loosens_nothing() {
    let place = Place::new("open-folder");
    place.own("trusted-folders = ['~/src/app']");
    place.project("allow = ['Bash']");
    fs::set_permissions(place.folder.0.join("src/app/.tim"), fs::Permissions::from_mode(0o775)).unwrap();
    assert!(place.load().rules.allow.is_empty());
}

#[test]
fn below_another_tim_no_folder_is_trusted_and_that_is_the_reason_that_is_said() {
    let mut place = Place::new("nested");
    place.own("trusted-folders = ['~/src/app']");
    place.project("allow = ['Bash']");
    place.environment.output_socket = Some("/nowhere".into());
    let config = place.load();
    assert!(config.rules.allow.is_empty());
    assert!(
        config.warnings[0].ends_with("allow: not used; below another tim no folder is trusted"),
        "{:?}",
        config.warnings
    );
}

#[test]
fn nothing_above_a_home_is_a_project_of_it() {
    let mut place = Place::new("above");
    place.environment.home = Some(place.folder.0.join("src"));
    place.environment.folder = place.environment.home.clone();
    place.environment.config_home = Some(place.folder.0.join(".config"));
    place.folder.write(".tim/config.toml", "deny = ['Bash']");
    assert!(place.load().rules.deny.is_empty());
}

#[test]
fn many_rules_are_read_in_one_go() {
    let rules: String = (0..50_000).map(|number| format!("\"Bash(x{number}:*)\",\n")).collect();
    let layer = parse(&format!("deny = [\n{rules}]")).unwrap();
    let last = layer.deny.last().unwrap();
    assert_eq!(
        (last.value.text.as_str(), &last.origin),
        ("Bash(x49999:*)", &Origin::File("/c.toml".into(), 50_001))
    );
}

#[test]
fn what_is_shown_of_a_key_is_short() {
    let error = parse(&format!("{} = 1", "k".repeat(100_000))).unwrap_err();
    assert!(error.chars().count() < 600, "{}", error.len());
}

#[test]
fn an_error_in_a_file_of_a_project_names_it_and_its_line() {
    let place = Place::new("wrong");
    let file = place.project("\nmodle = 'x'");
    assert!(place.error().starts_with(&format!("{}:2:1: unknown key `modle`", file.display())));
    let file = place.project("\n\ntrusted-folders = ['/x']");
    let expected = format!("{}:3: trusted-folders counts only in your own file", file.display());
    assert_eq!(place.error(), expected);
    place.project("deny = ['Bash(git push']");
    assert!(place.error().contains("config.toml:1:"), "{}", place.error());
}

#[test]
fn a_variable_that_makes_no_sense_is_an_error_that_names_it() {
    let error = |name: &'static str, value: &'static str| {
        let environment = Environment::from(|asked| (asked == name).then(|| value.into()));
        load(&environment, Flags::default()).unwrap_err().to_string()
    };
    let unit = "write a number with its unit: 500ms, 30s, 5m, 2h, 1d or 1m30s";
    for name in ["TIM_TIMEOUT", "TIM_IDLE_TIMEOUT", "TIM_PERMISSION_TIMEOUT", "TIM_QUESTION_TIMEOUT"] {
        assert_eq!(error(name, "5"), format!("{name}: {unit}"));
    }
    assert_eq!(error("TIM_TERMINAL_INPUT", "maybe"), "TIM_TERMINAL_INPUT is on or off, not maybe");
    assert_eq!(error("TIM_REQUIRE_JOURNAL", "yes"), "TIM_REQUIRE_JOURNAL is on or off, not yes");
    assert_eq!(error("TIM_JOURNAL_FOLDER", "runs"), "TIM_JOURNAL_FOLDER must be an absolute path, not runs");
}
