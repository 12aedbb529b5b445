//! What tests of real programs need: files that they write, and whether they are gone.

use std::path::PathBuf;
use std::time::Duration;

/// Nothing that happens takes longer.
pub(crate) const BOUND: Duration = Duration::from_secs(20);

/// A file in the temp folder that is gone when the test is over.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("tim-c{}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Gone, or dead and only waiting to be collected.
pub(crate) fn is_gone(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

/// Looks until there is something to be seen.
pub(crate) async fn until<T>(what: impl Fn() -> Option<T>) -> T {
    let looked = async {
        loop {
            if let Some(found) = what() {
                return found;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(BOUND, looked).await.expect("it happens in time")
}
