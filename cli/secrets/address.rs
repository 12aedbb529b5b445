//! Passwords in addresses: `postgres://user:password@host/db`. Pure.

/// Each password in the addresses of a text: as it stands there, and as whoever asks for it gets it. One that is the name
/// of its user protects nothing, and is a word of many texts.
pub(super) fn passwords(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, sign) in text.match_indices("://") {
        let rest = text.get(at + sign.len()..).unwrap_or_default();
        let place = rest.split(|letter: char| letter == '/' || letter.is_whitespace()).next();
        let login =
            place.and_then(|place| place.rsplit_once('@')).and_then(|(login, _)| login.split_once(':'));
        if let Some((user, password)) = login
            && user != password
        {
            all.extend([password.to_owned(), decoded(password)]);
        }
    }
    all
}

/// `p%40ss` is `p@ss`. What would be no text stays as it is.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(hex);
        bytes.push(digits.unwrap_or(*first));
        rest = if digits.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits.iter().try_fold(0_u8, |all, byte| Some(all << 4 | digit(byte)?))
}
