//! The texts of a record, however deep they stand: JSON in JSON in JSON. Pure.
//!
//! Owns what is looked at as what. Each text is handed out as it reads, without the escapes of its depth, so that one and
//! the same secret is one and the same text everywhere; and what was changed is written back with them. What is no JSON is
//! one text. A part that nobody changed stays as it was, letter by letter.

use codec::json::{Json, Kind, Object, ObjectWriter, Text, Written as _};

use super::find;

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// a word of the record itself, by which it is read: nothing else can stand there
    Word,
    /// a name by which things of the record are told apart: what only looks like a secret is none
    Id,
    /// the name of a member
    Name,
    /// something that was said
    Said,
    /// what stands behind a name that says secret
    Secret,
}

/// What stands in the place of a text, if something else shall.
pub(super) type Each<'e> = dyn FnMut(&str, Place) -> Option<String> + 'e;

/// What tim reads a record by, in its outermost object.
const OF_RECORDS: [&str; 6] = ["rec", "dir", "key", "kind", "outcome", "source"];

/// What tells who and which in it.
const IDS_OF_RECORDS: [&str; 6] = ["wire", "desk", "path", "to", "id", "seed"];

/// What agents and clients tell their messages by.
const OF_MESSAGES: [&str; 3] = ["type", "subtype", "role"];

/// What an object behind a name that says secret calls the secret itself.
const OF_SECRETS: [&str; 3] = ["value", "secret", "data"];

/// The line with all its texts handed out; nothing if none was changed.
pub(super) fn rewritten(line: &str, each: &mut Each<'_>) -> Option<String> {
    match Object::parse(line) {
        Ok(object) => members(&object, Of::Record, each),
        Err(_) => each(line, Place::Said),
    }
}

/// Whose members are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// the outermost object of a line
    Record,
    /// one behind a name that says secret
    Secret,
    /// any other
    Other,
}

fn members(object: &Object<'_>, of: Of, each: &mut Each<'_>) -> Option<String> {
    let mut is_changed = false;
    let mut text = String::new();
    ObjectWriter::object(&mut text, |out| {
        for (name, json) in object.iter() {
            let new_name = each(&name, name_place(&name));
            let new = value(json, place_behind(&name, json, of), each);
            is_changed |= new_name.is_some() || new.is_some();
            let name = new_name.unwrap_or_else(|| name.into_owned());
            out.member(&name, |to| to.push_str(new.as_deref().unwrap_or(json.raw())));
        }
    });
    is_changed.then_some(text)
}

/// A name of letters alone is one by which somebody reads; any other may be a text, such as a question.
fn name_place(name: &str) -> Place {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    if name.bytes().all(is_letter) { Place::Word } else { Place::Name }
}

fn place_behind(name: &str, json: &Json<'_>, of: Of) -> Place {
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let is_word = || json.as_text().is_some_and(|text| text.get().bytes().all(is_small));
    match name {
        _ if of == Of::Record && OF_RECORDS.contains(&name) => Place::Word,
        _ if of == Of::Record && IDS_OF_RECORDS.contains(&name) => Place::Id,
        // Its times and counts.
        _ if of == Of::Record && json.kind() == Kind::Number => Place::Word,
        _ if OF_MESSAGES.contains(&name) && is_word() => Place::Word,
        _ if of == Of::Secret && OF_SECRETS.contains(&name) => Place::Secret,
        _ if find::says_secret(name) => Place::Secret,
        _ => Place::Said,
    }
}

fn value(json: &Json<'_>, place: Place, each: &mut Each<'_>) -> Option<String> {
    match json.kind() {
        Kind::Text => text(&json.as_text()?.get(), place, each).map(|new| written(&new)),
        Kind::Object => match Object::read(json.clone()) {
            Ok(object) if place == Place::Secret => members(&object, Of::Secret, each),
            Ok(object) => members(&object, Of::Other, each),
            // With more members than anybody reads it is one text.
            Err(_) => each(json.raw(), Place::Said),
        },
        Kind::List => items(json, place, each),
        Kind::Number => number(json, place, each),
        Kind::Flag | Kind::Null => None,
    }
}

/// A number is a secret behind a name that says so, or if somebody says it: most only count something. What stands in its
/// place is a text.
fn number(json: &Json<'_>, place: Place, each: &mut Each<'_>) -> Option<String> {
    let place = match place {
        Place::Word => return None,
        Place::Secret => Place::Secret,
        Place::Id | Place::Name | Place::Said => Place::Id,
    };
    each(json.raw(), place).map(|new| written(&new))
}

/// A text may be JSON itself.
fn text(text: &str, place: Place, each: &mut Each<'_>) -> Option<String> {
    let inner = text.starts_with(['{', '[']).then(|| Json::parse(text)).flatten();
    match inner {
        Some(json) if place == Place::Secret => value(&json, Place::Secret, each),
        Some(json) if place != Place::Word => value(&json, Place::Said, each),
        _ => each(text, place),
    }
}

fn written(text: &str) -> String {
    let mut quoted = String::new();
    Text::new(text).write(&mut quoted);
    quoted
}

/// The word behind a flag of a command line is its value.
fn items(json: &Json<'_>, place: Place, each: &mut Each<'_>) -> Option<String> {
    let (mut is_changed, mut behind_flag, mut all) = (false, false, Vec::new());
    for item in json.as_list()? {
        let place = if behind_flag { Place::Secret } else { place };
        let new = value(&item, place, each);
        is_changed |= new.is_some();
        behind_flag = item.as_text().is_some_and(|text| is_flag(&text.get()));
        all.push(new.unwrap_or_else(|| item.raw().to_owned()));
    }
    is_changed.then(|| format!("[{}]", all.join(",")))
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-') && !word.contains(['=', ' ']) && find::says_secret(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All texts of a line, each with what it is.
    fn texts(line: &str) -> Vec<(String, Place)> {
        let mut all = Vec::new();
        rewritten(line, &mut |text, place| {
            all.push((text.to_owned(), place));
            None
        });
        all.retain(|(_, place)| *place != Place::Word);
        all
    }

    #[test]
    fn a_text_is_the_same_at_every_depth() {
        let said = r#"a "b" \ ü"#;
        let one = format!(r#"{{"text":{}}}"#, Json::of(said).raw());
        let two = format!(r#"{{"line":{}}}"#, Json::of(one.as_str()).raw());
        let three = format!(r#"{{"line":[{}]}}"#, Json::of(two.as_str()).raw());
        for line in [one, two, three, r#"{"text":"a \"b\" \\ \u00fc"}"#.to_owned()] {
            assert_eq!(texts(&line), [(said.to_owned(), Place::Said)], "{line}");
        }
    }

    #[test]
    fn what_stands_behind_a_telling_name_or_flag_is_a_secret() {
        let line = r#"{"api_key":"a b","argv":["x","--password","c,d","e"],"q":{"What now?":"f"}}"#;
        let expected = [
            ("a b", Place::Secret),
            ("x", Place::Said),
            ("--password", Place::Said),
            ("c,d", Place::Secret),
            ("e", Place::Said),
            ("What now?", Place::Name),
            ("f", Place::Said),
        ];
        assert_eq!(texts(line), expected.map(|(text, place)| (text.to_owned(), place)));
    }

    #[test]
    fn the_value_of_an_object_behind_a_telling_name_is_a_secret() {
        let line = r#"{"token":{"value":"a","note":"b","data":[{"value":"c"}]},"x":{"value":"d"},"secret":"{\"value\":\"e\"}"}"#;
        let expected = [
            ("a", Place::Secret),
            ("b", Place::Said),
            ("c", Place::Secret),
            ("d", Place::Said),
            ("e", Place::Secret),
        ];
        assert_eq!(texts(line), expected.map(|(text, place)| (text.to_owned(), place)));
    }

    #[test]
    fn what_nobody_changed_stays_as_it_was_letter_by_letter() {
        let line = r#"{ "a" : "b\u0041", "n": 1e400, "line":"{ \"x\" : 1 , \"y\": \"q\" }"}"#;
        assert_eq!(rewritten(line, &mut |_, _| None), None);
        let new = rewritten(line, &mut |text, _| (text == "q").then(|| "r".to_owned()));
        assert_eq!(new.as_deref(), Some(r#"{"a":"b\u0041","n":1e400,"line":"{\"x\":1,\"y\":\"r\"}"}"#));
    }

    #[test]
    fn the_words_that_a_record_is_read_by_are_not_texts() {
        let line =
            r#"{"rec":"line","dir":"from","key":"7f.p1","line":"{\"type\":\"assistant\",\"key\":\"k\"}"}"#;
        assert_eq!(texts(line), [("k".to_owned(), Place::Said)]);
    }

    #[test]
    fn an_id_of_somebody_else_is_a_text_and_a_number_may_be_a_secret() {
        let line = r#"{"seq":7,"wire":"w","line":"{\"AccessKeyId\":\"k\",\"password\":12345678,\"n\":[1]}"}"#;
        let expected = [("w", Place::Id), ("k", Place::Said), ("12345678", Place::Secret), ("1", Place::Id)];
        assert_eq!(texts(line), expected.map(|(text, place)| (text.to_owned(), place)));
        let new = rewritten(line, &mut |text, _| (text == "12345678").then(|| "X".to_owned()));
        assert!(new.is_some_and(|new| new.contains(r#"\"password\":\"X\""#)));
    }
}
