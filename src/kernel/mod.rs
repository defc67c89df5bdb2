//! Straight-line programs over words: built, evaluated, costed and printed.
