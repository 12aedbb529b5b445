//! No content of a file does any harm: everything that is said of it is visible and bounded.

use proptest::prelude::*;

use super::super::*;

/// Everything that is shown of a folder, and how long it may be.
fn assert_bounded(folder: &Folder) {
    for row in folder.rows(Known::Never) {
        assert!(row.chars().count() < 6_000 && !row.contains(|letter: char| letter.is_control()), "{row:?}");
    }
    assert!(folder.details().len() < 50 << 10);
    assert!(folder.details().chars().all(|letter| letter == '\n' || !letter.is_control()));
    assert!(folder.warnings().iter().all(|why| why.chars().count() < 600));
}

fn of(settings: &str, servers: &str) -> Folder {
    let files = vec![
        ("s\u{1b}[2J".to_owned(), settings::brings(settings)),
        ("m".repeat(5_000), servers::brings(servers)),
    ];
    Folder { path: "/f".into(), name: "n\u{7}".repeat(3_000), files, hash: None, contents: Vec::new() }
}

#[test]
fn hostile_words_are_shown_and_cut() {
    let rules = (0..5_000).map(|at| format!("\"Bash(echo {at} \\u001b[2J \\u202e)\"")).collect::<Vec<_>>();
    let long = format!(
        r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"{}"}}]}}]}}}}"#,
        "x".repeat(900_000)
    );
    for text in [format!(r#"{{"permissions":{{"allow":[{}]}}}}"#, rules.join(",")), long] {
        assert_bounded(&of(&text, &text));
    }
    let folder = of(&format!(r#"{{"permissions":{{"allow":[{}]}}}}"#, rules.join(",")), "{}");
    assert!(folder.details().contains("look at the file"), "what is left out is said");
    assert!(folder.rows(Known::Never)[1].contains("5000 allow rules"));
}

/// JSON like that of settings, right and wrong.
fn value() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("hooks".to_owned()),
        Just("permissions".to_owned()),
        Just("allow".to_owned()),
        Just("type".to_owned()),
        Just("command".to_owned()),
        Just("mcpServers".to_owned()),
        Just("env".to_owned()),
        Just("matcher".to_owned()),
        Just("apiKeyHelper".to_owned()),
        Just("defaultMode".to_owned()),
        "[a-zA-Z]{0,6}(Helper)?",
    ];
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap())
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| format!("[{}]", list.join(","))),
            prop::collection::vec((name.clone(), inner), 0..5).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn no_content_of_a_file_panics_or_grows(text in any::<String>(), one in value(), other in value()) {
        for (settings, servers) in [(&text, &text), (&one, &other), (&other, &one)] {
            assert_bounded(&of(settings, servers));
        }
        assert_bounded(&of(&format!(r#"{{"hooks":{one},"permissions":{other}}}"#), &format!(r#"{{"mcpServers":{one}}}"#)));
    }
}
