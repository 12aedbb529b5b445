//! Many lives, and the proof that a bug would not survive them.

use std::collections::BTreeMap;

use super::Sabotage;
use super::check::Broken;
use super::world::live;

/// Lives of the ordinary test run.
const SEEDS: u64 = 2_000;

fn seeds() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "how many lives a person would like to see")]
    let wanted = std::env::var("TIM_SIM_SEEDS");
    wanted.ok().map_or(SEEDS, |wanted| wanted.parse().unwrap())
}

#[test]
fn every_question_ends_once_whatever_happens() {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut late = 0;
    for seed in 0..seeds() {
        let life = live(seed, Sabotage::None).unwrap_or_else(|broken| panic!("seed {seed}: {broken:?}"));
        late += life.late;
        for (outcome, count) in life.outcomes {
            *outcomes.entry(outcome).or_default() += count;
        }
    }
    println!("{} lives: {outcomes:?}, {late} late answers", seeds());
    assert_eq!(outcomes.len(), 6, "all six ends are met: {outcomes:?}");
    assert!(late > 0);
}

/// The fixture of a run of ours. After a change of what is recorded:
/// `TIM_SIM_TAPE=../fixtures/runs/a-life.jsonl cargo test -p actors --lib the_fixture`
#[test]
fn the_fixture_is_a_life_of_today() {
    let tape = live(7, Sabotage::None).unwrap().tape.join("\n") + "\n";
    #[expect(clippy::disallowed_methods, reason = "where a person would like to have it")]
    if let Ok(path) = std::env::var("TIM_SIM_TAPE") {
        std::fs::write(path, &tape).unwrap();
    }
    assert_eq!(
        tape,
        include_str!("../../../fixtures/runs/a-life.jsonl"),
        "write it anew, and read the difference"
    );
}

#[test]
fn a_seed_does_the_same_again() {
    for seed in 0..50 {
        let (one, two) = (live(seed, Sabotage::None).unwrap(), live(seed, Sabotage::None).unwrap());
        assert_eq!(one, two, "seed {seed}");
    }
}

/// The first seed that notices a bug, and what it notices.
fn noticed(sabotage: Sabotage) -> Broken {
    let seen = (0..SEEDS).find_map(|seed| live(seed, sabotage).err().map(|broken| (seed, broken)));
    let (seed, broken) = seen.unwrap_or_else(|| panic!("{sabotage:?} survived {SEEDS} seeds"));
    println!("{sabotage:?}: seed {seed}: {broken:?}");
    broken
}

macro_rules! mutants {
    ($( $name:ident: $sabotage:ident => $broken:pat, )*) => {$(
        #[test]
        fn $name() {
            let broken = noticed(Sabotage::$sabotage);
            assert!(matches!(broken, $broken), "{broken:?}");
        }
    )*};
}

mutants! {
    a_double_end_is_noticed: DoubleEnd => Broken::Ends(_),
    a_lost_end_is_noticed: LostEnd => Broken::Ends(_),
    an_unrecorded_end_is_noticed: UnrecordedEnd => Broken::Ends(_),
    a_lost_cancel_is_noticed: LostCancel => Broken::Desks(_) | Broken::Ends(_),
    a_wrong_key_is_noticed: WrongKey => Broken::Desks(_) | Broken::Ends(_) | Broken::Late(_),
    a_forgotten_deadline_is_noticed: ForgottenDeadline => Broken::Desks(_) | Broken::Ends(_),
    a_mixed_up_outcome_is_noticed: MixedUpOutcome => Broken::Ends(_),
    a_reply_before_its_record_is_noticed: ReplyBeforeJournal => Broken::Journal(_),
    shared_ids_are_noticed: SharedIds => Broken::Ends(_) | Broken::Desks(_),
    a_duplicate_that_ends_the_first_is_noticed: DuplicateEndsFirst => Broken::Ends(_) | Broken::Desks(_),
    an_error_for_a_repeated_control_request_is_noticed: DuplicateIsAnError => Broken::Ends(_) | Broken::Desks(_),
    a_timeout_that_approves_is_noticed: TimeoutApproves => Broken::Ends(_),
    a_lost_withdrawal_is_noticed: LostWithdrawal => Broken::Desks(_),
    a_forgotten_desk_is_noticed: ForgottenDesk => Broken::Ends(_) | Broken::Desks(_) | Broken::Replay(_),
    a_late_desk_without_offers_is_noticed: NoOfferToLateDesk => Broken::Desks(_),
    an_offer_to_one_desk_alone_is_noticed: OfferToOneDesk => Broken::Desks(_),
    a_forgotten_asker_is_noticed: ForgottenAsker => Broken::Ends(_) | Broken::Desks(_),
    an_unfit_answer_that_counts_is_noticed: UnfitAnswerCounts => Broken::Ends(_) | Broken::Desks(_),
    waiting_for_nobody_is_noticed: WaitsForNobody => Broken::Ends(_),
    a_lost_grant_is_noticed: LostGrant => Broken::Ends(_) | Broken::Desks(_),
    a_grant_that_leaves_what_waits_is_noticed: GrantAnswersNothing => Broken::Ends(_) | Broken::Desks(_),
    an_unfair_queue_is_noticed: UnfairQueue => Broken::Fairness(_),
}
