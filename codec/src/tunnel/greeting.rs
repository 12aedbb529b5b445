//! Hello and welcome: by these two lines a child and its parent know that both speak more than the original.

use crate::id::Path;
use crate::json::{Text, record, words};

words! {
    /// What a client is.
    Peer {
        /// a nested tim: only deny rules judge it
        Tim = "tim",
        /// the permission bridge of an agent: its owner's rules judge it
        Bridge = "bridge",
        /// a script that asks
        Script = "script",
    }

    /// What a server is.
    Role {
        /// it runs an agent: when it goes, nested runs end
        Run = "run",
        /// it only serves: when it goes, nested runs go on alone
        Serve = "serve",
    }
}

record! {
    /// child → parent, the first line: I speak more than the original.
    struct Hello {
        /// the version of the additions, 1
        tim: u64 = "tim",
        /// what the client says it is: see [`Hello::peer`]
        kind: Text<'a> = "as",
    }
    optional {
        /// how the child would like to be called, in any words
        label: Text<'a> = "label",
    }

    /// parent → child, in answer to hello.
    struct Welcome {
        /// the version of the additions, 1
        tim: u64 = "tim",
        role: Role = "role",
        /// the child's path, made unique
        path: Path = "path",
        /// whether somebody can be asked at all
        desk: bool = "desk",
    }

    /// parent → child: the last line before the parent closes the connection, and why it does.
    struct Goodbye {
        /// why, in one word
        reason: Text<'a> = "reason",
    }
    optional {
        /// why, in words for people
        message: Text<'a> = "message",
    }
}

impl Hello<'_> {
    /// What the client is. One that says something newer is treated as a script, which nothing is taken on trust from.
    #[must_use]
    pub fn peer(&self) -> Peer {
        Peer::from_word(&self.kind.get()).unwrap_or(Peer::Script)
    }
}
