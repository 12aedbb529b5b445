use proptest::prelude::*;

use super::*;

/// The words of each part; of a text that is understood.
fn words(text: &str) -> Vec<Vec<String>> {
    let script = scan(text).unwrap_or_else(|unclear| panic!("{text:?} is not understood: {unclear:?}"));
    let texts = |part: Part| part.words.into_iter().map(|word| word.text).collect();
    script.parts.into_iter().map(texts).collect()
}

fn one(text: &str) -> Vec<String> {
    let mut parts = words(text);
    assert_eq!(parts.len(), 1, "{text:?}");
    parts.remove(0)
}

/// Why a text is not understood, and where.
fn unclear(text: &str) -> (usize, &'static str) {
    match scan(text) {
        Ok(script) => panic!("{text:?} is understood: {script:?}"),
        Err(unclear) => (unclear.at, unclear.what),
    }
}

#[test]
fn words_are_what_is_between_blanks_and_quotes_hide_everything() {
    assert_eq!(
        one("git  commit\t-m 'a; b && c | d > e $(f) `g` # h'"),
        ["git", "commit", "-m", "a; b && c | d > e $(f) `g` # h"]
    );
    assert_eq!(one(r#"a "b c"'d'\ e "" ''"#), ["a", "b cd e", "", ""]);
    assert_eq!(one(r#"a "\$x \` \" \\ \n \'""#), ["a", r#"$x ` " \ \n \'"#]);
    assert_eq!(
        one(r"a \; \& \| \( \) \< \> \# \* \$"),
        ["a", ";", "&", "|", "(", ")", "<", ">", "#", "*", "$"]
    );
    assert_eq!(one("a 'b\nc' \"d\ne\""), ["a", "b\nc", "d\ne"]);
    assert_eq!(
        one("a b#c x=y --k=v - -- ! = @ % : ^ +"),
        ["a", "b#c", "x=y", "--k=v", "-", "--", "!", "=", "@", "%", ":", "^", "+"]
    );
}

#[test]
fn operators_separate_commands_with_or_without_blanks() {
    for operator in [
        "&&",
        "||",
        ";",
        "|",
        "\n",
        " && ",
        " || ",
        " ; ",
        " | ",
        " \n\n ",
        "&&\n",
        "||\n",
        "|\n",
        "| \n # why\n",
    ] {
        assert_eq!(words(&format!("a x{operator}b y")), [["a", "x"], ["b", "y"]], "{operator:?}");
    }
    assert_eq!(words("\n a;\n b ;\n"), [["a"], ["b"]]);
}

#[test]
fn a_backslash_at_the_end_of_a_line_joins_it_with_the_next() {
    assert_eq!(one("cargo test \\\n  --workspace"), ["cargo", "test", "--workspace"]);
    assert_eq!(one("tou\\\nch x"), ["touch", "x"]);
    assert_eq!(one("a \"b\\\nc\""), ["a", "bc"]);
    assert_eq!(one("a 'b\\\nc'"), ["a", "b\\\nc"]);
}

#[test]
fn a_comment_ends_with_its_line() {
    assert_eq!(words("# first\na # b; c\nd #\n"), [["a"], ["d"]]);
    assert_eq!(words("a;#b\nc"), [["a"], ["c"]]);
    assert_eq!(scan("a b # why").unwrap().parts[0].source, "a b");
    assert_eq!(unclear("# only this").1, "there is no command");
}

#[test]
fn only_the_null_device_and_the_other_output_may_be_redirected_to() {
    for sink in [
        ">/dev/null",
        "> /dev/null",
        ">>/dev/null",
        "2>/dev/null",
        "1>/dev/null",
        "&>/dev/null",
        "&>> /dev/null",
    ] {
        assert_eq!(one(&format!("a {sink}")), ["a"], "{sink}");
        assert_eq!(words(&format!("a b{sink};c")).len(), 2, "{sink}");
    }
    for sink in ["2>&1", ">&2", "1>&2", "</dev/null", "0</dev/null", "> /dev/null 2>&1"] {
        assert_eq!(one(&format!("a {sink}")), ["a"], "{sink}");
    }
    for other in [
        ">x",
        "> x",
        ">>x",
        ">|/dev/null",
        "2>x",
        "3>/dev/null",
        "3>&1",
        ">&x",
        ">&1x",
        ">&3",
        "2>&-",
        "<x",
        "<<E",
        "<<<x",
        "<>/dev/null",
        "<&0",
        ">/dev/nullx",
        ">/dev/null/x",
        ">\"/dev/null\"",
        ">/dev/tcp/127.0.0.1/9",
        "&>x",
        "&> >/dev/null",
        "{fd}>/dev/null",
        "2>/dev/null>x",
        "<(b)",
        ">(b)",
        "12>/dev/null",
    ] {
        scan(&format!("a {other}")).expect_err(other);
    }
    assert_eq!(unclear(">/dev/null a").1, "a redirection before the command");
    assert_eq!(one("a b2>/dev/null"), ["a", "b2"], "only a word of digits names a descriptor");
}

#[test]
fn what_a_shell_would_expand_is_not_understood() {
    for text in [
        "a $x",
        "a ${x}",
        "a $(b)",
        "a `b`",
        "a \"$x\"",
        "a \"${x}\"",
        "a \"$(b)\"",
        "a \"`b`\"",
        "a $((1))",
        "a $[1]",
        "a $'x'",
        "a $\"x\"",
        "a $",
        "a \"$*\"",
        "a \"$1\"",
        "a \"$$\"",
        "a \"$!\"",
        "a \"$=x\"",
        "a \"$~x\"",
        "a ~",
        "a ~/x",
        "a ~root",
        "a x=~/y",
        "a x:~",
        "a =ls",
        "a {1..3}",
    ] {
        scan(text).expect_err(text);
    }
    assert_eq!(
        one(r#"grep "a$" "b$|c$" HEAD~1 HEAD^~2 x@{u}~1"#),
        ["grep", "a$", "b$|c$", "HEAD~1", "HEAD^~2", "x@{u}~1"]
    );
}

#[test]
fn everything_that_is_not_a_list_of_simple_commands_is_not_understood() {
    for text in [
        "",
        " ",
        "\n",
        ";",
        "&&",
        "a &",
        "a & b",
        "a |& b",
        "a ;; b",
        "a && && b",
        "a &&",
        "a |",
        "| a",
        "a; ; b",
        "(a)",
        "a (b)",
        "{ a; }",
        "a() { b; }",
        "function a { b; }",
        "if a; then b; fi",
        "for a in b; do c; done",
        "while a; do b; done",
        "case a in b) c;; esac",
        "[[ a ]]",
        "! a",
        "time a",
        "coproc a",
        "select a in b; do c; done",
        "until a; do b; done",
        "repeat 3 a",
        "noglob a",
        "- a",
        "'' a",
        "%1",
        "a\\",
        "a 'b",
        "a \"b",
        "a \\\tb",
        "a\u{a0}b",
        "a\rb",
        "a\u{b}b",
        "a\0b",
        "a\u{200b}",
        "a à",
        "a →",
    ] {
        scan(text).expect_err(text);
    }
}

#[test]
fn only_variables_of_the_list_may_be_set_to_plain_words_before_a_command() {
    let part =
        scan("CI=1 NODE_ENV=test LC_ALL=C.UTF-8 RUST_LOG=a::b=debug,c npm test").unwrap().parts.remove(0);
    assert_eq!(part.assignments, ["CI=1", "NODE_ENV=test", "LC_ALL=C.UTF-8", "RUST_LOG=a::b=debug,c"]);
    assert_eq!(part.words.len(), 2);
    for text in [
        "PATH=x a",
        "A=1 a",
        "CI=1",
        "CI=1; a",
        "CI=/x a",
        "CI=* a",
        "CI='a b' a",
        "CI+=1 a",
        "CI[0]=1 a",
        "'CI'=1 a",
        "C\\I=1 a",
        "LC=1 a",
        "CI=~ a",
        "NODE_ENV=../x a",
    ] {
        scan(text).expect_err(text);
    }
}

#[test]
fn words_with_globs_or_braces_are_told_apart_from_plain_ones() {
    let kinds =
        |text: &str| scan(text).unwrap().parts[0].words.iter().map(|word| word.kind).collect::<Vec<_>>();
    for pattern in ["*", "a?b", "[ab]", "x{a,b}", "{a,b}c", "{{a,b},c}", "a*'b'", "[", "[x"] {
        let expected = if pattern == "[" { WordKind::Plain } else { WordKind::Pattern };
        assert_eq!(kinds(&format!("a {pattern}"))[1], expected, "{pattern}");
    }
    for plain in [
        "'*'",
        "\"?\"",
        "\\*",
        "{}",
        "{a}",
        "@{u}",
        "{'a,b'}",
        "{a\\,b}",
        "a,b",
        "]",
        "HEAD@{1}..HEAD",
        "\"{a,b}\"",
        "}a,b{",
    ] {
        assert_eq!(kinds(&format!("a {plain}"))[1], WordKind::Plain, "{plain}");
    }
    for name in ["gi?", "*", "{a,b}", "[x"] {
        assert_eq!(unclear(&format!("{name} x")).1, "the name of the command is a pattern", "{name}");
    }
    assert_eq!(unclear("a {a,b}{a,b}{a,b}{a,b}").1, "many braces");
}

#[test]
fn the_one_substitution_that_is_understood_is_a_quoted_document() {
    let script =
        scan("git commit -m \"$(cat <<'EOF'\nfix: it's $HOME (`x`)\n\nmore\n\nEOF\n)\" && a").unwrap();
    let message = script.parts[0].words.last().unwrap();
    assert_eq!((message.kind, message.text.as_str()), (WordKind::Document, "fix: it's $HOME (`x`)\n\nmore"));
    assert_eq!(script.parts.len(), 2);
    for text in [
        "a \"$(cat <<EOF\nx\nEOF\n)\"",
        "a \"$(cat <<'EOF'\nx\nEOF\nb)\"",
        "a \"$(cat <<'EOF'; b\nx\nEOF\n)\"",
        "a \"$(cat <<'EOF'\nx\nEOF\n)x\"",
        "a \"$(cat <<'EOF'\nx\nEOF\n)\"x",
        "a $(cat <<'EOF'\nx\nEOF\n)",
        "a \"$(tac <<'EOF'\nx\nEOF\n)\"",
        "a \"$(cat <<'EOF'\nx\n)\"",
        "a \"$(cat <<''\nx\n\n)\"",
        "a \"$(cat <<'E F'\nx\nE F\n)\"",
        "a \"$(cat <<'EOF'\nx)\nEOF\n)\"",
        "a \"$(cat <<-'EOF'\nx\nEOF\n)\"",
        "a x\"$(cat <<'EOF'\nx\nEOF\n)\"",
        "a \"$(cat <<'EOF'\nEOF ()\nEOF\n)\"",
        "a \"$(cat <<'EOF'\n\tEOFx\nEOF\n)\"",
    ] {
        scan(text).expect_err(text);
    }
}

#[test]
fn a_text_is_refused_by_its_length_and_not_by_its_bytes() {
    assert!(scan(&format!("a '{}'", "ä".repeat(LONGEST - 4))).is_ok());
    assert_eq!(
        unclear(&format!("a '{}'", "x".repeat(LONGEST - 3))).1,
        "the command is longer than 10,000 characters"
    );
}

#[test]
fn a_text_of_too_many_commands_is_not_understood() {
    assert!(scan(&"a;".repeat(MOST_PARTS)).is_ok());
    assert_eq!(unclear(&"a;".repeat(MOST_PARTS + 1)).1, "more than 200 commands");
}

#[test]
fn what_is_not_understood_is_named_with_its_place_and_what_came_before() {
    let Err(found) = scan("git status; ls; echo $x") else { panic!() };
    assert_eq!((found.at, found.what, found.parts.len()), (21, "an expansion", 2));
    assert_eq!(found.parts[1].source, "ls");
}

#[test]
fn the_place_is_before_what_is_not_understood() {
    for (text, at, what) in [
        ("a \"b$x\"", 4, "an expansion"),
        ("a \"b`c`\"", 4, "a command substitution"),
        ("a; FOO=1 b", 3, "an assignment of a variable that may change what runs"),
        ("a >x", 2, "a redirection"),
        ("a |& b", 2, "`|&`"),
        ("a 2>x", 3, "a redirection"),
        ("./a=b c", 0, "an odd name of a command"),
        ("'a=b' c", 0, "an odd name of a command"),
        ("'a\nb' c", 0, "an odd name of a command"),
        ("= a", 0, "an odd name of a command"),
        ("CI+=1=2 a", 0, "an assignment of a variable that may change what runs"),
        ("%a", 0, "a job of the shell"),
        ("'' a", 0, "the name of the command is empty"),
        ("a \\ä", 4, "an unusual character outside of quotes"),
        ("a {fd}>/dev/null", 6, "a descriptor that is named by a variable"),
    ] {
        assert_eq!(unclear(text), (at, what), "{text:?}");
    }
}

#[test]
fn a_redirection_has_a_target_and_a_descriptor_that_fits() {
    for text in [
        "a >",
        "a > ",
        "a 2>",
        "a >>",
        "a &>",
        "a <",
        "a >&",
        "a 1</dev/null",
        "a 0>/dev/null",
        "a >/dev/nul",
    ] {
        scan(text).expect_err(text);
    }
    assert_eq!(one("a '2'>/dev/null"), ["a", "2"], "what is quoted is a word");
    assert_eq!(one("a '{b}'>/dev/null"), ["a", "{b}"]);
    assert_eq!(one("a >\t/dev/null\tb"), ["a", "b"]);
}

#[test]
fn signs_that_expand_only_in_some_places_are_words_in_others() {
    assert_eq!(
        one("a ä日 == = ''=x {a.b} {a..b {a,b .. a=b=c"),
        ["a", "ä日", "==", "=", "=x", "{a.b}", "{a..b", "{a,b", "..", "a=b=c"]
    );
    let kind = |text: &str| scan(text).unwrap().parts[0].words[1].kind;
    assert_eq!(kind("a {b,c}{d,e}{f,g}"), WordKind::Pattern, "so many braces are understood");
    assert_eq!(
        (kind("a {b,"), kind("a {b}"), kind("a b,c}")),
        (WordKind::Plain, WordKind::Plain, WordKind::Plain)
    );
}

#[test]
fn a_document_ends_where_old_shells_end_it_too() {
    let document = |body: &str| format!("a \"$(cat <<'E_1'\n{body}\nE_1\n)\"");
    for body in [
        "(x) ((y) z)",
        r"x \) y",
        r"x \( y",
        "'x)' y",
        "\"x)\" y",
        "`x)` y",
        r#""x\")" y"#,
        "it's",
        "a \" b",
        "(",
        "",
    ] {
        assert_eq!(one(&document(body)), ["a", body], "{body:?}");
    }
    for body in ["x) y", "(x)) y", r#""x\" y" ) z"#, r"'x\' ) y", r"\\) y", "'x' ) y", "\"x\" ) y", ")"] {
        assert_eq!(unclear(&document(body)).1, "a here-document that old shells read otherwise", "{body:?}");
    }
}

proptest! {
    #[test]
    fn any_text_at_all_is_read_without_a_panic_and_no_part_is_without_a_name(text in "[a-c \\t\\n;&|<>()'\"\\\\$`*?{},.~=#!0-2/ä\u{a0}]{0,40}") {
        if let Ok(script) = scan(&text) {
            prop_assert!(!script.parts.is_empty());
            prop_assert!(script.parts.iter().all(|part| part.words.first().is_some_and(|word| word.kind == WordKind::Plain && !word.text.is_empty())));
        }
    }

    #[test]
    fn a_word_in_single_quotes_is_exactly_itself(word in "[ -&(-~ä→日\n]{0,30}") {
        prop_assert_eq!(one(&format!("a '{word}'")), ["a".to_owned(), word]);
    }
}
