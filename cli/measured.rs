//! For benches only: the way of a text from an agent to the terminal, without the agent.
//!
//! Feeds as fast as the screen takes it without dropping anything. No part of what the program promises.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use codec::limits::Limits;
use codec::tunnel::Up;
use tokio::time::Instant;

use crate::config::attention::Settings;
use crate::term::attention::{Abilities, Attention};
use crate::term::device::Device;
use crate::term::handle::Handle;
use crate::term::owner::Owner;
use crate::term::painter::Reflow;
use crate::term::question::Here;
use crate::term::screen::{Screen, Setup};
use crate::term::style::Ink;

/// Shows what a client reports, line by line of its wire, on that terminal.
///
/// # Errors
/// If the terminal cannot be used.
pub fn show_reports(terminal: OwnedFd, lines: impl Iterator<Item = Vec<u8>>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let device = Device::of(terminal)?;
        let screen = Handle::new(Screen::new(setup(), device.size(), Instant::now()));
        let running = Owner::new(device, screen.clone(), Box::new(drop))?.start(|| {});
        for line in lines {
            while !screen.with(|screen| screen.has_room()) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            if let Ok(report) = Up::read(&line, &Limits::STANDARD) {
                screen.with(|screen| screen.report("agent", &report));
            }
            tokio::task::yield_now().await;
        }
        running.close().await;
        Ok(())
    })
}

fn setup() -> Setup {
    Setup {
        here: Here::default(),
        folder: None,
        ink: Ink::Colours,
        reflow: Reflow::Breaks,
        has_line: true,
        tells_read: false,
        ends: "",
        fails_on: None,
        attention: Attention::new(&Settings::default(), Abilities { osc: true }, Instant::now()),
        time: Box::new(|_| String::new()),
    }
}
