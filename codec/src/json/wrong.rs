//! Why a value was not taken: which field, and what was expected of it.

use std::fmt;

/// What is the matter with a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// the field is required and absent
    #[error("is missing")]
    Missing,
    /// the field stands there twice, and nobody can tell which one is meant
    #[error("is given twice")]
    Duplicate,
    /// the value is of another type
    #[error("must be {expected}")]
    NotA {
        /// the type in words
        expected: &'static str,
    },
    /// the text is none of the words that are known here
    #[error("must be one of {words}")]
    NotOneOf {
        /// the known words
        words: String,
    },
    /// the number is out of its range
    #[error("must be from {least} to {most}")]
    OutOfRange {
        /// the least number allowed
        least: u64,
        /// the greatest number allowed
        most: u64,
    },
    /// the text is longer than its limit
    #[error("is longer than {limit} {unit}")]
    TooLong {
        /// the limit
        limit: usize,
        /// what is counted
        unit: &'static str,
    },
    /// the list holds more than its limit
    #[error("holds more than {limit}")]
    TooMany {
        /// the limit
        limit: usize,
    },
    /// the list holds less than this message needs
    #[error("must hold {needed}")]
    TooFew {
        /// how many, in words
        needed: &'static str,
    },
}

/// A field and what is the matter with it: `promptConfig.choices[3].value must be …`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// where, as a path from the message
    pub field: String,
    /// what
    pub fault: Fault,
}

impl Wrong {
    /// Something is the matter with `field`.
    #[must_use]
    pub fn new(field: &str, fault: Fault) -> Self {
        Self { field: field.to_owned(), fault }
    }

    /// The value itself is not what was expected.
    #[must_use]
    pub fn not_a(expected: &'static str) -> Self {
        Self::new("", Fault::NotA { expected })
    }

    /// The same complaint seen from one level further out.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        let joint = if self.field.is_empty() || self.field.starts_with('[') { "" } else { "." };
        self.field = format!("{outer}{joint}{}", self.field);
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            write!(out, "it {}", self.fault)
        } else {
            write!(out, "{} {}", self.field, self.fault)
        }
    }
}

impl std::error::Error for Wrong {}
