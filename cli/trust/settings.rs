//! A settings file of Claude Code: what it brings, and what in it Claude Code ignores.
//!
//! Owns which members make something run or be allowed unasked. What is said about ignoring was tried with Claude Code
//! 2.1.197 and 2.1.325. Also what stands in a file that is ignored is counted: the next version may take it. Pure.

use std::collections::HashSet;

use codec::json::{Json, Kind, NotAnObject, Object};

use super::brought::{Brought, What};

/// What the text brings.
pub(super) fn brings(text: &str) -> Brought {
    let mut brought = Brought::default();
    match parsed(text) {
        Ok(settings) if has_doubles(&settings) => brought.is_ambiguous(),
        Ok(settings) => members(&settings, &mut brought),
        Err(Unusable::Nothing) => {}
        Err(Unusable::Unread) => brought.is_too_large(),
        Err(Unusable::Ignored(why)) => brought.warn(&format!("{why}, so Claude Code ignores it")),
    }
    brought
}

/// Whether a command is named that gives the key to log in with.
pub(super) fn has_key_helper(text: &str) -> bool {
    let is_said = |value: &Json<'_>| value.as_text().is_some_and(|text| !text.get().trim().is_empty());
    parsed(text)
        .is_ok_and(|settings| settings.iter().any(|(name, value)| name == "apiKeyHelper" && is_said(value)))
}

/// Whether a member stands there twice, at any depth: who reads it takes the one or the other.
pub(super) fn has_doubles(object: &Object<'_>) -> bool {
    let mut names = HashSet::new();
    object.iter().any(|(name, value)| !names.insert(name.into_owned()) || within(value))
}

fn within(value: &Json<'_>) -> bool {
    match value.kind() {
        Kind::Object => Object::read(value.clone()).is_ok_and(|object| has_doubles(&object)),
        Kind::List => value.as_list().is_some_and(|list| list.iter().any(within)),
        _ => false,
    }
}

/// Why a text has no members.
pub(super) enum Unusable {
    /// there is nothing in it
    Nothing,
    /// we do not read so much, but Claude Code does
    Unread,
    /// nobody can
    Ignored(String),
}

/// The members of the outermost object.
pub(super) fn parsed(text: &str) -> Result<Object<'_>, Unusable> {
    // Claude Code takes it off, too.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Unusable::Nothing);
    }
    Object::parse(text).map_err(|error| match error {
        NotAnObject::TooLarge => Unusable::Unread,
        NotAnObject::NotJson(why) => Unusable::Ignored(format!("is not JSON ({why})")),
        NotAnObject::AnotherKind => Unusable::Ignored("is no JSON object".to_owned()),
    })
}

const WHOLE: &str = "so Claude Code ignores the whole file";

fn members(settings: &Object<'_>, to: &mut Brought) {
    for (name, value) in settings.iter() {
        match name.as_ref() {
            "hooks" => hooks(value, to),
            "permissions" => permissions(value, to),
            "env" => variables(value, to),
            "enabledPlugins" | "extraKnownMarketplaces" => plugins(&name, value, to),
            "sandbox" if value.kind() == Kind::Object => to.add(What::Switch, "sandbox"),
            // It may bring hooks of its own.
            "agent" => to.add(What::Switch, &format!("agent: {}", said(value))),
            "enabledMcpjsonServers" if !is_empty(value) => to.add(What::Switch, &name),
            "enableAllProjectMcpServers" | "disableAllHooks" => flag(&name, value, to),
            _ => command(&name, value, to),
        }
    }
}

fn is_empty(value: &Json<'_>) -> bool {
    value.as_list().is_some_and(|list| list.is_empty())
}

fn flag(name: &str, value: &Json<'_>, to: &mut Brought) {
    match value.as_flag() {
        Some(true) if name == "enableAllProjectMcpServers" => to.add(What::Switch, name),
        Some(_) => {}
        None => to.warn(&format!("{name} is neither true nor false, {WHOLE}")),
    }
}

/// A command that is none of the hooks: for a key, a status line, or whatever the next version has.
fn command(name: &str, value: &Json<'_>, to: &mut Brought) {
    let is_named_so = ["Helper", "Refresh", "Export", "Command"].iter().any(|end| name.ends_with(end));
    let within = object(value, to);
    let within = within.as_ref().and_then(|object| object.iter().find(|(name, _)| name == "command"));
    match (value.as_text(), within) {
        (Some(text), _) if is_named_so => to.add(What::Command, &format!("{name}: {}", text.get())),
        (_, Some((_, command))) => to.add(What::Command, &format!("{name}: {}", said(command))),
        _ if name == "apiKeyHelper" => to.warn(&format!("{name} is no text, {WHOLE}")),
        _ => {}
    }
}

fn plugins(name: &str, value: &Json<'_>, to: &mut Brought) {
    for_each(value, to, |plugin, value, to| {
        if value.as_flag() != Some(false) {
            to.add(What::Plugin, &format!("{name}: {plugin}"));
        }
    });
}

fn variables(value: &Json<'_>, to: &mut Brought) {
    if !for_each(value, to, |name, value, to| to.add(What::Variable, &format!("{name}={}", said(value)))) {
        to.warn(&format!("env is no object, {WHOLE}"));
    }
}

/// Modes in which no more happens unasked than without any.
const STRICT: [&str; 3] = ["default", "plan", "dontAsk"];

fn permissions(value: &Json<'_>, to: &mut Brought) {
    let is_object = for_each(value, to, |name, value, to| match name {
        "allow" => {
            each(name, value, to, |rule, to| match rule.as_text() {
                Some(rule) => to.add(What::AllowRule, &rule.get()),
                None => to.warn("an entry of permissions.allow is no text, so Claude Code ignores it"),
            });
        }
        "additionalDirectories" => each(name, value, to, |folder, to| to.add(What::Folder, &said(folder))),
        "deny" | "ask" => each(name, value, to, |_, _| ()),
        "defaultMode" => mode(value, to),
        _ => {}
    });
    if !is_object {
        to.warn(&format!("permissions is no object, {WHOLE}"));
    }
}

/// The entries of a list that must be one.
fn each(name: &str, value: &Json<'_>, to: &mut Brought, take: impl Fn(&Json<'_>, &mut Brought)) {
    match value.as_list() {
        Some(list) => list.iter().for_each(|one| take(one, to)),
        None => to.warn(&format!("permissions.{name} is no list, {WHOLE}")),
    }
}

fn mode(value: &Json<'_>, to: &mut Brought) {
    match value.as_text() {
        Some(mode) if STRICT.iter().any(|strict| mode.is(strict)) => {}
        Some(mode) => to.add(What::Mode, &mode.get()),
        None => to.warn(&format!("permissions.defaultMode is no text, {WHOLE}")),
    }
}

fn hooks(value: &Json<'_>, to: &mut Brought) {
    let is_object = for_each(value, to, |event, groups, to| match groups.as_list() {
        Some(groups) => groups.iter().for_each(|one| group(event, one, to)),
        None => to.warn(&format!("hooks.{event} is no list, so Claude Code ignores it")),
    });
    if !is_object {
        to.warn("hooks is no object, so Claude Code ignores all hooks of the file");
    }
}

/// Hooks that belong together: for some tools, or for all.
fn group(event: &str, value: &Json<'_>, to: &mut Brought) {
    let Some(group) = object(value, to) else { return wrong_hook(event, to) };
    let matcher = group.iter().find(|(name, _)| name == "matcher").map(|(_, matcher)| matcher);
    if matcher.is_some_and(|matcher| matcher.as_text().is_none()) {
        wrong_hook(event, to);
    }
    let matcher = matcher.map(said).filter(|matcher| !matcher.is_empty());
    let event = matcher.map_or_else(|| event.to_owned(), |matcher| format!("{event} ({matcher})"));
    let mut has_list = false;
    for (_, list) in group.iter().filter(|(name, _)| name == "hooks") {
        let hooks = list.as_list();
        has_list |= hooks.is_some();
        hooks.into_iter().flatten().for_each(|one| hook(&event, &one, to));
    }
    if !has_list {
        wrong_hook(&event, to);
    }
}

fn hook(event: &str, value: &Json<'_>, to: &mut Brought) {
    let hook = object(value, to).unwrap_or_default();
    let text = |wanted: &str| {
        let found = hook.iter().find(|(name, value)| name == wanted && value.as_text().is_some());
        found.map(|(_, value)| said(value))
    };
    match (text("type").as_deref(), text("command")) {
        (None, _) | (Some("command"), None) => wrong_hook(event, to),
        (Some("command"), Some(command)) => to.add(What::Hook, &format!("{event}: {command}")),
        // Of another kind: all that it says.
        (Some(_), _) => to.add(What::Hook, &format!("{event}: {}", value.raw())),
    }
}

fn wrong_hook(event: &str, to: &mut Brought) {
    to.warn(&format!(
        "a hook of {event} is not as it should be: Claude Code ignores it, or the whole file (2.1.197)"
    ));
}

/// Every member of an object; says whether it is one.
pub(super) fn for_each(
    value: &Json<'_>,
    to: &mut Brought,
    take: impl Fn(&str, &Json<'_>, &mut Brought),
) -> bool {
    let members = object(value, to);
    members.iter().flat_map(Object::iter).for_each(|(name, value)| take(&name, value, to));
    value.kind() == Kind::Object
}

/// The members of a value, if it has some. Where there are more than we read nobody can say what it brings.
pub(super) fn object<'a>(value: &Json<'a>, to: &mut Brought) -> Option<Object<'a>> {
    if value.kind() != Kind::Object {
        return None;
    }
    let object = Object::read(value.clone()).ok();
    if object.is_none() {
        to.is_too_large();
    }
    object
}

/// A value as it is meant; what is no text as it stands there.
pub(super) fn said(value: &Json<'_>) -> String {
    value.as_text().map_or_else(|| value.raw().to_owned(), |text| text.get().into_owned())
}
