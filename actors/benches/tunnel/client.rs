//! The clients: blocking ones, each on a thread of its own, the same for both servers. What they send is prepared before
//! the clock runs.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::mix::Mix;

/// How much one write brings.
const PIECE: usize = 64 << 10;
/// Connections that ask at the same time: one may have 256 open questions.
const ASKERS: usize = 4;
const OF_EACH: usize = 250;
/// Questions that are under way at the same time.
pub(super) const IN_FLIGHT: usize = ASKERS * OF_EACH;
/// Longer than anything takes here: a server that does not answer is an error.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connects to a server.
pub(super) fn connect(path: &Path) -> UnixStream {
    let stream = UnixStream::connect(path).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn question(id: usize) -> String {
    format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"2026-11-16T09:00:00.000Z","requestId":"{id:08}-q","promptType":"confirm","promptConfig":{{"message":"Delete the three files that the build left behind?"}},"timeoutMs":60000}}}}"#
    ) + "\n"
}

/// Reads until there were so many lines.
pub(super) fn hear(mut stream: &UnixStream, lines: usize) {
    let (mut buffer, mut heard) = ([0; 16 << 10], 0);
    while heard < lines {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "the server closed the connection");
        heard += memchr::memchr_iter(b'\n', buffer.get(..read).unwrap()).count();
    }
    assert_eq!(heard, lines, "every question has one answer");
}

/// How long it takes until every writer's share is dispatched: each asks behind its last line, and waits for the answer.
pub(super) fn pour(path: &Path, shares: &[&[u8]]) -> Duration {
    let (start, last) = (Barrier::new(shares.len() + 1), question(0));
    thread::scope(|scope| {
        let writers: Vec<_> = shares
            .iter()
            .map(|share| {
                scope.spawn(|| {
                    start.wait();
                    let mut stream = connect(path);
                    for piece in share.chunks(PIECE) {
                        stream.write_all(piece).unwrap();
                    }
                    stream.write_all(last.as_bytes()).unwrap();
                    hear(&stream, 1);
                })
            })
            .collect();
        let begin = Instant::now();
        start.wait();
        for writer in writers {
            writer.join().unwrap();
        }
        begin.elapsed()
    })
}

/// How many questions are asked one after another.
#[derive(Clone, Copy)]
pub(super) struct Trips {
    pub(super) warm_up: usize,
    pub(super) count: usize,
}

/// How long each of them took.
pub(super) fn round_trips(path: &Path, trips: Trips) -> Vec<Duration> {
    let stream = connect(path);
    let times = (0..trips.warm_up + trips.count).map(|id| round_trip(&stream, id));
    times.skip(trips.warm_up).collect()
}

fn round_trip(mut stream: &UnixStream, id: usize) -> Duration {
    let question = question(id);
    let begin = Instant::now();
    stream.write_all(question.as_bytes()).unwrap();
    hear(stream, 1);
    begin.elapsed()
}

/// How the questions of one connection come.
#[derive(Clone, Copy)]
pub(super) enum Asking {
    /// in a write each, as clients ask
    OneByOne,
    /// all in one write
    AllAtOnce,
}

/// How long so many rounds take, each of as many questions as can be under way.
pub(super) fn in_flight(path: &Path, rounds: usize, asking: Asking) -> Duration {
    let askers: Vec<UnixStream> = (0..ASKERS).map(|_| connect(path)).collect();
    let questions: Vec<String> = (0..OF_EACH).map(question).collect();
    let writes = match asking {
        Asking::OneByOne => questions,
        Asking::AllAtOnce => vec![questions.concat()],
    };
    let begin = Instant::now();
    for _ in 0..rounds {
        for write in &writes {
            for mut asker in &askers {
                asker.write_all(write.as_bytes()).unwrap();
            }
        }
        for asker in &askers {
            hear(asker, OF_EACH);
        }
    }
    begin.elapsed()
}

/// How questions fared among a flood of lines.
pub(super) struct Flooded {
    pub(super) times: Vec<Duration>,
    /// how many lines there really were
    pub(super) lines_a_second: f64,
}

const FLOODERS: usize = 2;
/// Lines at a time, and how often: 100,000 a second.
const WAVE: usize = 500;
const EVERY: Duration = Duration::from_millis(5);

/// Asks one question after another for so long, while others send as fast as they are meant to.
pub(super) fn flooded(path: &Path, mix: &Mix, time: Duration) -> Flooded {
    let (waves, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..FLOODERS {
            scope.spawn(|| flood(path, mix, &waves, &is_over));
        }
        let (stream, begin) = (connect(path), Instant::now());
        let times = (0..).map_while(|id| (begin.elapsed() < time).then(|| round_trip(&stream, id))).collect();
        let lines_a_second = (waves.load(Ordering::Relaxed) * WAVE) as f64 / begin.elapsed().as_secs_f64();
        is_over.store(true, Ordering::Relaxed);
        Flooded { times, lines_a_second }
    })
}

fn flood(path: &Path, mix: &Mix, waves: &AtomicUsize, is_over: &AtomicBool) {
    let all: Vec<&[u8]> = mix.batches(WAVE).collect();
    let (mut stream, mut due) = (connect(path), Instant::now());
    for wave in all.iter().cycle() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        stream.write_all(wave).unwrap();
        waves.fetch_add(1, Ordering::Relaxed);
        due += EVERY;
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}
