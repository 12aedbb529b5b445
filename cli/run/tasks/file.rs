//! A file of tasks: a paragraph each, or the boxes of a list that are not ticked. Pure.
//!
//! Owns what a task is in such a file, and how its box is ticked: in the text as it is by then, which others may have
//! changed meanwhile. Nothing else of the text changes.

/// A task as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) text: String,
    /// the line with its box, as it stands there
    pub(crate) line: Option<String>,
    /// which line of the file that was
    at: usize,
}

impl Listed {
    /// What was said elsewhere.
    pub(crate) fn said(text: &str) -> Self {
        Self { text: text.trim().to_owned(), line: None, at: 0 }
    }
}

/// The tasks of a file, in their order. A file in which some line has a box is a list of those.
pub(crate) fn read(text: &str) -> Vec<Listed> {
    let lines = Lines::of(text);
    if lines.boxes().next().is_some() { lines.open().collect() } else { lines.paragraphs() }
}

/// The lines of a file, each without its end.
struct Lines<'a> {
    all: Vec<&'a str>,
    /// which of them stand in a block of code, with the two that fence it
    is_code: Vec<bool>,
}

/// A line with a box.
struct Item<'a> {
    indent: usize,
    is_ticked: bool,
    /// where the character in the box stands
    at: usize,
    text: &'a str,
}

impl<'a> Item<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let indent = indent_of(line);
        let rest = behind_bullet(line.get(indent..)?)?;
        let inner = rest.trim_start_matches(' ').strip_prefix('[')?;
        let at = line.len() - inner.len();
        let mark = inner.chars().next().filter(|mark| matches!(mark, ' ' | 'x' | 'X'))?;
        let text = inner.get(1..)?.strip_prefix(']')?;
        let text = text.strip_prefix(' ').or(Some(text).filter(|text| text.is_empty()))?.trim();
        Some(Self { indent, is_ticked: mark != ' ', at, text })
    }
}

/// What stands behind the sign of a list: `-`, `*`, `+`, `1.`, `1)`.
fn behind_bullet(line: &str) -> Option<&str> {
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match line.len() - number.len() {
        0 => line.strip_prefix(['-', '*', '+']),
        _ => number.strip_prefix(['.', ')']),
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let all: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
        let mut fence = None;
        let is_code = all.iter().map(|line| is_code(line.trim_start(), &mut fence)).collect();
        Self { all, is_code }
    }

    /// The line of that number, if it has a box that says something. What is in a block of code is an example.
    fn item(&self, at: usize) -> Option<Item<'a>> {
        let line = self.all.get(at).filter(|_| self.is_code.get(at) == Some(&false))?;
        Item::read(line).filter(|item| !item.text.is_empty())
    }

    fn boxes(&self) -> impl Iterator<Item = (usize, Item<'a>)> {
        (0..self.all.len()).filter_map(|at| Some((at, self.item(at)?)))
    }

    /// The tasks of the boxes that are not ticked.
    fn open(&self) -> impl Iterator<Item = Listed> {
        self.boxes().filter(|(_, item)| !item.is_ticked).map(|(at, item)| self.listed(at, &item))
    }

    /// What stands further in below a box belongs to it.
    fn listed(&self, at: usize, item: &Item<'_>) -> Listed {
        let is_below = |more: &usize| {
            let line = self.all.get(*more).copied().unwrap_or_default();
            line.trim().is_empty() || indent_of(line) > item.indent && self.item(*more).is_none()
        };
        let below = (at + 1..self.all.len()).take_while(is_below);
        let below = below.filter_map(|more| self.all.get(more)).map(|line| line.trim());
        let text = [item.text].into_iter().chain(below).collect::<Vec<_>>().join("\n");
        let line = self.all.get(at).map(|line| (*line).to_owned());
        Listed { text: text.trim_end().to_owned(), line, at }
    }

    /// Headings, rules and empty boxes alone say nothing that is to be done.
    fn paragraphs(&self) -> Vec<Listed> {
        let lines: Vec<(&str, bool)> = self.all.iter().copied().zip(self.is_code.iter().copied()).collect();
        let is_work = |lines: &&[(&str, bool)]| lines.iter().any(|(line, _)| !is_heading(line));
        let paragraphs = lines.split(|(line, is_code)| line.trim().is_empty() && !is_code).filter(is_work);
        let text =
            |lines: &[(&str, bool)]| lines.iter().map(|(line, _)| *line).collect::<Vec<_>>().join("\n");
        paragraphs.map(|lines| Listed::said(&text(lines))).collect()
    }
}

/// Whether a line belongs to a block of code. A fence ends with the sign it began with.
fn is_code(line: &str, fence: &mut Option<&'static str>) -> bool {
    let found = ["```", "~~~"].into_iter().find(|sign| line.starts_with(sign));
    let was_code = fence.is_some();
    match (*fence, found) {
        (None, Some(sign)) => *fence = Some(sign),
        (Some(sign), Some(found)) if sign == found => *fence = None,
        _ => {}
    }
    was_code || found.is_some()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#')
        || line.is_empty()
        || line.len() >= 3 && line.chars().all(|letter| matches!(letter, '-' | '=' | '*' | '_'))
        || Item::read(line).is_some_and(|item| item.text.is_empty())
}

/// The text with the box of that task ticked. Of several lines that say the same it is the one with the same words below,
/// if somebody has changed those any of them; of several still, the one that is nearest to where it was. Nothing if there is no
/// such line any more that is not ticked.
pub(crate) fn ticked(text: &str, task: &Listed) -> Option<String> {
    let wanted = task.line.as_deref()?;
    let lines = Lines::of(text);
    let same = lines.open().filter(|found| found.line.as_deref() == Some(wanted));
    let found = same.min_by_key(|found| (found.text != task.text, found.at.abs_diff(task.at)))?;
    let start: usize = text.split_inclusive('\n').take(found.at).map(str::len).sum();
    // In the first line there may be a mark before all else.
    let before = if found.at == 0 { text.len() - text.trim_start_matches('\u{feff}').len() } else { 0 };
    let at = start + before + Item::read(wanted)?.at;
    Some(format!("{}x{}", text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        read(text).into_iter().map(|listed| listed.text).collect()
    }

    #[test]
    fn without_boxes_each_paragraph_is_a_task() {
        let text = "# To do\n\nadd retry\nto the client\n\n\n---\n\nsplit the tests\r\n";
        assert_eq!(texts(text), ["add retry\nto the client", "split the tests"]);
        assert!(texts("").is_empty() && texts("\n \n# only a heading\n").is_empty());
    }

    #[test]
    fn with_boxes_those_that_are_not_ticked_are_the_tasks() {
        let text = "# To do\n\nsome words\n- [x] done\n- [ ] add retry\n  to the client\n\n  with a test\n\n* [ ] split\n  - [ ] deeper\n  - [X] deeper done\nand words\n- [] none\n- [ ] \n";
        assert_eq!(texts(text), ["add retry\nto the client\n\nwith a test", "split", "deeper"]);
    }

    #[test]
    fn a_box_is_ticked_where_it_stands_by_then_and_nothing_else_changes() {
        let text = "new words\r\n- [x] a\r\n  - [ ] b\r\n- [ ] b\r\n";
        let ticked = |text: &str, line: &str| {
            let said = line.trim_start().trim_start_matches("- [ ] ").to_owned();
            let task = Listed { text: said, line: Some(line.to_owned()), at: 0 };
            ticked(text, &task)
        };
        assert_eq!(
            ticked(text, "- [ ] b").as_deref(),
            Some("new words\r\n- [x] a\r\n  - [ ] b\r\n- [x] b\r\n")
        );
        assert_eq!(
            ticked(text, "  - [ ] b").as_deref(),
            Some("new words\r\n- [x] a\r\n  - [x] b\r\n- [ ] b\r\n")
        );
        assert_eq!(ticked(text, "- [ ] gone"), None);
        assert_eq!(ticked("- [ ] b", "- [ ] b").as_deref(), Some("- [x] b"));
    }

    #[test]
    fn of_boxes_that_say_the_same_the_one_with_its_own_words_below_is_ticked() {
        let text = "- [ ] write tests\n  for the parser\n- [ ] write tests\n  for the client\n";
        let tasks = read(text);
        let second = "- [ ] write tests\n  for the parser\n- [x] write tests\n  for the client\n";
        assert_eq!(ticked(text, &tasks[1]).as_deref(), Some(second));
        assert_eq!(ticked(second, &tasks[0]).unwrap().matches("[x]").count(), 2);
        // Somebody has changed the words meanwhile, and somebody said the very same twice: the place tells.
        let edited = text.replace("client", "server");
        assert_eq!(ticked(&edited, &tasks[1]).unwrap(), second.replace("client", "server"));
        let twice = "# one\n- [ ] again\n# two\n- [ ] again\n";
        assert_eq!(ticked(twice, &read(twice)[1]).unwrap(), "# one\n- [ ] again\n# two\n- [x] again\n");
    }

    #[test]
    fn what_stands_in_a_block_of_code_is_an_example() {
        let text = "```md\n- [ ] not this\n~~~\n```\n1. [ ] this\n   ```\n   - [ ] with an example\n\n   ```\n2) [x] done\n";
        assert_eq!(texts(text), ["this\n```\n- [ ] with an example\n\n```"]);
        assert_eq!(
            texts("run this:\n```\na\n\nb\n```\n\nand that"),
            ["run this:\n```\na\n\nb\n```", "and that"]
        );
    }

    #[test]
    fn a_mark_at_the_beginning_and_a_box_that_says_nothing_are_no_task() {
        let text = "\u{feff}- [ ] one\n- [ ] \n- [ ]\n- []\n";
        assert_eq!(texts(text), ["one"]);
        assert_eq!(ticked(text, &read(text)[0]).unwrap(), text.replacen("[ ] one", "[x] one", 1));
        assert!(texts("- [ ] \n").is_empty() && texts("- [ ]").is_empty());
    }

    proptest! {
        /// One after the other, each box is ticked once, and then nothing is left to do.
        #[test]
        fn every_task_can_be_ticked_and_is_none_then(lines in prop::collection::vec("( {0,4}[-*+] {1,2}\\[[ xX]\\] [a-ü ]{0,6}|[a-z# ]{0,9})\r?", 0..12)) {
            let mut text = lines.join("\n");
            let boxes: Vec<Listed> = read(&text).into_iter().filter(|listed| listed.line.is_some()).collect();
            let mut left = boxes.len();
            for task in &boxes {
                let changed = ticked(&text, task).unwrap();
                prop_assert_eq!(changed.len(), text.len());
                text = changed;
                left -= 1;
                prop_assert_eq!(read(&text).iter().filter(|listed| listed.line.is_some()).count(), left);
            }
        }
    }
}
