//! What the tasks of a run came to: for whoever reads stdout, and for the rows at the end.

use codec::json::{Json, Text, Written as _};
use rustix::fs::FileType;

use super::super::ending;
use super::super::outcome::for_stdout;
use super::super::part::Part;
use super::super::stage::Stage;
use super::{Batch, TaskEnd};
use crate::args::OutputFormat;
use crate::exit::Code;
use crate::render::batch::{Done, Summary};
use crate::render::ending::Ending;

impl Stage<'_> {
    /// The final text of a task, or what it came to, as soon as it is over.
    pub(super) fn print_result(&self, part: &Part, ending: &Ending, text: Option<&str>) {
        let printer = self.voice.printer();
        match self.job.format {
            OutputFormat::StreamJson => {
                let json = ending::to_json(&self.run.id, Some(&part.name()), ending, text);
                self.voice.print_line(json.raw());
            }
            OutputFormat::Json => {}
            OutputFormat::Text if self.is_told_already() || self.is_held() => {}
            OutputFormat::Text => {
                named(&part.name(), text).into_iter().for_each(|text| printer.print_data(text))
            }
        }
    }

    /// Whether what is for stdout must wait: nothing is written over a screen, and what goes into a pipe may come out there.
    fn is_held(&self) -> bool {
        let is_file = || {
            rustix::fs::fstat(std::io::stdout())
                .is_ok_and(|facts| FileType::from_raw_mode(facts.st_mode).is_file())
        };
        self.screen().is_some() && !is_file()
    }

    /// The final texts that could not be printed while there was a screen.
    pub(super) fn texts(&self, batch: &Batch) -> Option<String> {
        let is_left = self.is_held() && !self.is_told_already();
        let text = |result: &TaskEnd| named(&self.job.name_of(result.number), result.text.as_deref());
        is_left.then(|| batch.results.iter().filter_map(text).collect())
    }

    pub(super) fn summary<'b>(&'b self, batch: &'b Batch, code: Code) -> Summary<'b> {
        let of = |number: usize| batch.results.iter().find(|result| result.number == number);
        let has_names = self.job.are_named || self.job.at_once() > 1;
        let tasks = self.job.tasks.iter().enumerate().map(|(number, task)| Done {
            name: has_names.then(|| self.job.name_of(number)),
            text: task.prompt.text.as_deref().unwrap_or_default(),
            ending: of(number).map(|result| &result.ending),
        });
        let is_left = |number: usize| of(number).is_none_or(|result| !result.is_ticked);
        let unticked = self.job.tasks.iter().enumerate().filter(|(number, _)| is_left(*number));
        let mut again: Vec<(String, usize)> = Vec::new();
        for item in unticked.filter_map(|(_, task)| task.listed.as_ref()) {
            let file = item.file().display().to_string();
            match again.iter_mut().find(|(known, _)| *known == file) {
                Some((_, count)) => *count += 1,
                None => again.push((file, 1)),
            }
        }
        Summary { tasks: tasks.collect(), lasted: batch.began.elapsed(), exit: code.number(), again }
    }

    /// The one object at the end.
    pub(super) fn to_json(&self, batch: &Batch, summary: &Summary<'_>) -> Json<'static> {
        let tasks: Vec<Json<'static>> =
            (0..self.job.tasks.len()).map(|number| self.task_json(batch, number)).collect();
        let ms = u64::try_from(summary.lasted.as_millis()).unwrap_or(u64::MAX);
        Json::object(|out| {
            out.member("type", |to| Text::new("tim_batch").write(to));
            out.member("run", |to| Text::new(&self.run.id).write(to));
            out.member("exit_code", |to| u64::from(summary.exit).write(to));
            out.member("done", |to| (summary.done() as u64).write(to));
            out.member("duration_ms", |to| ms.write(to));
            if let Some(cost) = summary.cost() {
                out.raw_member("\"total_cost_usd\"", &cost.to_string());
            }
            out.member("tasks", |to| tasks.write(to));
        })
    }

    fn task_json(&self, batch: &Batch, number: usize) -> Json<'static> {
        let name = self.job.name_of(number);
        let text =
            self.job.tasks.get(number).and_then(|task| task.prompt.text.as_deref()).unwrap_or_default();
        let result = batch.results.iter().find(|result| result.number == number);
        Json::object(|out| {
            out.member("name", |to| Text::new(&name).write(to));
            out.member("task", |to| Text::new(text).write(to));
            out.member("ticked", |to| result.is_some_and(|result| result.is_ticked).write(to));
            match result {
                Some(TaskEnd { ending, text, .. }) => {
                    let json = ending::to_json(&self.run.id, Some(&name), ending, text.as_deref());
                    out.raw_member("\"result\"", json.raw());
                }
                None => out.raw_member("\"result\"", "null"),
            }
        })
    }
}

/// A final text behind the name of its agent, if there is one.
fn named(name: &str, text: Option<&str>) -> Option<String> {
    let text = text.filter(|text| !text.is_empty())?;
    Some(format!("==> {name} <==\n{}", for_stdout(text)))
}
