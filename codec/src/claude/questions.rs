//! AskUserQuestion: what is asked, and the input that goes back with the answers.
//!
//! Options are chosen by their number, so no label can be mistaken for another or for the wish to write freely.

use crate::id::RequestId;
use crate::json::{Fault, Json, Object, ObjectWriter, Record, Text, Wrong, object_of, record};

record! {
    /// The input of the tool.
    struct AskUserQuestion {
        questions: Vec<Question<'a>> = "questions",
    }

    /// One question.
    struct Question {
        question: Text<'a> = "question",
        options: Vec<QuestionOption<'a>> = "options",
    }
    lenient {
        header: Text<'a> = "header",
        multi_select: bool = "multiSelect",
    }

    /// One option.
    struct QuestionOption {
        label: Text<'a> = "label",
    }
    lenient {
        description: Text<'a> = "description",
        preview: Text<'a> = "preview",
    }
}

/// What a person chose for one question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// the numbers of the chosen options, from 0
    pub options: Vec<usize>,
    /// what they wrote themselves
    pub text: Option<String>,
}

/// The most questions, and the most options of each: the CLI itself asks no more than four of either.
const MOST: usize = 50;

impl<'a> AskUserQuestion<'a> {
    /// Reads the input of the tool. What cannot be answered is an error: it must be denied, not approved unseen.
    /// What stands where answers go is not the asker's to say: it is left out.
    pub fn read(input: Json<'a>) -> Result<Self, Wrong> {
        let mut input = Object::read(input)?;
        for name in ["answers", "response", "annotations"] {
            input.remove_all(name);
        }
        let asked = AskUserQuestion::from_object(input)?;
        check_count("questions", asked.questions.len(), "at least one question")?;
        for (at, question) in asked.questions.iter().enumerate() {
            check_count(&format!("questions[{at}].options"), question.options.len(), "at least one option")?;
        }
        Ok(asked)
    }

    /// The input with its answers, every other member kept. Answers stand under the exact question text; several
    /// are joined by a comma, what the person wrote comes last. Questions with the same text share one answer,
    /// because Claude can only look it up by that text: each one's answer is in it, in order.
    pub fn answered(&self, answers: &[Answer]) -> Result<Json<'static>, Wrong> {
        if answers.len() != self.questions.len() {
            return Err(Wrong::new("answers", Fault::TooFew { needed: "one answer for each question" }));
        }
        let mut said: Vec<(RequestId, Vec<String>)> = Vec::new();
        for (at, (question, answer)) in self.questions.iter().zip(answers).enumerate() {
            let words = question.words(answer).map_err(|wrong| wrong.within(&format!("answers[{at}]")))?;
            let key = RequestId::from_text(&question.question);
            match said.iter_mut().find(|(text, _)| *text == key) {
                Some((_, earlier)) => earlier.extend(words),
                None => said.push((key, words)),
            }
        }
        let input = object_of(|out| {
            self.members(out);
            out.member("answers", |text| {
                ObjectWriter::object(text, |answers| {
                    for (question, words) in &said {
                        answers.raw_member(question.raw(), Text::new(&words.join(", ")).raw());
                    }
                });
            });
        });
        Json::parse(&input).map(Json::into_owned).ok_or_else(|| Wrong::not_a("an object"))
    }
}

fn check_count(name: &str, count: usize, needed: &'static str) -> Result<(), Wrong> {
    match count {
        0 => Err(Wrong::new(name, Fault::TooFew { needed })),
        1..=MOST => Ok(()),
        _ => Err(Wrong::new(name, Fault::TooMany { limit: MOST })),
    }
}

impl Question<'_> {
    /// Whether more than one option may be chosen.
    #[must_use]
    pub fn is_multiple(&self) -> bool {
        self.multi_select == Some(true)
    }

    fn words(&self, answer: &Answer) -> Result<Vec<String>, Wrong> {
        let mut words = Vec::new();
        for (at, number) in answer.options.iter().enumerate() {
            let option =
                self.options.get(*number).ok_or_else(|| Wrong::not_a("an option of the question"))?;
            if answer.options.iter().take(at).any(|earlier| earlier == number) {
                return Err(Wrong::not_a("each option once"));
            }
            words.push(option.label.get().into_owned());
        }
        words.extend(answer.text.clone());
        match words.len() {
            0 => return Err(Wrong::new("", Fault::TooFew { needed: "an option or a text" })),
            1 => {}
            _ if self.is_multiple() => {}
            _ => return Err(Wrong::new("", Fault::TooMany { limit: 1 })),
        }
        if answer.text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return Err(Wrong::not_a("a text that says something"));
        }
        Ok(words)
    }
}

/// The answers in an input that was answered, in the order of the wire.
#[must_use]
pub fn answers_in(input: &Json<'_>) -> Vec<(String, String)> {
    let Ok(object) = Object::read(input.clone()) else { return Vec::new() };
    let Some(answers) = object.peek("answers").cloned().and_then(|answers| Object::read(answers).ok()) else {
        return Vec::new();
    };
    let words = |answer: &Json<'_>| {
        answer.as_text().map_or_else(|| answer.raw().to_owned(), |text| text.get().into_owned())
    };
    answers.iter().map(|(question, answer)| (question.into_owned(), words(answer))).collect()
}
