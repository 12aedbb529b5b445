//! The user's own files: the configuration, and the rules.

use insta::assert_snapshot;

use crate::home::Home;
use crate::told::Book;

const CONFIG: &str = "config/tim/config.toml";
const RULES: &str = "config/tim/rules.toml";

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_place_and_nothing_starts() {
    let mut book = Book::default();
    for (sentence, text) in [
        ("A configuration that is no TOML.", "journal = \n"),
        ("A key that there is not.", "journal = true\njornal-days = 3\n"),
        ("A value of the wrong kind.", "journal = 3\n"),
        ("A number that is none.", "journal-days = \"x\"\n"),
        ("A key that is there twice.", "journal = true\njournal = false\n"),
    ] {
        let home = Home::new();
        home.file(CONFIG, text);
        book.fails(sentence, &home, &["run", "go"]);
    }
    let home = Home::new();
    home.file(CONFIG, [0xff]);
    book.fails("A configuration that is no text.", &home, &["serve"]);
    let home = Home::new();
    home.folder(CONFIG);
    book.fails("A folder in its place.", &home, &["serve"]);
    let home = Home::new();
    home.with_mode(CONFIG, "journal = true\n", 0o666);
    book.fails("A configuration that others can write.", &home, &["run", "go"]);
    let home = Home::new();
    let elsewhere = home.tim(&["serve"]).env("TIM_CONFIG", home.path("nothing.toml"));
    book.fails_as("A variable that names none.", "TIM_CONFIG=TEMP/nothing.toml tim serve", elsewhere);
    assert_snapshot!("config", book.text());
}

#[test]
fn a_mistake_in_the_rules_is_named_with_its_place() {
    let mut book = Book::default();
    for (sentence, text) in [
        ("Rules that are no TOML.", "allow = ["),
        ("A rule that is none.", "allow = [\"Read\", \"Bash(\"]"),
        ("A key that there is not.", "alow = [\"Read\"]"),
    ] {
        let home = Home::new();
        home.file(RULES, text);
        book.fails(sentence, &home, &["rules", "list"]);
    }
    let home = Home::new();
    home.file(RULES, "allow = [");
    book.fails("Nothing is added to such a file.", &home, &["rules", "add", "Read"]);
    book.fails("Nor is anything tried out with it.", &home, &["rules", "test", "git status"]);
    book.fails("A run goes on without them, and asks.", &home, &["run", "go"]);
    let home = Home::new();
    home.with_mode(RULES, "allow = [\"Read\"]", 0o666);
    book.fails("Rules that others can write.", &home, &["rules", "list"]);
    let home = Home::new();
    home.folder(RULES);
    book.fails("A folder in their place.", &home, &["rules", "list"]);
    let home = Home::new();
    home.file("config/tim", "a file");
    book.fails("A file where their folder should be.", &home, &["rules", "add", "Read"]);
    assert_snapshot!("rules", book.text());
}
