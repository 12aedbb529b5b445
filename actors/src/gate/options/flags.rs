//! Reads the options of a program against what is known of it.
//!
//! Owns how options are written: clusters of letters, long names that may be cut short, `-name` in one word, values
//! behind them. In doubt an option counts as risky. Values are not told apart from options: a value that looks like a
//! risky option asks once too often.

mod listed;

use super::{Risk, base_name};
use crate::gate::lists;
use crate::gate::shell::Word;
use listed::{Cut, Listed};

/// What is known of a program's options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flags {
    style: Style,
    /// the options, and words without a dash, that run or write; or, if `Only`, those that do not
    listed: &'static str,
    /// letters of options whose value may stand behind them in the same word, or is the next word
    values: &'static str,
    /// the commands of the program that neither run nor write by themselves; empty if it has none
    commands: &'static str,
    /// options before the command whose value is the next word
    before: &'static str,
    operands: Operands,
    /// whether a long option may be cut short
    cut: Cut,
    /// one of these options must be there, else it writes
    needs: &'static str,
    /// letters of options whose value stands behind them in the same word, and never is the next word
    attached: &'static str,
    /// whether options end where operands begin
    options_first: bool,
    /// whether `-name` and `---name` are `--name`, cut short or not, and words behind `--` are not its own
    is_loose: bool,
}

/// How a program's options are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `-abc`, `--long`, `--lo`, `--long=value`
    Getopt,
    /// the same, but what is listed is harmless and everything else is not
    Only,
    /// `-name`, `--name`, `name`: one word each
    Words,
    /// whatever begins so
    Starts,
}

/// What operands do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operands {
    Harmless,
    /// those behind the first so many are written to
    AtMost(usize),
    /// they are harmless if they begin so
    Starting(&'static str),
    /// the first says where something runs
    FirstRuns,
}

/// Options of many programs that have no value and do nothing but talk.
const ALONE: &str = "-q --quiet --silent --verbose --version --help --no-color --no-pager";

/// Alone these only tell something.
const ONLY_ASK: &str = "-v -V --version -h --help";

/// Programs that run or install something if they are told nothing.
const RUNS_ALONE: &str = "bundle bundler rake yarn";

/// What is written there is shown or thrown away.
const SINKS: &str = "/dev/null /dev/stderr /dev/stdout";

impl Flags {
    const fn new(style: Style, listed: &'static str) -> Self {
        let (operands, cut) = (Operands::Harmless, Cut::May);
        Self {
            style,
            listed,
            values: "",
            commands: "",
            before: "",
            operands,
            cut,
            needs: "",
            attached: "",
            options_first: false,
            is_loose: false,
        }
    }

    /// These options run or write.
    pub(super) const fn risky(listed: &'static str) -> Self {
        Self::new(Style::Getopt, listed)
    }

    /// All options but these may run or write.
    pub(super) const fn only(listed: &'static str) -> Self {
        Self::new(Style::Only, listed)
    }

    /// These words run or write, with one dash, two or none.
    pub(super) const fn words(listed: &'static str) -> Self {
        Self::new(Style::Words, listed)
    }

    /// Words that begin so run or write.
    pub(super) const fn starts(listed: &'static str) -> Self {
        Self::new(Style::Starts, listed)
    }

    pub(super) const fn values(self, values: &'static str) -> Self {
        Self { values, ..self }
    }

    pub(super) const fn commands(self, commands: &'static str) -> Self {
        Self { commands, ..self }
    }

    pub(super) const fn before(self, before: &'static str) -> Self {
        Self { before, ..self }
    }

    pub(super) const fn attached(self, attached: &'static str) -> Self {
        Self { attached, ..self }
    }

    pub(super) const fn options_first(self) -> Self {
        Self { options_first: true, ..self }
    }

    pub(super) const fn loose(self) -> Self {
        Self { is_loose: true, ..self }
    }

    /// Its long options are written out.
    pub(super) const fn uncut(self) -> Self {
        Self { cut: Cut::MayNot, ..self }
    }

    pub(super) const fn at_most(self, operands: usize) -> Self {
        Self { operands: Operands::AtMost(operands), ..self }
    }

    pub(super) const fn operands_start(self, with: &'static str) -> Self {
        Self { operands: Operands::Starting(with), ..self }
    }

    pub(super) const fn first_runs(self) -> Self {
        Self { operands: Operands::FirstRuns, ..self }
    }

    pub(super) const fn needs(self, needs: &'static str) -> Self {
        Self { needs, ..self }
    }

    /// The words of a command that run or write.
    pub(super) fn risks<'w>(&self, words: &'w [Word]) -> Vec<Risk<'w>> {
        let listed = Listed::new(self.listed, self.values, self.attached);
        let behind = words.iter().position(|word| self.is_loose && word.text == "--").unwrap_or(words.len());
        let mut risks: Vec<_> = (1..behind).filter_map(|at| self.option(&listed, words, at)).collect();
        risks.extend(self.command(words));
        risks.extend(self.operand(words));
        risks.extend(self.missing(words));
        risks
    }

    fn option<'w>(&self, listed: &Listed, words: &'w [Word], at: usize) -> Option<Risk<'w>> {
        let word = words.get(at)?;
        let text = word.text.as_str();
        let is_risky = match self.style {
            Style::Getopt => {
                let is_meant = self.is_loose && listed.may_mean(name(text));
                is_meant || listed.has(text, self.cut) || self.cut == Cut::MayNot && sets_inside(text)
            }
            Style::Only => text.starts_with(['+', '@']) || is_option(text) && !listed.is_made_of(text),
            Style::Words => text.starts_with('@') || listed.has_name(name(text)),
            Style::Starts => self.listed.split_whitespace().any(|one| text.starts_with(one)),
        };
        let next = words.get(at + 1).map(|next| next.text.as_str());
        let is_risky = is_risky && !(self.style == Style::Getopt && listed.goes_nowhere(text, next));
        is_risky.then(|| Risk::of(at, word, "can run or write something"))
    }

    /// The command of a program that has several. Behind an option whose value may be the next word nobody knows which
    /// word that is.
    fn command<'w>(&self, words: &'w [Word]) -> Option<Risk<'w>> {
        if self.commands.is_empty() {
            return None;
        }
        if let [program] = words {
            let runs = lists(RUNS_ALONE, base_name(&program.text));
            return runs.then(|| Risk::of(super::WHOLE, program, "alone runs or installs something"));
        }
        let mut at = 1;
        let mut is_certain = true;
        while let Some(word) = words.get(at).filter(|word| is_option(&word.text)) {
            let is_valued = lists(self.before, &word.text);
            let is_whole = word.text.contains('=') && lists(self.before, name(&word.text));
            is_certain &= is_valued || is_whole || lists(ALONE, &word.text);
            at += if is_valued { 2 } else { 1 };
        }
        match words.get(at) {
            Some(word) if is_certain && lists(self.commands, &word.text) => None,
            Some(word) => Some(Risk::of(at, word, "is a command that can run or write something")),
            None if is_certain
                || words.len() == 2 && words.iter().skip(1).all(|word| lists(ONLY_ASK, &word.text)) =>
            {
                None
            }
            None => words.get(1).map(|word| Risk::of(1, word, "can run or write something")),
        }
    }

    fn operand<'w>(&self, words: &'w [Word]) -> Option<Risk<'w>> {
        let mut operands = self.operands_of(words).into_iter();
        let text = |at: &usize| words.get(*at).map_or("", |word| word.text.as_str());
        let (at, does) = match self.operands {
            Operands::Harmless => return None,
            Operands::AtMost(most) => {
                (operands.skip(most).find(|at| !lists(SINKS, text(at)))?, "is written to")
            }
            Operands::FirstRuns => {
                let host = operands.next()?;
                // The shell there reads the words anew.
                match operands.find(|at| text(at).contains(|sign: char| !is_plain(sign))) {
                    Some(_) => {
                        return Some(Risk::new(
                            super::WHOLE,
                            "the shell of the other machine reads its words anew",
                        ));
                    }
                    None => (host, "is where something runs"),
                }
            }
            Operands::Starting(with) => (operands.find(|at| !text(at).starts_with(with))?, "sets something"),
        };
        words.get(at).map(|word| Risk::of(at, word, does))
    }

    /// Where the operands are. A word behind an option that stands alone and has a value is that value; behind `--` all
    /// are operands.
    fn operands_of(&self, words: &[Word]) -> Vec<usize> {
        let (mut operands, mut at, mut is_behind) = (Vec::new(), 1, false);
        while let Some(word) = words.get(at) {
            let text = word.text.as_str();
            let takes = |letter: char| self.values.contains(letter) && text.chars().eq(['-', letter]);
            if is_behind || !is_option(text) {
                operands.push(at);
                is_behind |= self.options_first;
            } else if text == "--" {
                is_behind = true;
            } else if text.chars().next_back().is_some_and(takes) {
                at += 1;
            }
            at += 1;
        }
        operands
    }

    /// Without any of these options before its operands it writes.
    fn missing<'w>(&self, words: &'w [Word]) -> Option<Risk<'w>> {
        if self.needs.is_empty() {
            return None;
        }
        let needed = Listed::new(self.needs, self.values, "");
        let mut options = words.iter().skip(1).take_while(|word| is_option(&word.text) && word.text != "--");
        let is_there = options.any(|word| needed.has(&word.text, Cut::MayNot));
        let program = words.first().map(|word| base_name(&word.text)).unwrap_or_default();
        (!is_there)
            .then(|| Risk::new(super::WHOLE, format!("`{program}` without {} writes files", self.needs)))
    }
}

/// Whether a word is taken for an option.
pub(super) fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// An option without its value.
pub(super) fn name(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

/// Whether a sign means nothing to a shell.
fn is_plain(sign: char) -> bool {
    sign.is_alphanumeric() || "_-./:=@%+,".contains(sign)
}

/// A long option with a dot sets something inside of a setting.
fn sets_inside(word: &str) -> bool {
    word.starts_with("--") && name(word).contains('.')
}
