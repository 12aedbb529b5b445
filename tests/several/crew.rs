//! At once, at a terminal: names and colours, one queue that says who asks, a row each, and whom a line goes to.

use std::sync::Arc;

use crate::stub::at_terminal;
use crate::support::temp::Temp;

const THREE: [&str; 12] = [
    "-j",
    "3",
    "-n",
    "api",
    "-n",
    "web",
    "--task",
    "asks a waits held",
    "--task",
    "asks b waits held",
    "--task",
    "waits held hears got",
];

fn folder() -> Arc<Temp> {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    folder
}

#[test]
fn each_has_its_name_and_row_and_the_queue_says_who_asks() {
    let folder = folder();
    let mut tim = at_terminal(&folder, &THREE);
    tim.until("all three and the first question", |picture| {
        let has = |text: &str| picture.times(text) > 0;
        let are_asked = has("wants to run a command") && has("? waits for you") && has("then  ");
        are_asked && has("begins waits held hears got")
    });
    let picture = tim.picture();
    let asker = if picture.times("? api wants") > 0 { ("api", "web", "a") } else { ("web", "api", "b") };
    let row =
        |name: &str, what: &str| picture.rows().iter().any(|row| row.starts_with(name) && row.contains(what));
    assert!(row(asker.0, "? waits for you") && row(asker.1, "? waits"), "{picture}");
    assert!(row("waits-held │", "begins waits held hears got"), "{picture}");
    tim.armed("y once");
    tim.types("y");
    tim.sees(&format!("? {} wants to run a command", asker.1));
    tim.saw(&format!("allowed {}", asker.2));
    tim.armed("y once");
    tim.types("n");
    tim.saw("denied");
    std::fs::remove_file(folder.path("home/held")).unwrap();
    tim.sees("❯");
    tim.types("@waits-held go on\r");
    assert_eq!(tim.ends(), 0);
    assert!(std::fs::read_to_string(folder.path("home/got")).unwrap().contains("\"go on\""));
}

#[test]
fn a_line_goes_to_the_one_before_the_sign_and_tab_moves_it() {
    let folder = folder();
    let flags = ["-j", "2", "-n", "api", "-n", "web", "--task", "hears one", "--task", "hears two"];
    let mut tim = at_terminal(&folder, &flags);
    tim.sees("begins hears one");
    tim.sees("begins hears two");
    let first = tim.until("a target", |picture| picture.times("api ❯") + picture.times("web ❯") > 0);
    let (first, second) = if first.times("api ❯") > 0 { ("api", "web") } else { ("web", "api") };
    tim.types("\t");
    tim.sees(&format!("{second} ❯"));
    tim.types("for the second\r");
    tim.sees(&format!("→ You to {second}: for the second"));
    tim.until("the first alone", |picture| picture.times(&format!("{second} ❯")) == 0);
    tim.types("for the first\r");
    assert_eq!(tim.ends(), 0);
    let file = |name: &str| folder.path(if name == "api" { "home/one" } else { "home/two" });
    assert!(std::fs::read_to_string(file(second)).unwrap().contains("for the second"));
    assert!(std::fs::read_to_string(file(first)).unwrap().contains("for the first"));
}

#[test]
fn what_is_for_all_is_heard_by_all() {
    let folder = folder();
    let flags = ["-j", "3", "--task", "hears one", "--task", "hears two", "--task", "hears three"];
    let mut tim = at_terminal(&folder, &flags);
    for begins in ["begins hears one", "begins hears two", "begins hears three"] {
        tim.sees(begins);
    }
    tim.types("@all stop that\r");
    assert_eq!(tim.ends(), 0);
    for name in ["one", "two", "three"] {
        let heard = std::fs::read_to_string(folder.path(&format!("home/{name}"))).unwrap();
        assert_eq!(heard.matches("stop that").count(), 1, "{heard}");
    }
}

#[test]
fn more_than_five_are_one_row_that_counts() {
    let folder = folder();
    let tasks: Vec<String> = (0..6).map(|at| format!("waits held {at}")).collect();
    let flags = ["-j", "6"].into_iter().chain(tasks.iter().flat_map(|task| ["--task", task]));
    let mut tim = at_terminal(&folder, &flags.collect::<Vec<_>>());
    tim.sees("6 agents  6 working");
    std::fs::remove_file(folder.path("home/held")).unwrap();
    assert_eq!(tim.ends(), 0);
    tim.sees("✓ 6 of 6 done");
}
