//! `tim mcp config`.

use serde_json::{Value, json};

use crate::support::launch::Launch;

fn printed(launch: Launch) -> (Value, String) {
    let (code, out, err) = launch.start().exit();
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out.lines().count(), 1, "{out}");
    (serde_json::from_str(&out).expect("JSON"), err)
}

#[test]
fn it_names_this_program_and_the_flags() {
    let launch = Launch::tim(["mcp", "config", "--socket", "/a b/s.sock", "--label", "review"]);
    let (config, err) = printed(launch);
    let server = &config["mcpServers"]["permissions"];
    assert_eq!(server["args"], json!(["mcp", "serve", "--socket", "/a b/s.sock", "--label", "review"]));
    assert_eq!((&server["type"], &server["timeout"]), (&json!("stdio"), &json!(2_147_483_647)));
    let program = std::path::Path::new(server["command"].as_str().unwrap());
    assert!(program.is_absolute() && program.ends_with("tim"), "{program:?}");
    assert_eq!(err, "");
}

#[test]
fn a_socket_is_named_by_all_of_its_path() {
    let launch = Launch::tim(["mcp", "config", "--socket", "s.sock"]);
    let folder = launch.folder().folder("here").canonicalize().unwrap();
    let (config, _) = printed(launch.within(folder.clone()));
    assert_eq!(config["mcpServers"]["permissions"]["args"][3], folder.join("s.sock").to_str().unwrap());
}

#[test]
fn without_a_socket_it_says_what_else_is_needed() {
    let (config, err) = printed(Launch::tim(["mcp", "config"]));
    assert_eq!(config["mcpServers"]["permissions"]["args"], json!(["mcp", "serve"]));
    assert!(err.contains("TIM_OUTPUT_SOCKET"), "{err}");
    let (_, err) = printed(Launch::tim(["mcp", "config"]).env("TIM_OUTPUT_SOCKET", "/s"));
    assert_eq!(err, "");
}

#[test]
fn a_path_that_is_no_text_is_an_error() {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = std::ffi::OsStr::from_bytes(b"/s\xff");
    let (code, out, err) = Launch::tim(["mcp", "config", "--socket"]).arg(odd).start().exit();
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("not UTF-8"), "{err}");
}
