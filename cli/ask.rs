//! `tim ask`: one question, one answer on stdout, one exit code.
//!
//! Asks through the tunnel if there is one, else at the terminal. Prints nothing on stdout but the answer.

use std::future::Future;
use std::io::{self, Write as _};
use std::time::Duration;

use actors::ask::{self, Client, NotAnswered, Person};
use codec::json::{Json, Text};
use codec::tunnel::{Choice, Scalar};

use crate::args::{AskArgs, Kind};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::signals::Signals;
use crate::terminal::{At, AtTheScreen, is_in_background};
use crate::tty::AtTheTerminal;
use crate::upward;

/// An answer, as it is printed.
struct Answer {
    text: String,
    json: String,
    /// whether it says no
    is_no: bool,
}

/// Runs the command.
pub(crate) fn run(args: &AskArgs, environment: &Environment) -> Code {
    if let Err(why) = check(args) {
        return crate::complain(&why, exit::USAGE);
    }
    crate::on_one_thread(async {
        match upward::client(environment, &args.label).await {
            Some(client) => elsewhere(args, client).await,
            None => at_the_terminal(args, environment).await,
        }
    })
}

/// What no question could be made of.
fn check(args: &AskArgs) -> Result<(), String> {
    let wants = matches!(args.kind, Kind::Select | Kind::Checkbox | Kind::Choice);
    match args.kind {
        _ if wants && args.choices.is_empty() => {
            Err("there is nothing to choose: give --choice NAME, once for each".to_owned())
        }
        Kind::Approval if !matches!(args.choices.len(), 0 | 2) => Err(
            "an approval has two choices, what approves and what rejects: give --choice twice, or not at all"
                .to_owned(),
        ),
        Kind::Confirm | Kind::Input | Kind::Text if !args.choices.is_empty() => {
            Err("this kind of question has no choices: leave out --choice, or ask `select`".to_owned())
        }
        Kind::Checkbox | Kind::Approval | Kind::Choice | Kind::Text if args.default.is_some() => {
            Err("this kind of question has no default: leave out --default".to_owned())
        }
        Kind::Confirm => yes_or_no(args.default.as_deref()).map(drop),
        Kind::Select => default_choice(args).map(drop),
        _ => Ok(()),
    }
}

fn yes_or_no(text: Option<&str>) -> Result<Option<bool>, String> {
    match text {
        None => Ok(None),
        Some("y" | "yes" | "true") => Ok(Some(true)),
        Some("n" | "no" | "false") => Ok(Some(false)),
        Some(other) => Err(format!("--default {other}: expected yes or no")),
    }
}

fn default_choice(args: &AskArgs) -> Result<Option<Scalar<'static>>, String> {
    let Some(default) = &args.default else { return Ok(None) };
    let is_it = |choice: &(String, String)| choice.0 == *default || choice.1 == *default;
    match args.choices.iter().map(|choice| split(choice)).find(is_it) {
        Some((_, value)) => Ok(Some(Scalar::Text(Text::new(&value)))),
        None => Err(format!("--default {default}: none of the choices: {}", args.choices.join(", "))),
    }
}

/// `NAME=VALUE`, or a name that is its own value.
fn split(choice: &str) -> (String, String) {
    match choice.split_once('=') {
        Some((name, value)) if !name.is_empty() => (name.to_owned(), value.to_owned()),
        _ => (choice.to_owned(), choice.to_owned()),
    }
}

fn choices(args: &AskArgs) -> Vec<Choice<'static>> {
    let choice =
        |(name, value): (String, String)| Choice::of(Text::new(&name), Scalar::Text(Text::new(&value)));
    args.choices.iter().map(|text| choice(split(text))).collect()
}

/// Asked through the tunnel. A signal takes the question back.
async fn elsewhere(args: &AskArgs, client: Client) -> Code {
    let mut signals = match Signals::catch() {
        Ok(signals) => signals,
        Err(error) => return crate::complain(&format!("cannot start: {error}"), exit::INTERNAL),
    };
    let answer = tokio::select! {
        answer = ask(args, &client) => Ok(answer),
        caught = signals.next() => Err(caught),
    };
    // If the parent does not take it now, it hears by the end of the connection that the question is taken back.
    let _ = tokio::time::timeout(LAST_WORDS, client.finish()).await;
    match answer {
        Ok(answer) => finish(args, answer),
        Err(caught) => Code::signal(caught.number),
    }
}

/// How long the parent may take to hear why a question was taken back.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// There is no way to a person.
const NOBODY: &str = "no one can answer here: no tunnel (TIM_OUTPUT_SOCKET) and no terminal; ask at a terminal, or set the \
    variable to the socket of a `tim serve`";

/// Asked here. A signal at one's own terminal declines.
async fn at_the_terminal(args: &AskArgs, environment: &Environment) -> Code {
    let mut signals = match Signals::catch() {
        Ok(signals) => signals,
        Err(error) => return crate::complain(&format!("cannot start: {error}"), exit::INTERNAL),
    };
    let (label, unusable) =
        (&args.label, |error| format!("the terminal cannot be used: {}", actors::system::says(&error)));
    let answer = match At::open(environment) {
        None if is_in_background() => Err(
            "no one can answer in the background: bring tim to the foreground (fg), or start it without &"
                .to_owned(),
        ),
        None => Err(NOBODY.to_owned()),
        Some(At::Screen(device)) => match AtTheScreen::new(device, environment, label) {
            Err(error) => Err(unusable(error)),
            Ok(person) => {
                let answer = here(args, &person, &mut signals).await;
                person.finish().await;
                Ok(answer)
            }
        },
        Some(At::Lines(tty)) => match AtTheTerminal::new(tty, label) {
            Err(error) => Err(unusable(error)),
            Ok(person) => {
                let answer = here(args, &person, &mut signals).await;
                person.finish();
                Ok(answer)
            }
        },
    };
    match answer {
        Ok(Ok(answer)) => finish(args, answer),
        Ok(Err(code)) => code,
        Err(why) => crate::complain(&why, exit::REFUSED),
    }
}

/// What the person says, or how a signal ends it.
async fn here(
    args: &AskArgs,
    person: &impl Person,
    signals: &mut Signals,
) -> Result<Result<Answer, NotAnswered>, Code> {
    tokio::select! {
        answer = ask(args, person) => Ok(answer),
        caught = signals.next() => match caught.name {
            "SIGINT" => Ok(Err(NotAnswered::Declined)),
            _ => Err(Code::signal(caught.number)),
        },
    }
}

/// Asks, in the words of the command line.
fn ask<'a>(
    args: &'a AskArgs,
    person: &'a impl Person,
) -> impl Future<Output = Result<Answer, NotAnswered>> + 'a {
    let (message, timeout) = (args.message.as_str(), args.timeout);
    async move {
        Ok(match args.kind {
            Kind::Confirm => {
                let default = yes_or_no(args.default.as_deref()).map_err(NotAnswered::Invalid)?;
                let yes = ask::prompt_confirm(person, message, default, timeout).await?;
                Answer { text: word(yes, "yes", "no"), json: yes.to_string(), is_no: !yes }
            }
            Kind::Select => {
                let default = default_choice(args).map_err(NotAnswered::Invalid)?;
                let chosen = ask::prompt_select(person, message, choices(args), default, timeout).await?;
                Answer { text: plain(&chosen), json: Json::written(&chosen).raw().to_owned(), is_no: false }
            }
            Kind::Input => said(&ask::prompt_input(person, message, args.default.as_deref(), timeout).await?),
            Kind::Checkbox => several(&ask::prompt_checkbox(person, message, choices(args), timeout).await?),
            Kind::Approval => {
                let names = <[Choice<'static>; 2]>::try_from(choices(args)).ok();
                let approved = ask::prompt_approval(person, message, names, timeout).await?;
                rejected_unless(approved.then(|| said("approve")))
            }
            Kind::Choice => {
                let number = ask::prompt_choice(person, message, choices(args), timeout).await?;
                let chosen = number.and_then(|number| Some((number, args.choices.get(number)?)));
                rejected_unless(chosen.map(|(number, text)| numbered(number, &split(text).1)))
            }
            Kind::Text => {
                rejected_unless(ask::prompt_text(person, message, timeout).await?.map(|text| said(&text)))
            }
        })
    }
}

fn word(is: bool, yes: &str, no: &str) -> String {
    if is { yes } else { no }.to_owned()
}

fn said(text: &str) -> Answer {
    Answer { text: text.to_owned(), json: Text::new(text).raw().to_owned(), is_no: false }
}

fn rejected_unless(answer: Option<Answer>) -> Answer {
    answer.unwrap_or_else(|| Answer { is_no: true, ..said("reject") })
}

fn several(chosen: &[Scalar<'_>]) -> Answer {
    let texts: Vec<String> = chosen.iter().map(plain).collect();
    let json: Vec<String> = chosen.iter().map(|value| Json::written(value).raw().to_owned()).collect();
    Answer { text: texts.join("\n"), json: format!("[{}]", json.join(",")), is_no: false }
}

fn numbered(number: usize, value: &str) -> Answer {
    let json = format!(r#"{{"index":{number},"value":{}}}"#, Text::new(value).raw());
    Answer { text: value.to_owned(), json, is_no: false }
}

/// A value as a script wants it: a text without its quotes.
fn plain(value: &Scalar<'_>) -> String {
    match value {
        Scalar::Text(text) => text.get().into_owned(),
        other => Json::written(other).raw().to_owned(),
    }
}

/// Prints the answer, or says why there is none.
fn finish(args: &AskArgs, answer: Result<Answer, NotAnswered>) -> Code {
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => return crate::complain(&why.to_string(), code_of(&why)),
    };
    let text = if args.json { &answer.json } else { &answer.text };
    let is_nothing = text.is_empty() && args.kind == Kind::Checkbox;
    match if is_nothing { Ok(()) } else { print(text) } {
        Err(error) => crate::output_failed(&error),
        Ok(()) if answer.is_no => exit::FAILED,
        Ok(()) => exit::SUCCESS,
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

const fn code_of(why: &NotAnswered) -> Code {
    match why {
        NotAnswered::TimedOut { .. } => exit::TIMED_OUT,
        NotAnswered::Disconnected => exit::DISCONNECTED,
        NotAnswered::Declined => exit::DECLINED,
        NotAnswered::Refused(_) => exit::REFUSED,
        NotAnswered::Invalid(_) => exit::USAGE,
    }
}
