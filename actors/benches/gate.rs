//! What a rule costs: how long the gate takes over commands of each size and of the shapes that are worst for it.
//!
//! `cargo bench -p actors --bench gate`. Each command is judged again and again by 50 allow and 50 deny rules; the floor, in the same rounds,
//! is a walk over the same text that splits it at blanks. Tells the median, the 99th percentile and the worst.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "a bench looks at the clock")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::{Gate, Place};

const ROUNDS: usize = 2_000;

fn main() {
    let gate = gate();
    println!("{:42} {:>9} {:>9} {:>9} {:>9} {:>8}", "", "floor", "median", "p99", "worst", "ratio");
    for (name, command) in commands() {
        let rounds = if command.len() > 100_000 { 50 } else { ROUNDS };
        let mut floor = Vec::with_capacity(rounds);
        let mut judged = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            floor.push(timed(|| {
                black_box(&command).split([' ', '\n']).filter(|word| !word.is_empty()).count()
            }));
            judged.push(timed(|| gate.judge_command(black_box(&command))));
        }
        row(&name, floor, judged);
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn row(name: &str, mut floor: Vec<Duration>, mut judged: Vec<Duration>) {
    floor.sort_unstable();
    judged.sort_unstable();
    let of =
        |times: &[Duration], percent: usize| times.get((times.len() - 1) * percent / 100).copied().unwrap();
    let (least, median) = (of(&floor, 50), of(&judged, 50));
    let ratio = median.as_secs_f64() / least.as_secs_f64().max(1e-9);
    println!(
        "{name:42} {least:>9.1?} {median:>9.1?} {:>9.1?} {:>9.1?} {ratio:>7.0}x",
        of(&judged, 99),
        of(&judged, 100)
    );
}

/// Fifty rules, of which the last ones count.
fn gate() -> Gate {
    let mut allow: Vec<_> = (0..43).map(|number| format!("Bash(tool-{number} run:*)")).collect();
    allow.extend(
        [
            "Bash(git log:*)",
            "Bash(rg:*)",
            "Bash(sed -n:*)",
            "Bash(a:*)",
            "Bash(ls:*)",
            "Bash(jest:*)",
            "Bash(sudo:*)",
        ]
        .map(str::to_owned),
    );
    let parse = |rule: &String| Rule::parse(rule).unwrap();
    let deny: Vec<_> =
        (0..50).map(|number| Rule::parse(&format!("Bash(bad-{number} run:*)")).unwrap()).collect();
    let place = Place { root: "/proj/app".to_owned(), home: None };
    Gate::new(RuleSet { allow: allow.iter().map(parse).collect(), deny }, place)
}

fn commands() -> Vec<(String, String)> {
    let usual = "git log --oneline -20 -- src/parse.rs 2>/dev/null | rg -v 'Merge (branch|pull request)' && rg -n --hidden \
                 'fn (split|join)_line' src tests | sed -n '1,40p;$p' # the last 40 of them, and where it all began";
    let mut all = vec![("an ordinary command of 200 bytes".to_owned(), usual.to_owned())];
    let shapes = [
        ("parts", "a;"),
        ("words", "ls x "),
        ("quotes", "a 'b' \"c\" "),
        ("braces", "{"),
        ("wrappers", "sudo "),
        ("timeouts", "timeout 1 "),
        ("options", "git -c "),
        ("options of jest", "--a "),
        ("documents", " \"$(cat <<'E'\n(\nE\n)\""),
        ("words behind sudo", "a "),
        ("a script of sed", "s/a/b/;"),
    ];
    for (name, piece) in shapes {
        let mut text = piece.repeat(9_900 / piece.len());
        match name {
            "a script of sed" => text = format!("sed -n '{text}'"),
            "options of jest" => text = format!("jest {text}"),
            "documents" => text = format!("git commit {text}"),
            "words behind sudo" => text = format!("sudo {text}"),
            _ => {}
        }
        all.push((format!("10 kB of {name}"), text));
    }
    all.push(("1 MiB, which is not looked at".to_owned(), "a;".repeat(1 << 19)));
    all.push(("1 MiB that nobody sees".to_owned(), "\u{202e}".repeat(1 << 18)));
    all
}
