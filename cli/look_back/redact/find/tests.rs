//! What is found, and what is left.

use super::*;

fn found(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    secrets_in(text, |secret| all.push(secret));
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn keys_and_tokens_are_known_by_how_they_begin() {
    for token in [
        "sk-ant-api03-abcdefghij0123456789",
        "ghp_0123456789abcdefghij",
        "github_pat_11ABCDEFG0123456789",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-123456789012-abc",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123",
    ] {
        assert_eq!(found(&format!("x {token}, y")), [token]);
        assert_eq!(found(&format!(r#"{{\"line\":\"\\n{token}\"}}"#)), [token], "also in JSON in JSON");
    }
}

#[test]
fn words_that_only_look_alike_are_left() {
    for text in [
        "task-list-of-all-the-things-1",
        "a risk-averse-approach-to-2026",
        "npm_config",
        "eyJust a word",
        "sk-short1",
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn a_value_behind_a_name_that_says_secret_is_one() {
    for (text, secret) in [
        ("password=hunter22", "hunter22"),
        (r#"{"apiKey": "abcd1234"}"#, "abcd1234"),
        (r#"\"client_secret\":\"s3cr3tvalue\""#, "s3cr3tvalue"),
        ("curl -H 'Authorization: Bearer abc.def-123'", "Bearer abc.def-123"),
        ("curl -H 'x: Bearer abc.def-123'", "abc.def-123"),
        ("deploy --token abcdef99 --now", "abcdef99"),
        ("export DB_PASSWORD='p4ss w'", "p4ss w"),
        ("PGPASSWORD=a,b\\c9 psql", "a,b\\c9"),
        ("DB_PASS=hunter22;", "hunter22"),
        (r#"curl -d "{\"password\":\"pa55word\"}""#, "pa55word"),
        ("Cookie: a=1; session=xyz", "a=1; session=xyz"),
        ("authorization: token 0123abcd", "token 0123abcd"),
        ("AccountKey=abcd1234==;Endpoint=x", "abcd1234=="),
        ("https://x.example/?sv=1&sig=abc%2Bdef9&se=2", "abc%2Bdef9"),
        ("machine x login me password s3same-open", "s3same-open"),
        ("https://0123456789abcdef0123@git.example/x", "0123456789abcdef0123"),
        (
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXX",
            "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXX",
        ),
        ("\u{1b}[31mghp_0123456789abcdefghij\u{1b}[0m", "ghp_0123456789abcdefghij"),
        ("ghp_abcdefghijKLMNOPQRSTUV", "ghp_abcdefghijKLMNOPQRSTUV"),
        ("postgres://me:pa55word@db.example/x", "pa55word"),
        (r"first\npassword: swordfish7", "swordfish7"),
        ("login --password='$uperS3cretPw'", "$uperS3cretPw"),
        (r#"x {"password":"(kR7#mmQ2pL"}"#, "(kR7#mmQ2pL"),
        ("postgres://u:%40bCd9Ef8Gh7@host", "%40bCd9Ef8Gh7"),
        ("password=PROD_9F8E7D6C5B4A-1234", "PROD_9F8E7D6C5B4A-1234"),
        ("otp: 482913", "482913"),
        ("password=Password123", "Password123"),
        ("GITHUB_TOKEN2=abcd1234", "abcd1234"),
    ] {
        assert!(found(text).contains(&secret), "{text}: {:?}", found(text));
    }
}

#[test]
fn what_is_only_about_secrets_is_left() {
    for text in [
        r#""apiKeySource":"none""#,
        r#""input_tokens":12345,"output_tokens":99"#,
        r#"{"key":"7f3c.p14","requestId":"abc"}"#,
        "password=$PASSWORD",
        "password=$(cat 'a file') next",
        r#"\"password\": \"$(cat \"a file\")\""#,
        "password: {{ the password }}, and so on",
        "postgres://u:${PASSWORD}@host",
        "const login = { password: userPassword };",
        "password=MY_API_TOKEN-1 and secret: REDACTED",
        "https://jo@example.org/x",
        "14 tests pass: all",
        "token: ${{ secrets.TOKEN }}",
        "the secret is to keep going",
        r#""session_id":"3f0c1a52-9f6e-4d0e-9d0c-5b1f6f0f7a11""#,
        "https://example.org:8080/a@b",
        r#""tool_use_id":"toolu_01abcdef""#,
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn a_value_in_the_row_below_its_name_is_found() {
    for (text, secret) in [
        ("db:\n  password:\n    hunter22\n  port: 1", "hunter22"),
        ("password: \r\n\t'hunter 22'\r\n", "hunter 22"),
        ("password: |\n  correct horse\n  battery 99\nnext: 1", "battery 99"),
        ("password: >-\n  correct horse", "correct horse"),
        (r"password: |\n  correct horse\r\n", "correct horse"),
        (r#"\"password\":\n  \"hunter22\"\n"#, "hunter22"),
    ] {
        assert!(found(text).contains(&secret), "{text}: {:?}", found(text));
    }
    for text in [
        "password:\nnot further in",
        "password:\n  type: string1\n",
        "password:\n  schema:\n    x",
        "password: |\n  ${PASSWORD}\nand: more",
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn numbers_and_bases_of_a_name_do_not_matter() {
    for name in [
        "SECRET_KEY_BASE",
        "ENCRYPTION_KEY_2",
        "GITHUB_TOKEN2",
        "API_KEY_V2",
        "TOKENV2",
        "password1",
        "AWS_SECRETKEY",
        "accesskey",
    ] {
        assert!(says_secret(name), "{name}");
    }
    for name in ["base", "2", "key_2", "monkey", "aws-sigv4", "TOKEN_COUNT2", "knowledge_base"] {
        assert!(!says_secret(name), "{name}");
    }
}

#[test]
fn of_a_private_key_no_row_is_left() {
    let rows = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"];
    for between in ["\n", r"\n", r"\\n", r"\r\n"] {
        let key = format!(
            "-----BEGIN RSA PRIVATE KEY-----{between}{}{between}{}{between}-----END RSA PRIVATE KEY-----",
            rows[0], rows[1]
        );
        let all = found(&key);
        for row in rows {
            assert!(all.iter().any(|one| one.contains(row) || row.contains(one)), "{between:?}: {all:?}");
        }
    }
}

#[test]
fn of_half_a_private_key_no_row_is_left_either() {
    let row = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
    for text in [
        format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{row}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----"),
        format!("-----BEGIN PRIVATE KEY-----\n{row}"),
        format!("and so on:\n{row}\n-----END PRIVATE KEY-----"),
        format!("     7\t{row}\n     8\t-----END PRIVATE KEY-----"),
    ] {
        assert!(found(&text).contains(&row), "{text}: {:?}", found(&text));
    }
}

/// How long that takes no test can say; with a time that grows with the square of the length nobody would wait for it.
#[test]
fn a_long_text_of_nothing_but_beginnings_is_read_to_its_end() {
    for piece in [
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "sk-",
        "password=",
        "://",
        "cookie: ",
        "password=$(",
        "password: |\n ",
        "password:\\n ",
    ] {
        let text = format!("{}\npassword=hunter22", piece.repeat((1 << 20) / piece.len()));
        assert!(found(&text).contains(&"hunter22"), "{piece}");
    }
}
