//! `tim emit`: reports of a script, to the person at the root or simply printed.

use std::io::{self, Write as _};

use actors::ask::{Client, NotAnswered, report_of};
use codec::frame::Frame;
use codec::json::Text;
use codec::limits::Limits;
use codec::tunnel::{Level, Log, Up};

use crate::args::{EmitArgs, EmitLevel};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::stdin::StdinLines;
use crate::upward;

/// Runs the command.
pub(crate) fn run(args: &EmitArgs, environment: &Environment) -> Code {
    crate::on_one_thread(async { emit(args, upward::client(environment, &args.label).await).await })
}

async fn emit(args: &EmitArgs, client: Option<Client>) -> Code {
    let to = Emitter { client, is_bad: false };
    let emitted = if args.jsonl { to.all_of_stdin().await } else { to.one(&line_of(args)).await };
    match emitted {
        Ok(code) => code,
        Err(Stopped::Output(error)) => crate::output_failed(&error),
        Err(Stopped::Input(error)) => {
            crate::complain(&actors::system::unreadable("stdin", &error), exit::FAILED)
        }
        Err(Stopped::Parent(why)) => crate::complain(&why.to_string(), exit::DISCONNECTED),
    }
}

/// Why it ended early.
enum Stopped {
    Input(io::Error),
    Output(io::Error),
    Parent(NotAnswered),
}

fn line_of(args: &EmitArgs) -> String {
    let level = match args.level {
        EmitLevel::Log => Level::Log,
        EmitLevel::Warn => Level::Warn,
        EmitLevel::Error => Level::Error,
        EmitLevel::Debug => Level::Debug,
    };
    Up::Log(level, Log::of(vec![Text::new(&args.text.join(" "))])).to_line()
}

/// Where reports go.
struct Emitter {
    client: Option<Client>,
    /// whether something could not be reported
    is_bad: bool,
}

impl Emitter {
    async fn one(mut self, line: &str) -> Result<Code, Stopped> {
        self.report(line, None).await?;
        self.finish().await
    }

    async fn all_of_stdin(mut self) -> Result<Code, Stopped> {
        let mut frames =
            StdinLines::new(Limits::STANDARD.tunnel_line).on_a_thread().map_err(Stopped::Input)?;
        let mut number = 0_u64;
        while let Some(frame) = frames.recv().await {
            number += 1;
            self.frame(&frame.map_err(Stopped::Input)?, number).await?;
        }
        self.finish().await
    }

    async fn frame(&mut self, frame: &Frame, number: u64) -> Result<(), Stopped> {
        match frame {
            Frame::Line(line) => match std::str::from_utf8(line) {
                Ok(line) => self.report(line, Some(number)).await,
                Err(_) => self.bad(Some(number), "not UTF-8"),
            },
            Frame::Oversized(_) | Frame::Torn { .. } => self.bad(Some(number), "longer than 8 MiB"),
        }
    }

    async fn report(&mut self, line: &str, number: Option<u64>) -> Result<(), Stopped> {
        let reported = match &self.client {
            Some(client) => client.report(line).await,
            None => return self.print(line, number),
        };
        match reported {
            Err(NotAnswered::Invalid(why)) => self.bad(number, &why),
            other => other.map_err(Stopped::Parent),
        }
    }

    /// Without a tunnel: what the person would see.
    fn print(&mut self, line: &str, number: Option<u64>) -> Result<(), Stopped> {
        let message = match report_of(line) {
            Ok(message) => message,
            Err(why) => return self.bad(number, &why.to_string()),
        };
        let is_trouble = matches!(message, Up::Log(Level::Warn | Level::Error, _));
        for row in crate::render::own_print(&message) {
            let printed =
                if is_trouble { writeln!(io::stderr(), "{row}") } else { writeln!(io::stdout(), "{row}") };
            printed.map_err(Stopped::Output)?;
        }
        Ok(())
    }

    fn bad(&mut self, number: Option<u64>, why: &str) -> Result<(), Stopped> {
        self.is_bad = true;
        let place = number.map(|number| format!("message {number}: ")).unwrap_or_default();
        crate::complain(&format!("{place}{why}"), exit::FAILED);
        Ok(())
    }

    async fn finish(self) -> Result<Code, Stopped> {
        if let Some(client) = self.client {
            client.finish().await.map_err(Stopped::Parent)?;
        }
        Ok(if self.is_bad { exit::FAILED } else { exit::SUCCESS })
    }
}
