//! Files that are to be read: prompts, pictures, tasks.

use insta::assert_snapshot;

use crate::home::Home;
use crate::told::Book;

#[test]
fn a_file_that_cannot_be_used_is_named_with_the_reason() {
    let (home, mut book) = (Home::new(), Book::default());
    home.folder("home/folder");
    home.file("home/bytes", [0xff, 0xfe]);
    home.file("home/empty.md", "");
    home.file("home/note.txt", "hello");
    home.file("home/done.md", "- [x] all of it\n");
    home.file("home/torn.md", "- [ ] one\n```\n- [ ] two\n");
    for (sentence, arguments) in [
        ("A prompt in a file that there is not.", &["run", "-F", "missing.md"][..]),
        ("A folder in the place of a prompt.", &["run", "-F", "folder"]),
        ("A prompt that is no text.", &["run", "-F", "bytes"]),
        ("A file without a prompt.", &["run", "-F", "empty.md"]),
        ("A picture that there is not.", &["run", "--image", "missing.png", "go"]),
        ("A folder in the place of a picture.", &["run", "--image", "folder", "go"]),
        ("A picture that is none.", &["run", "--image", "note.txt", "go"]),
        ("A list of tasks that there is not.", &["run", "--tasks", "missing.md"]),
        ("A folder in the place of a list.", &["run", "--tasks", "folder"]),
        ("A list of tasks without one.", &["run", "--tasks", "empty.md"]),
        ("A list in which everything is done.", &["run", "--tasks", "done.md"]),
        ("A list in which something does not end.", &["run", "--tasks", "torn.md"]),
    ] {
        book.fails(sentence, &home, arguments);
    }
    book.fails_as("Nothing on stdin.", "tim run - < empty.md", home.tim(&["run", "-"]).stdin(""));
    book.fails_as(
        "Nothing but blanks on stdin.",
        "echo ' ' | tim run -",
        home.tim(&["run", "-"]).stdin(" \n"),
    );
    assert_snapshot!("files", book.text());
}
