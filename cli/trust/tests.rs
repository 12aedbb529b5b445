//! What folders bring, in words; and what is remembered.

mod hostile;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::memory::{entries, judged, with};
use super::*;

/// A folder of the test's own, gone when the test is.
struct Temp(PathBuf);

impl Temp {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("tim-trust-{}", crate::clock::random_hex(16)));
        fs::create_dir_all(folder.join("home")).unwrap();
        fs::create_dir_all(folder.join("app")).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    fn app(&self) -> PathBuf {
        self.0.join("app")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn environment(&self) -> Environment {
        Environment {
            home: Some(self.0.join("home")),
            state_home: Some(self.0.join("state")),
            ..Environment::default()
        }
    }

    fn look(&self) -> Folder {
        look(&self.environment(), &self.app())
    }

    fn memory(&self) -> PathBuf {
        self.0.join("state/tim/trusted-folders")
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// What one settings file brings, in words, and what is wrong with it.
fn settings(text: &str) -> (String, Vec<String>) {
    let brought = settings::brings(text);
    (brought.words(), brought.warnings().to_vec())
}

const HOOK: &str = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo"}]}]}}"#;

#[test]
fn a_folder_says_what_it_brings_in_plain_words() {
    let temp = Temp::new();
    temp.write(
        "app/.claude/settings.json",
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./check.sh"}]}],
            "Stop":[{"hooks":[{"type":"http","url":"http://127.0.0.1:9/"}]}]},
            "permissions":{"allow":["Bash(ls:*)","Read","Edit"],"deny":["Bash(rm:*)"]}}"#,
    );
    temp.write("app/.mcp.json", r#"{"mcpServers":{"db":{"command":"sh","args":["-c","echo"]}}}"#);
    let folder = temp.look();
    assert_eq!(
        folder.rows(Known::Never)[1],
        "This folder brings: 2 hooks and 3 allow rules (.claude/settings.json), 1 MCP server (.mcp.json)."
    );
    let details = ".claude/settings.json\n  hook  PreToolUse (Bash): ./check.sh\n  hook  Stop: {\"type\":\"http\",\"url\":\"http://127.0.0.1:9/\"}\n  \
                   allow rule  Bash(ls:*)\n  allow rule  Read\n  allow rule  Edit\n.mcp.json\n  MCP server  db: sh -c echo\n";
    assert_eq!(folder.details(), details);
    assert!(folder.warnings().is_empty() && !folder.brings_nothing());
}

#[test]
fn whatever_makes_something_run_or_be_allowed_unasked_counts() {
    for (text, words) in [
        (r#"{"permissions":{"defaultMode":"acceptEdits"}}"#, "1 permission mode"),
        (r#"{"permissions":{"defaultMode":"auto"}}"#, "1 permission mode"),
        (r#"{"permissions":{"additionalDirectories":["/","~"]}}"#, "2 more folders"),
        (r#"{"apiKeyHelper":"echo k","statusLine":{"type":"command","command":"echo"}}"#, "2 other commands"),
        (
            r#"{"awsAuthRefresh":"echo","gcpAuthRefresh":"echo","awsCredentialExport":"echo"}"#,
            "3 other commands",
        ),
        (r#"{"env":{"A":"1","B":2}}"#, "2 environment variables"),
        (r#"{"enableAllProjectMcpServers":true}"#, "1 switch by which less is asked"),
        (r#"{"enabledPlugins":{"a@b":true,"c@d":false}}"#, "1 plugin"),
        (r#"{"hooks":{"Stop":[{"hooks":[{"type":"new_kind","what":"ever"}]}]}}"#, "1 hook"),
        ("\u{feff}{\"permissions\":{\"allow\":[\"Read\"]}}", "1 allow rule"),
    ] {
        assert_eq!(settings(text), (words.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn what_only_forbids_brings_nothing() {
    for text in [
        "",
        " \n",
        "{}",
        r#"{"permissions":{"deny":["Bash"],"ask":["Read"],"allow":[],"defaultMode":"plan"}}"#,
        r#"{"permissions":{"defaultMode":"dontAsk"},"model":"m","enableAllProjectMcpServers":false,"hooks":{}}"#,
    ] {
        assert_eq!(settings(text), (String::new(), vec![]), "{text}");
    }
}

#[test]
fn what_claude_code_ignores_is_said() {
    let whole = "so Claude Code ignores the whole file";
    for (text, why) in [
        (
            "{\n\"a\": 1,\n}",
            "is not JSON (key must be a string at line 3 column 1), so Claude Code ignores it",
        ),
        ("[1]", "is no JSON object, so Claude Code ignores it"),
        (r#"{"permissions":{"allow":"Read"}}"#, &format!("permissions.allow is no list, {whole}")),
        (r#"{"permissions":{"deny":"Read"}}"#, &format!("permissions.deny is no list, {whole}")),
        (r#"{"permissions":1}"#, &format!("permissions is no object, {whole}")),
        (r#"{"permissions":{"defaultMode":3}}"#, &format!("permissions.defaultMode is no text, {whole}")),
        (r#"{"env":["A"]}"#, &format!("env is no object, {whole}")),
        (r#"{"apiKeyHelper":3}"#, &format!("apiKeyHelper is no text, {whole}")),
        (r#"{"disableAllHooks":"x"}"#, &format!("disableAllHooks is neither true nor false, {whole}")),
        (r#"{"hooks":[1]}"#, "hooks is no object, so Claude Code ignores all hooks of the file"),
        (r#"{"hooks":{"Stop":{}}}"#, "hooks.Stop is no list, so Claude Code ignores it"),
    ] {
        assert_eq!(settings(text), (String::new(), vec![why.to_owned()]), "{text}");
    }
    for hook in
        [r#"{"hooks":"x"}"#, r#"{"hooks":[{"type":"command"}]}"#, r#"{"hooks":[{"command":"echo"}]}"#, "3"]
    {
        let (words, why) = settings(&format!(r#"{{"hooks":{{"Stop":[{hook}]}}}}"#));
        assert!(
            words.is_empty() && why[0].starts_with("a hook of Stop is not as it should be"),
            "{hook}: {why:?}"
        );
    }
    let servers = servers::brings(r#"{"mcpServers":{"a":{"command":"echo"},"b":{},"c":"x"}}"#);
    assert_eq!((servers.words().as_str(), servers.warnings().len()), ("1 MCP server", 2));
    assert!(servers::brings(r#"{"a":{"command":"echo"}}"#).warnings()[0].contains("no object mcpServers"));
}

#[test]
fn what_claude_code_reads_and_tim_does_not_may_bring_anything() {
    let deep = format!(r#"{{"x":{}{},"model":"m"}}"#, "[".repeat(300), "]".repeat(300));
    let many = (0..10_001).map(|at| format!("\"{at}\":1")).collect::<Vec<_>>().join(",");
    let hook =
        format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{{many},"type":"command","command":"echo"}}]}}]}}}}"#);
    for text in [deep, hook, format!("{{{many}}}")] {
        let brought = settings::brings(&text);
        assert!(brought.is_unread() && !brought.is_nothing());
    }
    let temp = Temp::new();
    temp.write("app/.claude/settings.json", &format!("{{{}}}", " ".repeat(1 << 20)));
    let folder = temp.look();
    let row =
        "This folder brings: what nobody looked at, because it is longer than 1 MiB (.claude/settings.json).";
    assert_eq!(folder.rows(Known::Never)[1], row);
    assert!(!folder.can_be_known() && !folder.is_as(&temp.look()), "what was not read is never remembered");
}

#[test]
fn no_file_is_waited_for_and_one_that_nobody_reads_is_said() {
    let temp = Temp::new();
    fs::create_dir_all(temp.app().join(".claude/settings.json")).unwrap();
    let pipe = temp.app().join(".mcp.json");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let folder = temp.look();
    assert_eq!(folder.warnings(), [".claude/settings.json is a folder"]);
    assert!(
        folder.rows(Known::Never)[1].contains("it is not a file (.mcp.json)"),
        "{:?}",
        folder.rows(Known::Never)
    );
}

#[test]
fn a_link_brings_what_it_leads_to_and_one_that_leads_nowhere_nothing() {
    let temp = Temp::new();
    temp.write("elsewhere", HOOK);
    fs::create_dir_all(temp.app().join(".claude")).unwrap();
    symlink(temp.0.join("elsewhere"), temp.app().join(".claude/settings.json")).unwrap();
    symlink(temp.0.join("nowhere"), temp.app().join(".mcp.json")).unwrap();
    assert!(temp.look().rows(Known::Never)[1].contains("1 hook (.claude/settings.json)"));
    assert!(temp.look().warnings().is_empty());
}

#[test]
fn folders_above_bring_their_servers_and_a_repository_its_local_settings() {
    let temp = Temp::new();
    temp.write(".mcp.json", r#"{"mcpServers":{"above":{"url":"http://127.0.0.1:9/"}}}"#);
    temp.write(".claude/settings.json", HOOK);
    temp.write(".claude/settings.local.json", HOOK);
    let names = |folder: &Folder| folder.files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let above = |name: &str| temp.0.join(name).to_string_lossy().into_owned();
    assert_eq!(names(&temp.look()), [above(".mcp.json")], "there is no repository");
    fs::create_dir(temp.0.join(".git")).unwrap();
    assert_eq!(names(&temp.look()), [above(".claude/settings.local.json"), above(".mcp.json")]);
}

#[test]
fn another_working_tree_has_the_local_settings_of_the_main_one() {
    let temp = Temp::new();
    temp.write("main/.git/worktrees/app/commondir", "../..\n");
    temp.write("main/.claude/settings.local.json", HOOK);
    temp.write("main/.claude/settings.json", HOOK);
    let own = temp.0.join("main/.git/worktrees/app");
    temp.write("app/.git", &format!("gitdir: {}\n", own.display()));
    let names: Vec<_> = temp.look().files.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [temp.0.join("main/.claude/settings.local.json").to_string_lossy().into_owned()]);
}

#[test]
fn what_is_the_users_own_is_not_the_folders() {
    let temp = Temp::new();
    temp.write("home/.claude/settings.json", HOOK);
    temp.write("home/.claude/settings.local.json", HOOK);
    temp.write("app/.claude/settings.json", HOOK);
    let home = look(&temp.environment(), &temp.0.join("home"));
    assert!(home.brings_nothing(), "{:?}", home.rows(Known::Never));
    let elsewhere = Environment { claude_folder: Some(temp.app().join(".claude")), ..temp.environment() };
    assert!(look(&elsewhere, &temp.app()).brings_nothing());
    assert!(!temp.look().brings_nothing());
}

#[tokio::test]
async fn what_was_trusted_is_known_again_until_it_changes() {
    let temp = Temp::new();
    temp.write("app/.claude/settings.json", HOOK);
    let environment = temp.environment();
    assert_eq!(temp.look().known(&environment), Known::Never);
    remember(&environment, &temp.look()).await.unwrap();
    assert!(temp.look().is_trusted(&environment));
    assert_eq!(fs::metadata(temp.memory()).unwrap().permissions().mode() & 0o777, 0o600);
    temp.write("app/.mcp.json", "{}");
    assert_eq!(temp.look().known(&environment), Known::Changed, "one more file, though it brings nothing");
    assert!(
        temp.look().rows(Known::Changed)[0]
            .ends_with("app brings something new. Claude Code skips its trust question in this mode.")
    );
    remember(&environment, &temp.look()).await.unwrap();
    assert!(temp.look().is_trusted(&environment));
    assert_eq!(fs::read_to_string(temp.memory()).unwrap().lines().count(), 1);
}

#[tokio::test]
async fn a_memory_that_others_could_have_written_remembers_nothing_and_is_left_alone() {
    let temp = Temp::new();
    temp.write("app/.claude/settings.json", HOOK);
    remember(&temp.environment(), &temp.look()).await.unwrap();
    fs::set_permissions(temp.memory(), fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(temp.look().known(&temp.environment()), Known::Never);
    assert!(
        remember(&temp.environment(), &temp.look()).await.unwrap_err().contains("can be written by others")
    );
    fs::set_permissions(temp.memory(), fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(temp.memory(), "garbage\n\u{0}{\"folder\":3}\n").unwrap();
    assert_eq!(temp.look().known(&temp.environment()), Known::Never);
    remember(&temp.environment(), &temp.look()).await.unwrap();
    assert!(temp.look().is_trusted(&temp.environment()), "what is no entry is forgotten");
    let nowhere = Environment::default();
    assert_eq!(temp.look().known(&nowhere), Known::Never);
    assert!(remember(&nowhere, &temp.look()).await.is_err());
}

#[test]
fn a_thousand_folders_are_remembered_and_then_the_oldest_is_forgotten() {
    let entry = |at: usize| Entry { folder: format!("/f/{at}"), hash: at.to_string() };
    let mut text = String::new();
    for at in 0..1_001 {
        text = with(entries(&text), entry(at));
    }
    let all = entries(&text);
    assert_eq!((all.len(), judged(&all, &entry(0))), (1_000, Known::Never));
    assert_eq!((judged(&all, &entry(1)), judged(&all, &entry(1_000))), (Known::Trusted, Known::Trusted));
    let text = with(all, Entry { folder: "x".repeat(600 << 10), hash: String::new() });
    assert!(text.is_empty(), "what would fill the file alone is not kept");
}

#[test]
fn a_change_by_the_persons_own_word_is_told_from_every_other() {
    let temp = Temp::new();
    temp.write("app/.claude/settings.json", r#"{"permissions":{"allow":["Bash(a)"]}}"#);
    let before = temp.look();
    let file = temp.app().join(".claude/settings.local.json");
    temp.write("app/.claude/settings.local.json", "new");
    let after = temp.look();
    assert!(after.differs_only_in(&file, ("", "new"), &before));
    assert!(!after.differs_only_in(&file, ("", "another"), &before), "somebody changed it since");
    assert!(!after.differs_only_in(&file, ("old", "new"), &before), "somebody changed it in between");
    temp.write("app/.mcp.json", "{}");
    assert!(!temp.look().differs_only_in(&file, ("", "new"), &before), "something else came with it");
}

/// Claude Code reads UTF-16 as well, and of two members of one name the last.
#[test]
fn what_others_read_differently_may_bring_anything() {
    let temp = Temp::new();
    let hooks = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch a"}]}]}}"#;
    let utf_16: Vec<u8> = hooks.encode_utf16().flat_map(u16::to_le_bytes).collect();
    temp.write("app/.claude/settings.json", "");
    fs::write(temp.app().join(".claude/settings.json"), [b"\xff\xfe", utf_16.as_slice()].concat()).unwrap();
    assert!(!temp.look().brings_nothing() && !temp.look().can_be_known());
    temp.write("app/.claude/settings.json", r#"{"statusLine":{"command":"echo ok","command":"touch a"}}"#);
    assert!(!temp.look().brings_nothing() && !temp.look().can_be_known());
    temp.write("app/.claude/settings.json", r#"{"agent":"evil"}"#);
    assert!(!temp.look().brings_nothing() && temp.look().can_be_known());
}
