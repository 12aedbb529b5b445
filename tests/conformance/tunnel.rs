//! The points of the recordings of the original, and of what tim adds to the tunnel.

use actors::end::{End, Refusal};
use actors::router::News;
use codec::Outcome;
use codec::tunnel::{AnswerSource, QuestionKind};

use crate::played::{Played, Point};

/// Only reports: they come through, and nobody is answered.
const REPORTS: Point = |played| {
    assert!(played.sent.is_empty() && played.asked.is_empty(), "{:?}", played.sent);
    assert!(played.reports > 0);
};

/// All thirty types: the one that asks is a question, the others come through.
const ONE_QUESTION_AMONG_REPORTS: Point = |played| {
    assert_eq!(played.outcomes(), [Outcome::Cancelled], "open until the client left");
    assert_eq!(played.reports, 29);
};

/// A client of the original finds everything that it was told then in what it is told now.
fn as_the_original(played: &Played) {
    assert_eq!(played.differs, []);
}

fn answered(value: &str) -> Vec<(Outcome, String)> {
    vec![(Outcome::Answered, value.to_owned())]
}

fn timed_out(ms: u64) -> Vec<(Outcome, String)> {
    vec![(Outcome::TimedOut, format!("Prompt request timed out after {ms}ms"))]
}

fn refused(why: &str) -> Vec<(Outcome, String)> {
    vec![(Outcome::Refused, why.to_owned())]
}

/// A desk that fails gives the question back, with its reason, and the asker hears that.
fn fails_with(played: &Played, why: &str) {
    as_the_original(played);
    assert_eq!(played.ends, [End::Refused(Refusal::GivenBack(why.to_owned()))]);
}

/// The connection closed with a question open, from either side: it is cancelled, and there is nobody to tell.
const LEFT: Point = |played| {
    assert!(played.outcomes().iter().all(|outcome| *outcome == Outcome::Cancelled));
    assert!(!played.ends.is_empty() && played.sent.is_empty(), "{:?}", played.sent);
};

/// Permissions are decided as they were then.
const DECIDED: Point = |played| {
    as_the_original(played);
    assert!(played.asked.iter().all(|kind| *kind == QuestionKind::Permission));
    assert!(played.outcomes().iter().all(|outcome| *outcome == Outcome::Answered), "{:?}", played.ends);
};

/// Nobody answered; the original approved or denied by itself when its time was up. Nobody's yes is a no: both wait for
/// somebody until the client leaves.
const NOBODY_ANSWERED: Point = |played| {
    assert_eq!(played.asked, [QuestionKind::Permission, QuestionKind::Question]);
    assert_eq!(played.outcomes(), [Outcome::Cancelled, Outcome::Cancelled]);
    assert!(played.sent.is_empty(), "{:?}", played.sent);
    assert_eq!(played.differs.len(), 1, "what the original said by itself");
};

pub(crate) const POINTS: &[(&str, Point)] = &[
    ("01-log-levels", REPORTS),
    ("02-structured-full", ONE_QUESTION_AMONG_REPORTS),
    ("03-structured-minimal", ONE_QUESTION_AMONG_REPORTS),
    ("04-prompts-answered", |played| {
        as_the_original(played);
        let kinds = [
            QuestionKind::Confirm,
            QuestionKind::Select,
            QuestionKind::Input,
            QuestionKind::Checkbox,
            QuestionKind::PrefixSelect,
        ];
        assert_eq!(played.asked, kinds);
        assert!(
            played.ends.iter().all(|end| matches!(end, End::Answered { source: AnswerSource::Terminal, .. }))
        );
    }),
    ("05-prompt-error", |played| fails_with(played, "handler says no")),
    ("06-prompt-handler-throws", |played| {
        fails_with(played, "Prompt handler error: handler threw synchronously")
    }),
    ("07-prompt-handler-rejects", |played| {
        fails_with(played, "Prompt handler error: handler rejected asynchronously")
    }),
    ("08-prompt-timeout-late-answer", |played| {
        assert_eq!(
            played.replies("t1"),
            timed_out(200),
            "told when its time is up, not when somebody answers"
        );
        assert_eq!(played.news, [News::Late]);
    }),
    ("09-prompt-no-handler-timeout", |played| assert_eq!(played.replies("t1"), timed_out(200))),
    ("10-two-concurrent-reverse", |played| {
        as_the_original(played);
        assert_eq!(played.replies("second"), answered("true"));
        assert_eq!(played.replies("first"), answered("\"typedtext\""));
    }),
    ("11-two-clients-reverse", |played| {
        as_the_original(played);
        assert_eq!(played.sent[0].0, "tunnel:2");
        assert_eq!(played.sent[1].0, "tunnel:1");
    }),
    ("12-unknown-request-id", |played| {
        assert_eq!(played.replies("real"), answered("true"), "one answer, the first");
        assert_eq!(played.replies("no-such-id"), []);
        assert_eq!(played.news, [News::Late, News::Late]);
    }),
    ("13-user-input-two-clients", |played| {
        as_the_original(played);
        assert_eq!(played.sent.len(), 6, "three lines for each of two clients");
    }),
    ("14-server-closes-while-pending", LEFT),
    ("15-client-destroy-while-pending", LEFT),
    ("16-client-killed-while-pending", LEFT),
    ("17-response-edge-values", |played| {
        for id in ["v-null", "v-false", "v-obj", "extra", "v-absent"] {
            assert_eq!(played.replies(id), timed_out(700), "{id}: what is no text does not answer an input");
        }
        assert_eq!(played.replies("e-empty"), answered("\"kept\""));
        assert_eq!(played.replies("both"), refused("err wins"));
        assert_eq!(played.news.len(), 4);
    }),
    ("18-invalid-lines", |played| {
        assert_eq!(
            played.replies(""),
            answered("true"),
            "an empty id and an empty message are still a question"
        );
        let invalid = played.sent.iter().filter(|(_, line)| line.contains(r#""reason":"invalid""#)).count();
        assert_eq!((invalid, played.sent.len()), (4, 5), "whoever asked what is no question hears why");
        assert!(played.noise.len() > 15, "and nobody hears about a line that asks nothing");
    }),
    ("19-split-chunks", REPORTS),
    ("20-process-lifecycle", |played| {
        assert!(played.sent.is_empty(), "nobody is terminated by a replay");
        assert!(played.reports > 0);
    }),
    ("22-unserializable-and-errors", REPORTS),
    ("30-perm-rules", |played| {
        let left_open = played.outcomes().iter().filter(|outcome| **outcome == Outcome::Cancelled).count();
        assert_eq!(left_open, 8, "what the original never answered ends when the client leaves");
        assert_eq!(played.replies(""), [(Outcome::Refused, "false".to_owned())], "an empty id is no id");
    }),
    ("31-perm-choices", DECIDED),
    ("32-perm-timeout-None", NOBODY_ANSWERED),
    ("32-perm-timeout-no", NOBODY_ANSWERED),
    ("32-perm-timeout-yes", NOBODY_ANSWERED),
    ("33-perm-ask-user", |played| {
        let approved = played.sent.iter().filter(|(_, line)| line.contains(r#""approved":true"#)).count();
        assert_eq!(
            (approved, played.sent.len()),
            (0, 12),
            "questions with an option that has no label are denied with the reason"
        );
    }),
    ("34-perm-tunnel-lost", |played| {
        as_the_original(played);
        assert_eq!(played.replies("z"), [(Outcome::Disconnected, "false".to_owned())]);
    }),
    ("35-perm-lone-surrogate", |played| {
        as_the_original(played);
        let left_open = played.outcomes().iter().filter(|outcome| **outcome == Outcome::Cancelled).count();
        assert_eq!((played.asked.len(), left_open), (11, 1), "half an emoji loses no question");
    }),
    ("36-permissions-mcp-stdio", |played| {
        assert!(played.sent.iter().all(|(wire, _)| wire == "tunnel:1"), "the MCP side is not the router's");
    }),
    ("60-greeting-and-relay", |played| {
        assert!(played.asked.is_empty(), "a prompt inside a report asks nothing");
        let welcome = r#"{"type":"welcome","tim":1,"role":"run","path":"main/review","desk":true}"#;
        assert_eq!(
            played.sent,
            [("tunnel:1".to_owned(), welcome.to_owned())],
            "a second hello changes nothing"
        );
        assert_eq!(played.noise.len(), 5, "{:?}", played.noise);
        assert_eq!(played.reports, 3);
    }),
    ("61-prompts-of-every-kind", |played| {
        assert!(played.sent[1].1.contains("prompt_shown"), "a peer that said hello hears that it is seen");
        assert_eq!(played.replies("q2"), answered("\"reject\""), "a no is an answer");
        assert_eq!(played.replies("q3"), answered(r#"{"index":1,"value":"B"}"#));
        assert_eq!(played.replies("q4"), [(Outcome::Declined, "Declined by the user".to_owned())]);
        assert_eq!(played.replies("q7"), [(Outcome::Cancelled, "Prompt was cancelled".to_owned())]);
        for id in ["q8", "q9", "q10", "q11"] {
            assert_eq!(played.replies(id).len(), 1, "{id}");
            assert_eq!(played.replies(id)[0].0, Outcome::Refused, "{id}");
        }
    }),
    ("62-permissions-and-typed-lines", |played| {
        let grant = r#""grant":{"rule":"Bash(git fetch:*)","scope":"session"}"#;
        assert!(played.sent[1].1.contains(grant), "a grant travels with its rule");
        assert_eq!(played.replies("p3"), [(Outcome::Refused, "false".to_owned())]);
        let typed: Vec<_> = played.sent.iter().filter(|(_, line)| line.contains("user_input")).collect();
        assert_eq!(typed.len(), 2);
        assert!(typed[0].1.contains(r#""inputId":"i1","to":"main/review""#));
    }),
    ("63-duplicates-cancels-and-a-lost-parent", |played| {
        assert_eq!(played.differs, [], "by hand, as it must be");
        let outcomes = [
            Outcome::Answered,
            Outcome::Cancelled,
            Outcome::Disconnected,
            Outcome::Disconnected,
            Outcome::Refused,
            Outcome::Refused,
        ];
        assert_eq!(played.outcomes(), outcomes);
        assert_eq!(
            played.replies("x").len(),
            3,
            "an error for the second use, an answer, a cancel: one each"
        );
        assert_eq!(played.news, [News::Late], "the answer that crossed the cancel");
    }),
    ("70-hostile-ignored", |played| {
        assert!(played.asked.is_empty(), "nothing in it is a question");
        for id in ["u8-1", "bom-1", "n-1"] {
            assert_eq!(played.replies(id).len(), 1, "{id} wanted to ask something, and hears why not");
        }
        assert_eq!(played.sent.len(), 3, "whoever asks nothing is told nothing: {:?}", played.sent);
        assert!(played.noise.len() > 25, "{}", played.noise.len());
    }),
    ("71-hostile-error-response", |played| {
        let told = |word: &str| played.sent.iter().filter(|(_, line)| line.contains(word)).count();
        assert_eq!((told(r#""reason":"invalid""#), played.sent.len()), (30, 30), "each hears why, once");
        assert_eq!(played.asked.len(), 3, "an odd id and an odd wish for rows make no question impossible");
    }),
    ("72-hostile-sanitised", |played| {
        let raw = |letter: char| letter.is_control() && letter != '\n';
        assert!(!played.told().contains(raw), "{:?}", played.told());
    }),
    ("73-hostile-accepted", |played| {
        assert!(played.noise.is_empty(), "{:?}", played.noise);
        assert!(played.reports + played.asked.len() >= 10);
    }),
];
