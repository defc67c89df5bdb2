//! Rendered files written, or compared with what is there.
