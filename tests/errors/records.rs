//! Records that are to be looked at.

use insta::assert_snapshot;

use crate::home::Home;
use crate::told::Book;

/// The first record of a run of that name.
fn begun(home: &Home, id: &str) {
    let record = format!("{{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":1,\"id\":\"{id}\",\"seed\":\"7\"}}\n");
    home.file(&format!("state/tim/runs/20261116T075520Z-{id}.jsonl"), record);
}

#[test]
fn a_record_that_there_is_not_or_that_is_none_is_said() {
    let (home, mut book) = (Home::new(), Book::default());
    home.folder("home/folder");
    home.file("home/note.txt", "hello\n");
    home.file("home/empty", "");
    home.file(
        "home/later.jsonl",
        "{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":99,\"id\":\"7f3c0a1b\",\"seed\":\"7\"}\n",
    );
    begun(&home, "7f3c0a1b");
    begun(&home, "7f3c0b00");
    for (sentence, arguments) in [
        ("Neither a file nor a run.", &["log", "nothing"][..]),
        ("A run that there is not.", &["log", "12ab"]),
        ("A run that may be one of two.", &["log", "7f3c"]),
        ("A folder.", &["log", "./folder"]),
        ("A file that is no record.", &["log", "./note.txt"]),
        ("An empty file.", &["log", "./empty"]),
        ("A record of a later version.", &["log", "./later.jsonl"]),
        ("A decision of a run that there is not.", &["log", "why", "12ab.p1"]),
        ("A decision that there is not.", &["log", "why", "7f3c0a1b.p9"]),
        ("Something to share that is no record.", &["log", "redact", "./note.txt"]),
        ("A file that is there already is not written over.", &["log", "redact", "7f3c0a", "-o", "note.txt"]),
        ("A place that there is not.", &["log", "redact", "7f3c0a", "-o", "nowhere/x.jsonl"]),
        ("A file to play that there is not.", &["replay", "nothing.jsonl"]),
        ("A run to play that there is not.", &["replay", "12ab"]),
        ("A folder to play.", &["replay", "folder"]),
        ("A file to play that is no record.", &["replay", "note.txt"]),
        ("An empty file to play.", &["replay", "empty"]),
        ("A record to play of a later version.", &["replay", "later.jsonl"]),
        ("A run to go on with that there is not.", &["run", "-r", "12ab", "go"]),
        ("A run to go on with that may be one of two.", &["run", "-r", "7f3c", "go"]),
        ("A run to go on with that said nothing.", &["run", "-r", "7f3c0a1b", "go"]),
    ] {
        book.fails(sentence, &home, arguments);
    }
    assert_snapshot!("records", book.text());
}
