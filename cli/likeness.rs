//! Which of the words that there are somebody may have meant.
//!
//! Words in, a word out. Pure.

/// The word that is most like another, if one is: letters that are missing, too many, wrong or in the wrong order.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (letters, name) = known.into_iter().map(|name| (distance(word, name), name)).min()?;
    // Of a short word half of it would be another word.
    (letters <= 1 || letters == 2 && word.chars().count() > 4).then_some(name)
}

/// How many letters differ, two that changed places counting as one.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    let at = |rows: &[Vec<usize>], row: usize, column: usize| {
        rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(usize::MAX / 2)
    };
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, wanted) in other.iter().enumerate() {
            let changed = at(&rows, row, column) + usize::from(letter != wanted);
            let removed = at(&rows, row, column + 1) + 1;
            let added = next.last().copied().unwrap_or_default() + 1;
            let is_swapped = row > 0
                && column > 0
                && one.get(row - 1) == Some(wanted)
                && other.get(column - 1) == Some(letter);
            let swapped = if is_swapped { at(&rows, row - 1, column - 1) + 1 } else { usize::MAX };
            next.push(changed.min(removed).min(added).min(swapped));
        }
        rows.push(next);
    }
    at(&rows, one.len(), other.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_by_letters_that_are_missing_too_many_wrong_or_swapped() {
        for (one, other, differ) in [
            ("run", "run", 0),
            ("rnu", "run", 1),
            ("rn", "run", 1),
            ("runn", "run", 1),
            ("anwsre", "answer", 2),
            ("", "ps", 2),
        ] {
            assert_eq!(distance(one, other), differ, "{one} {other}");
        }
    }

    #[test]
    fn only_a_word_that_is_like_it_is_meant() {
        let known = ["run", "rules", "replay"];
        assert_eq!(nearest("rnu", known), Some("run"));
        assert_eq!(nearest("rulse", known), Some("rules"));
        assert_eq!(nearest("fix", known), None);
        assert_eq!(nearest("", known), None);
    }
}
