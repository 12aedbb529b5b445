//! Who hears the line.
//!
//! Owns the agents that listen and which of them is meant. With one of them there is nothing to choose, nor with several of
//! which each was started by the one before: all of them hear the line. Else it goes to the one that is named before it, or to
//! whom it begins with, and to several by `@all` alone. Pure.

use codec::id::Path;

/// Those who listen.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// in the order in which they came
    listen: Vec<Path>,
    /// the one that is meant, if there are several
    chosen: Option<Path>,
    /// those further down of whom something was heard: whoever is above them passes on what is for them
    below: Vec<Path>,
    /// names of those who are gone
    gone: Vec<String>,
}

/// So many are remembered.
const MOST: usize = 1_000;

/// Where a line goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Goes {
    /// to this one; what it hears
    To(Path, String),
    /// to one and those whom it started, one below the other
    ToChain(String),
    /// to all of them, as was said
    ToAll(String),
    /// to nobody: none listens
    Nowhere,
}

impl Targets {
    /// Somebody listens from now on, or no longer.
    pub(super) fn hears(&mut self, path: Path, hears: bool) {
        self.listen.retain(|known| *known != path);
        self.gone.retain(|known| *known != name(&path));
        if hears {
            return self.listen.push(path);
        }
        let is_below = |known: &mut Path| known.labels().starts_with(path.labels());
        let left: Vec<Path> = self.below.extract_if(.., is_below).collect();
        self.gone.extend(left.iter().chain([&path]).map(name));
        self.gone.drain(..self.gone.len().saturating_sub(MOST));
        if self.chosen.as_ref() == Some(&path) {
            self.chosen = None;
        }
    }

    /// Somebody of that path, further down, said something.
    pub(super) fn speaks(&mut self, path: &str) {
        let Some(path) = Path::new(path) else { return };
        let is_known = self.below.contains(&path) || self.listen.contains(&path);
        if !is_known && self.below.len() < MOST && self.above(&path).is_some() {
            self.below.push(path);
        }
    }

    /// Who listens and would pass on what is for somebody further down.
    fn above(&self, path: &Path) -> Option<&Path> {
        self.listen.iter().find(|known| path.labels().starts_with(known.labels()))
    }

    /// The one that is meant.
    pub(super) fn meant(&self) -> Option<&Path> {
        self.chosen.as_ref().or(self.listen.first())
    }

    /// The name before the line: only if there are several, and not all of them hear it.
    pub(super) fn name(&self) -> Option<String> {
        self.meant().filter(|_| self.listen.len() > 1 && !self.is_for_chain()).map(name)
    }

    /// Whether the line is for several of which each was started by the one before.
    fn is_for_chain(&self) -> bool {
        let is_below =
            |pair: &[Path]| matches!(pair, [above, below] if below.labels().starts_with(above.labels()));
        self.chosen.is_none() && self.listen.len() > 1 && self.listen.windows(2).all(is_below)
    }

    /// Means the next one.
    pub(super) fn next(&mut self) {
        if self.is_for_chain() {
            self.chosen = self.listen.first().cloned();
            return;
        }
        let at = self.meant().and_then(|meant| self.listen.iter().position(|known| known == meant));
        let next = at.map(|at| at + 1).unwrap_or_default();
        self.chosen = self.listen.get(next).cloned();
        // Behind the last one of a chain all of them are meant again.
        if self.chosen.is_none() && !self.is_for_chain() {
            self.chosen = self.listen.first().cloned();
        }
    }

    /// Where a line goes. One that begins with `@` and a name goes there, without it; an agent is called by the last part
    /// of its path or by all of it.
    pub(super) fn goes(&self, line: &str) -> Goes {
        if let Some((word, rest)) = line.strip_prefix('@').and_then(|line| line.split_once([' ', '\n'])) {
            let rest = rest.trim_start().to_owned();
            if word == "all" && !self.listen.is_empty() {
                return Goes::ToAll(rest);
            }
            if let Some(path) = self.called(word) {
                return Goes::To(path.clone(), rest);
            }
        }
        if self.is_for_chain() {
            return Goes::ToChain(line.to_owned());
        }
        self.meant().map_or(Goes::Nowhere, |path| Goes::To(path.clone(), line.to_owned()))
    }

    /// The only one of that name: of those who listen, else of those further down.
    fn called(&self, word: &str) -> Option<&Path> {
        match self.all_called(word).as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// All of that name: of those who listen, else of those further down.
    fn all_called(&self, word: &str) -> Vec<&Path> {
        let is_it = |path: &&Path| path.to_string() == word || name(path) == word;
        let listen: Vec<&Path> = self.listen.iter().filter(is_it).collect();
        if listen.is_empty() { self.below.iter().filter(is_it).collect() } else { listen }
    }

    /// Why a line that begins with a name does not go to who is called so: it is somebody who is gone, a mistake where there are
    /// several who could be meant, or the name of several. A file is no name.
    pub(super) fn misses(&self, line: &str) -> Option<String> {
        let (word, _) = line.strip_prefix('@')?.split_once([' ', '\n'])?;
        let is_letter =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let is_label = !word.is_empty() && word.chars().all(is_letter) && word != "all";
        let was_there = self.gone.iter().any(|name| name == word);
        match self.all_called(word).as_slice() {
            [] if was_there || self.listen.len() > 1 && is_label => {
                Some(format!("Nobody here is called {word}"))
            }
            [] | [_] => None,
            several => {
                let paths: Vec<String> = several.iter().map(ToString::to_string).collect();
                Some(format!("Several are called {word}: {}", paths.join(", ")))
            }
        }
    }

    /// What completes the last word of a line, if that is the beginning of exactly one name.
    pub(super) fn completes(&self, line: &str) -> Option<String> {
        let begun = line.strip_prefix('@').filter(|word| !word.contains(char::is_whitespace))?;
        let names = self.listen.iter().chain(&self.below).map(name).chain(["all".to_owned()]);
        let mut fitting = names.filter(|name| name.starts_with(begun));
        let only = fitting.next()?;
        let rest = only.strip_prefix(begun)?;
        fitting.next().is_none().then(|| format!("{rest} "))
    }

    /// How many listen.
    pub(super) const fn count(&self) -> usize {
        self.listen.len()
    }
}

/// What an agent is called in short.
pub(super) fn name(path: &Path) -> String {
    path.labels().last().map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        Path::new(text).unwrap()
    }

    fn with(paths: &[&str]) -> Targets {
        let mut targets = Targets::default();
        for text in paths {
            targets.hears(path(text), true);
        }
        targets
    }

    fn to(name: &str, text: &str) -> Goes {
        Goes::To(path(name), text.to_owned())
    }

    #[test]
    fn without_anybody_a_line_goes_nowhere() {
        assert_eq!(with(&[]).goes("hello"), Goes::Nowhere);
        assert_eq!(with(&[]).goes("@all hello"), Goes::Nowhere);
    }

    #[test]
    fn one_alone_hears_everything_and_needs_no_name() {
        let targets = with(&["web"]);
        assert_eq!(targets.goes("hello"), to("web", "hello"));
        assert_eq!(targets.name(), None);
    }

    #[test]
    fn f125_of_several_the_one_before_the_line_hears_it_and_nobody_else() {
        let mut targets = with(&["api", "web"]);
        assert_eq!((targets.name().as_deref(), targets.goes("x")), (Some("api"), to("api", "x")));
        targets.next();
        assert_eq!((targets.name().as_deref(), targets.goes("x")), (Some("web"), to("web", "x")));
        targets.next();
        assert_eq!(targets.goes("x"), to("api", "x"), "and round again");
    }

    #[test]
    fn in_a_chain_all_hear_the_line_unless_it_is_for_one_of_them() {
        let mut targets = with(&["claude", "claude/review", "claude/review/claude/deep"]);
        let all = Goes::ToChain("x".to_owned());
        assert_eq!((targets.name(), targets.goes("x")), (None, all.clone()));
        assert_eq!(targets.goes("@review x"), to("claude/review", "x"));
        for name in ["claude", "review", "deep"] {
            targets.next();
            assert_eq!(targets.name().as_deref(), Some(name));
        }
        targets.next();
        assert_eq!((targets.name(), targets.goes("x")), (None, all));
    }

    #[test]
    fn with_the_second_sibling_the_chain_is_over() {
        let mut targets = with(&["claude", "claude/review"]);
        targets.hears(path("claude/docs"), true);
        assert_eq!((targets.name().as_deref(), targets.goes("x")), (Some("claude"), to("claude", "x")));
        targets.hears(path("claude/docs"), false);
        assert_eq!(targets.goes("x"), Goes::ToChain("x".to_owned()));
    }

    #[test]
    fn a_line_may_say_who_hears_it() {
        let targets = with(&["main/api", "main/web"]);
        assert_eq!(targets.goes("@web use the hook"), to("main/web", "use the hook"));
        assert_eq!(targets.goes("@main/web x"), to("main/web", "x"));
        assert_eq!(targets.goes("@all stop"), Goes::ToAll("stop".to_owned()));
        assert_eq!(
            targets.goes("@src/x.rs has a bug"),
            to("main/api", "@src/x.rs has a bug"),
            "a file, nobody's name"
        );
        assert_eq!(targets.goes("@web"), to("main/api", "@web"), "a name alone says nothing");
    }

    #[test]
    fn when_the_one_that_was_meant_goes_another_is_meant() {
        let mut targets = with(&["api", "web", "docs"]);
        targets.next();
        targets.hears(path("web"), false);
        assert_eq!(targets.name().as_deref(), Some("api"));
        targets.hears(path("docs"), false);
        assert_eq!((targets.name(), targets.count()), (None, 1));
    }

    #[test]
    fn a_name_is_completed_if_only_one_begins_so() {
        let targets = with(&["main/api", "main/apple", "main/web"]);
        assert_eq!(targets.completes("@w").as_deref(), Some("eb "));
        assert_eq!(targets.completes("@ap"), None, "two begin so");
        assert_eq!(targets.completes("@web x"), None);
        assert_eq!(targets.completes("web"), None);
    }

    #[test]
    fn those_further_down_are_called_by_their_names_as_long_as_somebody_passes_it_on() {
        let mut targets = with(&["claude", "claude/run"]);
        targets.speaks("claude/run/left");
        targets.speaks("claude/run/left");
        targets.speaks("claude/run/right");
        targets.speaks("elsewhere/x");
        targets.speaks("claude/run/deep/right");
        let several = "Several are called right: claude/run/right, claude/run/deep/right";
        assert_eq!(targets.misses("@right hi").as_deref(), Some(several));
        assert_eq!(targets.goes("@left hi"), to("claude/run/left", "hi"));
        assert_eq!(targets.goes("@claude/run/right hi"), to("claude/run/right", "hi"));
        assert_eq!(targets.goes("@x hi"), Goes::ToChain("@x hi".to_owned()));
        assert_eq!(targets.completes("@le").as_deref(), Some("ft "));
        assert_eq!((targets.count(), targets.name()), (2, None), "they need no name before the line");
        targets.hears(path("claude/run"), false);
        assert!(targets.misses("@left hi").is_some());
        assert_eq!(targets.goes("@left hi"), to("claude", "@left hi"));
    }

    #[test]
    fn a_name_that_nobody_has_is_noticed_and_a_file_is_not_taken_for_one() {
        let mut targets = with(&["api", "web", "docs"]);
        assert_eq!(targets.misses("@dosc hi").as_deref(), Some("Nobody here is called dosc"));
        for line in
            ["@docs hi", "@all hi", "@src/x.rs is wrong", "@Makefile too", "@ hi", "hi @dosc", "@dosc"]
        {
            assert_eq!(targets.misses(line), None, "{line}");
        }
        targets.hears(path("docs"), false);
        targets.hears(path("web"), false);
        assert!(targets.misses("@docs hi").is_some(), "it was there");
        assert_eq!(targets.misses("@dosc hi"), None, "one alone may have a file of that name");
        targets.hears(path("docs"), true);
        assert_eq!(targets.misses("@docs hi"), None);
    }
}
