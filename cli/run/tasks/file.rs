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
///
/// # Errors
/// Names the line where a block of code begins that does not end: nobody knows whether the boxes behind it are meant.
pub(crate) fn read(text: &str) -> Result<Vec<Listed>, String> {
    let lines = Lines::of(text);
    if let Some(fence) = lines.endless.filter(|fence| lines.all.iter().skip(*fence).any(|line| is_box(line)))
    {
        return Err(format!("line {}: a block of code begins here and does not end; close it", fence + 1));
    }
    Ok(if lines.boxes().next().is_some() { lines.open().collect() } else { lines.paragraphs() })
}

fn is_box(line: &str) -> bool {
    Item::read(line).is_some()
}

/// The lines of a file, each without its end.
struct Lines<'a> {
    all: Vec<&'a str>,
    /// which of them stand in a block of code, with the two that fence it
    is_code: Vec<bool>,
    /// where a block of code begins that does not end
    endless: Option<usize>,
}

/// What a block of code begins with, and how often it stands there.
#[derive(Clone, Copy)]
struct Fence {
    sign: char,
    count: usize,
}

impl Fence {
    /// The fence that a line is, and what stands behind it.
    fn read(line: &str) -> Option<(Self, &str)> {
        let line = line.trim_start();
        let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let rest = line.trim_start_matches(sign);
        let count = line.len() - rest.len();
        (count >= 3).then_some((Self { sign, count }, rest))
    }

    /// Whether a line begins such a block: a word in backticks does not.
    fn opens(line: &str) -> Option<Self> {
        Self::read(line)
            .filter(|(fence, rest)| fence.sign != '`' || !rest.contains('`'))
            .map(|(fence, _)| fence)
    }

    /// Whether a line ends the block that this one began.
    fn is_closed_by(self, line: &str) -> bool {
        Self::read(line).is_some_and(|(fence, rest)| {
            fence.sign == self.sign && fence.count >= self.count && rest.trim().is_empty()
        })
    }
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
        let rest = behind_bullet(line.get(indent..)?)?.strip_prefix(BLANK)?;
        let inner = rest.trim_start_matches(BLANK).strip_prefix('[')?;
        let at = line.len() - inner.len();
        let mark = inner.chars().next().filter(|mark| matches!(mark, ' ' | 'x' | 'X'))?;
        let text = inner.get(1..)?.strip_prefix(']')?;
        let text = text.strip_prefix(BLANK).or(Some(text).filter(|text| text.is_empty()))?.trim();
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
    line.len() - line.trim_start_matches(BLANK).len()
}

const BLANK: [char; 2] = [' ', '\t'];

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let all: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
        let (mut fence, mut is_code): (Option<(usize, Fence)>, _) = (None, Vec::new());
        for (at, line) in all.iter().enumerate() {
            let begun = fence;
            fence = match begun {
                Some((_, open)) if open.is_closed_by(line) => None,
                Some(open) => Some(open),
                None => Fence::opens(line).map(|open| (at, open)),
            };
            is_code.push(begun.is_some() || fence.is_some());
        }
        Self { all, is_code, endless: fence.map(|(at, _)| at) }
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

fn is_heading(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#')
        || line.is_empty()
        || line.len() >= 3 && line.chars().all(|letter| matches!(letter, '-' | '=' | '*' | '_'))
        || Item::read(line).is_some_and(|item| item.text.is_empty())
}

/// What becomes of a text in which a box is ticked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ticked {
    /// this
    Now(String),
    /// nothing: somebody has done it
    Already,
}

/// Ticks the box of that task. Of several lines that say the same it is the one with the same words below, or if somebody has
/// changed those any of them; of several still, the one that is nearest to where it was. Nothing if there is none any more.
pub(crate) fn ticked(text: &str, task: &Listed) -> Option<Ticked> {
    let wanted = unmarked(task.line.as_deref()?)?;
    let lines = Lines::of(text);
    let same = lines
        .boxes()
        .filter(|(at, _)| lines.all.get(*at).and_then(|line| unmarked(line)).as_ref() == Some(&wanted));
    let distance =
        |(at, item): &(usize, Item<'_>)| (lines.listed(*at, item).text != task.text, at.abs_diff(task.at));
    let (line, item) = same.min_by_key(distance)?;
    if item.is_ticked {
        return Some(Ticked::Already);
    }
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    // In the first line there may be a mark before all else.
    let before = if line == 0 { text.len() - text.trim_start_matches('\u{feff}').len() } else { 0 };
    let at = start + before + item.at;
    Some(Ticked::Now(format!("{}x{}", text.get(..at)?, text.get(at + 1..)?)))
}

/// A line with a box, whether or not it is ticked.
fn unmarked(line: &str) -> Option<(&str, &str)> {
    let at = Item::read(line)?.at;
    Some((line.get(..at)?, line.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ticked as tick, *};

    /// The text with that box ticked.
    fn ticked(text: &str, task: &Listed) -> Option<String> {
        match tick(text, task)? {
            Ticked::Now(text) => Some(text),
            Ticked::Already => Some(text.to_owned()),
        }
    }

    fn texts(text: &str) -> Vec<String> {
        read(text).unwrap().into_iter().map(|listed| listed.text).collect()
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
        let tasks = read(text).unwrap();
        let second = "- [ ] write tests\n  for the parser\n- [x] write tests\n  for the client\n";
        assert_eq!(ticked(text, &tasks[1]).as_deref(), Some(second));
        assert_eq!(ticked(second, &tasks[0]).unwrap().matches("[x]").count(), 2);
        // Somebody has changed the words meanwhile, and somebody said the very same twice: the place tells.
        let edited = text.replace("client", "server");
        assert_eq!(ticked(&edited, &tasks[1]).unwrap(), second.replace("client", "server"));
        let twice = "# one\n- [ ] again\n# two\n- [ ] again\n";
        assert_eq!(
            ticked(twice, &read(twice).unwrap()[1]).unwrap(),
            "# one\n- [ ] again\n# two\n- [x] again\n"
        );
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
    fn a_block_of_code_ends_with_the_fence_it_began_with_and_a_word_in_backticks_begins_none() {
        let text = "````md\n```\n- [ ] example\n```\n````\n```inline``` words\n-\t[ ] one\n- [ ]\ttwo\n-[ ] no box\n";
        assert_eq!(texts(text), ["one", "two"]);
        let why = read("- [ ] one\n  ```\n- [ ] two\n").unwrap_err();
        assert_eq!(why, "line 2: a block of code begins here and does not end; close it");
        assert_eq!(texts("```\nno box behind it"), ["```\nno box behind it"]);
    }

    #[test]
    fn a_box_that_its_agent_has_ticked_itself_is_no_reason_to_tick_another() {
        let text = "- [ ] again\n- [ ] again\n";
        let tasks = read(text).unwrap();
        let by_agent = "- [x] again\n- [ ] again\n";
        assert_eq!(tick(by_agent, &tasks[0]), Some(Ticked::Already));
        assert_eq!(ticked(by_agent, &tasks[1]).unwrap(), "- [x] again\n- [x] again\n");
    }

    #[test]
    fn a_mark_at_the_beginning_and_a_box_that_says_nothing_are_no_task() {
        let text = "\u{feff}- [ ] one\n- [ ] \n- [ ]\n- []\n";
        assert_eq!(texts(text), ["one"]);
        assert_eq!(ticked(text, &read(text).unwrap()[0]).unwrap(), text.replacen("[ ] one", "[x] one", 1));
        assert!(texts("- [ ] \n").is_empty() && texts("- [ ]").is_empty());
    }

    proptest! {
        /// One after the other, each box is ticked once, and then nothing is left to do.
        #[test]
        fn every_task_can_be_ticked_and_is_none_then(lines in prop::collection::vec("( {0,4}[-*+] {1,2}\\[[ xX]\\] [a-ü ]{0,6}|[a-z# ]{0,9})\r?", 0..12)) {
            let mut text = lines.join("\n");
            let boxes: Vec<Listed> = read(&text).unwrap().into_iter().filter(|listed| listed.line.is_some()).collect();
            let mut left = boxes.len();
            for task in &boxes {
                let changed = ticked(&text, task).unwrap();
                prop_assert_eq!(changed.len(), text.len());
                text = changed;
                left -= 1;
                prop_assert_eq!(read(&text).unwrap().iter().filter(|listed| listed.line.is_some()).count(), left);
            }
        }
    }
}
