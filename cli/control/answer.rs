//! `tim answer`: an answer to an open question, from another shell.
//!
//! Owns which question a shortened key means. Asks the run for the question first, to know what the words mean for it.

use codec::control::{Answer, Decline, OpenQuestion, Ps, Reply, Request, Status};
use codec::id::Key;
use codec::json::{Json, Object, Text};

use super::tree::roots;
use super::{Failed, Found, ask, print, question, runs, words};
use crate::args::AnswerArgs;
use crate::environment::Environment;
use crate::exit::Code;

/// Runs the command.
pub(crate) fn run(args: &AnswerArgs, environment: &Environment) -> Code {
    crate::on_one_thread(async {
        match answered(args, environment).await {
            Ok(key) => print(&format!("{key} {}\n", if args.decline { "declined" } else { "answered" })),
            Err(failed) => failed.complain(),
        }
    })
}

async fn answered(args: &AnswerArgs, environment: &Environment) -> Result<Key, Failed> {
    let runs = runs(environment).await.some()?;
    let (run, key) = meant(&args.key, &runs.iter().map(|found| &found.status).collect::<Vec<_>>())?;
    let Some(Found { socket, .. }) = runs.get(run) else { return Err(Failed::lost(super::NONE)) };
    let request = if args.decline {
        Request::Decline(Decline::of(key.clone()))
    } else {
        let asked = ask(socket, &Request::Ps(Ps { key: Some(key.clone()), ..Ps::of() })).await?;
        let open = match &asked {
            Reply::Status(status) => status.questions.first(),
            _ => None,
        };
        Request::Answer(Answer::of(key.clone(), value(args, open)?))
    };
    ask(socket, &request).await.map(|_| key)
}

/// What is answered. Of a question that is not open nothing is known: the run says so, and puts it on record.
fn value(args: &AnswerArgs, open: Option<&OpenQuestion<'_>>) -> Result<Json<'static>, Failed> {
    if let Some(json) = &args.json {
        let value = Json::parse(json.trim()).map(Json::into_owned);
        let value = value.ok_or_else(|| {
            Failed::usage(format!("--json {json}: no JSON value: write one, such as {{\"allow\":true}}"))
        })?;
        // Whoever would change what runs must not believe that they have.
        let changes = |object: Object<'_>| object.peek("updatedInput").is_some();
        return match Object::read(value.clone()).is_ok_and(changes) {
            true => {
                Err(Failed::usage("--json: an answer cannot change what was asked (updatedInput)".to_owned()))
            }
            false => Ok(value),
        };
    }
    let Some(open) = open else { return Ok(Text::new(&args.value.join(" ")).into_json()) };
    let unreadable =
        || Failed::usage(format!("{}: a question of another version; answer with --json", open.key));
    let question = question::of(open).ok_or_else(unreadable)?;
    let answer = words::answer(&question, &args.value, args.reason.as_deref());
    answer.map_err(|why| Failed { reason: "unfit".to_owned(), message: format!("{}: {why}", open.key) })
}

/// The question that is meant, and the number of its run: `7f3c0a1b.p14`, with less of the run, or without it.
fn meant(text: &str, runs: &[&Status<'_>]) -> Result<(usize, Key), Failed> {
    let (run, number) = match text.split_once('.') {
        Some((run, number)) if !run.is_empty() => (run, number),
        _ => ("", text),
    };
    let number = Key::new(&format!("0.{number}")).map(|key| key.number);
    let number = number.ok_or_else(|| {
        Failed::usage(format!("{text} is no key of a question, like 7f3c0a1b.p14: `tim ps` shows them"))
    })?;
    let key = |at: usize, status: &Status<'_>| (at, Key { run: status.run.get().into(), number });
    let of_run = runs.iter().enumerate().filter(|(_, status)| status.run.get().starts_with(run));
    let named: Vec<(usize, Key)> = of_run.map(|(at, status)| key(at, status)).collect();
    match named.as_slice() {
        [] => return Err(Failed::lost(&format!("no run begins with {run}: `tim ps` lists them"))),
        [one] if !run.is_empty() => return Ok(one.clone()),
        _ => {}
    }
    let is_open = |(at, key): &&(usize, Key)| {
        runs.get(*at).is_some_and(|status| status.questions.iter().any(|open| open.key == *key))
    };
    let open: Vec<(usize, Key)> = named.iter().filter(is_open).cloned().collect();
    let roots = roots(runs);
    let of_roots: Vec<_> = open.iter().filter(|(at, _)| roots.get(*at) == Some(&true)).collect();
    match (of_roots.as_slice(), open.as_slice()) {
        ([one], _) => Ok((*one).clone()),
        (_, [one]) => Ok(one.clone()),
        // What became of it only its run knows.
        (_, []) if named.len() == 1 => named.into_iter().next().ok_or_else(|| Failed::lost(super::NONE)),
        (_, []) => Err(Failed::usage(format!("no question {text} is open: `tim ps` shows which are"))),
        (_, several) => {
            let keys: Vec<String> = several.iter().map(|(_, key)| key.to_string()).collect();
            Err(Failed::usage(format!("{text} may be any of {}; say which", keys.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, pid: u64, client: u64, open: &[u64]) -> Status<'static> {
        let questions: Vec<String> = open
            .iter()
            .map(|number| {
                format!(r#"{{"v":1,"key":"{id}.p{number}","path":"x","kind":"confirm","config":{{}}}}"#)
            })
            .collect();
        let line = format!(
            r#"{{"type":"ps","v":1,"run":"{id}","pid":{pid},"role":"run","folder":"/","startedUnixMs":1,"version":"1","desk":true,"path":"c","agents":[],"askers":[{{"wire":"tunnel:1","path":"c","what":"tim","speaks":"tunnel","hears":true,"pid":{client}}}],"questions":[{}]}}"#,
            questions.join(",")
        );
        match Reply::read(line.as_bytes()).unwrap() {
            Reply::Status(status) => codec::json::IntoOwned::into_owned(*status),
            other => panic!("{other:?}"),
        }
    }

    fn key(text: &str, runs: &[Status<'_>]) -> Result<String, String> {
        let found = meant(text, &runs.iter().collect::<Vec<_>>());
        found.map(|(_, key)| key.to_string()).map_err(|failed| failed.message)
    }

    #[test]
    fn a_key_may_be_shortened_to_what_only_one_open_question_has() {
        let runs = [run("7f3c0a1b", 1, 100, &[1, 2]), run("7f91aa00", 2, 100, &[2, 3])];
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(key("7f3c0a1b.p2", &runs), ok("7f3c0a1b.p2"));
        assert_eq!(key("7f3c.p2", &runs), ok("7f3c0a1b.p2"));
        assert_eq!(key("p1", &runs), ok("7f3c0a1b.p1"));
        assert_eq!(key("p3", &runs), ok("7f91aa00.p3"));
        assert_eq!(key("7f3c.p9", &runs), ok("7f3c0a1b.p9"), "the run says that it is not open");
        assert!(key("p2", &runs).unwrap_err().contains("7f3c0a1b.p2, 7f91aa00.p2"));
        assert!(key("7f.p2", &runs).unwrap_err().contains("say which"));
        assert!(key("p9", &runs).is_err() && key("abcd.p1", &runs).is_err());
        for no_key in ["", "14", "p", "p01", "7f3c.14", "p1 "] {
            assert!(key(no_key, &runs).unwrap_err().contains("no key"), "{no_key}");
        }
    }

    #[test]
    fn what_a_nested_run_passes_on_is_answered_above() {
        let runs = [run("aaaa", 1, 2, &[1]), run("bbbb", 2, 100, &[1])];
        assert_eq!(key("p1", &runs), Ok("aaaa.p1".to_owned()));
        assert_eq!(key("bbbb.p1", &runs), Ok("bbbb.p1".to_owned()), "unless it is named");
    }
}
