//! How long a replay takes, beside the floor.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::floor;
use crate::journal::{Heavy, Journal};

const ROUNDS: usize = 7;
const SIZE: usize = 200_000_000;
/// So many times as long as the floor.
const BOUND: f64 = 4.0;

pub(crate) fn measure() {
    for (name, heavy) in [("an agent that talks", Heavy::Agent), ("many clients", Heavy::Tunnel)] {
        let file = Kept::write(heavy);
        assert_eq!(tim(&file.0, &["--check"]).1.split(':').next(), Some("as recorded"), "{name}");
        let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(|_| times(&file.0)).collect();
        println!(
            "rate: {name}, {} MB, {ROUNDS} interleaved rounds, medians (least … most)",
            SIZE / 1_000_000
        );
        for (at, what) in ["serde_json::Value", "--output-format json", "--check"].iter().enumerate() {
            let seconds = spread(rounds.iter().map(|round| round[at]));
            let ratio = spread(rounds.iter().map(|round| round[at] / round[0]));
            let verdict = if ratio[1] <= BOUND { "ok" } else { "MISSED" };
            let bound = if at == 0 { String::new() } else { format!(" (at most {BOUND}: {verdict})") };
            println!("  {what:<22} {} s   {} × the floor{bound}", shown(seconds), shown(ratio));
        }
    }
}

/// How long each of them takes, one right after the other.
fn times(file: &Path) -> [f64; 3] {
    let began = Instant::now();
    let mut command = Command::new(std::env::current_exe().unwrap());
    assert!(command.arg(floor::NAME).arg(file).output().unwrap().status.success());
    let floor = began.elapsed();
    let summary = ["--output-format", "json"];
    [floor, tim(file, &summary).0, tim(file, &["--check"]).0].map(|took| took.as_secs_f64())
}

fn tim(file: &Path, arguments: &[&str]) -> (Duration, String) {
    let began = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    let output = command.arg("replay").arg(file).args(arguments).env_clear().output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", said.get(..2_000).unwrap_or(&said));
    (began.elapsed(), said)
}

/// A journal on file, which is gone when the bench is.
struct Kept(PathBuf);

impl Kept {
    fn write(heavy: Heavy) -> Self {
        let name = format!("replay-{}-{}.jsonl", std::process::id(), heavy as u8);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let mut file = File::create(&path).unwrap();
        let (mut text, mut size) = (String::new(), 0);
        let mut journal = Journal::begin(heavy, &mut text);
        while size < SIZE {
            journal.cycle(&mut text);
            file.write_all(text.as_bytes()).unwrap();
            size += text.len();
            text.clear();
        }
        Self(path)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

/// The least, the middle one, the most.
fn spread(figures: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = figures.collect();
    sorted.sort_by(f64::total_cmp);
    [sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1]]
}

fn shown([least, middle, most]: [f64; 3]) -> String {
    format!("{middle:.2} ({least:.2} … {most:.2})")
}
