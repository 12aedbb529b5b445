//! Settings with rules more than before, and nothing else.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn changed(text: &str, rules: &[&str]) -> Result<Option<String>, String> {
    let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
    with_rules(Source { path: Path::new("s.json"), text }, &rules)
}

#[track_caller]
fn assert_becomes(text: &str, new: &str) {
    assert_eq!(changed(text, &["A", "B"]).unwrap().as_deref(), Some(new));
}

#[test]
fn a_new_file_is_laid_out_as_claude_does() {
    let new = "{\n  \"permissions\": {\n    \"allow\": [\n      \"A\",\n      \"B\"\n    ]\n  }\n}\n";
    for text in ["", "\n", "  \r\n"] {
        assert_becomes(text, new);
    }
    assert_becomes("{}", new.trim_end());
    assert_becomes("{ }\n", "{\"permissions\":{\"allow\":[\"A\",\"B\"]}}\n");
}

#[test]
fn rules_go_behind_the_last_one_in_the_layout_of_the_list() {
    assert_becomes(r#"{"permissions":{"allow":["X"]}}"#, r#"{"permissions":{"allow":["X","A","B"]}}"#);
    assert_becomes(r#"{"permissions": {"allow": ["X"]}}"#, r#"{"permissions": {"allow": ["X", "A", "B"]}}"#);
    assert_becomes(
        "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"X\"\n\t\t],\n\t\t\"deny\": []\n\t},\n\t\"env\": {}\n}\n",
        "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"X\",\n\t\t\t\"A\",\n\t\t\t\"B\"\n\t\t],\n\t\t\"deny\": []\n\t},\n\t\"env\": {}\n}\n",
    );
    assert_becomes(
        "{\r\n    \"permissions\": {\r\n        \"allow\": []\r\n    }\r\n}",
        "{\r\n    \"permissions\": {\r\n        \"allow\": [\r\n            \"A\",\r\n            \"B\"\r\n        ]\r\n    }\r\n}",
    );
    assert_becomes(
        "{\n  \"permissions\": { \"allow\": [ \"X\" ] }\n}",
        "{\n  \"permissions\": { \"allow\": [ \"X\", \"A\", \"B\" ] }\n}",
    );
}

#[test]
fn what_is_missing_on_the_way_is_made_behind_what_is_there() {
    assert_becomes(
        "{\n    \"model\": \"x\",\n    \"hooks\": {\n        \"a\": []\n    }\n}\n",
        "{\n    \"model\": \"x\",\n    \"hooks\": {\n        \"a\": []\n    },\n    \"permissions\": {\n        \"allow\": [\n            \"A\",\n            \"B\"\n        ]\n    }\n}\n",
    );
    assert_becomes(
        "{\n  \"permissions\": {\n    \"deny\": [\n      \"X\"\n    ]\n  }\n}\n",
        "{\n  \"permissions\": {\n    \"deny\": [\n      \"X\"\n    ],\n    \"allow\": [\n      \"A\",\n      \"B\"\n    ]\n  }\n}\n",
    );
    assert_becomes(
        "{\n  \"permissions\": {}\n}",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"A\",\n      \"B\"\n    ]\n  }\n}",
    );
}

#[test]
fn what_is_there_is_not_added_again() {
    assert_eq!(changed(r#"{"permissions":{"allow":["B","\u0041"]}}"#, &["A", "B"]), Ok(None));
    let once = changed("{\"permissions\":{\"allow\":[\"B\"]}}", &["A", "B", "A"]).unwrap().unwrap();
    assert_eq!(once, r#"{"permissions":{"allow":["B","A"]}}"#);
}

#[test]
fn f105_what_is_not_understood_is_left_alone_and_the_place_is_said() {
    for (text, place) in [
        ("{", "s.json: not JSON"),
        ("{\n  // mine\n}", "line 2 column 3"),
        ("{\"a\": 1,}", "s.json: not JSON"),
        ("\u{feff}{}", "s.json: not JSON"),
        ("[]", "s.json: JSON, but not an object"),
        ("null", "s.json: JSON, but not an object"),
        ("{\n  \"permissions\": []\n}", "s.json:2:18: permissions must be an object"),
        ("{\"permissions\":null}", "s.json:1:16: permissions must be an object"),
        ("{\"permissions\":{\"allow\":\"A\"}}", "s.json:1:25: permissions.allow must be a list"),
        ("{\"permissions\":{\"allow\":[\"é\",\n7]}}", "s.json:2:1: a rule of permissions.allow must be"),
        ("{\"permissions\":{},\"permissions\":{}}", "permissions stands there twice"),
        ("{\"permissions\":{\"allow\":[],\"\\u0061llow\":[]}}", "allow stands there twice"),
    ] {
        let error = changed(text, &["A"]).unwrap_err();
        assert!(error.contains(place), "{error} does not say {place}");
    }
}

#[test]
fn what_would_be_too_long_is_refused() {
    let text = format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 20));
    assert!(changed(&text, &["A"]).unwrap_err().contains("longer than 1 MiB"));
}

/// Anything that JSON can say.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| json!(number)),
        ".{0,8}".prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((".{0,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn members() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((".{0,6}", any_json()), 0..4).prop_map(|members| members.into_iter().collect())
}

/// Settings: with and without permissions, with and without allow rules, among all sorts of things.
fn settings() -> impl Strategy<Value = Value> {
    let allow = prop::option::of(prop::collection::vec("[A-D]|.{0,6}", 0..4));
    (members(), prop::option::of((members(), allow)), any::<bool>()).prop_map(
        |(mut root, permissions, first)| {
            if let Some((mut members, allow)) = permissions {
                if let Some(allow) = allow {
                    members.insert("allow".to_owned(), json!(allow));
                }
                root.insert("permissions".to_owned(), Value::Object(members));
            }
            if first {
                root.insert("~last".to_owned(), json!([1]));
            }
            Value::Object(root)
        },
    )
}

/// A value in one of the layouts that programs write.
fn written(value: &Value, layout: u8) -> String {
    let pretty = || serde_json::to_string_pretty(value).unwrap();
    match layout {
        0 => value.to_string(),
        1 => pretty(),
        2 => format!("\n {}\n\n", pretty().replace("\n  ", "\n\t")),
        3 => pretty().replace('\n', "\r\n"),
        4 => pretty().replace('\n', " "),
        _ => pretty().replace(": ", "\n:\n"),
    }
}

proptest! {
    #[test]
    fn any_settings_stay_the_same_but_for_the_rules_that_are_added(
        value in settings(),
        layout in 0..6_u8,
        rules in prop::collection::vec("[A-F]|.{1,6}", 1..5),
    ) {
        let text = written(&value, layout);
        // A text in it may look like a layout, and be broken by what is done to it here.
        prop_assume!(serde_json::from_str::<Value>(&text).is_ok_and(|again| again == value));
        let path = Path::new("s.json");
        let new = with_rules(Source { path, text: &text }, &rules).unwrap();
        let mut expected = value;
        let permissions = expected.as_object_mut().unwrap().entry("permissions").or_insert(json!({}));
        let allow = permissions.as_object_mut().unwrap().entry("allow").or_insert(json!([]));
        let allow = allow.as_array_mut().unwrap();
        let before = allow.len();
        for rule in &rules {
            if !allow.contains(&json!(rule)) {
                allow.push(json!(rule));
            }
        }
        if allow.len() == before {
            prop_assert!(new.is_none());
            return Ok(());
        }
        let new = new.unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&new).unwrap(), expected);
        // Nothing of the old text is gone: what is new stands in one place, or where nothing stood but blanks.
        let same = text.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
        let same_after = text.chars().rev().zip(new.chars().rev()).take_while(|(old, new)| old == new).count();
        let lost: String = text.chars().skip(same).take(text.chars().count().saturating_sub(same + same_after)).collect();
        prop_assert!(lost.trim().is_empty(), "lost {:?}", lost);
        prop_assert_eq!(with_rules(Source { path, text: &new }, &rules), Ok(None));
    }
}
