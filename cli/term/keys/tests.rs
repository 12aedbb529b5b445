use proptest::prelude::*;

use super::*;

fn inputs(bytes: &[u8]) -> Vec<Input> {
    let mut decoder = Decoder::default();
    let inputs = decoder.feed(bytes);
    assert_eq!(decoder.waits(), None, "something is still open after {bytes:?}");
    inputs
}

fn after_idle(bytes: &[u8]) -> Vec<Input> {
    let mut decoder = Decoder::default();
    let mut inputs = decoder.feed(bytes);
    inputs.extend(decoder.idle());
    assert_eq!(decoder.waits(), None);
    inputs
}

fn key(code: Code) -> Key {
    Key::plain(code)
}

fn letter(letter: char) -> Key {
    Key::plain(Code::Char(letter))
}

/// The one key that those bytes are.
fn one(bytes: &str) -> Key {
    match inputs(bytes.as_bytes()).as_slice() {
        [Input::Key(key)] => *key,
        other => panic!("{bytes:?} gave {other:?}"),
    }
}

#[test]
fn letters_of_any_script_are_keys() {
    let keys = ['a', 'Z', 'ä', '日', '😀'].map(|each| Input::Key(letter(each)));
    assert_eq!(inputs("aZä日😀".as_bytes()), keys);
}

#[test]
fn return_and_line_feed_are_enter() {
    assert_eq!(one("\r"), key(Code::Enter));
    assert_eq!(one("\n"), key(Code::Enter));
    assert_eq!(one("\x1b\r"), key(Code::Enter).alt_if(true));
    assert_eq!(one("\x1b\n"), key(Code::Enter).alt_if(true));
}

#[test]
fn control_bytes_are_letters_with_ctrl() {
    assert_eq!(one("\x01"), letter('a').ctrl());
    assert_eq!(one("\x1a"), letter('z').ctrl());
    assert_eq!(one("\0"), letter(' ').ctrl());
    assert_eq!(one("\x1f"), letter('_').ctrl());
    assert_eq!(one("\t"), key(Code::Tab));
    assert_eq!(one("\x7f"), key(Code::Backspace));
    assert_eq!(one("\x08"), key(Code::Backspace));
}

#[test]
fn escape_alone_is_a_key_only_when_nothing_follows() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.feed(b"\x1b"), []);
    assert_eq!(decoder.waits(), Some(Waits::Briefly));
    assert_eq!(decoder.idle(), [Input::Key(key(Code::Esc))]);
    assert_eq!(decoder.idle(), []);
    assert_eq!(after_idle(b"\x1b\x1b"), [Input::Key(key(Code::Esc)), Input::Key(key(Code::Esc))]);
}

#[test]
fn a_letter_after_escape_has_alt() {
    assert_eq!(one("\x1bb"), letter('b').alt_if(true));
    assert_eq!(one("\x1bä"), letter('ä').alt_if(true));
    assert_eq!(one("\x1b\x7f"), key(Code::Backspace).alt_if(true));
    assert_eq!(one("\x1b\x01"), letter('a').ctrl().alt_if(true));
    for opener in ['[', 'O', ']', 'P', '_', '^', 'X'] {
        let typed = format!("\x1b{opener}");
        assert_eq!(after_idle(typed.as_bytes()), [Input::Key(letter(opener).alt_if(true))]);
    }
    let both = [key(Code::Esc), letter('[').alt_if(true)];
    assert_eq!(after_idle(b"\x1b\x1b["), both.map(Input::Key));
}

#[test]
fn arrows_and_their_neighbours_are_known_in_every_form() {
    let forms: [(Code, &[&str]); 10] = [
        (Code::Up, &["\x1b[A", "\x1bOA", "\x1b[1;1A", "\x1b[57419u"]),
        (Code::Down, &["\x1b[B", "\x1bOB"]),
        (Code::Right, &["\x1b[C", "\x1bOC"]),
        (Code::Left, &["\x1b[D", "\x1bOD"]),
        (Code::Home, &["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]),
        (Code::End, &["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]),
        (Code::Delete, &["\x1b[3~"]),
        (Code::Insert, &["\x1b[2~"]),
        (Code::PageUp, &["\x1b[5~"]),
        (Code::PageDown, &["\x1b[6~"]),
    ];
    for (code, bytes) in forms {
        for bytes in bytes {
            assert_eq!(one(bytes), key(code), "{bytes:?}");
        }
    }
}

#[test]
fn keys_say_what_was_held_down() {
    for ctrl_right in ["\x1b[1;5C", "\x1bOc", "\x1b[5C", "\x1bO5C"] {
        assert_eq!(one(ctrl_right), key(Code::Right).ctrl(), "{ctrl_right:?}");
    }
    assert_eq!(one("\x1bOd"), key(Code::Left).ctrl());
    assert_eq!(one("\x1b[1;2A"), key(Code::Up).shift());
    assert_eq!(one("\x1b[a"), key(Code::Up).shift());
    assert_eq!(one("\x1b[1;3D"), key(Code::Left).alt_if(true));
    assert_eq!(one("\x1b\x1b[D"), key(Code::Left).alt_if(true));
    assert_eq!(one("\x1b[3;5~"), key(Code::Delete).ctrl());
    assert_eq!(one("\x1b[3^"), key(Code::Delete).ctrl());
    assert_eq!(one("\x1b[7$"), key(Code::Home).shift());
    assert_eq!(one("\x1b[7@"), key(Code::Home).ctrl().shift());
    assert_eq!(one("\x1b[Z"), key(Code::BackTab));
    assert_eq!(one("\x1b[9;2u"), key(Code::BackTab));
}

#[test]
fn keys_named_by_their_character_are_known() {
    assert_eq!(one("\x1b[13;2u"), key(Code::Enter).shift());
    assert_eq!(one("\x1b[27;5;13~"), key(Code::Enter).ctrl());
    assert_eq!(one("\x1b[27;2;13~"), key(Code::Enter).shift());
    assert_eq!(one("\x1b[27u"), key(Code::Esc));
    assert_eq!(one("\x1b[127;5u"), key(Code::Backspace).ctrl());
    assert_eq!(one("\x1b[27;5;8~"), key(Code::Backspace).ctrl());
    assert_eq!(one("\x1b[99;5u"), letter('c').ctrl());
    assert_eq!(one("\x1b[97;2u"), letter('A'));
    assert_eq!(one("\x1b[49:33;2u"), letter('!'));
    assert_eq!(one("\x1b[57400u"), letter('1'));
    assert_eq!(one("\x1bOr"), letter('2'));
    assert_eq!(inputs(b"\x1b[97;1:3u"), [], "a key that was let go");
    assert_eq!(inputs(b"\x1b[99;9u"), [], "a key with Super");
    assert_eq!(inputs(b"\x1b[57358u"), [], "a lock");
}

#[test]
fn function_keys_are_known() {
    let forms = [("\x1bOP", 1), ("\x1b[[A", 1), ("\x1b[11~", 1), ("\x1b[15~", 5), ("\x1b[17~", 6)];
    for (bytes, number) in forms.into_iter().chain([("\x1b[24~", 12), ("\x1b[34~", 20), ("\x1b[S", 4)]) {
        assert_eq!(one(bytes), key(Code::F(number)), "{bytes:?}");
    }
}

#[test]
fn what_is_no_key_is_swallowed_whole() {
    let reports: [&[u8]; 18] = [
        b"\x1b[24;80R",
        b"\x1b[?64;1;2c",
        b"\x1b[I",
        b"\x1b[O",
        b"\x1b[M !y",
        b"\x1b[M\xff\x80\r",
        b"\x1b[<0;12;7M",
        b"\x1b[<0;12;7m",
        b"\x1b[?2026;2$y",
        b"\x1b[4;1$y",
        b"\x1b[8;24;80t",
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1b]11;rgb:0000/0000/0000\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b_Gi=1;OK\x1b\\",
        b"\x1b^private\x1b\\",
        b"\x1bXstring y\r\x1b\\",
        b"\x1b[201~",
    ];
    for report in reports {
        assert_eq!(inputs(report), [], "{report:?}");
        let framed: Vec<u8> = [b"a", report, b"b"].concat();
        assert_eq!(inputs(&framed), [Input::Key(letter('a')), Input::Key(letter('b'))], "{report:?}");
    }
}

#[test]
fn a_broken_sequence_does_not_swallow_the_key_after_it() {
    assert_eq!(inputs(b"\x1b[1;\x1b[A"), [Input::Key(key(Code::Up))]);
    assert_eq!(inputs(b"\x1b[1;\r"), [Input::Key(key(Code::Enter))]);
    assert_eq!(inputs(b"\x1b]0;never ends\x1b[A"), [Input::Key(key(Code::Up))]);
    let mut decoder = Decoder::default();
    assert_eq!(decoder.feed(b"\x1bP never ends"), []);
    assert_eq!(decoder.idle(), []);
    assert_eq!(decoder.feed(b"y"), [Input::Key(letter('y'))]);
}

#[test]
fn a_sequence_without_end_takes_no_memory() {
    for begin in [&b"\x1b]"[..], b"\x1bP", b"\x1b[", b"\x1b[<"] {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.feed(begin), []);
        for _ in 0..1000 {
            assert_eq!(decoder.feed(&[b'1'; 1024]), []);
            assert!(decoder.held() <= 64);
        }
    }
}

#[test]
fn each_bad_byte_is_one_mark() {
    let bad = Input::Key(letter('\u{fffd}'));
    assert_eq!(inputs(b"\xff\xc0"), [bad.clone(), bad.clone()]);
    assert_eq!(inputs(b"\xe2\x28"), [bad.clone(), Input::Key(letter('('))]);
    assert_eq!(inputs(b"\xf0\x9f\x98a"), [bad.clone(), bad.clone(), bad.clone(), Input::Key(letter('a'))]);
    assert_eq!(inputs(b"\xe0\x80"), [bad.clone(), bad]);
}

#[test]
fn an_invisible_control_beyond_ascii_begins_no_sequence() {
    let keys = ['\u{9b}', 'A'].map(|each| Input::Key(letter(each)));
    assert_eq!(inputs("\u{9b}A".as_bytes()), keys);
}

#[test]
fn a_paste_is_one_text_with_plain_line_ends() {
    let pasted = inputs(b"a\x1b[200~one\r\ntwo\rthree\n\x1b[A y\x1b[201~b");
    let text = Input::Paste("one\ntwo\nthree\n\x1b[A y".to_owned());
    assert_eq!(pasted, [Input::Key(letter('a')), text, Input::Key(letter('b'))]);
    assert_eq!(inputs(b"\x1b[200~\x1b[201~"), [Input::Paste(String::new())]);
    let nearly = inputs(b"\x1b[200~\x1b[20\x1b[201\x1b\x1b[201~");
    assert_eq!(nearly, [Input::Paste("\x1b[20\x1b[201\x1b".to_owned())]);
}

#[test]
fn a_paste_waits_for_its_end_until_it_is_given_up() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.feed(b"\x1b[200~half"), []);
    assert_eq!(decoder.idle(), []);
    assert_eq!(decoder.waits(), Some(Waits::ForPaste));
    assert_eq!(decoder.stalled(), Some(Input::Paste("half".to_owned())));
    assert_eq!(decoder.stalled(), None);
    assert_eq!(decoder.feed(b"y"), [Input::Key(letter('y'))]);
}

#[test]
fn a_paste_that_is_too_long_says_so_once_and_is_not_kept() {
    let mut decoder = Decoder::default();
    decoder.feed(b"\x1b[200~");
    let most = vec![b'x'; LONGEST_PASTE];
    assert_eq!(decoder.feed(&most), []);
    assert_eq!(decoder.feed(b"\x1b[201~"), [Input::Paste("x".repeat(LONGEST_PASTE))]);
    decoder.feed(b"\x1b[200~x");
    for _ in 0..3 {
        assert_eq!(decoder.feed(&most), []);
        assert_eq!(decoder.held(), 0);
    }
    let bytes = 3 * LONGEST_PASTE + 1;
    assert_eq!(decoder.feed(b"\x1b[201~"), [Input::PasteTooLong { bytes }]);
}

fn sent() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => any::<Vec<u8>>(),
        2 => "[a-z日é\u{9b}\r]{0,4}".prop_map(String::into_bytes),
        4 => r"\x1b[\[O\]P_^X\x1b]{1,2}[<?]?[0-9;:]{0,6}[$\x1b]?[A-Za-z~^@u\\\x07]".prop_map(String::into_bytes),
        1 => Just(b"\x1b[200~".to_vec()),
        1 => Just(b"\x1b[201~".to_vec()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn it_does_not_matter_where_a_read_ended(bytes in sent(), cuts in proptest::collection::vec(0..9_usize, 0..40)) {
        let mut whole = Decoder::default();
        let expected = whole.feed(&bytes);
        let mut decoder = Decoder::default();
        let (mut found, mut rest) = (Vec::new(), bytes.as_slice());
        for cut in cuts {
            let (read, left) = rest.split_at(cut.min(rest.len()));
            found.extend(decoder.feed(read));
            rest = left;
        }
        found.extend(decoder.feed(rest));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(decoder.idle(), whole.idle());
    }

    #[test]
    fn after_a_pause_the_next_key_is_a_key(bytes in sent()) {
        let mut decoder = Decoder::default();
        decoder.feed(&bytes);
        decoder.idle();
        decoder.stalled();
        let last = decoder.feed(b"y");
        prop_assert_eq!(last.last(), Some(&Input::Key(letter('y'))));
    }

    #[test]
    fn memory_is_bounded_by_what_came(bytes in sent()) {
        let mut decoder = Decoder::default();
        decoder.feed(&bytes);
        prop_assert!(decoder.held() <= 2 * bytes.len().max(64));
    }
}
