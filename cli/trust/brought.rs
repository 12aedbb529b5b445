//! What one file brings, in words.
//!
//! Owns how it is counted, and how much of it is kept: a file may have a million entries, a screen has not. All of it is text
//! from outside: it is made visible here, row by row, and nothing else is done with it. Pure.

use std::fmt::Write as _;

use codec::text::visible;

/// A thing that makes something run, or allows something, without anybody being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Hook,
    AllowRule,
    Server,
    Mode,
    Folder,
    Command,
    Variable,
    Plugin,
    Switch,
}

impl What {
    const ALL: [Self; 9] = [
        Self::Hook,
        Self::AllowRule,
        Self::Server,
        Self::Mode,
        Self::Folder,
        Self::Command,
        Self::Variable,
        Self::Plugin,
        Self::Switch,
    ];

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Hook => ("hook", "hooks"),
            Self::AllowRule => ("allow rule", "allow rules"),
            Self::Server => ("MCP server", "MCP servers"),
            Self::Mode => ("permission mode", "permission modes"),
            Self::Folder => ("more folder", "more folders"),
            Self::Command => ("other command", "other commands"),
            Self::Variable => ("environment variable", "environment variables"),
            Self::Plugin => ("plugin", "plugins"),
            Self::Switch => ("switch by which less is asked", "switches by which less is asked"),
        }
    }

    fn counted(self, count: usize) -> String {
        let (one, many) = self.words();
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

/// What a file brings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Brought {
    counts: [usize; What::ALL.len()],
    /// why nobody can say what it brings
    unread: Option<String>,
    /// each thing, in a row
    details: Vec<String>,
    /// things that have no row any more
    left_out: usize,
    warnings: Vec<String>,
}

/// Rows of one file, and how long each may be.
const MOST_DETAILS: usize = 200;
const LONGEST_ROW: usize = 2_000;
const MOST_WARNINGS: usize = 5;

impl Brought {
    /// What nobody could look at may bring anything.
    pub(super) fn unread(why: &str) -> Self {
        Self { unread: Some(why.to_owned()), ..Self::default() }
    }

    /// It says something twice: nobody can say which counts.
    pub(super) fn is_ambiguous(&mut self) {
        self.unread = Some("says something twice, and only one of them counts".to_owned());
    }

    /// A part of it has more members than we read. Others read them.
    pub(super) fn is_too_large(&mut self) {
        self.unread = Some("has more levels or members than anybody reads".to_owned());
    }

    /// One thing more.
    pub(super) fn add(&mut self, what: What, detail: &str) {
        if let Some(count) = self.counts.get_mut(what as usize) {
            *count += 1;
        }
        if self.details.len() < MOST_DETAILS {
            self.details.push(format!("  {}  {}", what.words().0, cut(detail, LONGEST_ROW)));
        } else {
            self.left_out += 1;
        }
    }

    /// Something that is not as it should be.
    pub(super) fn warn(&mut self, why: &str) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(cut(why, LONGEST_WARNING));
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.unread.is_none() && self.counts.iter().all(|count| *count == 0)
    }

    pub(super) const fn is_unread(&self) -> bool {
        self.unread.is_some()
    }

    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// All of it in a few words: `2 hooks and 3 allow rules`.
    pub(super) fn words(&self) -> String {
        let counted = What::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0);
        let mut items: Vec<String> = counted.map(|(what, count)| what.counted(count)).collect();
        items.extend(self.unread.as_ref().map(|why| format!("what nobody looked at, because it {why}")));
        let last = items.pop().unwrap_or_default();
        if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
    }

    /// Each thing in a row of its own, below the name of the file.
    pub(super) fn details(&self, name: &str, to: &mut String) {
        // A text never fails to take more.
        let _ = writeln!(to, "{}", visible(name));
        for row in &self.details {
            let _ = writeln!(to, "{row}");
        }
        if self.left_out > 0 {
            let _ = writeln!(to, "  … and {} more: look at the file itself", self.left_out);
        }
        if let Some(why) = &self.unread {
            let _ = writeln!(to, "  it {why}: look at the file itself");
        }
    }
}

const LONGEST_WARNING: usize = 300;

/// A text in one row, of so many characters at the most.
pub(super) fn cut(text: &str, most: usize) -> String {
    // What is not shown need not be made visible: a text may have megabytes.
    let head: String = text.chars().take(most + 1).collect();
    let shown = visible(&head);
    if shown.chars().count() <= most && head.len() == text.len() {
        return shown.into_owned();
    }
    let mut shown: String = shown.chars().take(most).collect();
    shown.push('…');
    shown
}
