//! The rules in force as the journal holds them, and back again for a replay. Reads no file; what it cannot read it names.

use codec::json::{Json, Object, Text};

use super::rules::{Rule, RuleSet};
use super::{Gate, Place};

impl Gate {
    /// The rules, and where they hold. Without rules that place is needed too: what is granted later holds there.
    pub(crate) fn to_record(&self) -> Option<Object<'static>> {
        if self.rules == RuleSet::default() && self.place == Place::default() {
            return None;
        }
        let mut record = Object::default();
        record.push("allow", texts(&self.rules.allow));
        record.push("deny", texts(&self.rules.deny));
        record.push("root", Text::new(&self.place.root).into_json());
        if let Some(home) = &self.place.home {
            record.push("home", Text::new(home).into_json());
        }
        Some(record)
    }

    /// The rules of a run that is on record, and those that are none any more, which count for nothing.
    pub(crate) fn from_record(record: &Object<'_>) -> (Self, Vec<String>) {
        let text = |name: &str| record.peek(name).and_then(Json::as_text).map(|text| text.get().into_owned());
        let mut lost = Vec::new();
        let mut rules = |name: &str| {
            let list = record.peek(name).and_then(Json::as_list).unwrap_or_default();
            let mut read = Vec::new();
            for text in list.iter().filter_map(Json::as_text) {
                match Rule::parse(&text.get()) {
                    Ok(rule) => read.push(rule),
                    Err(bad) => lost.push(format!("the rule {}: {bad}", text.get())),
                }
            }
            read
        };
        let (allow, deny) = (rules("allow"), rules("deny"));
        let place = Place { root: text("root").unwrap_or_default(), home: text("home") };
        (Self::new(RuleSet { allow, deny }, place), lost)
    }
}

fn texts(rules: &[Rule]) -> Json<'static> {
    let texts: Vec<_> = rules.iter().map(ToString::to_string).collect();
    Json::of(&texts)
}
