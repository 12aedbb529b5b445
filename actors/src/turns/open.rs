//! A turn that goes on: what is known of it so far.
//!
//! Owns the limits of what is kept, and which result belongs to which tool and question. What is over a limit is counted,
//! never silently gone. Ends as a `Turn`.

use std::collections::HashMap;

use codec::id::{Key, RequestId};

use super::{Part, Piece, Step, Turn, TurnEnd, TurnQuestion, TurnTool, brief};

/// How many bytes of a turn's text are kept, and of what was said to it.
pub(super) const MOST_TEXT: usize = 1 << 20;
/// How many of its tools are kept, of its questions and errors, and of the lines that were said to it and that are no messages.
pub(super) const MOST_PARTS: usize = 10_000;
/// A longer id is nobody's; what it names is not found again.
const LONGEST_ID: usize = 1_024;

/// Words for a failure that has none.
const NO_WORDS: &str = "the agent does not say why";

#[derive(Debug)]
pub(super) struct Open {
    turn: Turn,
    /// how many bytes were said to it
    said: usize,
    /// tools that did not end, by their ids; those without one; and the last one that began
    tools: HashMap<String, usize>,
    unnamed: Vec<usize>,
    last_tool: Option<usize>,
    /// questions by the names that the agent and we gave them
    ids: HashMap<RequestId, usize>,
    keys: HashMap<Key, usize>,
    trouble: Option<String>,
    /// the agent was told to stop
    is_stopped: bool,
}

impl Open {
    pub(super) fn new(number: u64, wire: &str, began_ms: u64) -> Self {
        let turn = Turn {
            number,
            wire: wire.to_owned(),
            began_ms,
            ended_ms: None,
            said: Vec::new(),
            text: String::new(),
            tools: Vec::new(),
            questions: Vec::new(),
            errors: Vec::new(),
            noise: Vec::new(),
            course: Vec::new(),
            usage: None,
            end: TurnEnd::Unfinished,
            left_out: Default::default(),
        };
        Self {
            turn,
            said: 0,
            tools: HashMap::new(),
            unnamed: Vec::new(),
            last_tool: None,
            ids: HashMap::new(),
            keys: HashMap::new(),
            trouble: None,
            is_stopped: false,
        }
    }

    /// Whether more than one line was said to it.
    pub(super) fn was_told_more(&self) -> bool {
        self.turn.said.len() > 1
    }

    /// The turn ended.
    pub(super) fn close(self, end: TurnEnd, at: Option<u64>) -> Turn {
        Turn { end, ended_ms: at, ..self.turn }
    }

    /// What it comes to that the agent said to be over. One that was stopped did not fail by itself.
    pub(super) fn end_of(&mut self, went: Result<(), Option<String>>) -> TurnEnd {
        match went {
            Ok(()) => TurnEnd::Done,
            Err(_) if self.is_stopped => TurnEnd::Failed(INTERRUPTED.to_owned()),
            Err(words) => {
                let words = words.or_else(|| self.trouble.take());
                TurnEnd::Failed(words.unwrap_or_else(|| NO_WORDS.to_owned()))
            }
        }
    }

    /// Something that does not end it.
    pub(super) fn take(&mut self, step: Step) {
        match step {
            Step::Said(text) => self.said(&text),
            Step::Text(text, piece) => self.text(&text, piece),
            Step::Tool(id, name, input) => self.tool(id, name, input),
            Step::ToolEnded(id, failed) => self.tool_ended(id, failed),
            Step::Asked(id, asked) => self.asked(&id, asked),
            Step::Replied(id, how) => {
                let at = self.ids.get(&id).copied();
                self.settle(at, &how);
            }
            Step::Usage(input, output) => {
                let (before_in, before_out) = self.turn.usage.unwrap_or_default();
                self.turn.usage = Some((before_in.saturating_add(input), before_out.saturating_add(output)));
            }
            Step::Trouble(words) => self.went_wrong(words),
            Step::Noise(line) => self.printed(line),
            Step::Stopped => self.is_stopped = true,
            Step::Begins | Step::Rejected | Step::Over(_) => {}
        }
    }

    fn said(&mut self, text: &str) {
        let room = MOST_TEXT.saturating_sub(self.said);
        let kept = if self.turn.said.len() < MOST_PARTS { head(text, room) } else { "" };
        self.turn.left_out.said += length(text) - length(kept);
        if !kept.is_empty() || text.is_empty() && self.turn.said.len() < MOST_PARTS {
            self.said += kept.len();
            self.turn.course.push(Part::Said(self.turn.said.len()));
            self.turn.said.push(kept.to_owned());
        }
    }

    fn text(&mut self, text: &str, piece: Piece) {
        let own = &mut self.turn.text;
        if piece == Piece::Whole && !own.is_empty() && !own.ends_with('\n') {
            own.push('\n');
        }
        // Behind a cut nothing follows: it would look as if it belonged together.
        let room = if self.turn.left_out.text == 0 { MOST_TEXT.saturating_sub(own.len()) } else { 0 };
        let kept = head(text, room);
        let from = own.len();
        own.push_str(kept);
        self.turn.left_out.text += length(text) - length(kept);
        let to = own.len();
        match self.turn.course.last_mut() {
            _ if kept.is_empty() => {}
            Some(Part::Text(_, end)) => *end = to,
            _ => self.turn.course.push(Part::Text(from, to)),
        }
    }

    /// The last error is why it failed, if it does.
    fn went_wrong(&mut self, words: String) {
        if self.turn.errors.len() < MOST_PARTS {
            self.turn.course.push(Part::Error(self.turn.errors.len()));
            self.turn.errors.push(words.clone());
        } else {
            self.turn.left_out.errors += 1;
        }
        self.trouble = Some(words);
    }

    fn printed(&mut self, line: String) {
        if self.turn.noise.len() < MOST_PARTS {
            self.turn.course.push(Part::Noise(self.turn.noise.len()));
            self.turn.noise.push(line);
        } else {
            self.turn.left_out.noise += 1;
        }
    }

    fn tool(&mut self, id: Option<String>, name: String, input_summary: String) {
        let at = self.turn.tools.len();
        if at >= MOST_PARTS {
            self.turn.left_out.tools += 1;
            return;
        }
        self.turn.course.push(Part::Tool(at));
        self.turn.tools.push(TurnTool { name, input_summary, failed: None });
        self.last_tool = Some(at);
        match id.filter(|id| id.len() <= LONGEST_ID) {
            Some(id) => _ = self.tools.insert(id, at),
            None => self.unnamed.push(at),
        }
    }

    /// A result without a name is that of the last tool without one, or else of the last.
    fn tool_ended(&mut self, id: Option<String>, failed: bool) {
        let at = match id {
            Some(id) => self.tools.remove(&id),
            None => self.unnamed.pop().or(self.last_tool),
        };
        let tool = at.and_then(|at| self.turn.tools.get_mut(at));
        if let Some(tool) = tool.filter(|tool| tool.failed.is_none()) {
            tool.failed = Some(failed);
        }
    }

    fn asked(&mut self, id: &RequestId, asked: String) {
        if let Some(at) = self.question(asked)
            && id.raw().len() <= LONGEST_ID
        {
            self.ids.insert(id.clone(), at);
        }
    }

    /// One more question; its place, if there is room for it.
    fn question(&mut self, asked: String) -> Option<usize> {
        let at = self.turn.questions.len();
        if at >= MOST_PARTS {
            self.turn.left_out.questions += 1;
            return None;
        }
        self.turn.course.push(Part::Question(at));
        self.turn.questions.push(TurnQuestion { asked, ended: None });
        Some(at)
    }

    /// The router took a question on, and gave it a key. Mostly its line was heard before.
    pub(super) fn accepted(&mut self, key: &Key, id: Option<&RequestId>, asked: String) {
        let heard = id.and_then(|id| self.ids.get(id)).copied();
        let is_heard = |at: &usize| self.turn.questions.get(*at).is_some_and(|known| known.ended.is_none());
        if let Some(at) = heard.filter(is_heard).or_else(|| self.question(asked)) {
            self.keys.insert(key.clone(), at);
        }
    }

    /// A question ended. Says whether it is one of this turn.
    pub(super) fn ended(&mut self, key: &Key, how: &str) -> bool {
        let at = self.keys.remove(key);
        self.settle(at, how);
        at.is_some()
    }

    /// The first word about how a question ended counts: the router's own comes before the line that the agent is told.
    fn settle(&mut self, at: Option<usize>, how: &str) {
        let question = at.and_then(|at| self.turn.questions.get_mut(at));
        if let Some(question) = question.filter(|question| question.ended.is_none()) {
            question.ended = Some(brief::short(how));
        }
    }
}

/// What a turn came to that somebody interrupted.
pub(super) const INTERRUPTED: &str = "interrupted";

/// As much of the beginning as there is room for, never half a character.
fn head(text: &str, room: usize) -> &str {
    text.get(..text.floor_char_boundary(room)).unwrap_or_default()
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}
