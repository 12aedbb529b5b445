//! A turn for programs.

use codec::json::{Json, ObjectWriter, Text, Written as _};

use super::{LeftOut, Part, Turn, TurnEnd, TurnQuestion, TurnTool};

impl Turn {
    /// The turn as one object.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        Json::object(|out| {
            out.raw_member("\"type\"", "\"turn\"");
            out.member("number", |to| self.number.write(to));
            out.member("wire", |to| Text::new(&self.wire).write(to));
            out.member("beganMs", |to| self.began_ms.write(to));
            number(out, "endedMs", self.ended_ms);
            out.member("end", |to| Text::new(self.end.word()).write(to));
            if let TurnEnd::Failed(why) = &self.end {
                out.member("reason", |to| Text::new(why).write(to));
            }
            list(out, "said", self.said.iter().map(|said| Text::new(said).into_json()));
            out.member("text", |to| Text::new(&self.text).write(to));
            list(out, "tools", self.tools.iter().map(TurnTool::to_json));
            list(out, "questions", self.questions.iter().map(TurnQuestion::to_json));
            if !self.errors.is_empty() {
                list(out, "errors", self.errors.iter().map(|error| Text::new(error).into_json()));
            }
            if !self.noise.is_empty() {
                list(out, "noise", self.noise.iter().map(|line| Text::new(line).into_json()));
            }
            list(out, "course", self.course.iter().map(|part| part.to_json(&self.text)));
            if let Some(usage) = self.usage {
                out.member("usage", |to| to.push_str(used(usage).raw()));
            }
            if self.left_out != LeftOut::default() {
                out.member("leftOut", |to| to.push_str(self.left_out.to_json().raw()));
            }
        })
    }
}

impl Part {
    /// Which of the turn's lists, and which one there; of the text that piece of it.
    fn to_json(self, text: &str) -> Json<'static> {
        let (name, at) = match self {
            Part::Text(from, to) => {
                let piece = text.get(from..to).unwrap_or_default();
                return Json::object(|out| out.member("text", |to| Text::new(piece).write(to)));
            }
            Part::Said(at) => ("said", at),
            Part::Tool(at) => ("tool", at),
            Part::Question(at) => ("question", at),
            Part::Error(at) => ("error", at),
            Part::Noise(at) => ("noise", at),
        };
        Json::object(|out| out.member(name, |to| to.push_str(&at.to_string())))
    }
}

impl TurnEnd {
    /// The end in one word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            TurnEnd::Done => "done",
            TurnEnd::Failed(_) => "failed",
            TurnEnd::Rejected => "rejected",
            TurnEnd::Unfinished => "unfinished",
        }
    }
}

impl TurnTool {
    fn to_json(&self) -> Json<'static> {
        Json::object(|out| {
            out.member("name", |to| Text::new(&self.name).write(to));
            out.member("input", |to| Text::new(&self.input_summary).write(to));
            if let Some(failed) = self.failed {
                out.member("failed", |to| failed.write(to));
            }
        })
    }
}

impl TurnQuestion {
    fn to_json(&self) -> Json<'static> {
        Json::object(|out| {
            out.member("asked", |to| Text::new(&self.asked).write(to));
            if let Some(ended) = &self.ended {
                out.member("ended", |to| Text::new(ended).write(to));
            }
        })
    }
}

impl LeftOut {
    fn to_json(self) -> Json<'static> {
        Json::object(|out| {
            let counts = [("saidBytes", self.said), ("textBytes", self.text), ("tools", self.tools)];
            let more = [("questions", self.questions), ("errors", self.errors), ("noise", self.noise)];
            for (name, count) in counts.into_iter().chain(more) {
                number(out, name, Some(count).filter(|count| *count > 0));
            }
        })
    }
}

/// As agents tell it.
fn used((input, output): (u64, u64)) -> Json<'static> {
    Json::object(|out| {
        out.member("input_tokens", |to| input.write(to));
        out.member("output_tokens", |to| output.write(to));
    })
}

fn number(out: &mut ObjectWriter<'_>, name: &str, number: Option<u64>) {
    if let Some(number) = number {
        out.member(name, |to| number.write(to));
    }
}

fn list(out: &mut ObjectWriter<'_>, name: &str, items: impl Iterator<Item = Json<'static>>) {
    let items: Vec<_> = items.map(|item| item.raw().to_owned()).collect();
    out.member(name, |to| {
        to.push('[');
        to.push_str(&items.join(","));
        to.push(']');
    });
}
