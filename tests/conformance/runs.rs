//! The points of journals of our own: each replays as it was recorded, by the router of today.

use actors::end::{End, Refusal};
use codec::Outcome;
use codec::tunnel::{AnswerSource, QuestionKind};

use crate::played::{Played, Point};

/// Nothing is otherwise than it was.
fn as_recorded(played: &Played) {
    assert_eq!(played.differs, []);
    assert!(played.unused.is_empty(), "{:?}", played.unused);
}

fn sources(played: &Played) -> Vec<AnswerSource> {
    let source = |end: &End| match end {
        End::Answered { source, .. } => Some(*source),
        _ => None,
    };
    played.ends.iter().filter_map(source).collect()
}

/// Three permissions, one of them of a subagent and one that was denied, and a question; an answer command said it all. It
/// is the same whichever way Claude Code asks, and in both versions.
const CLAUDE_ASKS: Point = |played| {
    as_recorded(played);
    let permission = QuestionKind::Permission;
    assert_eq!(played.asked, [permission, permission, permission, QuestionKind::Question]);
    assert_eq!(sources(played), vec![AnswerSource::Command; 4]);
    let denied = |(_, line): &&(String, String)| line.contains("not before the tag");
    assert_eq!(played.sent.iter().filter(denied).count(), 1, "a no is told with its reason");
    let answered =
        |(_, line): &&(String, String)| line.contains("Which database?") && line.contains("SQLite");
    assert_eq!(played.sent.iter().filter(answered).count(), 1);
};

pub(crate) const POINTS: &[(&str, Point)] = &[
    ("a-life", as_recorded),
    ("an-earlier-version", |played| {
        // Of before records said for whom a question is asked, and about which use of a tool: that is told, and all of it
        // is played to its end.
        let about = |difference: &actors::replay::Difference| {
            let recorded = difference.recorded.as_deref().unwrap_or_default();
            recorded.contains(r#""rec":"ask""#) && !recorded.contains("tool_use_id")
        };
        assert!(!played.differs.is_empty() && played.differs.iter().all(about), "{:?}", played.differs);
        assert!(played.unused.is_empty(), "{:?}", played.unused);
        assert_eq!(played.sent.len(), 22);
    }),
    ("by-rules", |played| {
        as_recorded(played);
        assert!(sources(played).contains(&AnswerSource::Rule));
    }),
    ("claude-asks-mcp", CLAUDE_ASKS),
    ("claude-asks-stdio", CLAUDE_ASKS),
    ("cut-off", |played| {
        as_recorded(played);
        assert!(played.told().contains("remark: the last line is torn"), "{}", played.told());
        assert_eq!(played.asked.len(), 1);
        assert_eq!(played.ends, [], "it was killed with its question open");
    }),
    ("every-record", |played| {
        // By hand, so that every kind of record is in it: no run was ever like that, and none is lost.
        assert!(played.unused.iter().any(|why| why.contains("does not know")), "{:?}", played.unused);
    }),
    ("grant", |played| {
        as_recorded(played);
        assert!(sources(played).contains(&AnswerSource::Rule), "what was granted answered what waited");
    }),
    ("nested-below", |played| {
        as_recorded(played);
        assert_eq!(sources(played), [AnswerSource::Parent], "the person sits above");
    }),
    ("nested-root", |played| {
        as_recorded(played);
        assert_eq!(played.asked, [QuestionKind::Permission, QuestionKind::Permission]);
        assert_eq!(played.outcomes(), [Outcome::Answered, Outcome::Answered]);
        let welcomed = played.sent.iter().any(|(_, line)| line.contains(r#""path":"claude/review""#));
        assert!(welcomed, "the nested run is called below the agent that started it");
        assert!(played.reports > 10, "what it does is on record here too");
    }),
    ("stream-agent", |played| {
        as_recorded(played);
        assert_eq!(played.asked, [QuestionKind::Choice, QuestionKind::Text]);
        assert_eq!(played.outcomes(), [Outcome::Answered, Outcome::Answered]);
    }),
    ("stream-agent-notes", |played| {
        as_recorded(played);
        assert_eq!(played.asked, [QuestionKind::Approval]);
        let approved =
            |(_, line): &(String, String)| line.contains(r#""response":"approve","outcome":"answered""#);
        assert!(played.sent.iter().any(approved), "{:?}", played.sent);
    }),
    ("stream-agent-refused", |played| {
        as_recorded(played);
        assert_eq!(played.ends, [End::Refused(Refusal::NoDesk)]);
        let rejected = played.sent.iter().any(|(_, line)| line.contains("\"reject\""));
        assert!(rejected, "an agent that paused itself hears a word that ends its turn");
    }),
];
