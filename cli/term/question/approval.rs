//! Approve or reject, under the names that the asker gave both.
//!
//! Owns which key says which. Nothing is marked, and no Enter takes either.

use codec::json::Json;
use codec::tunnel::PromptConfig;

use super::super::keys::{Code, Key};
use super::super::style::{Row, Style};
use super::Effect;
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room, prose};
use super::reader::LOOK_FIRST;
use super::widget::{Asking, REJECT, Said, pressed};

#[derive(Debug)]
pub(super) struct Approval {
    said: Said,
    approve: String,
    reject: String,
    /// what yes is called, if the row of the keys has no room for it: it must be seen all the same
    whole: Option<String>,
}

/// Longer names are cut: they stand in the row of the keys.
const WIDEST_NAME: usize = 60;

impl Approval {
    pub(super) fn new(config: &PromptConfig<'_>) -> Self {
        let name = |name: &str| Row::foreign(Style::PLAIN, &name.replace('\n', " ")).fit(WIDEST_NAME).text();
        let (approve, reject) = match config.choices.as_deref() {
            Some([approve, reject, ..]) => (name(&approve.name.get()), name(&reject.name.get())),
            _ => ("Approve".to_owned(), "Reject".to_owned()),
        };
        let whole = config.choices.as_deref().and_then(<[_]>::first).map(|yes| yes.name.get().into_owned());
        let whole = whole.filter(|_| approve.ends_with('…'));
        Self { said: Said::by(config), approve, reject, whole }
    }
}

impl Asking for Approval {
    fn key(&mut self, key: Key, is_seen: bool) -> Effect {
        match pressed(key) {
            Some(Code::Char('a' | '1')) if !is_seen => Effect::hint(LOOK_FIRST),
            Some(Code::Char('a' | '1')) => Effect::Answer(Json::of("approve")),
            Some(Code::Char('r' | '2')) => Effect::Answer(Json::of(REJECT)),
            _ => Effect::hint("Answer with a or r"),
        }
    }

    fn needs_seen(&self) -> Option<&'static str> {
        Some("a")
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        let whole = self.whole.iter().flat_map(|name| prose(&format!("a: {name}"), Style::PLAIN, columns));
        self.said.rows(columns).into_iter().chain(whole).collect()
    }

    fn controls(&mut self, _: Room) -> Drawn {
        Drawn::default()
    }

    fn bindings(&self, is_seen: bool) -> Vec<Binding> {
        let approve = is_seen.then(|| Binding::new("[a]", &self.approve));
        let reject = Binding::new("[r]", &self.reject);
        approve.into_iter().chain([reject, Binding::extra("Esc", BACK_TO_LINE)]).collect()
    }

    fn gap(&self) -> usize {
        2
    }
}
