//! Which files a rule is about: `src/**`, `//etc/**`, `~/notes/*.md`, `.env`.
//!
//! Owns the patterns and how paths compare with them, by their names alone: nothing is looked up, so a link is what it
//! is called and not what it leads to. Parts that hold the settings of tools must be spelled out by the pattern.

use super::Place;

/// Which files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    from: From,
    /// the names from there on; `*` and `?` stand for letters, `**` for any number of names
    names: Vec<String>,
}

/// Where a pattern begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// the folder of the work
    Work,
    /// the user's home
    Home,
    /// the root of everything
    Root,
}

/// Whoever writes below these can make other programs run something.
const SETTINGS: &str = "\
     .bash_aliases .bash_login .bash_profile .bashrc .claude .claude.json .config .cargo .envrc .git .gitattributes .gitconfig .gitmodules .husky .idea .mcp.json \
     .npmrc .profile .ssh .tim .vimrc .vscode .yarnrc.yml .zlogin \
     .zprofile .zshenv .zshrc";

impl Pattern {
    /// Reads a pattern; an error says how many characters are before the place, and what is wrong.
    pub(super) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let (from, below) = match text {
            _ if text.starts_with("//") => (From::Root, text.trim_start_matches('/')),
            _ if text.starts_with("~/") => (From::Home, text.get(2..).unwrap_or_default()),
            _ if text.starts_with('/') => {
                let what = format!("write /{text} for a path from the root, or leave out the first `/`");
                return Err((0, what));
            }
            _ => (From::Work, text.strip_prefix("./").unwrap_or(text)),
        };
        let wrong =
            |letter: char| matches!(letter, '[' | ']' | '{' | '}' | '!' | '\\') || letter.is_control();
        if let Some(at) = text.chars().position(wrong) {
            return Err((at, "only `*`, `**` and `?` stand for something".to_owned()));
        }
        let mut names: Vec<_> =
            below.split('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect();
        if names.is_empty() {
            return Err((0, "no file is named".to_owned()));
        }
        if names.iter().any(|name| name == "..") {
            return Err((0, "a pattern cannot lead out by `..`".to_owned()));
        }
        // As in .gitignore: one name alone is meant wherever it stands.
        if from == From::Work
            && names.len() == 1
            && !text.contains('/')
            && names.iter().all(|name| name != "**")
        {
            names.insert(0, "**".to_owned());
        }
        Ok(Self { from, names })
    }

    /// Whether the file may be taken as covered by an allow rule: every doubt says no.
    pub(super) fn allows(&self, path: &str, place: &Place) -> bool {
        let is_literal = !path.split('/').any(|name| name == "..") && !path.contains(['{', '}']);
        let is_clear = is_literal && codec::text::visible(path) == path;
        let spelled = |name: &str| self.names.iter().any(|own| own == name);
        let guarded = |names: &[&str]| {
            names.iter().any(|name| {
                SETTINGS.split_whitespace().any(|own| own.eq_ignore_ascii_case(name)) && !spelled(name)
            })
        };
        is_clear && self.rest(path, place).is_some_and(|names| !guarded(&names) && self.fits(&names))
    }

    /// Whether a deny rule is about the file, or about a folder that it is in. Small letters and large ones are the same:
    /// on some systems they are.
    pub(super) fn denies(&self, path: &str, place: &Place) -> bool {
        let lower = |text: &str| text.to_lowercase();
        let names = self.names.iter().map(|name| lower(name)).collect();
        let place = Place { root: lower(&place.root), home: place.home.as_deref().map(lower) };
        let own = Self { from: self.from, names };
        let path = lower(path);
        let rest = own.rest(&path, &place);
        rest.is_some_and(|names| {
            (1..=names.len()).any(|length| own.fits(names.get(..length).unwrap_or_default()))
        })
    }

    /// The names of a path behind the place where the pattern begins, if it is there.
    fn rest<'a>(&self, path: &'a str, place: &'a Place) -> Option<Vec<&'a str>> {
        let start = match self.from {
            From::Work if place.root.is_empty() => return None,
            From::Work => place.root.as_str(),
            From::Home => place.home.as_deref()?,
            From::Root => "/",
        };
        let names = match path.strip_prefix("~/") {
            Some(below) => resolved(&[place.home.as_deref()?, below]),
            None if path.starts_with('/') => resolved(&[path]),
            None => resolved(&[&place.root, path]),
        };
        let start = resolved(&[start]);
        names.strip_prefix(start.as_slice()).map(<[&str]>::to_vec)
    }

    fn fits(&self, names: &[&str]) -> bool {
        let letters = |own: &String| own.chars().collect::<Vec<_>>();
        fits(
            &self.names,
            names.iter(),
            |own| own == "**",
            |own, name| {
                fits(
                    &letters(own),
                    name.chars(),
                    |sign| *sign == '*',
                    |sign, letter| *sign == '?' || sign == letter,
                )
            },
        )
    }
}

/// Whether the items are what the signs say, one sign for one item, or any number of items for a sign that is `any`.
/// Remembers which signs may come next, so that it takes at most the product of both lengths.
fn fits<S, I>(
    signs: &[S],
    items: impl Iterator<Item = I>,
    any: impl Fn(&S) -> bool,
    is: impl Fn(&S, &I) -> bool,
) -> bool {
    let mut reached = vec![false; signs.len() + 1];
    reach(&mut reached, 0);
    skip(signs, &mut reached, &any);
    for item in items {
        let mut next = vec![false; reached.len()];
        for ((sign, is_here), at) in signs.iter().zip(&reached).zip(0..) {
            if *is_here && any(sign) {
                reach(&mut next, at);
            } else if *is_here && is(sign, &item) {
                reach(&mut next, at + 1);
            }
        }
        reached = next;
        skip(signs, &mut reached, &any);
    }
    reached.last().copied().unwrap_or_default()
}

/// A sign for any number of items may stand for none.
fn skip<S>(signs: &[S], reached: &mut [bool], any: impl Fn(&S) -> bool) {
    for (sign, at) in signs.iter().zip(0..) {
        if any(sign) && reached.get(at) == Some(&true) {
            reach(reached, at + 1);
        }
    }
}

fn reach(reached: &mut [bool], at: usize) {
    if let Some(slot) = reached.get_mut(at) {
        *slot = true;
    }
}

/// The names of a path without `.`, `..` and empty ones.
fn resolved<'a>(pieces: &[&'a str]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for name in pieces.iter().flat_map(|piece| piece.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            _ => names.push(name),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place { root: "/proj/app".to_owned(), home: Some("/home/me".to_owned()) }
    }

    fn allows(pattern: &str, path: &str) -> bool {
        Pattern::parse(pattern).unwrap().allows(path, &place())
    }

    fn denies(pattern: &str, path: &str) -> bool {
        Pattern::parse(pattern).unwrap().denies(path, &place())
    }

    #[test]
    fn patterns_begin_at_the_work_the_home_or_the_root() {
        for (pattern, path) in [
            ("src/**", "/proj/app/src/a/b.rs"),
            ("src/**", "src/a.rs"),
            ("./src/**", "./src//a.rs"),
            ("src/*.rs", "/proj/app/src/a.rs"),
            ("**/*.md", "/proj/app/a/b/c.md"),
            ("**/*.md", "c.md"),
            ("**", "/proj/app/x"),
            ("//etc/**", "/etc/hosts"),
            ("~/notes/*", "/home/me/notes/a"),
            ("~/notes/*", "~/notes/a"),
            ("*.rs", "/proj/app/deep/er/a.rs"),
            ("a?.txt", "ab.txt"),
            ("src/**", "src"),
        ] {
            assert!(allows(pattern, path), "{pattern} {path}");
            assert!(denies(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn a_path_that_is_elsewhere_or_only_looks_alike_is_not_covered() {
        for (pattern, path) in [
            ("src/**", "/proj/app/srcx/a.rs"),
            ("src/**", "/proj/app2/src/a.rs"),
            ("src/**", "/src/a.rs"),
            ("src/*.rs", "src/a/b.rs"),
            ("src/*.rs", "src/a.rss"),
            ("//etc/**", "/proj/app/etc/hosts"),
            ("~/x", "/home/you/x"),
            ("**", "/etc/passwd"),
            ("a?.txt", "a.txt"),
            ("*.rs", "/tmp/a.rs"),
        ] {
            assert!(!allows(pattern, path) && !denies(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn one_name_alone_is_meant_wherever_it_stands_and_a_path_only_where_it_says() {
        assert!(allows("a.rs", "deep/a.rs") && denies("a.rs", "deep/a.rs"));
        for (pattern, path) in [
            ("./a.rs", "deep/a.rs"),
            ("src/a.rs", "deep/src/a.rs"),
            ("~/a.rs", "/home/me/deep/a.rs"),
            ("//a.rs", "/deep/a.rs"),
        ] {
            assert!(!allows(pattern, path) && !denies(pattern, path), "{pattern} {path}");
        }
        assert!(!allows("**", "a{b,c}") && denies("**", "a{b,c}"));
    }

    #[test]
    fn a_folder_that_is_denied_is_denied_with_all_that_is_in_it() {
        for (pattern, path) in
            [("secrets", "a/secrets/b/c"), ("secrets/", "secrets/b"), ("//etc/*", "/etc/a/b")]
        {
            assert!(denies(pattern, path) && !allows(pattern, path), "{pattern} {path}");
        }
        assert!(denies(".env", "a/.ENV") && !allows(".env", ".ENV"));
        assert!(!Pattern::parse("**").unwrap().denies("/x", &Place::default()));
    }

    #[test]
    fn whoever_leaves_by_dots_is_not_allowed_and_denied_where_that_leads() {
        assert!(!allows("src/**", "src/../src/a.rs"));
        assert!(!allows("**", "../app/a.rs"));
        assert!(denies("src/**", "lib/../src/a.rs"));
        assert!(denies("//etc/**", "../../etc/hosts"));
        assert!(!allows("**", "a\u{202e}b"));
    }

    #[test]
    fn the_settings_of_tools_are_covered_only_if_they_are_named() {
        for path in [
            ".git/hooks/pre-commit",
            "sub/.claude/settings.json",
            ".GIT/config",
            ".mcp.json",
            ".config/tim/rules.toml",
        ] {
            assert!(!allows("**", path), "{path}");
            assert!(denies("**", path), "{path}");
        }
        assert!(allows(".claude/**", ".claude/settings.json"));
        assert!(!allows(".claude/**", ".claude/.git/config"));
    }

    #[test]
    fn a_pattern_that_could_mean_something_else_is_an_error_with_its_place() {
        for (pattern, at) in [
            ("/etc/x", 0),
            ("", 0),
            ("src/[ab]", 4),
            ("a{b,c}", 1),
            ("!x", 0),
            ("a/../b", 0),
            ("//", 0),
            ("a\\*", 1),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap_err().0, at, "{pattern}");
        }
    }

    #[test]
    fn a_long_path_and_a_greedy_pattern_take_no_longer_than_their_product() {
        let pattern = Pattern::parse(&"**/a*a*a*a*b/".repeat(40)).unwrap();
        assert!(!pattern.denies(&"aaaaaaaaaaaaaaaaaaaaaaaaaaa/".repeat(200), &place()));
    }
}
