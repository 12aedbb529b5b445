//! What the benches share: the program as a process, clients and parents as plain sockets, the record, and waits that
//! always end. Nothing here knows how tim is built; it speaks JSON by hand.

pub(crate) mod client;
pub(crate) mod desk;
pub(crate) mod journal;
pub(crate) mod launch;
pub(crate) mod process;
pub(crate) mod random;
pub(crate) mod serve;
pub(crate) mod temp;
pub(crate) mod wait;
pub(crate) mod wire;

/// How often something is repeated: as said in the environment, for those who have the time.
pub(crate) fn times(variable: &str, ordinarily: usize) -> usize {
    std::env::var(variable).map_or(ordinarily, |text| text.parse().expect("a number"))
}
