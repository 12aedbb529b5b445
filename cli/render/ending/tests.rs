//! The rows of each kind of end.

use super::*;

fn ending(how: How, exit: u8) -> Ending {
    Ending {
        how,
        exit,
        lasted: Duration::from_millis(192_900),
        turns: 9,
        cost: Some(0.4801),
        tokens: None,
        files: (4, 61, 12),
        questions: Questions { you_yes: 3, rules_yes: 3, other_yes: 0, no: 1, undecided: 0 },
        not_read: vec!["and update the changelog".to_owned()],
        session: None,
        goes_on_by: Some("7f3c".to_owned()),
        recorded_as: Some("7f3c".to_owned()),
    }
}

fn nothing(how: How, exit: u8) -> Ending {
    Ending {
        how,
        exit,
        lasted: Duration::from_millis(900),
        turns: 0,
        cost: None,
        tokens: None,
        files: (0, 0, 0),
        questions: Questions::default(),
        not_read: Vec::new(),
        session: None,
        goes_on_by: None,
        recorded_as: None,
    }
}

fn plain(ending: &Ending) -> String {
    block(ending).plain().join("\n")
}

fn refused(what: &str, remedy: &str) -> Refused {
    Refused { what: what.to_owned(), remedy: remedy.to_owned() }
}

#[test]
fn a_run_that_went_well_says_what_it_came_to() {
    let rows = "✓ done  3m12s  9 turns  $0.48  4 files +61 −12\n  \
                questions  6 yes (you 3, rules 3)  1 no\n\
                ! not read   \"and update the changelog\" came after the last turn\n  \
                go on      tim run -r 7f3c \"…\"      look back  tim log 7f3c";
    assert_eq!(plain(&ending(How::Done, 0)), rows);
}

#[test]
fn what_cannot_be_gone_on_with_can_be_looked_at() {
    let rows = plain(&Ending { recorded_as: Some("7f3c".to_owned()), ..nothing(How::Done, 0) });
    assert_eq!(rows, "✓ done\n  look back  tim log 7f3c");
}

#[test]
fn what_is_nothing_is_left_out() {
    assert_eq!(plain(&nothing(How::Done, 0)), "✓ done");
    assert_eq!(plain(&nothing(How::Interrupted, 130)), "– interrupted (exit 130)");
}

#[test]
fn a_run_that_somebody_said_no_to_is_no_failure() {
    let rejected = nothing(How::Rejected, 1);
    assert_eq!(plain(&rejected), "– rejected (exit 1)");
    let questions = Questions { you_yes: 1, no: 1, ..Questions::default() };
    let rows = plain(&Ending { questions, tokens: Some((900, 340)), ..rejected });
    assert_eq!(rows, "– rejected (exit 1)  1,240 tokens\n  questions  1 yes (you 1)  1 no");
}

#[test]
fn tokens_are_counted_together() {
    let rows = |tokens| plain(&Ending { turns: 2, tokens, ..nothing(How::Done, 0) });
    assert_eq!(rows(Some((1_200, 40))), "✓ done  2 turns  1,240 tokens");
    assert_eq!(rows(Some((1, 0))), "✓ done  2 turns  1 token");
    assert_eq!(rows(Some((0, 0))), "✓ done  2 turns");
    let most = Ending { tokens: Some((u64::MAX, 1)), ..nothing(How::Failed("why".to_owned()), 1) };
    assert_eq!(plain(&most), "✗ failed (exit 1)  18,446,744,073,709,551,615 tokens  why");
}

#[test]
fn a_run_that_nobody_could_answer_says_what_would_have_helped() {
    let open = vec![
        refused("Bash git push origin HEAD", "--allow 'Bash(git push:*)'"),
        refused("AskUserQuestion \"Which database?\"", "run at a terminal, or --answer-command"),
        refused(&"x".repeat(60), "or this"),
    ];
    let rows = plain(&Ending { goes_on_by: Some("7f3c".to_owned()), ..nothing(How::Undecided(open), 5) });
    let expected = "✗ undecided (exit 5)\n  \
        Nobody decided these; what would have:\n    \
        Bash git push origin HEAD          --allow 'Bash(git push:*)'\n    \
        AskUserQuestion \"Which database?\"  run at a terminal, or --answer-command\n    \
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  or this\n  \
        go on      tim run -r 7f3c";
    assert_eq!(rows, expected);
}

#[test]
fn a_run_that_failed_says_why_in_its_first_row() {
    let why = "API 529 overloaded,\ngave up after 10 tries";
    let rows = plain(&Ending { cost: Some(0.02), ..nothing(How::Failed(why.to_owned()), 1) });
    assert_eq!(rows, "✗ failed (exit 1)  $0.02  API 529 overloaded, gave up after 10 tries");
    let rows = plain(&nothing(How::TimedOut("the limit of 30m".to_owned()), 3));
    assert_eq!(rows, "✗ out of time (exit 3)  the limit of 30m");
    assert_eq!(plain(&nothing(How::Stopped("SIGTERM".to_owned()), 143)), "✗ stopped (exit 143)  SIGTERM");
}

#[test]
fn an_end_fits_on_a_narrow_screen() {
    let drawn = block(&ending(How::Failed("why ".repeat(90)), 1)).rendered(40);
    assert!(drawn.rows.len() > 8 && drawn.rows.iter().all(|row| row.width() <= 40));
    assert!(
        drawn.rows.iter().skip(1).all(|row| row.text().starts_with("  ") || row.text().starts_with("! "))
    );
}
