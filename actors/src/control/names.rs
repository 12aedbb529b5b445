//! Who is meant by a name. Pure.

/// Whoever has that path; if nobody has, whoever's path ends in that label. An `@` in front of it means nothing.
#[must_use]
pub fn called<'a, T>(name: &str, all: impl IntoIterator<Item = (&'a str, T)>) -> Vec<T> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let (mut exact, mut last) = (Vec::new(), Vec::new());
    for (path, who) in all {
        match () {
            () if path == name => exact.push(who),
            () if path.rsplit('/').next() == Some(name) => last.push(who),
            () => {}
        }
    }
    if exact.is_empty() { last } else { exact }
}

/// The name by which everybody is meant.
pub const ALL: &str = "all";

/// Whether everybody is meant.
#[must_use]
pub fn is_all(name: &str) -> bool {
    name.strip_prefix('@').unwrap_or(name) == ALL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Vec<&'static str> {
        let all = ["web", "api", "web/review", "api/review", "api/web"];
        called(name, all.map(|path| (path, path)))
    }

    #[test]
    fn a_path_means_itself_and_a_label_whoever_ends_in_it() {
        assert_eq!(found("web"), ["web"], "not also api/web");
        assert_eq!(found("@web/review"), ["web/review"]);
        assert_eq!(found("review"), ["web/review", "api/review"]);
        assert_eq!(found("rev"), Vec::<&str>::new());
        assert_eq!(found(""), Vec::<&str>::new());
        assert!(is_all("all") && is_all("@all") && !is_all("ALL"));
    }
}
