//! A question that must be answered before anything begins, over the connection that the run will have.
//!
//! Owns nothing: what else the parent says meanwhile is kept with the connection, for whoever takes it over. Ends with the
//! answer, or with the connection; dropping it leaves the question open for as long as the connection is.

use std::sync::Arc;

use codec::frame::Frame;
use codec::id::Key;
use codec::json::Json;
use tokio::io::AsyncWriteExt as _;

use crate::question::Question;
use crate::router::{AskerId, Keeper, Offer};
use crate::tunnel::{Parent, Upstream, Word};

use super::{NotAnswered, result_of};

/// No run is called so: its questions have other names.
const RUN: &str = "0";

/// Asks the parent that one question.
pub async fn ask_early(
    parent: &mut Parent,
    question: Question,
    unix_ms: u64,
) -> Result<Json<'static>, NotAnswered> {
    let mut upstream = Upstream::new(parent.is_plain(), unix_ms);
    let offer = Arc::new(Offer {
        key: Key { run: RUN.into(), number: 1 },
        asker: AskerId(0),
        path: String::new(),
        pid: None,
        question: Arc::new(question),
        since: 0,
        left_ms: None,
        keeper: Keeper::Nobody,
    });
    let said_first = match upstream.offered(&offer) {
        Ok(line) => {
            let line = line + "\n";
            parent.write.write_all(line.as_bytes()).await.map_err(|_| NotAnswered::Disconnected)?;
            None
        }
        Err(said) => result_of(&offer.question, said, None),
    };
    if let Some(result) = said_first {
        return result;
    }
    loop {
        let frames = parent.incoming.next().await.ok().flatten().ok_or(NotAnswered::Disconnected)?;
        let mut result = None;
        for frame in frames {
            match heard(&mut upstream, &frame, &offer) {
                Some(end) if result.is_none() => result = Some(end),
                _ => parent.early.push(frame),
            }
        }
        if let Some(result) = result {
            return result;
        }
    }
}

/// How it ended, if that line says so.
fn heard(
    upstream: &mut Upstream,
    frame: &Frame,
    offer: &Offer,
) -> Option<Result<Json<'static>, NotAnswered>> {
    match upstream.hear(frame) {
        Word::Said(key, said) if key == offer.key => result_of(&offer.question, said, None),
        _ => None,
    }
}
