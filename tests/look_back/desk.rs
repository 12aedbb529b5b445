//! A folder of runs, and somebody who looks back at them.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::support::launch::Launch;
use crate::support::temp::Temp;

/// A home with records.
pub(crate) struct Past(pub(crate) Arc<Temp>);

impl Past {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Temp::new()))
    }

    /// Where the records of all runs are.
    pub(crate) fn folder(&self) -> PathBuf {
        let folder = self.0.path("state/tim/runs");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A run that began at that time, with these records behind the first.
    pub(crate) fn run(&self, id: &str, started: &str, records: &[&str]) -> PathBuf {
        self.run_called(id, started, "", records)
    }

    /// The same for one that a parent calls so.
    pub(crate) fn run_called(&self, id: &str, started: &str, called: &str, records: &[&str]) -> PathBuf {
        let name: String = started.chars().filter(|letter| !"-:".contains(*letter)).collect();
        let path = self.folder().join(format!("{}Z-{id}.jsonl", name.split('.').next().unwrap()));
        let first = format!(
            r#""rec":"run","v":1,"id":"{id}","seed":"s","started":"{started}","writer":"tim 0","rules":{{"allow":[],"deny":[],"root":"/w/app","home":"/home/jo"}},"role":"run"{called}"#
        );
        let lines = std::iter::once(first.as_str()).chain(records.iter().copied()).enumerate();
        let text: String =
            lines.map(|(at, record)| format!("{{\"seq\":{at},\"t\":{},{record}}}\n", at * 1_000)).collect();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// What `tim log` says: its exit code, stdout and stderr.
    pub(crate) fn log(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let launch = Launch::tim_in(Arc::clone(&self.0), ["log"]).env("TZ", "UTC");
        arguments.iter().fold(launch, |launch, argument| launch.arg(argument)).start().exit()
    }

    /// The same where all goes well.
    pub(crate) fn told(&self, arguments: &[&str]) -> String {
        let (code, stdout, stderr) = self.log(arguments);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
        stdout
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let all: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        serde_json::from_str(&self.told(&all)).unwrap()
    }
}

/// The lines of an agent's wire.
pub(crate) fn from(line: &str) -> String {
    format!(r#""wire":"claude:main","dir":"from","line":{}"#, Value::from(line))
}

pub(crate) const CAME: &str = r#""rec":"attach","wire":"claude:main","path":"claude","pid":7"#;

/// A permission that was asked for.
pub(crate) fn asks(key: &str, path: &str, command: &str, id: &str) -> String {
    let command = Value::from(command);
    format!(
        r#""rec":"ask","key":"{key}","kind":"permission","wire":"claude:main","path":"{path}","requestId":"{id}","tool":{{"name":"Bash","input":{{"command":{command}}},"reason":"it must be asked","tool_use_id":"u-{id}"}},"for":"agent""#
    )
}

/// How a question ended.
pub(crate) fn ends(key: &str, how: &str) -> String {
    format!(r#""rec":"outcome","key":"{key}",{how}"#)
}

pub(crate) const YES: &str = r#""outcome":"answered","source":"terminal","value":{"allow":true}"#;
pub(crate) const NO: &str =
    r#""outcome":"answered","source":"terminal","value":{"allow":false,"reason":"not yet"}"#;
pub(crate) const RULED: &str =
    r#""outcome":"answered","source":"rule","value":{"allow":true,"rule":"Bash(git status:*)"}"#;
pub(crate) const REFUSED: &str = r#""outcome":"refused","reason":"no_desk""#;
