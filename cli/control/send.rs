//! `tim send` and `tim stop`: words for an agent, and an end of what it does.
//!
//! Owns whom a name means among all runs.

use actors::control::names::{ALL, called, is_all};
use codec::control::{Reply, Request, Send, Status, Stop};
use codec::json::Text;

use super::tree::roots;
use super::{Failed, Found, ask, of_run, print, runs};
use crate::args::{SendArgs, StopArgs};
use crate::environment::Environment;
use crate::exit::Code;

/// Runs `tim send`.
pub(crate) fn send(args: &SendArgs, environment: &Environment) -> Code {
    crate::on_one_thread(async {
        let sent = sent(args, environment).await;
        sent.map_or_else(
            |failed| failed.complain(),
            |to| print(&format!("sent to {}\n", codec::text::visible(&to))),
        )
    })
}

/// Runs `tim stop`.
pub(crate) fn stop(args: &StopArgs, environment: &Environment) -> Code {
    let what = if args.end { "ended" } else { "interrupted" };
    crate::on_one_thread(async {
        let stopped = stopped(args, environment).await;
        stopped.map_or_else(
            |failed| failed.complain(),
            |who| print(&format!("{what} {}\n", codec::text::visible(&who))),
        )
    })
}

async fn sent(args: &SendArgs, environment: &Environment) -> Result<String, Failed> {
    if args.text.iter().all(|word| word.trim().is_empty()) {
        return Err(Failed::usage("there is nothing to send: the text is empty".to_owned()));
    }
    let runs = of_run(runs(environment).await.some()?, args.run.as_deref())?;
    let text = Text::new(&args.text.join(" "));
    if is_all(&args.name) {
        return sent_to_all(&runs, &text).await;
    }
    let (at, to) = one_called(&args.name, &runs, hearers)?;
    let Some(found) = runs.get(at) else { return Err(Failed::lost(super::NONE)) };
    ask(&found.socket, &Request::Send(Send::of(Text::new(&to), text))).await.map(|reply| to_whom(&reply))
}

/// Nested runs hear it through the one that they are below.
async fn sent_to_all(runs: &[Found], text: &Text<'static>) -> Result<String, Failed> {
    let is_root = roots(&runs.iter().map(|found| &found.status).collect::<Vec<_>>());
    let (mut heard, mut failed) = (Vec::new(), None);
    for (found, _) in runs.iter().zip(is_root).filter(|(_, is_root)| *is_root) {
        let request = Request::Send(Send::of(Text::new(ALL), text.clone()));
        match ask(&found.socket, &request).await {
            Ok(reply) => heard.push(to_whom(&reply)),
            Err(why) => failed = Some(why),
        }
    }
    match failed {
        Some(failed) if heard.is_empty() => Err(failed),
        _ => Ok(heard.join(", ")),
    }
}

async fn stopped(args: &StopArgs, environment: &Environment) -> Result<String, Failed> {
    let runs = of_run(runs(environment).await.some()?, args.run.as_deref())?;
    let (at, to) = one_called(&args.name, &runs, agents)?;
    let Some(found) = runs.get(at) else { return Err(Failed::lost(super::NONE)) };
    let stop = Stop { end: args.end.then_some(true), ..Stop::of(Text::new(&to)) };
    ask(&found.socket, &Request::Stop(stop)).await.map(|reply| to_whom(&reply))
}

fn to_whom(reply: &Reply<'_>) -> String {
    match reply {
        Reply::Done(done) => {
            let to = done.to.iter().flatten().map(|to| to.get().into_owned());
            to.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// Who hears typed lines in a run.
fn hearers(status: &Status<'_>) -> Vec<String> {
    status.askers.iter().filter(|asker| asker.hears).map(|asker| asker.path.get().into_owned()).collect()
}

/// The agents of a run's own.
fn agents(status: &Status<'_>) -> Vec<String> {
    status.agents.iter().map(|agent| agent.path.get().into_owned()).collect()
}

/// The one who is called so among all runs. Where there is only one run, it knows best who is meant.
fn one_called(
    name: &str,
    runs: &[Found],
    names: fn(&Status<'_>) -> Vec<String>,
) -> Result<(usize, String), Failed> {
    let all: Vec<(usize, String)> = runs
        .iter()
        .enumerate()
        .flat_map(|(at, found)| names(&found.status).into_iter().map(move |path| (at, path)))
        .collect();
    let told = |all: &[&(usize, String)]| {
        let one = |(at, path): &&(usize, String)| {
            let run = runs.get(*at).map(|found| found.status.run.get().into_owned()).unwrap_or_default();
            format!("{path} (--run {run})")
        };
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    match called(name, all.iter().map(|one| (one.1.as_str(), one))).as_slice() {
        [one] => Ok((*one).clone()),
        [] if runs.len() == 1 => Ok((0, name.to_owned())),
        [] if all.is_empty() => Err(Failed::usage(format!("nobody is called {name}, nor anything else"))),
        [] => {
            let there = told(&all.iter().collect::<Vec<_>>());
            Err(Failed::usage(format!("nobody is called {name}; there is {there}")))
        }
        several => Err(Failed::usage(format!("{name} may be any of {}; say which", told(several)))),
    }
}
