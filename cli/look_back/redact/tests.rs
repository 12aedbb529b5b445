//! Whole records: nothing secret is left at any depth, and what they are read by is.

use codec::journal::Direction;
use codec::json::Json;

use super::*;

const TOKEN: &str = "sk-ant-api03-abcdefghijklmnop0123456789";

/// A line of an agent, as it stands on record.
fn on_record(line: &[u8]) -> String {
    Entry { seq: 3, t: 5, body: Body::Line(WireLine::new("claude:main", Direction::From, line)) }.to_line()
}

/// What an agent says, in a message of its own.
fn said(text: &str) -> String {
    on_record(format!(r#"{{"type":"assistant","uuid":"u-1","text":{}}}"#, Json::of(text).raw()).as_bytes())
}

fn redact(lines: &[String], hide: &[&str], secrets: &[&str]) -> Result<String, String> {
    let text = lines.join("\n");
    let mut cover = Cover::default();
    secrets.iter().for_each(|secret| hide_said(&mut cover, secret, &kind_of("MY_TOKEN")));
    hide.iter().for_each(|text| hide_said(&mut cover, text, HIDDEN));
    text.lines().for_each(|line| learn(line, &mut cover));
    redacted(&text, &mut cover).map(|lines| lines.join("\n"))
}

#[test]
fn a_secret_with_any_letters_is_hidden_at_every_depth() {
    let secret = "p\"ss\\wörd!\n99";
    let deep = format!(
        r#"{{"type":"x","args":{}}}"#,
        Json::of(&format!(r#"{{"t":{}}}"#, Json::of(secret).raw())).raw()
    );
    let escaped = r#"{"type":"assistant","text":"p\u0022ss\\w\u00f6rd!\n99"}"#;
    for line in [said(secret), on_record(deep.as_bytes()), on_record(escaped.as_bytes())] {
        for (hide, secrets, mask) in
            [(vec![], vec![secret], "MY_TOKEN-1"), (vec![secret], vec![], "hidden-1")]
        {
            let new = redact(std::slice::from_ref(&line), &hide, &secrets).unwrap();
            assert!(new.contains(mask) && !new.contains("99"), "{new}");
        }
    }
}

#[test]
fn what_is_no_text_is_searched_too() {
    let line = on_record(format!("\u{0}{TOKEN} password=hunter2hunter2").as_bytes());
    let bytes = on_record(&[&[0xff, 0xfe], format!("{TOKEN} password=hunter2ü").as_bytes()].concat());
    let new = redact(&[line, bytes], &[], &[]).unwrap();
    let records: Vec<_> = new.lines().filter_map(packed).map(|(_, bytes)| bytes).collect();
    assert!(!records.is_empty(), "{new}");
    for bytes in records {
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("REDACTED-") && !text.contains("hunter2") && !text.contains(TOKEN), "{text}");
    }
}

#[test]
fn all_are_hidden_however_many_there_are() {
    let lines: Vec<_> = (0..10_001).map(|count| said(&format!("sk-ant-{count:020}"))).collect();
    let new = redact(&lines, &[], &[]).unwrap();
    assert!(!new.contains("sk-ant-") && new.contains("REDACTED-10001"));
}

#[test]
fn what_an_agent_calls_a_secret_does_not_take_the_record_away() {
    let lines = [said("password=claude:main token=u-1u-1u-1"), said("and claude:main")];
    let new = redact(&lines, &[], &[]).unwrap();
    assert_eq!(new.matches(r#""wire":"claude:main""#).count(), 2, "{new}");
    assert_eq!(new.matches("REDACTED").count(), 3, "{new}");
}

#[test]
fn a_word_that_messages_are_read_by_cannot_be_hidden() {
    assert!(redact(&[said("hello")], &["assistant"], &[]).unwrap_err().contains("line 1"));
    assert!(redact(&[said("my assistant says hello")], &["hello"], &[]).is_ok());
}

#[test]
fn a_name_of_the_user_that_messages_are_read_by_is_left_there() {
    let line = said("assistant is at home");
    let mut cover = Cover::default();
    hide_home(&mut cover, "/home/assistant");
    let new = covered(&line, &mut cover).unwrap();
    assert!(new.contains(r#"\"type\":\"assistant\""#) && new.contains("user is at home"), "{new}");
}

#[test]
fn what_was_replaced_is_told_by_kinds_and_what_was_not_found_too() {
    let mut cover = Cover::default();
    cover.hide("a-secret", "TOKEN", Sure::Looks);
    cover.hide("b-secret", "TOKEN", Sure::Looks);
    cover.hide("acme", HIDDEN, Sure::Said);
    cover.apply("a-secret b-secret a-secret", Sure::Looks);
    let words = told::in_words(&cover, &["acme".to_owned()]);
    assert_eq!(
        words,
        "replaced: TOKEN ×3 (2 different); not found: --hide acme; read it before you share it"
    );
}

#[test]
fn neither_an_id_of_somebody_else_nor_a_number_keeps_a_secret() {
    let output = r#"{"AccessKeyId":"ASIAIOSFODNN7EXAMPLE1","secret_id":"fed-cba-987-long","password":12345678,"port":5432,"pin":4711}"#;
    let new = redact(&[said(output)], &["4711"], &[]).unwrap();
    for secret in ["ASIAIOSF", "fed-cba", "12345678", "4711"] {
        assert!(!new.contains(secret), "{new}");
    }
    assert!(new.contains("5432"), "what only counts something stays: {new}");
}

#[test]
fn what_is_known_is_hidden_however_it_is_encoded() {
    let secret = "p@ss/wörd+1";
    let ways = [
        "https://u:p%40ss%2Fw%C3%B6rd%2B1@host p%40ss%2fw%c3%b6rd%2b1",
        // by itself, and in `user:…`
        "cEBzcy93w7ZyZCsx, login dXNlcjpwQHNzL3fDtnJkKzE=",
    ];
    let new = redact(&[said(ways[0]), said(ways[1])], &[], &[secret]).unwrap();
    for left in ["p%40", "%2b1", "EBzcy93", "wQHNzL3"] {
        assert!(!new.contains(left), "{left} is left in {new}");
    }
    assert_eq!(new.matches("MY_TOKEN-1").count(), 4, "{new}");
    let new = redact(&[said("a%20name")], &["a name"], &[]).unwrap();
    assert!(new.contains("hidden-1") && !new.contains("%20"), "{new}");
}

#[test]
fn a_code_of_six_digits_and_the_value_of_an_object_are_hidden() {
    let output = r#"{"otp":"482913","pin":"482914","token":{"value":"blue-horse-77","kind":"x1"}}"#;
    let new = redact(&[said(output)], &[], &[]).unwrap();
    assert!(!new.contains("482913") && !new.contains("blue-horse"), "{new}");
    assert!(new.contains("482914") && new.contains("x1"), "{new}");
}

#[test]
fn a_variable_gives_its_name_only_if_that_says_secret() {
    assert_eq!(kind_of("npm_config__authToken"), "NPM_CONFIG__AUTHTOKEN");
    assert_eq!(kind_of("DATABASE_URL"), REDACTED);
    for variable in ["MY_TOKEN", "npm_config__authToken", "DATABASE_URL", "my-key"] {
        assert!(!find::is_value(&format!("{}-1", kind_of(variable))), "{variable}");
    }
}

#[test]
fn hidden_characters_are_written_as_escapes_and_the_record_is_the_same() {
    let line = "{\t\"rec\": \"x\",\r\"text\":\"a\u{9b}b\u{7f}c\u{202e}d\"}";
    let new = redact(&[line.to_owned()], &[], &[]).unwrap();
    assert!(new.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{new:?}");
    let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    assert_eq!(read(&new), read(line));
    let torn = redact(&["{\"text\":\"a\u{9b}".to_owned()], &[], &[]).unwrap();
    assert_eq!(torn, r#"{"text":"a\u009b"#);
}
