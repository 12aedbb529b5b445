//! One thing that was looked at, and what is to be said of it. Pure.

use codec::text::visible;

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// fine
    Ok,
    /// it works, but could be better
    Warning,
    /// in the way
    Problem,
}

impl State {
    /// For people.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            State::Ok => "✓",
            State::Warning => "!",
            State::Problem => "✗",
        }
    }

    /// For programs.
    pub(super) const fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Problem => "problem",
        }
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) state: State,
    pub(super) found: String,
    /// what to do, where it is not fine
    pub(super) todo: Option<String>,
}

impl Check {
    pub(super) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), todo: None }
    }

    pub(super) fn warning(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { name, state: State::Warning, found: found.into(), todo: Some(todo.into()) }
    }

    pub(super) fn problem(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { name, state: State::Problem, found: found.into(), todo: Some(todo.into()) }
    }

    /// As it may be shown: paths as people know them, nothing that a terminal would act upon.
    pub(super) fn told(self, home: Option<&str>) -> Self {
        let told = |text: String| visible(&folded(&text, home)).into_owned();
        Self { found: told(self.found), todo: self.todo.map(told), ..self }
    }
}

/// The text with `~` in the place of the home, wherever a path begins with it.
fn folded(text: &str, home: Option<&str>) -> String {
    let Some(home) = home.filter(|home| home.len() > 1) else { return text.to_owned() };
    let mut folded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(home) {
        let begins = !before.ends_with(|letter: char| letter.is_alphanumeric() || "/._-~".contains(letter));
        let ends = !after.starts_with(|letter: char| letter.is_alphanumeric() || "._-".contains(letter));
        folded.push_str(before);
        folded.push_str(if begins && ends { "~" } else { home });
        rest = after;
    }
    folded + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_is_folded_where_a_path_begins_with_it_and_nowhere_else() {
        let told = |text: &str| folded(text, Some("/home/me"));
        assert_eq!(told("/home/me/x and (/home/me/y), /home/me"), "~/x and (~/y), ~");
        assert_eq!(told("/srv/home/me/x /home/men /home/me.old"), "/srv/home/me/x /home/men /home/me.old");
        assert_eq!(folded("/x", Some("/")), "/x");
        assert_eq!(folded("/x", None), "/x");
    }
}
