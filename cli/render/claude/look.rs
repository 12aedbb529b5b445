//! Looking into what Claude tells of a tool: members that may be there.
//!
//! Every tool has its own, and every release others, so nothing here is an error: what is not as expected is not there.

use codec::json::{Json, Object};

pub(super) fn object<'a>(json: Option<&Json<'a>>) -> Option<Object<'a>> {
    Object::read(json?.clone()).ok()
}

pub(super) fn text(object: &Object<'_>, name: &str) -> Option<String> {
    Some(object.peek(name)?.as_text()?.get().into_owned())
}

pub(super) fn flag(object: &Object<'_>, name: &str) -> bool {
    object.peek(name).and_then(Json::as_flag).unwrap_or_default()
}

pub(super) fn count(object: &Object<'_>, name: &str) -> Option<usize> {
    object.peek(name)?.raw().parse().ok()
}

/// The objects in a list.
pub(super) fn each<'o>(object: &'o Object<'_>, name: &str) -> Vec<Object<'o>> {
    let list = object.peek(name).and_then(Json::as_list).unwrap_or_default();
    list.into_iter().filter_map(|one| Object::read(one).ok()).collect()
}

/// The texts of the text blocks in a list.
pub(super) fn texts(object: &Object<'_>, name: &str) -> Vec<String> {
    each(object, name).iter().filter_map(|block| text(block, "text")).collect()
}
