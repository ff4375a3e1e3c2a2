//! Pictures of tables: values against heaps, residues of a law, and boxes of two or three coordinates.
//!
//! Every picture is an SVG, drawn by plotters; its PNG is the same SVG rendered by resvg with a font
//! of our own, so that it looks alike on every machine, also on one without fonts. Many points are
//! drawn as an embedded raster: a picture stays small however large its table.
//!
//! The colours are told apart by readers with any colour vision: values go along a scale that
//! grows lighter from dark blue to green, lost positions are white in a dark frame, and what is to be
//! seen first is orange on blue (Okabe and Ito 2008).

// Pixels and shares of colours are small numbers of several types; values become heights on paper,
// where what a float rounds cannot be seen.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss
)]

mod colour;
mod grid;
mod heaps;
mod picture;
mod raster;
mod render;

pub use colour::Theme;
pub use grid::{Cell, Grid, Mark, Slice};
pub use heaps::{Axes, Heaps};
pub use picture::{Canvas, DrawFault};
pub use render::png;
