//! `tim log why KEY`: one decision explained.
//!
//! Owns the words of the explanation. What it says is on record; only what the rules say about it is judged again, by the
//! rules that were in force then.

use actors::audit::{By, Decision, Happened, Name, Outline, Own, Step, Why};
use actors::gate::Decision as Ruling;
use codec::json::{Json, Kind, Object, Text, Written as _};
use codec::text::visible_rows;
use codec::tunnel::Scope;
use jiff::Zoned;

use super::json::{self, Of};
use super::{Note, read, when, words};
use crate::args::WhyArgs;
use crate::environment::Environment;
use crate::retold::{Look, time};
use crate::term::style::{Row, Style};
use crate::term::wrap::{Breaks, Margin, fold};

/// Runs the command.
pub(super) fn run(args: &WhyArgs, environment: &Environment) -> Result<Vec<String>, String> {
    let (run, name) = meant(&args.key)?;
    let file = super::find(run, environment)?;
    let (mut why, mut outline) = (Why::of(name), Outline::default());
    let unused = read::read(&file, |entry| {
        why.hear(entry);
        outline.hear(entry, &[]);
        true
    })?;
    super::say(&Note::of(&file, (&outline, why.passed_over()), unused));
    why.end();
    let decision = why.decision.take().ok_or_else(|| {
        format!("run {run} has no {name}: `tim log {run} --decisions -n 0` lists what there is")
    })?;
    let now = Zoned::now();
    Ok(match args.json {
        true => vec![in_json(&why, &decision, &outline)],
        false => Told {
            why: &why,
            decision: &decision,
            outline: &outline,
            look: Look::of_stdout(environment),
            now: &now,
        }
        .rows(),
    })
}

/// `7f3c.p14`: the run, and which of its decisions.
fn meant(key: &str) -> Result<(&str, Name), String> {
    let parts = key.rsplit_once('.').and_then(|(run, name)| Some((run, Name::parse(name)?)));
    parts.ok_or_else(|| {
        format!("`{key}` is no key: write one as `tim log --decisions` shows it, such as 7f3c.p14 or 7f3c.t3")
    })
}

struct Told<'a> {
    why: &'a Why,
    decision: &'a Decision,
    outline: &'a Outline,
    look: Look,
    now: &'a Zoned,
}

/// As many rows of an input are shown; `--json` has all of it.
const MOST_ROWS: usize = 40;
/// As wide as it is where there is no terminal, and at least.
const COLUMNS: usize = 80;
const NARROWEST: usize = 30;

impl Told<'_> {
    fn rows(&self) -> Vec<String> {
        let mut rows = self.look.paint(&[self.look.cut(&Row::foreign(Style::BOLD, &self.head()))]);
        rows.extend(self.input());
        for (label, text) in self.facts() {
            let margin =
                Margin { first: Row::foreign(Style::DIM, &format!("  {label:<9}")), rest: Row::blanks(11) };
            let columns = self.look.columns.unwrap_or(COLUMNS).max(NARROWEST);
            let text = Row::foreign(Style::PLAIN, &text.replace('\n', " "));
            rows.extend(self.look.paint(&fold(&text, &margin, columns, Breaks::Words)));
        }
        rows
    }

    fn head(&self) -> String {
        let who = match &self.decision.agent {
            Some(agent) => format!("{} › {agent}", self.decision.path),
            None => self.decision.path.clone(),
        };
        let key = format!("{}.{}", self.outline.id, self.decision.name);
        match (&self.decision.tool, self.decision.name) {
            (Some(tool), Name::Use(_)) => {
                let used = if self.decision.by.allowed() == Some(true) { "used" } else { "wanted to use" };
                format!("{key}  {who} {used} {tool}, {}", self.unasked())
            }
            (Some(tool), Name::Question(_)) if tool != "AskUserQuestion" => {
                format!("{key}  {who} asked to use {tool}")
            }
            _ => format!("{key}  {who} asked"),
        }
    }

    /// Where something is missing nobody can say that nothing was asked.
    const fn unasked(&self) -> &'static str {
        if self.outline.lost > 0 { "and no question about it is on record" } else { "and nobody was asked" }
    }

    /// All that was asked, as far as it fits.
    fn input(&self) -> Vec<String> {
        let text = self.why.tool.as_ref().and_then(input_of).unwrap_or_else(|| self.decision.what.clone());
        let all: Vec<_> = visible_rows(&text).map(|row| format!("    {row}")).collect();
        let more = all.len().saturating_sub(MOST_ROWS);
        let mut rows: Vec<_> = all.into_iter().take(MOST_ROWS).collect();
        if more > 0 {
            rows.push(format!("    … {more} more rows, --json has them"));
        }
        rows
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        if let Some(reason) = &self.decision.reason {
            facts.push(("why", reason.clone()));
        }
        if let Some(folder) = &self.outline.folder {
            facts.push(("in", folder.clone()));
        }
        let at = self.outline.started_unix_ms.saturating_add(self.decision.asked_ms);
        let began = if matches!(self.decision.name, Name::Question(_)) { "asked" } else { "used" };
        facts.push((
            began,
            format!("{}, {} into the run", when::exact(at, self.now), time(self.decision.asked_ms)),
        ));
        facts.extend(self.ruled().map(|rules| ("rules", rules)));
        facts.extend(self.why.deadline_ms.map(|ms| ("limit", format!("it could wait {}", time(ms)))));
        facts.extend(self.why.steps.iter().filter_map(|step| Some(("", self.step(step)?))));
        facts.push(("decided", self.decided()));
        facts.extend(self.why.told.as_ref().and_then(|line| told_in(line)).map(|told| ("told", told)));
        facts
    }

    /// What the rules in force say.
    fn ruled(&self) -> Option<String> {
        let judged = self.why.judged.as_ref()?;
        let verdict = match judged.decision {
            Ruling::Allow => "allow it",
            Ruling::Ask => "leave it to a person",
            Ruling::Deny => "deny it",
        };
        Some(format!("{verdict}: {}", judged.why))
    }

    fn step(&self, step: &Step) -> Option<String> {
        let after = time(step.at_ms.saturating_sub(self.decision.asked_ms));
        let desk = &step.desk;
        Some(match &step.what {
            Happened::Offered => return None,
            Happened::Shown => format!("shown at {desk} after {after}"),
            Happened::Said(what) => format!("{desk} said after {after}: {what}"),
            Happened::GaveBack(why) if why.is_empty() => format!("{desk} gave it back after {after}"),
            Happened::GaveBack(why) => format!("{desk} gave it back after {after}: {why}"),
            Happened::Late => format!("{desk} answered after {after}, too late"),
        })
    }

    fn decided(&self) -> String {
        let after = time(self.decision.at_ms.saturating_sub(self.decision.asked_ms));
        let by = words::decided_by(self.decision);
        match &self.decision.by {
            By::Answered(answered) => {
                let kept = match answered.scope {
                    Scope::Once => String::new(),
                    _ => format!(", by {}", answered.rules.join(" and ")),
                };
                let said = answered.words.as_ref().map(|words| format!(": {words}")).unwrap_or_default();
                format!("{by}{kept}{said} (after {after})")
            }
            By::Agent { how, .. } => format!("{by}. {}", own(how)),
            By::Nobody { reason: Some(reason), .. } => format!("{by}: {reason} (after {after})"),
            By::Nobody { .. } | By::Declined(_) => format!("{by} (after {after})"),
            By::Open if matches!(self.decision.name, Name::Question(_)) => {
                "the record ends before that".to_owned()
            }
            By::Open => "the record has no result of it".to_owned(),
        }
    }
}

/// What that means, and what would change it.
const fn own(how: &Own) -> &'static str {
    match how {
        Own::Parts => {
            "The agent judged each part of the command: by its own rules, those that are built into it, or its permission mode. `tim run --deny RULE` keeps it from what they allow."
        }
        Own::Rule => {
            "The agent's own rules decided: those of its settings files and flags, and those that are built into it. `tim run --deny RULE` keeps it from what they allow."
        }
        Own::Mode => "The agent's permission mode decided (--permission-mode, or its settings).",
        Own::Hook => "A hook of the agent decided: see `hooks` in its settings files.",
        Own::Elsewhere => "The agent says that somebody was asked, but not through this run.",
        Own::Invalid => "There is no such tool, or it was called in a way that it cannot be: nothing ran.",
        Own::Other(_) => "That is the agent's own word for it.",
        Own::Unsaid => {
            "Such a tool needs no permission, or this version of the agent does not say who decided."
        }
    }
}

/// The input of a tool for people: a command as it is, else each member.
fn input_of(tool: &Json<'_>) -> Option<String> {
    let tool = Object::read(tool.clone()).ok()?;
    let input = Object::read(tool.peek("input")?.clone()).ok()?;
    let text = |json: &Json<'_>| {
        json.as_text().map_or_else(|| json.raw().to_owned(), |text| text.get().into_owned())
    };
    if let (Some(command), true) = (
        input.peek("command"),
        tool.peek("name").is_some_and(|name| name.as_text().is_some_and(|name| name.is("Bash"))),
    ) {
        return Some(text(command));
    }
    if let Some(questions) = input.peek("questions").and_then(Json::as_list) {
        return Some(questions.iter().filter_map(question_in).collect::<Vec<_>>().join("\n"));
    }
    Some(input.iter().map(|(name, value)| format!("{name}: {}", text(value))).collect::<Vec<_>>().join("\n"))
}

/// A question of the agent's own, and what there was to choose from.
fn question_in(json: &Json<'_>) -> Option<String> {
    let question = Object::read(json.clone()).ok()?;
    let text = |object: &Object<'_>, name: &str| Some(object.peek(name)?.as_text()?.get().into_owned());
    let options = question.peek("options").and_then(Json::as_list).unwrap_or_default();
    let labels = options.iter().filter_map(|option| text(&Object::read(option.clone()).ok()?, "label"));
    let labels: Vec<_> = labels.map(|label| format!("  - {label}")).collect();
    Some(std::iter::once(text(&question, "question")?).chain(labels).collect::<Vec<_>>().join("\n"))
}

/// What the asker was told, without what stands around it: to Claude Code in a reply within a reply, to others at once.
fn told_in(line: &str) -> Option<String> {
    let line = Object::parse(line).ok()?;
    let member = |object: &Object<'_>, name: &str| Some(object.peek(name)?.as_text()?.get().into_owned());
    if let Some(decision) = within(&line).as_ref().and_then(within) {
        return Some(with_words(&member(&decision, "behavior")?, member(&decision, "message")));
    }
    if let Some(approved) = line.peek("approved").and_then(Json::as_flag) {
        let word = if approved { "allow" } else { "deny" };
        return Some(with_words(word, member(&line, "message")));
    }
    let said =
        line.peek("value").or_else(|| line.peek("response")).filter(|value| value.kind() != Kind::Null);
    let said =
        said.map(|value| value.as_text().map_or(value.raw().to_owned(), |text| text.get().into_owned()));
    said.or_else(|| member(&line, "error")).or_else(|| member(&line, "outcome"))
}

fn within<'a>(reply: &Object<'a>) -> Option<Object<'a>> {
    Object::read(reply.peek("response")?.clone()).ok()
}

fn with_words(word: &str, words: Option<String>) -> String {
    words.map_or_else(|| word.to_owned(), |words| format!("{word}: {words}"))
}

fn in_json(why: &Why, decision: &Decision, outline: &Outline) -> String {
    let of = Of { run: &outline.id, started_unix_ms: outline.started_unix_ms };
    let steps: Vec<_> = why.steps.iter().map(step_json).collect();
    let optional = |json: &Option<Json<'static>>| json.clone().unwrap_or_else(Json::null);
    json::line(&Json::object(|out| {
        out.raw_member("\"decision\"", json::decision(of, decision).raw());
        out.member("request", |to| optional(&why.tool).write(to));
        out.member("config", |to| optional(&why.config).write(to));
        json::text(out, "folder", outline.folder.as_deref());
        json::text(out, "rules", why.judged.as_ref().map(|judged| judged.decision.word()));
        json::text(out, "rulesWhy", why.judged.as_ref().map(|judged| judged.why.as_str()));
        out.raw_member("\"deadlineMs\"", Json::of(&why.deadline_ms).raw());
        out.raw_member("\"steps\"", &json::list(&steps));
        json::text(out, "told", why.told.as_deref());
    }))
}

fn step_json(step: &Step) -> Json<'static> {
    let (what, words) = match &step.what {
        Happened::Offered => ("offered", None),
        Happened::Shown => ("shown", None),
        Happened::Said(words) => ("said", Some(words.as_str())),
        Happened::GaveBack(words) => ("gave_back", Some(words.as_str())),
        Happened::Late => ("late", None),
    };
    Json::object(|out| {
        out.member("atMs", |to| step.at_ms.write(to));
        json::text(out, "desk", Some(&step.desk));
        out.member("what", |to| Text::new(what).write(to));
        json::text(out, "words", words);
    })
}
