//! How an agent is named: a path, a command line, a name from the configuration; and what is said if it is none of them.

use std::sync::Arc;

use crate::agent::{played, written};
use crate::support::launch::Launch;
use crate::support::temp::Temp;

const SCRIPT: &str = r#"hears; text "told: $*"; ends; to_the_end"#;

fn run(folder: &Arc<Temp>, backend: &str) -> Launch {
    Launch::tim_in(Arc::clone(folder), ["run", "-p", "go", "--backend"])
        .arg(backend)
        .within(folder.path("home"))
}

#[test]
fn it_is_named_by_its_path_or_by_a_command_line_or_in_the_configuration() {
    let folder = Arc::new(Temp::new());
    let path = written(&folder, SCRIPT);
    let path = path.to_str().unwrap();
    let (code, stdout, stderr) = played(run(&folder, path));
    assert_eq!((code, stdout.as_str()), (0, "told: \n"), "{stderr}");
    let (code, stdout, stderr) = played(run(&folder, &format!("sh {path} 'two words' \"b c\"")));
    assert_eq!((code, stdout.as_str()), (0, "told: two words b c\n"), "{stderr}");
    let config = folder.path("config/tim/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, format!("[backends.reviewer]\ncommand = [\"{path}\", \"a b\"]\n")).unwrap();
    let (code, stdout, stderr) = played(run(&folder, "reviewer").arg("--").arg("more").arg("-v"));
    assert_eq!((code, stdout.as_str()), (0, "told: a b more -v\n"), "{stderr}");
    let (code, _, stderr) = played(run(&folder, "reviwer"));
    assert_eq!(code, 127, "{stderr}");
    assert!(
        stderr.contains("`reviwer` is not found") && stderr.contains("configuration: reviewer"),
        "{stderr}"
    );
}

#[test]
fn what_cannot_be_meant_is_a_usage_error_that_says_what_to_write() {
    let folder = Arc::new(Temp::new());
    for (backend, more, said) in [
        ("a | b", "", "sh -c"),
        ("'unclosed", "", "never closed"),
        ("", "", "--backend"),
        ("sh x", "--model=opus", "is for Claude Code"),
        ("sh x", "--permission-route=mcp", "--backend"),
        ("sh x", "--continue", "is for Claude Code"),
    ] {
        let launch = run(&folder, backend);
        let launch = if more.is_empty() { launch } else { launch.arg(more) };
        let (code, _, stderr) = played(launch);
        assert_eq!(code, 2, "{backend} {more}: {stderr}");
        assert!(stderr.contains(said), "{backend} {more}: {stderr}");
    }
}
