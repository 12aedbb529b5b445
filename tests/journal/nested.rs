//! A run that an agent starts has a record of its own, and the root's has everything.

use std::sync::Arc;

use serde_json::Value;

use crate::stub::{played, run_in, written_as};
use crate::support::journal::Journal;
use crate::support::temp::Temp;

const TIM: &str = env!("CARGO_BIN_EXE_tim");

#[test]
fn a_nested_run_has_its_own_record_and_every_question_and_report_of_it_is_in_the_roots_too() {
    let folder = Arc::new(Temp::new());
    let inner = written_as(
        &folder,
        "inner",
        &format!(
            "hears; init; says 'inner works'; asks p1; hears; asks p2; hears\n\
             {TIM} ask confirm 'Go on?' > answer; {TIM} emit 'a report from below'; result final; to_the_end"
        ),
    );
    let outer = format!(
        "hears; init; asks own; hears; {TIM} run -n review --claude {} look > out 2> err\n\
         result \"code $?\"; to_the_end",
        inner.display()
    );
    let answers = "read -r asked; case $asked in *permission*) echo '{\"allow\":true}';; *) echo true;; esac";
    let launch = run_in(Arc::clone(&folder), &outer).arg("--answer-command").arg(answers);
    let (code, stdout, stderr) = played(launch.within(folder.path("home")));
    assert_eq!((code, stdout.as_str()), (0, "code 0\n"), "{stderr}");
    let files = crate::records(&folder);
    assert_eq!(files.len(), 2, "{files:?}");
    let journals: Vec<Journal> = files.iter().map(|file| Journal::read(file)).collect();
    let is_root = |journal: &&Journal| journal.records("run")[0].get("path").is_none();
    let (root, nested) =
        (journals.iter().find(is_root).unwrap(), journals.iter().find(|one| !is_root(one)).unwrap());
    journals.iter().for_each(Journal::every_question_ended_once);
    assert_eq!((nested.records("ask").len(), root.records("ask").len()), (3, 4));
    let asked = |journal: &Journal| -> Vec<String> {
        let what = |ask: &&Value| format!("{}{}", ask["kind"], ask["config"]);
        journal.records("ask").iter().map(what).collect()
    };
    let at_root = asked(root);
    assert!(asked(nested).iter().all(|question| at_root.contains(question)), "{at_root:?}");
    let heard =
        |journal: &Journal, words: &str| journal.lines("from").iter().any(|(_, line)| line.contains(words));
    for words in ["inner works", "a report from below", "Go on?"] {
        assert!(heard(root, words) && heard(nested, words), "{words}");
    }
    let paths: Vec<&Value> = root.records("ask").into_iter().map(|ask| &ask["path"]).collect();
    assert!(paths.iter().any(|path| path.as_str().is_some_and(|path| path.contains("review"))), "{paths:?}");
}
