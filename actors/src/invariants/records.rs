//! What is on record, word for word, and what else a scene can show of the router's smaller promises.

use bytes::Bytes;
use codec::frame::{Frame, Oversized};
use codec::id::{Key, Path};
use codec::journal;
use codec::json::{Json, Text};
use codec::tunnel::AnswerSource;

use crate::dialect::Dialect;
use crate::invariants::scene::{Scene, key};
use crate::replay::{Happening, Replay};
use crate::router::{AskerInfo, News, OpenLimits, Order, Said};
use crate::simulation::Sabotage;

fn scene() -> Scene {
    Scene::new(Sabotage::None)
}

fn child(scene: &mut Scene, wire: &str, path: &str) -> crate::router::AskerId {
    let info = AskerInfo {
        wire: wire.to_owned(),
        dialect: Dialect::TUNNEL,
        path: Some(path.to_owned()),
        pid: Some(4_711),
        below: None,
    };
    scene.routing.attach(scene.now, info)
}

#[test]
fn the_record_of_a_run_reads_so() {
    let mut scene = scene();
    let asker = child(&mut scene, "tunnel:3", "main/review");
    let desk = scene.terminal();
    scene.now = 5;
    scene.permission(asker, "x", Some(60_000));
    scene.said(desk, 1, Said::Shown);
    scene.answers(desk, 1, r#"{"allow":true}"#);
    scene.answers(desk, 1, "true");
    scene.confirm(asker, "y", Some(50));
    scene.wait(50);
    scene.confirm(asker, "z", None);
    scene.said(desk, 3, Said::GiveBack("exit 7".to_owned()));
    scene.prompt(asker, "w", "select", r#"{"message":"?","choices":[]}"#, None);
    let (head, length) = (Bytes::from_static(b"{\"type\":\"log\","), 9_000_000);
    scene.routing.frame(scene.now, asker, Frame::Oversized(Oversized { head, length }));
    scene.typed("also add tests", Path::new("main/review/leaf").as_ref(), None);
    scene.routing.note(scene.now, journal::Event::Signal(journal::Signal::of(Text::new("SIGTERM"))));
    scene.leaves(asker);
    let without_lines: Vec<String> = scene
        .tape()
        .into_iter()
        .filter(|line| !line.contains(r#""dir":"from","line":"{\"type\":\"s"#))
        .collect();
    let expected = [
        r#"{"seq":0,"t":0,"rec":"run","v":1,"id":"7f3c","seed":"scene","started":"1970-01-01T00:00:00.000Z","writer":"tim 0.1.0","limits":{"each":256,"all":10000,"bytesEach":67108864,"bytesAll":268435456},"role":"run"}"#,
        r#"{"seq":1,"t":0,"rec":"attach","wire":"tunnel:3","path":"main/review","pid":4711}"#,
        r#"{"seq":2,"t":0,"rec":"attach","wire":"terminal"}"#,
        r#"{"seq":3,"t":5,"wire":"tunnel:3","dir":"from","line":"{\"type\":\"permission_request\",\"requestId\":\"x\",\"tool_name\":\"Bash\",\"input\":{\"command\":\"echo\"},\"timeoutMs\":60000}"}"#,
        r#"{"seq":4,"t":5,"rec":"ask","key":"7f3c.p1","kind":"permission","wire":"tunnel:3","path":"main/review","requestId":"x","tool":{"name":"Bash","input":{"command":"echo"}},"deadlineMs":60000}"#,
        r#"{"seq":5,"t":5,"rec":"offer","key":"7f3c.p1","desk":"terminal"}"#,
        r#"{"seq":6,"t":5,"rec":"shown","key":"7f3c.p1","desk":"terminal"}"#,
        r#"{"seq":7,"t":5,"rec":"answer","key":"7f3c.p1","desk":"terminal","value":{"allow":true}}"#,
        r#"{"seq":8,"t":5,"rec":"outcome","key":"7f3c.p1","outcome":"answered","source":"terminal","value":{"allow":true}}"#,
        r#"{"seq":9,"t":5,"wire":"tunnel:3","dir":"to","line":"{\"type\":\"permission_response\",\"requestId\":\"x\",\"approved\":true,\"outcome\":\"answered\"}"}"#,
        r#"{"seq":10,"t":5,"rec":"answer","key":"7f3c.p1","desk":"terminal","value":true}"#,
        r#"{"seq":11,"t":5,"rec":"late","key":"7f3c.p1","desk":"terminal"}"#,
        r#"{"seq":13,"t":5,"rec":"ask","key":"7f3c.p2","kind":"confirm","wire":"tunnel:3","path":"main/review","requestId":"y","config":{"message":"Proceed?"},"deadlineMs":50}"#,
        r#"{"seq":14,"t":5,"rec":"offer","key":"7f3c.p2","desk":"terminal"}"#,
        r#"{"seq":15,"t":55,"rec":"timer","key":"7f3c.p2"}"#,
        r#"{"seq":16,"t":55,"rec":"outcome","key":"7f3c.p2","outcome":"timed_out"}"#,
        r#"{"seq":17,"t":55,"wire":"tunnel:3","dir":"to","line":"{\"type\":\"prompt_response\",\"requestId\":\"y\",\"error\":\"Prompt request timed out after 50ms\",\"outcome\":\"timed_out\"}"}"#,
        r#"{"seq":19,"t":55,"rec":"ask","key":"7f3c.p3","kind":"confirm","wire":"tunnel:3","path":"main/review","requestId":"z","config":{"message":"Proceed?"}}"#,
        r#"{"seq":20,"t":55,"rec":"offer","key":"7f3c.p3","desk":"terminal"}"#,
        r#"{"seq":21,"t":55,"rec":"giveback","key":"7f3c.p3","desk":"terminal","reason":"exit 7"}"#,
        r#"{"seq":22,"t":55,"rec":"outcome","key":"7f3c.p3","outcome":"refused","reason":"given_back"}"#,
        r#"{"seq":23,"t":55,"wire":"tunnel:3","dir":"to","line":"{\"type\":\"prompt_response\",\"requestId\":\"z\",\"error\":\"exit 7\",\"outcome\":\"refused\",\"reason\":\"given_back\"}"}"#,
        r#"{"seq":25,"t":55,"rec":"outcome","key":"7f3c.p4","outcome":"refused","reason":"invalid","wire":"tunnel:3","requestId":"w"}"#,
        r#"{"seq":26,"t":55,"wire":"tunnel:3","dir":"to","line":"{\"type\":\"prompt_response\",\"requestId\":\"w\",\"error\":\"message.promptConfig.choices must hold at least one choice\",\"outcome\":\"refused\",\"reason\":\"invalid\"}"}"#,
        r#"{"seq":27,"t":55,"wire":"tunnel:3","dir":"from","line":"{\"type\":\"log\",","length":9000000}"#,
        r#"{"seq":28,"t":55,"rec":"typed","text":"also add tests","to":"main/review/leaf"}"#,
        r#"{"seq":29,"t":55,"wire":"tunnel:3","dir":"to","line":"{\"type\":\"user_input\",\"content\":\"also add tests\",\"to\":\"main/review/leaf\"}"}"#,
        r#"{"seq":30,"t":55,"rec":"signal","name":"SIGTERM"}"#,
        r#"{"seq":31,"t":55,"rec":"detach","wire":"tunnel:3","reason":"peer closed"}"#,
    ];
    for (line, expected) in without_lines.iter().zip(expected) {
        assert_eq!(line, expected);
    }
    assert_eq!(without_lines.len(), expected.len());
}

#[test]
fn the_longest_line_of_an_agent_is_on_record_and_can_be_read_back() {
    let mut scene = scene();
    let agent = scene.agent();
    let line = vec![1_u8; codec::limits::Limits::STANDARD.agent_line];
    scene.routing.frame(scene.now, agent, Frame::Line(Bytes::from(line)));
    let longest = scene.tape().iter().map(String::len).max().unwrap();
    assert!(
        longest <= 6 * codec::limits::Limits::STANDARD.agent_line + (64 << 10),
        "what `tim replay` takes: {longest}"
    );
}

#[test]
fn a_run_with_other_limits_replays_with_those() {
    let limits = OpenLimits { each: 2, all: 3, bytes_each: 1_000, bytes_all: 1_000 };
    let mut scene = Scene::with_limits(Sabotage::None, limits);
    let (client, _) = (scene.client(), scene.terminal());
    for id in ["a", "b", "c"] {
        scene.confirm(client, id, None);
    }
    scene.prompt(client, "d", "confirm", &format!(r#"{{"message":"{}"}}"#, "x".repeat(2_000)), None);
    let mut replay = Replay::new();
    for line in scene.tape() {
        let off: Vec<_> = replay.line(line.as_bytes()).unwrap().filter(|(_, told)| is_off(told)).collect();
        assert_eq!(off, []);
    }
}

fn is_off(told: &Happening) -> bool {
    matches!(told, Happening::Differs(_) | Happening::Unused(_))
}

#[test]
fn the_key_of_another_run_is_late() {
    let mut scene = scene();
    let (client, desk) = (scene.client(), scene.terminal());
    scene.confirm(client, "a", None);
    let other = Key { run: "0000".into(), number: 1 };
    scene.routing.said(scene.now, desk, &other, Said::Answer(Json::of(&true)));
    scene.settle();
    assert_eq!(scene.held(desk), [1]);
    assert_eq!(scene.news, [(desk, other, News::Late)]);
}

#[test]
fn a_desk_that_comes_later_is_told_what_time_is_left() {
    let mut scene = scene();
    let client = child(&mut scene, "tunnel:1", "main/review");
    scene.terminal();
    scene.now = 10;
    scene.routing.frame(scene.now, client, Frame::Line(Bytes::from_static(ASK)));
    scene.settle();
    scene.now = 40;
    scene.routing.seat(scene.now, crate::router::DeskInfo::new("up", AnswerSource::Parent));
    let offers: Vec<_> = scene
        .routing
        .orders()
        .filter_map(|order| match order {
            Order::OfferTo(_, offer, _) => Some(offer),
            _ => None,
        })
        .collect();
    let [offer] = offers.as_slice() else { panic!("{offers:?}") };
    assert_eq!((offer.since, offer.left_ms), (10, Some(70)));
    assert_eq!((offer.key.clone(), offer.path.as_str(), offer.pid), (key(1), "main/review", Some(4_711)));
}

const ASK: &[u8] =
    br#"{"type":"permission_request","requestId":"a","tool_name":"T","input":{},"timeoutMs":100}"#;

#[test]
fn a_grant_goes_only_with_a_yes_that_holds_for_longer() {
    let mut scene = scene();
    let (client, desk) = (scene.client(), scene.terminal());
    for (number, value) in [
        r#"{"allow":true,"scope":"session","rule":"Bash(a:*)"}"#,
        r#"{"allow":false,"scope":"always","rule":"Bash(a:*)"}"#,
        r#"{"allow":true,"scope":"once","rule":"Bash(a:*)"}"#,
    ]
    .iter()
    .enumerate()
    {
        scene.permission(client, &number.to_string(), None);
        scene.answers(desk, number as u64 + 1, value);
    }
    let granted: Vec<bool> = scene.heard(client).iter().map(|line| line.contains("grant")).collect();
    assert_eq!(granted, [true, false, false]);
}

#[test]
fn a_peer_that_said_hello_hears_once_that_its_question_is_seen() {
    let mut scene = scene();
    let (greeted, plain) = (scene.client(), scene.client());
    let (one, two) = (scene.terminal(), scene.desk(AnswerSource::Parent));
    scene.line(greeted, r#"{"type":"hello","tim":1,"as":"script"}"#);
    scene.confirm(greeted, "a", None);
    scene.confirm(plain, "b", None);
    for desk in [one, two, one] {
        scene.said(desk, 1, Said::Shown);
        scene.said(desk, 2, Said::Shown);
    }
    let welcome = r#"{"type":"welcome","tim":1,"role":"run","path":"script","desk":true}"#;
    assert_eq!(scene.heard(greeted), [welcome, r#"{"type":"prompt_shown","requestId":"a"}"#]);
    assert!(scene.heard(plain).is_empty(), "a client of the original does not know what that is");
}

#[test]
fn a_typed_line_goes_to_everybody_or_down_one_path() {
    let mut scene = scene();
    let (review, deploy, plain) = (
        child(&mut scene, "tunnel:7", "main/review"),
        child(&mut scene, "tunnel:8", "main/deploy"),
        scene.client(),
    );
    for to in [None, Path::new("main/review"), Path::new("main/review/leaf"), Path::new("main")] {
        scene.typed("x", to.as_ref(), None);
    }
    scene.settle();
    let heard = |asker| scene.heard(asker).len();
    assert_eq!((heard(review), heard(deploy), heard(plain)), (3, 1, 1));
}
