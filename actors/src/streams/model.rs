//! Random streams with random answers, and what a simple reader of such a stream would make of it.

use proptest::prelude::*;

/// A part of what an agent prints.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// anything that only tells something
    Tells(String),
    /// a question that somebody can answer
    Asks {
        id: usize,
        mode: Mode,
    },
    /// one that nobody can answer
    Misasks {
        id: usize,
        rest: &'static str,
    },
    /// one without an id, that is skipped
    Nameless,
    Done(bool),
}

#[derive(Debug, Clone)]
pub(super) enum Mode {
    Approval,
    Choice(Vec<String>),
    Text,
}

/// What the person does about one question: so many answers that do not fit, then something that ends it.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) wrong: usize,
    pub(super) pick: usize,
    pub(super) last: u8,
}

impl Reply {
    /// An answer that fits and is no rejection. Others: 1 reject, 2 decline, 3 time, 4 given back.
    pub(super) const FIT: u8 = 0;
}

/// One life of an agent.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) pieces: Vec<Piece>,
    pub(super) replies: Vec<Reply>,
    /// how many lines come with one read
    pub(super) reads: Vec<usize>,
}

impl Piece {
    /// As the agent prints it.
    pub(super) fn line(&self) -> String {
        let request = |id: &usize, rest: &str| {
            format!(r#"{{"type":"input_request","requestId":"q{id}","prompt":"Well?"{rest}}}"#)
        };
        match self {
            Piece::Tells(line) => line.clone(),
            Piece::Asks { id, mode: Mode::Approval } => request(id, r#","choices":["Do it","Leave it"]"#),
            Piece::Asks { id, mode: Mode::Text } => request(id, r#","input_type":"text""#),
            Piece::Asks { id, mode: Mode::Choice(choices) } => {
                let choices: Vec<String> = choices.iter().map(|choice| format!("{choice:?}")).collect();
                request(id, &format!(r#","input_type":"choice","choices":[{}]"#, choices.join(",")))
            }
            Piece::Misasks { id, rest } => request(id, rest),
            Piece::Nameless => r#"{"type":"input_request","prompt":"Well?","choices":["a","b"]}"#.to_owned(),
            Piece::Done(ok) => format!(r#"{{"type":"done","ok":{ok}}}"#),
        }
    }

    /// The name of what it asks.
    pub(super) fn asks_under(&self) -> Option<String> {
        match self {
            Piece::Asks { id, .. } | Piece::Misasks { id, .. } => Some(format!("q{id}")),
            _ => None,
        }
    }
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Done,
    Rejected,
    Open,
}

/// What is shown of the stream, in order.
pub(super) fn shown(script: &Script) -> Vec<String> {
    read(script).0
}

/// How many turns ended, and how the last one did.
pub(super) fn turns(script: &Script) -> (u64, Option<Last>) {
    let (_, turns, last) = read(script);
    (turns, last)
}

/// A simple reader: one event after the other, and the person at once.
fn read(script: &Script) -> (Vec<String>, u64, Option<Last>) {
    let (mut shown, mut turns, mut last, mut is_over) = (Vec::new(), 0, None, false);
    let mut replies = script.replies.iter();
    for piece in &script.pieces {
        // Nobody says anything more here: a turn that was rejected is the last one.
        if is_over {
            break;
        }
        if !matches!(piece, Piece::Misasks { .. } | Piece::Nameless) {
            shown.push(piece.line());
        }
        let was_open = last == Some(Last::Open);
        let how = match piece {
            // A turn that is over does not end again.
            Piece::Done(_) if !was_open => continue,
            Piece::Asks { .. } if replies.next().is_some_and(|reply| reply.last == Reply::FIT) => Last::Open,
            Piece::Asks { .. } | Piece::Misasks { .. } => Last::Rejected,
            Piece::Done(_) => Last::Done,
            Piece::Tells(line) if line.contains("text_delta") || line.contains("tool_use_start") => {
                Last::Open
            }
            Piece::Tells(_) | Piece::Nameless => continue,
        };
        is_over = how == Last::Rejected;
        turns += u64::from(how != Last::Open);
        last = Some(how);
    }
    (shown, turns, last)
}

fn piece() -> impl Strategy<Value = Piece> {
    let tells = prop_oneof![
        "[a-z ]{0,12}".prop_map(|text| format!(r#"{{"type":"text_delta","text":"{text}"}}"#)),
        Just(r#"{"type":"usage","input_tokens":1,"output_tokens":2}"#.to_owned()),
        Just(r#"{"type":"tool_use_start","id":"t","name":"list"}"#.to_owned()),
        Just(r#"{"type":"tool_result","id":"t","output":"x"}"#.to_owned()),
        Just(r#"{"type":"error","message":"oh"}"#.to_owned()),
        Just(r#"{"type":"user_read","id":"m"}"#.to_owned()),
        Just(r#"{"type":"of_tomorrow","requestId":"q0"}"#.to_owned()),
        Just("no JSON at all".to_owned()),
    ];
    let mode = prop_oneof![
        Just(Mode::Approval),
        Just(Mode::Text),
        proptest::collection::vec("[a-z]{1,3}", 1..4).prop_map(Mode::Choice),
    ];
    let rest = prop_oneof![
        Just(r#","input_type":"password""#),
        Just(r#","input_type":"choice","choices":[]"#),
        Just(r#","input_type":"approval""#),
        Just(r#","type":"input_request","choices":["a","b"]"#),
        Just(r#","choices":["a","b"],"choices":["b","a"]"#),
        Just(r#","choices":["a","b"],"odd":NaN"#),
    ];
    prop_oneof![
        6 => tells.prop_map(Piece::Tells),
        3 => mode.prop_map(|mode| Piece::Asks { id: 0, mode }),
        1 => rest.prop_map(|rest| Piece::Misasks { id: 0, rest }),
        1 => Just(Piece::Nameless),
        2 => any::<bool>().prop_map(Piece::Done),
    ]
}

/// Random lives.
pub(super) fn lives() -> impl Strategy<Value = Script> {
    let reply = (0..3_usize, 0..4_usize, 0..5_u8).prop_map(|(wrong, pick, last)| Reply { wrong, pick, last });
    let replies = proptest::collection::vec(reply, 24);
    let reads = proptest::collection::vec(1..6_usize, 24);
    (proptest::collection::vec(piece(), 0..24), replies, reads).prop_map(|(mut pieces, replies, reads)| {
        for (number, piece) in pieces.iter_mut().enumerate() {
            if let Piece::Asks { id, .. } | Piece::Misasks { id, .. } = piece {
                *id = number;
            }
        }
        Script { pieces, replies, reads }
    })
}
