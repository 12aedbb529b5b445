//! `tim ps`: what runs.

use codec::control::Status;
use codec::json::{Json, ObjectWriter, Record as _};
use codec::text::escape_hidden;
use rustix::termios::tcgetwinsize;

use super::tree::{View, rows};
use super::{Failed, NONE, print, runs};
use crate::args::PsArgs;
use crate::clock::unix_ms;
use crate::environment::Environment;
use crate::exit::{self, Code};

/// As wide as a screen is if nobody knows better.
const COLUMNS: usize = 80;

/// Runs the command.
pub(crate) fn run(args: &PsArgs, environment: &Environment) -> Code {
    crate::on_one_thread(async {
        let found = runs(environment).await;
        if let (Some(message), true) = (&found.refused, found.runs.is_empty()) {
            return Failed { reason: "refused".to_owned(), message: message.clone() }.complain();
        }
        if found.silent > 0 {
            crate::warn(&format!("{} of the runs here did not answer within a second", found.silent));
        }
        let all: Vec<&Status<'_>> = found.runs.iter().map(|found| &found.status).collect();
        match () {
            () if args.json => print(&(in_json(&all) + "\n")),
            () if all.is_empty() && found.silent > 0 => exit::DISCONNECTED,
            () if all.is_empty() => print(&format!("{NONE}\n")),
            () => print(&(shown(&all, environment) + "\n")),
        }
    })
}

fn shown(all: &[&Status<'_>], environment: &Environment) -> String {
    let home = environment.home.as_ref().and_then(|home| home.to_str());
    let size = tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
    let columns = size.filter(|columns| *columns > 0).unwrap_or(COLUMNS);
    rows(all, &View { now_unix_ms: unix_ms(), home, columns }).join("\n")
}

fn in_json(all: &[&Status<'_>]) -> String {
    let one = |status: &&Status<'_>| {
        let mut text = String::new();
        ObjectWriter::object(&mut text, |out| status.members(out));
        text
    };
    let list = all.iter().map(one).collect::<Vec<_>>().join(",");
    let json = Json::object(|out| out.raw_member("\"runs\"", &format!("[{list}]")));
    escape_hidden(json.raw()).unwrap_or_else(|| json.raw().to_owned())
}
