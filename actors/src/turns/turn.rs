//! What a turn is, once it is over: plain values.

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// its number in the record, in the order in which turns began, from 1
    pub number: u64,
    /// whose it is: `claude:main`, `agent:main`
    pub wire: String,
    /// when it began, in milliseconds since the run did
    pub began_ms: u64,
    /// when it ended, if the record shows it
    pub ended_ms: Option<u64>,
    /// what was said to the agent while it went on, what it began with first
    pub said: Vec<String>,
    /// what the agent said
    pub text: String,
    /// the tools that it used, subagents' not counted
    pub tools: Vec<TurnTool>,
    /// what it asked
    pub questions: Vec<TurnQuestion>,
    /// what went wrong in it, also if it went well in the end
    pub errors: Vec<String>,
    /// what the agent printed that is not in its language
    pub noise: Vec<String>,
    /// all of these in the order in which they came
    pub course: Vec<Part>,
    /// tokens read and written, if the agent told
    pub usage: Option<(u64, u64)>,
    /// how it ended
    pub end: TurnEnd,
    /// what there was more of
    pub left_out: LeftOut,
}

/// A part of a turn: which of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// what was said to the agent
    Said(usize),
    /// a piece of the text, from here to there in bytes
    Text(usize, usize),
    /// a tool
    Tool(usize),
    /// a question
    Question(usize),
    /// an error
    Error(usize),
    /// something not in its language
    Noise(usize),
}

/// A tool that was used in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnTool {
    /// its name
    pub name: String,
    /// what says most of its input, in one line
    pub input_summary: String,
    /// whether it failed; nothing if it did not end
    pub failed: Option<bool>,
}

/// A question that was asked in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnQuestion {
    /// what was asked, in one line
    pub asked: String,
    /// how it ended; nothing if the turn ended before it
    pub ended: Option<String>,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// the agent said that it is done
    Done,
    /// it failed, and why
    Failed(String),
    /// a person said no to the agent, or a question of it ended without a yes
    Rejected,
    /// the agent, or the record, ended before it
    Unfinished,
}

/// How much of a turn is not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// bytes of what was said to the agent
    pub said: u64,
    /// bytes of what it said
    pub text: u64,
    /// tools
    pub tools: u64,
    /// questions
    pub questions: u64,
    /// errors
    pub errors: u64,
    /// lines that are not in the agent's language
    pub noise: u64,
}
