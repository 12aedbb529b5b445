//! The actors themselves: who notices whom, under paused time, and what is on file when somebody hears something.

mod stand;

use std::time::Duration;

use bytes::Bytes;
use codec::frame::Frame;

use crate::messages::{AllSaid, DeskMail, Frames, ShutDown};
use crate::router::News;

use stand::{Boom, BoomPrompt, CountPrompts, FadeAway, Stand, settle, told, until};

#[actix::test]
async fn a_question_whose_actor_dies_is_refused_and_leaves_the_desk() {
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (_desk, desk, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    stand.confirm(asker, "b", "").await;
    stand.router.send(BoomPrompt(1)).await.unwrap();
    settle().await;
    assert_eq!(told(&heard).len(), 1);
    assert!(
        told(&heard)[0].contains(r#""requestId":"a""#) && told(&heard)[0].contains(r#""reason":"internal""#)
    );
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(key, _)) if key.number == 1));
    stand.yes(desk, 2).await;
    assert!(told(&heard)[1].contains(r#""requestId":"b","value":true"#), "the others live");
}

#[actix::test]
async fn an_asker_that_dies_leaves_and_its_questions_with_it() {
    let stand = Stand::new(false);
    let ((ear, asker, heard), (_desk, desk, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    assert!(ear.send(Boom).await.is_err());
    settle().await;
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(..))));
    stand.yes(desk, 1).await;
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::News(_, News::Late))));
    assert!(told(&heard).is_empty());
}

#[actix::test]
async fn a_desk_that_dies_without_a_word_is_noticed_by_the_next_offer() {
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (desk, _, _mail)) = (stand.asker().await, stand.desk().await);
    desk.send(FadeAway).await.unwrap();
    settle().await;
    stand.confirm(asker, "a", "").await;
    assert_eq!(told(&heard).len(), 1);
    assert!(told(&heard)[0].contains("refused"), "{:?}", told(&heard));
}

#[actix::test]
async fn an_hour_passes_and_the_deadline_with_it() {
    tokio::time::pause();
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (_desk, _, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", r#","timeoutMs":3600000"#).await;
    tokio::time::advance(Duration::from_millis(3_599_000)).await;
    settle().await;
    assert!(told(&heard).is_empty());
    tokio::time::advance(Duration::from_secs(2)).await;
    settle().await;
    assert!(told(&heard)[0].contains("timed out after 3600000ms"), "{:?}", told(&heard));
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(..))));
}

#[actix::test]
async fn whoever_hears_an_answer_finds_it_on_file() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    stand.yes(desk, 1).await;
    until(&heard, 1).await;
    assert!(told(&heard)[0].contains("\"value\":true") && told(&heard)[0].ends_with("recorded: true"));
}

#[actix::test]
async fn whoever_waits_until_all_is_said_has_heard_what_still_waited_for_its_record() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    let (hand, hangs) = std::sync::mpsc::channel();
    stand.disk.0.lock().unwrap().hangs = Some(hangs);
    stand.confirm(asker, "a", "").await;
    stand.yes(desk, 1).await;
    let is_told = || !told(&heard).is_empty();
    let mut all_said = Box::pin(stand.router.send(AllSaid));
    for _ in 0..100 {
        assert!(looked_once(&mut all_said).await.is_none() && !is_told(), "its record is not on file");
    }
    drop(hand);
    all_said.await.unwrap();
    settle().await;
    assert!(is_told());
}

/// Looks once whether something is there.
async fn looked_once<T>(future: &mut (impl Future<Output = T> + Unpin)) -> Option<T> {
    tokio::select! {
        biased;
        done = future => Some(done),
        () = tokio::task::yield_now() => None,
    }
}

#[actix::test]
async fn a_full_disk_is_said_once_and_holds_nobody_up() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    stand.disk.0.lock().unwrap().is_full = true;
    for number in 1..=3 {
        stand.confirm(asker, &number.to_string(), "").await;
        stand.yes(desk, number).await;
        until(&heard, usize::try_from(number).unwrap()).await;
    }
    let gaps: Vec<String> =
        stand.said.lock().unwrap().iter().filter(|said| said.starts_with("Gap")).cloned().collect();
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    assert!(gaps[0].contains("no storage space"), "and why: {gaps:?}");
    stand.disk.0.lock().unwrap().is_full = false;
    stand.confirm(asker, "4", "").await;
    let progress =
        stand.router.send(ShutDown { patience: Duration::from_secs(60), code: None }).await.unwrap();
    assert!(progress.lost > 0);
    let on_file = String::from_utf8(stand.disk.0.lock().unwrap().bytes.clone()).unwrap();
    assert!(on_file.contains(&format!(r#""rec":"gap","lost":{}"#, progress.lost)), "{on_file}");
}

#[actix::test]
async fn where_the_record_is_required_nobody_hears_what_is_not_on_it_also_when_there_is_room_again() {
    let stand = Stand::requiring();
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "1", "").await;
    stand.yes(desk, 1).await;
    until(&heard, 1).await;
    stand.disk.0.lock().unwrap().is_full = true;
    stand.confirm(asker, "2", "").await;
    stand.yes(desk, 2).await;
    // It does not wait for what will never be on file.
    stand.router.send(AllSaid).await.unwrap();
    let gaps = stand.said.lock().unwrap().iter().filter(|said| said.starts_with("Gap")).count();
    assert_eq!(gaps, 1, "said at once, and once");
    stand.disk.0.lock().unwrap().is_full = false;
    stand.confirm(asker, "3", "").await;
    stand.yes(desk, 3).await;
    let progress =
        stand.router.send(ShutDown { patience: Duration::from_secs(60), code: None }).await.unwrap();
    settle().await;
    assert!(progress.lost > 0);
    assert_eq!(told(&heard).len(), 1, "{:?}", told(&heard));
}

#[actix::test]
async fn at_the_end_everybody_hears_it_and_all_is_on_file() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, _, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    let progress =
        stand.router.send(ShutDown { patience: Duration::from_secs(60), code: None }).await.unwrap();
    settle().await;
    assert_eq!(told(&heard).len(), 1);
    assert!(told(&heard)[0].contains(r#""outcome":"disconnected""#), "{:?}", told(&heard));
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(..))));
    let on_file = String::from_utf8(stand.disk.0.lock().unwrap().bytes.clone()).unwrap();
    assert_eq!(on_file.lines().count() as u64, progress.settled);
    assert_eq!(progress.lost, 0);
}

#[actix::test]
async fn a_disk_that_hangs_holds_nobody_up_once_there_is_no_room_for_records() {
    let stand = Stand::with_room(true, 4_096);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    let (hand, hangs) = std::sync::mpsc::channel();
    stand.disk.0.lock().unwrap().hangs = Some(hangs);
    stand.confirm(asker, "first", "").await;
    // It took the records of the first question in its hands, and hangs.
    while stand.disk.0.lock().unwrap().hangs.is_some() {
        tokio::task::yield_now().await;
    }
    stand.yes(desk, 1).await;
    for number in 2..=40 {
        stand.confirm(asker, &number.to_string(), "").await;
        stand.yes(desk, number).await;
    }
    assert!(told(&heard).len() > 20, "{}", told(&heard).len());
    let said = stand.said.lock().unwrap().clone();
    assert_eq!(said.iter().filter(|said| said.starts_with("Gap")).count(), 1, "{said:?}");
    drop(hand);
    until(&heard, 40).await;
}

#[actix::test]
async fn no_actor_is_left_of_a_question_that_ended() {
    let stand = Stand::new(false);
    let ((_ear, asker, _), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    for number in 1..=5 {
        stand.confirm(asker, &number.to_string(), r#","timeoutMs":3600000"#).await;
    }
    assert_eq!(stand.router.send(CountPrompts).await.unwrap(), 5);
    for number in 1..=4 {
        stand.yes(desk, number).await;
    }
    stand.router.send(BoomPrompt(5)).await.unwrap();
    settle().await;
    assert_eq!(stand.router.send(CountPrompts).await.unwrap(), 0);
}

#[actix::test]
async fn an_asker_that_fades_away_is_noticed_by_its_next_reply() {
    let stand = Stand::new(false);
    let ((ear, asker, _), (_desk, desk, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    stand.confirm(asker, "b", "").await;
    ear.send(FadeAway).await.unwrap();
    settle().await;
    stand.yes(desk, 1).await;
    let last = mail.lock().unwrap().last().cloned();
    assert!(
        matches!(last, Some(DeskMail::Withdrawn(key, _)) if key.number == 2),
        "its other question goes too"
    );
}

#[actix::test]
async fn a_desk_that_fades_away_is_noticed_by_the_next_withdrawal() {
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (desk, _, _)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", r#","timeoutMs":3600000"#).await;
    stand.confirm(asker, "b", "").await;
    desk.send(FadeAway).await.unwrap();
    settle().await;
    let cancel = Bytes::from_static(br#"{"type":"prompt_cancel","requestId":"a","reason":"cancelled"}"#);
    stand.router.send(Frames { asker, frames: vec![Frame::Line(cancel)] }).await.unwrap();
    settle().await;
    assert_eq!(told(&heard).len(), 2, "nobody holds the other one any more: {:?}", told(&heard));
}

#[actix::test]
async fn replies_of_one_turn_leave_together_and_the_answering_desk_hears_that_it_did() {
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (_desk, desk, mail)) = (stand.asker().await, stand.desk().await);
    for id in ["a", "b", "c"] {
        stand.confirm(asker, id, "").await;
    }
    stand.yes(desk, 1).await;
    let last = mail.lock().unwrap().last().cloned();
    let Some(DeskMail::Withdrawn(key, end)) = last else { panic!("{last:?}") };
    assert_eq!((key.number, end.outcome()), (1, codec::Outcome::Answered));
    assert_eq!(*stand.batches.lock().unwrap(), 1);
    stand.router.send(ShutDown { patience: Duration::ZERO, code: None }).await.unwrap();
    settle().await;
    assert_eq!((told(&heard).len(), *stand.batches.lock().unwrap()), (3, 2), "two ends, one message");
}

#[actix::test]
async fn a_record_that_nobody_waits_for_goes_on_file_by_itself() {
    let stand = Stand::new(true);
    let ((_ear, asker, _), (_desk, _, _)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    while !String::from_utf8_lossy(&stand.disk.0.lock().unwrap().bytes).contains("\"rec\":\"offer\"") {
        tokio::task::yield_now().await;
    }
}
