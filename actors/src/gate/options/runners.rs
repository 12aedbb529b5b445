//! Programs that run what they are given: interpreters, and wrappers around another command.
//!
//! What they run must be spelled out by the rule. Where that cannot be told from the words, only a rule for exactly this
//! command covers it.

use super::flags::is_option;
use super::{Known, Risk, WHOLE, base_name, known, risks as risks_of};
use crate::gate::shell::Word;
use crate::gate::{Place, lists};

pub(super) const INTERPRETERS: &str = "\
             ash bash bb bun bunx clj clojure csh dart dash deno elixir elvish erl escript expect fish \
             ghci groovy guile iex ipython irb java jbang jshell jruby julia kotlin ksh lua luajit mksh \
             node nodejs npx nu ocaml perl php pipx pnpx powershell pwsh pypy python pythonw R Rscript \
             racket rbash ruby runghc runhaskell sbcl scala sh stack swift tclsh tcsh ts-node tsx uvx \
             wish zsh";

pub(super) const WRAPPERS: &str = "\
             arch caffeinate catchsegv chronic dbus-run-session doas dumb-init eatmydata fakechroot \
             fakeroot firejail ifne ionice linux32 linux64 ltrace nice nocache nohup pkexec proxychains \
             proxychains4 rlwrap run0 setpriv setsid stdbuf strace sudo systemd-run time timeout tini \
             torify torsocks unbuffer unshare valgrind xvfb-run";

/// Interpreters that say their version and run nothing.
const VERSIONED: &str =
    "bash bun deno fish java julia node nodejs npx perl php pypy python python2 python3 ruby zsh";

/// Shells that only check the syntax with `-n`.
const CHECKING: &str = "ash bash dash ksh mksh rbash sh zsh";

/// Options without a value that do not change what runs.
const HARMLESS: &str = "-u -B -q -v -y --yes";

/// Options whose value is what runs.
const NAMES_A_PROGRAM: &str = "-m -c -e -jar --eval -p --print -r";

/// No word of it says what it does.
pub(super) fn only_whole(words: &[Word]) -> Vec<Risk<'_>> {
    words.first().map(|word| Risk::of(WHOLE, word, "takes commands of its own")).into_iter().collect()
}

/// A program in another language, or in the shell's.
pub(super) fn interpreter(words: &[Word]) -> Vec<Risk<'_>> {
    if runs_nothing(words) {
        return Vec::new();
    }
    let mut risks = Vec::new();
    let mut may_be_value = false;
    for (at, word) in words.iter().enumerate().skip(1) {
        let text = word.text.as_str();
        if lists(HARMLESS, text) {
            continue;
        }
        risks.push(Risk::of(at, word, "is, or says, what is run"));
        if text == "-" {
            risks.push(Risk::new(WHOLE, "the program comes from its input"));
        }
        if lists(NAMES_A_PROGRAM, text) {
            risks.extend(inner(words, at + 1));
            return risks;
        }
        match (is_option(text), may_be_value) {
            (true, _) => may_be_value = true,
            (false, true) => may_be_value = false,
            (false, false) => {
                risks.extend(inner(words, at));
                return risks;
            }
        }
    }
    risks.push(Risk::new(WHOLE, "the program may come from its input"));
    risks
}

/// Whether an interpreter only tells its version, or a shell only checks a script.
fn runs_nothing(words: &[Word]) -> bool {
    let name = words.first().map(|word| base_name(&word.text)).unwrap_or_default();
    match words {
        [_, option] => match option.text.as_str() {
            "--version" | "--help" => lists(VERSIONED, name),
            "-V" => name.starts_with("python"),
            "-v" => lists("node perl php ruby", name),
            _ => false,
        },
        [_, option, script] if !script.text.starts_with(['-', '+']) => match option.text.as_str() {
            "-n" => lists(CHECKING, name),
            "-l" => name == "php",
            "-c" => name == "ruby",
            "--check" => name == "node",
            _ => false,
        },
        _ => false,
    }
}

/// Programs that run another one behind one of their own commands; and how many words are before it.
const CARRIERS: [(&str, &str, usize); 4] = [
    ("npm pnpm yarn bundle", "exec", 2),
    ("uv poetry pdm hatch rye pipenv", "run", 2),
    ("rustup", "run", 3),
    ("yarn pnpm", "", 1),
];

/// What means something to those of them that take any program's name.
const OWN_COMMANDS: &str = "add audit bin config create dlx exec info init install link list login ls node pack publish \
             remove root run start t test up upgrade version why";

/// Where the command begins that such a program runs.
pub(super) fn carried(words: &[Word]) -> Option<usize> {
    let [program, command, ..] = words else { return None };
    let carries = |(names, own, _): &&(&str, &str, usize)| {
        let is_bare = own.is_empty() && known(&command.text).is_some() && !lists(OWN_COMMANDS, &command.text);
        lists(names, base_name(&program.text)) && (command.is(own) || is_bare)
    };
    let (.., begins) = CARRIERS.iter().find(carries)?;
    let begins = if words.get(*begins).is_some_and(|word| word.is("--")) { begins + 1 } else { *begins };
    (begins < words.len()).then_some(begins)
}

/// A command that another program carries. With options before it nobody can know where it begins.
pub(super) fn carrier(words: &[Word], begins: usize) -> Vec<Risk<'_>> {
    let mut risks = inner(words, begins);
    if let Some(option) = words.get(begins).filter(|word| is_option(&word.text)) {
        risks.push(Risk::of(WHOLE, option, "comes before the command that runs"));
    }
    risks
}

/// `command -v` only asks where a program is.
pub(super) fn command(words: &[Word]) -> Vec<Risk<'_>> {
    match words.get(1) {
        Some(option) if option.is("-v") || option.is("-V") => Vec::new(),
        _ => wrapper(words),
    }
}

/// Another command behind the wrapper's name. With options of the wrapper nobody can know where it begins.
pub(super) fn wrapper(words: &[Word]) -> Vec<Risk<'_>> {
    match words.get(1) {
        None => Vec::new(),
        _ if looked_through(words).len() < words.len() => {
            inner(words, words.len() - looked_through(words).len())
        }
        Some(option) if is_option(&option.text) => {
            vec![Risk::of(WHOLE, option, "comes before the command that runs")]
        }
        // sudo takes variables too.
        Some(_) => inner(words, words.iter().skip(1).take_while(|word| word.text.contains('=')).count() + 1),
    }
}

/// The command that begins at this word: its name must be spelled out, and what it runs by itself.
fn inner(words: &[Word], begins: usize) -> Vec<Risk<'_>> {
    let command = words.get(begins..).unwrap_or_default();
    let kind = |words: &[Word]| words.first().and_then(|word| known(base_name(&word.text)));
    if begins > 0 && carried(command).is_some() {
        return vec![Risk::new(WHOLE, "one program that runs another, inside of another")];
    }
    // It must not take longer the more there are: a wrapper stands first, an interpreter second at most.
    if let (_, Some(Known::Wrapper(_))) | (Some(Known::Interpreter), Some(Known::Interpreter)) =
        (kind(words), kind(command))
    {
        return vec![Risk::new(WHOLE, "one program that runs another, inside of another")];
    }
    let mut risks: Vec<_> = (1..=begins)
        .filter_map(|at| words.get(at).map(|word| Risk::of(at, word, "is part of what runs another command")))
        .collect();
    let own = risks_of(command, &Place::default());
    let shifted = |at: usize| if at < WHOLE { at + begins } else { at };
    risks.extend(own.into_iter().map(|risk| Risk { at: shifted(risk.at), ..risk }));
    risks
}

/// `env` alone tells the variables.
pub(super) fn env(words: &[Word]) -> Vec<Risk<'_>> {
    if words.len() == 1 { Vec::new() } else { wrapper(words) }
}

/// `xargs command`: what comes in becomes further words of the command.
pub(super) fn xargs(words: &[Word]) -> Vec<Risk<'_>> {
    const ALONE: &str = "-0 -r -t --null --no-run-if-empty --verbose";
    const WITH_VALUE: &str = "-n -P -L -I -d -s";
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| is_option(&word.text)) {
        let text = word.text.as_str();
        let is_glued = WITH_VALUE.split_whitespace().any(|option| text.starts_with(option) && text != option);
        at += match text {
            _ if lists(ALONE, text) || is_glued => 1,
            _ if lists(WITH_VALUE, text) => 2,
            _ => return vec![Risk::of(WHOLE, word, "comes before the command that runs")],
        };
    }
    let Some(program) = words.get(at) else { return Vec::new() };
    let mut risks = inner(words, at);
    if !matches!(known(base_name(&program.text)), Some(Known::Inert) | None) {
        risks.push(Risk::of(WHOLE, program, "gets further words, also options, from its input"));
    }
    risks
}

/// The command inside of `timeout N` and `nice -n N`.
pub(in crate::gate) fn looked_through(mut words: &[Word]) -> &[Word] {
    loop {
        words = match words {
            [wrapper, time, inner @ ..] if wrapper.is("timeout") && is_time(time) && !inner.is_empty() => {
                inner
            }
            [wrapper, option, steps, inner @ ..]
                if wrapper.is("nice") && option.is("-n") && is_number(steps) && !inner.is_empty() =>
            {
                inner
            }
            _ => return words,
        };
    }
}

fn is_time(word: &Word) -> bool {
    let number = word.text.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(&word.text);
    word.is(&word.text)
        && !number.is_empty()
        && number.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

fn is_number(word: &Word) -> bool {
    let digits = word.text.strip_prefix('-').unwrap_or(&word.text);
    word.is(&word.text) && !digits.is_empty() && digits.chars().all(|letter| letter.is_ascii_digit())
}
