//! What `[backends.NAME]` may say, and what is said about a bad one.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;

type Commands = BTreeMap<String, Vec<OsString>>;

fn read(text: &str) -> Result<Commands, String> {
    let layer = super::super::file::parse(Path::new("/c.toml"), text, Some(Path::new("/home/me")));
    let commands = |backends: Backends| backends.into_iter().map(|(name, said)| (name, said.value)).collect();
    layer.map(|layer| commands(layer.backends)).map_err(|error| error.to_string())
}

fn one(name: &str, words: &[&str]) -> Result<Commands, String> {
    Ok(Commands::from([(name.to_owned(), words.iter().map(OsString::from).collect())]))
}

#[test]
fn a_command_is_a_line_that_is_split_or_a_list_that_is_not() {
    assert_eq!(read("journal = true"), Ok(Commands::new()));
    assert_eq!(read("[backends]"), Ok(Commands::new()));
    let line = "[backends.reviewer]\ncommand = \"python3 ~/'my agents'/x.py\"";
    assert_eq!(read(line), one("reviewer", &["python3", "/home/me/my agents/x.py"]));
    let list = "[backends]\nx-2 = { command = ['python3', '~/a b', '$HOME', ''] }";
    assert_eq!(read(list), one("x-2", &["python3", "~/a b", "$HOME", ""]));
    let both = read("backends.a.command = 'x'\nbackends.b.command = 'y'").unwrap();
    assert_eq!(both.keys().collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn an_error_names_the_line_the_column_and_the_key() {
    let error = |text: &str| read(text).unwrap_err();
    assert_eq!(error("backends = 1"), "/c.toml:1:12: backends must be a table");
    assert_eq!(error("[[backends]]\nx = 1"), "/c.toml:1:1: backends must be a table");
    assert_eq!(error("[backends]\nx = 'a'"), "/c.toml:2:5: backends.x must be a table with a command");
    assert_eq!(error("\n[backends.x]"), "/c.toml:2:11: backends.x has no command");
    assert_eq!(
        error("[backends.x]\ncomand = 'a'"),
        "/c.toml:2:1: unknown key `comand`, did you mean `command`?"
    );
    for wrong in ["1", "true", "['a', 1]", "{ a = 'b' }"] {
        let expected = "/c.toml:2:11: backends.x.command must be a text or a list of texts";
        assert_eq!(error(&format!("[backends.x]\ncommand = {wrong}")), expected);
    }
    for name in ["X", "'a b'", "''", "a_b", "'\\u001b'", "'123456789012345678901234567890123'"] {
        let said = error(&format!("[backends.{name}]\ncommand = 'a'"));
        assert!(said.starts_with("/c.toml:1:11: backends."), "{said}");
        assert!(said.ends_with(": a name is 1 to 32 of a-z, 0-9 and -"), "{said}");
        assert!(said.chars().all(codec::text::is_printable), "{said}");
    }
}

#[test]
fn a_command_that_cannot_be_run_is_an_error_of_the_file() {
    let error = |command: &str| read(&format!("[backends.x]\ncommand = {command}")).unwrap_err();
    let place = "/c.toml:2:11: backends.x.command: ";
    for empty in ["''", "' '", "[]", "['', 'a']"] {
        assert_eq!(
            error(empty),
            format!("{place}there is no command: write a path, or a program with its arguments")
        );
    }
    assert_eq!(
        error("'a | b'"),
        format!(
            "{place}`|` (character 3) is for a shell, and none is started: quote it, or write [\"sh\", \"-c\", \"…\"]"
        )
    );
    assert_eq!(
        error("'A=1 b'"),
        format!("{place}`A=1` is for a shell, and none is started: write `env A=1 …`")
    );
    assert_eq!(error("\"'b\""), format!("{place}the `'` that opens (character 1) is never closed"));
    for nul in ["\"a\\u0000\"", "[\"a\", \"\\u0000\"]"] {
        assert_eq!(error(nul), format!("{place}a NUL cannot be passed on"));
    }
}
