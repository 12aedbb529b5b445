//! The router under a random life: askers, desks, answers, cancels, deadlines, a slow journal, all from one seed.
//!
//! The real actors run under paused time. Beside them a model says what must happen, as simply as it can be said;
//! after every step both must agree, and each disagreement names the invariant that it breaks. A seed that fails is
//! printed; the same seed does the same again.
//!
//! More seeds: `TIM_SIM_SEEDS=100000 cargo test --release -p actors --lib simulation -- --nocapture`

pub(crate) mod actors;
mod check;
mod lines;
mod model;
mod random;
mod sabotage;
mod tests;
mod world;

pub(crate) use sabotage::Sabotage;
use sabotage::UNFIT;
