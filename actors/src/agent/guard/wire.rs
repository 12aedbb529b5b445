//! What tim and a guard say to each other: a line of text upwards, a single byte downwards. Pure.
//!
//! Both ends are the same program of the same version, so nothing here must be understood by anybody else.

use super::ending::Order;

/// How an agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// by itself, with this exit code
    Code(i32),
    /// by this signal
    Signal(i32),
    /// nobody knows: its guard was killed, and the agent after it
    Unknown,
}

impl Ended {
    /// The exit code that a shell would show for it.
    #[must_use]
    pub fn shell_code(self) -> u8 {
        let code = match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
            Self::Unknown => 128 + 9,
        };
        u8::try_from(code).unwrap_or(u8::MAX)
    }
}

/// What a guard says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// the agent runs, as this process that was started at this tick
    Started { pid: i32, start: u64 },
    /// it cannot be started: the number of the system's error
    Failed(i32),
    /// it has ended
    Ended(Ended),
}

impl Said {
    pub(crate) fn line(self) -> String {
        match self {
            Self::Started { pid, start } => format!("started {pid} {start}\n"),
            Self::Failed(error) => format!("failed {error}\n"),
            Self::Ended(Ended::Code(code)) => format!("code {code}\n"),
            Self::Ended(Ended::Signal(signal)) => format!("signal {signal}\n"),
            Self::Ended(Ended::Unknown) => "unknown\n".to_owned(),
        }
    }

    /// Understands a line, without its end.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        match *words.as_slice() {
            ["started", pid, start] => {
                Some(Self::Started { pid: pid.parse().ok()?, start: start.parse().ok()? })
            }
            ["failed", error] => error.parse().ok().map(Self::Failed),
            ["code", code] => code.parse().ok().map(Ended::Code).map(Self::Ended),
            ["signal", signal] => signal.parse().ok().map(Ended::Signal).map(Self::Ended),
            ["unknown"] => Some(Self::Ended(Ended::Unknown)),
            _ => None,
        }
    }
}

/// The first byte, which carries the agent's stdin with it.
pub(crate) const START: u8 = b's';

impl Order {
    pub(crate) fn byte(self) -> u8 {
        match self {
            Self::Terminate => b't',
            Self::Kill => b'k',
        }
    }

    /// What a byte wants. One that is not known ends the agent gently: better than an agent that nobody controls.
    pub(crate) fn of(byte: u8) -> Self {
        if byte == Self::Kill.byte() { Self::Kill } else { Self::Terminate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_said_is_understood() {
        for said in [
            Said::Started { pid: 7, start: u64::MAX },
            Said::Failed(2),
            Said::Ended(Ended::Code(77)),
            Said::Ended(Ended::Signal(9)),
            Said::Ended(Ended::Unknown),
        ] {
            assert_eq!(Said::read(said.line().trim_end()), Some(said));
        }
        for order in [Order::Terminate, Order::Kill] {
            assert_eq!(Order::of(order.byte()), order);
        }
    }

    #[test]
    fn anything_else_is_not() {
        for line in ["", "code", "code x", "code 1 2", "started 1", "signal 99999999999"] {
            assert_eq!(Said::read(line), None, "{line}");
        }
    }

    #[test]
    fn a_shell_would_show_the_code_or_the_signal() {
        assert_eq!([Ended::Code(0), Ended::Code(77), Ended::Code(255)].map(Ended::shell_code), [0, 77, 255]);
        assert_eq!([Ended::Signal(15), Ended::Unknown].map(Ended::shell_code), [143, 137]);
    }
}
