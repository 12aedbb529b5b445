//! A `.mcp.json`: the servers that Claude Code would start or connect to.
//!
//! Owns what counts as one. In print mode none of them is asked about. Pure.

use codec::json::Json;

use super::brought::{Brought, What};
use super::settings::{Unusable, for_each, has_doubles, object, parsed, said};

/// What the text brings.
pub(super) fn brings(text: &str) -> Brought {
    let mut brought = Brought::default();
    let file = match parsed(text) {
        Ok(file) if has_doubles(&file) => {
            brought.is_ambiguous();
            return brought;
        }
        Ok(file) => file,
        Err(Unusable::Nothing) => return brought,
        Err(Unusable::Unread) => {
            brought.is_too_large();
            return brought;
        }
        Err(Unusable::Ignored(why)) => {
            brought.warn(&format!("{why}, so Claude Code ignores it"));
            return brought;
        }
    };
    let mut is_there = false;
    for (_, servers) in file.iter().filter(|(name, _)| name == "mcpServers") {
        is_there |= for_each(servers, &mut brought, server);
    }
    if !is_there {
        brought.warn("has no object mcpServers, so Claude Code ignores it");
    }
    brought
}

fn server(name: &str, value: &Json<'_>, to: &mut Brought) {
    let server = object(value, to).unwrap_or_default();
    let text = |wanted: &str| {
        let found = server.iter().find(|(name, value)| name == wanted && value.as_text().is_some());
        found.map(|(_, value)| said(value))
    };
    let arguments = || {
        let list = server.iter().find(|(name, _)| name == "args").and_then(|(_, list)| list.as_list());
        list.iter().flatten().map(|one| format!(" {}", said(one))).collect::<String>()
    };
    const SHOWN: [&str; 4] = ["command", "args", "url", "type"];
    let rest = server.iter().filter(|(name, _)| !SHOWN.contains(&name.as_ref()));
    let rest: String = rest.map(|(name, value)| format!(", {name} {}", value.raw())).collect();
    match (text("command"), text("url")) {
        (Some(command), _) => to.add(What::Server, &format!("{name}: {command}{}{rest}", arguments())),
        (None, Some(url)) => to.add(What::Server, &format!("{name}: {url}{rest}")),
        (None, None) => {
            to.warn(&format!("the server {name} has neither a command nor a url, so Claude Code ignores it"));
        }
    }
}
