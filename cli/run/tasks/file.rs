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
}

/// The tasks of a file, in their order. A file in which some line has a box is a list of those.
pub(crate) fn read(text: &str) -> Vec<Listed> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    if lines.iter().any(|line| Item::read(line).is_some()) { boxes(&lines) } else { paragraphs(&lines) }
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
        let rest = line.get(indent..)?.strip_prefix(['-', '*', '+'])?;
        let inner = rest.trim_start_matches(' ').strip_prefix('[')?;
        let at = line.len() - inner.len();
        let mark = inner.chars().next().filter(|mark| matches!(mark, ' ' | 'x' | 'X'))?;
        let text = inner.get(1..)?.strip_prefix("] ")?.trim();
        (!text.is_empty()).then_some(Self { indent, is_ticked: mark != ' ', at, text })
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// What stands further in below a box belongs to it.
fn boxes(lines: &[&str]) -> Vec<Listed> {
    let mut tasks = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(item) = Item::read(line).filter(|item| !item.is_ticked) else { continue };
        let below = lines.iter().skip(at + 1).take_while(|more| {
            more.trim().is_empty() || indent_of(more) > item.indent && Item::read(more).is_none()
        });
        let below: Vec<&str> = below.map(|more| more.trim()).collect();
        let text = [item.text].into_iter().chain(below).collect::<Vec<_>>().join("\n");
        tasks.push(Listed { text: text.trim_end().to_owned(), line: Some((*line).to_owned()) });
    }
    tasks
}

/// Headings and rules alone say nothing that is to be done.
fn paragraphs(lines: &[&str]) -> Vec<Listed> {
    let is_work = |lines: &&[&str]| lines.iter().any(|line| !is_heading(line));
    let paragraphs = lines.split(|line| line.trim().is_empty()).filter(is_work);
    paragraphs.map(|lines| Listed { text: lines.join("\n").trim().to_owned(), line: None }).collect()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#')
        || line.len() >= 3 && line.chars().all(|letter| matches!(letter, '-' | '=' | '*' | '_'))
}

/// The text with that box ticked. Nothing if there is no such line any more that is not.
pub(crate) fn ticked(text: &str, line: &str) -> Option<String> {
    let mut start = 0;
    for known in text.split_inclusive('\n') {
        if known.trim_end_matches(['\r', '\n']) == line {
            let at = start + Item::read(line)?.at;
            return Some(format!("{}x{}", text.get(..at)?, text.get(at + 1..)?));
        }
        start += known.len();
    }
    None
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

    proptest! {
        /// One after the other, each box is ticked once, and then nothing is left to do.
        #[test]
        fn every_task_can_be_ticked_and_is_none_then(lines in prop::collection::vec("( {0,4}[-*+] {1,2}\\[[ xX]\\] [a-ü ]{0,6}|[a-z# ]{0,9})\r?", 0..12)) {
            let mut text = lines.join("\n");
            let boxes: Vec<String> = read(&text).into_iter().filter_map(|listed| listed.line).collect();
            let mut left = boxes.len();
            for line in &boxes {
                let changed = ticked(&text, line).unwrap();
                prop_assert_eq!(changed.len(), text.len());
                text = changed;
                left -= 1;
                prop_assert_eq!(read(&text).iter().filter(|listed| listed.line.is_some()).count(), left);
            }
        }
    }
}
