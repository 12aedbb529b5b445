//! The ways in which a secret that is known may be written: in an address, in base64. Pure.

/// What stands as it is in an address, besides letters and digits: by the standard, as browsers and as Python have it.
const UNRESERVED: [&str; 3] = ["-._~", "-._~!'()*", "-._~/"];

/// The alphabets of base64 differ in these.
const ALPHABETS: [[char; 2]; 2] = [['+', '/'], ['-', '_']];

/// What is shorter is found by chance in other words.
const SHORTEST_IN_BASE64: usize = 8;

/// All of them; some may be the same, or the text itself.
pub(super) fn ways(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for unreserved in UNRESERVED {
        all.extend([in_address(text, unreserved, false), in_address(text, unreserved, true)]);
    }
    if text.len() >= SHORTEST_IN_BASE64 {
        ALPHABETS.iter().for_each(|alphabet| in_base64(text, *alphabet, &mut all));
    }
    all
}

fn in_address(text: &str, unreserved: &str, is_small: bool) -> String {
    let mut encoded = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        let letter = char::from(byte);
        match letter {
            _ if letter.is_ascii_alphanumeric() || unreserved.contains(letter) => encoded.push(letter),
            _ if is_small => encoded.push_str(&format!("%{byte:02x}")),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The text alone, and in the middle of another, such as `user:password`: three bytes are four letters, so it looks
/// otherwise behind one, two or three. Letters that also hold something of what stands beside it are left out.
fn in_base64(text: &str, alphabet: [char; 2], all: &mut Vec<String>) {
    for before in 0..3 {
        let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(text.bytes()).collect();
        let letters: String = bytes.chunks(3).flat_map(|three| four(three, alphabet)).collect();
        let own = letters.get((before * 8).div_ceil(6)..).unwrap_or_default();
        if !bytes.len().is_multiple_of(3) {
            all.extend(own.get(..own.len() - 1).map(str::to_owned));
        }
        all.push(own.to_owned());
    }
}

/// The letters of at most three bytes, without padding.
fn four(three: &[u8], alphabet: [char; 2]) -> impl Iterator<Item = char> {
    let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | three.get(at).map_or(0, |byte| u32::from(*byte)));
    let letter = move |at: u32| letter(bits >> (18 - 6 * at) & 0x3f, alphabet);
    (0..4).take(three.len() + 1).map(letter)
}

fn letter(six: u32, [plus, slash]: [char; 2]) -> char {
    let from = |first: u8, at: u32| char::from_u32(u32::from(first) + at).unwrap_or(slash);
    match six {
        0..26 => from(b'A', six),
        26..52 => from(b'a', six - 26),
        52..62 => from(b'0', six - 52),
        62 => plus,
        _ => slash,
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::{BASE64_STANDARD as STANDARD, BASE64_URL_SAFE_NO_PAD as URL_SAFE};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_known_in_an_address() {
        let all = ways("p/ß (1)~");
        for way in
            ["p%2F%C3%9F%20%281%29~", "p%2f%c3%9f%20%281%29~", "p%2F%C3%9F%20(1)~", "p/%C3%9F%20%281%29~"]
        {
            assert!(all.iter().any(|one| one == way), "{way}: {all:?}");
        }
    }

    #[test]
    fn a_short_text_is_not_looked_for_in_base64() {
        assert!(ways("seven77").iter().all(|way| way == "seven77"));
    }

    proptest! {
        #[test]
        fn a_text_is_known_in_base64_whatever_stands_beside_it(
            text in "\\PC{8,20}",
            before in "[a-z:]{0,6}",
            after in "[a-z]{0,4}",
        ) {
            let all = ways(&text);
            let packed = format!("{before}{text}{after}");
            for encoded in [STANDARD.encode(&packed), URL_SAFE.encode(&packed)] {
                let longest = all.iter().filter(|way| encoded.contains(way.as_str())).map(String::len).max();
                prop_assert!(longest.is_some_and(|longest| longest >= text.len() * 4 / 3 - 2), "{encoded}: {all:?}");
            }
            for encoded in [STANDARD.encode(&text), URL_SAFE.encode(&text)] {
                let whole = encoded.trim_end_matches('=');
                prop_assert!(all.iter().any(|way| way == whole), "{whole}: {all:?}");
            }
        }
    }
}
