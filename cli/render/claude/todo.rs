//! What the agent has set itself to do.
//!
//! Owns the list as it was told last. It is told when it changes, and of single tasks only the one that changed.

use std::collections::VecDeque;

use codec::json::Object;

use super::look;
use crate::render::page::{Line, Page};
use crate::render::structured::{CYAN, GREEN};
use crate::render::{Kind, figures};
use crate::term::style::Style;

/// So many tasks are known by their names.
const MOST: usize = 500;

/// The list.
#[derive(Debug, Default)]
pub(super) struct Todo {
    told: Vec<Item>,
    tasks: VecDeque<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    status: String,
    what: String,
}

impl Todo {
    /// The whole list, if it is another one than before.
    pub(super) fn list(&mut self, input: &Object<'_>) -> Option<Page> {
        let items: Vec<_> = look::each(input, "todos").iter().filter_map(Item::of).collect();
        if items == self.told {
            return None;
        }
        let done = items.iter().filter(|item| item.status == "completed").count();
        let count = format!("{} of {} done", figures::grouped(done), figures::grouped(items.len()));
        let head = Line::sign(GREEN, "● ").own(Style::PLAIN, "To do").right(figures::dim(Some(count)));
        let page = Page::of(Kind::Tool).line(head).lines(&items, |item| item.line(4));
        self.told = items;
        Some(page)
    }

    /// A single task that is new. Its number stands in what the tool gave.
    pub(super) fn created(
        &mut self,
        input: &Object<'_>,
        gave: Option<&Object<'_>>,
        text: &str,
    ) -> Option<Page> {
        let what = look::text(input, "subject").or_else(|| look::text(input, "description"))?;
        let told =
            gave.and_then(|gave| look::object(gave.peek("task"))).and_then(|task| look::text(&task, "id"));
        let number = told.or_else(|| Some(text.split_once('#')?.1.split_once(' ')?.0.to_owned()));
        self.tasks.extend(number.map(|number| (number, what.clone())));
        if self.tasks.len() > MOST {
            self.tasks.pop_front();
        }
        Some(Page::of(Kind::Tool).line(Item { status: "pending".to_owned(), what }.line(2)))
    }

    /// A single task that changed.
    pub(super) fn updated(&mut self, input: &Object<'_>) -> Option<Page> {
        let number = look::text(input, "taskId")?;
        let known = self.tasks.iter().find(|(task, _)| *task == number).map(|(_, what)| what.clone());
        let what = look::text(input, "subject").or(known).unwrap_or_else(|| format!("task {number}"));
        let status = look::text(input, "status")?;
        Some(Page::of(Kind::Tool).line(Item { status, what }.line(2)))
    }
}

impl Item {
    fn of(object: &Object<'_>) -> Option<Self> {
        let status = look::text(object, "status").unwrap_or_default();
        Some(Self { status, what: look::text(object, "content")? })
    }

    fn line(&self, indent: usize) -> Line {
        let (sign, style, text) = match self.status.as_str() {
            "completed" => ("[x] ", GREEN, Style::DIM),
            "in_progress" => ("[>] ", CYAN, Style::PLAIN),
            "deleted" | "cancelled" => ("[-] ", Style::DIM, Style::DIM),
            _ => ("[ ] ", Style::DIM, Style::DIM),
        };
        Line::marked(indent, style, sign).foreign(text, &self.what).wrapped()
    }
}
