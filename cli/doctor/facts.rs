//! What was found, as plain values: all that is judged.

use std::path::PathBuf;

use crate::config::attention;

/// What the configuration comes from.
#[derive(Debug, Clone, Default)]
pub(super) struct Configured {
    pub(super) files: Vec<PathBuf>,
    /// what of a project's files does not count, and what to do about it
    pub(super) held: Vec<(String, String)>,
}

/// All of it.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    /// where this program lies
    pub(super) own: Result<PathBuf, String>,
    pub(super) claude: Claude,
    pub(super) login: Login,
    pub(super) settings: Settings,
    /// the files of the configuration that are there
    pub(super) config: Result<Configured, String>,
    pub(super) rules: Result<Rules, String>,
    pub(super) terminal: Terminal,
    /// what calls a person who looks elsewhere, and whether the terminal takes more than a bell
    pub(super) attention: (attention::Settings, bool),
    pub(super) sockets: Sockets,
    pub(super) records: Records,
    /// where what is remembered from run to run lies; none without a home
    pub(super) state: Option<Folder>,
    pub(super) limits: Limits,
    /// whether processes can be known for sure by a handle; the error says why no guard can work
    pub(super) guard: Result<bool, String>,
    pub(super) above: Above,
}

/// The Claude Code that a run would start.
#[derive(Debug, Clone)]
pub(super) struct Claude {
    pub(super) program: PathBuf,
    pub(super) named_by: NamedBy,
    /// whether there is such a program
    pub(super) is_there: bool,
    /// what it says of its version, or why it says nothing
    pub(super) version: Result<String, String>,
}

/// Who says which Claude Code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedBy {
    Flag,
    Variable,
    Config,
    Nobody,
}

/// What Claude Code would log in with, by its looks.
#[derive(Debug, Clone, Default)]
pub(super) struct Login {
    /// a variable that is set
    pub(super) variable: Option<&'static str>,
    /// its settings name a command for that
    pub(super) has_helper: bool,
    /// the file of a login, and whether it is there
    pub(super) file: Option<(PathBuf, bool)>,
}

/// The settings that Claude Code reads here.
#[derive(Debug, Clone, Default)]
pub(super) struct Settings {
    pub(super) files: Vec<String>,
    /// what it ignores of them, in a sentence each
    pub(super) ignored: Vec<String>,
}

/// The rules of the user's file.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    pub(super) file: Option<PathBuf>,
    pub(super) allow: usize,
    pub(super) deny: usize,
    /// those that stand in the configuration
    pub(super) configured: usize,
}

/// The terminal of this process.
#[derive(Debug, Clone, Default)]
pub(super) struct Terminal {
    pub(super) tty: Tty,
    /// `TIM_NONINTERACTIVE`
    pub(super) is_unwanted: bool,
    pub(super) term: Option<String>,
    pub(super) has_colours: bool,
    /// the variable that counts for letters, with its value
    pub(super) locale: Option<(&'static str, String)>,
}

/// Whether there is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Tty {
    #[default]
    None,
    /// we are in the background
    Others,
    /// an agent started us: whoever made the terminal is no person
    Agents,
    /// with so many columns and rows
    Ours(u16, u16),
}

/// A folder, or the place of one.
#[derive(Debug, Clone, Default)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// owner and mode, if it is there
    pub(super) about: Option<(u32, u32)>,
    /// why nothing can be written there
    pub(super) wrong: Option<String>,
}

/// Where the sockets go.
#[derive(Debug, Clone)]
pub(super) struct Sockets {
    pub(super) folder: Folder,
    /// where they go if that path would be too long
    pub(super) instead: Option<PathBuf>,
    /// it is ours alone, and must be
    pub(super) is_private: bool,
    pub(super) own_user: u32,
}

/// Where the record of a run goes.
#[derive(Debug, Clone)]
pub(super) enum Records {
    Off,
    /// no home says where
    Nowhere {
        is_required: bool,
    },
    /// in a file by name, or in the folder of all runs
    In {
        folder: Folder,
        free: Option<u64>,
        kept: Option<(usize, u64)>,
        is_required: bool,
    },
}

/// What the system allows; none is no limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) files: Option<u64>,
    pub(super) processes: Option<u64>,
}

/// What is above this process.
#[derive(Debug, Clone, Default)]
pub(super) struct Above {
    /// `TIM_OUTPUT_SOCKET`, and whether somebody listens there
    pub(super) socket: Option<(PathBuf, bool)>,
    /// an agent's guard is above us
    pub(super) is_agents: bool,
}
