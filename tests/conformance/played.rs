//! A fixture, played.

use std::fmt::Write as _;
use std::path::Path;

use actors::end::End;
use actors::replay::{Difference, Happening, Replay};
use actors::router::{News, Stage};
use codec::Outcome;
use codec::claude::{Decision, Input};
use codec::json::Object;
use codec::text::visible;
use codec::tunnel::{Down, QuestionKind};

/// What a scenario is about.
pub(crate) type Point = fn(&Played);

/// All that a replay told.
#[derive(Debug, Default)]
pub(crate) struct Played {
    rows: String,
    /// the lines that the router sent
    pub(crate) sent: Vec<(String, String)>,
    /// the questions that were accepted
    pub(crate) asked: Vec<QuestionKind>,
    /// how they ended
    pub(crate) ends: Vec<End>,
    /// answers that did not count
    pub(crate) news: Vec<News>,
    /// lines that could not be understood
    pub(crate) noise: Vec<String>,
    /// what could not be used
    pub(crate) unused: Vec<String>,
    /// where the recorded program said something else
    pub(crate) differs: Vec<Difference>,
    /// how many reports came through
    pub(crate) reports: usize,
}

impl Played {
    pub(crate) fn file(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let (mut played, mut replay) = (Self::default(), Replay::new());
        // Behind the last line end there is nothing, or half a line.
        let (whole, torn) =
            bytes.split_at(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        for line in whole.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            for (at, happening) in replay.line(line).unwrap() {
                played.take(at, happening);
            }
        }
        if !torn.is_empty() {
            for (at, happening) in replay.last_line(torn).unwrap() {
                played.take(at, happening);
            }
        }
        for (at, happening) in replay.finish().unwrap() {
            played.take(at, happening);
        }
        played
    }

    fn take(&mut self, at: u64, happening: Happening) {
        let row = match happening {
            Happening::Sent { wire, line } => {
                let row = format!("{wire} ← {}", visible(&line));
                self.sent.push((wire, line));
                row
            }
            Happening::Question(emitted) => {
                let row = visible(&emitted.line).into_owned();
                match emitted.what {
                    Stage::Asked { question, .. } => self.asked.push(question.kind()),
                    Stage::Ended(end) => self.ends.push((*end).clone()),
                }
                row
            }
            Happening::Told { desk, key, news } => {
                let row = format!("{desk} hears about {key}: {news:?}");
                self.news.push(news);
                row
            }
            Happening::Noise { wire, why, .. } => {
                let why = format!("{wire}: {why}");
                let row = format!("not understood: {}", visible(&why));
                self.noise.push(why);
                row
            }
            Happening::Remark(why) => format!("remark: {}", visible(&why)),
            Happening::Unused(why) => {
                let row = format!("unused: {}", visible(&why));
                self.unused.push(why);
                row
            }
            Happening::Differs(difference) => {
                let row = match (&difference.recorded, &difference.replayed) {
                    (Some(recorded), _) => {
                        format!("recorded instead, on {}: {}", difference.wire, visible(recorded))
                    }
                    (None, replayed) => {
                        let replayed = replayed.as_deref().unwrap_or_default();
                        format!("not recorded, on {}: {}", difference.wire, visible(replayed))
                    }
                };
                self.differs.push(difference);
                row
            }
            Happening::Reported { .. } => {
                self.reports += 1;
                return;
            }
            // Whoever only routes has nothing to do with it.
            Happening::Aside(_) => return,
        };
        writeln!(self.rows, "{at:>6} {row}").unwrap();
    }

    /// The rows for people.
    pub(crate) fn told(&self) -> String {
        format!("{}{} reports came through\n", self.rows, self.reports)
    }

    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.ends.iter().map(End::outcome).collect()
    }

    /// The replies to a question of a client, as it understands them: how it ended, and the value or what it is told.
    pub(crate) fn replies(&self, id: &str) -> Vec<(Outcome, String)> {
        let reply = |(_, line): &(String, String)| match Down::read(line.as_bytes()).unwrap() {
            Down::Response(response) if response.request_id.get() == id => {
                let said = response.value.as_ref().map_or_else(
                    || response.error().unwrap_or_default(),
                    |value| value.raw().replace(' ', ""),
                );
                Some((response.ended(), said))
            }
            Down::Permission(response) if response.request_id.get() == id => {
                Some((response.outcome.unwrap(), response.approved.to_string()))
            }
            _ => None,
        };
        self.sent.iter().filter_map(reply).collect()
    }

    /// What an agent was told about its tools, in order: allowed, or the words with which it was denied.
    pub(crate) fn decisions(&self) -> Vec<Result<String, String>> {
        let decision = |(_, line): &(String, String)| {
            let Ok(Input::ControlResponse(reply)) = Input::read(line.as_bytes()) else { return None };
            let reply = reply.response;
            let Some(response) = reply.response else {
                return Some(Err(reply.error.unwrap().get().into_owned()));
            };
            match Decision::from_object(Object::read(response).unwrap()) {
                Decision::Allow(allow) => Some(Ok(allow.updated_input.unwrap().raw().to_owned())),
                Decision::Deny(deny) => Some(Err(deny.message.unwrap().get().into_owned())),
                Decision::Unknown(odd) => panic!("{odd:?}"),
            }
        };
        self.sent.iter().filter_map(decision).collect()
    }
}
