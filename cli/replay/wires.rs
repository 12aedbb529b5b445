//! What happens in a replay, as it went over the wires: a row or an object for each.
//!
//! Owns those rows and nothing else. Foreign text is made visible here.

use actors::end::End;
use actors::replay::Happening;
use actors::router::{Emitted, News, Stage};
use codec::json::{Json, Text, Written as _};
use codec::text::{escape_hidden, visible};

/// One object for programs: what was said, and in a check what is off.
pub(super) fn json_line(at: u64, happening: &Happening) -> Option<String> {
    let json = match happening {
        Happening::Question(emitted) => Json::parse(&emitted.line)?.into_owned(),
        Happening::Reported { line, .. } => Json::parse(std::str::from_utf8(line).ok()?)?.into_owned(),
        Happening::Differs(difference) => difference.to_json(),
        Happening::Unused(why) => Json::object(|out| {
            out.raw_member("\"type\"", "\"unused\"");
            out.member("at", |to| at.write(to));
            out.member("why", |to| Text::new(why).write(to));
        }),
        _ => return None,
    };
    // On one line, and without a character that a terminal would act upon.
    let line = Json::written(&json).raw().to_owned();
    Some(escape_hidden(&line).unwrap_or(line))
}

/// One row for people: when, and what. Nothing of what went over no wire.
pub(super) fn row(at: u64, happening: &Happening) -> Option<String> {
    let what = match happening {
        Happening::Aside(_) => return None,
        // It says itself when it was.
        Happening::Differs(difference) => return Some(format!("≠ {difference}")),
        Happening::Sent { wire, line } => format!("{} ← {}", visible(wire), visible(line)),
        Happening::Question(emitted) => question(emitted),
        Happening::Reported { wire, line, .. } => {
            format!("{} → {}", visible(wire), visible(&String::from_utf8_lossy(line)))
        }
        Happening::Told { desk, key, news: News::Late } => {
            format!("! {}: the answer to {key} came too late", visible(desk))
        }
        Happening::Told { desk, key, news: News::Unfit(why) } => {
            format!("! {}: no answer to {key}: {}", visible(desk), visible(why))
        }
        Happening::Noise { wire, why, .. } => format!("! {}: {}", visible(wire), visible(why)),
        Happening::Remark(why) | Happening::Unused(why) => format!("! {}", visible(why)),
    };
    Some(format!("{}  {what}", when(at)))
}

/// A time of the record, in seconds.
pub(super) fn when(at: u64) -> String {
    format!("{:>4}.{:03}", at / 1_000, at % 1_000)
}

/// What became of a question.
pub(crate) fn question(emitted: &Emitted) -> String {
    let key = &emitted.key;
    match &emitted.what {
        Stage::Asked { path, question, .. } => {
            format!("? {key} {} {}: {}", visible(path), question.kind().word(), visible(&question.summary()))
        }
        Stage::Ended(end) => match end.as_ref() {
            End::Answered { value, source, .. } => {
                format!("= {key} answered ({}): {}", source.word(), visible(value.raw()))
            }
            end => format!("= {key} {}: {}", end.outcome().word(), visible(&end.told())),
        },
    }
}
