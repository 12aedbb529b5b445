//! Asking from Rust, against a parent that is played by hand.

use std::path::{Path, PathBuf};
use std::time::Duration;

use codec::json::Text;
use codec::tunnel::{Choice, Scalar};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;

use super::{
    Client, NotAnswered, Person, prompt_approval, prompt_checkbox, prompt_choice, prompt_confirm,
    prompt_input, prompt_select, prompt_text,
};
use crate::tunnel::{Greeting, NoParent, Plain};

const BOUND: Duration = Duration::from_secs(10);

/// A socket in the temp folder that is gone when the test is over.
struct Socket(PathBuf, UnixListener);

impl Socket {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tim-a{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).unwrap();
        Self(path, listener)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The other end.
struct Parent(Lines<BufReader<OwnedReadHalf>>, OwnedWriteHalf);

impl Parent {
    async fn hear(&mut self) -> String {
        timeout(BOUND, self.0.next_line()).await.expect("a line in time").unwrap().unwrap_or_default()
    }

    async fn say(&mut self, line: &str) {
        self.1.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn reply(&mut self, number: u64, rest: &str) {
        self.say(&format!(r#"{{"type":"prompt_response","requestId":"0.p{number}",{rest}}}"#)).await;
    }
}

/// A client and its parent, after the greeting.
async fn pair(name: &str) -> (Socket, Client, Parent) {
    let socket = Socket::new(name);
    let greeting = Greeting::script("test");
    let (client, parent) = tokio::join!(Client::connect(&socket.0, &greeting, 0), async {
        let mut parent = accept(&socket.1).await;
        assert_eq!(parent.hear().await, r#"{"type":"hello","tim":1,"as":"script","label":"test"}"#);
        parent.say(r#"{"type":"welcome","tim":1,"role":"serve","path":"test","desk":true}"#).await;
        parent
    });
    (socket, client.unwrap(), parent)
}

async fn accept(listener: &UnixListener) -> Parent {
    let (stream, _): (UnixStream, _) = timeout(BOUND, listener.accept()).await.unwrap().unwrap();
    let (read, write) = stream.into_split();
    Parent(BufReader::new(read).lines(), write)
}

fn choices() -> Vec<Choice<'static>> {
    ["a", "b"].map(|name| Choice::of(Text::new(name), Scalar::Text(Text::new(name)))).to_vec()
}

/// Asks, and lets the parent hear the question and say this.
async fn answered<T>(
    client: &Client,
    parent: &mut Parent,
    number: u64,
    reply: &str,
    ask: impl AsyncFnOnce(&Client) -> Result<T, NotAnswered>,
) -> Result<T, NotAnswered> {
    let (answer, ()) = tokio::join!(ask(client), async {
        assert!(parent.hear().await.contains(&format!(r#""requestId":"0.p{number}""#)));
        parent.reply(number, reply).await;
    });
    answer
}

#[actix::test]
async fn each_kind_has_its_own_type_of_answer() {
    let (_socket, client, mut parent) = pair("kinds").await;
    let yes = answered(&client, &mut parent, 1, r#""value":true"#, async |person| {
        prompt_confirm(person, "?", Some(false), None).await
    });
    assert_eq!(yes.await, Ok(true));
    let one = answered(&client, &mut parent, 2, r#""value":"b""#, async |person| {
        prompt_select(person, "?", choices(), None, None).await
    });
    assert_eq!(one.await, Ok(Scalar::Text(Text::new("b"))));
    let text = answered(&client, &mut parent, 3, r#""value":"""#, async |person| {
        prompt_input(person, "?", Some("x"), None).await
    });
    assert_eq!(text.await, Ok(String::new()));
    let some = answered(&client, &mut parent, 4, r#""value":["b","a"]"#, async |person| {
        prompt_checkbox(person, "?", choices(), None).await
    });
    assert_eq!(some.await.map(|chosen| chosen.len()), Ok(2));
    let no = answered(&client, &mut parent, 5, r#""value":"reject""#, async |person| {
        prompt_approval(person, "?", None, None).await
    });
    assert_eq!(no.await, Ok(false));
    let second = answered(&client, &mut parent, 6, r#""value":{"index":1,"value":"b"}"#, async |person| {
        prompt_choice(person, "?", choices(), None).await
    });
    assert_eq!(second.await, Ok(Some(1)));
    let words = answered(&client, &mut parent, 7, r#""value":"because""#, async |person| {
        prompt_text(person, "?", None).await
    });
    assert_eq!(words.await, Ok(Some("because".to_owned())));
}

#[actix::test]
async fn what_is_no_answer_says_how_else_it_ended() {
    let (_socket, client, mut parent) = pair("ends").await;
    let cases = [
        (r#""error":"Declined by the user","outcome":"declined""#, NotAnswered::Declined),
        (
            r#""error":"Prompt request timed out after 250ms","outcome":"timed_out""#,
            NotAnswered::TimedOut { after: Duration::from_millis(250) },
        ),
        (r#""error":"Tunnel connection closed","outcome":"disconnected""#, NotAnswered::Disconnected),
        (r#""error":"Nobody","outcome":"refused""#, NotAnswered::Refused("Nobody".to_owned())),
    ];
    for (number, (reply, expected)) in (1..).zip(cases) {
        let ended = answered(&client, &mut parent, number, reply, async |person| {
            prompt_confirm(person, "?", None, None).await
        });
        assert_eq!(ended.await, Err(expected));
    }
    let unfit = answered(&client, &mut parent, 5, r#""value":"maybe""#, async |person| {
        prompt_confirm(person, "?", None, None).await
    });
    assert!(matches!(unfit.await, Err(NotAnswered::Refused(_))), "an answer that does not fit is none");
}

#[actix::test]
async fn our_own_clock_ends_a_question_too_and_takes_it_back() {
    let (_socket, client, mut parent) = pair("clock").await;
    let short = Duration::from_millis(20);
    let (ended, ()) = tokio::join!(prompt_confirm(&client, "?", None, Some(short)), async {
        assert!(parent.hear().await.contains(r#""timeoutMs":20"#));
    });
    assert_eq!(ended, Err(NotAnswered::TimedOut { after: short }));
    assert_eq!(parent.hear().await, r#"{"type":"prompt_cancel","requestId":"0.p1","reason":"timed_out"}"#);
}

#[actix::test]
async fn a_question_that_nobody_waits_for_any_more_is_taken_back() {
    let (_socket, client, mut parent) = pair("dropped").await;
    let given_up = timeout(Duration::from_millis(20), prompt_confirm(&client, "?", None, None)).await;
    assert!(given_up.is_err());
    parent.hear().await;
    assert_eq!(parent.hear().await, r#"{"type":"prompt_cancel","requestId":"0.p1","reason":"cancelled"}"#);
}

#[actix::test]
async fn whoever_waits_hears_that_the_connection_is_lost_and_so_does_whoever_asks_later() {
    let (_socket, client, mut parent) = pair("lost").await;
    let (ended, ()) = tokio::join!(prompt_confirm(&client, "?", None, None), async {
        parent.hear().await;
        drop(parent);
    });
    assert_eq!(ended, Err(NotAnswered::Disconnected));
    assert_eq!(prompt_confirm(&client, "?", None, None).await, Err(NotAnswered::Disconnected));
}

#[actix::test]
async fn questions_at_once_get_each_its_own_answer_in_any_order() {
    let (_socket, client, mut parent) = pair("order").await;
    let (one, two, ()) = tokio::join!(
        prompt_input(&client, "first", None, None),
        prompt_input(&client, "second", None, None),
        async {
            parent.hear().await;
            parent.hear().await;
            parent.reply(2, r#""value":"two""#).await;
            parent.reply(1, r#""value":"one""#).await;
        }
    );
    assert_eq!((one, two), (Ok("one".to_owned()), Ok("two".to_owned())));
}

#[actix::test]
async fn a_question_that_nobody_could_answer_is_not_even_sent() {
    let (_socket, client, mut parent) = pair("invalid").await;
    assert!(matches!(
        prompt_select(&client, "?", Vec::new(), None, None).await,
        Err(NotAnswered::Invalid(_))
    ));
    client.report(r#"{"type":"log","args":["x"]}"#).await.unwrap();
    assert_eq!(parent.hear().await, r#"{"type":"log","args":["x"]}"#, "it is the first thing that was sent");
    let prompt = r#"{"type":"prompt_cancel","requestId":"x","reason":"cancelled"}"#;
    assert!(matches!(client.report(prompt).await, Err(NotAnswered::Invalid(_))), "that is no report");
}

async fn why_not(path: &Path) -> NoParent {
    let greeting = Greeting { patience: Duration::from_millis(50), ..Greeting::script("test") };
    Client::connect(path, &greeting, 0).await.err().expect("no parent")
}

#[actix::test]
async fn whatever_lies_at_the_path_is_told_apart() {
    assert!(matches!(why_not(Path::new("/nowhere/at/all")).await, NoParent::Dead(_)));
    let silent = Socket::new("silent");
    assert!(matches!(why_not(&silent.0).await, NoParent::Silent(_)));
    let full = Socket::new("full");
    let (why, ()) = tokio::join!(why_not(&full.0), async {
        let mut parent = accept(&full.1).await;
        parent.say(r#"{"type":"goodbye","reason":"too_many_connections","message":"Too many"}"#).await;
    });
    assert!(matches!(why, NoParent::Closed(Some(why)) if why == "Too many"));
    let rude = Socket::new("rude");
    let (why, ()) = tokio::join!(why_not(&rude.0), async { drop(accept(&rude.1).await) });
    assert!(matches!(why, NoParent::Closed(None)));
}

#[actix::test]
async fn a_parent_of_the_original_is_asked_without_a_greeting_if_that_is_wanted() {
    let socket = Socket::new("plain");
    let greeting = Greeting { plain: Plain::Always, ..Greeting::script("test") };
    let client = Client::connect(&socket.0, &greeting, 0).await.unwrap();
    let mut parent = accept(&socket.1).await;
    let (approved, ()) = tokio::join!(prompt_approval(&client, "Delete?", None, None), async {
        assert!(parent.hear().await.contains(r#""promptType":"confirm""#));
        parent.reply(1, r#""value":true"#).await;
    });
    assert_eq!(approved, Ok(true));
}

#[actix::test]
async fn everything_that_was_reported_is_on_its_way_when_the_client_has_finished() {
    let (_socket, client, mut parent) = pair("finish").await;
    let report = format!(r#"{{"type":"log","args":["{}"]}}"#, "x".repeat(100_000));
    let (finished, heard) = tokio::join!(
        async {
            for _ in 0..50 {
                client.report(&report).await.unwrap();
            }
            client.finish().await
        },
        async {
            let mut heard = 0;
            while !parent.hear().await.is_empty() {
                heard += 1;
            }
            heard
        }
    );
    assert_eq!((finished, heard), (Ok(()), 50));
}

/// Callers may bring their own person.
struct Always(&'static str);

impl Person for Always {
    async fn ask(&self, _: crate::question::Question) -> Result<codec::json::Json<'static>, NotAnswered> {
        Ok(codec::json::Json::parse(self.0).unwrap())
    }
}

#[actix::test]
async fn a_person_who_does_not_keep_to_the_question_is_not_believed() {
    assert!(matches!(prompt_confirm(&Always("1"), "?", None, None).await, Err(NotAnswered::Refused(_))));
    assert!(matches!(
        prompt_checkbox(&Always("1"), "?", choices(), None).await,
        Err(NotAnswered::Refused(_))
    ));
}
