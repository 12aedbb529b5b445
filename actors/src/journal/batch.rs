//! What one write takes: lines with their ends, and the records after them that found no room.
//!
//! Pure: bytes and numbers. Lost records stand only at its end: once one found no room, so does every later one until
//! the batch is taken, because a shorter line that slips in behind it would hide where the gap is.

/// How much memory a buffer keeps when it is empty. What a burst needed beyond that is given back.
const SPARE: usize = 1 << 20;

/// A kept line.
struct Mark {
    /// where its line end ends
    end: usize,
    /// when it was
    t: u64,
}

/// Records in a row: those that are kept, then those that are lost.
#[derive(Default)]
pub(super) struct Batch {
    /// the number of the first one
    first: u64,
    /// the number after the last one, kept or lost
    next: u64,
    bytes: Vec<u8>,
    marks: Vec<Mark>,
    /// when the first lost one was
    full_at: Option<u64>,
}

impl Batch {
    /// Adds a record, and says whether there was room for it. A line of any length has room in an empty batch: its
    /// length was limited where it was read, and a record in memory should not be lost while the disk is idle.
    pub(super) fn push(&mut self, t: u64, line: &str, limit: usize) -> bool {
        self.next += 1;
        let end = self.bytes.len() + line.len() + 1;
        if self.full_at.is_some() || (end > limit && !self.bytes.is_empty()) {
            self.full_at.get_or_insert(t);
            return false;
        }
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.push(b'\n');
        self.marks.push(Mark { end, t });
        true
    }

    /// Empties it; it goes on with the record of this number.
    pub(super) fn restart(&mut self, first: u64) {
        self.bytes.clear();
        self.bytes.shrink_to(SPARE);
        self.marks.clear();
        self.marks.shrink_to(SPARE / size_of::<Mark>());
        self.full_at = None;
        self.first = first;
        self.next = first;
    }

    /// Whether no record is in it, kept or lost.
    pub(super) const fn is_empty(&self) -> bool {
        self.next == self.first
    }

    pub(super) const fn first(&self) -> u64 {
        self.first
    }

    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many lines were kept.
    pub(super) const fn lines(&self) -> usize {
        self.marks.len()
    }

    /// How many of its lines are on file when this many of its bytes are.
    pub(super) fn lines_within(&self, written: usize) -> usize {
        self.marks.partition_point(|mark| mark.end <= written)
    }

    /// When the first record after so many lines was, if there is one.
    pub(super) fn time_after(&self, lines: usize) -> Option<u64> {
        self.marks.get(lines).map(|mark| mark.t).or(self.full_at)
    }
}
