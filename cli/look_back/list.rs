//! `tim log`: which runs there were.

use std::time::Duration;

use actors::audit::{Audit, Outline};
use codec::json::{Json, Written as _};
use jiff::Zoned;

use super::table::{Cell, Column, rows};
use super::{Note, json, read, when, words};
use crate::duration;
use crate::render::figures;
use crate::retold::Look;
use crate::runs::RunFile;
use crate::term::style::Style;

/// A run, and what is known of it.
pub(super) struct Listed {
    pub(super) run: RunFile,
    pub(super) outline: Outline,
    pub(super) is_alive: bool,
}

/// Reads what one record says of its run.
pub(super) fn outline(run: RunFile) -> Result<(Listed, Vec<Note>), String> {
    let (mut audit, mut outline) = (Audit::new(), Outline::default());
    let unused = read::read(&run, |entry| {
        let decided = audit.hear(entry);
        outline.hear(entry, &decided);
        true
    })?;
    let notes = Note::of(&run, (&outline, audit.passed_over()), unused);
    let is_alive = outline.over.is_none() && super::is_alive(&run.path);
    Ok((Listed { run, outline, is_alive }, notes))
}

pub(super) fn to_json(all: &[Listed], total: usize) -> String {
    let runs: Vec<Json<'static>> = all
        .iter()
        .map(|one| json::run(&one.outline, &one.run.path.display().to_string(), one.is_alive))
        .collect();
    json::line(&Json::object(|out| {
        out.raw_member("\"runs\"", &json::list(&runs));
        out.member("total", |to| (total as u64).write(to));
    }))
}

pub(super) fn shown(all: &[Listed], total: usize, (look, now): (&Look, &Zoned)) -> Vec<String> {
    let Some(last) = all.last() else {
        return vec![match total {
            0 => "no runs yet: `tim run \"…\"` or `tim demo` makes the first one".to_owned(),
            _ => format!("none of {total} records can be read"),
        }];
    };
    let cells: Vec<Vec<Cell>> = all.iter().map(|one| one.cells(now)).collect();
    let mut rows = rows(&COLUMNS, &cells, look);
    let foot = format!(
        "{} of {total} · tim log {} tells one · tim log --since yesterday: who decided what",
        all.len(),
        last.run.short
    );
    rows.extend(look.dim(&foot));
    rows
}

const COLUMNS: [Column; 7] = [
    Column::left("when", 12),
    Column::left("run", 8),
    Column::wide("what"),
    Column::right("asked", 9),
    Column::right("took", 8),
    Column::right("cost", 8),
    Column::left("end", 13),
];

impl Listed {
    fn cells(&self, now: &Zoned) -> Vec<Cell> {
        let plain = |text: String| (Style::PLAIN, text);
        let outline = &self.outline;
        let seconds = outline.lasted_ms.div_ceil(1_000);
        let asked = outline.yes + outline.no + outline.undecided;
        vec![
            plain(when::shown(outline.started_unix_ms, now)),
            plain(self.run.short.clone()),
            plain(what(outline)),
            (Style::DIM, if asked > 0 { asked.to_string() } else { String::new() }),
            (Style::DIM, duration::written(Duration::from_secs(seconds))),
            (Style::DIM, outline.cost().filter(|cost| *cost > 0.0).map(figures::price).unwrap_or_default()),
            words::ended(outline.over.map(|over| over.code), self.is_alive),
        ]
    }
}

/// What a run was for; one of a parent says whose it was.
fn what(outline: &Outline) -> String {
    let prompt = outline.prompt.clone().unwrap_or_else(|| match outline.role {
        Some(codec::tunnel::Role::Serve) => "(tim serve)".to_owned(),
        _ => "(nothing was said)".to_owned(),
    });
    let prompt = match outline.agents.len() {
        0 | 1 => prompt,
        many => format!("{many} agents: {prompt}"),
    };
    outline.path.as_ref().map_or(prompt.clone(), |path| format!("{path} › {prompt}"))
}
