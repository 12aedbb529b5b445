//! What to do next on the way from a running agent to nobody left. Pure: time comes as an argument.
//!
//! Ends with everybody gone, which only whoever holds the children can know, or by giving up on what even SIGKILL does
//! not end (another user's process, or one stuck in the system).

use std::time::Duration;

/// How long everybody may take to tidy up.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// How often new descendants are looked for meanwhile.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// How long killing is repeated.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How long between two rounds of killing: at first, and once it has lasted for longer than a fork takes.
const ROUNDS: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));

/// What is wanted of the agent and all that it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// to end, with time to tidy up
    Terminate,
    /// to be gone
    Kill,
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// nothing
    Nothing,
    /// ask all who have not been asked yet to end
    Terminate,
    /// kill everybody
    Kill,
    /// leave whoever is left
    GiveUp,
}

/// How far it is, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    Asked(Duration),
    Forced(Duration),
}

/// The way from running to gone.
#[derive(Debug)]
pub(crate) struct Ending {
    phase: Phase,
    looked: Option<Duration>,
}

impl Ending {
    /// Nobody is to end yet.
    pub(crate) fn new() -> Self {
        Self { phase: Phase::Running, looked: None }
    }

    /// Somebody wants it to end. The first order starts the clock; only an order to kill makes it end sooner.
    pub(crate) fn order(&mut self, order: Order, now: Duration) {
        self.phase = match (self.phase, order) {
            (Phase::Running, Order::Terminate) => Phase::Asked(now),
            (Phase::Running | Phase::Asked(_), Order::Kill) => Phase::Forced(now),
            (phase, _) => phase,
        };
    }

    /// What to do now, and after what time to ask again if nothing happens before.
    pub(crate) fn step(&mut self, now: Duration) -> (Act, Option<Duration>) {
        if let Phase::Asked(since) = self.phase
            && now.saturating_sub(since) >= GRACE
        {
            self.phase = Phase::Forced(now);
        }
        match self.phase {
            Phase::Running => (Act::Nothing, None),
            Phase::Asked(since) => self.ask(now, (since + GRACE).saturating_sub(now)),
            Phase::Forced(since) => force(now.saturating_sub(since)),
        }
    }

    /// Looks are costly, and each child that ends wakes us.
    fn ask(&mut self, now: Duration, left: Duration) -> (Act, Option<Duration>) {
        let due = self.looked.map_or(now, |looked| looked + LOOK);
        if now < due {
            return (Act::Nothing, Some(left.min(due.saturating_sub(now))));
        }
        self.looked = Some(now);
        (Act::Terminate, Some(left.min(LOOK)))
    }
}

fn force(lasted: Duration) -> (Act, Option<Duration>) {
    let (first, later) = ROUNDS;
    match lasted {
        lasted if lasted >= PATIENCE => (Act::GiveUp, None),
        lasted if lasted < Duration::from_secs(1) => (Act::Kill, Some(first)),
        _ => (Act::Kill, Some(later)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn nothing_happens_to_an_agent_that_may_run() {
        assert_eq!(Ending::new().step(ms(86_400_000)), (Act::Nothing, None));
    }

    #[test]
    fn all_are_asked_at_once_and_killed_when_the_grace_is_over() {
        let mut ending = Ending::new();
        ending.order(Order::Terminate, ms(100));
        assert_eq!(ending.step(ms(100)), (Act::Terminate, Some(LOOK)));
        assert_eq!(ending.step(ms(101)), (Act::Nothing, Some(ms(19))));
        assert_eq!(ending.step(ms(5_095)), (Act::Terminate, Some(ms(5))));
        assert_eq!(ending.step(ms(5_099)), (Act::Nothing, Some(ms(1))));
        assert_eq!(ending.step(ms(5_100)), (Act::Kill, Some(ms(2))));
        assert_eq!(ending.step(ms(7_000)), (Act::Kill, Some(ms(50))));
    }

    #[test]
    fn an_order_to_kill_does_not_wait_for_the_grace() {
        let mut ending = Ending::new();
        ending.order(Order::Terminate, ms(0));
        ending.order(Order::Kill, ms(1));
        assert_eq!(ending.step(ms(1)).0, Act::Kill);
    }

    #[test]
    fn what_cannot_be_killed_is_left_at_last() {
        let mut ending = Ending::new();
        ending.order(Order::Kill, ms(0));
        assert_eq!(ending.step(PATIENCE - ms(1)).0, Act::Kill);
        assert_eq!(ending.step(PATIENCE), (Act::GiveUp, None));
    }

    proptest! {
        #[test]
        fn later_orders_never_delay_the_kill_and_nobody_is_killed_before_its_time(
            events in prop::collection::vec((0..400_u64, prop::option::of(any::<bool>())), 1..80),
        ) {
            let (mut ending, mut now) = (Ending::new(), ms(0));
            let (mut asked, mut kill) = (None, None);
            for (later, order) in events {
                now += ms(later);
                if let Some(force) = order {
                    ending.order(if force { Order::Kill } else { Order::Terminate }, now);
                    asked = asked.or(Some(now));
                    kill = if force { kill.or(Some(now)) } else { kill };
                }
                let (act, again) = ending.step(now);
                let due = [kill, asked.map(|asked| asked + GRACE)].into_iter().flatten().min();
                let is_due = due.is_some_and(|due| now >= due);
                prop_assert_eq!(matches!(act, Act::Kill | Act::GiveUp), is_due);
                prop_assert_eq!(again.is_some(), asked.is_some() && act != Act::GiveUp);
                if let (Some(again), Some(due), false) = (again, due, is_due) {
                    prop_assert!(again > ms(0) && now + again <= due);
                }
            }
        }
    }
}
