//! The process tree of the original: recognised and checked, so that it can be relayed; tim keeps no such tree.

use crate::json::{
    Fault, Field, IntoOwned, Json, NotNull, Nullable, Object, ObjectWriter, Record, Text, Written, Wrong,
    record, words,
};

words! {
    /// What a process is.
    ProcessKind {
        Tim = "tim",
        Executor = "executor",
    }

    /// How a process can be ended.
    ProcessControl {
        Terminate = "terminate",
        End = "end",
        Both = "both",
    }

    /// Where a process is in its life.
    ProcessState {
        Starting = "starting",
        Running = "running",
        Exited = "exited",
        Orphaned = "orphaned",
    }

    /// What to do to an executor.
    ExecutorAction {
        Terminate = "terminate",
        End = "end",
    }

    /// What became of the request to end an executor.
    TerminateResult {
        Terminated = "terminated",
        Requested = "requested",
        AlreadyExited = "already_exited",
        NotOwned = "not_owned",
        NotExecutor = "not_executor",
        StaleTarget = "stale_target",
        UnknownProcessState = "unknown_process_state",
        SignalFailed = "signal_failed",
        UnknownExecutor = "unknown_executor",
        OwnerNotRegistered = "owner_not_registered",
        OwnerNotConnected = "owner_not_connected",
        SendFailed = "send_failed",
        RequestTimeout = "request_timeout",
        Ended = "ended",
        EndNotSupported = "end_not_supported",
        EndFailed = "end_failed",
    }
}

/// An opaque process id: a letter or digit, then up to 255 of letters, digits and `._:-`.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessId<'a>(Text<'a>);

impl<'a> Field<'a> for ProcessId<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let text = Text::read(json)?;
        let said = text.get();
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
        let shaped = said.len() <= 256
            && said.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
            && said.bytes().all(known);
        if shaped { Ok(Self(text)) } else { Err(Wrong::not_a("a process id")) }
    }
}

/// A text of `LEAST` to `MOST` UTF-16 units: the original counts those.
#[derive(Debug, Clone, PartialEq)]
pub struct TextOf<'a, const LEAST: usize, const MOST: usize>(Text<'a>);

impl<'a, const LEAST: usize, const MOST: usize> Field<'a> for TextOf<'a, LEAST, MOST> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let text = Text::read(json)?;
        match text.get().encode_utf16().count() {
            length if length > MOST => {
                Err(Wrong::new("", Fault::TooLong { limit: MOST, unit: "characters" }))
            }
            length if length < LEAST => Err(Wrong::not_a("a text that says something")),
            _ => Ok(Self(text)),
        }
    }
}

/// A text of up to `MOST` UTF-16 units that does not consist of blanks.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled<'a, const MOST: usize>(TextOf<'a, 1, MOST>);

impl<'a, const MOST: usize> Field<'a> for Filled<'a, MOST> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let text = TextOf::read(json)?;
        if text.0.get().trim().is_empty() {
            Err(Wrong::not_a("a text that says something"))
        } else {
            Ok(Self(text))
        }
    }
}

impl<const MOST: usize> Written for Filled<'_, MOST> {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl<const MOST: usize> IntoOwned for Filled<'_, MOST> {
    type Owned = Filled<'static, MOST>;

    fn into_owned(self) -> Self::Owned {
        Filled(self.0.into_owned())
    }
}

impl Written for ProcessId<'_> {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl IntoOwned for ProcessId<'_> {
    type Owned = ProcessId<'static>;

    fn into_owned(self) -> ProcessId<'static> {
        ProcessId(self.0.into_owned())
    }
}

impl<const LEAST: usize, const MOST: usize> Written for TextOf<'_, LEAST, MOST> {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl<const LEAST: usize, const MOST: usize> IntoOwned for TextOf<'_, LEAST, MOST> {
    type Owned = TextOf<'static, LEAST, MOST>;

    fn into_owned(self) -> Self::Owned {
        TextOf(self.0.into_owned())
    }
}

record! {
    /// A process begins.
    struct ProcessRegister {
        process_id: ProcessId<'a> = "processId",
        kind: ProcessKind = "kind",
        label: Filled<'a, 512> = "label",
    }
    optional {
        parent_process_id: NotNull<ProcessId<'a>> = "parentProcessId",
        owner_process_id: NotNull<ProcessId<'a>> = "ownerProcessId",
        control: NotNull<ProcessControl> = "control",
        thread_id: NotNull<Filled<'a, 512>> = "threadId",
        pid: NotNull<u64> = "pid",
        command: NotNull<TextOf<'a, 0, 65536>> = "command",
        start_identity: NotNull<TextOf<'a, 0, 2048>> = "startIdentity",
        started_at: NotNull<Filled<'a, 512>> = "startedAt",
        state: NotNull<ProcessState> = "state",
    }

    /// Something about a process changed; `null` clears.
    struct ProcessUpdate {
        process_id: ProcessId<'a> = "processId",
    }
    optional {
        label: NotNull<Filled<'a, 512>> = "label",
        parent_process_id: NotNull<ProcessId<'a>> = "parentProcessId",
        owner_process_id: NotNull<ProcessId<'a>> = "ownerProcessId",
        state: NotNull<ProcessState> = "state",
        pid: Nullable<u64> = "pid",
        command: Nullable<TextOf<'a, 0, 65536>> = "command",
        start_identity: Nullable<TextOf<'a, 0, 2048>> = "startIdentity",
        thread_id: Nullable<Filled<'a, 512>> = "threadId",
    }

    /// A process ended.
    struct ProcessExit {
        process_id: ProcessId<'a> = "processId",
    }
    optional {
        ended_at: NotNull<Filled<'a, { usize::MAX }>> = "endedAt",
        exit_code: Nullable<ExitCode<'a>> = "exitCode",
        signal: NotNull<TextOf<'a, 0, 128>> = "signal",
    }

    /// A process and what hangs below it is forgotten.
    struct ProcessRemove {
        process_id: ProcessId<'a> = "processId",
    }
    optional {
        subtree: NotNull<bool> = "subtree",
    }

    /// What became of `terminate_executor`.
    struct TerminateExecutorResult {
        executor_id: ProcessId<'a> = "executorId",
        request_id: TextOf<'a, 1, 256> = "requestId",
        result: TerminateResult = "result",
    }
    optional {
        error: NotNull<TextOf<'a, 0, 4096>> = "error",
    }

    /// parent → child: end one of your executors.
    struct TerminateExecutor {
        executor_id: ProcessId<'a> = "executorId",
    }
    optional {
        request_id: NotNull<TextOf<'a, 1, 256>> = "requestId",
        action: NotNull<ExecutorAction> = "action",
    }
}

/// A whole number of any sign.
#[derive(Debug, Clone, PartialEq)]
pub struct ExitCode<'a>(crate::json::Num<'a>);

impl<'a> Field<'a> for ExitCode<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let number = crate::json::Num::read(json)?;
        let whole = number.as_f64().fract() == 0.0;
        if whole { Ok(Self(number)) } else { Err(Wrong::not_a("a whole number")) }
    }
}

impl Written for ExitCode<'_> {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl IntoOwned for ExitCode<'_> {
    type Owned = ExitCode<'static>;

    fn into_owned(self) -> ExitCode<'static> {
        ExitCode(self.0.into_owned())
    }
}

/// One message about the process tree.
#[derive(Debug, Clone, PartialEq)]
pub enum Process<'a> {
    /// `process_register`
    Register(ProcessRegister<'a>),
    /// `process_update`
    Update(ProcessUpdate<'a>),
    /// `process_exit`
    Exit(ProcessExit<'a>),
    /// `process_remove`
    Remove(ProcessRemove<'a>),
    /// `terminate_executor_result`
    Terminated(TerminateExecutorResult<'a>),
}

impl<'a> Process<'a> {
    /// Their types on the wire.
    pub const KINDS: &'static [&'static str] = &[
        "process_register",
        "process_update",
        "process_exit",
        "process_remove",
        "terminate_executor_result",
    ];

    /// Reads a message of one of [`Process::KINDS`].
    pub(crate) fn read(kind: &str, object: Object<'a>) -> Result<Self, Wrong> {
        match kind {
            "process_register" => Record::from_object(object).and_then(checked_register),
            "process_update" => checked_update(object),
            "process_exit" => Record::from_object(object).map(Process::Exit),
            "process_remove" => Record::from_object(object).map(Process::Remove),
            _ => Record::from_object(object).map(Process::Terminated),
        }
    }

    /// Its `type` on the wire.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Process::Register(_) => "process_register",
            Process::Update(_) => "process_update",
            Process::Exit(_) => "process_exit",
            Process::Remove(_) => "process_remove",
            Process::Terminated(_) => "terminate_executor_result",
        }
    }

    pub(crate) fn members(&self, out: &mut ObjectWriter<'_>) {
        match self {
            Process::Register(record) => record.members(out),
            Process::Update(record) => record.members(out),
            Process::Exit(record) => record.members(out),
            Process::Remove(record) => record.members(out),
            Process::Terminated(record) => record.members(out),
        }
    }
}

fn checked_register(register: ProcessRegister<'_>) -> Result<Process<'_>, Wrong> {
    match (&register.pid, &register.state) {
        (Some(NotNull(0)), _) => Err(Wrong::new("pid", Fault::NotA { expected: "a process number" })),
        (_, Some(NotNull(ProcessState::Exited | ProcessState::Orphaned))) => {
            Err(Wrong::new("state", Fault::NotOneOf { words: "starting, running".to_owned() }))
        }
        _ => Ok(Process::Register(register)),
    }
}

fn checked_update(object: Object<'_>) -> Result<Process<'_>, Wrong> {
    if object.iter().count() < 2 {
        return Err(Wrong::new("", Fault::TooFew { needed: "something to update" }));
    }
    match ProcessUpdate::from_object(object)? {
        ProcessUpdate { pid: Some(Nullable::Is(0)), .. } => {
            Err(Wrong::new("pid", Fault::NotA { expected: "a process number" }))
        }
        update => Ok(Process::Update(update)),
    }
}

impl IntoOwned for Process<'_> {
    type Owned = Process<'static>;

    fn into_owned(self) -> Process<'static> {
        match self {
            Process::Register(record) => Process::Register(record.into_owned()),
            Process::Update(record) => Process::Update(record.into_owned()),
            Process::Exit(record) => Process::Exit(record.into_owned()),
            Process::Remove(record) => Process::Remove(record.into_owned()),
            Process::Terminated(record) => Process::Terminated(record.into_owned()),
        }
    }
}
