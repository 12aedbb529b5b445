//! What is asked for, and what comes of it.
//!
//! Owns the words of every reply. Decides nothing: answers go to the router by the desk, lines to the router, and agents are
//! steered by whoever runs them.

use std::rc::Rc;

use actix::Addr;
use codec::control::{self, Done, Reply, Request};
use codec::frame::Frame;
use codec::id::{Key, Path};
use codec::json::Text;

use crate::messages::{Look, Tell, Typed};
use crate::ports::{AgentState, Agents};
use crate::router::{Picture, Router, Ruling, Said};

use super::desk::{ControlDesk, HowEnded, Says};
use super::names::{called, is_all};
use super::status::{Identity, status};

/// All that a request can be about.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) identity: Rc<Identity>,
    pub(super) router: Addr<Router>,
    pub(super) desk: Addr<ControlDesk>,
    pub(super) agents: Rc<dyn Agents>,
}

/// The run is over: nobody can be asked for anything.
const OVER: (&str, &str) = ("over", "the run is over");

impl Run {
    /// What came of one line.
    pub(super) async fn reply(&self, frame: &Frame) -> Reply<'static> {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversized(over) => {
                let why = format!("a line of {} bytes, over the limit of {}", over.length, control::LONGEST);
                return Reply::failure("invalid", &why);
            }
            Frame::Torn { length } => {
                return Reply::failure(
                    "invalid",
                    &format!("the connection ended in a line of {length} bytes"),
                );
            }
        };
        match Request::read(line) {
            Ok(Request::Ps(ps)) => self.ps(ps.key.as_ref()).await,
            Ok(Request::Answer(answer)) => {
                self.says(answer.key, Said::Answer(answer.value.into_owned())).await
            }
            Ok(Request::Decline(decline)) => self.says(decline.key, Said::Decline).await,
            Ok(Request::Send(send)) => self.send(&send.to.get(), &send.text.get()).await,
            Ok(Request::Stop(stop)) => self.stop(&stop.to.get(), stop.end == Some(true)),
            Err(wrong) => Reply::failure("invalid", &wrong.to_string()),
        }
    }

    async fn ps(&self, key: Option<&Key>) -> Reply<'static> {
        let Ok(picture) = self.router.send(Look).await else { return over() };
        Reply::Status(Box::new(status(&self.identity, &picture, &self.agents.all(), key)))
    }

    async fn says(&self, key: Key, said: Said) -> Reply<'static> {
        let ruling = self.desk.send(Says(key.clone(), said)).await.ok().flatten();
        let how = match ruling {
            Some(Ruling::Late) => self.desk.send(HowEnded(key.clone())).await.ok().flatten(),
            _ => None,
        };
        ruling.map_or_else(over, |ruling| ruled(&key, ruling, how.as_deref()))
    }

    async fn send(&self, name: &str, text: &str) -> Reply<'static> {
        let Ok(picture) = self.router.send(Look).await else { return over() };
        let to = match hearer(name, &picture) {
            Ok(to) => to,
            Err(failure) => return failure,
        };
        let input_id = self.agents.announce(to.as_ref(), text);
        let typed = Typed { text: text.to_owned(), to, input_id, ..Typed::default() };
        match self.router.send(Tell(typed)).await {
            Ok(heard) if heard.is_empty() => {
                Reply::failure("nobody", "nobody is there any more who hears it")
            }
            Ok(heard) => {
                Reply::Done(Done { to: Some(heard.iter().map(|to| Text::new(to)).collect()), ..Done::of() })
            }
            Err(_) => over(),
        }
    }

    fn stop(&self, name: &str, ends: bool) -> Reply<'static> {
        let path = match own_agent(name, &self.agents.all()) {
            Ok(path) => path,
            Err(failure) => return failure,
        };
        let is_done = if ends { self.agents.end(&path) } else { self.agents.interrupt(&path) };
        match is_done {
            true => Reply::Done(Done { to: Some(vec![Text::new(&path.to_string())]), ..Done::of() }),
            false => Reply::failure("nobody", &format!("{path} does not run any more")),
        }
    }
}

fn over() -> Reply<'static> {
    Reply::failure(OVER.0, OVER.1)
}

/// What is said of an answer.
fn ruled(key: &Key, ruling: Ruling, how_ended: Option<&str>) -> Reply<'static> {
    match ruling {
        Ruling::Counted => Reply::Done(Done::of()),
        Ruling::Late => {
            let how = how_ended.unwrap_or("it had ended, or somebody else was first");
            Reply::failure("late", &format!("{key}: {how}"))
        }
        Ruling::Unknown => Reply::failure(
            "unknown",
            &format!("there was no question {key}: `tim ps` lists those that are open"),
        ),
        Ruling::Unfit(why) => Reply::failure("unfit", &format!("{key}: the answer does not fit: {why}")),
    }
}

/// Who hears a line for that name: everybody, or whoever has that path or is on the way to it.
fn hearer(name: &str, picture: &Picture) -> Result<Option<Path>, Reply<'static>> {
    let hears: Vec<&str> =
        picture.askers.iter().filter(|seen| seen.hears).map(|seen| seen.path.as_str()).collect();
    if is_all(name) && !hears.is_empty() {
        return Ok(None);
    }
    let below = |own: &&str| name.strip_prefix(*own).is_some_and(|rest| rest.starts_with('/'));
    let path = match called(name, hears.iter().map(|path| (*path, *path))).as_slice() {
        [one] => Path::new(one),
        [] if hears.iter().any(below) => Path::new(name),
        [] => None,
        several => return Err(ambiguous(name, several)),
    };
    path.map(Some).ok_or_else(|| unknown(name, &hears))
}

/// The agent of ours that is called so.
fn own_agent(name: &str, agents: &[AgentState]) -> Result<Path, Reply<'static>> {
    let names: Vec<String> = agents.iter().map(|agent| agent.path.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match called(name, names.iter().copied().zip(agents)).as_slice() {
        [one] => Ok(one.path.clone()),
        [] if agents.is_empty() => Err(Reply::failure(
            "nobody",
            "no agent of this run's own is there: whoever asks here was started elsewhere, and stops there",
        )),
        [] => Err(unknown(name, &names)),
        several => {
            let several: Vec<String> = several.iter().map(|agent| agent.path.to_string()).collect();
            Err(ambiguous(name, &several.iter().map(String::as_str).collect::<Vec<_>>()))
        }
    }
}

fn unknown(name: &str, names: &[&str]) -> Reply<'static> {
    let there = if names.is_empty() { "nobody who listens".to_owned() } else { names.join(", ") };
    Reply::failure("unknown", &format!("nobody here is called {name}; there is {there}"))
}

fn ambiguous(name: &str, several: &[&str]) -> Reply<'static> {
    Reply::failure("ambiguous", &format!("{name} may be any of {}; say which", several.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Seen;

    fn picture(paths: &[(&str, bool)]) -> Picture {
        let seen = |(path, hears): &(&str, bool)| Seen {
            wire: "tunnel:1".to_owned(),
            path: (*path).to_owned(),
            pid: None,
            what: "tim",
            speaks: "tunnel",
            hears: *hears,
        };
        Picture { has_desk: true, askers: paths.iter().map(seen).collect(), open: Vec::new() }
    }

    fn sent_to(name: &str, picture: &Picture) -> Result<Option<String>, String> {
        match hearer(name, picture) {
            Ok(to) => Ok(to.map(|to| to.to_string())),
            Err(Reply::Failure(failure)) => Err(failure.reason.get().into_owned()),
            Err(_) => unreachable!("only a failure"),
        }
    }

    #[test]
    fn a_line_goes_to_whoever_is_called_so_or_is_on_the_way_there() {
        let here =
            picture(&[("main", true), ("main/review", true), ("main/deploy", false), ("x/review", true)]);
        let to = |path: &str| Ok(Some(path.to_owned()));
        assert_eq!(sent_to("main", &here), to("main"));
        assert_eq!(sent_to("@main/review", &here), to("main/review"));
        assert_eq!(sent_to("main/review/claude", &here), to("main/review/claude"));
        assert_eq!(sent_to("all", &here), Ok(None));
        assert_eq!(sent_to("review", &here), Err("ambiguous".to_owned()));
        assert_eq!(sent_to("deploy", &here), Err("unknown".to_owned()), "it does not listen");
        assert_eq!(sent_to("reviewer", &here), Err("unknown".to_owned()));
        assert_eq!(sent_to("all", &picture(&[])), Err("unknown".to_owned()));
    }

    #[test]
    fn only_an_agent_of_the_run_itself_is_stopped() {
        let agent = |path: &str| AgentState {
            path: Path::new(path).unwrap(),
            doing: None,
            cost_usd: None,
            is_waiting: false,
        };
        let agents = [agent("web"), agent("api")];
        assert_eq!(own_agent("@web", &agents).unwrap().to_string(), "web");
        let failed = |reply: Result<Path, Reply<'static>>| reply.unwrap_err().to_line();
        assert!(failed(own_agent("docs", &agents)).contains("web, api"));
        assert!(failed(own_agent("web", &[])).contains("stops there"));
    }

    #[test]
    fn whoever_is_late_hears_what_is_known_of_the_end() {
        let key = Key { run: "7f3c".into(), number: 1 };
        let line = |ruling, how| ruled(&key, ruling, how).to_line();
        assert_eq!(line(Ruling::Counted, None), r#"{"type":"ok"}"#);
        assert!(line(Ruling::Late, Some("its time was up")).contains("7f3c.p1: its time was up"));
        assert!(line(Ruling::Late, None).contains(r#""reason":"late""#));
        assert!(line(Ruling::Unknown, None).contains(r#""reason":"unknown""#));
        assert!(line(Ruling::Unfit("no".to_owned()), None).contains(r#""reason":"unfit""#));
    }
}
