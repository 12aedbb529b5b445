//! The table: figures of both sides, round by round, and what they are held against.

use std::time::Duration;

use super::Side;

/// What a figure must keep to: a ratio to the floor, or a value of its own.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    AtLeast(f64),
    AtMost(f64),
    None,
}

impl Bound {
    fn judged(self, figure: f64) -> String {
        let (sign, bound, is_kept) = match self {
            Bound::AtLeast(bound) => ('≥', bound, figure >= bound),
            Bound::AtMost(bound) => ('≤', bound, figure <= bound),
            Bound::None => return String::new(),
        };
        format!("{sign} {bound} {}", if is_kept { "ok" } else { "MISSED" })
    }
}

/// One line of the table: the same figure of both sides, in every round.
pub(super) struct Row {
    name: String,
    bound: Bound,
    floor: Vec<f64>,
    tim: Vec<f64>,
}

impl Row {
    pub(super) fn new(name: &str, bound: Bound) -> Self {
        Self { name: name.to_owned(), bound, floor: Vec::new(), tim: Vec::new() }
    }

    pub(super) fn push(&mut self, floor: f64, tim: f64) {
        self.floor.push(floor);
        self.tim.push(tim);
    }

    /// Measures both sides in every round, one right after the other.
    pub(super) fn fill(&mut self, rounds: usize, sides: [Side; 2], mut measure: impl FnMut(Side) -> f64) {
        for _ in 0..rounds {
            let [floor, tim] = sides.map(&mut measure);
            self.push(floor, tim);
        }
    }

    /// Prints it, with the ratio against its bound. The ratio is the median of those of each round: a slow moment of the
    /// machine hits both sides of one round alike.
    pub(super) fn print(&self) {
        let ratios: Vec<f64> = self.tim.iter().zip(&self.floor).map(|(tim, floor)| tim / floor).collect();
        let ratio = format!("{:.2} ({:.2} … {:.2})", median(&ratios), least(&ratios), most(&ratios));
        let judged = self.bound.judged(median(&ratios));
        line(&self.name, &spread(&self.floor), &spread(&self.tim), &ratio, &judged);
    }

    /// Prints it, with our own figure against its bound.
    pub(super) fn print_by_value(&self) {
        let (floor, tim) = (median(&self.floor), median(&self.tim));
        let ratio = format!("{:.2}", tim / floor);
        line(&self.name, &format!("{floor:.0}"), &format!("{tim:.0}"), &ratio, &self.bound.judged(tim));
    }
}

/// What the columns are.
pub(super) fn head() {
    line("", "floor", "tim", "ratio", "bound");
}

/// A figure that has no floor.
pub(super) fn alone(name: &str, figure: f64, bound: Bound) {
    line(name, "–", &format!("{figure:.1}"), "", &bound.judged(figure));
}

fn line(name: &str, floor: &str, tim: &str, ratio: &str, bound: &str) {
    println!("{name:<36} {floor:>22}  {tim:>22}  {ratio:>20}   {bound}");
}

fn spread(figures: &[f64]) -> String {
    format!("{:.0} ({:.0} … {:.0})", median(figures), least(figures), most(figures))
}

fn least(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(0.0, f64::max)
}

fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    *sorted.get(sorted.len() / 2).unwrap()
}

/// In microseconds; the hundredth is the slowest of all.
pub(super) fn percentile(times: &[Duration], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() * percent / 100).min(sorted.len() - 1);
    sorted.get(at).unwrap().as_nanos() as f64 / 1e3
}
