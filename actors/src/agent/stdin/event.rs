//! What can happen to the child's stdin, and what comes of it. Plain values; how they are judged stands in `stdin.rs`.

use codec::id::RequestId;

use crate::agent::background::TaskChange;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// the first message of the run
    PromptWritten,
    /// told when it is taken for writing, before the line it was on counts as empty
    MessageWritten {
        uuid: String,
    },
    /// `command_lifecycle` started
    MessageStarted {
        uuid: String,
    },
    /// `command_lifecycle` completed
    MessageCompleted {
        uuid: String,
    },
    /// the replay of old CLIs
    MessageEchoed {
        uuid: String,
    },
    /// `command_lifecycle` cancelled: the CLI will not read it
    MessageDropped {
        uuid: String,
    },
    /// the CLI agreed to `cancel_async_message`: the person does not want it read
    MessageTakenBack {
        uuid: String,
    },
    TurnBegan,
    /// a result line; `read` are the messages that it names
    TurnEnded {
        unasked: bool,
        read: Vec<String>,
    },
    QuestionOpened {
        id: RequestId,
    },
    /// answered (the reply is written) or withdrawn
    QuestionClosed {
        id: RequestId,
    },
    Task(TaskChange),
    /// the person's line has text, or not
    Line {
        has_text: bool,
    },
    /// more messages may come although nothing is open
    KeepOpen(bool),
    /// the person said that this was all
    EndSaid,
    /// messages that nothing was heard of are not waited for any more
    NotWaitedFor,
    /// any other line of the child
    Heard,
    TimePassed,
    WriteFailed,
    ChildExited,
}

/// Stdin is to be closed, now, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Close {
    /// nothing is left to be done
    Settled,
    /// the pipe is broken; the exit follows
    WriteFailed,
    /// nobody reads it any more
    ChildExited,
}

impl Event {
    /// Whether it tells that the child lives, or has something to do. What the person does at the line does not.
    pub(super) fn is_a_stir(&self) -> bool {
        let is_the_persons = matches!(self, Event::Line { .. } | Event::KeepOpen(_) | Event::EndSaid);
        !is_the_persons && !matches!(self, Event::NotWaitedFor | Event::TimePassed)
    }
}
