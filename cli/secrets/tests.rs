//! Secrets: which names, which values, and that none survives.

use proptest::prelude::*;

use super::*;

fn of(variables: &[(&str, &str)]) -> Secrets {
    Secrets::of(variables.iter().map(|(name, value)| ((*name).into(), (*value).into())))
}

#[test]
fn names_that_say_secret_are_told_by_their_words() {
    for name in [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "AWS_SESSION_TOKEN",
        "GITHUB_TOKEN",
        "GH_PAT",
        "DB_PASSWORD",
        "PGPASSWORD",
        "MYSQL_PWD",
        "SUDO_PASSWD",
        "SSH_PASSPHRASE",
        "GOOGLE_CREDENTIALS",
        "HTTP_COOKIE",
        "SESSION",
        "PHP_SESSION",
        "npm_config__authToken",
        "openaiApiKey",
        "OPENAI-APIKEY",
        "AUTH",
        "PROXY_AUTHORIZATION",
        "secret",
        "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
        "GITHUB_TOKEN2",
        "API_KEY2",
        "API_KEY_2",
        "API_KEY_V2",
        "MYPASSWORD1",
        "TOKENV2",
        "AWS_SECRETKEY",
        "ACCESSKEY",
        "PRIVATEKEY",
        "ENCRYPTIONKEY",
        "SECRET_KEY_BASE",
    ] {
        assert!(looks_secret(name), "{name}");
    }
}

#[test]
fn names_that_only_sound_alike_or_say_something_about_a_secret_are_not_meant() {
    for name in [
        "SSH_AUTH_SOCK",
        "XDG_SESSION_TYPE",
        "XDG_SESSION_ID",
        "XDG_SESSION_CLASS",
        "XDG_SESSION_DESKTOP",
        "DESKTOP_SESSION",
        "DBUS_SESSION_BUS_ADDRESS",
        "SESSION_MANAGER",
        "KEYBOARD",
        "KEYBOARD_LAYOUT",
        "MONKEY",
        "AUTHOR",
        "GIT_AUTHOR_NAME",
        "PATH",
        "HOME",
        "OLDPWD",
        "TOKEN_FILE",
        "PASSWORD_STORE_DIR",
        "SECRETS_PATH",
        "AUTH_METHOD",
        "SESSION_TIMEOUT",
        "COMPASS",
        "HOTKEY",
        "MONKEY2",
        "TOKENIZERS_PARALLELISM",
        "TOKEN_FILE2",
        "TOKEN_PATH_1",
        "AUTH0_TENANT",
        "DATABASE_URL",
        "V2",
        "",
        "_",
    ] {
        assert!(!looks_secret(name), "{name}");
    }
}

#[test]
fn a_value_is_replaced_by_the_name_of_its_variable() {
    let secrets = of(&[("API_KEY", "sk-ant-12345678"), ("HOME", "/home/me"), ("EDITOR", "sk-ant-editor")]);
    assert_eq!(secrets.mask("--key=sk-ant-12345678, /home/me"), "--key=[API_KEY], /home/me");
    assert_eq!(secrets.mask("sk-ant-editor"), "sk-ant-editor");
}

#[test]
fn a_password_in_an_address_is_a_secret_whatever_the_variable_is_called() {
    let address = "postgres://u:p4ssw0rd@host/db";
    let secrets = of(&[("DATABASE_URL", address)]);
    assert_eq!(secrets.mask(address), "postgres://u:[DATABASE_URL]@host/db");
    assert_eq!(secrets.mask("PGPASSWORD=p4ssw0rd"), "PGPASSWORD=[DATABASE_URL]");
    let encoded = of(&[("BROKERS", "amqp://a:s3same%40open@one,x amqp://b:swordfish7@two")]);
    assert_eq!(encoded.mask("s3same%40open s3same@open swordfish7"), "[BROKERS] [BROKERS] [BROKERS]");
}

#[test]
fn an_address_without_a_password_of_its_own_is_no_secret() {
    for address in [
        "https://example.org:8080808080/a@b",
        "postgres://postgres:postgres@localhost/db",
        "http://me:password@proxy",
        "git@example.org:path/to/it",
        "https://someuser@example.org",
    ] {
        let secrets = of(&[("MY_URL", address)]);
        assert_eq!(secrets, Secrets::default(), "{address}");
    }
}

#[test]
fn what_is_short_or_a_path_or_a_plain_word_is_left_as_it_is() {
    let values = ["1234567", "", "/run/user/1000/keys", "~/.netrc-key", "disabled", "Required"];
    for value in values {
        let text = format!("x {value} y");
        assert_eq!(of(&[("API_KEY", value)]).mask(&text), text);
    }
    // Base64 may begin with a slash.
    assert_eq!(of(&[("API_KEY", "/aB3+/xyz")]).mask("/aB3+/xyz"), "[API_KEY]");
}

#[test]
fn the_longest_gives_its_name_and_nothing_of_an_overlap_is_left() {
    let secrets = of(&[("A_TOKEN", "aaaabbbb"), ("B_TOKEN", "bbbbccccdddd"), ("C_TOKEN", "aaaabbbb-more")]);
    assert_eq!(secrets.mask("aaaabbbb-more aaaabbbb"), "[C_TOKEN] [A_TOKEN]");
    assert_eq!(secrets.mask("<aaaabbbbccccdddd>"), "<[B_TOKEN]>");
    assert_eq!(of(&[("KEY", "abababab")]).mask("xababababab"), "x[KEY]");
}

#[test]
fn a_value_is_known_as_json_and_as_a_log_quotes_it_and_by_each_of_its_lines() {
    let quoted = of(&[("PASSWORD", "say \"hi\"\\\u{1b}")]);
    let json = serde_json::Value::from("say \"hi\"\\\u{1b}").to_string();
    assert_eq!(quoted.mask(&json), "\"[PASSWORD]\"");
    assert_eq!(quoted.mask(&format!("{:?}", "say \"hi\"\\\u{1b}")), "\"[PASSWORD]\"");
    let lines = of(&[("DEPLOY_KEY", "-----BEGIN-----\nMIIEpAIBAAKCAQEA\n--\n")]);
    assert_eq!(lines.mask("it begins with MIIEpAIBAAKCAQEA"), "it begins with [DEPLOY_KEY]");
    assert_eq!(lines.mask("--"), "--");
}

proptest! {
    #[test]
    fn no_value_survives(
        values in prop::collection::vec("[a-d\"\\\\é]{8,12}", 1..5),
        between in prop::collection::vec("[a-d é]{0,6}", 6),
        order in prop::collection::vec(0usize..5, 5),
    ) {
        let named = |(at, value): (usize, &String)| (format!("TOKEN{at}_KEY").into(), value.into());
        let secrets = Secrets::of(values.iter().enumerate().map(named));
        let mut text = between[0].clone();
        for (at, rest) in order.iter().zip(&between[1..]) {
            text.push_str(&values[at % values.len()]);
            text.push_str(rest);
        }
        let masked = secrets.mask(&text);
        for value in &values {
            prop_assert!(!masked.contains(value.as_str()), "{value} in {masked}");
        }
    }

    #[test]
    fn text_without_a_value_is_unchanged(text in "\\PC{0,80}", value in "[A-Z0-9]{40}") {
        let secrets = of(&[("API_TOKEN", &value)]);
        prop_assert!(matches!(secrets.mask(&text), Cow::Borrowed(same) if same == text));
        prop_assert_eq!(&*of(&[]).mask(&text), text.as_str());
    }

    #[test]
    fn what_stands_around_a_value_stays(before in "[a-z ]{0,20}", after in "[a-z ]{0,20}", value in "[A-Z0-9]{8,20}") {
        let masked = format!("{before}[KEY]{after}");
        let secrets = of(&[("KEY", &value)]);
        let text = format!("{before}{value}{after}");
        prop_assert_eq!(secrets.mask(&text), masked);
    }
}
