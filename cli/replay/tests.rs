//! Files that somebody spoilt: whatever stands in them, a replay only says so, and the same every time.

use clap::Parser as _;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::args::{Args, Command};

const FILES: [&str; 8] = [
    include_str!("../../fixtures/runs/a-life.jsonl"),
    include_str!("../../fixtures/runs/every-record.jsonl"),
    include_str!("../../fixtures/runs/grant.jsonl"),
    include_str!("../../fixtures/runs/by-rules.jsonl"),
    include_str!("../../fixtures/events/approval-then-text.jsonl"),
    include_str!("../../fixtures/tunnel/61-prompts-of-every-kind.jsonl"),
    include_str!("../../fixtures/claude/s1_official_sdk_multi.2.1.325.jsonl"),
    include_str!("../../fixtures/claude/a5_message_while_text_streams.2.1.325.jsonl"),
];

const WAYS: [&[&str]; 8] = [
    &[],
    &["--wires"],
    &["--check"],
    &["--output-format", "json"],
    &["--output-format", "stream-json"],
    &["--check", "--output-format", "stream-json"],
    &["--turns"],
    &["--turns", "--output-format", "json"],
];

/// What somebody does to a file.
#[derive(Debug, Clone)]
enum Harm {
    Flip(Index, u8),
    Cut(Index),
    Twice(Index),
    Swap(Index, Index),
    Drop(Index),
    Foreign(Index, usize, Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Harm::Flip(at, byte)),
        any::<Index>().prop_map(Harm::Cut),
        any::<Index>().prop_map(Harm::Twice),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Harm::Swap(one, other)),
        any::<Index>().prop_map(Harm::Drop),
        (any::<Index>(), 0..FILES.len(), any::<Index>())
            .prop_map(|(at, file, line)| Harm::Foreign(at, file, line)),
    ]
}

fn spoilt(file: &str, harms: &[Harm]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = file.lines().map(|line| line.as_bytes().to_vec()).collect();
    for harm in harms.iter().filter(|_| !file.is_empty()) {
        let count = lines.len().max(1);
        match harm {
            Harm::Flip(at, byte) => {
                let line = lines.get_mut(at.index(count));
                if let Some(place) = line.and_then(|line| (!line.is_empty()).then(|| at.get_mut(line))) {
                    *place = *byte;
                }
            }
            Harm::Cut(at) => lines.get_mut(at.index(count)).into_iter().for_each(|line| {
                line.truncate(at.index(line.len() + 1));
            }),
            Harm::Twice(at) => {
                let line = lines.get(at.index(count)).cloned();
                lines.extend(line);
            }
            Harm::Swap(one, other) if !lines.is_empty() => lines.swap(one.index(count), other.index(count)),
            Harm::Drop(at) if !lines.is_empty() => drop(lines.remove(at.index(count))),
            Harm::Foreign(at, file, line) => {
                let all: Vec<&str> = FILES[*file].lines().collect();
                lines.insert(at.index(lines.len() + 1), line.get(&all).as_bytes().to_vec());
            }
            Harm::Swap(..) | Harm::Drop(_) => {}
        }
    }
    lines.join(&b'\n')
}

/// What is printed, and whether it went to the end.
fn printed(bytes: &[u8], arguments: &[&str]) -> (Vec<u8>, bool) {
    let words = ["tim", "replay", "x"].iter().chain(arguments);
    let Command::Replay(args) = Args::try_parse_from(words).unwrap().command else { panic!("{arguments:?}") };
    if args.turns {
        return turns::printed(bytes, args.output_format);
    }
    let mut show = Show::new(&args, Vec::new(), Look::PLAIN);
    let is_read = play(Path::new("x"), bytes, &mut show).and_then(|()| Ok(show.finish()?)).is_ok();
    (show.out, is_read)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_spoilt_file_is_played_as_far_as_it_goes_and_always_the_same(
        file in 0..FILES.len(),
        harms in prop::collection::vec(harm(), 0..12),
    ) {
        let bytes = spoilt(FILES[file], &harms);
        for way in WAYS {
            let (once, again) = (printed(&bytes, way), printed(&bytes, way));
            prop_assert_eq!(&once, &again, "{:?}", way);
            let odd = String::from_utf8(once.0).unwrap();
            let odd = odd.chars().find(|letter| *letter != '\n' && !codec::text::is_printable(*letter));
            prop_assert!(odd.is_none_or(|odd| odd == '\u{200d}'), "{:?}: {:?}", way, odd);
        }
    }

    #[test]
    fn each_line_of_a_spoilt_file_is_in_exactly_one_of_the_counts(
        file in 0..FILES.len(),
        harms in prop::collection::vec(harm(), 0..6),
    ) {
        let bytes = spoilt(FILES[file], &harms);
        let mut count = 0;
        let counted = file::read(Path::new("x"), bytes.as_slice(), |part| {
            count += usize::from(!matches!(part, Part::Pause));
            Ok(())
        });
        prop_assert!(counted.is_ok());
        let (summary, is_read) = printed(&bytes, &["--output-format", "json"]);
        let (summary, expected) = (String::from_utf8(summary).unwrap(), format!("\"lines\":{{\"all\":{count},"));
        prop_assert!(!is_read || summary.contains(&expected), "not {}: {}", expected, summary);
    }
}
