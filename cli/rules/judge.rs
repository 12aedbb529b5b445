//! `tim rules test`: asks the gate what would become of one use of a tool.
//!
//! Owns which rules count, where the use is thought to happen, and how a word of the command line becomes the input of a
//! tool. Judges nothing itself and runs nothing.

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::tools::subject_member;
use actors::gate::{Decision, Gate, Judgement};
use codec::json::{Json, Kind, Text, Written as _};
use codec::text::is_printable;

use super::{explain, from_flags, lines, of_user, place, together};
use crate::args::{BASH, TestArgs};
use crate::config::{self, Flags};
use crate::environment::Environment;
use crate::exit::{self, Code};

/// Runs the command.
pub(super) fn run(args: &TestArgs, environment: &Environment) -> Code {
    let flags = match from_flags(&args.allow, &args.deny) {
        Ok(flags) => flags,
        Err(code) => return code,
    };
    let place = place(environment);
    if args.jsonl {
        return lines::run(&args.tool, &flags, &place);
    }
    let from_file = if args.no_file { Ok(RuleSet::default()) } else { written(environment) };
    match from_file {
        Ok(rules) => one(args, &Gate::new(together(rules, &flags), place)),
        Err(why) => {
            crate::warn(&why);
            crate::complain(
                "no rule of a file counts until that is mended; --no-file tests without them",
                exit::USAGE,
            )
        }
    }
}

/// The rules of the user's file for rules, and of the configuration.
fn written(environment: &Environment) -> Result<RuleSet, String> {
    let config = config::load(environment, Flags::default()).map_err(|error| error.to_string())?;
    config.warnings.iter().for_each(|warning| crate::warn(warning));
    Ok(together(of_user(environment)?, &config.rules))
}

fn one(args: &TestArgs, gate: &Gate) -> Code {
    let text = args.command.join(" ");
    let judgement = judged(gate, &args.tool, &text);
    let code = match judgement.decision {
        Decision::Allow => exit::SUCCESS,
        Decision::Ask => exit::FAILED,
        Decision::Deny => exit::DECLINED,
    };
    if args.json {
        return super::print(&[explain::json(&judgement)], code);
    }
    let offered = if args.tool == BASH { offered(&judgement, &text, gate) } else { Vec::new() };
    super::print(&explain::rows(&judgement, &offered), code)
}

/// What becomes of one use of a tool. A command is taken as it stands, also if it looks like JSON.
pub(super) fn judged(gate: &Gate, tool: &str, text: &str) -> Judgement {
    if tool == BASH { gate.judge_command(text) } else { gate.judge(tool, &input_of(tool, text)) }
}

/// The input that an agent would send: given as JSON, or made of the one thing that the tool is about.
fn input_of<'t>(tool: &str, text: &'t str) -> Json<'t> {
    let name = subject_member(tool).unwrap_or("input");
    match Json::parse(text) {
        Some(json) if json.kind() == Kind::Object => json,
        _ => Json::object(|out| out.member(name, |to| Text::new(text).write(to))),
    }
}

/// Rules that would allow what is asked now: one for each part that asks, and only if they do allow it together.
fn offered(judgement: &Judgement, command: &str, gate: &Gate) -> Vec<String> {
    if judgement.decision != Decision::Ask {
        return Vec::new();
    }
    let is_asked = |part: &str| {
        judgement.parts.iter().any(|found| found.decision == Decision::Ask && found.text == part)
    };
    let mut offers: Vec<String> = Vec::new();
    for offer in gate.suggest(command).into_iter().filter(|offer| is_asked(&offer.part)) {
        let preferred = offer.rules.into_iter().nth(offer.preferred).map(|suggestion| suggestion.rule);
        offers.extend(preferred.filter(|rule| !offers.contains(rule)));
    }
    let more = offers.iter().map(|rule| Rule::parse(rule)).collect::<Result<Vec<_>, _>>();
    let Ok(allow) = more else { return Vec::new() };
    let helps = gate.with(&allow).judge_command(command).decision == Decision::Allow;
    // What cannot be copied from the screen is not offered.
    let is_shown = offers.iter().all(|rule| rule.chars().all(is_printable));
    if helps && is_shown { offers } else { Vec::new() }
}
