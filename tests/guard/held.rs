//! A tim that can be killed: this test program once more, as a process that starts one agent and holds it.

use std::io::{BufRead as _, BufReader, Lines};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::marked::Mark;

const SCRIPT: &str = "TIM_TEST_SCRIPT";
const MARK: &str = "TIM_TEST_HOLD";

/// The process that holds an agent.
pub(crate) struct Holder {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Holder {
    /// Starts one, in a group of its own as a shell would, and waits until the agent runs.
    pub(crate) fn of(mark: &Mark, script: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "held::a_process_that_holds_an_agent", "--nocapture"]);
        command.env(MARK, mark.text()).env(SCRIPT, script).process_group(0);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut holder = Self { child, said };
        holder.until_says("held");
        holder
    }

    /// Reads until it says so.
    pub(crate) fn until_says(&mut self, word: &str) {
        while !self.said.next().expect("it lives").unwrap().ends_with(word) {}
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// kill -9, as the system does when it is short of memory.
    pub(crate) fn kill(self) {
        drop(self);
    }

    /// What the terminal does at Ctrl-C.
    pub(crate) fn interrupt_group(&self) {
        kill_process_group(self.pid(), Signal::INT).unwrap();
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }
}

/// Not a test of its own: what [`Holder`] starts.
#[tokio::test]
async fn a_process_that_holds_an_agent() {
    let (Ok(mark), Ok(script)) = (std::env::var(MARK), std::env::var(SCRIPT)) else { return };
    let mut interrupts = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).unwrap();
    let mut running = Mark::of(mark).script(&script).start().await.unwrap();
    println!("\nheld");
    loop {
        tokio::select! {
            _ = interrupts.recv() => println!("\ninterrupted"),
            ended = running.process.wait() => return println!("\nended {ended:?}"),
        }
    }
}
